//! What holds: the verdict in a sentence, and every assertion with its interval.

use maud::{Markup, html};

use super::prose::prose;
use super::scale::{Format, format_of};
use super::{region, standings};
use crate::report::card::{Assertion, Card, ends};

/// Whether an outcome is red in a build.
pub(super) fn is_red(outcome: &str) -> bool {
    matches!(outcome, "fail" | "could_not_run")
}

/// The worst outcome of a suite's assertions.
pub(super) fn of(card: &Card) -> &str {
    let rank = |outcome: &str| match outcome {
        "fail" => 3,
        "could_not_run" => 2,
        "inconclusive" => 1,
        _ => 0,
    };
    card.assertions
        .iter()
        .map(Assertion::outcome)
        .max_by_key(|outcome| rank(outcome))
        .unwrap_or("pass")
}

/// An outcome as a word with its colour; never the colour alone.
pub(super) fn badge(outcome: &str) -> Markup {
    let class = match outcome {
        "pass" => "pass",
        "fail" => "fail",
        "inconclusive" | "skipped" => "open",
        _ => "broken",
    };
    html! { span class={ "badge " (class) } { (outcome.replace('_', " ")) } }
}

/// One sentence first: the verdict where there is one, else what the assertions say.
pub(super) fn verdict(card: &Card) -> Markup {
    let count = |wanted: &str| {
        card.assertions
            .iter()
            .filter(|line| line.outcome() == wanted)
            .count()
    };
    let total = card.assertions.len();
    html! {
        @if let Some(verdict) = &card.verdict {
            (standings::sentence(verdict))
        }
        p class={ @if card.verdict.is_some() { "about" } @else { "verdict" } } {
            @if total == 0 { "Nothing is asserted." }
            @else if count("pass") == total { strong { "All " (total) " assertions hold." } }
            @else {
                strong { (count("pass")) " of " (total) " assertions hold" }
                @for (outcome, words) in [("fail", "fail"), ("could_not_run", "could not run"), ("inconclusive", "cannot be decided with these cases"), ("skipped", "were not to be judged")] {
                    @if count(outcome) > 0 { ", " (count(outcome)) " " (words) }
                }
                "."
            }
        }
    }
}

/// The scorecard's assertions, worst first.
pub(super) fn assertions(card: &Card) -> Markup {
    let mut lines: Vec<&Assertion> = card.assertions.iter().collect();
    let rank = |line: &Assertion| match line.outcome() {
        "fail" => 0,
        "could_not_run" => 1,
        "inconclusive" => 2,
        _ => 3,
    };
    lines.sort_by_key(|line| rank(line));
    html! {
        section {
            h2 { "What must hold" }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Assertions", &[&card.suite])) {
                table class="assertions" {
                    thead { tr { th scope="col" { "Outcome" } th scope="col" { "Candidate" } th scope="col" { "Metric" } th scope="col" { "Bound" } th scope="col" class="number" { "Observed" } th scope="col" { "Interval" } th scope="col" class="number" { "n" } } }
                    tbody {
                        @for line in lines {
                            tr {
                                td { (badge(line.outcome())) }
                                td { (line.candidate) }
                                th scope="row" { (line.name()) }
                                td { (line.bound) }
                                (observed(line))
                                td class="number n" { @if let Some(n) = line.n { (n) } }
                            }
                            @if line.outcome() != "pass" {
                                tr class="why" { td aria-hidden="true" {} td colspan="6" {
                                    (prose(&line.reason))
                                } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn observed(line: &Assertion) -> Markup {
    let format = format_of(&line.metric);
    html! {
        td class="number" { @if let Some(value) = line.value { (format.words(value)) } }
        td {
            @if let Some((low, high)) = ends(line.interval) {
                (bar(format, line.value, low, high, &line.bound))
                span class="ends" { (format.words(low)) " to " (format.words(high)) }
            }
        }
    }
}

/// An interval beside its bound. What it shows stands beside it in words, so readers of the screen pass it over.
fn bar(format: Format, value: Option<f64>, low: f64, high: f64, bound: &str) -> Markup {
    let bound = Format::bound(bound);
    let (from, to) = format.range(&[Some(low), Some(high), bound]);
    let at = |value: f64| ((value - from) / (to - from) * 100.0).clamp(0.0, 100.0);
    html! {
        svg class="bar" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true" {
            line class="axis" x1="0" x2="100" y1="7" y2="7" {}
            rect class="span" x=(at(low)) width=((at(high) - at(low)).max(1.0)) y="4" height="6" {}
            @if let Some(value) = value { rect class="value" x=((at(value) - 0.6).clamp(0.0, 98.8)) width="1.2" y="2" height="10" {} }
            @if let Some(bound) = bound { rect class="bound" x=((at(bound) - 0.4).clamp(0.0, 99.2)) width="0.8" y="0" height="14" {} }
        }
    }
}
