//! Case files of the size that people have load fast, also when every line is at fault.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use decbench_core::suite::{Lockbox, load, plan};

const CASES: usize = 20_000;

fn suite(folder: &tempfile::TempDir, file: &str, cases: &str) -> PathBuf {
    let mut options = String::new();
    for option in 0..150 {
        write!(options, "intent-{option}: What intent {option} means, ").unwrap();
    }
    let text = format!(
        "suite: large\n\
         question: {{ type: choice, instructions: Which intent?, options: {{ {options} none: {{ description: None, escape: true }} }} }}\n\
         cases: {{ file: {file}, lockbox: 20% }}\n\
         candidates: {{ rules: {{ provider: rust }} }}\n\
         assert: {{ accuracy: \">= 80%\", flip_rate: \"<= 5%\", order_flip_rate: \"<= 5%\" }}\n"
    );
    std::fs::write(folder.path().join(file), cases).unwrap();
    let path = folder.path().join("large.yaml");
    std::fs::write(&path, text).unwrap();
    path
}

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..CASES).map(line).collect()
}

/// The limit leaves room for a busy machine: alone, each takes a few tenths of a second.
fn within(what: &str, start: Instant, limit: Duration) {
    let took = start.elapsed();
    assert!(took < limit, "{what} took {took:?}");
}

#[test]
fn twenty_thousand_cases_load_fast_from_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let filler = "The caller says at some length what happened to the parcel. ".repeat(8);
    let json = lines(|row| {
        format!(
            "{{\"id\":\"c-{row}\",\"state\":\"Call {row}: ä {filler}\",\"gold\":\"intent-{}\",\"weight\":0.5,\"strata\":{{\"channel\":\"pstn\"}},\"tier\":\"hard\"}}\n",
            row % 150
        )
    });
    let csv = "id,state,gold\n".to_owned()
        + &lines(|row| format!("c-{row},\"Call {row}: ä {filler}\",intent-{}\n", row % 150));
    let yaml = lines(|row| {
        format!(
            "- id: c-{row}\n  state: \"Call {row}: ä\"\n  gold: intent-{}\n",
            row % 150
        )
    });
    for (file, text) in [
        ("cases.jsonl", json),
        ("cases.csv", csv),
        ("cases.yaml", yaml),
    ] {
        let path = suite(&folder, file, &text);
        let start = Instant::now();
        let suite = load(&path).unwrap().suite;
        within(file, start, Duration::from_secs(3));
        assert_eq!(suite.cases.len(), CASES);
        let start = Instant::now();
        let calls = plan(&suite, 0, &suite.assertions, Lockbox::Open)
            .calls
            .len();
        within("the plan", start, Duration::from_secs(3));
        assert!(calls > 8 * CASES * 3 / 4, "{calls}");
    }
}

#[test]
fn a_file_in_which_every_line_is_at_fault_is_reported_fast() {
    let folder = tempfile::tempdir().unwrap();
    let broken = lines(|row| format!("{{\"state\":\"{row}\" \"gold\":\"intent-1\"}}\n"));
    let gold = lines(|row| format!("{{\"state\":\"{row}\",\"gold\":\"Intent {row}\"}}\n"));
    let twice = lines(|_| "{\"id\":\"a\",\"state\":\"x\"}\n".to_owned());
    let keys = lines(|row| format!("{{\"state\":\"x\",\"key-{row}\":1}}\n"));
    for (text, code) in [
        (broken, "json-syntax"),
        (gold, "gold-not-an-option"),
        (twice, "duplicate-id"),
        (keys, "unknown-key"),
    ] {
        let path = suite(&folder, "cases.jsonl", &text);
        let start = Instant::now();
        let mistakes = load(&path).unwrap_err();
        let shown = mistakes.render();
        within(code, start, Duration::from_secs(3));
        let found = mistakes.iter().filter(|mistake| mistake.code == code);
        assert!(found.count() >= CASES - 2, "{code}");
        assert!(shown.contains("more ["), "{code}");
        assert!(shown.len() < 100_000, "{code}: {} bytes", shown.len());
    }
}
