//! The verdict with the candidates it is about.

use maud::{Markup, html};

use super::prose::prose;
use super::region;
use super::scale::Format;
use crate::report::card::{Standing, Verdict, ends};

/// The verdict in one sentence, before anything else.
pub(super) fn sentence(verdict: &Verdict) -> Markup {
    let said = if verdict.sentence.is_empty() {
        &verdict.outcome
    } else {
        &verdict.sentence
    };
    html! {
        p class="verdict" {
            strong { (prose(&capitalised(said))) }
            @for reason in &verdict.reasons { span class="reason" { (prose(reason)) } }
        }
    }
}

/// Candidates side by side, and what the verdict stands on.
pub(super) fn table(verdict: &Verdict, suite: &str) -> Markup {
    if verdict.candidates.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Candidates" }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Candidates of the verdict", &[suite])) {
                table {
                    thead { tr { th scope="col" { "Candidate" } th scope="col" class="number" { "Rank" } th scope="col" class="number" { "Quality" } th scope="col" class="number" { "Against today" } th scope="col" class="number" { "Better / worse" } th scope="col" class="number" { "p, adjusted" } th scope="col" class="number" { "Per success" } } }
                    tbody { @for standing in &verdict.candidates { (row(standing)) } }
                }
            }
            @if !verdict.measured_on.is_empty() { p class="about" { "Measured on " (prose(&verdict.measured_on)) "." } }
            @if !verdict.does_not_claim.is_empty() { p class="about" { "It says " (prose(&verdict.does_not_claim)) "." } }
        }
    }
}

fn row(standing: &Standing) -> Markup {
    let quality = Format::Share;
    let dollars = Format::Dollars;
    html! {
        tr {
            th scope="row" {
                (standing.name)
                @if standing.today { " " span class="tag" { "today" } }
                @for gate in &standing.gates { span class="ends wrapped" { "kept out: " (prose(gate)) } }
                @for gate in &standing.soft_gates { span class="ends wrapped" { "fails, as today's does: " (gate) } }
            }
            td class="number" {
                @if let Some(rank) = &standing.rank {
                    (rank.rank)
                    @if rank.interval[0] != rank.interval[1] { span class="ends" { (rank.interval[0]) " to " (rank.interval[1]) } }
                }
            }
            td class="number" { (cell(quality, standing.quality, ends(standing.interval))) }
            td class="number" { (difference(standing)) }
            td class="number" { @if let Some(discordant) = &standing.discordant { (discordant.better) " / " (discordant.worse) } }
            td class="number" { @if let Some(p) = standing.p_adjusted { (format!("{p:.3}")) } }
            td class="number" { (cell(dollars, standing.cost_per_success.value, ends(standing.cost_per_success.interval))) }
        }
    }
}

fn difference(standing: &Standing) -> Markup {
    let points = |value: f64| format!("{:+.1} pp", value * 100.0);
    html! {
        @if let Some(value) = standing.difference {
            (points(value))
            @if let Some((low, high)) = ends(standing.difference_interval) { span class="ends" { (points(low)) " to " (points(high)) } }
        }
    }
}

fn cell(format: Format, value: Option<f64>, interval: Option<(f64, f64)>) -> Markup {
    html! {
        @if let Some(value) = value {
            (format.words(value))
            @if let Some((low, high)) = interval { span class="ends" { (format.words(low)) " to " (format.words(high)) } }
        }
    }
}

fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
