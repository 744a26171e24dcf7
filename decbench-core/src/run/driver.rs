//! One case behind a result, in one line: what was right and what was said.

use std::fmt::Write as _;

use crate::decision::{Context, FailureKind, Gold};
use crate::metric::{Metric, MetricArgument, Needs};
use crate::score::{Grade, Observed, Row};
use crate::suite::Assertion;

/// The case with its gold and the answers that the assertion's metric reads.
pub(super) fn driver(row: &Row<'_>, assertion: &Assertion) -> String {
    let mut text = row.case.id.clone();
    if let Some(gold) = gold(row) {
        let _ = write!(text, ", gold {gold}");
    }
    if row.question.kind.is_open() {
        text.push_str(&own_words(row));
        return text;
    }
    let answers = several(row, assertion);
    if answers.is_empty() {
        if let Some(base) = row.base() {
            let _ = write!(text, ", answered {}", said(row, base));
            if let Some(top) = base.top() {
                let _ = write!(text, " at {top:.2}");
            }
        }
        return text;
    }
    let answers: Vec<String> = answers
        .into_iter()
        .map(|(under, observed)| {
            let top = observed
                .top()
                .map_or_else(String::new, |top| format!(" at {top:.2}"));
            format!("{}{top}{under}", said(row, observed))
        })
        .collect();
    let _ = write!(text, ", answered {}", answers.join(", "));
    text
}

/// What was written, its beginning, and what is to be said of it.
fn own_words(row: &Row<'_>) -> String {
    const SHOWN: usize = 60;
    let Some(base) = row.base() else {
        return String::new();
    };
    let Some(written) = &base.written else {
        return format!(", answered {}", said(row, base));
    };
    let answer = written.text().replace('\n', " ");
    let cut = answer.char_indices().nth(SHOWN).map(|(cut, _)| cut);
    let mut text = match cut {
        Some(cut) => format!(", answered `{}…`", &answer[..cut]),
        None => format!(", answered `{answer}`"),
    };
    let told = base.grade.as_deref().map(Grade::told).unwrap_or_default();
    if !told.is_empty() {
        let _ = write!(text, " ({told})");
    }
    text
}

pub(super) fn said(row: &Row<'_>, observed: &Observed) -> String {
    match observed.said {
        Some(said) => said.told(row.question),
        None => observed
            .failure
            .map_or("nothing", FailureKind::name)
            .to_owned(),
    }
}

pub(super) fn gold(row: &Row<'_>) -> Option<String> {
    let key = |option: &usize| {
        row.question
            .options
            .get(*option)
            .map_or("?", |option| option.key.as_str())
    };
    match row.gold? {
        Gold::Label(label) => Some(key(label).to_owned()),
        Gold::AnyOf(labels) => Some(labels.iter().map(key).collect::<Vec<_>>().join(" or ")),
        Gold::Distribution(_) => Some("a distribution".to_owned()),
        Gold::Unknown => None,
    }
}

/// The answers of a metric that reads more than the base probe, each with what tells it from the others.
fn several<'r>(row: &'r Row<'_>, assertion: &Assertion) -> Vec<(String, &'r Observed)> {
    let Metric { argument, .. } = &assertion.metric;
    let selection = assertion
        .requirements
        .first()
        .map(|requirement| &requirement.selection);
    let Some(selection) = selection else {
        return Vec::new();
    };
    if let MetricArgument::Context(name) = argument {
        let context = Context::from_name(name).and_then(|context| row.in_context(context));
        return context
            .into_iter()
            .map(|observed| (String::new(), observed))
            .collect();
    }
    let needs = assertion.metric.info().needs;
    if assertion.metric.reads_orders() {
        let shown = row.orders(selection.orders).unwrap_or_default();
        return shown
            .into_iter()
            .map(|observed| {
                let first = observed.probe.order.first();
                let first = first.and_then(|at| row.question.options.get(usize::from(*at)));
                let first = first.map_or("?", |option| option.key.as_str());
                (format!(" ({first} first)"), observed)
            })
            .collect();
    }
    let views: &[Context] = match needs {
        Needs::Repeats => {
            let repeats = row.repeats(selection.repeats).unwrap_or_default();
            return repeats
                .into_iter()
                .map(|observed| (String::new(), observed))
                .collect();
        }
        Needs::MinimalAndPadded if row.in_context(Context::Minimal).is_none() => {
            &[Context::Production, Context::Padded]
        }
        Needs::MinimalAndPadded => &[Context::Minimal, Context::Padded],
        Needs::MinimalAndProduction => &[Context::Minimal, Context::Production],
        Needs::CleanAndProduction => &[Context::Clean, Context::Production],
        _ => &[],
    };
    views
        .iter()
        .filter_map(|view| Some((format!(" ({})", view.name()), row.in_context(*view)?)))
        .collect()
}
