//! What is written as a line of an answer file reads back the same.
#![cfg(feature = "run")]

use std::fs;

use decbench_core::collect::{answer_lines, read_answers};
use decbench_core::decision::{
    Answer, Context, Decided, Digest, Failure, FailureKind, Measured, Probe, RequestDigest,
    ToolCall, Written,
};
use proptest::prelude::*;

fn probability() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(1.0),
        0.0..=1.0,
        (0_u32..=100).prop_map(|hundredths| f64::from(hundredths) / 100.0),
        Just(5e-324),
    ]
}

fn outcome() -> impl Strategy<Value = Result<Decided, Failure>> {
    let decided = (
        any::<String>(),
        any::<bool>(),
        proptest::collection::vec((any::<String>(), probability()), 0..6),
        proptest::option::of(probability()),
        proptest::option::of(0.0..=1.0),
    )
        .prop_map(
            |(label, labelled, probabilities, confidence, format_mass)| {
                Ok(Decided {
                    label: labelled.then_some(label),
                    probabilities: (!labelled || !probabilities.is_empty())
                        .then_some(probabilities),
                    confidence,
                    format_mass,
                    written: None,
                })
            },
        );
    let failure = (0..FailureKind::ALL.len(), any::<String>(), any::<bool>()).prop_map(
        |(kind, message, truncated)| {
            Err(Failure {
                truncated,
                ..Failure::new(FailureKind::ALL[kind], message)
            })
        },
    );
    prop_oneof![3 => decided, 1 => written(), 1 => failure]
}

/// An answer in a model's own words, with the tools it called.
fn written() -> impl Strategy<Value = Result<Decided, Failure>> {
    let call =
        (any::<String>(), any::<String>(), any::<i64>()).prop_map(|(name, key, number)| ToolCall {
            name,
            arguments: serde_json::json!({ key: number }),
        });
    let output = prop_oneof![
        any::<String>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(|number| serde_json::json!({ "total": [number, null] })),
    ];
    (output, proptest::collection::vec(call, 0..3))
        .prop_map(|(output, tool_calls)| Ok(Decided::written(Written { output, tool_calls })))
}

fn measured() -> impl Strategy<Value = Measured> {
    (
        proptest::option::of(any::<String>()),
        proptest::option::of(0.0..1e7),
        proptest::option::of(0.0..1e4),
        proptest::option::of(any::<bool>()),
        proptest::option::of(any::<u32>()),
        proptest::option::of(any::<u64>()),
        proptest::option::of(any::<u64>()),
        proptest::option::of(0.0..10.0),
    )
        .prop_map(
            |(model, latency, connect, cold, attempts, input, output, cost)| Measured {
                model,
                latency_ms: latency,
                connect_ms: connect,
                cold,
                attempts,
                input_tokens: input,
                output_tokens: output,
                cost_usd: cost,
                at: cold.map(|_| "2026-11-02T10:11:12Z".to_owned()),
            },
        )
}

fn answer() -> impl Strategy<Value = Answer> {
    (
        any::<String>(),
        any::<String>(),
        any::<u32>(),
        proptest::collection::vec(any::<u16>(), 0..6),
        0..Context::ALL.len(),
        any::<bool>(),
        outcome(),
        measured(),
    )
        .prop_map(
            |(case, question, repeat, order, context, signed, outcome, measured)| Answer {
                request: signed.then(|| RequestDigest {
                    question: Digest::of([question.as_bytes()]),
                    state: Digest::of([case.as_bytes()]),
                    candidate: Digest::of([b"candidate".as_slice()]),
                }),
                case,
                question,
                probe: Probe {
                    repeat,
                    order,
                    context: Context::ALL[context],
                },
                outcome,
                measured,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_read_back_as_they_were(answers in proptest::collection::vec(answer(), 1..8)) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let text = answer_lines(&answers);
        prop_assert_eq!(text.matches('\n').count(), answers.len());
        fs::write(&path, &text).expect("a file");
        let read = read_answers(&path).expect("a file that reads");
        prop_assert!(read.bad.is_empty(), "{:?}", read.bad);
        prop_assert_eq!(&read.answers, &answers);
        prop_assert_eq!(answer_lines(&read.answers), text);
    }

    #[test]
    fn a_file_cut_anywhere_gives_its_whole_lines(
        answers in proptest::collection::vec(answer(), 1..5),
        cut in any::<proptest::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let text = answer_lines(&answers);
        let kept = &text.as_bytes()[..cut.index(text.len())];
        fs::write(&path, kept).expect("a file");
        let read = read_answers(&path).expect("a file that reads");
        // A line that lacks only its line feed is whole.
        let whole = text
            .match_indices('\n')
            .filter(|(end, _)| *end <= kept.len())
            .count();
        prop_assert_eq!(read.answers.as_slice(), &answers[..whole]);
        let torn = kept.last().is_some_and(|last| *last != b'\n')
            && String::from_utf8_lossy(kept).matches('\n').count() == whole;
        let bad: Vec<usize> = read.bad.iter().map(|bad| bad.line).collect();
        prop_assert_eq!(bad, vec![whole + 1; usize::from(torn)]);
    }
}

#[test]
fn the_line_has_its_fields_in_the_documented_order() {
    let answer = Answer {
        case: "c-0412".to_owned(),
        question: String::new(),
        probe: Probe {
            repeat: 0,
            order: vec![0, 1],
            context: Context::Production,
        },
        request: None,
        outcome: Ok(Decided {
            label: Some("billing".to_owned()),
            probabilities: Some(vec![
                ("billing".to_owned(), 0.85),
                ("sales".to_owned(), 0.0),
            ]),
            confidence: Some(0.78),
            format_mass: None,
            written: None,
        }),
        measured: Measured {
            model: Some("jev-1.13.0".to_owned()),
            latency_ms: Some(212.4),
            connect_ms: Some(0.0),
            cold: Some(false),
            attempts: Some(1),
            input_tokens: Some(118),
            output_tokens: Some(4),
            cost_usd: Some(0.000_005),
            at: Some("2026-11-02T10:11:12Z".to_owned()),
        },
    };
    assert_eq!(
        answer_lines(&[answer]),
        concat!(
            r#"{"case":"c-0412","question":"","probe":{"repeat":0,"order":[0,1],"context":"production"},"#,
            r#""label":"billing","probabilities":{"billing":0.85,"sales":0.0},"confidence":0.78,"#,
            r#""model":"jev-1.13.0","latency_ms":212.4,"connect_ms":0,"cold":false,"attempts":1,"#,
            r#""input_tokens":118,"output_tokens":4,"cost_usd":0.000005,"at":"2026-11-02T10:11:12Z"}"#,
            "\n"
        )
    );
}

#[test]
fn bad_lines_are_named_and_the_others_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let text = concat!(
        "\u{feff}{\"case\":\"1\",\"label\":\"a\",\"later_field\":{\"x\":[1]}}\r\n",
        "<<<<<<< ours\n",
        "\n",
        "{\"case\":\"2\"}\n",
        "{\"case\":\"3\",\"error\":{\"kind\":\"haunted\"}}\n",
        "{\"case\":\"4\",\"probabilities\":{\"a\":null}}\n",
        "{\"case\":\"5\",\"p_yes\":0.94}",
    );
    fs::write(&path, text).expect("a file");
    let read = read_answers(&path).expect("a file that reads");
    let cases: Vec<_> = read
        .answers
        .iter()
        .map(|answer| answer.case.as_str())
        .collect();
    assert_eq!(cases, ["1", "4", "5"]);
    let bad: Vec<_> = read.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(bad, [2, 4, 5]);
    assert!(read.bad[0].to_string().contains("a.jsonl:2: "));
    let yes = read.answers[2].outcome.as_ref().expect("an answer");
    assert_eq!(
        yes.probabilities,
        Some(vec![("yes".to_owned(), 0.94), ("no".to_owned(), 0.06)])
    );
}

/// The places and words of what is wrong with a file of these lines.
fn told(lines: &[&str]) -> Vec<(usize, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    fs::write(&path, lines.concat()).expect("a file");
    let read = read_answers(&path).expect("a file that reads");
    let bad = read.bad.into_iter();
    bad.map(|bad| (bad.line, bad.message)).collect()
}

#[test]
fn a_torn_tail_is_told_and_one_that_lacks_only_its_line_feed_is_not() {
    let torn = told(&["{\"case\":\"1\",\"label\":\"a\"}\n", "{\"case\":\"2\",\"la"]);
    assert_eq!(torn, [(2, "cut off; its answer is asked again".to_owned())]);
    assert_eq!(told(&["{\"case\":\"1\",\"label\":\"a\"}"]), []);
}

#[test]
fn answers_that_contradict_each_other_are_told_and_equal_ones_are_not() {
    let contradiction = |line, first| {
        let what = format!("two answers to one request, and the first, of line {first}, counts");
        (line, what)
    };
    let found = told(&[
        "{\"case\":\"1\",\"label\":\"a\",\"latency_ms\":1}\n",
        "{\"case\":\"2\",\"probabilities\":{\"a\":null}}\n",
        "{\"case\":\"1\",\"label\":\"a\",\"latency_ms\":2}\n",
        "{\"case\":\"2\",\"probabilities\":{\"a\":null}}\n",
        "{\"case\":\"1\",\"question\":\"q\",\"label\":\"b\"}\n",
        "{\"case\":\"1\",\"probe\":{\"repeat\":1},\"label\":\"b\"}\n",
        "{\"case\":\"1\",\"error\":{\"kind\":\"connect\"}}\n",
        "{\"case\":\"1\",\"label\":\"b\"}\n",
        "{\"case\":\"2\",\"probabilities\":{\"a\":0.5}}\n",
    ]);
    assert_eq!(found, [contradiction(8, 1), contradiction(9, 2)]);
}

#[test]
fn what_took_less_than_nothing_is_told() {
    for name in ["latency_ms", "connect_ms", "cost_usd"] {
        let with = |value: &str| {
            let line = format!("{{\"case\":\"1\",\"label\":\"a\",\"{name}\":{value}}}\n");
            told(&[&line])
        };
        assert_eq!(with("0"), []);
        assert_eq!(with("null"), []);
        let what = format!("`{name}` is -5000, and no call takes less than nothing");
        assert_eq!(with("-5000"), [(1, what)]);
        assert_eq!(with("1e999").len(), 1, "beyond all bounds");
    }
}
