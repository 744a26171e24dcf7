"""Makes spans.jsonl and console.json with OpenTelemetry's instrumentation of the OpenAI client:
pip install openai==3.57.0 opentelemetry-sdk==1.45.2 opentelemetry-instrumentation-openai-v2==2.4b0
opentelemetry-util-genai==0.4b0 opentelemetry-exporter-otlp-json-file==0.66b1
"""

import os
import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"
from calls import CALLS, INSTRUCTIONS, serve  # noqa: E402

from openai import OpenAI  # noqa: E402
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter  # noqa: E402
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor  # noqa: E402
from opentelemetry.sdk.resources import Resource  # noqa: E402
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor  # noqa: E402

(here / "spans.jsonl").unlink(missing_ok=True)
with (here / "console.json").open("w") as file:
    provider = TracerProvider(resource=Resource({"service.name": "switchboard"}))
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=file)))
    provider.add_span_processor(SimpleSpanProcessor(FileSpanExporter(here / "spans.jsonl")))
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    client = OpenAI(api_key="none", base_url=serve() + "/v1", max_retries=0)
    tracer = provider.get_tracer("switchboard")
    for _, call, _ in CALLS:
        with tracer.start_as_current_span("route"):
            client.chat.completions.create(
                model="words-1",
                messages=[{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": call}],
            )
    try:
        OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1", max_retries=0).chat.completions.create(
            model="words-1", messages=[{"role": "user", "content": "Is anybody there?"}])
    except Exception:
        pass
    provider.shutdown()
