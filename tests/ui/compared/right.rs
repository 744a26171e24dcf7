use decbench::{Distribution, Levels, Options, State};

#[derive(Options)]
#[options(rename_all = "lowercase", question = "Which team?", version = 3)]
pub enum Team {
    /// Invoices and refunds.
    Billing,
    /// Something is broken.
    Support,
    /// None of these.
    #[options(escape)]
    Other,
}

#[derive(Levels)]
#[options(rename_all = "lowercase")]
pub enum Mood {
    Calm,
    Annoyed,
    Furious,
}

// The type that the suite names is found in what the function returns.
#[decbench::test(suite = "tests/ui/suites/teams.yaml")]
fn by_return(_: &str) -> Team {
    Team::Support
}

#[decbench::test(suite = "tests/ui/suites/teams.yaml")]
fn deep(_: &State) -> Result<Distribution<Team>, std::num::ParseIntError> {
    Ok(Distribution::of([(Team::Billing, 0.5), (Team::Other, 0.5)]))
}

// Or the attribute names it, also where the suite names none.
#[decbench::test(suite = "tests/ui/suites/teams.yaml", options = Team)]
fn by_option(_: &str) -> &'static str {
    "billing"
}

#[decbench::test(suite = "tests/ui/suites/moods.yaml", levels = Mood)]
fn mood(_: &str) -> Mood {
    Mood::Calm
}

pub(crate) fn main() {}
