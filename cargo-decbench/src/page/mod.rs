//! One self-contained page: style, script and data are inside, nothing is loaded.

mod browser;
mod chart;
mod checks;
mod confusion;
mod evidence;
mod groups;
mod outcome;
mod prose;
mod scale;
mod standings;
mod steadiness;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use prose::prose;

use crate::report::card::Card;
use crate::report::rows::Rows;

/// A suite on the page.
#[derive(Debug, Clone)]
pub(crate) struct Chapter {
    pub(crate) card: Card,
    pub(crate) rows: Rows,
}

impl Chapter {
    /// Whether an assertion of it failed or could not run.
    pub(crate) fn fails(&self) -> bool {
        self.card
            .assertions
            .iter()
            .any(|line| outcome::is_red(line.outcome()))
    }
}

/// The whole document.
pub(crate) fn document(chapters: &[Chapter]) -> String {
    let title = match chapters {
        [only] => only.card.suite.clone(),
        several => format!("{} suites", several.len()),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Nothing is loaded and nothing but the page's own script runs, whatever the cases say.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
                meta name="color-scheme" content="light dark";
                title { "decbench: " (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                a class="skip" href="#main" { "Skip to the results" }
                @if chapters.len() > 1 { (contents(chapters)) }
                main id="main" {
                    @for (position, chapter) in chapters.iter().enumerate() { (self::chapter(position, chapter)) }
                }
                footer { p { "Written by decbench. Intervals are at 95% unless a row says otherwise; judging uses exact limits where there are some." } }
                script { (PreEscaped(include_str!("browser.js"))) }
            }
        }
    }
    .into_string()
}

/// What readers of the screen call a part of the page: where it stands makes its name one of a kind.
fn region(what: &str, place: &[&str]) -> String {
    let named: Vec<&str> = place
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    format!("{what}, {}", named.join(", "))
}

fn contents(chapters: &[Chapter]) -> Markup {
    html! {
        nav aria-label="Suites" {
            ul {
                @for (position, chapter) in chapters.iter().enumerate() {
                    li { a href={ "#s" (position) } { (chapter.card.suite) } " " (outcome::badge(outcome::of(&chapter.card))) }
                }
            }
        }
    }
}

fn chapter(position: usize, chapter: &Chapter) -> Markup {
    let card = &chapter.card;
    html! {
        article class="suite" id={ "s" (position) } aria-labelledby={ "s" (position) "-name" } {
            header {
                h1 id={ "s" (position) "-name" } { (card.suite) }
                (outcome::verdict(card))
                p class="about" { (card.cases) " cases, " (card.with_gold) " with gold, " (card.units) " independent units" }
                @for note in card.notes.iter().chain(&chapter.rows.notes) { p class="note" { (prose(note)) } }
            }
            (outcome::assertions(card))
            @if let Some(verdict) = &card.verdict { (standings::table(verdict, &card.suite)) }
            (checks::comparisons(card))
            @for candidate in &card.candidates { (evidence::candidate(candidate, card, &chapter.rows)) }
            (chart::quality_and_cost(card))
            (groups::tables(card))
            (checks::data(card))
            (browser::browser(position, chapter))
        }
    }
}
