//! `judge:`: criteria, comparison, the jury and who stands in for it.

use super::super::candidate::{ReadCandidate, check_name, settings};
use super::super::keys::Section;
use super::super::model::Candidate;
use super::super::read::{Field, Fields, Reader, suggestion};
use super::super::recording::Recording;
use super::super::tree::{Entry, Value};
use super::checks::texts;
use super::model::{Criterion, Judging, OF_CASES, OpenTask};
use crate::diagnostic::{Setting, Span};

/// The judge where none is named.
const DEFAULT_PROVIDER: &str = "system-one";
const DEFAULT_MODEL: &str = "jev-1.14.0";

/// Reads `judge:`.
pub(super) fn judging(
    reader: &mut Reader,
    field: &Field<'_>,
    candidates: &[ReadCandidate<'_>],
) -> Option<Judging> {
    let fields = reader.section(Section::Judge, "judge", field.value)?;
    let rubric = match fields.get("rubric") {
        Some(field) => rubric(reader, &field),
        None => Vec::new(),
    };
    let pairwise = fields
        .get("pairwise")
        .and_then(|field| opponent(reader, &field, candidates));
    if fields.get("rubric").is_none() && fields.get("pairwise").is_none() {
        reader
            .error(
                "missing-key",
                field.value.span,
                "`judge` does not say by what answers are judged",
            )
            .help("write `rubric:` with what a good answer does, or `pairwise: today`");
    }
    let jury = match fields.get("jury") {
        Some(field) => jury(reader, &field),
        None => vec![default_judge(field.key_span)],
    };
    let chat = fields.get("chat").and_then(|field| {
        let fields = reader.section(Section::Juror, "chat", field.value)?;
        judge(reader, "chat", field.key_span, &fields)
    });
    Some(Judging {
        rubric,
        pairwise,
        jury,
        chat,
        span: field.key_span,
    })
}

/// Criteria: one, a list, which is numbered, or a map of names.
fn rubric(reader: &mut Reader, field: &Field<'_>) -> Vec<Criterion> {
    if let Value::Map(_) = &field.value.value {
        let entries = reader.entries("rubric", field.value).unwrap_or_default();
        return entries
            .iter()
            .filter_map(|entry| criterion(reader, entry))
            .collect();
    }
    let texts = texts(reader, field).into_iter();
    texts
        .enumerate()
        .map(|(at, text)| Criterion {
            name: format!("r{}", at + 1),
            text,
        })
        .collect()
}

fn criterion(reader: &mut Reader, entry: &Entry) -> Option<Criterion> {
    if let Some(problem) = super::super::name::question_name_problem(&entry.key) {
        reader.error(
            "bad-name",
            entry.key_span,
            format!("`{}` cannot name a criterion: {problem}", entry.key),
        );
    }
    if entry.key.starts_with(OF_CASES) {
        reader
            .error(
                "bad-name",
                entry.key_span,
                format!("`{}` cannot name a criterion", entry.key),
            )
            .help(format!(
                "names that begin with `{OF_CASES}` are those of the cases' own criteria"
            ));
    }
    Some(Criterion {
        name: entry.key.clone(),
        text: reader.text_of(&entry.key, &entry.value)?.to_owned(),
    })
}

fn opponent(
    reader: &mut Reader,
    field: &Field<'_>,
    candidates: &[ReadCandidate<'_>],
) -> Option<usize> {
    let name = reader.words(field)?;
    let found = candidates
        .iter()
        .position(|read| read.candidate.name == name || (name == "today" && read.candidate.today));
    if found.is_none() {
        let (message, help) = if name == "today" {
            (
                "no candidate is what production uses now".to_owned(),
                "write `today: true` at one, or name a candidate".to_owned(),
            )
        } else {
            let names = candidates.iter().map(|read| read.candidate.name.as_str());
            (
                format!("there is no candidate `{name}`"),
                suggestion("they are", name, names),
            )
        };
        reader
            .error("unknown-candidate", field.value.span, message)
            .help(help);
    }
    found
}

fn jury(reader: &mut Reader, field: &Field<'_>) -> Vec<Candidate> {
    let entries = reader.entries("jury", field.value).unwrap_or_default();
    if entries.is_empty() && field.value.entries().is_some() {
        reader
            .error("empty-map", field.value.span, "`jury` is empty")
            .help("remove it for the default judge, or name one");
    }
    let mut judges = Vec::with_capacity(entries.len());
    for entry in entries {
        check_name(reader, "judge", &entry.key, entry.key_span);
        if entry.key == "chat" {
            reader
                .error(
                    "bad-name",
                    entry.key_span,
                    "`chat` cannot name a judge of the jury: it is the one that stands in",
                )
                .help("write it beside `jury`, or give it another name");
        }
        if let Some(fields) = reader.section(Section::Juror, &entry.key, &entry.value) {
            judges.extend(judge(reader, &entry.key, entry.key_span, &fields));
        }
    }
    judges
}

fn judge(reader: &mut Reader, name: &str, span: Span, fields: &Fields<'_>) -> Option<Candidate> {
    let Some(provider) = fields.get("provider") else {
        reader
            .error(
                "missing-key",
                span,
                format!("the judge `{name}` has no `provider`"),
            )
            .help("write who judges, as in `provider: system-one`");
        return None;
    };
    let mut judge = plain(name, reader.words(&provider)?, span);
    judge.settings = settings(reader, fields);
    judge.family = fields
        .get("family")
        .and_then(|field| reader.words(&field))
        .map(str::to_owned);
    Some(judge)
}

fn plain(name: &str, provider: &str, span: Span) -> Candidate {
    Candidate {
        name: name.to_owned(),
        provider: provider.to_owned(),
        settings: Vec::new(),
        today: false,
        baseline: false,
        skip_missing: false,
        questions: None,
        tuning_rounds: None,
        recording: Recording::default(),
        confidence_from: None,
        family: None,
        span,
    }
}

fn default_judge(span: Span) -> Candidate {
    let mut judge = plain("jev", DEFAULT_PROVIDER, span);
    judge.settings.push(Setting {
        key: "model".to_owned(),
        key_span: span,
        value: DEFAULT_MODEL.into(),
        value_span: span,
    });
    judge
}

/// Whether every candidate finds a judge.
pub(super) fn check(
    reader: &mut Reader,
    judging: &Judging,
    task: &OpenTask,
    candidates: &[ReadCandidate<'_>],
) {
    if task.is_long() && judging.chat.is_none() {
        reader
            .error(
                "no-judge",
                judging.span,
                "the prompt or the task is over 8,000 characters, by which only a chat model judges",
            )
            .help("add `chat: { provider: verbalized, model: … }`");
        return;
    }
    for read in candidates {
        let candidate = &read.candidate;
        // Models that `decbench.toml` names are looked at with their settings.
        let family = |one: &Candidate| one.family(&[]);
        if let Some((nobody, help)) = judging.without_judge(candidate, task.is_long(), family) {
            reader.error("no-judge", candidate.span, nobody).help(help);
        }
    }
}
