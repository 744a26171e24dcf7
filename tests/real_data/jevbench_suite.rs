//! The published figures of one leaderboard entry, reached by a suite: answers made up so that every ingredient comes
//! out as published must put together what was published.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::suites::{Card, run_with};

const TOLERANCE: f64 = 1e-9;
const TIERS: [&str; 4] = ["easy", "standard", "judge", "hard"];
const SPLITS: [&str; 2] = ["open", "sealed"];

/// Cases and answers under way.
#[derive(Default)]
struct Made {
    cases: String,
    answers: Vec<Value>,
}

impl Made {
    fn case(&mut self, mut case: Value, weight: f64, shares: &Value) {
        let id = format!("c-{:03}", self.answers.len());
        case["id"] = json!(id);
        case["state"] = json!(format!("state {id}"));
        case["weight"] = json!(weight);
        let _ = writeln!(self.cases, "{case}");
        self.answers
            .push(json!({ "case": id, "probabilities": shares }));
    }

    /// A question of two answers in one split and tier, answered right with this weight and wrong with the rest, both
    /// at the same confidence.
    fn two(&mut self, kind: &str, split: &str, tier: &str, right: f64, confidence: f64) {
        let (question, said, other) = if kind == "choice" {
            (
                json!({ "type": "choice", "instructions": "Which?", "options": ["a", "b"] }),
                "a",
                "b",
            )
        } else {
            (
                json!({ "type": "yes_no", "instructions": "Is it?" }),
                "yes",
                "no",
            )
        };
        for (gold, weight) in [(said, right), (other, 1.0 - right)] {
            let shares = json!({ said: confidence, other: 1.0 - confidence });
            let case = json!({
                "question": question, "gold": gold, "tier": tier, "strata": { "split": split },
            });
            self.case(case, weight, &shares);
        }
    }
}

fn number(value: &Value) -> Result<f64, String> {
    value
        .as_f64()
        .ok_or_else(|| format!("{value} is no number"))
}

/// The accuracy of two options that is so much beyond chance.
fn accuracy(beyond: f64) -> f64 {
    0.5 + beyond / 200.0
}

/// What is beyond chance by split and tier.
fn tiers(entry: &Value, kind: &str) -> Result<Vec<(&'static str, &'static str, f64)>, String> {
    let mut found = Vec::with_capacity(8);
    for split in SPLITS {
        for (at, tier) in TIERS.into_iter().enumerate() {
            found.push((split, tier, number(&entry[split][kind]["cc_by_tier"][at])?));
        }
    }
    Ok(found)
}

/// Scores of two levels with the published errors, ranked probability score and calibration error.
///
/// Gold is level 1, and half of a tier's weight misses it by a little less, half by a little more: by how much is
/// what the ranked probability score wants. That leaves every confidence too low; wrong answers with two acceptable
/// levels, which have neither an error nor a ranked probability score, bring the calibration error to its figure.
fn scores(made: &mut Made, entry: &Value) -> Result<(), String> {
    let published = &entry["calibration"]["score"];
    let rps = number(&published["normalised_rps"])?;
    let ece = number(&published["top_ece"])?;
    let tiers = tiers(entry, "score")?;
    // With two levels the middle is half a step off, so that what is beyond chance is 1 less twice the error.
    let misses: Vec<f64> = tiers.iter().map(|(.., cc)| 0.5 - cc / 200.0).collect();
    let mean_square = misses.iter().map(|miss| miss * miss).sum::<f64>() / misses.len() as f64;
    let apart = (rps / mean_square - 1.0).sqrt();
    let mut gaps = [0.0; 10];
    let levels =
        |levels: &[&str]| json!({ "type": "score", "instructions": "How?", "levels": levels });
    for ((split, tier, _), miss) in tiers.iter().zip(&misses) {
        for side in [1.0 - apart, 1.0 + apart] {
            let off = miss * side;
            if !(0.0..0.5).contains(&off) {
                return Err(format!("a miss of {off} is no right answer"));
            }
            gaps[(((1.0 - off) * 10.0) as usize).min(9)] += 0.5 * off;
            let case = json!({
                "question": levels(&["low", "high"]), "gold": 1, "tier": tier, "strata": { "split": split },
            });
            made.case(case, 0.5, &json!({ "0": off, "1": 1.0 - off }));
        }
    }
    let middle = |bin: usize| (bin as f64 + 0.5) / 10.0;
    let gap: f64 = gaps.iter().sum();
    let cost: f64 = gaps
        .iter()
        .enumerate()
        .map(|(bin, gap)| gap / middle(bin))
        .sum();
    let weight = tiers.len() as f64;
    let kept = ece * (weight + cost) / (gap + ece * cost);
    for (bin, gap) in gaps.iter().enumerate().filter(|(_, gap)| **gap > 0.0) {
        let top = middle(bin);
        let case = json!({
            "question": levels(&["low", "middle", "high"]), "gold": [0, 1], "tier": "hard", "strata": { "split": "open" },
        });
        let rest = (1.0 - top) / 2.0;
        let shares = json!({ "0": rest, "1": rest, "2": top });
        made.case(case, (1.0 - kept) * gap / top, &shares);
    }
    Ok(())
}

fn made(entry: &Value) -> Result<Made, String> {
    let mut made = Made::default();
    let choices = tiers(entry, "choice")?;
    let hard: Vec<f64> = choices
        .iter()
        .filter(|(_, tier, _)| *tier == "hard")
        .map(|(.., cc)| accuracy(*cc))
        .collect();
    let ece = number(&entry["calibration"]["choice"]["ece_hard"])?;
    let sure = hard.iter().sum::<f64>() / hard.len() as f64 - ece;
    for (split, tier, beyond) in choices {
        let confidence = if tier == "hard" { sure } else { 0.75 };
        made.two("choice", split, tier, accuracy(beyond), confidence);
    }
    let yes_no = tiers(entry, "noul")?;
    let right = yes_no.iter().map(|(.., cc)| accuracy(*cc)).sum::<f64>() / yes_no.len() as f64;
    let sure = right - number(&entry["calibration"]["noul"]["ece_p_yes"])?;
    for (split, tier, beyond) in yes_no {
        made.two("yes_no", split, tier, accuracy(beyond), sure);
    }
    scores(&mut made, entry)?;
    // Nine in ten calls take the median's time, and the rest that of the 95% point.
    let n = made.answers.len();
    for (at, answer) in made.answers.iter_mut().enumerate() {
        let time = if at * 10 < n * 9 { "p50_s" } else { "p95_s" };
        answer["latency_ms"] = json!(1000.0 * number(&entry["speed"][time])?);
        answer["cost_usd"] = json!(number(&entry["cost"]["usd_per_1000"])? / 1000.0);
    }
    Ok(made)
}

fn card(data: &Path, entry: &Value) -> Result<Card, String> {
    let made = made(entry)?;
    let answers = made.answers.iter().fold(String::new(), |mut text, answer| {
        let _ = writeln!(text, "{answer}");
        text
    });
    let suite = "
suite: leaderboard
cases: cases.jsonl
candidates:
  sage: { provider: recorded, file: answers.jsonl }
assert:
  capability: { at_least: 50, sample: population }
  composite[A]: '>= 0'
  composite[B]: '>= 0'
  composite[balanced]: '>= 0'
  composite[accuracy]: '>= 0'
  composite[speed]: '>= 0'
  composite[cost]: '>= 0'
scorecard: off
";
    let files = [
        ("cases.jsonl".to_owned(), made.cases),
        ("answers.jsonl".to_owned(), answers),
    ];
    run_with(data, suite, &files)
}

pub(crate) fn every_figure_through_a_suite(data: &Path) -> Result<(), String> {
    let text =
        fs::read_to_string(data.join("components.json")).map_err(|error| error.to_string())?;
    let entry: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let card = card(data, &entry)?;
    let all = card.question("")?.population();
    let near = |part: &str, published: &Value| -> Result<(), String> {
        let (found, published) = (all.part("capability", part)?, number(published)?);
        if (found - published).abs() <= TOLERANCE {
            Ok(())
        } else {
            Err(format!("{part} is {found}, published {published}"))
        }
    };
    for (kind, name) in [("choice", "choice"), ("noul", "yes_no"), ("score", "score")] {
        for split in SPLITS {
            for (at, tier) in TIERS.into_iter().enumerate() {
                let published = &entry[split][kind]["cc_by_tier"][at];
                near(&format!("{split}.{name}.{tier}"), published)?;
            }
            near(&format!("{split}.{name}"), &entry[split][kind]["cc"])?;
        }
        let calibration = &entry["calibration"][kind];
        near(&format!("{name}.calibration"), &calibration["score"])?;
    }
    let published = &entry["intelligence"];
    for (part, name) in [
        ("open", "open"),
        ("sealed", "sealed"),
        ("gap", "gap"),
        ("penalty", "penalty"),
        ("intelligence", "value"),
    ] {
        near(part, &published[name])?;
    }
    let calibration = &entry["calibration"];
    near("choice.ece_hard", &calibration["choice"]["ece_hard"])?;
    near("yes_no.ece", &calibration["noul"]["ece_p_yes"])?;
    near("score.ece", &calibration["score"]["top_ece"])?;
    near(
        "score.rps_normalised",
        &calibration["score"]["normalised_rps"],
    )?;
    near("calibration", &calibration["value"])?;
    let figure = |metric: &str, published: &Value| all.near(metric, number(published)?, TOLERANCE);
    figure("capability", &entry["capability"]["value"])?;
    figure("speed_score", &entry["speed"]["value"])?;
    figure("cost_score", &entry["cost"]["value"])?;
    figure("composite[A]", &entry["composite_A"])?;
    figure("composite[B]", &entry["composite_B"])?;
    for view in ["balanced", "accuracy", "speed", "cost"] {
        figure(&format!("composite[{view}]"), &entry["views"][view])?;
    }
    Ok(())
}
