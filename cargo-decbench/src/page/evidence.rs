//! What is behind one candidate's numbers: every metric, calibration, coverage, confusion, latency.

use maud::{Markup, html};

use super::prose::prose;
use super::scale::{Format, format_of};
use super::{chart, confusion, region, steadiness};
use crate::report::card::{Candidate, Card, Question, measured};
use crate::report::rows::Rows;

pub(super) fn candidate(candidate: &Candidate, card: &Card, rows: &Rows) -> Markup {
    let position = card
        .candidates
        .iter()
        .position(|other| other.name == candidate.name);
    let latencies = position
        .and_then(|at| rows.latencies.get(at))
        .map_or(&[][..], Vec::as_slice);
    html! {
        section class="candidate" {
            h2 {
                (candidate.name)
                @if candidate.today { " " span class="tag" { "today" } }
                @if candidate.baseline { " " span class="tag" { "baseline" } }
            }
            @for note in &candidate.notes { p class="note" { (prose(note)) } }
            @for question in &candidate.questions {
                @let place = &[card.suite.as_str(), &candidate.name, &question.name];
                @if !question.name.is_empty() { h3 { (question.name) } }
                div class="charts" {
                    (chart::reliability(question, place))
                    (chart::coverage(question, threshold(card, candidate, question), place))
                    (chart::latency(latencies, latency_bound(card, candidate), place))
                }
                (confusion::table(candidate, question, place))
                (steadiness::tables(question, place))
                (metrics(question, place))
            }
        }
    }
}

/// The threshold that a coverage assertion of this candidate found.
fn threshold(card: &Card, candidate: &Candidate, question: &Question) -> Option<f64> {
    let asserted = card.assertions.iter().find(|line| {
        line.candidate == candidate.name
            && line.question == question.name
            && line.metric.contains("coverage[")
    })?;
    let metric = asserted
        .metric
        .rsplit_once("coverage[")
        .map(|(_, rest)| format!("coverage[{rest}"))?;
    let found = question.metrics.get(&metric)?;
    found.get("threshold").and_then(serde_json::Value::as_f64)
}

fn latency_bound(card: &Card, candidate: &Candidate) -> Option<f64> {
    card.assertions
        .iter()
        .filter(|line| line.candidate == candidate.name && line.metric.starts_with("latency."))
        .find_map(|line| Format::bound(&line.bound))
}

/// Every metric that was measured; long, so it is folded.
fn metrics(question: &Question, place: &[&str]) -> Markup {
    html! {
        details {
            summary { "All " (question.metrics.len()) " metrics" }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Metrics", place)) {
                table {
                    thead { tr { th scope="col" { "Metric" } th scope="col" class="number" { "Value" } th scope="col" { "Interval" } th scope="col" { "How" } } }
                    tbody {
                        @for (name, metric) in &question.metrics {
                            @let format = format_of(name);
                            tr {
                                th scope="row" { (name) }
                                @if let Some(found) = measured(metric) {
                                    td class="number" { (format.words(found.value)) }
                                    td { @if let Some((low, high)) = found.interval { (format.words(low)) " to " (format.words(high)) } }
                                    td { (text(metric, "method")) @if let Some(n) = metric.get("n") { ", n " (n.to_string()) } }
                                } @else {
                                    td class="number" { "–" }
                                    td colspan="2" { "not measurable: " (text(metric, "why")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn text<'a>(metric: &'a serde_json::Value, key: &str) -> &'a str {
    metric
        .get(key)
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default()
}
