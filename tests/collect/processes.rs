//! Several processes and threads, and processes that are killed.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use decbench_core::collect::Mode;
use decbench_core::provider::Settings;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::support::system_one::{Act, Server};

/// What a child process is told, as `mode|folder|url|run|cases|settings`.
const CHILD: &str = "DECBENCH_TEST_CHILD";

/// How many calls a child makes at a time.
pub(crate) const CONCURRENCY: usize = 4;

#[test]
#[ignore = "is started by the other tests of this file"]
fn child() {
    let Ok(told) = std::env::var(CHILD) else {
        return;
    };
    let parts: Vec<&str> = told.splitn(6, '|').collect();
    let [mode, folder, url, run, cases, settings] = parts[..] else {
        panic!("six parts");
    };
    let cases = cases.parse().expect("a number");
    let mut bench = Bench::at(Path::new(folder), url, cases);
    bench.run = run.to_owned();
    bench.set("concurrency", json!(CONCURRENCY));
    let further: Settings = serde_json::from_str(settings).expect("settings");
    bench.settings.extend(further);
    bench.told_file = Some(Path::new(folder).join("told"));
    let mode = Mode::from_name(mode).expect("a mode");
    let collected = bench.collect(mode).expect("answers");
    assert_eq!(collected.answers.len(), cases);
}

pub(crate) fn start(mode: Mode, folder: &Path, server: &Server, run: &str, cases: usize) -> Child {
    start_with(mode, folder, server, run, cases, &json!({}))
}

/// Starts a child whose candidate has further settings.
pub(crate) fn start_with(
    mode: Mode,
    folder: &Path,
    server: &Server,
    run: &str,
    cases: usize,
    settings: &Value,
) -> Child {
    let told = format!(
        "{}|{}|{}|{run}|{cases}|{settings}",
        mode.name(),
        folder.display(),
        server.url()
    );
    Command::new(std::env::current_exe().expect("this test"))
        .args([
            "--exact",
            "processes::child",
            "--ignored",
            "--test-threads=1",
        ])
        .env_clear()
        .env(CHILD, told)
        .stdout(Stdio::null())
        .spawn()
        .expect("a process")
}

fn slow() -> Server {
    Server::behaving(|_| Act::After(Duration::from_millis(25), Box::new(Act::Answer)))
}

/// Kills the process once so many calls have arrived.
fn kill_after(calls: usize, server: &Server, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.calls() < calls {
        assert!(Instant::now() < deadline, "the calls never came");
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended by itself"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("a child that runs");
    child.wait().expect("a child that ended");
    // What it had sent may still be on its way to the server.
    let mut calls = 0;
    while calls < server.calls() {
        calls = server.calls();
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn states_asked_twice(server: &Server) -> usize {
    server
        .calls_by_state()
        .values()
        .filter(|calls| **calls > 1)
        .count()
}

#[test]
fn a_fill_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = slow();
    let mut child = start(Mode::Fill, folder.path(), &server, "run-1", 60);
    kill_after(20, &server, &mut child);
    let mut bench = Bench::new(folder.path(), &server, 60);
    let kept = bench.recordings();
    assert!(kept.len() >= 12, "{} answers were kept", kept.len());
    let asked = server.calls_by_state();
    // The kill may have come in the middle of a line.
    fs::OpenOptions::new()
        .append(true)
        .open(bench.recordings_path())
        .and_then(|mut file| file.write_all(b"{\"case\":\"c-59\",\"questi"))
        .expect("a torn tail");
    bench.run = "run-2".to_owned();
    let filled = bench.fill();
    assert_eq!(filled.answers.len(), 60);
    assert_eq!(bench.recordings().len(), 60);
    assert_eq!(filled.calls_made as usize, 60 - kept.len());
    let counts = server.calls_by_state();
    for answer in &kept {
        let state = format!("caller {} says something", &answer.case[2..]);
        assert_eq!(counts[&state], 1, "{} was bought twice", answer.case);
    }
    let in_flight = asked.len() - kept.len();
    assert!(in_flight <= 4, "{in_flight}");
    assert!(states_asked_twice(&server) <= in_flight);
    assert!(
        bench
            .recordings()
            .iter()
            .take(kept.len())
            .all(|answer| answer.outcome.is_ok())
    );
}

#[test]
fn a_live_run_that_was_killed_is_resumed_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = slow();
    let mut child = start(Mode::Live, folder.path(), &server, "run-1", 50);
    kill_after(24, &server, &mut child);
    let mut bench = Bench::new(folder.path(), &server, 50);
    let kept = bench.run_store().len();
    assert!(kept >= 16, "{kept} answers were kept");
    bench.run = "run-2".to_owned();
    let resumed = bench.live();
    assert_eq!(resumed.answers.len(), 50);
    assert_eq!(resumed.calls_made as usize, 50 - kept);
    assert!(states_asked_twice(&server) <= 4);
    let told = bench.told.lock().expect("no panic").join("\n");
    assert!(
        told.contains(&format!("was cut off: {kept} answers are kept")),
        "{told}"
    );
    assert!(
        resumed
            .notes
            .iter()
            .any(|note| note.contains("was cut off"))
    );
    bench.run = "run-3".to_owned();
    assert_eq!(
        bench.live().calls_made,
        50,
        "a run that came to its end is not resumed"
    );
}

#[test]
fn a_killed_process_of_the_same_run_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = slow();
    let mut child = start(Mode::Live, folder.path(), &server, "run-1", 40);
    kill_after(16, &server, &mut child);
    let bench = Bench::new(folder.path(), &server, 40);
    let kept = bench.run_store().len();
    assert_eq!(bench.live().calls_made as usize, 40 - kept);
}

fn two_cold_processes(mode: Mode) -> HashMap<String, usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let server = slow();
    let mut children = [(); 2].map(|()| start(mode, folder.path(), &server, "shared", 30));
    for child in &mut children {
        assert!(child.wait().expect("a child").success());
    }
    server.calls_by_state()
}

#[test]
fn two_cold_processes_buy_each_answer_once() {
    for mode in [Mode::Fill, Mode::Live] {
        let calls = two_cold_processes(mode);
        assert_eq!(calls.len(), 30);
        assert!(
            calls.values().all(|calls| *calls == 1),
            "{mode:?}: {calls:?}"
        );
    }
}

#[test]
fn threads_of_one_process_buy_each_answer_once_and_say_whom_they_wait_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = slow();
    let bench = Bench::new(folder.path(), &server, 20);
    let made: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| scope.spawn(|| bench.fill().calls_made))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .sum()
    });
    assert_eq!((made, server.calls()), (20, 20));
    let told = bench.told.lock().expect("no panic");
    assert!(
        told.iter().any(|text| text.contains("waits for")),
        "{told:?}"
    );
}
