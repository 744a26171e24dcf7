"""Asks through the vendor's own client, TypeSafe's `typesafe-sdk`, and prints what it read.

Standard input: {"url", "key", "model", "state", "questions": [{"name", "kind", "instructions", "options": [[key, text]]}]}.
"""

import json
import sys

from typesafe_sdk import Choice, Noul, Score, TypeSafeClient


def question(asked):
    options = asked["options"]
    if asked["kind"] == "yes_no":
        sides = {"yes": "true", "no": "false"}
        criteria = {sides[key]: text for key, text in options if text is not None}
        return Noul(instructions=asked["instructions"], criteria=criteria or None)
    if asked["kind"] == "score":
        return Score(instructions=asked["instructions"], criteria=[text for _, text in options])
    return Choice(instructions=asked["instructions"], criteria=dict(options))


asked = json.load(sys.stdin)
with TypeSafeClient(api_key=asked["key"], base_url=asked["url"]) as client:
    reply = client.system_one(
        model=asked["model"],
        state=asked["state"],
        questions={each["name"]: question(each) for each in asked["questions"]},
    )
answers = {}
for name, answer in reply.answers.items():
    if answer.type == "noul":
        answers[name] = {"label": None, "probabilities": {"yes": answer.noul}}
    else:
        label = answer.choice if answer.type == "choice" else None
        answers[name] = {"label": label, "probabilities": dict(answer.probabilities)}
usage = reply.usage
print(json.dumps({"model": reply.model, "input_tokens": usage.input_tokens, "answers": answers}))
