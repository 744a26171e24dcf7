"""Makes the cases of the pack and two recordings with jevassert: pip install jevassert==0.2.1"""

import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
from calls import CALLS, serve  # noqa: E402

pack = here / "call-routing"
with (pack / "cases.jsonl").open("w") as cases:
    for name, call, team in CALLS:
        expect = {"queue": team, "angry": name == "c-5", "urgency": "high" if team == "support" else "low"}
        cases.write(json.dumps({"id": name, "state": {"call": call}, "expect": expect}) + "\n")
environment = {**os.environ, "TYPESAFE_API_KEY": "none", "TYPESAFE_BASE_URL": serve()}
recording = here / "jev.jsonl"
subprocess.run([sys.executable, "-m", "jevassert", "record", pack, "-o", recording], env=environment, check=True)
# Recorded where nobody answers: what jevassert writes about a call that failed.
environment["TYPESAFE_BASE_URL"] = "http://127.0.0.1:9"
subprocess.run([sys.executable, "-m", "jevassert", "record", pack, "-o", here / "nobody.jsonl", "--limit", "1"],
               env=environment, check=False)
