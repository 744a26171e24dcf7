//! What stays the same: repeats of one call, and the same options in another order.

use maud::{Markup, html};

use super::region;
use super::scale::{Format, format_of};
use crate::report::card::{Flicker, Orders, Question};

/// Metrics of repeats and orders, in this order, where they were measured.
const METRICS: [&str; 5] = [
    "flip_rate",
    "order_flip_rate",
    "max_prob_shift",
    "first_slot_gap",
    "order_kappa",
];
/// Flickering cases on the page; the list of cases has them all.
const SHOWN: usize = 20;

pub(super) fn tables(question: &Question, place: &[&str]) -> Markup {
    let flickering = &question.tables.flickering;
    let orders = question.tables.orders.as_ref();
    let measured: Vec<_> = METRICS
        .iter()
        .filter_map(|name| Some((*name, question.metric(name)?)))
        .collect();
    if measured.is_empty() && flickering.is_empty() && orders.is_none() {
        return html! {};
    }
    html! {
        details {
            summary { "Repeats and orders" @if !flickering.is_empty() { ": " (flickering.len()) " flicker" } }
            @if !measured.is_empty() {
                div class="scroll" tabindex="0" role="region" aria-label=(region("Repeats and orders", place)) {
                    table {
                        thead { tr { th scope="col" { "Metric" } th scope="col" class="number" { "Value" } th scope="col" { "Interval" } } }
                        tbody {
                            @for (name, found) in &measured {
                                tr {
                                    th scope="row" { (name) }
                                    td class="number" { (format_of(name).words(found.value)) }
                                    td { @if let Some((low, high)) = found.interval { (format_of(name).words(low)) " to " (format_of(name).words(high)) } }
                                }
                            }
                        }
                    }
                }
            }
            @if !flickering.is_empty() { (flickers(flickering, place)) }
            @if let Some(orders) = orders { (slots(orders, place)) }
        }
    }
}

fn flickers(flickering: &[Flicker], place: &[&str]) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(region("Flickering cases", place)) {
            table {
                caption { "The same call, answered differently" }
                thead { tr { th scope="col" { "Case" } th scope="col" { "Answers" } th scope="col" class="number" { "Margin" } } }
                tbody {
                    @for flicker in flickering.iter().take(SHOWN) {
                        tr {
                            th scope="row" { button type="button" class="open-case" data-case=(flicker.case) { (flicker.case) } }
                            td {
                                @for (position, said) in flicker.said.iter().enumerate() {
                                    @if position > 0 { ", " }
                                    (said.answer) " × " (said.times)
                                }
                            }
                            td class="number" { @if let Some(margin) = flicker.margin { (format!("{margin:.3}")) } }
                        }
                    }
                }
            }
        }
        @if flickering.len() > SHOWN { p class="about" { "and " (flickering.len() - SHOWN) " more: choose “flickering” in the list of cases." } }
    }
}

fn slots(orders: &Orders, place: &[&str]) -> Markup {
    let share = Format::Share;
    html! {
        @if let (Some(declared), Some(averaged)) = (orders.declared_accuracy, orders.averaged_accuracy) {
            p class="about" {
                "On the " (orders.cases) " cases asked in several orders: accuracy " (share.words(declared))
                " in the suite's order, " (share.words(averaged)) " with probabilities averaged over orders."
            }
        }
        @if let Some(prior) = &orders.prior {
            div class="scroll" tabindex="0" role="region" aria-label=(region("Liking for slots", place)) {
                table {
                    caption { "How much each place in the list is liked, on " (orders.prior_cases) " cases; without a liking all would be " (share.words(1.0 / prior.len().max(1) as f64)) }
                    thead { tr { @for slot in 1..=prior.len() { th scope="col" class="number" { "Slot " (slot) } } } }
                    tbody { tr { @for liked in prior { td class="number" { (share.words(*liked)) } } } }
                }
            }
        }
    }
}
