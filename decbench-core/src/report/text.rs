//! The scorecard for people, as it stands in the reviewed snapshot: rounded, without times or machine names.

use std::fmt::Write as _;

use super::claim::claim_line;
use super::data;
use super::number::{format_interval, format_value};
use super::published;
use super::scorecard::{
    AssertionLine, CandidateCard, GroupCard, MetricLine, QuestionCard, Scorecard,
};
use super::verdict::verdict_text;
use crate::metric::{Metric, MetricId, Needs, Selection, Unit};

/// Version of the layout and of the fixed list of rows.
pub const FORMAT: u32 = 1;

/// The rows of format 1, beside the asserted ones: a metric added later does not change a reviewed snapshot.
const ROWS: [MetricId; 25] = [
    MetricId::Accuracy,
    MetricId::BalancedAccuracy,
    MetricId::MacroF1,
    MetricId::Kappa,
    MetricId::WithinOne,
    MetricId::MajorityBaseline,
    MetricId::Ece,
    MetricId::EceNull,
    MetricId::Brier,
    MetricId::LogLoss,
    MetricId::Rps,
    MetricId::Mae,
    MetricId::FlipRate,
    MetricId::OrderFlipRate,
    MetricId::EscapeRecall,
    MetricId::EscapeRate,
    MetricId::PairAgreement,
    MetricId::ErrorRate,
    MetricId::LatencyP50,
    MetricId::LatencyP95,
    MetricId::CostPer1000,
    MetricId::Quality,
    MetricId::PassRate,
    MetricId::JudgeAgreement,
    MetricId::AgentTaskSuccess,
];

/// The scorecard as text.
pub fn to_text(card: &Scorecard) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, so results of `writeln!` are passed over throughout.
    let _ = writeln!(out, "decbench scorecard {FORMAT}: {}", card.suite);
    let _ = writeln!(
        out,
        "{} cases, {} with gold, {} independent units",
        card.cases, card.with_gold, card.units
    );
    let _ = writeln!(out, "data {}", card.digest);
    for note in &card.notes {
        let _ = writeln!(out, "note: {note}");
    }
    data::write_text(&mut out, &card.data);
    if let Some(finding) = &card.verdict {
        out.push('\n');
        out.push_str(&verdict_text(finding));
    }
    for candidate in &card.candidates {
        write_candidate(&mut out, candidate, card);
    }
    let rows: Vec<[String; 4]> = card
        .assertions
        .iter()
        .filter(|line| !is_of_this_machine(line, card))
        .map(assertion_row)
        .collect();
    if !rows.is_empty() {
        out.push_str("\nassertions\n");
        write_table(&mut out, &rows);
    }
    // What was earlier moves with every merge, and a reviewed text must not.
    let claims = || card.claims.iter().filter(|line| !line.earlier);
    if claims().next().is_some() {
        out.push_str("\ncomparisons\n");
        for line in claims() {
            let _ = writeln!(out, "  {}", claim_line(&line.finding));
        }
    }
    published::write_text(&mut out, &card.published);
    out
}

fn write_candidate(out: &mut String, candidate: &CandidateCard, card: &Scorecard) {
    let role = match (candidate.today, candidate.baseline) {
        (true, _) => " (today)",
        (_, true) => " (baseline)",
        _ => "",
    };
    for question in &candidate.questions {
        let _ = writeln!(out, "\n{}{role}{}", candidate.name, question.title());
        for note in &candidate.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        let shown = |line: &&MetricLine| is_shown(line, candidate, question, card);
        let rows: Vec<[String; 4]> = question
            .metrics
            .iter()
            .filter(shown)
            .filter_map(metric_row)
            .collect();
        write_table(out, &rows);
        write_ingredients(out, question.metrics.iter().filter(shown));
        let missing: Vec<String> = question
            .metrics
            .iter()
            .filter(shown)
            .filter_map(|line| {
                Some(format!(
                    "{} ({})",
                    line.metric,
                    line.measurement.value.as_ref().err()?
                ))
            })
            .collect();
        if !missing.is_empty() {
            let _ = writeln!(out, "  not measurable: {}", missing.join(", "));
        }
        write_population(out, candidate, question, card);
        write_groups(out, &question.groups);
    }
}

/// What numbers that are put together from others are made of; what several share is written once.
fn write_ingredients<'l>(out: &mut String, lines: impl Iterator<Item = &'l MetricLine>) {
    let mut written: Vec<&[String]> = Vec::new();
    for line in lines.filter(|line| line.metric.id.has_ingredients()) {
        let Ok(value) = &line.measurement.value else {
            continue;
        };
        if value.notes.is_empty() || written.contains(&value.notes.as_slice()) {
            continue;
        }
        let _ = writeln!(out, "  {} is made of", line.metric);
        for note in &value.notes {
            let _ = writeln!(out, "    {note}");
        }
        written.push(&value.notes);
    }
}

/// The same metrics with every case counting by its weight, where that makes a difference.
fn write_population(
    out: &mut String,
    candidate: &CandidateCard,
    question: &QuestionCard,
    card: &Scorecard,
) {
    let value = |line: &MetricLine| {
        line.measurement
            .value
            .as_ref()
            .ok()
            .map(|value| value.value)
    };
    let differs = |line: &&MetricLine| {
        let taken = question.metrics.iter();
        let taken = taken.filter(|other| other.metric == line.metric);
        taken.map(value).next().flatten() != value(line)
    };
    let rows: Vec<[String; 4]> = question
        .population
        .iter()
        .filter(|line| is_shown(line, candidate, question, card))
        .filter(differs)
        .filter_map(|line| {
            let mut row = metric_row(line)?;
            let notes = &line.measurement.value.as_ref().ok()?.notes;
            if let Some(note) = notes.iter().find(|note| note.contains("effective n")) {
                let _ = write!(row[3], ", {note}");
            }
            Some(row)
        })
        .collect();
    if !rows.is_empty() {
        out.push_str("  of the population, each case by its weight\n");
        write_table(out, &rows);
    }
}

/// Fixed rows and asserted metrics; never the time of a local function, which belongs to the machine.
fn is_shown(
    line: &MetricLine,
    candidate: &CandidateCard,
    question: &QuestionCard,
    card: &Scorecard,
) -> bool {
    if line.metric.info().needs == Needs::Latency && !candidate.remote {
        return false;
    }
    let asserted = || {
        card.assertions.iter().any(|other| {
            other.candidate == candidate.name
                && other.question == question.name
                && other.metric == line.metric
        })
    };
    (ROWS.contains(&line.metric.id) && line.metric == Metric::plain(line.metric.id)) || asserted()
}

fn metric_row(line: &MetricLine) -> Option<[String; 4]> {
    let value = line.measurement.value.as_ref().ok()?;
    let unit = line.metric.info().unit;
    let interval = value
        .interval
        .map_or_else(String::new, |interval| format_interval(interval, unit));
    let units = if value.units < value.n {
        format!(" in {} units", value.units)
    } else {
        String::new()
    };
    let mut how = format!("n {}{units}", value.n);
    if value.interval.is_some() {
        let _ = write!(how, ", {}", value.method);
    }
    for (name, convention) in &value.conventions {
        let _ = write!(how, ", {name} {convention}");
    }
    Some([
        line.metric.to_string(),
        format_value(value.value, unit),
        interval,
        how,
    ])
}

fn write_groups(out: &mut String, groups: &[GroupCard]) {
    let mut last = "";
    for group in groups {
        if group.by != last {
            let _ = writeln!(out, "  by {}", group.by);
            last = &group.by;
        }
        let accuracy = group
            .metrics
            .iter()
            .find(|line| line.metric == Metric::plain(MetricId::Accuracy));
        let text = match accuracy.map(|line| &line.measurement.value) {
            Some(Ok(value)) => {
                let interval = value.interval.map_or_else(String::new, |interval| {
                    format!(" {}", format_interval(interval, Unit::Share))
                });
                format!(
                    "accuracy {}{interval} n {}",
                    format_value(value.value, Unit::Share),
                    value.n
                )
            }
            Some(Err(why)) => format!("accuracy not measurable: {why}"),
            None => continue,
        };
        let _ = writeln!(out, "    {}: {text}", group.value);
    }
}

/// Whether a local function's time is judged: that differs from run to run and is nothing to review.
fn is_of_this_machine(line: &AssertionLine, card: &Scorecard) -> bool {
    let is_local =
        |candidate: &CandidateCard| candidate.name == line.candidate && !candidate.remote;
    line.metric.info().needs == Needs::Latency && card.candidates.iter().any(is_local)
}

fn assertion_row(line: &AssertionLine) -> [String; 4] {
    let unit = line.metric.info().unit;
    let outcome = if line.judgement.skipped {
        "skipped".to_owned()
    } else {
        line.judgement.outcome.to_string()
    };
    let what = format!(
        "{} {}{}",
        trial_tail(line),
        line.requirement.bound,
        options(line)
    );
    let (value, interval) = match (&line.judgement.value, &line.judgement.limits) {
        (Some(value), Some((interval, _))) => (
            format_value(value.value, unit),
            format_interval(*interval, unit),
        ),
        (Some(value), None) => (format_value(value.value, unit), String::new()),
        (None, _) => (String::new(), line.judgement.reason.clone()),
    };
    [outcome, what, value, interval]
}

fn trial_tail(line: &AssertionLine) -> String {
    if line.question.is_empty() {
        format!("{} {}", line.candidate, line.metric)
    } else {
        format!("{} {}.{}", line.candidate, line.question, line.metric)
    }
}

/// The options of a requirement that differ from the defaults.
fn options(line: &AssertionLine) -> String {
    let requirement = &line.requirement;
    let plain = Selection::default();
    let mut parts = Vec::new();
    if requirement.reading != crate::metric::Reading::default() {
        parts.push(requirement.reading.name().to_owned());
    }
    if requirement.confidence != 0.95 {
        parts.push(format!("at {}%", requirement.confidence * 100.0));
    }
    if requirement.selection.sample != plain.sample {
        parts.push("population".to_owned());
    }
    if requirement.selection.lockbox {
        parts.push("lock box".to_owned());
    }
    parts.extend(
        requirement
            .selection
            .filter
            .iter()
            .map(|(field, value)| format!("where {field} = {value}")),
    );
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

/// Columns padded to their widest cell, without blanks at the end of a line.
pub(super) fn write_table(out: &mut String, rows: &[[String; 4]]) {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), 0];
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, " {cell:<width$} ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
