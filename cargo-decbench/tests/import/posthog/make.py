"""Makes events.json, what PostHog's SDK sends about calls of a chat model: pip install posthog==7.91.1 openai==3.57.0"""

import json
import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
from calls import CALLS, INSTRUCTIONS, Service, serve  # noqa: E402

from posthog import Posthog  # noqa: E402
from posthog.ai.openai import OpenAI  # noqa: E402

address = serve()
posthog = Posthog("none", host=address)
client = OpenAI(api_key="none", base_url=address + "/v1", posthog_client=posthog)
for name, call, _ in CALLS:
    client.chat.completions.create(
        model="words-1",
        messages=[{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": call}],
        posthog_distinct_id="caller@example.com", posthog_trace_id=name,
        posthog_properties={"channel": "phone"},
    )
posthog.capture("call ended", distinct_id="caller@example.com")
posthog.shutdown()
batches = [body["batch"] for path, body in Service.received if "batch" in body]
events = [event for batch in batches for event in batch]
(here / "events.json").write_text(json.dumps({"batch": events}, indent=1) + "\n")
