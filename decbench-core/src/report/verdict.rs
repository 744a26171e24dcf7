//! A verdict as lines of a scorecard, and as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::json::{interval, number};
use super::number::{format_interval, format_value};
use super::sentence::verdict_sentence;
use crate::judge::{Comparison, Finding, Standing, VerdictOutcome};
use crate::metric::Unit;

/// What a verdict was measured on.
fn measured_on(finding: &Finding) -> String {
    let part = if finding.lockbox {
        "lock-box cases"
    } else if finding.on_tuning_data {
        "development cases"
    } else {
        "cases"
    };
    let mut text = format!(
        "{} {part} in {} independent units, {} with gold; quality is {}",
        finding.cases, finding.units, finding.gold, finding.made_of
    );
    if finding.repeats > 1 {
        let _ = write!(text, " over {} repeats", finding.repeats);
    }
    let _ = write!(text, "; a case succeeds at {}", finding.success);
    for (count, what) in [
        (finding.unjudged, "cases without gold or reference"),
        (finding.left_out, "cases that somebody did not answer"),
    ] {
        if count > 0 {
            let _ = write!(text, "; {count} {what} left out");
        }
    }
    text
}

/// What a verdict does not claim.
fn no_claim(finding: &Finding) -> String {
    let cases = "nothing about cases unlike these, other wordings or other versions of the models";
    match finding.outcome {
        VerdictOutcome::Keep => {
            let size = finding.detectable.map_or_else(String::new, |difference| {
                format!(
                    ": four times in five these cases show a difference of {} or more, and smaller ones mostly not",
                    format_value(difference, Unit::Share)
                )
            });
            format!("not that the candidates are equal{size}; {cases}")
        }
        VerdictOutcome::Switch => {
            format!(
                "not that the lead is as large as measured, as the best of several looks better than it is; {cases}"
            )
        }
        VerdictOutcome::SwitchCheaper => format!("not that quality is equal; {cases}"),
        VerdictOutcome::Use => format!("not that it is better than another candidate; {cases}"),
        _ => format!("not that any candidate is better or worse than another; {cases}"),
    }
}

/// The verdict as it stands at the head of a scorecard.
pub fn verdict_text(finding: &Finding) -> String {
    let heading = if finding.on_tuning_data {
        "verdict, on tuning data"
    } else {
        "verdict"
    };
    let mut out = format!("{heading}\n  {}\n", verdict_sentence(finding));
    let _ = writeln!(
        out,
        "  expected: {} ({})",
        finding.expect.name(),
        finding.judged
    );
    if finding.outcome != VerdictOutcome::CouldNotRun {
        let _ = writeln!(out, "  measured on: {}", measured_on(finding));
        let _ = writeln!(out, "  claims: {}", no_claim(finding));
        for reason in &finding.reasons {
            let _ = writeln!(out, "  because: {reason}");
        }
    }
    if let (Some(chance), Some(first)) = (finding.selection_effect, finding.named.first()) {
        let _ = writeln!(
            out,
            "  selection effect: among {} that are no better than today's, the best leads as clearly as {first} with a chance of {}",
            finding
                .candidates
                .iter()
                .filter(|standing| standing.comparison.is_some())
                .count(),
            format_value(chance, Unit::Number)
        );
    }
    if finding.candidates.iter().any(|one| one.rank.is_some()) {
        let [quality, speed, cost] = finding
            .utility
            .shares()
            .map(|share| format_value(share, Unit::Share));
        let _ = writeln!(
            out,
            "  ranked by utility: {quality} quality, {speed} speed, {cost} cost"
        );
    }
    let mut board: Vec<&Standing> = finding.candidates.iter().collect();
    board.sort_by_key(|standing| standing.rank.map_or(u32::MAX, |(rank, ..)| rank));
    for standing in board {
        write_standing(&mut out, standing);
    }
    if finding.separated == Some(false) {
        out.push_str("  no pair is separated: each place may be another's by chance\n");
    }
    out
}

fn write_standing(out: &mut String, standing: &Standing) {
    let mut parts = Vec::new();
    match (standing.rank, standing.utility) {
        (Some((rank, low, high)), Some(utility)) => parts.push(format!(
            "rank {rank} [{low}, {high}], utility {}",
            format_value(utility, Unit::Number)
        )),
        _ => parts.push("not ranked".to_owned()),
    }
    if let Some(quality) = &standing.quality {
        let interval = quality.interval.map_or_else(String::new, |interval| {
            format!(
                " {} {}",
                format_interval(interval, Unit::Share),
                quality.method
            )
        });
        parts.push(format!(
            "quality {}{interval}",
            format_value(quality.value, Unit::Share)
        ));
    }
    if let Some(cost) = standing.cost_per_success {
        let interval = standing.cost_interval.map_or_else(String::new, |interval| {
            format!(" {}", format_interval(interval, Unit::Dollars))
        });
        parts.push(format!(
            "{}{interval} per success",
            format_value(cost, Unit::Dollars)
        ));
    }
    let role = if standing.today { " (today)" } else { "" };
    let _ = writeln!(out, "  {}{role}: {}", standing.name, parts.join("; "));
    if let Some(found) = &standing.comparison {
        let _ = writeln!(out, "    {}", against_today(standing, found));
    }
    for gate in &standing.gates {
        let _ = writeln!(out, "    fails the gate {gate}");
    }
    for gate in &standing.soft_gates {
        let _ = writeln!(
            out,
            "    misses the gate {gate}, as today's does: told, not held against it"
        );
    }
}

fn against_today(standing: &Standing, found: &Comparison) -> String {
    let p = |p: f64| format_value(p, Unit::Number);
    let interval = found.interval.map_or_else(String::new, |interval| {
        format!(" {}", format_interval(interval, Unit::Difference))
    });
    let mut text = format!(
        "against today's {}{interval}; better on {}, worse on {}; bootstrap p {}, Holm {}; McNemar p {}",
        format_value(found.difference, Unit::Difference),
        found.better,
        found.worse,
        p(found.p),
        standing.p_adjusted.map_or_else(|| "–".to_owned(), p),
        p(found.mcnemar_p),
    );
    if let Some(saving) = &found.saving {
        let told = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), p);
        let _ = write!(
            text,
            "; not worse p {}, cheaper p {}, faster p {}",
            p(saving.p_not_worse),
            told(saving.p_cheaper),
            told(saving.p_faster)
        );
    }
    text
}

/// The verdict in `scorecard.json`.
pub(super) fn to_json(finding: &Finding) -> Json {
    // Whom to change to; keeping names nobody new.
    let named = match finding.outcome {
        VerdictOutcome::Switch | VerdictOutcome::SwitchCheaper | VerdictOutcome::Use => {
            finding.named.first()
        }
        _ => None,
    };
    let shortlist = match finding.outcome {
        VerdictOutcome::Shortlist => finding.named.as_slice(),
        _ => &[],
    };
    json!({
        "outcome": finding.outcome.name(),
        "named": named,
        "shortlist": shortlist,
        "sentence": verdict_sentence(finding),
        "measured_on": measured_on(finding),
        "does_not_claim": no_claim(finding),
        "expect": finding.expect.name(),
        "judged": finding.judged.name(),
        "on_tuning_data": finding.on_tuning_data,
        "split": if finding.lockbox { "lockbox" } else { "dev" },
        "success": finding.success,
        "utility_weights": finding.utility.shares(),
        "cases": finding.cases,
        "gold": finding.gold,
        "units": finding.units,
        "more_cases": finding.more_cases,
        "more_approvals": finding.more_approvals,
        "left_out": finding.left_out,
        "reasons": finding.reasons,
        "selection_effect": finding.selection_effect,
        "detectable_difference": finding.detectable,
        "separated": finding.separated,
        "candidates": finding.candidates.iter().map(standing).collect::<Vec<_>>(),
    })
}

fn standing(standing: &Standing) -> Json {
    let quality = standing.quality.as_ref();
    let found = standing.comparison.as_ref();
    let saving = found.and_then(|found| found.saving.as_ref());
    json!({
        "name": standing.name,
        "today": standing.today,
        "quality": quality.map_or(Json::Null, |value| number(value.value)),
        "interval": quality.and_then(|value| value.interval).map_or(Json::Null, interval),
        "method": quality.map(|value| value.method),
        "difference": found.map(|found| found.difference),
        "difference_interval": found.and_then(|found| found.interval).map_or(Json::Null, interval),
        "p": found.map(|found| found.p),
        "p_share": found.map(|found| found.p_share),
        "p_adjusted": standing.p_adjusted,
        "mcnemar_p": found.map(|found| found.mcnemar_p),
        "discordant": found.map(|found| json!({ "better": found.better, "worse": found.worse })),
        "not_worse": saving.map(|saving| json!({
            "p": saving.p, "p_not_worse": saving.p_not_worse, "p_cheaper": saving.p_cheaper, "p_faster": saving.p_faster,
        })),
        "gates": standing.gates,
        "soft_gates": standing.soft_gates,
        "successes": standing.successes,
        "cost_per_success": {
            "value": standing.cost_per_success,
            "interval": standing.cost_interval.map_or(Json::Null, interval),
        },
        "cost_per_1000": standing.cost_per_1000,
        "utility": standing.utility,
        "rank": standing.rank.map(|(rank, low, high)| json!({ "rank": rank, "interval": [low, high] })),
    })
}
