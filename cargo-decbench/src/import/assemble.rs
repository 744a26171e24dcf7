//! From what was found to a suite, its cases and answers, with personal data replaced on the way.

use std::collections::{BTreeMap, HashMap, HashSet};

use decbench_core::decision::{
    Answer, Context, Decided, Failure, FailureKind, Probe, Question, QuestionKind,
};
use serde_json::{Map, Value as Json, json};

use super::Import;
use super::harvest::{FoundCase, Given, Harvest, LeftOut};
use super::question::{Asked, index_of, to_json};
use super::write::slug;
use super::{question, suite};
use crate::ending::Unusable;
use crate::redact::{Counts, Redactor};

/// A suite that is ready to be written.
#[derive(Debug)]
pub(super) struct Imported {
    pub(super) name: String,
    pub(super) format: &'static str,
    pub(super) suite: String,
    pub(super) cases: Vec<Map<String, Json>>,
    /// Answers by candidate.
    pub(super) answers: BTreeMap<String, Vec<Answer>>,
    pub(super) left_out: Vec<LeftOut>,
    /// What was replaced, by file and case.
    pub(super) redacted: BTreeMap<(String, String), Counts>,
}

/// Why nothing is written, and what was left out before that.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) why: Unusable,
    pub(super) left_out: Vec<LeftOut>,
}

/// Makes the suite `name`.
pub(super) fn assemble(
    harvest: Harvest<'_>,
    task: &Import,
    format: &'static str,
    name: &str,
    redactor: &Redactor,
) -> Result<Imported, Refused> {
    let mut work = Work {
        redactor,
        left_out: harvest.left_out,
        redacted: BTreeMap::new(),
        aliases: Aliases::default(),
    };
    let refused = |why: Unusable, work: Work<'_>| Refused {
        why,
        left_out: work.all_left_out(),
    };
    let mut notes = harvest.notes;
    let asked = question::asked(
        harvest.questions,
        &harvest.told,
        &harvest.cases,
        &harvest.answers,
        task,
        &mut notes,
    );
    let asked = match asked {
        Ok(asked) if !harvest.cases.is_empty() => asked,
        Ok(_) => return Err(refused(Unusable::new("nothing could be imported"), work)),
        Err(why) => return Err(refused(why, work)),
    };
    let written = match asked.redacted(redactor) {
        Ok(written) => written,
        Err(why) => return Err(refused(why, work)),
    };
    let mut cases = Vec::new();
    let mut known = HashMap::new();
    let mut ids = HashSet::new();
    for found in &harvest.cases {
        let raw = asked.of(&found.case);
        let taken = question::redacted(&raw, redactor)
            .map_err(str::to_owned)
            .and_then(|written| {
                let both = Both { raw, written };
                let (id, case) = work.case(found, &both, task, &asked, &mut ids)?;
                Ok((id, case, both))
            });
        match taken {
            Ok((id, case, both)) => {
                cases.push(case);
                known.insert(found.id.as_str(), (id, both, found.place.file.as_str()));
            }
            Err(why) => work.left_out.push(LeftOut {
                place: found.place.clone(),
                why,
            }),
        }
    }
    if cases.is_empty() {
        return Err(refused(Unusable::new("nothing could be imported"), work));
    }
    let mut answers: BTreeMap<String, Vec<Answer>> = BTreeMap::new();
    let names = candidate_names(&harvest.answers);
    for given in &harvest.answers {
        let Some((id, both, file)) = known.get(given.case.as_str()) else {
            continue;
        };
        match work.answer(given, id, both, file) {
            Ok(answer) => answers
                .entry(names[given.candidate.as_str()].clone())
                .or_default()
                .push(answer),
            Err(why) => return Err(refused(why, work)),
        }
    }
    sort(&mut answers, &cases);
    let suite = suite::Suite {
        name,
        format,
        written: &written,
        cases: &cases,
        answers: &answers,
        assertions: harvest.assertions,
        notes,
    };
    match suite.yaml() {
        Ok(text) => Ok(Imported {
            name: name.to_owned(),
            format,
            suite: text,
            left_out: work.all_left_out(),
            redacted: work.redacted,
            cases,
            answers,
        }),
        Err(why) => Err(refused(why, work)),
    }
}

/// A case's questions as they were found and as they are written; options stand at the same places.
struct Both {
    raw: Vec<Question>,
    written: Vec<Question>,
}

struct Work<'a> {
    redactor: &'a Redactor,
    left_out: Vec<LeftOut>,
    redacted: BTreeMap<(String, String), Counts>,
    aliases: Aliases,
}

/// What values of groups are called that redaction would make the same: cases of two people are no one group.
#[derive(Default)]
struct Aliases {
    /// By what was found.
    given: HashMap<String, String>,
    /// How many there are of each redacted text.
    count: HashMap<String, usize>,
}

impl Aliases {
    /// The redacted value, with a number that each value found has of its own where redaction changed it.
    fn of(&mut self, found: &str, redacted: String) -> String {
        if redacted == found {
            return redacted;
        }
        if let Some(alias) = self.given.get(found) {
            return alias.clone();
        }
        let nth = self.count.entry(redacted.clone()).or_default();
        *nth += 1;
        let alias = format!("{redacted}-{nth}");
        self.given.insert(found.to_owned(), alias.clone());
        alias
    }
}

impl Work<'_> {
    fn all_left_out(&self) -> Vec<LeftOut> {
        let mut unread = Counts::new();
        let mut left_out = self.left_out.clone();
        // What a message quotes is redacted too; it is in no file and counts nowhere.
        for left in &mut left_out {
            left.why = self.redactor.text(&left.why, &mut unread);
        }
        left_out.sort_by(|a, b| a.place.file.cmp(&b.place.file));
        left_out
    }

    fn case(
        &mut self,
        found: &FoundCase,
        both: &Both,
        task: &Import,
        asked: &Asked,
        ids: &mut HashSet<String>,
    ) -> Result<(String, Map<String, Json>), String> {
        let case = &found.case;
        let right = |part: &str, value: &Option<Json>| {
            value
                .as_ref()
                .map(|value| right(value, both).map_err(|why| format!("its {part} {why}")))
                .transpose()
        };
        let gold = right("gold", &case.gold)?;
        let mut reference = right("reference", &case.reference)?;
        let said = case.production_answer.as_deref();
        if task.references && gold.is_none() && reference.is_none() {
            // What is no option cannot be right, and stays what production said.
            reference = said.and_then(|said| right_label(said, &both.raw, &both.written).ok());
        }
        let mut counts = Counts::new();
        let redactor = self.redactor;
        let mut text = |text: &str| redactor.text(text, &mut counts);
        let id = free(&text(&found.id), ids);
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Json>| {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value);
            }
        };
        put("id", Some(Json::from(id.as_str())));
        let aliases = &mut self.aliases;
        let mut group = |found: &str| aliases.of(found, text(found));
        let cluster = case.cluster.as_deref().map(&mut group);
        let strata: Map<String, Json> = case
            .strata
            .iter()
            .map(|(name, value)| (name.clone(), Json::from(group(value))))
            .collect();
        let production = said.map(|said| match label(said, &both.raw, &both.written) {
            Some(key) => key,
            None => text(said),
        });
        let tier = case.tier.as_deref().map(&mut text);
        let language = case.language.as_deref().map(&mut text);
        let state = case
            .state
            .clone()
            .map(|state| redactor.json(state, &mut counts));
        put("state", state);
        put("gold", gold);
        put("reference", reference);
        put("production_answer", production.map(Json::from));
        put("cluster", cluster.map(Json::from));
        put(
            "strata",
            (!strata.is_empty()).then_some(Json::Object(strata)),
        );
        put("tier", tier.map(Json::from));
        put("language", language.map(Json::from));
        put("origin", Some(Json::from(case.origin)));
        put("at", case.at.as_deref().map(Json::from));
        if let (Asked::PerCase { .. }, [own]) = (asked, &both.written[..]) {
            put("question", Some(to_json(own)));
        }
        self.count(&found.place.file, &id, counts);
        Ok((id, fields))
    }

    fn count(&mut self, file: &str, case: &str, counts: Counts) {
        if counts.is_empty() {
            return;
        }
        let total = self
            .redacted
            .entry((file.to_owned(), case.to_owned()))
            .or_default();
        for (kind, count) in counts {
            *total.entry(kind).or_default() += count;
        }
    }

    fn answer(
        &mut self,
        given: &Given,
        id: &str,
        both: &Both,
        file: &str,
    ) -> Result<Answer, Unusable> {
        let position = both
            .raw
            .iter()
            .position(|question| question.name == given.question)
            .ok_or_else(|| Unusable::new(format!("there is no question `{}`", given.question)))?;
        let (raw, written) = (&both.raw[position], &both.written[position]);
        let mut counts = Counts::new();
        let outcome = match &given.said {
            Err(failure) => Err(Failure {
                message: shortened(&self.redactor.text(&failure.message, &mut counts)),
                ..failure.clone()
            }),
            Ok(decided) => self.decided(decided, raw, written, &mut counts)?,
        };
        self.count(file, id, counts);
        Ok(Answer {
            case: id.to_owned(),
            question: given.question.clone(),
            probe: Probe {
                repeat: given.repeat,
                order: (0..raw.options.len() as u16).collect(),
                context: Context::Production,
            },
            request: None,
            outcome,
            measured: given.measured.clone(),
        })
    }

    /// The answer with labels as they are written; one outside the options is the model's failure.
    fn decided(
        &self,
        decided: &Decided,
        raw: &Question,
        written: &Question,
        counts: &mut Counts,
    ) -> Result<Result<Decided, Failure>, Unusable> {
        let key = |label: &str| Some(written.options[index_of(raw, label)?].key.clone());
        let label = decided
            .label
            .as_deref()
            .map(|label| key(label).ok_or(label));
        let label = match label.transpose() {
            Ok(label) => label,
            Err(other) => {
                let said = shortened(&self.redactor.text(other, counts));
                let message = format!("`{said}` is none of the options");
                return Ok(Err(Failure::new(FailureKind::InvalidAnswer, message)));
            }
        };
        let probabilities = match &decided.probabilities {
            None => None,
            Some(shares) => {
                let mut named = Vec::with_capacity(shares.len());
                for (option, share) in shares {
                    let key = key(option).ok_or_else(|| {
                        let kind = match raw.kind {
                            QuestionKind::Choice => "choice",
                            QuestionKind::YesNo => "yes/no",
                            _ => "score",
                        };
                        Unusable::new(format!(
                            "a probability is given for `{option}`, which this {kind} question does not allow"
                        ))
                    })?;
                    named.push((key, *share));
                }
                Some(named)
            }
        };
        Ok(Ok(Decided {
            label,
            probabilities,
            ..decided.clone()
        }))
    }
}

/// What is right, as a case file writes it.
fn right(value: &Json, both: &Both) -> Result<Json, String> {
    match value {
        Json::Object(by_question) => {
            let mut all = Map::new();
            for (raw, written) in both.raw.iter().zip(&both.written) {
                if let Some(label) = by_question.get(&raw.name).and_then(Json::as_str) {
                    let alone = right_label(
                        label,
                        std::slice::from_ref(raw),
                        std::slice::from_ref(written),
                    )?;
                    all.insert(raw.name.clone(), alone);
                }
            }
            Ok(Json::Object(all))
        }
        Json::Array(labels) => labels
            .iter()
            .filter_map(Json::as_str)
            .map(|label| right_label(label, &both.raw, &both.written))
            .collect(),
        other => {
            let label = other.as_str().unwrap_or_default();
            right_label(label, &both.raw, &both.written)
        }
    }
}

fn right_label(text: &str, raw: &[Question], written: &[Question]) -> Result<Json, String> {
    label(text, raw, written)
        .map(Json::from)
        .ok_or_else(|| format!("`{}` is none of the options", shortened(text)))
}

/// The key that a single question's label is written as.
fn label(text: &str, raw: &[Question], written: &[Question]) -> Option<String> {
    let ([raw], [written]) = (raw, written) else {
        return None;
    };
    Some(written.options[index_of(raw, text)?].key.clone())
}

/// An id that no other case has.
fn free(id: &str, ids: &mut HashSet<String>) -> String {
    let mut free = id.to_owned();
    let mut nth = 1;
    while !ids.insert(free.clone()) {
        nth += 1;
        free = format!("{id}-{nth}");
    }
    free
}

/// At most 200 characters of a text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Names that candidates may have, by those they were found under.
fn candidate_names(answers: &[Given]) -> HashMap<&str, String> {
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut taken = HashSet::new();
    for given in answers {
        if !names.contains_key(given.candidate.as_str()) {
            let name = free(&slug(&given.candidate), &mut taken);
            names.insert(&given.candidate, name);
        }
    }
    names
}

/// Answers in the order of the cases, repeats of a case together.
fn sort(answers: &mut BTreeMap<String, Vec<Answer>>, cases: &[Map<String, Json>]) {
    let places: HashMap<&str, usize> = cases
        .iter()
        .enumerate()
        .filter_map(|(place, case)| Some((case.get("id")?.as_str()?, place)))
        .collect();
    for answers in answers.values_mut() {
        answers.sort_by_key(|answer| {
            (
                places.get(answer.case.as_str()).copied(),
                answer.probe.repeat,
            )
        });
    }
}

/// What was done, for machines.
impl Imported {
    /// How often each kind was replaced in all files.
    pub(super) fn replaced(&self) -> Counts {
        let mut total = Counts::new();
        for (kind, count) in self.redacted.values().flatten() {
            *total.entry(*kind).or_default() += count;
        }
        total
    }

    /// How many cases have this field.
    pub(super) fn with(&self, field: &str) -> usize {
        self.cases
            .iter()
            .filter(|case| case.contains_key(field))
            .count()
    }

    pub(super) fn to_json(&self, files: &[std::path::PathBuf]) -> Json {
        let candidates: Vec<Json> = self
            .answers
            .iter()
            .map(|(name, answers)| {
                let failures = answers
                    .iter()
                    .filter(|answer| answer.outcome.is_err())
                    .count();
                json!({ "name": name, "answers": answers.len(), "failures": failures })
            })
            .collect();
        let redacted_in: Vec<Json> = self
            .redacted
            .iter()
            .map(|((file, case), counts)| json!({ "file": file, "case": case, "replaced": counts }))
            .collect();
        let left_out: Vec<Json> = self
            .left_out
            .iter()
            .map(|left| json!({ "file": left.place.file, "record": left.place.record, "why": left.why }))
            .collect();
        json!({
            "schema": 1, "format": self.format, "suite": self.name, "cases": self.cases.len(),
            "gold": self.with("gold"), "references": self.with("reference"),
            "production_answers": self.with("production_answer"), "candidates": candidates,
            "redacted": self.replaced(), "redacted_in": redacted_in, "left_out": left_out, "files": files,
        })
    }
}
