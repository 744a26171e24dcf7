"""Makes items.json, a dataset as Langfuse's interface lists it, and items.jsonl, the same as the SDK gives it:
pip install langfuse==5.0.4

Langfuse itself is a server of several parts. Here its SDK creates the items and reads them back through a stand-in
that keeps what it is sent; the shape of every item is checked by the SDK's own types on the way out.
"""

import datetime
import json
import pathlib
import sys
import urllib.parse

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
from calls import CALLS, Service, serve  # noqa: E402

from langfuse import Langfuse  # noqa: E402
from langfuse.api import Dataset, DatasetItem, DatasetStatus  # noqa: E402

NOW = datetime.datetime(2026, 11, 30, 8, 0, tzinfo=datetime.timezone.utc)
items = []


def wire(model):
    return json.loads(model.json(by_alias=True))


class Datasets(Service):
    def answer(self, body):
        if self.path.endswith("/datasets") or self.path.endswith("/v2/datasets"):
            return wire(Dataset(id="d-1", name=body["name"], metadata=None, project_id="p-1", created_at=NOW, updated_at=NOW))
        item = DatasetItem(
            id=body["id"], status=DatasetStatus(body.get("status") or "ACTIVE"), input=body.get("input"),
            expected_output=body.get("expectedOutput"), metadata=body.get("metadata"),
            source_trace_id=body.get("sourceTraceId"), source_observation_id=body.get("sourceObservationId"),
            dataset_id="d-1", dataset_name=body["datasetName"], created_at=NOW, updated_at=NOW, media_references=[],
        )
        items.append(item)
        return wire(item)

    def look_up(self):
        path = urllib.parse.urlparse(self.path)
        if path.path.endswith("dataset-items"):
            meta = {"page": 1, "limit": 50, "totalItems": len(items), "totalPages": 1}
            page = {"data": [wire(item) for item in items], "meta": meta}
            (here / "items.json").write_text(json.dumps(page, indent=1) + "\n")
            return page
        return wire(Dataset(id="d-1", name="call-routing", metadata=None, project_id="p-1", created_at=NOW, updated_at=NOW))


langfuse = Langfuse(public_key="none", secret_key="none", base_url=serve(Datasets), tracing_enabled=False)
langfuse.create_dataset(name="call-routing")
for name, call, team in CALLS:
    langfuse.create_dataset_item(
        dataset_name="call-routing", id=name, input={"call": call}, expected_output=team, metadata={"week": "41"},
        # Taken over from a trace: the expected output is what production said.
        source_trace_id="0af7651916cd43dd8448eb211c80319c" if name == "c-6" else None,
    )
langfuse.create_dataset_item(dataset_name="call-routing", id="c-7", input={"call": "Withdrawn"}, expected_output="sales",
                             status=DatasetStatus.ARCHIVED)
dataset = langfuse.get_dataset("call-routing")
with (here / "items.jsonl").open("w") as file:
    for item in dataset.items:
        file.write(item.json() + "\n")
