//! A claim about a candidate as a line and as JSON.

use serde_json::{Value as Json, json};

use super::json::interval;
use super::number::{format_interval, format_value};
use super::scorecard::ClaimLine;
use crate::judge::ClaimFinding;
use crate::metric::{Claim, Unit};

/// A claim with its evidence, in one line.
pub fn claim_line(finding: &ClaimFinding) -> String {
    let claim = match (finding.claim, finding.margin) {
        (Claim::NotWorse, Some(margin)) => format!(
            "not worse than {} by more than {}",
            finding.against,
            format_value(margin, Unit::Share)
        ),
        _ => format!("better than {}", finding.against),
    };
    let evidence = finding
        .comparison
        .as_ref()
        .map_or_else(String::new, |found| {
            let limits = found.interval.map_or_else(String::new, |interval| {
                format!(" {}", format_interval(interval, Unit::Difference))
            });
            let p = |p: Option<f64>| {
                p.map_or_else(|| "–".to_owned(), |p| format_value(p, Unit::Number))
            };
            format!(
                "{}{limits}, better on {}, worse on {} of {} units, p {}, Holm {}; ",
                format_value(found.difference, Unit::Difference),
                found.better,
                found.worse,
                finding.units,
                p(finding.p),
                p(finding.p_adjusted)
            )
        });
    format!(
        "{}: {} {claim}: {evidence}{}",
        finding.outcome, finding.candidate, finding.reason
    )
}

/// A claim in `scorecard.json`.
pub(super) fn to_json(line: &ClaimLine) -> Json {
    let finding = &line.finding;
    let found = finding.comparison.as_ref();
    json!({
        "trial": line.trial,
        "candidate": finding.candidate,
        "against": finding.against,
        "claim": finding.claim.name(),
        "margin": finding.margin,
        "outcome": finding.outcome.name(),
        "reason": finding.reason,
        "difference": found.map(|found| found.difference),
        "interval": found.and_then(|found| found.interval).map_or(Json::Null, interval),
        "discordant": found.map(|found| json!({ "better": found.better, "worse": found.worse })),
        "mcnemar_p": found.map(|found| found.mcnemar_p),
        "p": finding.p,
        "p_adjusted": finding.p_adjusted,
        "cases": finding.cases,
        "units": finding.units,
        "more_cases": finding.more_cases,
    })
}
