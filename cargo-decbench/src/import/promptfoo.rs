//! promptfoo's results.

use std::path::Path;

use decbench_core::decision::{Decided, Failure, FailureKind, Measured};
use serde_json::Value as Json;

use super::harvest::{Found, Harvest, Place, label, no_answer};
use super::mapping::{at, text};
use super::{jsonl, records};
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    let results: Json = serde_json::from_str(&records::text(path)?)
        .map_err(|error| Unusable::file(path, format!("it is no JSON: {error}")))?;
    let (Some(rows), Some(prompts)) = (
        at(&results, "results.results").and_then(Json::as_array),
        at(&results, "results.prompts").and_then(Json::as_array),
    ) else {
        return Err(Unusable::file(
            path,
            "it has no `results.results` and `results.prompts`, as `promptfoo eval -o results.json` writes them",
        ));
    };
    harvest.call(
        &at(&results, "config.description")
            .and_then(text)
            .unwrap_or_else(|| jsonl::stem(path)),
    );
    let templates = templates(prompts);
    for template in &templates {
        harvest.tell(instructions(template));
    }
    for (index, row) in rows.iter().enumerate() {
        let place = harvest.place(format!("record {}", index + 1));
        if let Err(why) = take(row, prompts, &templates, place.clone(), harvest) {
            harvest.leave_out(place, why);
        }
    }
    Ok(())
}

/// The prompts, each once; they are listed once for each provider.
fn templates(prompts: &[Json]) -> Vec<String> {
    let mut templates = Vec::new();
    for template in prompts
        .iter()
        .filter_map(|prompt| prompt.get("raw").and_then(text))
    {
        if !templates.contains(&template) {
            templates.push(template);
        }
    }
    templates
}

/// A prompt without the places that variables are put into.
fn instructions(template: &str) -> Option<String> {
    let mut rest = template;
    let mut told = String::new();
    while let Some((before, after)) = rest.split_once("{{") {
        told.push_str(before);
        rest = after.split_once("}}").map_or("", |(_, after)| after);
    }
    told.push_str(rest);
    text(&Json::from(told))
}

fn take(
    row: &Json,
    prompts: &[Json],
    templates: &[String],
    place: Place,
    harvest: &mut Harvest<'_>,
) -> Result<(), String> {
    let mapping = harvest.mapping;
    let number = row
        .get("testIdx")
        .and_then(Json::as_u64)
        .ok_or("it is no result of a test: it has no `testIdx`")?;
    let vars = row.get("vars").and_then(Json::as_object);
    let state = match vars {
        _ if mapping.has("state") => mapping.get(row, "state").cloned(),
        Some(vars) if vars.len() == 1 => vars.values().next().cloned(),
        Some(vars) if !vars.is_empty() => Some(Json::Object(vars.clone())),
        _ => None,
    };
    let gold = if mapping.has("gold") {
        mapping.get(row, "gold").and_then(text)
    } else {
        expected(row)?
    };
    let named = at(row, "testCase.description")
        .and_then(text)
        .filter(|name| !name.contains(' '));
    let found = Found {
        id: mapping
            .get(row, "id")
            .and_then(text)
            .or(named)
            .or_else(|| Some((number + 1).to_string())),
        state,
        gold: gold.map(Json::from),
        strata: mapping.strata(row),
        cluster: mapping.get(row, "cluster").and_then(text),
        tier: mapping.get(row, "tier").and_then(text),
        language: mapping.get(row, "language").and_then(text),
        origin: "file",
        ..Found::default()
    };
    let Some(case) = harvest.case(found, place) else {
        return Ok(());
    };
    let provider = ["provider.label", "provider.id"]
        .into_iter()
        .find_map(|place| at(row, place).and_then(text));
    let mut candidate = harvest.candidate(provider.as_deref());
    let template = row
        .get("promptIdx")
        .and_then(Json::as_u64)
        .and_then(|index| prompts.get(index as usize)?.get("raw").and_then(text))
        .and_then(|template| templates.iter().position(|known| *known == template));
    if let Some(position) = template.filter(|position| *position > 0) {
        candidate = format!("{candidate}-{}", position + 1);
    }
    harvest.answer(&candidate, &case, "", None, said(row), measured(row));
    Ok(())
}

/// What an `equals` assertion demands.
fn expected(row: &Json) -> Result<Option<String>, String> {
    let assertions = at(row, "testCase.assert").and_then(Json::as_array);
    let equal = assertions
        .into_iter()
        .flatten()
        .find(|assertion| assertion.get("type").and_then(Json::as_str) == Some("equals"));
    let value = equal
        .and_then(|assertion| assertion.get("value"))
        .and_then(text);
    match value {
        Some(value) if value.contains("{{") => Err(
            "its expected answer is a template; say which variable it is with `--map gold=vars.<name>`"
                .to_owned(),
        ),
        value => Ok(value),
    }
}

fn said(row: &Json) -> Result<Decided, Failure> {
    if at(row, "response.isRefusal") == Some(&Json::Bool(true)) {
        return Err(Failure::new(FailureKind::Refused, "the model refused"));
    }
    match at(row, "response.output") {
        Some(output) => Ok(label(text(output).unwrap_or_else(|| output.to_string()))),
        None => Err(no_answer(
            row.get("error")
                .and_then(text)
                .unwrap_or_else(|| "there is no output".to_owned()),
        )),
    }
}

fn measured(row: &Json) -> Measured {
    let tokens =
        |name: &str| at(row, &format!("response.tokenUsage.{name}")).and_then(Json::as_u64);
    let cached = at(row, "response.cached") == Some(&Json::Bool(true));
    Measured {
        // What came from a cache took no time worth knowing.
        latency_ms: row
            .get("latencyMs")
            .and_then(Json::as_f64)
            .filter(|_| !cached),
        input_tokens: tokens("prompt"),
        output_tokens: tokens("completion"),
        cost_usd: row.get("cost").and_then(Json::as_f64).filter(|_| !cached),
        ..Measured::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_prompt_says_what_stands_around_its_variables() {
        assert_eq!(
            instructions("Which team?\n{{call}}").as_deref(),
            Some("Which team?")
        );
        assert_eq!(instructions("{{call}}"), None);
        assert_eq!(instructions("A {{b}} C {{d").as_deref(), Some("A  C"));
    }

    #[test]
    fn only_equality_says_what_is_right() {
        let row =
            |assertion: Json| json!({"testCase": {"assert": [{"type": "latency"}, assertion]}});
        let of = |assertion: Json| expected(&row(assertion));
        assert_eq!(
            of(json!({"type": "equals", "value": "billing"})),
            Ok(Some("billing".to_owned()))
        );
        assert_eq!(
            of(json!({"type": "contains", "value": "billing"})),
            Ok(None)
        );
        assert!(of(json!({"type": "equals", "value": "{{team}}"})).is_err());
    }
}
