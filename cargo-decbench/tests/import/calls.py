"""The calls that every fixture is made of, and a service on 127.0.0.1 that decides by words.

The service speaks as much of each interface as the tools need: chat completions, System One, PostHog's capture and
Langfuse's datasets. What it is sent and nobody answers is kept in `received`.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

INSTRUCTIONS = "Which team should take this call? Answer with billing, support or sales."
TEAMS = ["billing", "support", "sales"]
# Every person, address and number is made up.
CALLS = [
    ("c-1", "I was charged twice in March, please write to ada@example.com.", "billing"),
    ("c-2", "My router shows a red light since this morning.", "support"),
    ("c-3", "Can I add a second line for the shop?", "sales"),
    ("c-4", "Refund it to DE89 3704 0044 0532 0130 00, thank you.", "billing"),
    ("c-5", "The line is dead and I pay for nothing, call me at +49 30 901820.", "support"),
    ("c-6", "How much is the larger plan?", "sales"),
]


def decide(text):
    """What the service answers: right for five of the six calls."""
    text = text.lower()
    if any(word in text for word in ("charged", "refund", "pay")):
        return "billing"
    return "support" if any(word in text for word in ("router", "dead")) else "sales"


class Service(BaseHTTPRequestHandler):
    received = []
    datasets = {}

    def log_message(self, *_):
        pass

    def reply(self, body):
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            import gzip

            raw = gzip.decompress(raw)
        body = json.loads(raw)
        if self.path.endswith("/chat/completions"):
            call = body["messages"][-1]["content"]
            self.reply(
                {
                    "id": "chatcmpl-1", "object": "chat.completion", "created": 1796000000, "model": "words-1",
                    "choices": [{"index": 0, "finish_reason": "stop",
                                 "message": {"role": "assistant", "content": decide(call)}}],
                    "usage": {"prompt_tokens": 40, "completion_tokens": 1, "total_tokens": 41},
                }
            )
        elif self.path.endswith("/systemone"):
            call = body["state"]["call"]
            team = decide(call)
            self.reply(
                {
                    "model": "jev-1.13.0",
                    "answers": {
                        "queue": {
                            "type": "choice", "choice": team, "confidence": 0.8,
                            "probabilities": {name: 0.9 if name == team else 0.1 / 3
                                              for name in body["questions"]["queue"]["criteria"]},
                        },
                        "angry": {"type": "noul", "noul": 0.85 if "nothing" in call else 0.08},
                        "urgency": {
                            "type": "score", "score": 0.3, "confidence": 0.7,
                            "legend": {str(i): text for i, text in enumerate(body["questions"]["urgency"]["criteria"])},
                            "probabilities": {"0": 0.8, "1": 0.15, "2": 0.05},
                        },
                    },
                    "usage": {"input_tokens": 120, "output_tokens": 9},
                }
            )
        else:
            self.received.append((self.path, body))
            self.reply(self.answer(body))

    def answer(self, body):
        return {}

    def do_GET(self):
        self.reply(self.look_up())

    def look_up(self):
        return {}


def serve(service=Service):
    """Starts the service; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
