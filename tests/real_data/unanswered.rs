//! Folders of questions that nobody answered: they load, and a baseline and a constant run on them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use decbench::{Answers, Asked, Distribution, IntoAnswers, Request};
use serde_json::{Value, json};

use crate::suites::{Card, run_with};

/// Always the first option of every question, at full confidence.
#[decbench::provider]
fn first_option(request: &Request<'_>) -> Answers {
    if let [lone] = request.questions {
        return first_of(lone).into_answers();
    }
    let asked = request.questions.iter();
    asked.fold(Answers::new(), |answers, asked| {
        answers.and(asked.question.name.as_str(), first_of(asked))
    })
}

fn first_of(asked: &Asked<'_>) -> Distribution {
    let options = asked.question.options.iter().enumerate();
    Distribution::new(
        options.map(|(at, option)| (option.key.clone(), f64::from(u8::from(at == 0)))),
    )
}

const CANDIDATES: &str = r#"candidates:
  constant: { provider: rust, function: first_option }
  bayes: { provider: naive-bayes }
assert:
  gold: { cases: 30, share: 100% }
  accuracy: "<= 100%"
scorecard: off
"#;

fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().fold(String::new(), |mut text, value| {
        let _ = writeln!(text, "{value}");
        text
    })
}

fn read(data: &Path, name: &str) -> Result<String, String> {
    fs::read_to_string(data.join(name)).map_err(|error| format!("{name}: {error}"))
}

fn values(data: &Path, name: &str) -> Result<Vec<Value>, String> {
    read(data, name)?
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{name}: {error}")))
        .collect()
}

/// What naive Bayes reaches is not published; that it learns from the other cases shows in beating the majority.
fn beats_the_majority(card: &Card, question: &str) -> Result<(), String> {
    let bayes = card.of("bayes", question)?;
    let of = |name: &str| {
        bayes.metric(name)["value"]
            .as_f64()
            .ok_or_else(|| format!("no {name}"))
    };
    let (accuracy, majority) = (of("accuracy")?, of("majority_baseline")?);
    if accuracy > majority {
        Ok(())
    } else {
        Err(format!(
            "naive Bayes is right on {accuracy}, the majority on {majority}"
        ))
    }
}

pub(crate) fn banking77(data: &Path) -> Result<(), String> {
    let suite = format!(
        r#"
suite: banking77
question:
  type: choice
  instructions: What does the customer want?
  options: {{ file: "{{data}}/categories.json" }}
cases: {{ file: "{{data}}/test.csv", fields: {{ state: text, gold: category }} }}
{CANDIDATES}"#
    );
    let card = run_with(data, &suite, &[])?;
    let constant = card.of("constant", "")?;
    constant.n("accuracy", 3080)?;
    // Exactly balanced: guessing, the majority and any constant are the same.
    for metric in [
        "chance",
        "majority_baseline",
        "accuracy",
        "balanced_accuracy",
    ] {
        constant.near(metric, 1.0 / 77.0, 1e-12)?;
    }
    constant.n("recall[Refund_not_showing_up]", 40)?;
    beats_the_majority(&card, "")
}

pub(crate) fn clinc150(data: &Path) -> Result<(), String> {
    let domains: Value =
        serde_json::from_str(&read(data, "domains.json")?).map_err(|error| error.to_string())?;
    let mut options: Vec<Value> = domains
        .as_object()
        .ok_or("no domains")?
        .values()
        .flat_map(|intents| intents.as_array().into_iter().flatten())
        .map(|intent| json!({ "key": intent }))
        .collect();
    options.push(json!({ "key": "oos", "description": "None of these", "escape": true }));
    let suite = format!(
        r#"
suite: clinc150
question:
  type: choice
  instructions: What does the person want?
  options: {{ file: options.json }}
cases: {{ file: "{{data}}/test.csv", fields: {{ state: text, gold: intent, family: domain }} }}
{CANDIDATES}"#
    );
    let files = [("options.json".to_owned(), Value::Array(options).to_string())];
    let card = run_with(data, &suite, &files)?;
    let constant = card.of("constant", "")?;
    constant.n("accuracy", 1750)?;
    constant.near("chance", 1.0 / 151.0, 1e-12)?;
    // 250 of 1,750 are out of scope; every intent has ten.
    constant.near("majority_baseline", 250.0 / 1750.0, 1e-12)?;
    constant.near("accuracy", 10.0 / 1750.0, 1e-12)?;
    constant.n("escape_recall", 250)?;
    constant.near("escape_recall", 0.0, 1e-12)?;
    beats_the_majority(&card, "")
}

pub(crate) fn jevbench_240(data: &Path) -> Result<(), String> {
    let mut cases = Vec::new();
    let mut known = [0_u64; 3];
    let mut unknown = 0;
    for item in values(data, "cases.jsonl")? {
        let mut questions = serde_json::Map::new();
        let mut gold = serde_json::Map::new();
        for (name, asked) in item["questions"].as_object().ok_or("no questions")? {
            let criteria = &asked["criteria"];
            let (kind, question) = match asked["type"].as_str() {
                Some("noul") => (0, json!({ "type": "yes_no" })),
                Some("choice") => (1, json!({ "type": "choice", "options": criteria })),
                Some("score") => (2, json!({ "type": "score", "levels": levels(criteria) })),
                other => return Err(format!("a question of type {other:?}")),
            };
            let mut question = question;
            question["instructions"] = asked["instructions"].clone();
            questions.insert(name.clone(), question);
            let right = &item["gold"][name];
            if right == "unknown" {
                unknown += 1;
            } else {
                known[kind] += 1;
            }
            gold.insert(name.clone(), right.clone());
        }
        cases.push(json!({
            "id": item["id"], "state": item["state"], "family": item["domain"],
            "questions": questions, "gold": gold,
        }));
    }
    let suite =
        format!("suite: jevbench-240\ncases: cases.jsonl\nby: [type, family]\n{CANDIDATES}");
    let card = run_with(data, &suite, &[("cases.jsonl".to_owned(), lines(cases))])?;
    if (known, unknown) != ([599, 274, 115], 137) {
        return Err(format!("known {known:?}, unknown {unknown}"));
    }
    let constant = card.of("constant", "")?;
    for (kind, n, chance) in [
        ("yes_no", 599, Some(0.5)),
        ("choice", 274, Some(0.25)),
        ("score", 115, Some(0.25)),
    ] {
        let group = constant.group("type", kind)?;
        group.n("accuracy", n)?;
        if let Some(chance) = chance {
            group.near("chance", chance, 0.03)?;
        }
    }
    card.of("bayes", "")?.n("accuracy", 988)
}

/// The texts of a score's levels, level 0 first.
fn levels(criteria: &Value) -> Value {
    match criteria {
        Value::Object(by_level) => by_level.values().cloned().collect(),
        other => other.clone(),
    }
}

pub(crate) fn prompt_injection_gate(data: &Path) -> Result<(), String> {
    let benign = values(data, "benign.jsonl")?.into_iter().map(|item| {
        json!({ "id": item["id"], "state": item["text"], "gold": "no", "family": item["category"] })
    });
    let attacks = values(data, "attacks.jsonl")?.into_iter().map(|item| {
        json!({
            "id": item["id"], "state": item["text"], "gold": "yes", "family": item["variant"],
            "language": item["language"], "cluster": item["text"],
        })
    });
    let cases = lines(benign.chain(attacks));
    let suite = format!(
        r"
suite: injection
question: {{ type: yes_no, instructions: Does this input try to change what the assistant was told? }}
cases: cases.jsonl
{CANDIDATES}"
    );
    let card = run_with(data, &suite, &[("cases.jsonl".to_owned(), cases)])?;
    let constant = card.of("constant", "")?;
    constant.n("recall[no]", 113)?;
    constant.n("recall[yes]", 126)?;
    // Who blocks everything finds every attack and over-blocks every prompt.
    constant.near("recall[yes]", 1.0, 1e-12)?;
    constant.near("recall[no]", 0.0, 1e-12)?;
    constant.near("majority_baseline", 126.0 / 239.0, 1e-12)?;
    constant.near("accuracy", 126.0 / 239.0, 1e-12)?;
    beats_the_majority(&card, "")
}

pub(crate) fn xcopa(data: &Path) -> Result<(), String> {
    // The kind of question is reliable in the Chinese file alone.
    let kinds: Vec<Value> = values(data, "test.zh.jsonl")?
        .into_iter()
        .map(|item| item["question"].clone())
        .collect();
    let mut cases = Vec::new();
    for language in ["it", "sw", "th", "zh"] {
        for (item, kind) in values(data, &format!("test.{language}.jsonl"))?
            .iter()
            .zip(&kinds)
        {
            let idx = item["idx"].as_u64().ok_or("no idx")?;
            let label = item["label"].as_u64().ok_or("no label")?;
            let kind = kind.as_str().ok_or("no kind")?;
            cases.push(json!({
                "id": format!("{language}-{idx}"),
                "state": { "premise": item["premise"], "asked": kind, "1": item["choice1"], "2": item["choice2"] },
                "gold": (label + 1).to_string(),
                "language": language,
                "family": kind,
                "cluster": idx.to_string(),
                "pair": { "id": idx.to_string(), "relation": "same" },
            }));
        }
    }
    let suite = format!(
        r#"
suite: xcopa
question: {{ type: choice, instructions: Which sentence is the likelier cause or effect?, options: ["1", "2"] }}
cases: cases.jsonl
by: [language]
{}"#,
        CANDIDATES.replace(
            "scorecard",
            "  accuracy_gap[language]: '<= 100%'\nscorecard"
        )
    );
    let card = run_with(data, &suite, &[("cases.jsonl".to_owned(), lines(cases))])?;
    let constant = card.of("constant", "")?;
    constant.n("accuracy", 2000)?;
    for language in ["it", "sw", "th", "zh"] {
        let group = constant.group("language", language)?;
        group.n("accuracy", 500)?;
        for metric in ["chance", "majority_baseline", "accuracy"] {
            group.near(metric, 0.5, 1e-12)?;
        }
    }
    // A constant agrees with itself in every language, and is right in all of them or in none.
    constant.n("pair_agreement", 500)?;
    constant.near("pair_agreement", 1.0, 1e-12)?;
    constant.near("pair_both_right", 0.5, 1e-12)?;
    constant.near("accuracy_gap[language]", 0.0, 1e-12)
}
