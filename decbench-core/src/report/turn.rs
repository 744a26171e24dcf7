//! The turns of a candidate as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::json::{interval, number};
use super::number::{format_interval, format_value};
use crate::judge::TurnFinding;
use crate::metric::Unit;

/// What was found of one candidate's turns.
#[derive(Debug, Clone)]
pub struct TurnLine {
    /// Name of the trial.
    pub trial: String,
    /// What was found.
    pub finding: TurnFinding,
}

/// A candidate's turns, the arithmetic of calls side by side spelled out.
pub fn turn_text(finding: &TurnFinding) -> String {
    let rule = &finding.rule;
    let share = |share: f64| format_value(share, Unit::Share);
    let mut out = format!(
        "{}: {} of turns within {}, of {} calls at a time; {}\n",
        finding.outcome,
        share(rule.at_least),
        rule.written,
        rule.parallel,
        finding.reason
    );
    let Some(calls) = &finding.calls else {
        return out;
    };
    let _ = writeln!(
        out,
        "  calls within {}: {}, n {}; {} of turns need {} of calls, which take {}",
        rule.written,
        share(calls.within.value),
        calls.within.n,
        share(rule.at_least),
        share(finding.needed),
        format_value(calls.time_needed, Unit::Milliseconds)
    );
    if let Some((turns, limits)) = finding.turns {
        let _ = writeln!(
            out,
            "  turns within it: {} {}, calls taken as independent",
            share(turns),
            format_interval(limits, Unit::Share)
        );
    }
    if let Some(any_late) = finding.any_late {
        let _ = writeln!(
            out,
            "  conversations of {} turns with one beyond it: {}",
            rule.turns,
            share(any_late)
        );
    }
    for (question, found) in &finding.defaults {
        let question = if question.is_empty() {
            String::new()
        } else {
            format!("{question}: ")
        };
        let _ = writeln!(
            out,
            "  {question}accuracy {} as answered, {} with the default action on {} of {} cases",
            share(found.answered),
            share(found.acted.value),
            found.late,
            found.acted.n
        );
    }
    for note in &calls.within.notes {
        let _ = writeln!(out, "  {note}");
    }
    out
}

/// A candidate's turns in `scorecard.json`.
pub(super) fn to_json(line: &TurnLine) -> Json {
    let finding = &line.finding;
    let rule = &finding.rule;
    json!({
        "trial": line.trial,
        "candidate": finding.candidate,
        "budget_ms": rule.budget_ms,
        "parallel": rule.parallel,
        "turns": rule.turns,
        "at_least": rule.at_least,
        "outcome": finding.outcome.name(),
        "reason": finding.reason,
        "calls_within": finding.calls.as_ref().map(|calls| number(calls.within.value)),
        "calls": finding.calls.as_ref().map(|calls| calls.within.n),
        "calls_needed": number(finding.needed),
        "time_needed_ms": finding.calls.as_ref().map(|calls| number(calls.time_needed)),
        "turns_within": finding.turns.map(|(share, _)| number(share)),
        "interval": finding.turns.map_or(Json::Null, |(_, limits)| interval(limits)),
        "any_late": finding.any_late.map(number),
        "defaults": finding.defaults.iter().map(|(question, found)| json!({
            "question": question,
            "accuracy": number(found.answered),
            "with_default": number(found.acted.value),
            "late": found.late,
            "n": found.acted.n,
        })).collect::<Vec<_>>(),
    })
}
