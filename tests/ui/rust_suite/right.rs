#![deny(warnings)]

use decbench::__private::{PartKey, WrittenSuite, inventory};
use decbench::{Distribution, Levels, Options, State};

#[derive(Options)]
#[options(rename_all = "lowercase", question = "Which team?", version = 3)]
pub enum Team {
    /// Invoices and refunds.
    Billing,
    /// None of these.
    #[options(escape)]
    Other,
}

#[derive(Levels)]
pub enum Mood {
    Calm,
    Angry,
}

#[derive(serde::Deserialize)]
struct Ticket {
    subject: String,
}

decbench::policy! {
    /// From here on a call is passed on without a person.
    pub const AUTO_ROUTE: Threshold = Threshold::new(0.9);
}

#[decbench::test(
    question = "Which team?",
    options = Team,
    cases = "tests/ui/suites/calls.cases.jsonl",
    assert("accuracy >= 90%", "recall[billing] >= 95%", "ece <= 0.05"),
)]
fn plain(_: &str) -> Team {
    Team::Billing
}

// The type carries the wording; policies stand for numbers.
#[decbench::test(
    suite = "calls",
    options = Team,
    cases = "tests/ui/suites/calls.cases.jsonl",
    candidate = "rules",
    scorecard = "off",
    assert("selective_accuracy[policy: AUTO_ROUTE] >= 98%", "coverage[accuracy >= 98%] >= 80%"),
)]
async fn with_probabilities(_: &State) -> Result<Distribution<Team>, std::num::ParseIntError> {
    Ok(Distribution::of([(Team::Other, 1.0)]))
}

#[decbench::test(
    question = "How does the caller feel?",
    version = 2,
    levels = Mood,
    cases = "tests/ui/suites/moods.cases.jsonl",
    assert("within_one >= 90%"),
)]
fn mood(ticket: &Ticket) -> Option<Mood> {
    Some(if ticket.subject.is_empty() { Mood::Calm } else { Mood::Angry })
}

#[decbench::test(
    question = "May this refund be paid out?",
    options = bool,
    cases = "tests/ui/suites/refunds.cases.jsonl",
    assert("accuracy >= 90%"),
    crate = ::decbench,
)]
fn refund(ticket: Ticket) -> bool {
    ticket.subject.is_empty()
}

pub(crate) fn main() {
    let mut names: Vec<&str> = inventory::iter::<WrittenSuite>
        .into_iter()
        .filter(|suite| suite.file.contains("ui/rust_suite/"))
        .filter_map(|suite| suite.parts.iter().find(|part| part.key == PartKey::Suite))
        .map(|part| part.text)
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["calls", "mood", "plain", "refund"]);
}
