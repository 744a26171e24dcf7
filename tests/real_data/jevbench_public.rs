//! One model on public benchmark questions of all three types, each case with a question of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::suites::{Card, run};

/// Published to 16 digits.
const PUBLISHED: f64 = 1e-12;

/// The file holds answers; what was asked is in its keys. Question texts are not part of the data.
fn cases(data: &Path) -> Result<String, String> {
    let text = fs::read_to_string(data.join("answers.jsonl")).map_err(|error| error.to_string())?;
    let mut cases = String::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let labels: Vec<&String> = row["probs"].as_object().ok_or("no probs")?.keys().collect();
        let question = match row["type"].as_str() {
            Some("choice") => {
                json!({"type": "choice", "instructions": "not part of the data", "options": labels})
            }
            Some("score") => {
                let levels: Vec<String> = (0..labels.len())
                    .map(|level| format!("level {level}"))
                    .collect();
                json!({"type": "score", "instructions": "not part of the data", "levels": levels})
            }
            _ => json!({"type": "yes_no", "instructions": "not part of the data"}),
        };
        let mut case = json!({
            "id": row["id"], "tier": row["tier"], "family": row["family"], "gold": row["gold"], "question": question,
        });
        if row["group"].is_string() {
            case["pair"] = json!({"id": row["group"], "relation": "same"});
        }
        let _ = writeln!(cases, "{case}");
    }
    Ok(cases)
}

fn card(data: &Path, ties: &str, half: &str) -> Result<Card, String> {
    let suite = format!(
        r#"
suite: jevbench
cases: cases.jsonl
candidates:
  shisa: {{ provider: recorded, file: "{{data}}/answers.jsonl", fields: {{ case: id, probabilities: probs }} }}
conventions:
  ties: {ties}
  half: {half}
by: [tier, [tier, family]]
assert:
  accuracy: ">= 50%"
scorecard: off
"#
    );
    run(data, &suite, Some(&cases(data)?))
}

pub(crate) fn published_figures(data: &Path) -> Result<(), String> {
    let published: Value = serde_json::from_str(
        &fs::read_to_string(data.join("published.json")).map_err(|error| error.to_string())?,
    )
    .map_err(|error| error.to_string())?;
    let card = card(data, "lexicographic", "no")?;
    let all = card.question("")?;
    let number = |value: &Value| {
        value
            .as_f64()
            .ok_or_else(|| format!("{value} is no number"))
    };
    let standard = all.group("tier", "standard")?;
    let figures = &published["standard"];
    standard.n("accuracy", 72)?;
    standard.near("accuracy", number(&figures["accuracy"])?, PUBLISHED)?;
    standard.near("brier", number(&figures["brier"])?, PUBLISHED)?;
    standard.near("ece", number(&figures["ece"])?, PUBLISHED)?;
    standard.near(
        "macro_accuracy[family]",
        number(&figures["macro_accuracy"])?,
        PUBLISHED,
    )?;
    standard.near("mae", number(&figures["ordinal_mae"])?, PUBLISHED)?;
    let pairs = &figures["paraphrase"];
    standard.n("pair_agreement", 36)?;
    standard.near("pair_agreement", number(&pairs["agreement"])?, PUBLISHED)?;
    standard.near(
        "pair_both_right",
        number(&pairs["both_correct_rate_all_pairs"])?,
        PUBLISHED,
    )?;
    for (tier, families) in [
        ("standard", &figures["families"]),
        ("hard", &published["hard"]),
    ] {
        for (family, figures) in families.as_object().ok_or("no families")? {
            let group = all.group("tier × family", &format!("{tier} × {family}"))?;
            let n = number(&figures["n"])?;
            group.n("accuracy", n as u64)?;
            group.near("accuracy", number(&figures["correct"])? / n, PUBLISHED)?;
            group.near("brier", number(&figures["brier"])?, PUBLISHED)?;
            group.near("ece", number(&figures["ece"])?, PUBLISHED)?;
            if let Some(mae) = figures.get("ordinal_mae") {
                group.near("mae", number(mae)?, PUBLISHED)?;
            }
        }
    }
    Ok(())
}

/// Two answers have a tie at the top, which only the authors' rule turns into wrong answers.
pub(crate) fn ties_decide_two_answers(data: &Path) -> Result<(), String> {
    let theirs = card(data, "lexicographic", "no")?;
    let first = card(data, "first", "yes")?;
    let right = |card: &Card| -> Result<f64, String> {
        let accuracy = card.question("")?.metric("accuracy")["value"]
            .as_f64()
            .ok_or("no accuracy")?;
        Ok((accuracy * 132.0).round())
    };
    let (theirs, first) = (right(&theirs)?, right(&first)?);
    if first - theirs == 2.0 {
        Ok(())
    } else {
        Err(format!(
            "{theirs} right by the authors' rule, {first} by the first option"
        ))
    }
}
