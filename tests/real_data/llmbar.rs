//! Forty judges of pairs, each asked in both orders: the figures of their authors.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::suites::{Card, run_with};

/// Judge and prompting, as the authors name them.
type Configuration = (String, String);

fn candidate_name((judge, prompting): &Configuration) -> String {
    format!("{judge}-{prompting}").to_lowercase()
}

/// The cases of one subset, and one recording per configuration. The texts are not needed to read answers.
fn files(data: &Path, subset: &str) -> Result<BTreeMap<Configuration, String>, String> {
    let text =
        fs::read_to_string(data.join("judgements.csv")).map_err(|error| error.to_string())?;
    let mut recordings: BTreeMap<Configuration, String> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [item, judge, prompting, given, swapped] = cells.as_slice() else {
            return Err(format!("odd line {line}"));
        };
        if !item.starts_with(subset) {
            continue;
        }
        let recording = recordings
            .entry(((*judge).to_owned(), (*prompting).to_owned()))
            .or_default();
        for (winner, order) in [(given, [0, 1]), (swapped, [1, 0])] {
            let mut answer = json!({ "case": item, "probe": { "order": order } });
            if winner.is_empty() {
                answer["error"] = json!({ "kind": "invalid_answer", "message": "no winner named" });
            } else {
                answer["label"] = json!(winner);
            }
            let _ = writeln!(recording, "{answer}");
        }
    }
    Ok(recordings)
}

fn card(data: &Path, subset: &str) -> Result<(Card, Vec<Configuration>), String> {
    let items = fs::read_to_string(data.join("items.jsonl")).map_err(|error| error.to_string())?;
    let mut cases = String::new();
    for line in items.lines() {
        let item: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if item["subset"] == subset {
            let _ = writeln!(
                cases,
                "{}",
                json!({ "id": item["id"], "gold": item["gold"] })
            );
        }
    }
    let recordings = files(data, subset)?;
    let mut candidates = String::new();
    let mut written = vec![("cases.jsonl".to_owned(), cases)];
    for (configuration, recording) in &recordings {
        let name = candidate_name(configuration);
        let _ = writeln!(
            candidates,
            "  {name}: {{ provider: recorded, file: {name}.jsonl }}"
        );
        written.push((format!("{name}.jsonl"), recording.clone()));
    }
    let suite = format!(
        r#"
suite: llmbar
question:
  type: choice
  instructions: Which output follows the instruction better?
  options: ["1", "2"]
cases: cases.jsonl
candidates:
{candidates}
assert:
  order_flip_rate: {{ at_most: 100%, orders: 2 }}
compare: {{ against: chatgpt-vanilla }}
scorecard: off
"#
    );
    let card = run_with(data, &suite, &written)?;
    Ok((card, recordings.into_keys().collect()))
}

pub(crate) fn published_figures(data: &Path) -> Result<(), String> {
    let published: Value = serde_json::from_str(
        &fs::read_to_string(data.join("published.json")).map_err(|error| error.to_string())?,
    )
    .map_err(|error| error.to_string())?;
    let mut with_every_answer = 0;
    for subset in ["Natural", "GPTInst"] {
        let (card, configurations) = card(data, subset)?;
        for configuration in &configurations {
            let (judge, prompting) = configuration;
            let figures = &published["configurations"][format!("{subset} | {judge} | {prompting}")];
            let count = |name: &str| figures[name].as_f64().ok_or_else(|| format!("no {name}"));
            let n = count("n")?;
            let found = card.of(&candidate_name(configuration), "")?;
            found.near("accuracy", count("correct_as_given")? / n, 1e-12)?;
            found.near(
                "accuracy[order=reversed]",
                count("correct_swapped")? / n,
                1e-12,
            )?;
            found.near("order_both_right", count("correct_both")? / n, 1e-12)?;
            if count("no_answer")? == 0.0 {
                with_every_answer += 1;
                let same = count("same_winner_both_orders")?;
                found.near("order_flip_rate", 1.0 - same / n, 1e-12)?;
                found.near("order_kappa", count("kappa_between_orders")?, 1e-9)?;
            }
        }
    }
    if with_every_answer >= 40 {
        Ok(())
    } else {
        Err(format!(
            "{with_every_answer} configurations answered everything, too few to say anything"
        ))
    }
}

pub(crate) fn two_judges_compared(data: &Path) -> Result<(), String> {
    for (subset, better, worse, p) in [
        ("Natural", 16, 1, 0.000_274_658_203_125),
        ("GPTInst", 53, 0, 2.220_446_049_250_313e-16),
    ] {
        let (card, _) = card(data, subset)?;
        let comparisons = card.0["comparisons"].as_array().ok_or("no comparisons")?;
        let found = comparisons
            .iter()
            .find(|line| line["candidate"] == "gpt-4-vanilla")
            .ok_or("no comparison of GPT-4")?;
        let discordant = json!({ "better": better, "worse": worse });
        // Theirs is two-sided.
        let two_sided = 2.0 * found["mcnemar_p"].as_f64().ok_or("no p")?;
        if found["discordant"] != discordant || (two_sided / p - 1.0).abs() > 1e-9 {
            return Err(format!("{subset}: {found}"));
        }
    }
    Ok(())
}
