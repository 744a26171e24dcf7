//! A service on this machine that counts what it is asked.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// It answers `yes` to a state with an even number in it, and `no` to others.
pub(crate) struct Service {
    port: u16,
    asked: Arc<AtomicUsize>,
}

impl Service {
    /// A service that takes so long for an answer.
    pub(crate) fn start(delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let count = Arc::clone(&count);
                std::thread::spawn(move || serve(&stream, &count, delay));
            }
        });
        Self { port, asked }
    }

    /// How many requests have come in.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// A suite of so many cases that this service answers, in a package without Rust code of its own.
    pub(crate) fn suite(&self, assertions: &str) -> String {
        format!(
            "question: {{ type: yes_no, instructions: Is it even? }}
cases: even.cases.jsonl
candidates:
  far: {{ provider: http, url: \"http://127.0.0.1:{}/\", model: far-1.0.0, auth: none, concurrency: 2, price: {{ input_per_million: 1, output_per_million: 1 }}, body: {{ text: \"{{{{state}}}}\" }}, reply: {{ label: /label, p_yes: /p_yes, usage: /usage }} }}
assert:
{assertions}
scorecard: off
",
            self.port
        )
    }
}

/// Cases of the numbers from 0 on, all of them with gold.
pub(crate) fn cases(count: usize) -> String {
    let mut lines = String::new();
    for at in 0..count {
        let gold = if at % 2 == 0 { "yes" } else { "no" };
        let _ = writeln!(
            lines,
            "{{\"id\":\"c-{at:03}\",\"state\":\"number {at}\",\"gold\":\"{gold}\"}}"
        );
    }
    lines
}

fn serve(mut stream: &TcpStream, count: &AtomicUsize, delay: Duration) {
    let mut reader = BufReader::new(stream);
    while let Some(body) = request(&mut reader) {
        count.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(delay);
        let number: usize = body
            .chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
            .parse()
            .unwrap_or(1);
        let (label, yes) = if number.is_multiple_of(2) {
            ("yes", 0.9)
        } else {
            ("no", 0.2)
        };
        let reply = format!(
            "{{\"label\":\"{label}\",\"p_yes\":{yes},\"usage\":{{\"input_tokens\":20,\"output_tokens\":2}}}}"
        );
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            reply.len()
        );
        if stream.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

/// The body of the next request; none where the connection has ended.
fn request(reader: &mut BufReader<&TcpStream>) -> Option<String> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}
