//! Inspect's `.eval` logs: an archive of a header and one JSON file per sample and epoch.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use decbench_core::decision::{Decided, Failure, FailureKind, Measured};
use serde_json::Value as Json;
use zip::{CompressionMethod, ZipArchive};

use super::chat;
use super::harvest::{Found, Harvest, label, no_answer};
use super::mapping::{at, text};
use crate::ending::Unusable;

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    let unusable = |error: String| Unusable::file(path, error);
    let file = File::open(path).map_err(|error| unusable(error.to_string()))?;
    let mut archive =
        ZipArchive::new(file).map_err(|error| unusable(format!("it is no .eval log: {error}")))?;
    let header = json(&mut archive, "header.json").map_err(|error| {
        unusable(format!(
            "it has no readable header.json, as a log that was never finished: {error}"
        ))
    })?;
    if let Some(task) = at(&header, "eval.task").and_then(text) {
        harvest.call(&task);
    }
    let model = at(&header, "eval.model").and_then(text);
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .filter(|name| name.starts_with("samples/") && !name.ends_with('/'))
        .collect();
    names.sort();
    for name in names {
        let place = harvest.place(name.clone());
        let taken = json(&mut archive, &name)
            .and_then(|sample| take(&sample, &name, model.as_deref(), harvest));
        if let Err(why) = taken {
            harvest.leave_out(place, why);
        }
    }
    Ok(())
}

/// A file of the archive. Logs are written with Deflate, and since 2026 with Zstandard.
fn json<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> Result<Json, String> {
    let position = archive
        .index_for_name(name)
        .ok_or_else(|| format!("the archive has no `{name}`"))?;
    let mut bytes = Vec::new();
    let method = archive
        .by_index_raw(position)
        .map_err(|error| error.to_string())?
        .compression();
    if method == CompressionMethod::ZSTD {
        let packed = archive
            .by_index_raw(position)
            .map_err(|error| error.to_string())?;
        ruzstd::decoding::StreamingDecoder::new(packed)
            .map_err(|error| error.to_string())?
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
    } else {
        archive
            .by_index(position)
            .map_err(|error| error.to_string())?
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
    }
    serde_json::from_slice(&bytes).map_err(|error| format!("it is no JSON: {error}"))
}

fn take(
    sample: &Json,
    name: &str,
    model: Option<&str>,
    harvest: &mut Harvest<'_>,
) -> Result<(), String> {
    let options: Option<Vec<String>> = sample
        .get("choices")
        .and_then(Json::as_array)
        .filter(|choices| !choices.is_empty())
        .map(|choices| choices.iter().filter_map(text).collect());
    let mapping = harvest.mapping;
    let state = match sample.get("input") {
        _ if mapping.has("state") => mapping.get(sample, "state").cloned(),
        Some(Json::Array(messages)) => chat::read(messages).state,
        Some(Json::String(text)) => Some(Json::from(text.as_str())),
        _ => None,
    };
    if let Some(messages) = sample.get("messages").and_then(Json::as_array) {
        harvest.tell(chat::read(messages).told);
    }
    let found = Found {
        id: mapping.get_or(sample, "id", "id").and_then(text),
        state,
        gold: gold(sample, options.as_deref())?,
        options: options.clone(),
        strata: mapping.strata(sample),
        cluster: mapping.get(sample, "cluster").and_then(text),
        tier: mapping.get(sample, "tier").and_then(text),
        language: mapping.get(sample, "language").and_then(text),
        origin: "file",
        ..Found::default()
    };
    let place = harvest.place(name);
    let Some(case) = harvest.case(found, place) else {
        return Ok(());
    };
    // Epochs count from 1.
    let epoch = sample.get("epoch").and_then(Json::as_u64).unwrap_or(1);
    let repeat = u32::try_from(epoch.saturating_sub(1)).ok();
    let candidate = harvest.candidate(model);
    let said = said(sample, options.as_deref());
    harvest.answer(&candidate, &case, "", repeat, said, measured(sample));
    Ok(())
}

/// What is right: the letter of a choice, or a text.
fn gold(sample: &Json, options: Option<&[String]>) -> Result<Option<Json>, String> {
    let targets: Vec<String> = match sample.get("target") {
        Some(Json::Array(targets)) => targets.iter().filter_map(text).collect(),
        Some(target) => text(target).into_iter().collect(),
        None => Vec::new(),
    };
    let Some(options) = options else {
        // Without choices each target is right by itself.
        return Ok(match &targets[..] {
            [] => None,
            [single] => Some(Json::from(single.as_str())),
            several => Some(Json::from(several)),
        });
    };
    match &targets[..] {
        [] => Ok(None),
        [letter] => lettered(letter, options)
            .map(|option| Some(Json::from(option)))
            .ok_or_else(|| format!("its target `{letter}` is the letter of no choice")),
        several => Err(format!(
            "{} choices are right at once, and a case has one answer",
            several.len()
        )),
    }
}

/// What the first scorer with an answer read from the reply.
fn said(sample: &Json, options: Option<&[String]>) -> Result<Decided, Failure> {
    if let Some(error) = at(sample, "error.message").and_then(text) {
        return Err(no_answer(format!(
            "the sample ended with an error: {error}"
        )));
    }
    let scores = sample.get("scores").and_then(Json::as_object);
    let answer = scores
        .into_iter()
        .flat_map(|scores| scores.values())
        .find_map(|score| score.get("answer").and_then(text));
    let completion = at(sample, "output.completion").and_then(text);
    let unread = || {
        let message = format!(
            "no answer was read from `{}`",
            completion.unwrap_or_default()
        );
        Err(Failure::new(FailureKind::InvalidAnswer, message))
    };
    match (answer, options) {
        (None, _) => unread(),
        (Some(answer), None) => Ok(label(answer)),
        (Some(answer), Some(options)) => {
            lettered(&answer, options).map_or_else(unread, |option| Ok(label(option)))
        }
    }
}

/// The choice of a letter.
fn lettered<'o>(letter: &str, options: &'o [String]) -> Option<&'o str> {
    let mut characters = letter.chars();
    let letter = characters.next().filter(char::is_ascii_uppercase)?;
    let position = usize::from(u8::try_from(letter).ok()? - b'A');
    match characters.next() {
        None => options.get(position).map(String::as_str),
        Some(_) => None,
    }
}

fn measured(sample: &Json) -> Measured {
    let tokens = |name: &str| at(sample, &format!("output.usage.{name}")).and_then(Json::as_u64);
    Measured {
        model: at(sample, "output.model").and_then(text),
        latency_ms: at(sample, "output.time")
            .and_then(Json::as_f64)
            .map(|seconds| seconds * 1000.0),
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        at: sample.get("started_at").and_then(text),
        ..Measured::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn targets_are_letters_where_there_are_choices() {
        let options = ["billing".to_owned(), "support".to_owned()];
        let gold =
            |target: Json, options: Option<&[String]>| gold(&json!({ "target": target }), options);
        assert_eq!(gold(json!("B"), Some(&options)), Ok(Some(json!("support"))));
        assert_eq!(gold(json!("B"), None), Ok(Some(json!("B"))));
        assert_eq!(gold(json!(["x", "y"]), None), Ok(Some(json!(["x", "y"]))));
        assert!(gold(json!("C"), Some(&options)).is_err());
        assert!(gold(json!("AB"), Some(&options)).is_err());
        assert!(gold(json!(["A", "B"]), Some(&options)).is_err());
    }

    #[test]
    fn a_sample_without_an_answer_is_a_failure_of_its_kind() {
        let options = ["billing".to_owned(), "support".to_owned()];
        let broken = json!({"error": {"message": "no connection"}, "scores": {}});
        assert_eq!(
            said(&broken, Some(&options)).unwrap_err().kind,
            FailureKind::Http
        );
        let chatty =
            json!({"output": {"completion": "I think so"}, "scores": {"choice": {"answer": ""}}});
        let failure = said(&chatty, Some(&options)).unwrap_err();
        assert_eq!(failure.kind, FailureKind::InvalidAnswer);
        assert!(failure.message.contains("I think so"));
    }
}
