"""Makes results.json with promptfoo: npm install promptfoo, then `python make.py path/of/promptfoo`"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
sys.path.insert(0, str(here.parent))
from calls import CALLS, INSTRUCTIONS  # noqa: E402

config = {
    "description": "call routing",
    "prompts": [INSTRUCTIONS + "\n{{call}}"],
    "providers": [{"id": "file://provider.js", "label": "words"}, {"id": "echo", "label": "echo"}],
    "tests": [{"description": name, "vars": {"call": call}, "assert": [{"type": "equals", "value": team}]}
              for name, call, team in CALLS],
}
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / "provider.js").write_text((here / "provider.js").read_text())
    (folder / "promptfooconfig.json").write_text(json.dumps(config))
    environment = {**os.environ, "PROMPTFOO_CONFIG_DIR": str(folder / "state"), "PROMPTFOO_DISABLE_TELEMETRY": "1",
                   "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1"}
    subprocess.run([sys.argv[1], "eval", "-c", "promptfooconfig.json", "-o", str(folder / "results.json"),
                    "--no-cache", "--no-table", "--no-progress-bar"], cwd=folder, env=environment, check=False)
    results = (folder / "results.json").read_text()
# Where the tool ran is nobody's business.
(here / "results.json").write_text(results.replace(str(folder), "."))
