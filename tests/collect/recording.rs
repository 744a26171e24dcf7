//! Filling, replaying and what stands in the files.

use std::fs;
use std::time::Duration;

use decbench_core::collect::{CollectError, Collected, Mode, answer_lines};
use decbench_core::decision::{Answer, AnswerOption, Question, QuestionKind, State};
use serde_json::json;

use crate::bench::{Bench, outcomes};
use crate::support::system_one::{Act, KEY, Server};

#[test]
fn what_was_filled_replays_without_key_network_or_writing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 12);
    let filled = bench.fill();
    assert_eq!((filled.calls_made, server.calls()), (12, 12));
    assert_eq!(filled.misses, []);
    assert!(filled.spent_usd > 0.0);
    let before = bench.files();
    bench.key = None;
    bench.budget_usd = None;
    drop(server);
    let replayed = bench.replay();
    assert_eq!(replayed.answers, filled.answers);
    assert_eq!(replayed.calls_made, 0);
    bench.run = "run-2".to_owned();
    let again = bench.fill();
    assert_eq!(
        again.answers, filled.answers,
        "a full fill needs neither key nor budget"
    );
    let mut after = bench.files();
    let (mut before, names) = (before, |files: &mut Vec<_>| files.sort());
    names(&mut before);
    names(&mut after);
    assert_eq!(before, after, "neither writes anything");
}

#[test]
fn recordings_are_whole_sorted_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 11);
    bench.ask(&[(0, 0), (1, 0), (0, 1)]);
    bench.fill();
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    let recorded = bench.recordings();
    assert_eq!(answer_lines(&recorded), text);
    let order: Vec<_> = recorded
        .iter()
        .map(|answer| {
            let number: u32 = answer.case[2..].parse().expect("a number");
            (number, answer.probe.order.clone(), answer.probe.repeat)
        })
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(order.len(), 33);
    let first = &recorded[0];
    assert_eq!(first.measured.model.as_deref(), Some("jev-1.13.0"));
    assert_eq!(first.measured.attempts, Some(1));
    assert!(first.measured.latency_ms.is_some_and(|ms| ms > 0.0));
    assert!(first.measured.cost_usd.is_some_and(|usd| usd > 0.0));
    assert!(
        first
            .measured
            .at
            .as_deref()
            .is_some_and(|at| at.ends_with('Z'))
    );
    assert!(first.request.is_some());
}

#[test]
fn options_go_out_in_the_order_shown_and_integers_are_no_exception() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 1);
    bench.questions[0].options = ["20", "3", "100"].map(AnswerOption::new).to_vec();
    bench.ask(&[(0, 0), (0, 1)]);
    let collected = bench.fill();
    let mut sent: Vec<String> = server
        .seen()
        .into_iter()
        .map(|seen| {
            let at = seen.text.find("criteria").expect("criteria");
            seen.text[at..].to_owned()
        })
        .collect();
    sent.sort();
    assert!(
        sent[0].starts_with(r#"criteria":{"100":null,"3":null,"20":null}"#),
        "{sent:?}"
    );
    assert!(
        sent[1].starts_with(r#"criteria":{"20":null,"3":null,"100":null}"#),
        "{sent:?}"
    );
    assert_eq!(
        outcomes(&collected.answers),
        [("c-0", "20"), ("c-0", "100")]
    );
}

#[test]
fn all_questions_of_a_state_go_in_one_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 2);
    let question = |name: &str, kind, options: Vec<AnswerOption>| Question {
        name: name.to_owned(),
        kind,
        version: None,
        instructions: format!("What about {name}?"),
        options,
    };
    bench.questions = vec![
        question(
            "queue",
            QuestionKind::Choice,
            vec![AnswerOption::new("a"), AnswerOption::new("b")],
        ),
        question(
            "urgent",
            QuestionKind::YesNo,
            vec![
                AnswerOption::new("yes").described("now"),
                AnswerOption::new("no"),
            ],
        ),
        question(
            "mood",
            QuestionKind::Score,
            ["calm", "cross", "furious"]
                .iter()
                .zip(0..)
                .map(|(text, level)| AnswerOption::new(level.to_string()).described(*text))
                .collect(),
        ),
    ];
    bench.cases[1].state = Some(State::Json(json!({"text": "second", "tier": 2})));
    bench.ask(&[(0, 0), (0, 1)]);
    let collected = bench.fill();
    assert_eq!((server.calls(), collected.answers.len()), (4, 12));
    let first = server
        .seen()
        .into_iter()
        .find(|seen| seen.body["questions"]["mood"]["criteria"][0] == "calm")
        .expect("the suite's order");
    assert_eq!(
        first.body["questions"]["urgent"]["criteria"],
        json!({"true": "now"})
    );
    assert_eq!(first.headers["authorization"], format!("Bearer {KEY}"));
    let mood = |repeat_order: usize| {
        let answer = collected
            .answers
            .iter()
            .filter(|answer| answer.case == "c-0" && answer.question == "mood")
            .nth(repeat_order)
            .expect("two orders");
        let decided = answer.outcome.as_ref().expect("an answer");
        decided.probabilities.clone().expect("a distribution")
    };
    let (plain, reversed) = (mood(0), mood(1));
    assert_eq!(plain[0].0, "0");
    // The server prefers what is shown first; shown first in reverse is the last level.
    assert_eq!(plain[0].1, reversed[2].1);
    assert_eq!(plain[1].1, reversed[1].1);
    let urgent = collected.answers[1].outcome.as_ref().expect("an answer");
    let sum: f64 = urgent.probabilities.iter().flatten().map(|(_, p)| p).sum();
    assert_eq!(sum, 1.0);
}

#[test]
fn a_changed_question_is_asked_again_and_the_old_answer_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 3);
    bench.fill();
    bench.questions[0].version = Some(2);
    let replayed = bench.replay();
    assert_eq!(replayed.misses.len(), 3);
    assert!(
        replayed.misses[0]
            .to_string()
            .contains("differs in the question")
    );
    assert_eq!(bench.fill().calls_made, 3);
    assert_eq!(bench.recordings().len(), 6);
    bench.questions[0].version = None;
    assert_eq!(bench.replay().misses, [], "an upgrade back buys nothing");
}

#[test]
fn calls_are_bounded_and_side_by_side() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| Act::After(Duration::from_millis(30), Box::new(Act::Answer)));
    let mut bench = Bench::new(folder.path(), &server, 24);
    bench.set("concurrency", json!(6));
    let collected = bench.fill();
    assert_eq!(collected.answers.len(), 24);
    assert_eq!(server.most_in_flight(), 6);
    let cold = collected
        .answers
        .iter()
        .filter(|answer| answer.measured.cold == Some(true))
        .count();
    assert!((1..=6).contains(&cold), "{cold} connections were opened");
    assert!(collected.answers.iter().all(|answer| {
        let (latency, connect) = (answer.measured.latency_ms, answer.measured.connect_ms);
        latency.is_some_and(|ms| ms >= 30.0) && connect.is_some()
    }));
}

#[test]
fn the_first_call_on_a_connection_is_cold_and_the_next_are_warm() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| Act::After(Duration::from_millis(5), Box::new(Act::Answer)));
    let mut bench = Bench::new(folder.path(), &server, 5);
    bench.set("concurrency", json!(1));
    bench.fill();
    let mut recorded = bench.recordings();
    recorded.sort_by_key(|answer| answer.measured.cold != Some(true));
    let told: Vec<_> = recorded.iter().map(|one| one.measured.cold).collect();
    assert_eq!(told[0], Some(true));
    assert_eq!(told[1..], [Some(false); 4]);
    let opening = |answer: &Answer| answer.measured.connect_ms.expect("a time");
    assert!(opening(&recorded[0]) > 0.0);
    assert!(recorded[1..].iter().all(|answer| opening(answer) == 0.0));
}

#[test]
fn a_slow_call_is_waited_for_and_never_made_a_second_time_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    // One call of ten takes forty times as long as the others, and there is room for more.
    let server = Server::behaving(|seen| {
        let slow = seen.state().contains("caller 3 ");
        let wait = Duration::from_millis(if slow { 400 } else { 10 });
        Act::After(wait, Box::new(Act::Answer))
    });
    let bench = Bench::new(folder.path(), &server, 10);
    let filled = bench.fill();
    assert_eq!((filled.calls_made, server.calls()), (10, 10));
}

#[test]
fn a_rate_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 11);
    bench.set("rate", json!({"requests": "50/s"}));
    let begun = std::time::Instant::now();
    bench.fill();
    assert!(
        begun.elapsed() >= Duration::from_millis(199),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn live_asks_everything_and_leaves_recordings_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 4);
    bench.fill();
    let recorded = fs::read(bench.recordings_path()).expect("a file");
    bench.run = "run-2".to_owned();
    let first = bench.live();
    assert_eq!((first.calls_made, server.calls()), (4, 8));
    let again = bench.live();
    assert_eq!(again.calls_made, 0, "a retry of the run re-reads");
    assert_eq!(again.answers, first.answers);
    bench.run = "run-3".to_owned();
    assert_eq!(bench.live().calls_made, 4, "the next run asks anew");
    assert_eq!(fs::read(bench.recordings_path()).expect("a file"), recorded);
}

#[test]
fn a_torn_tail_is_cut_and_bad_lines_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, 3);
    bench.fill();
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    let lines: Vec<&str> = text.lines().collect();
    let torn = format!("{}\n=======\n{}\n{}", lines[0], lines[1], &lines[2][..40]);
    fs::write(bench.recordings_path(), &torn).expect("a file");
    let replayed = bench.replay();
    assert_eq!((replayed.answers.len(), replayed.misses.len()), (2, 1));
    let torn_at = format!("{}:4: cut off", bench.recordings_path().display());
    let told = |collected: &Collected| -> Vec<String> {
        collected
            .bad_lines
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    let bad = told(&replayed);
    assert_eq!(bad.len(), 2, "{bad:?}");
    assert_eq!(replayed.bad_lines[0].line, 2);
    assert!(bad[1].starts_with(&torn_at), "{bad:?}");
    let filled = bench.fill();
    assert_eq!((filled.calls_made, told(&filled)), (1, bad));
    assert_eq!(bench.replay().bad_lines.len(), 1, "the torn tail is gone");
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.ends_with("=======\n"),
        "what does not read is not lost: {text}"
    );
}

#[test]
fn nothing_is_asked_that_could_not_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, 3);
    // Files in the place of folders: not even an administrator can write below them.
    for (place, mode) in [
        ("answers", Mode::Fill),
        ("out", Mode::Fill),
        ("out", Mode::Live),
    ] {
        let path = folder.path().join(place);
        let _ = fs::remove_dir_all(&path);
        fs::write(&path, "").expect("a file");
        let error = bench.collect(mode).expect_err("nowhere to keep answers");
        assert!(
            matches!(
                error,
                CollectError::NotKept { .. } | CollectError::Read { .. }
            ),
            "{error:?}"
        );
        assert_eq!(server.calls(), 0);
        fs::remove_file(&path).expect("a file");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_found_out_before_the_first_call() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let bench = Bench::new(folder.path(), &server, 3);
    let answers = folder.path().join("answers");
    fs::create_dir(&answers).expect("a folder");
    fs::set_permissions(&answers, fs::Permissions::from_mode(0o555)).expect("permissions");
    let writable = fs::write(answers.join("probe"), "").is_ok();
    let result = bench.collect(Mode::Fill);
    fs::set_permissions(&answers, fs::Permissions::from_mode(0o755)).expect("permissions");
    if writable {
        // An administrator may write everywhere; then there is nothing to refuse.
        assert!(result.is_ok());
    } else {
        let error = result.expect_err("a folder that is read-only");
        assert!(matches!(error, CollectError::NotKept { .. }), "{error:?}");
        assert_eq!(server.calls(), 0);
    }
}

#[test]
fn a_call_recorded_in_part_is_asked_whole_and_what_was_there_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::answering();
    let mut bench = Bench::new(folder.path(), &server, 2);
    let mut second = bench.questions[0].clone();
    bench.questions[0].name = "queue".to_owned();
    second.name = "next".to_owned();
    bench.questions.push(second);
    bench.ask(&[(0, 0)]);
    bench.fill();
    let text = fs::read_to_string(bench.recordings_path()).expect("a file");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4);
    // A person takes one answer out and corrects the other.
    let removed = lines.remove(0);
    assert!(removed.contains(r#""question":"next""#), "{removed}");
    lines[0] = lines[0].replace(r#""label":"billing""#, r#""label":"sales""#);
    fs::write(bench.recordings_path(), lines.join("\n")).expect("a file");
    let filled = bench.fill();
    assert_eq!((filled.calls_made, server.calls()), (1, 3));
    assert_eq!(
        outcomes(&filled.answers),
        [
            ("c-0", "sales"),
            ("c-0", "billing"),
            ("c-1", "billing"),
            ("c-1", "billing")
        ]
    );
    assert_eq!(bench.recordings().len(), 4, "nothing is there twice");
}

#[test]
fn a_fill_that_brought_nothing_leaves_no_file_to_review() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::behaving(|_| Act::Reply(404, vec![], String::new()));
    let bench = Bench::new(folder.path(), &server, 2);
    bench.fill();
    assert!(!bench.recordings_path().exists());
}
