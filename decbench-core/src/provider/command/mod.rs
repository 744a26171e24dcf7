//! `command`: a program of yours answers, one JSON line per request.
//!
//! The program is started in the suite's folder, reads one request per line from standard input and writes one answer
//! per line to standard output, in the same order, until its input ends. It is kept alive between calls, started again
//! when it has died, and ended, it alone, when an answer does not come in time. What it writes to standard error is for
//! people: its last lines stand in the message when it fails. Its answers are recorded and replayed as those of any
//! service, and it is called in `fill` and `live` only.
//!
//! A request, here broken into several lines:
//!
//! ```json
//! {"id":1,"state":"Caller: I was charged twice",
//!  "questions":[{"name":"","type":"choice","instructions":"Which team?",
//!    "options":[{"key":"billing","description":"Invoices, refunds"},{"key":"support"}]}]}
//! ```
//!
//! `type` is `choice`, `yes_no` or `score`; the keys of yes and no are `yes` and `no`, those of a score's levels `0`,
//! `1`, …. Options stand in the order to show. The answer has one entry per question, in their order:
//!
//! ```json
//! {"answers":[{"label":"billing","probabilities":{"billing":0.9,"support":0.1},"confidence":0.8}],
//!  "model":"mine-3","usage":{"input_tokens":118,"output_tokens":4}}
//! ```
//!
//! An entry needs `label`, `probabilities` or, for yes and no, `p_yes`; the rest may be left out. The entry of a single
//! question may also be the line itself: `{"label":"billing"}`. In place of an entry, or of the whole line, stands an
//! error as in answer files: `{"error":{"kind":"refused","message":"…"}}`, for a reply that was cut off
//! `{"error":{"kind":"invalid_answer","truncated":true}}`. An error of the whole line that may pass
//! (`rate_limited`, `overloaded`, `connect`, `timeout`) is tried again, after `retry_after_ms` where that is given.
//!
//! A program in Python:
//!
//! ```python
//! import json, sys
//! for line in sys.stdin:
//!     request = json.loads(line)
//!     answers = [{"label": question["options"][0]["key"]} for question in request["questions"]]
//!     print(json.dumps({"answers": answers}), flush=True)
//! ```
//!
//! And one for the shell:
//!
//! ```sh
//! while IFS= read -r line; do
//!   case $line in
//!     *charged*) echo '{"label":"billing"}' ;;
//!     *) echo '{"label":"support"}' ;;
//!   esac
//! done
//! ```

mod answer;
mod process;
mod request;
mod service;
mod settings;

pub(crate) use settings::COMMAND;
