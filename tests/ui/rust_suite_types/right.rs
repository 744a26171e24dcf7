#[derive(decbench::Options)]
#[options(question = "Which team?", version = 3)]
pub enum Team {
    Billing,
    Support,
}

#[decbench::test(
    question = "Which team?",
    version = 3,
    options = Team,
    cases = "c.jsonl",
    assert("recall[Billing] >= 90%"),
)]
fn route(_: &str) -> Option<Team> {
    Some(Team::Billing)
}

pub(crate) fn main() {}
