//! A stand-in for a model: a small server on this machine that speaks System One.
//!
//! ```sh
//! cargo run -p voice-agent --example stand-in
//! ```
//!
//! It knows two models, `stand-in-small` and `stand-in-large`, both of them lists of cues (see `cues.rs`) that are
//! read with the weaknesses that language models have (see `model.rs`). The recordings under `tests/suites/answers`
//! were made by asking it, as one asks a service.

mod cues;
mod model;

use std::io::{BufRead, BufReader, Error, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

/// Where it listens; the suites name the same address.
const ADDRESS: &str = "127.0.0.1:8643";
/// The longest request that is read.
const LONGEST: usize = 1 << 20;

/// Counts calls: the same request is answered a little differently each time.
static CALLS: AtomicU64 = AtomicU64::new(0);

fn main() -> Result<(), Error> {
    let listener = TcpListener::bind(ADDRESS)?;
    writeln!(std::io::stderr(), "listening on http://{ADDRESS}")?;
    for stream in listener.incoming() {
        let stream = stream?;
        std::thread::spawn(move || {
            // A client that goes away is no reason to stop.
            let _ = serve(&stream);
        });
    }
    Ok(())
}

/// Answers the requests of one connection until it is closed.
fn serve(stream: &TcpStream) -> Result<(), Error> {
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    // Without this the last bytes of an answer may wait for the client's acknowledgement.
    stream.set_nodelay(true)?;
    while let Some(body) = request(&mut reader)? {
        let (status, reply) = match serde_json::from_slice::<Value>(&body) {
            Ok(body) => answer(&body),
            Err(error) => ("400 Bad Request", json!({ "detail": error.to_string() })),
        };
        let reply = reply.to_string();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        writer.write_all(format!("{head}{reply}").as_bytes())?;
    }
    Ok(())
}

/// The body of the next request; `None` where the connection has ended.
fn request(reader: &mut impl BufRead) -> Result<Option<Vec<u8>>, Error> {
    let mut length = 0;
    let mut line = String::new();
    let mut any = false;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            if any {
                break;
            }
            continue;
        }
        any = true;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(Error::other)?;
        }
    }
    if length > LONGEST {
        return Err(Error::other("the request is too long"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(body))
}

/// The reply to a request, after as long as the model takes.
fn answer(body: &Value) -> (&'static str, Value) {
    let name = body["model"].as_str().unwrap_or_default();
    let Some(model) = model::named(name) else {
        return (
            "404 Not Found",
            json!({ "detail": format!("no model `{name}`") }),
        );
    };
    let state = match &body["state"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    std::thread::sleep(model.time(&state, call));
    let questions = body["questions"].as_object().into_iter().flatten();
    let answers: serde_json::Map<String, Value> = questions
        .map(|(name, question)| (name.clone(), model.answer(question, &state, call)))
        .collect();
    let words = body.to_string().split_whitespace().count();
    let usage = json!({ "input_tokens": words * 4 / 3, "output_tokens": 4 * answers.len() });
    (
        "200 OK",
        json!({ "model": name, "answers": answers, "usage": usage }),
    )
}
