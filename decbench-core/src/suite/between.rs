//! What must hold between the cases of a suite.

use std::collections::HashMap;
use std::sync::Arc;

use super::read::Reader;
use crate::decision::Case;
use crate::diagnostic::{Diagnostic, Severity, Source, Span};

/// Where a case stands.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The text it lies in.
    pub(super) source: Arc<Source>,
    /// Where its id stands, or else the case.
    pub(super) span: Span,
}

/// Checks ids, weights and splits; `span` is that of `cases:`.
pub(super) fn check_between(reader: &mut Reader, cases: &[Case], places: &[Place], span: Span) {
    unique_ids(reader, cases, places);
    if !cases.is_empty() && cases.iter().all(|case| case.weight == 0.0) {
        reader
            .error("zero-weights", span, "all cases have weight 0")
            .help("a weight is the population's share over the sample's; leave it out for 1");
    }
    whole_units(reader, cases, places);
}

fn at(
    severity: Severity,
    code: &'static str,
    place: &Place,
    message: String,
    other: &Place,
    label: &str,
) -> Diagnostic {
    let source = Arc::clone(&place.source);
    let mut mistake = match severity {
        Severity::Error => Diagnostic::error(code, source, place.span, message),
        Severity::Warning => Diagnostic::warning(code, source, place.span, message),
    };
    mistake.also_in(Arc::clone(&other.source), other.span, label);
    mistake
}

fn unique_ids(reader: &mut Reader, cases: &[Case], places: &[Place]) {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(cases.len());
    for (position, case) in cases.iter().enumerate() {
        if let Some(earlier) = first.get(case.id.as_str()) {
            reader
                .found
                .push(at(
                    Severity::Error,
                    "duplicate-id",
                    &places[position],
                    format!("duplicate id `{}`", case.id),
                    &places[*earlier],
                    "first here",
                ))
                .help("ids are unique in a suite; a case without one has its row's number");
        } else {
            first.insert(&case.id, position);
        }
    }
}

/// A unit of evidence in both splits lets the lock box be looked into.
fn whole_units(reader: &mut Reader, cases: &[Case], places: &[Place]) {
    let mut first: HashMap<u32, usize> = HashMap::with_capacity(cases.len());
    let mut torn = Vec::new();
    for (position, case) in cases.iter().enumerate() {
        let earlier = *first.entry(case.unit).or_insert(position);
        if cases[earlier].split != case.split {
            torn.push((earlier, position));
        }
    }
    if let Some((earlier, position)) = torn.first() {
        let (case, other) = (&cases[*position], &cases[*earlier]);
        let shared = match &case.cluster {
            Some(cluster) => format!("are both of cluster `{cluster}`"),
            None => "have the same state".to_owned(),
        };
        let more = match torn.len() {
            1 => String::new(),
            count => format!(", and so do {} more", count - 1),
        };
        reader
            .found
            .push(at(
                Severity::Warning,
                "torn-unit",
                &places[*position],
                format!(
                    "`{}` lies in `{}` and `{}` in `{}`, though they {shared}{more}",
                    case.id,
                    case.split.name(),
                    other.id,
                    other.split.name(),
                ),
                &places[*earlier],
                "the other one",
            ))
            .help("whoever tunes on one has seen the other; put both into one split");
    }
}
