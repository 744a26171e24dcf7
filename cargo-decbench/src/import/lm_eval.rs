//! Samples of the lm-evaluation-harness.

use std::path::Path;

use decbench_core::decision::{Decided, Measured};
use serde_json::Value as Json;

use super::harvest::{Found, Harvest, label};
use super::mapping::{at, text};
use super::records::{self, Record};
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    harvest.call(&task(path));
    // The harness puts the samples of a model into a folder of its name.
    let folder = path.parent().and_then(Path::file_name);
    let model = folder.map(|name| name.to_string_lossy().into_owned());
    for record in records::read(path, &[], harvest)? {
        let place = record.place.clone();
        if let Err(why) = sample(record, model.as_deref(), harvest) {
            harvest.leave_out(place, why);
        }
    }
    Ok(())
}

/// The task in `samples_<task>_<time>.jsonl`.
fn task(path: &Path) -> String {
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = stem.strip_prefix("samples_").unwrap_or(&stem);
    match stem.rsplit_once('_') {
        Some((task, time)) if time.starts_with(|first: char| first.is_ascii_digit()) => task,
        _ => stem,
    }
    .to_owned()
}

fn sample(record: Record, model: Option<&str>, harvest: &mut Harvest<'_>) -> Result<(), String> {
    let (sample, place) = (record.value, record.place);
    let target = at(&sample, "target").and_then(text);
    let replies = sample.get("filtered_resps").and_then(Json::as_array);
    let (Some(target), Some(replies)) = (target, replies) else {
        return Err(
            "it is no sample of the harness: it has no `target` or `filtered_resps`".to_owned(),
        );
    };
    let likelihoods: Option<Vec<f64>> = replies.iter().map(likelihood).collect();
    let options = likelihoods.is_some().then(|| continuations(&sample));
    let gold = match &options {
        None => target,
        Some(options) => {
            if Some(options.len()) != likelihoods.as_ref().map(Vec::len) {
                return Err("`arguments` has not one continuation for each likelihood".to_owned());
            }
            let by_place = target
                .parse::<usize>()
                .ok()
                .and_then(|index| options.get(index));
            let by_name = options.iter().find(|option| **option == target);
            by_place
                .or(by_name)
                .cloned()
                .ok_or_else(|| format!("its target `{target}` is none of the choices"))?
        }
    };
    let mapping = harvest.mapping;
    let found = Found {
        id: mapping.get_or(&sample, "id", "doc_id").and_then(text),
        state: mapping
            .get_or(&sample, "state", "arguments.gen_args_0.arg_0")
            .cloned(),
        gold: Some(Json::from(gold)),
        options: options.clone(),
        strata: mapping.strata(&sample),
        cluster: mapping.get(&sample, "cluster").and_then(text),
        tier: mapping.get(&sample, "tier").and_then(text),
        language: mapping.get(&sample, "language").and_then(text),
        origin: "file",
        ..Found::default()
    };
    let Some(case) = harvest.case(found, place) else {
        return Ok(());
    };
    let mut candidate = harvest.candidate(model);
    match sample.get("filter").and_then(Json::as_str) {
        None | Some("none") => {}
        Some(filter) => candidate = format!("{candidate}-{filter}"),
    }
    if let (Some(options), Some(likelihoods)) = (options, likelihoods) {
        let note = "Probabilities are the likelihoods that the model gave the choices, divided by their sum.";
        if !harvest.notes.iter().any(|known| known == note) {
            harvest.notes.push(note.to_owned());
        }
        let said = chosen(&options, &likelihoods);
        harvest.answer(&candidate, &case, "", None, Ok(said), Measured::default());
        return Ok(());
    }
    for reply in replies {
        let said = Ok(label(text(reply).unwrap_or_default()));
        harvest.answer(&candidate, &case, "", None, said, Measured::default());
    }
    Ok(())
}

/// The logarithm of a likelihood, in a pair with whether the choice is the most likely text.
fn likelihood(reply: &Json) -> Option<f64> {
    match reply.as_array()?.as_slice() {
        [Json::String(text), _] => text.parse().ok(),
        [Json::Number(number), _] => number.as_f64(),
        _ => None,
    }
}

/// The text of each choice.
fn continuations(sample: &Json) -> Vec<String> {
    (0..)
        .map_while(|nth| at(sample, &format!("arguments.gen_args_{nth}.arg_1")).and_then(text))
        .collect()
}

/// The most likely choice, and each one's part of the sum.
fn chosen(options: &[String], likelihoods: &[f64]) -> Decided {
    let top = likelihoods
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = likelihoods
        .iter()
        .map(|likelihood| (likelihood - top).exp())
        .collect();
    let sum: f64 = shares.iter().sum();
    let first = likelihoods.iter().position(|likelihood| *likelihood == top);
    Decided {
        label: first.map(|first| options[first].clone()),
        probabilities: Some(
            options
                .iter()
                .cloned()
                .zip(shares.iter().map(|share| share / sum))
                .collect(),
        ),
        ..Decided::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihoods_become_shares_of_their_sum() {
        let options = ["a".to_owned(), "b".to_owned()];
        let decided = chosen(
            &options,
            &[-1000.0 + 0.75_f64.ln(), -1000.0 + 0.25_f64.ln()],
        );
        assert_eq!(decided.label.as_deref(), Some("a"));
        let shares = decided.probabilities.unwrap();
        assert!((shares[0].1 - 0.75).abs() < 1e-9, "{shares:?}");
        assert!((shares[1].1 - 0.25).abs() < 1e-9, "{shares:?}");
    }

    #[test]
    fn the_task_is_in_the_name_of_the_file() {
        for (name, expected) in [
            (
                "samples_call_routing_2026-11-30T08-36-23.427400.jsonl",
                "call_routing",
            ),
            ("samples_call_routing.jsonl", "call_routing"),
            ("other.jsonl", "other"),
        ] {
            assert_eq!(task(Path::new(name)), expected);
        }
    }
}
