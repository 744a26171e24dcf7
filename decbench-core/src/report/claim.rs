//! A claim about a candidate as a line and as JSON.

use serde_json::{Value as Json, json};

use super::change;
use super::json::interval;
use super::number::{format_interval, format_value};
use super::scorecard::ClaimLine;
use crate::judge::ClaimFinding;
use crate::metric::{Better, Claim, Unit};
use crate::stats::Interval;

/// A claim with its evidence, in one line.
pub fn claim_line(finding: &ClaimFinding) -> String {
    let info = finding.metric.info();
    let claim = match (finding.claim, finding.margin) {
        (Claim::NotWorse, Some(margin)) => format!(
            "not worse than {} by more than {}",
            finding.against,
            format_value(margin, info.unit)
        ),
        (Claim::Steady, _) if finding.against.is_empty() => "not shown to be worse".to_owned(),
        (Claim::Steady, _) => format!("not shown to be worse than {}", finding.against),
        _ => format!("better than {}", finding.against),
    };
    format!(
        "{}: {} {claim}: {}{}",
        if finding.skipped {
            "nothing to compare with".to_owned()
        } else {
            finding.outcome.to_string()
        },
        finding.candidate,
        evidence(finding),
        finding.reason
    )
}

fn evidence(finding: &ClaimFinding) -> String {
    let Some(found) = finding.comparison.as_ref() else {
        return String::new();
    };
    let info = finding.metric.info();
    let unit = match info.unit {
        Unit::Share => Unit::Difference,
        unit => unit,
    };
    // Told in the metric's own direction: an error that grew is a positive difference.
    let lower = info.better == Better::Lower;
    let (difference, limits) = if lower {
        let flipped = found.interval.map(|interval| Interval {
            low: -interval.high,
            high: -interval.low,
        });
        (-found.difference, flipped)
    } else {
        (found.difference, found.interval)
    };
    let limits = limits.map_or_else(String::new, |interval| {
        format!(" {}", format_interval(interval, unit))
    });
    let p = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), |p| format_value(p, Unit::Number));
    let counted = if finding.by_case {
        format!("better on {}, worse on {} of ", found.better, found.worse)
    } else {
        String::new()
    };
    let left_out = if finding.left_out > 0 {
        format!(", {} cases that one side lacks left out", finding.left_out)
    } else {
        String::new()
    };
    format!(
        "{}{limits}, {counted}{} units{left_out}, p {}, Holm {}; ",
        format_value(difference, unit),
        finding.units,
        p(finding.p),
        p(finding.p_adjusted)
    )
}

/// A claim in `scorecard.json`.
pub(super) fn to_json(line: &ClaimLine) -> Json {
    let finding = &line.finding;
    let found = finding.comparison.as_ref();
    let change = finding.change.as_ref().map(|found| {
        let mut json = change::to_json(found);
        json["newly_right"] = json!(line.newly_right);
        json["newly_wrong"] = json!(line.newly_wrong);
        json
    });
    json!({
        "trial": line.trial,
        "candidate": finding.candidate,
        "against": finding.against,
        "claim": finding.claim.name(),
        "metric": finding.metric.to_string(),
        "margin": finding.margin,
        "outcome": finding.outcome.name(),
        "skipped": finding.skipped,
        "reason": finding.reason,
        "difference": found.map(|found| found.difference),
        "interval": found.and_then(|found| found.interval).map_or(Json::Null, interval),
        "discordant": found.filter(|_| finding.by_case).map(|found| json!({ "better": found.better, "worse": found.worse })),
        "mcnemar_p": found.filter(|_| finding.by_case).map(|found| found.mcnemar_p),
        "p": finding.p,
        "p_adjusted": finding.p_adjusted,
        "cases": finding.cases,
        "units": finding.units,
        "left_out": finding.left_out,
        "more_cases": finding.more_cases,
        "change": change,
    })
}
