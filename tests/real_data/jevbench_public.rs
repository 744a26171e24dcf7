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

/// Accuracy beyond chance by type and tier, and calibration errors, worked out here from the answers alone.
pub(crate) fn ingredients_of_capability(data: &Path) -> Result<(), String> {
    let text = fs::read_to_string(data.join("answers.jsonl")).map_err(|error| error.to_string())?;
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let card = card(data, "lexicographic", "no")?;
    let all = card.question("")?;
    let near = |part: &str, expected: f64| -> Result<f64, String> {
        let found = all.part("capability", part)?;
        if (found - expected).abs() <= 1e-9 {
            Ok(expected)
        } else {
            Err(format!("{part} is {found}, by hand {expected}"))
        }
    };
    let (mut intelligence, mut calibration) = (0.0, 0.0);
    for (kind, name) in [("choice", "choice"), ("noul", "yes_no"), ("score", "score")] {
        let of_kind = |row: &&Value| row["type"] == kind;
        let (mut weighted, mut weights) = (0.0, 0.0);
        for (tier, weight) in [
            ("easy", 0.1),
            ("standard", 0.2),
            ("judge", 0.3),
            ("hard", 0.4),
        ] {
            let of: Vec<&Value> = rows
                .iter()
                .filter(of_kind)
                .filter(|row| row["tier"] == tier)
                .collect();
            if let Some(value) = beyond_chance(kind, &of) {
                weighted += weight * near(&format!("{name}.{tier}"), value)?;
                weights += weight;
            } else if all.part("capability", &format!("{name}.{tier}")).is_ok() {
                return Err(format!(
                    "there are no questions of {name} in the tier {tier}"
                ));
            }
        }
        intelligence += near(name, weighted / weights)? / 3.0;
        let error = calibration_error(
            kind,
            rows.iter()
                .filter(of_kind)
                .filter(|row| kind != "choice" || row["tier"] == "hard"),
        );
        let binned = if kind == "choice" {
            "choice.ece_hard".to_owned()
        } else {
            format!("{name}.ece")
        };
        let mut value = 100.0 * (1.0 - near(&binned, error)? / 0.5).max(0.0);
        if kind == "score" {
            let scores: Vec<f64> = rows.iter().filter(of_kind).filter_map(rps).collect();
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            value = f64::midpoint(value, 100.0 * (1.0 - near("score.rps_normalised", mean)?));
        }
        calibration += near(&format!("{name}.calibration"), value)? / 3.0;
    }
    near("intelligence", intelligence)?;
    near("calibration", calibration)?;
    let capability = f64::midpoint(intelligence, calibration);
    all.near("capability", near("capability", capability)?, 1e-9)
}

/// The ranked probability score of levels over the number of boundaries between them.
fn rps(row: &Value) -> Option<f64> {
    let gold = gold_level(row)?;
    let shares = shares(row);
    let boundaries = shares.len() - 1;
    let share_of = |level: usize| {
        let found = shares.iter().find(|(label, _)| *label == level.to_string());
        found.map_or(0.0, |(_, share)| *share)
    };
    let mut sum = 0.0;
    let mut below = 0.0;
    for level in 0..boundaries {
        below += share_of(level);
        let came = f64::from(u8::from(gold <= level as f64));
        sum += (below - came).powi(2);
    }
    Some(sum / boundaries as f64)
}

fn gold_level(row: &Value) -> Option<f64> {
    let gold = &row["gold"];
    gold.as_str()
        .map_or_else(|| gold.as_f64(), |text| text.parse().ok())
}

fn shares(row: &Value) -> Vec<(&str, f64)> {
    let probs = row["probs"].as_object().into_iter().flatten();
    let shares: Vec<(&str, f64)> = probs
        .map(|(label, share)| (label.as_str(), share.as_f64().unwrap_or(0.0)))
        .collect();
    // Within the tolerance a sum is brought to 1, as it is when answers are read.
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    let scale = if (sum - 1.0).abs() <= 1.5e-6 {
        1.0
    } else {
        sum
    };
    shares
        .into_iter()
        .map(|(label, share)| (label, share / scale))
        .collect()
}

/// The likeliest label; of equally likely ones the first by name.
fn said(row: &Value) -> (&str, f64) {
    let mut shares = shares(row);
    shares.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
    shares[0]
}

fn is_right(row: &Value) -> bool {
    let gold = &row["gold"];
    let text = gold
        .as_str()
        .map_or_else(|| gold.to_string(), str::to_owned);
    said(row).0 == text
}

fn beyond_chance(kind: &str, rows: &[&Value]) -> Option<f64> {
    if rows.is_empty() {
        return None;
    }
    let n = rows.len() as f64;
    if kind == "score" {
        let (mut error, mut middle) = (0.0, 0.0);
        for row in rows {
            let steps = shares(row).len() as f64 - 1.0;
            let gold = gold_level(row)?;
            let level: f64 = shares(row)
                .iter()
                .map(|(label, share)| label.parse::<f64>().unwrap_or(f64::NAN) * share)
                .sum();
            error += (level - gold).abs() / steps;
            middle += (steps / 2.0 - gold).abs() / steps;
        }
        return Some(100.0 * (1.0 - error / middle));
    }
    let right = rows.iter().filter(|row| is_right(row)).count() as f64 / n;
    let chance = rows
        .iter()
        .map(|row| 1.0 / shares(row).len() as f64)
        .sum::<f64>()
        / n;
    Some(100.0 * (right - chance) / (1.0 - chance))
}

/// Ten bins of equal width, closed to the left, the last to both sides; of yes/no P(yes) is binned.
fn calibration_error<'r>(kind: &str, rows: impl Iterator<Item = &'r Value>) -> f64 {
    let (mut bins, mut n) = ([0.0; 10], 0.0);
    for row in rows {
        let (chance, came) = if kind == "noul" {
            let yes = shares(row)
                .iter()
                .find(|(label, _)| *label == "yes")
                .map_or(0.0, |found| found.1);
            (yes, row["gold"] == "yes")
        } else {
            (said(row).1, is_right(row))
        };
        let bin = ((chance * 10.0) as usize).min(9);
        bins[bin] += f64::from(u8::from(came)) - chance;
        n += 1.0;
    }
    bins.iter().map(|gap: &f64| gap.abs()).sum::<f64>() / n
}
