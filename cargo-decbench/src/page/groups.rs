//! Every metric that is asserted, per group.

use maud::{Markup, html};
use serde_json::Value as Json;

use super::region;
use super::scale::format_of;
use crate::report::card::{Card, Group, Question, measured};

/// Metrics that stand in the table where nothing else is asserted.
const ALWAYS: [&str; 1] = ["accuracy"];

pub(super) fn tables(card: &Card) -> Markup {
    let any = card
        .candidates
        .iter()
        .flat_map(|candidate| &candidate.questions)
        .any(|question| !question.groups.is_empty());
    if !any {
        return html! {};
    }
    html! {
        section {
            h2 { "By group" }
            @for candidate in &card.candidates {
                @for question in candidate.questions.iter().filter(|question| !question.groups.is_empty()) {
                    (of(&candidate.name, question, card))
                }
            }
        }
    }
}

/// The metrics that are asserted of a question.
fn metrics<'c>(card: &'c Card, question: &Question) -> Vec<&'c str> {
    let mut names: Vec<&str> = ALWAYS.to_vec();
    let lines = card.assertions.iter();
    for line in lines.filter(|line| line.question == question.name) {
        let name = line.metric.as_str();
        if !names.contains(&name) && !name.starts_with("latency") && !name.starts_with("cost") {
            names.push(name);
        }
    }
    names
}

fn of(candidate: &str, question: &Question, card: &Card) -> Markup {
    let names = metrics(card, question);
    let shown: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| {
            question
                .groups
                .iter()
                .any(|group| group.metrics.get(*name).and_then(measured).is_some())
        })
        .collect();
    html! {
        details {
            summary { (candidate) @if !question.name.is_empty() { ", " (question.name) } }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Groups", &[&card.suite, candidate, &question.name])) {
                table {
                    thead { tr { th scope="col" { "Group" } th scope="col" class="number" { "n" } @for name in &shown { th scope="col" class="number" { (name) } } } }
                    tbody { @for group in &question.groups { (row(group, &shown)) } }
                }
            }
        }
    }
}

fn row(group: &Group, names: &[&str]) -> Markup {
    let n = group
        .metrics
        .get("accuracy")
        .and_then(|metric| metric.get("n"))
        .and_then(Json::as_u64);
    html! {
        tr {
            th scope="row" { (words(&group.by)) " " (words(&group.value)) }
            td class="number" { @if let Some(n) = n { (n) } }
            @for name in names {
                td class="number" {
                    @if let Some(found) = group.metrics.get(*name).and_then(measured) {
                        (format_of(name).words(found.value))
                        @if let Some((low, high)) = found.interval {
                            span class="ends" { (format_of(name).words(low)) " to " (format_of(name).words(high)) }
                        }
                    }
                }
            }
        }
    }
}

fn words(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
