"""Makes three files of samples with the harness's dummy model: pip install lm-eval==0.4.13 datasets"""

import json
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
sys.path.insert(0, str(here.parent))
from calls import CALLS, INSTRUCTIONS, TEAMS  # noqa: E402

COMMON = """
dataset_path: json
dataset_kwargs: { data_files: { test: calls.jsonl } }
test_split: test
metadata: { version: 1 }
"""
CHOICE = """
task: call_routing
output_type: multiple_choice
doc_to_text: "{{instructions}}\\n{{call}}\\nTeam:"
doc_to_choice: [billing, support, sales]
doc_to_target: "{{label}}"
metric_list: [{ metric: acc }]
"""
# Each call has choices of its own: the right one and one other.
OWN = """
task: call_routing_own
output_type: multiple_choice
doc_to_text: "{{call}}\\nTeam:"
doc_to_choice: "{{choices}}"
doc_to_target: 0
metric_list: [{ metric: acc }]
"""
WRITTEN = """
task: call_routing_written
output_type: generate_until
doc_to_text: "{{instructions}}\\n{{call}}\\nTeam:"
doc_to_target: "{{team}}"
generation_kwargs: { until: ["\\n"] }
metric_list: [{ metric: exact_match }]
"""
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    lines = [{"id": name, "instructions": INSTRUCTIONS, "call": call, "team": team, "label": TEAMS.index(team),
              "choices": [team, TEAMS[TEAMS.index(team) - 1]]}
             for name, call, team in CALLS]
    (folder / "calls.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "choice.yaml").write_text(CHOICE + COMMON)
    (folder / "own.yaml").write_text(OWN + COMMON)
    (folder / "written.yaml").write_text(WRITTEN + COMMON)
    subprocess.run([sys.executable, "-m", "lm_eval", "--model", "dummy", "--tasks", "call_routing,call_routing_own,call_routing_written",
                    "--include_path", ".", "--output_path", "out", "--log_samples", "--seed", "7"], cwd=folder, check=True)
    for found in sorted(folder.rglob("samples_*.jsonl")):
        task = found.name.removeprefix("samples_").rsplit("_", 1)[0]
        (here / f"samples_{task}.jsonl").write_text(found.read_text())
        print(found)
