//! jevassert's packs (questions, cases, gates) and its recordings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use decbench_core::decision::{
    AnswerOption, Decided, Failure, FailureKind, Measured, Question, QuestionKind, complement,
};
use decbench_core::diagnostic::Source;
use decbench_core::suite::Tree;
use serde_json::{Map, Value as Json, json};

use super::harvest::{Found, Harvest, no_answer};
use super::mapping::{at, text};
use super::{jsonl, records};
use crate::ending::Unusable;

/// The label that says that nothing can be said.
const ESCAPE: &str = "unknown";

/// Recordings are read by the questions of their pack.
pub(super) fn packs_first(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = files.to_vec();
    files.sort_by_key(|file| is_recording(file));
    files
}

fn is_recording(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "jsonl")
}

pub(super) fn read(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    if is_recording(path) {
        return recording(path, harvest);
    }
    if !harvest.questions.is_empty() {
        return Err(Unusable::file(
            path,
            "a suite is made of one pack, and this is another",
        ));
    }
    let file = if path.is_dir() {
        path.join("pack.yaml")
    } else {
        path.to_owned()
    };
    pack(&file, harvest)
}

/// The whole of a YAML file.
fn yaml(path: &Path) -> Result<Json, Unusable> {
    let source = Source::read(path).map_err(|mistake| Unusable::new(mistake.render()))?;
    let tree =
        Tree::from_yaml(&Arc::new(source)).map_err(|mistakes| Unusable::new(mistakes.render()))?;
    tree.root
        .to_json()
        .map_err(|(_, problem)| Unusable::file(path, problem))
}

fn pack(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    let pack = yaml(path)?;
    if pack.get("spec") != Some(&json!(0)) {
        return Err(Unusable::file(path, "it is no pack of spec 0"));
    }
    if let Some(id) = pack.get("id").and_then(text) {
        harvest.call(&id);
    }
    let questions = pack.get("questions").and_then(Json::as_object);
    for (name, question) in questions.into_iter().flatten() {
        let question = read_question(name, question)
            .map_err(|why| Unusable::file(path, format!("question `{name}`: {why}")))?;
        harvest.questions.push(question);
    }
    if harvest.questions.is_empty() {
        return Err(Unusable::file(path, "it has no `questions`"));
    }
    if pack
        .get("thresholds")
        .is_some_and(|thresholds| !thresholds.is_null())
    {
        harvest.notes.push(
            "The pack's `thresholds` are not taken over; see coverage[accuracy >= …].".to_owned(),
        );
    }
    let gates = path.with_file_name("gates.yaml");
    if gates.exists() {
        take_gates(&yaml(&gates)?, harvest);
    }
    let cases = path.with_file_name("cases.jsonl");
    harvest.begin(&cases);
    for record in records::read(&cases, &[], harvest)? {
        let expected = record.value.get("expect").and_then(Json::as_object);
        let Some(expected) = expected else {
            harvest.leave_out(record.place, "it has no `expect`");
            continue;
        };
        match gold(expected, &harvest.questions, &pack["questions"]) {
            Err(why) => harvest.leave_out(record.place, why),
            Ok(gold) => {
                let found = Found {
                    id: record.value.get("id").and_then(text),
                    state: record.value.get("state").cloned(),
                    gold: Some(gold),
                    origin: "file",
                    ..Found::default()
                };
                harvest.case(found, record.place);
            }
        }
    }
    Ok(())
}

fn read_question(name: &str, question: &Json) -> Result<Question, String> {
    let kind = match question.get("type").and_then(Json::as_str) {
        Some("noul") => QuestionKind::YesNo,
        Some("choice") => QuestionKind::Choice,
        Some("score") => QuestionKind::Score,
        _ => return Err("its type is none of noul, choice and score".to_owned()),
    };
    let options = match kind {
        QuestionKind::YesNo => ["yes", "no"].map(AnswerOption::new).into(),
        QuestionKind::Choice => question
            .get("options")
            .and_then(Json::as_object)
            .ok_or("it has no `options`")?
            .iter()
            .map(|(key, meaning)| AnswerOption {
                key: key.clone(),
                description: text(meaning),
                escape: key == ESCAPE,
            })
            .collect(),
        _ => levels(question)?
            .iter()
            .enumerate()
            .map(|(index, level)| AnswerOption {
                key: index.to_string(),
                // The level's text is what was sent.
                description: at(question, &format!("level_descriptions.{level}"))
                    .and_then(text)
                    .or_else(|| Some(level.clone())),
                escape: level == ESCAPE,
            })
            .collect(),
    };
    Ok(Question {
        name: name.to_owned(),
        kind,
        version: None,
        instructions: question
            .get("instructions")
            .and_then(text)
            .ok_or("it has no `instructions`")?,
        options,
    })
}

fn levels(question: &Json) -> Result<Vec<String>, String> {
    let levels = question.get("levels").and_then(Json::as_array);
    let levels: Vec<String> = levels.into_iter().flatten().filter_map(text).collect();
    if levels.is_empty() {
        return Err("it has no `levels`".to_owned());
    }
    Ok(levels)
}

/// The right answers by question. Levels are known by their names, which need not be what was sent.
fn gold(expected: &Map<String, Json>, questions: &[Question], pack: &Json) -> Result<Json, String> {
    let mut gold = Map::new();
    for question in questions {
        let label = expected
            .get(&question.name)
            .and_then(text)
            .ok_or_else(|| format!("`expect` has no `{}`", question.name))?;
        let index = match question.kind {
            QuestionKind::Score => levels(&pack[&question.name])?
                .iter()
                .position(|level| *level == label),
            _ => question.index_of_label(&label),
        };
        let index =
            index.ok_or_else(|| format!("`{label}` is no answer to `{}`", question.name))?;
        gold.insert(
            question.name.clone(),
            Json::from(question.options[index].key.as_str()),
        );
    }
    Ok(Json::Object(gold))
}

/// What a gate demands of the numbers as they are; jevassert looks at no interval, but for one gate.
fn take_gates(gates: &Json, harvest: &mut Harvest<'_>) {
    let single = harvest.questions.len() == 1;
    let point = |side: &str, bound: Json| json!({ side: bound, "reading": "point" });
    for (gate, bound) in gates.as_object().into_iter().flatten() {
        let taken = match gate.as_str() {
            "min_accuracy" if single => {
                Some(("accuracy".to_owned(), point("at_least", bound.clone())))
            }
            "min_accuracy_ci_lower" if single => {
                Some(("accuracy".to_owned(), json!({ "at_least": bound })))
            }
            "max_p95_latency_ms" => Some((
                "latency.p95".to_owned(),
                point("at_most", Json::from(format!("{bound}ms"))),
            )),
            _ => None,
        };
        match taken {
            Some(assertion) => harvest.assertions.push(assertion),
            None if gate == "per_question" => {
                for (question, gates) in bound.as_object().into_iter().flatten() {
                    if let Some(least) = gates.get("min_accuracy") {
                        let name = format!("{question}.accuracy");
                        harvest
                            .assertions
                            .push((name, point("at_least", least.clone())));
                    }
                }
            }
            None => harvest.notes.push(format!(
                "gates.yaml: `{gate}: {bound}` is measured in another way here and not taken over."
            )),
        }
    }
}

fn recording(path: &Path, harvest: &mut Harvest<'_>) -> Result<(), Unusable> {
    if harvest.questions.is_empty() {
        return Err(Unusable::file(
            path,
            "name the pack that it was recorded for too",
        ));
    }
    let candidate = harvest.candidate(Some(&jsonl::stem(path)));
    for record in records::read(path, &[], harvest)? {
        let (line, place) = (record.value, record.place);
        let Some(case) = line.get("case_id").and_then(text) else {
            harvest.leave_out(place, "it has no `case_id`");
            continue;
        };
        if !harvest.has_case(&case) {
            harvest.leave_out(place, format!("the pack has no case `{case}`"));
            continue;
        }
        let measured = measured(&line);
        for question in harvest.questions.clone() {
            let said = match line.get("error").and_then(text) {
                Some(error) => Err(no_answer(error)),
                None => said(
                    line.get("answers").and_then(|all| all.get(&question.name)),
                    &question,
                ),
            };
            harvest.answer(
                &candidate,
                &case,
                &question.name,
                None,
                said,
                measured.clone(),
            );
        }
    }
    Ok(())
}

/// An answer of System One.
fn said(answer: Option<&Json>, question: &Question) -> Result<Decided, Failure> {
    let unread = |what: &str| {
        let message = format!("the recording has no `{what}` of this question");
        Err(Failure::new(FailureKind::InvalidAnswer, message))
    };
    let Some(answer) = answer else {
        return unread("answers");
    };
    if question.kind == QuestionKind::YesNo {
        return match answer.get("noul").and_then(Json::as_f64) {
            None => unread("noul"),
            Some(yes) => Ok(Decided {
                probabilities: Some(vec![
                    ("yes".to_owned(), yes),
                    ("no".to_owned(), complement(yes)),
                ]),
                ..Decided::default()
            }),
        };
    }
    let Some(shares) = answer.get("probabilities").and_then(Json::as_object) else {
        return unread("probabilities");
    };
    Ok(Decided {
        written: None,
        label: answer.get("choice").and_then(text),
        probabilities: Some(
            shares
                .iter()
                .map(|(key, share)| (key.clone(), share.as_f64().unwrap_or(f64::NAN)))
                .collect(),
        ),
        confidence: answer.get("confidence").and_then(Json::as_f64),
        format_mass: None,
    })
}

fn measured(line: &Json) -> Measured {
    let tokens = |name: &str| at(line, &format!("usage.{name}")).and_then(Json::as_u64);
    Measured {
        model: line.get("model").and_then(text),
        latency_ms: line.get("latency_ms").and_then(Json::as_f64),
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        ..Measured::default()
    }
}
