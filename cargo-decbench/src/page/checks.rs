//! What else is tested: the data itself, and claims of candidates against each other.

use std::fmt::Write as _;

use maud::{Markup, html};
use serde_json::Value as Json;

use super::prose::prose;
use super::scale::{Format, format_of};
use super::{outcome, region};
use crate::report::card::{Card, Comparison, ends};

/// Cases named under an observation.
const NAMED: usize = 5;

/// Checks of the data with what they observed.
pub(super) fn data(card: &Card) -> Markup {
    let Some(checks) = card.data.as_object().filter(|checks| !checks.is_empty()) else {
        return html! {};
    };
    html! {
        section {
            h2 { "The data" }
            dl class="checks" {
                @for (name, check) in checks {
                    dt { (name) " " (outcome::badge(text(check, "outcome"))) }
                    @for observation in observations(check) {
                        dd {
                            (prose(text(observation, "text")))
                            @let cases = cases(observation);
                            @if !cases.is_empty() { span class="ends wrapped" { (cases) } }
                        }
                    }
                    @if observations(check).is_empty() { dd { (prose(text(check, "reason"))) } }
                }
            }
        }
    }
}

fn observations(check: &Json) -> &[Json] {
    check
        .get("observations")
        .and_then(Json::as_array)
        .map_or(&[], Vec::as_slice)
}

fn cases(observation: &Json) -> String {
    let named: Vec<&str> = observation
        .get("cases")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    let beyond = observation.get("more").and_then(Json::as_u64).unwrap_or(0) as usize
        + named.len().saturating_sub(NAMED);
    let mut text = named[..named.len().min(NAMED)].join(", ");
    if beyond > 0 {
        let _ = write!(text, " and {beyond} more");
    }
    text
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// Claims of one candidate against another, as the suite makes them.
pub(super) fn comparisons(card: &Card) -> Markup {
    // A line of another form is passed over, as unknown fields are.
    let lines: Vec<Comparison> = card
        .comparisons
        .iter()
        .filter_map(|line| serde_json::from_value(line.clone()).ok())
        .collect();
    if lines.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Comparisons" }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Comparisons", &[&card.suite])) {
                table {
                    thead { tr { th scope="col" { "Outcome" } th scope="col" { "Claim" } th scope="col" class="number" { "Difference" } th scope="col" class="number" { "Better / worse" } th scope="col" class="number" { "p, adjusted" } } }
                    tbody { @for line in &lines { (comparison(line)) } }
                }
            }
        }
    }
}

fn comparison(line: &Comparison) -> Markup {
    let words = |value: f64| match format_of(&line.metric) {
        Format::Share => format!("{:+.1} pp", value * 100.0),
        format => format.words(value),
    };
    html! {
        tr {
            td { (outcome::badge(&line.outcome)) }
            th scope="row" {
                (line.candidate) " " (line.claim.replace('_', " ")) " than " (line.against) " in " (line.name())
                @if line.outcome != "pass" { span class="ends wrapped" { (prose(&line.reason)) } }
            }
            td class="number" {
                @if let Some(value) = line.difference {
                    (words(value))
                    @if let Some((low, high)) = ends(line.interval) { span class="ends" { (words(low)) " to " (words(high)) } }
                }
            }
            td class="number" { @if let Some(found) = &line.discordant { (found.better) " / " (found.worse) } }
            td class="number" { @if let Some(p) = line.p_adjusted { (format!("{p:.3}")) } }
        }
    }
}
