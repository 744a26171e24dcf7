"""Asks through the vendor's own client, `openai`, and prints what it read.

Standard input: {"url", "key", "model", "state", "questions": [{"name", "kind", "instructions", "options": [[key, text]]}]}.
"""

import json
import sys

from openai import OpenAI


def described(name, key, text):
    return {name: key} if text is None else {name: key, "description": text}


def question(asked):
    common = {"name": asked["name"], "instructions": asked["instructions"]}
    options = asked["options"]
    if asked["kind"] == "yes_no":
        return {"type": "predicate", **common}
    if asked["kind"] == "score":
        # The label of a level is decbench's to choose: its number.
        levels = [described("label", key, text) for key, text in options]
        return {"type": "score", **common, "levels": levels}
    return {"type": "choice", **common, "choices": [described("value", key, text) for key, text in options]}


asked = json.load(sys.stdin)
state = asked["state"]
if not isinstance(state, str):
    state = [{"role": "user", "content": [{"type": "input_json", "data": state}]}]
client = OpenAI(api_key=asked["key"], base_url=asked["url"] + "/v1")
reply = client.decisions.create(
    model=asked["model"],
    input=state,
    questions=[question(each) for each in asked["questions"]],
)
answers = {}
for answer in reply.answers:
    if answer.type == "predicate":
        answers[answer.name] = {"label": None, "probabilities": {"yes": answer.probability}}
    elif answer.type == "choice":
        shares = {each.value: each.probability for each in answer.probabilities}
        answers[answer.name] = {"label": answer.choice, "probabilities": shares}
    else:
        shares = {str(each.value): each.probability for each in answer.probabilities}
        answers[answer.name] = {"label": None, "probabilities": shares}
print(json.dumps({"model": reply.model, "input_tokens": reply.usage.input_tokens, "answers": answers}))
