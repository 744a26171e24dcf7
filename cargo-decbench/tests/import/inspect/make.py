"""Makes call-routing.eval with Inspect and its mock model: pip install inspect-ai==0.3.285"""

import pathlib
import sys
import tempfile

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
from calls import CALLS, INSTRUCTIONS, TEAMS, decide  # noqa: E402

from inspect_ai import Epochs, Task, eval, task  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_ai.scorer import choice  # noqa: E402
from inspect_ai.solver import multiple_choice, system_message  # noqa: E402


@task
def call_routing():
    samples = [Sample(id=name, input=call, choices=TEAMS, target="ABC"[TEAMS.index(team)]) for name, call, team in CALLS]
    return Task(dataset=samples, solver=[system_message(INSTRUCTIONS), multiple_choice()], scorer=choice())


def said(messages, *_):
    """The letter of the team; nothing that fits in the second epoch of the last call."""
    call = messages[-1].content.split("\n\n")[1]
    seen[call] = seen.get(call, 0) + 1
    word = "ANSWER: " + "ABC"[TEAMS.index(decide(call))]
    if "larger plan" in call and seen[call] == 2:
        word = "I cannot say."
    output = ModelOutput.from_content("mockllm/model", word)
    # Without a usage the mock counts tokens with a vocabulary that it downloads.
    output.usage = ModelUsage(input_tokens=60, output_tokens=3, total_tokens=63)
    return output


seen = {}
with tempfile.TemporaryDirectory() as logs:
    eval(call_routing(), model=get_model("mockllm/model", custom_outputs=said), epochs=Epochs(2),
         max_samples=1, log_dir=logs, display="none")
    (here / "call-routing.eval").write_bytes(next(pathlib.Path(logs).glob("*.eval")).read_bytes())
