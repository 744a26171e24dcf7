//! `command`: real programs that answer, die, hang, chatter and leak.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use decbench_core::decision::Answer;
use serde_json::json;

use crate::bench::{Bench, outcomes};

/// Reads a line, sets `n` to the number of its caller, and does what the body says.
const LOOP: &str = "while IFS= read -r line; do\n  n=${line#*caller }; n=${n%% *}\n  BODY\ndone\n";

/// So many cases, answered by a shell script in the suite's folder.
fn bench(folder: &Path, body: &str, cases: usize) -> Bench {
    fs::write(folder.join("answer.sh"), LOOP.replace("BODY", body)).expect("a script");
    let mut bench = Bench::at(folder, "unused", cases);
    bench.provider = "command";
    bench.settings.shift_remove("base_url");
    bench.settings.shift_remove("model");
    bench.set("command", json!(["sh", "answer.sh"]));
    bench.set("retries", json!(0));
    bench
}

fn message(answer: &Answer) -> &str {
    let failure = answer.outcome.as_ref().err();
    failure.map_or("", |failure| failure.message.as_str())
}

/// The process ids that scripts give as their model.
fn processes(answers: &[Answer]) -> BTreeSet<&str> {
    answers
        .iter()
        .filter_map(|answer| answer.measured.model.as_deref())
        .collect()
}

#[test]
fn one_program_answers_call_after_call_and_its_answers_are_replayed_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"printf '{"answers":[{"label":"support","probabilities":{"billing":0.1,"support":0.8,"sales":0.1}}],"model":"%s","usage":{"input_tokens":12,"output_tokens":3}}\n' $$"#;
    let bench = bench(folder.path(), script, 12);
    let collected = bench.fill();
    assert!(
        outcomes(&collected.answers)
            .iter()
            .all(|(_, label)| *label == "support")
    );
    assert_eq!(processes(&collected.answers).len(), 1, "it is kept alive");
    let cold = collected
        .answers
        .iter()
        .filter(|answer| answer.measured.cold == Some(true));
    assert_eq!(cold.count(), 0, "it was started before the first call");
    assert_eq!(collected.answers[0].measured.input_tokens, Some(12));
    assert!(collected.answers[0].measured.latency_ms.is_some());
    fs::remove_file(folder.path().join("answer.sh")).expect("it was there");
    assert_eq!(bench.replay().answers, collected.answers);
}

#[test]
fn the_request_says_everything_but_the_cases_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"printf '%s\n' "$line" > seen.txt; echo '{"label":"billing"}'"#;
    let bench = bench(folder.path(), script, 1);
    assert!(bench.fill().answers[0].outcome.is_ok());
    let seen =
        fs::read_to_string(folder.path().join("seen.txt")).expect("it runs in the suite's folder");
    assert_eq!(
        seen.trim(),
        concat!(
            r#"{"id":1,"state":"caller 0 says something","questions":[{"name":"","type":"choice","#,
            r#""instructions":"Which team?","options":[{"key":"billing"},{"key":"support"},{"key":"sales"}]}]}"#
        )
    );
}

#[test]
fn a_program_that_dies_is_started_again_and_its_last_words_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"if [ $n = 2 ]; then echo "no such model: x" >&2; exit 3; fi; printf '{"label":"billing","model":"%s"}\n' $$"#;
    let mut bench = bench(folder.path(), script, 5);
    bench.set("retries", json!(1));
    let collected = bench.fill();
    let labels: Vec<&str> = outcomes(&collected.answers)
        .iter()
        .map(|(_, label)| *label)
        .collect();
    assert_eq!(
        labels,
        ["billing", "billing", "connect", "billing", "billing"]
    );
    let told = message(&collected.answers[2]);
    assert!(
        told.contains("exit status: 3") && told.contains("no such model: x"),
        "{told}"
    );
    assert_eq!(
        collected.answers[2].measured.attempts,
        Some(2),
        "it is tried again"
    );
    let cold = collected.answers[2].measured.cold;
    assert_eq!(
        cold,
        Some(true),
        "the second time by a program started anew"
    );
    assert_eq!(bench.recordings().len(), 4, "nobody answered that call");
}

#[test]
fn a_timeout_ends_the_program_that_hangs_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    // Both are at work at once: one hangs at the first case, the other goes on.
    let script = r#"if [ $n = 0 ]; then echo $$ > hung.txt; echo "thinking" >&2; exec sleep 30; fi; sleep 0.1; printf '{"label":"billing","model":"%s"}\n' $$"#;
    let mut bench = bench(folder.path(), script, 9);
    bench.set("processes", json!(2));
    bench.set("concurrency", json!(2));
    bench.set("timeout", json!("500ms"));
    let begun = Instant::now();
    let collected = bench.fill();
    assert!(begun.elapsed() < Duration::from_secs(10));
    let kinds: Vec<&str> = outcomes(&collected.answers)
        .iter()
        .map(|(_, label)| *label)
        .collect();
    assert_eq!(kinds[0], "timeout");
    assert!(
        kinds[1..].iter().all(|label| *label == "billing"),
        "{kinds:?}"
    );
    assert!(message(&collected.answers[0]).contains("thinking"));
    let hung = fs::read_to_string(folder.path().join("hung.txt")).expect("it hung");
    let hung = hung.trim();
    assert!(!processes(&collected.answers).contains(hung));
    assert!(!is_running(hung), "it is ended");
    let first = collected.answers[1].measured.model.as_deref();
    let same = collected.answers[1..5]
        .iter()
        .filter(|answer| answer.measured.model.as_deref() == first);
    assert!(same.count() >= 3, "the other one went on");
}

fn is_running(process: &str) -> bool {
    Command::new("kill")
        .args(["-0", process])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[test]
fn what_a_program_says_becomes_what_it_means() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"case $n in
    0) echo '{"error":{"kind":"refused","message":"not about this"}}' ;;
    1) if [ -e asked ]; then echo '{"label":"sales"}'; else touch asked; echo '{"error":{"kind":"rate_limited","retry_after_ms":5}}'; fi ;;
    2) if [ -e busy ]; then echo '{"label":"sales"}'; else touch busy; echo '{"error":"overloaded"}'; fi ;;
    3) echo '{"answers":[{"error":{"kind":"invalid_answer","message":"too long","truncated":true}}]}' ;;
    4) echo '{"label":"marketing"}' ;;
    5) echo 'loading weights' ;;
    6) echo '{"answers":[' ;;
    7) echo '{"label":"billing","probabilities":{"billing":2}}' ;;
    *) echo '{"label":"billing"}' ;;
  esac"#;
    let mut bench = bench(folder.path(), script, 9);
    bench.set("retries", json!(1));
    let collected = bench.fill();
    let kinds: Vec<&str> = outcomes(&collected.answers)
        .iter()
        .map(|(_, label)| *label)
        .collect();
    let invalid = "invalid_answer";
    assert_eq!(
        kinds,
        [
            "refused", "sales", "sales", invalid, invalid, invalid, invalid, "billing", "billing"
        ]
    );
    let attempts = |at: usize| collected.answers[at].measured.attempts;
    assert_eq!(
        [attempts(0), attempts(1), attempts(2)],
        [Some(1), Some(2), Some(2)]
    );
    let truncated: Vec<bool> = collected
        .answers
        .iter()
        .map(|answer| {
            answer
                .outcome
                .as_ref()
                .is_err_and(|failure| failure.truncated)
        })
        .collect();
    assert_eq!(truncated.iter().filter(|truncated| **truncated).count(), 1);
    assert!(truncated[3] && message(&collected.answers[3]).contains("too long"));
    assert!(message(&collected.answers[4]).contains("marketing"));
    assert!(message(&collected.answers[5]).contains("loading weights"));
    assert_eq!(bench.recordings().len(), 9, "all of these are the model's");
}

#[test]
fn a_program_that_cannot_start_is_told_before_anything_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = bench(folder.path(), "", 2);
    bench.set("command", json!(["./no-such-program"]));
    let error = bench
        .collect(decbench_core::collect::Mode::Fill)
        .expect_err("there is none");
    assert!(
        error
            .to_string()
            .contains("`./no-such-program` cannot be started"),
        "{error}"
    );
}

#[test]
fn a_key_reaches_the_program_and_nothing_that_is_kept() {
    const CANARY: &str = "apikey_canary_9b1deb4d";
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"case $n in
    0) echo "bad key $MY_KEY" >&2; exit 1 ;;
    1) echo "bad key $MY_KEY" ;;
    2) echo "{\"label\":\"$MY_KEY\"}" ;;
    3) echo "{\"error\":{\"kind\":\"auth\",\"message\":\"$MY_KEY\"}}" ;;
    4) echo "{\"label\":\"billing\",\"model\":\"$MY_KEY\"}" ;;
    5) echo "{\"label\":\"billing\",\"probabilities\":{\"$MY_KEY\":1}}" ;;
    6) echo "$MY_KEY" >&2; exec sleep 30 ;;
    *) [ "$MY_KEY" = apikey_canary_9b1deb4d ] && echo '{"label":"sales"}' ;;
  esac"#;
    let mut bench = bench(folder.path(), script, 8);
    bench.key = Some(CANARY.to_owned());
    bench.set("key_env", json!("MY_KEY"));
    bench.set("timeout", json!("1s"));
    // What the program is told must not be among the files that are searched.
    let script = fs::read_to_string(folder.path().join("answer.sh")).expect("a script");
    fs::write(
        folder.path().join("answer.sh"),
        script.replace(
            "[ \"$MY_KEY\" = apikey_canary_9b1deb4d ]",
            "[ ${#MY_KEY} = 22 ]",
        ),
    )
    .expect("a script");
    let collected = bench.fill();
    let part = &CANARY[9..];
    let kinds = outcomes(&collected.answers);
    assert_eq!(kinds[7].1, "sales", "the program has its key: {kinds:?}");
    let told = bench.told.lock().expect("no panic").join("\n");
    let shown = format!("{collected:?} {told}");
    assert!(!shown.contains(part), "{shown}");
    for (path, text) in bench.files() {
        assert!(!text.contains(part), "{}: {text}", path.display());
    }
    bench.key = None;
    let error = bench
        .collect(decbench_core::collect::Mode::Live)
        .expect_err("no key");
    assert!(error.to_string().contains("MY_KEY"), "{error}");
}

/// The example in the documentation of the line format, by its language.
fn example(language: &str) -> String {
    let docs = include_str!("../../../decbench-core/src/provider/command/mod.rs");
    let mut lines = docs.lines();
    lines
        .find(|line| *line == format!("//! ```{language}"))
        .expect("an example");
    lines
        .take_while(|line| *line != "//! ```")
        .map(|line| {
            line.trim_start_matches("//!")
                .strip_prefix(' ')
                .unwrap_or("")
                .to_owned()
                + "\n"
        })
        .collect()
}

#[test]
fn the_documented_programs_answer() {
    for (language, program, label) in [("sh", "sh", "support"), ("python", "python3", "billing")] {
        if Command::new(program).arg("-c").arg("").status().is_err() {
            // Only the continuous integration is sure to have every interpreter.
            assert!(std::env::var_os("CI").is_none(), "{program} is missing");
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let mut bench = bench(folder.path(), "", 3);
        let text = example(language);
        let guide = include_str!("../../../docs/guide/services.md");
        assert!(
            guide.contains(&text),
            "the guide shows the same in {language}"
        );
        fs::write(folder.path().join("example"), text).expect("a program");
        bench.set("command", json!([program, "example"]));
        let collected = bench.fill();
        let labels = outcomes(&collected.answers);
        assert!(
            labels.iter().all(|(_, given)| *given == label),
            "{language}: {labels:?}"
        );
    }
}

#[test]
fn programs_run_where_they_are_told_to_and_lines_may_be_long() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = folder.path().join("suites");
    fs::create_dir(&suite).expect("a folder");
    let mut bench = bench(&suite, "", 2);
    fs::write(
        folder.path().join("long.sh"),
        "while IFS= read -r line; do if [ ${#line} -gt 200000 ]; then echo '{\"label\":\"sales\"}'; else echo '{\"label\":\"billing\"}'; fi; done\n",
    )
    .expect("a script");
    bench.set("cwd", json!(".."));
    bench.set("command", json!(["sh", "long.sh"]));
    bench.cases[1].state = Some(decbench_core::decision::State::Text("x".repeat(300_000)));
    bench.budget_usd = Some(10.0);
    let collected = bench.fill();
    let labels: Vec<&str> = outcomes(&collected.answers)
        .iter()
        .map(|(_, label)| *label)
        .collect();
    assert_eq!(labels, ["billing", "sales"]);
}

#[test]
fn last_words_that_repeat_the_case_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"echo "cannot read: $line" >&2; exit 1"#;
    let bench = bench(folder.path(), script, 1);
    let collected = bench.fill();
    let told = message(&collected.answers[0]);
    assert!(told.contains("repeats what it was sent"), "{told}");
    assert!(!told.contains("caller 0"), "{told}");
}

#[test]
fn answers_that_repeat_the_case_are_not_kept() {
    for script in [
        r#"echo '{"label":"caller 0 says something"}'"#,
        r#"echo '{"error":{"kind":"refused","message":"will not say: caller 0 says something"}}'"#,
        r#"echo '{"error":{"kind":"rate_limited","message":"caller 0 says something"}}'"#,
        r"echo 'caller 0 says something'",
        r#"echo '{"label":"sales","probabilities":{"caller 0 says something":1}}'"#,
        r#"printf '%s\n' "$line""#,
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let bench = bench(folder.path(), script, 1);
        let collected = bench.fill();
        let shown = format!("{collected:?}");
        assert!(!shown.contains("says something"), "{script}: {shown}");
        for (path, text) in bench.files() {
            let kept = text.contains("says something") && !path.ends_with("answer.sh");
            assert!(!kept, "{}: {text}", path.display());
        }
    }
}
