//! Files that were damaged, edited or written by another version, and clocks that jump.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use decbench_core::collect::{Collected, MissReason};
use decbench_core::provider::Clock;

use crate::bench::{Bench, outcomes};
use crate::support::system_one::Server;

/// Fills, lets `damage` change the lines of the file, and replays.
fn replayed(cases: usize, damage: impl Fn(&mut Vec<String>)) -> (tempfile::TempDir, Collected) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, cases);
    bench.fill();
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    damage(&mut lines);
    fs::write(bench.recordings_path(), lines.join("\n") + "\n").expect("a file");
    let replayed = bench.replay();
    assert_eq!(server.calls(), cases);
    (folder, replayed)
}

#[test]
fn a_line_edited_by_hand_counts_as_it_stands_and_a_broken_one_is_told_with_its_place() {
    let (folder, replayed) = replayed(4, |lines| {
        lines[0] = lines[0].replace("\"label\":\"billing\"", "\"label\":\"sales\"");
        lines[2] = lines[2].replace("\"label\":", "\"label\" ");
    });
    assert_eq!(
        outcomes(&replayed.answers),
        [("c-0", "sales"), ("c-1", "billing"), ("c-3", "billing")]
    );
    assert_eq!(replayed.misses.len(), 1);
    let told = replayed.bad_lines[0].to_string();
    let place = folder.path().join("answers/routing/jev.jsonl:3: ");
    assert!(told.starts_with(&place.display().to_string()), "{told}");
    assert!(
        told.contains("expected `:`") && told.contains("column"),
        "{told}"
    );
}

#[test]
fn bytes_that_are_no_text_cost_their_line_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, 5);
    bench.fill();
    let mut bytes = fs::read(bench.recordings_path()).expect("a file");
    let second = bytes.iter().position(|byte| *byte == b'\n').expect("lines") + 10;
    bytes[second] = 0xff;
    bytes[second + 1] = 0;
    fs::write(bench.recordings_path(), &bytes).expect("a file");
    let replayed = bench.replay();
    assert_eq!((replayed.answers.len(), replayed.misses.len()), (4, 1));
    assert_eq!(replayed.bad_lines[0].line, 2);
    assert_eq!(bench.fill().calls_made, 1, "only that one is asked again");
}

#[test]
fn a_file_cut_off_anywhere_gives_all_its_whole_lines_and_a_fill_completes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, 6);
    bench.fill();
    let whole = fs::read(bench.recordings_path()).expect("a file");
    for cut in (0..whole.len()).step_by(97) {
        fs::write(bench.recordings_path(), &whole[..cut]).expect("a file");
        let lines = String::from_utf8_lossy(&whole[..cut]).matches('\n').count();
        let replayed = bench.replay();
        // A line that lacks nothing but its line feed is whole, and any other part of one is told.
        assert!(replayed.answers.len() - lines <= 1, "cut at {cut}");
        let in_a_line = cut > 0 && whole[cut - 1] != b'\n';
        let torn = usize::from(in_a_line && replayed.answers.len() == lines);
        let told: Vec<usize> = replayed.bad_lines.iter().map(|bad| bad.line).collect();
        assert_eq!(told, vec![lines + 1; torn], "cut at {cut}");
    }
    fs::write(bench.recordings_path(), &whole[..whole.len() / 2]).expect("a file");
    let asked = server.calls();
    let filled = bench.fill();
    assert_eq!(filled.answers.len(), 6);
    assert_eq!(server.calls() - asked, filled.calls_made as usize);
    assert!(filled.calls_made <= 4);
    assert_eq!(bench.recordings().len(), 6);
}

#[test]
fn lines_of_an_older_version_answer_and_are_kept_as_they_are() {
    let (folder, replayed) = replayed(3, |lines| {
        for line in lines {
            let mut fields: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let fields = fields.as_object_mut().expect("a map");
            // An older version knew neither how a call went nor how often, and the only order by no list.
            for unknown in ["latency_ms", "connect_ms", "cold", "attempts", "cost_usd"] {
                fields.remove(unknown);
            }
            fields["probe"] = serde_json::json!({"repeat": 0});
            fields.insert("reviewed_by".to_owned(), "somebody".into());
            *line = serde_json::to_string(fields).expect("JSON");
        }
    });
    assert_eq!(replayed.answers.len(), 3, "an upgrade buys nothing again");
    assert_eq!(replayed.bad_lines, []);
    assert!(replayed.answers[0].measured.latency_ms.is_none());
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 4);
    bench.run = "run-2".to_owned();
    assert_eq!(bench.fill().calls_made, 1, "the new case");
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    assert_eq!(text.matches("\"reviewed_by\":\"somebody\"").count(), 3);
}

#[test]
fn a_line_that_does_not_say_what_was_asked_is_no_answer_and_says_why() {
    let (_, replayed) = replayed(2, |lines| {
        lines[0] = r#"{"case":"c-0","label":"billing"}"#.to_owned();
    });
    assert_eq!(replayed.misses.len(), 1);
    assert!(matches!(replayed.misses[0].reason, MissReason::Differs(_)));
    let told = replayed.misses[0].to_string();
    assert!(told.contains("it does not say what was asked"), "{told}");
}

#[test]
fn two_answers_to_one_request_are_told_and_the_first_counts() {
    let (folder, replayed) = replayed(3, |lines| {
        let other = lines[1].replace("\"label\":\"billing\"", "\"label\":\"sales\"");
        let same = lines[2].replace("\"latency_ms\":", "\"later\":1,\"latency_ms\":");
        // As the union of two branches' files has it.
        lines.extend([other, same]);
    });
    assert_eq!(
        outcomes(&replayed.answers),
        [("c-0", "billing"), ("c-1", "billing"), ("c-2", "billing")]
    );
    let told: Vec<String> = replayed.bad_lines.iter().map(ToString::to_string).collect();
    let place = folder.path().join("answers/routing/jev.jsonl:4: ");
    let what = "two answers to one request, and the first, of line 2, counts";
    assert_eq!(told, [format!("{}{what}", place.display())]);
}

#[test]
fn a_call_that_took_less_than_nothing_is_told_with_its_place() {
    let (_, replayed) = replayed(3, |lines| {
        let at = lines[1].find("\"latency_ms\":").expect("a latency") + 13;
        lines[1].insert(at, '-');
    });
    assert_eq!((replayed.answers.len(), replayed.misses.len()), (2, 1));
    let told = replayed.bad_lines[0].to_string();
    assert!(told.contains("jev.jsonl:2: `latency_ms` is -"), "{told}");
}

#[test]
fn a_ledger_that_was_damaged_still_counts_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 3);
    bench.budget_usd = Some(0.01);
    let run = folder.path().join("out/runs/run-1");
    fs::create_dir_all(&run).expect("a folder");
    let ledger =
        "\u{fffd}\n{\"settle\":\"x\",\"usd\":0.01}\n{\"reserve\":7}\n[1]\n{\"usd\":1}\n{\"reser";
    fs::write(run.join("spending.jsonl"), ledger).expect("a file");
    let stopped = bench.fill();
    assert_eq!(server.calls(), 0, "the budget was used up before");
    assert!(stopped.misses[0].to_string().contains("budget of $0.01"));
}

#[test]
fn clocks_that_jump_change_nothing_but_the_times_written_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 30);
    let calls = AtomicU64::new(0);
    bench.deadline = Some(Duration::from_secs(30));
    bench.clock = Clock::new(move || {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        // Years ahead, back at the beginning of time, and ahead of every calendar.
        match call % 3 {
            0 => UNIX_EPOCH + Duration::from_secs(4_000_000_000),
            1 => UNIX_EPOCH,
            _ => UNIX_EPOCH + Duration::from_secs(1_000_000_000_000),
        }
    });
    let filled = bench.fill();
    assert_eq!((filled.answers.len(), filled.misses.len()), (30, 0));
    assert_eq!(bench.recordings().len(), 30);
    assert_eq!(bench.replay().answers, filled.answers);
    bench.run = "run-2".to_owned();
    assert_eq!(bench.live().calls_made, 30);
    assert_eq!(server.calls(), 60);
}
