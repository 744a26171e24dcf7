//! What a person reads when a trial does not pass: what was required, what was observed, why, which cases, and how to run it again.

use std::fmt::Write as _;

use super::driver::driver;
use super::settings::Settings;
use super::suite_run::SuiteRun;
use super::trial::{Trial, assertion_name};
use crate::data::Finding;
use crate::judge::{Judgement, Outcome};
use crate::metric::Requirement;
use crate::report::{format_interval, format_value, observations};
use crate::suite::Assertion;

/// Cases named in a message; the rest is counted.
const CASES_NAMED: usize = 5;

/// One line about what the evidence says of a requirement.
pub(super) fn one_line(assertion: &Assertion, position: usize, judgement: &Judgement) -> String {
    let unit = assertion.metric.info().unit;
    let bound = &assertion.requirements[position].bound;
    let measured = match (&judgement.value, judgement.limits) {
        (Some(value), Some((limits, _))) => format!(
            "{} {} against {bound}; ",
            format_value(value.value, unit),
            format_interval(limits, unit)
        ),
        _ => String::new(),
    };
    format!("{}: {measured}{}", judgement.outcome, judgement.reason)
}

/// A failed assertion: every requirement that does not hold, with its evidence.
pub(super) fn assertion(run: &SuiteRun<'_>, trial: &Trial, position: usize) -> String {
    let assertion = &run.suite().assertions[position];
    let mut text = String::new();
    for (requirement, judgement) in assertion.requirements.iter().zip(run.judgements(position)) {
        if judgement.outcome == Outcome::Pass && assertion.requirements.len() > 1 {
            continue;
        }
        requirement_text(&mut text, run, assertion, requirement, judgement);
    }
    let candidate = run.candidate(assertion.candidate);
    if candidate.missing > 0 {
        let _ = writeln!(text, "missing   {} answers", candidate.missing);
        for miss in &candidate.misses {
            let _ = writeln!(text, "          {miss}");
        }
        if candidate.recordable {
            let _ = writeln!(
                text,
                "record    {}",
                run.settings().record.replace("{}", &trial.name)
            );
        }
    }
    for note in &candidate.notes {
        let _ = writeln!(text, "note      {note}");
    }
    with_rerun(run.settings(), trial, &text)
}

fn requirement_text(
    out: &mut String,
    run: &SuiteRun<'_>,
    assertion: &Assertion,
    requirement: &Requirement,
    judgement: &Judgement,
) {
    let unit = assertion.metric.info().unit;
    let _ = writeln!(out, "{}", judgement.outcome);
    let _ = writeln!(out, "required  {} {}", assertion.metric, requirement.bound);
    if let Some(value) = &judgement.value {
        let interval = value.interval.map_or_else(String::new, |interval| {
            format!(
                " {} at {}%, {}",
                format_interval(interval, unit),
                value.level * 100.0,
                value.method
            )
        });
        let units = if value.units < value.n {
            format!(" in {} independent units", value.units)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "observed  {}{interval}, n {}{units}",
            format_value(value.value, unit),
            value.n
        );
        for (name, convention) in &value.conventions {
            let _ = writeln!(out, "          {name}: {convention}");
        }
        for note in &value.notes {
            let _ = writeln!(out, "          {note}");
        }
    }
    if let Some((limits, method)) = judgement.limits {
        let _ = writeln!(
            out,
            "judged by {} ({method})",
            format_interval(limits, unit)
        );
    }
    let _ = writeln!(out, "because   {}", judgement.reason);
    if let (Some(value), Outcome::Fail | Outcome::Inconclusive) =
        (&judgement.value, judgement.outcome)
    {
        drivers(out, run, assertion, &value.drivers);
    }
}

/// The cases that pull the value to its bad side.
fn drivers(out: &mut String, run: &SuiteRun<'_>, assertion: &Assertion, positions: &[usize]) {
    let Some(sheet) = run
        .candidate(assertion.candidate)
        .sheets
        .get(assertion.question)
    else {
        return;
    };
    for (shown, position) in positions.iter().take(CASES_NAMED).enumerate() {
        let head = if shown == 0 { "cases    " } else { "         " };
        match sheet.rows.iter().find(|row| row.position == *position) {
            Some(row) => {
                let _ = writeln!(out, "{head} {}", driver(row, assertion));
            }
            None => {
                let _ = writeln!(out, "{head} {}", run.suite().cases[*position].id);
            }
        }
    }
    if positions.len() > CASES_NAMED {
        let _ = writeln!(out, "          and {} more", positions.len() - CASES_NAMED);
    }
}

/// A candidate of which nothing was decided.
pub(super) fn nothing_decided(run: &SuiteRun<'_>, trial: &Trial, candidate: usize) -> String {
    let name = &run.suite().candidates[candidate].name;
    let mut text =
        format!("none of the assertions about `{name}` passed or failed: nothing was tested\n");
    for position in run.assertions_of(candidate) {
        let assertion = &run.suite().assertions[position];
        let name = assertion_name(run.suite(), position);
        for (at, judgement) in run.judgements(position).iter().enumerate() {
            let _ = writeln!(text, "{name}: {}", one_line(assertion, at, judgement));
        }
    }
    with_rerun(run.settings(), trial, &text)
}

/// A check of the data that does not hold, with everything it observed.
pub(super) fn data(run: &SuiteRun<'_>, trial: &Trial, finding: &Finding) -> String {
    let text = format!("{}\n{}", finding.outcome, observations(finding));
    with_rerun(run.settings(), trial, &text)
}

/// The message with the command that runs just this trial.
pub(super) fn with_rerun(settings: &Settings, trial: &Trial, text: &str) -> String {
    format!(
        "{}\nrerun     {}",
        text.trim_end(),
        settings.rerun.replace("{}", &trial.name)
    )
}
