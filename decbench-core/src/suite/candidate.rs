//! Candidates: who could take the decision.

use super::confidence::{self, AgreeWith};
use super::keys::Section;
use super::model::Candidate;
use super::name::{name_problem, proposed_name};
use super::question::{self, ReadQuestion};
use super::read::{Field, Fields, Reader};
use super::recording::recording;
use crate::diagnostic::{Setting, Span};

/// A candidate and its own assertions.
pub(super) struct ReadCandidate<'n> {
    /// The candidate.
    pub(super) candidate: Candidate,
    /// Its own `assert:`.
    pub(super) assert: Option<Field<'n>>,
    /// Whom `confidence_from` names.
    pub(super) agree_with: Option<AgreeWith>,
}

/// Reads `candidates:`.
pub(super) fn candidates<'n>(
    reader: &mut Reader,
    suite: &Fields<'n>,
    suite_span: Span,
    questions: &[ReadQuestion<'_>],
) -> Vec<ReadCandidate<'n>> {
    let Some(field) = suite.get("candidates") else {
        reader
            .error("no-candidates", suite_span, "the suite has no `candidates`")
            .help("name at least one, as in `jev: { provider: system-one, model: jev-1.13.0 }`");
        return Vec::new();
    };
    let entries = reader
        .entries("candidates", field.value)
        .unwrap_or_default();
    if entries.is_empty() && field.value.entries().is_some() {
        reader
            .error("no-candidates", field.key_span, "`candidates` is empty")
            .help("name at least one, as in `jev: { provider: system-one, model: jev-1.13.0 }`");
    }
    let mut read: Vec<ReadCandidate<'n>> = Vec::with_capacity(entries.len());
    for entry in entries {
        check_name(reader, "candidate", &entry.key, entry.key_span);
        if entry.value.entries().is_none() {
            reader
                .unexpected(&entry.key, &entry.value, "a map")
                .help(format!("write `{}: {{ provider: … }}`", entry.key));
            continue;
        }
        if let Some(fields) = reader.section(Section::Candidate, &entry.key, &entry.value) {
            read.push(candidate(
                reader,
                &entry.key,
                entry.key_span,
                &fields,
                questions,
            ));
        }
    }
    one_today(reader, &read);
    confidence::resolve(reader, &mut read);
    read
}

/// Reports a name of a suite or a candidate that is of no use.
pub(super) fn check_name(reader: &mut Reader, what: &str, name: &str, span: Span) {
    let problem = if what == "candidate" && name == "data" {
        Some("trials that check the data have this name")
    } else {
        name_problem(name)
    };
    if let Some(problem) = problem {
        reader
            .error(
                "bad-name",
                span,
                format!("`{name}` cannot name a {what}: {problem}"),
            )
            .maybe_help(
                proposed_name(name)
                    .filter(|proposed| proposed != name)
                    .map(|proposed| format!("write `{proposed}`")),
            );
    }
}

fn candidate<'n>(
    reader: &mut Reader,
    name: &str,
    span: Span,
    fields: &Fields<'n>,
    questions: &[ReadQuestion<'_>],
) -> ReadCandidate<'n> {
    let provider = fields.get("provider");
    if provider.is_none() {
        reader
            .error(
                "missing-key",
                span,
                format!("the candidate `{name}` has no `provider`"),
            )
            .help("write who answers, as in `provider: system-one`");
    }
    let provider = provider
        .and_then(|field| reader.words(&field))
        .unwrap_or_default()
        .to_owned();
    let always_baseline = provider == "naive-bayes";
    let baseline = fields
        .get("baseline")
        .and_then(|field| Some((reader.flag(&field)?, field)));
    if let Some((false, field)) = &baseline
        && always_baseline
    {
        reader
            .error(
                "always-baseline",
                field.value.span,
                "naive-bayes is always a baseline",
            )
            .help("remove `baseline: false`");
    }
    let settings = settings(reader, fields);
    let sound = questions.iter().all(|read| read.sound);
    ReadCandidate {
        candidate: Candidate {
            name: name.to_owned(),
            provider,
            settings,
            today: fields
                .get("today")
                .and_then(|field| reader.flag(&field))
                .unwrap_or(false),
            baseline: always_baseline || baseline.is_some_and(|(baseline, _)| baseline),
            skip_missing: fields
                .get("missing")
                .and_then(|field| reader.one_of(&field))
                == Some("skip"),
            // Without the suite's options there is nothing to compare the wording's with.
            questions: if sound && !questions.is_empty() {
                question::wordings(reader, fields, questions)
            } else {
                None
            },
            tuning_rounds: fields
                .get("tuning_rounds")
                .and_then(|field| reader.whole(&field)),
            recording: recording(reader, fields),
            confidence_from: None,
            family: fields
                .get("family")
                .and_then(|field| reader.words(&field))
                .map(str::to_owned),
            span,
        },
        assert: fields.get("assert"),
        agree_with: confidence::read(reader, fields),
    }
}

/// The provider's own settings.
pub(super) fn settings(reader: &mut Reader, fields: &Fields<'_>) -> Vec<Setting> {
    let mut settings = Vec::with_capacity(fields.others.len());
    for entry in &fields.others {
        match entry.value.to_json() {
            Ok(value) => settings.push(Setting {
                key: entry.key.clone(),
                key_span: entry.key_span,
                value,
                value_span: entry.value.span,
            }),
            Err((span, problem)) => {
                reader.error(
                    "bad-setting",
                    span,
                    format!("`{}` cannot have this value: {problem}", entry.key),
                );
            }
        }
    }
    settings
}

fn one_today(reader: &mut Reader, read: &[ReadCandidate<'_>]) {
    let mut today = read.iter().filter(|read| read.candidate.today);
    if let (Some(first), Some(second)) = (today.next(), today.next()) {
        let span = second.candidate.span;
        reader
            .error(
                "two-todays",
                span,
                format!(
                    "`{}` is a second candidate with `today: true`",
                    second.candidate.name
                ),
            )
            .also(first.candidate.span, "the first one")
            .help("production uses one of them now");
    }
}
