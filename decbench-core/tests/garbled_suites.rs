//! Whatever stands in the files, reading ends with a suite or with messages that can be shown.

use std::sync::Arc;

use decbench_core::config::Config;
use decbench_core::diagnostic::{Diagnostics, Source};
use decbench_core::suite::{check_text, load};
use proptest::prelude::*;
use proptest::sample::Index;

const SUITE: &str = r#"suite: tickets
questions:
  queue:
    type: choice
    instructions: Which team? 日本
    options: { billing: Money, other: { description: None, escape: true } }
    assert: { "recall[billing]": ">= 80%" }
  anger: { type: score, instructions: How angry?, levels: [calm, annoyed, "füríous"] }
cases:
  - { state: Größe, gold: { queue: billing, anger: 1 }, strata: { channel: pstn } }
  - state: { text: x, n: [1, 2.5, null] }
    gold: { queue: [billing, other], anger: { calm: 0.5, annoyed: 0.5 } }
    pair: { id: a, relation: same }
candidates:
  jev: { provider: system-one, rate: { requests: 1200/min }, assert: { ece: off } }
assert:
  gold: { cases: 1, share: 50% }
  accuracy: [">= 90%", { at_least: 80%, where: { strata.channel: pstn } }]
  ece: "<= 0.05"
conventions: { ece: { bins: 15 }, sum_tolerance: auto }
by: [strata.channel, [type, strata.channel]]
"#;

const JSON_LINES: &str = "{\"id\":\"a\",\"state\":\"Grüße\",\"gold\":\"yes\",\"weight\":0.5}\r\n{\"state\":{\"a\":[1,{\"b\":\"\\u00e4\"}]},\"gold\":false,\"labels\":{\"ann\":true}}\n";
const TABLE: &str =
    "id,state,gold,strata.channel\r\na,\"Grüße, \"\"du\"\"\",yes,pstn\r\nb,x,no,\r\n";
const LIST: &str =
    "- state: Grüße\n  gold: yes\n- { state: [1, 2], gold: no, states: { clean: x } }\n";
const CONFIG: &str = "[profile.ci]\nmode = 'live'\nbudget_usd = 1.5\n[provider.x]\nä = { b = [1, 2] }\n[prices.m]\ninput_per_million = 1\noutput_per_million = 2\n";

/// Characters to remove or to put in, with pieces that mean something to one of the formats.
fn edits() -> impl Strategy<Value = Vec<(Index, Option<String>)>> {
    let piece = prop_oneof![
        Just(None),
        "[\\[\\]{}:,\"'&*!|>#%@`\\\\ \t\r\n-]".prop_map(Some),
        any::<char>().prop_map(|letter| Some(letter.to_string())),
        prop_oneof![
            Just("\n---\n"),
            Just(": "),
            Just("- "),
            Just("\u{feff}"),
            Just("1e999"),
            Just("null")
        ]
        .prop_map(|piece| Some(piece.to_owned())),
    ];
    prop::collection::vec((any::<Index>(), piece), 1..6)
}

fn edited(text: &str, edits: &[(Index, Option<String>)]) -> String {
    let mut letters: Vec<String> = text.chars().map(String::from).collect();
    for (index, piece) in edits {
        let at = index.index(letters.len());
        match piece {
            None => letters[at].clear(),
            Some(piece) => letters[at].push_str(piece),
        }
    }
    letters.concat()
}

fn shown(mistakes: &Diagnostics) {
    assert!(!mistakes.is_empty());
    for mistake in mistakes {
        let place = mistake.position();
        assert!(place.line >= 1 && place.column >= 1);
        assert!(mistake.render().contains(&mistake.source.name), "{mistake}");
        assert!(mistake.span.start <= mistake.span.end, "{mistake:?}");
        assert!(mistake.span.end <= mistake.source.text.len(), "{mistake:?}");
    }
}

proptest! {
    #[test]
    fn a_garbled_suite_is_refused_with_messages(edits in edits()) {
        let source = Arc::new(Source::new("a.yaml", edited(SUITE, &edits)));
        if let Err(mistakes) = check_text(&source) {
            shown(&mistakes);
        }
    }

    #[test]
    fn a_garbled_config_is_refused_with_messages(edits in edits()) {
        let source = Arc::new(Source::new("decbench.toml", edited(CONFIG, &edits)));
        if let Err(mistakes) = Config::parse(&source) {
            shown(&mistakes);
        }
    }

    #[test]
    fn garbled_cases_are_refused_with_messages(edits in edits()) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("c.jsonl", JSON_LINES), ("c.csv", TABLE), ("c.yaml", LIST), ("c.json", "[{\"state\": 1}]")] {
            std::fs::write(folder.path().join(name), edited(text, &edits)).unwrap();
            let suite = format!(
                "question: {{ type: yes_no, instructions: Is it? }}\ncases: {name}\ncandidates: {{ a: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 1%' }}\n"
            );
            let path = folder.path().join("suite.yaml");
            std::fs::write(&path, suite).unwrap();
            if let Err(mistakes) = load(&path) {
                shown(&mistakes);
            }
        }
    }
}
