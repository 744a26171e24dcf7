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
        prop_assert!(read.bad.is_empty(), "{:?}", read.bad);
        prop_assert_eq!(read.answers.as_slice(), &answers[..whole]);
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
