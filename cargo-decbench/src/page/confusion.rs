//! Which answer was taken for which; a cell opens its cases.

use maud::{Markup, html};

use super::region;
use crate::report::card::{Candidate, Question};

pub(super) fn table(candidate: &Candidate, question: &Question, place: &[&str]) -> Markup {
    let Some(confusion) = &question.tables.confusion else {
        return html! {};
    };
    let most = confusion
        .rows
        .iter()
        .flatten()
        .copied()
        .max()
        .unwrap_or(0)
        .max(1);
    let failed = confusion
        .rows
        .iter()
        .any(|row| row.get(confusion.options.len()).is_some_and(|n| *n > 0));
    let columns = confusion.options.len() + usize::from(failed);
    html! {
        details open[confusion.options.len() <= 8] {
            summary { "Confusion: gold in rows, answers in columns" }
            div class="scroll" tabindex="0" role="region" aria-label=(region("Confusion matrix", place)) {
                table class="confusion" {
                    thead { tr {
                        th scope="col" { "gold" }
                        @for option in &confusion.options { th scope="col" class="number" { (option) } }
                        @if failed { th scope="col" class="number" { "no answer" } }
                    } }
                    tbody {
                        @for (gold, row) in confusion.options.iter().zip(&confusion.rows) {
                            tr {
                                th scope="row" { (gold) }
                                @for (position, n) in row.iter().take(columns).enumerate() {
                                    @let answer = confusion.options.get(position).map_or("", String::as_str);
                                    td class={ @if answer == gold { "right" } @else { "wrong" } } style={ "--share:" (share(*n, most)) } {
                                        @if *n == 0 { span class="zero" { "0" } }
                                        @else {
                                            button type="button" data-candidate=(candidate.name) data-question=(question.name) data-gold=(gold) data-answer=(answer)
                                                aria-label=(region(&cell(*n, gold, answer), place)) { (n) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a cell counts.
fn cell(n: u64, gold: &str, answer: &str) -> String {
    match answer {
        "" => format!("{n} cases of {gold} not answered"),
        answer => format!("{n} cases of {gold} answered {answer}"),
    }
}

/// How much of the largest cell this is, in words of CSS.
fn share(n: u64, most: u64) -> String {
    format!("{:.3}", n as f64 / most as f64)
}
