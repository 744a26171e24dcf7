//! Calls a local service that takes 50 ms for each answer: seconds, processor time and memory of the caller.
//!
//! `cargo bench -p decbench --bench calls` for a release build; with `--profile dev` as users run their tests.
//! Server and caller are processes of their own, started by this one. With `PYTHON` naming an interpreter that has
//! `typesafe-sdk`, a plain `asyncio` loop over the vendor's own client is measured beside ours.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/collect/bench.rs"]
#[expect(dead_code, reason = "tests use the rest")]
mod bench;
#[path = "../tests/support/mod.rs"]
mod support;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::support::system_one::{Act, KEY, Server};

/// What a process started by this one is: `server` or `caller`.
const ROLE: &str = "DECBENCH_BENCH_ROLE";
/// What a caller is told, as `url|in flight|calls`.
const TOLD: &str = "DECBENCH_BENCH_TOLD";
const LATENCY: Duration = Duration::from_millis(50);

fn main() {
    match std::env::var(ROLE).as_deref() {
        Ok("server") => serve(),
        Ok("caller") => call(),
        _ => compare(),
    }
}

/// In flight, calls, and whether one in twenty is refused.
const LOADS: [(usize, usize, bool); 8] = [
    (1, 100, false),
    (10, 1000, false),
    (50, 2000, false),
    (500, 5000, false),
    (1, 100, true),
    (10, 1000, true),
    (50, 2000, true),
    (500, 5000, true),
];

fn compare() {
    println!("in flight  calls  429s      who  seconds  × ideal  CPU s  peak MB");
    let python = std::env::var("PYTHON").ok();
    for (in_flight, calls, refuses) in LOADS {
        let ideal = calls.div_ceil(in_flight) as f64 * LATENCY.as_secs_f64();
        let mut callers = vec![("decbench", ours())];
        if let Some(python) = &python {
            let mut command = Command::new(python);
            command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/calls.py"));
            callers.push(("asyncio", command));
        }
        for (who, mut command) in callers {
            let (mut server, url) = start_server(refuses);
            let output = command
                .env(TOLD, format!("{url}|{in_flight}|{calls}"))
                .env("TYPESAFE_API_KEY", KEY)
                .stderr(Stdio::inherit())
                .output()
                .expect("a caller");
            server.kill().expect("a server");
            server.wait().expect("a server that ended");
            let figures: Value = serde_json::from_slice(&output.stdout).expect("figures");
            let figure = |name: &str| figures[name].as_f64().expect("a number");
            println!(
                "{in_flight:>9}  {calls:>5}  {:>4}  {who:>8}  {:>7.2}  {:>7.2}  {:>5.2}  {:>7.0}{}",
                if refuses { "1/20" } else { "-" },
                figure("seconds"),
                figure("seconds") / ideal,
                figure("cpu"),
                figure("peak_mb"),
                match figure("failed") {
                    0.0 => String::new(),
                    failed => format!("  {failed} failed"),
                }
            );
        }
    }
}

fn ours() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this bench"));
    command.env(ROLE, "caller");
    command
}

fn start_server(refuses: bool) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().expect("this bench"))
        .env(ROLE, "server")
        .env("REFUSES", if refuses { "1" } else { "" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut url = String::new();
    BufReader::new(child.stdout.as_mut().expect("it is piped"))
        .read_line(&mut url)
        .expect("an address");
    (child, url.trim().to_owned())
}

fn serve() {
    let refuses = std::env::var("REFUSES").is_ok_and(|text| !text.is_empty());
    let count = AtomicUsize::new(0);
    let server = Server::behaving(move |_| {
        if refuses && count.fetch_add(1, Ordering::SeqCst) % 20 == 7 {
            return Act::Reply(429, vec![], String::new());
        }
        Act::After(LATENCY, Box::new(Act::Answer))
    });
    println!("{}", server.url());
    // Until whoever started it goes.
    let _ = std::io::stdin().read(&mut [0]);
}

fn call() {
    let told = std::env::var(TOLD).expect("it is told");
    let parts: Vec<&str> = told.split('|').collect();
    let [url, in_flight, calls] = parts[..] else {
        panic!("three parts");
    };
    let in_flight: usize = in_flight.parse().expect("a number");
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = Bench::at(folder.path(), url, calls.parse().expect("a number"));
    bench.set("concurrency", json!(in_flight));
    bench.set("price", json!({"input_per_million": 0.042}));
    let begun = Instant::now();
    let collected = bench.fill();
    let seconds = begun.elapsed().as_secs_f64();
    let failed = collected
        .answers
        .iter()
        .filter(|answer| answer.outcome.is_err())
        .count()
        + collected.misses.len();
    println!(
        "{}",
        json!({"seconds": seconds, "cpu": cpu_seconds(), "peak_mb": peak_mb(), "failed": failed})
    );
}

/// Processor time of this process, where the system tells it as Linux does; else 0.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold blanks; ticks are hundredths.
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

/// The most memory this process has had, in MB; 0 where the system does not tell.
fn peak_mb() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or_default() * 1.024e-3
}
