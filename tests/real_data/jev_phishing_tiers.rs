//! Two tiers of 200 yes/no questions, asked in three passes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::suites::{Card, run};

/// Half a unit in the fourth decimal, the precision of the published table.
const PUBLISHED: f64 = 0.00005 + 1e-9;

/// The authors' labels as ours; answers are read from their file as they are.
fn cases(data: &Path, tier: &str) -> Result<String, String> {
    let text =
        fs::read_to_string(data.join(format!("{tier}.csv"))).map_err(|error| error.to_string())?;
    let mut cases = String::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split(',');
        let (Some(item), Some(gold)) = (cells.next(), cells.next()) else {
            return Err(format!("odd line {line}"));
        };
        let gold = if gold == "phishing" { "yes" } else { "no" };
        let _ = writeln!(cases, r#"{{"id":"{item}","gold":"{gold}"}}"#);
    }
    Ok(cases)
}

fn card(data: &Path, tier: &str, passes: &str) -> Result<Card, String> {
    // Only what an assertion needs is read: the base pass, unless flips are asked about.
    let flips = if passes.starts_with('[') {
        "flip_rate: { at_most: 10%, repeats: 3 }"
    } else {
        ""
    };
    let suite = format!(
        r#"
suite: phishing
question: {{ type: yes_no, instructions: Is this e-mail phishing? }}
cases: cases.jsonl
candidates:
  jev: {{ provider: recorded, file: "{{data}}/{tier}.csv", fields: {{ case: item, p_yes: {passes} }} }}
conventions:
  ece: {{ bins: 10, closed: left, of: yes, edges: binary }}
  brier: {{ scale: binary }}
  half: yes
assert:
  accuracy: ">= 80%"
  {flips}
scorecard: off
"#
    );
    run(data, &suite, Some(&cases(data, tier)?))
}

pub(crate) fn published_figures(data: &Path) -> Result<(), String> {
    let passes = "[p_yes_pass1, p_yes_pass2, p_yes_pass3]";
    let easy = card(data, "t1", passes)?;
    let easy = easy.question("")?;
    easy.n("accuracy", 200)?;
    easy.near("accuracy", 0.975, 1e-9)?;
    easy.interval_near("accuracy", [0.9428, 0.9893], PUBLISHED)?;
    easy.near("ece", 0.1153, 1e-4)?;
    easy.near("ece_null", 0.0539, 0.003)?;
    easy.near("mce", 0.46, 0.005)?;
    easy.near("brier", 0.0313, PUBLISHED)?;
    easy.near("flip_rate", 0.010, 1e-9)?;
    let hard = card(data, "t4", passes)?;
    let hard = hard.question("")?;
    hard.near("accuracy", 0.900, 1e-9)?;
    hard.interval_near("accuracy", [0.8506, 0.9343], PUBLISHED)?;
    hard.near("ece", 0.1469, 1e-4)?;
    hard.near("ece_null", 0.0676, 0.003)?;
    hard.near("mce", 0.23, 0.005)?;
    hard.near("brier", 0.1030, PUBLISHED)?;
    hard.near("flip_rate", 0.025, 1e-9)
}

pub(crate) fn every_pass(data: &Path) -> Result<(), String> {
    for (tier, published) in [
        ("t1", [0.11525, 0.1158, 0.1159]),
        ("t4", [0.1469, 0.13715, 0.13915]),
    ] {
        for (pass, ece) in published.into_iter().enumerate() {
            let card = card(data, tier, &format!("p_yes_pass{}", pass + 1))?;
            card.question("")?.near("ece", ece, 1e-4)?;
        }
    }
    Ok(())
}
