#[derive(decbench::Options)]
#[options(rename_all = "lowercase", version = 3)]
pub enum Team {
    Billing,
    Support,
}

// What the checker of suites finds is shown at the literal.
#[decbench::test(
    question = "Which team?",
    options = Team,
    cases = "calls.cases.jsonl",
    assert("acuracy >= 90%", "recall[billing] >= 950%", "ece", "within_one >= 90%"),
)]
fn assertions(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(question = "Which?", options = Team, cases = "c.jsonl", scorecard = "of", assert("accuracy >= 90%"))]
fn values(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(suite = "Calls!", question = "Which?", options = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn names(_: &str) -> Team {
    Team::Billing
}

// What is missing.
#[decbench::test(question = "Which?", cases = "c.jsonl", assert("accuracy >= 90%"))]
fn no_type(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(question = "Which?", options = Team, assert("accuracy >= 90%"))]
fn no_cases(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(question = "Which?", options = Team, cases = "c.jsonl")]
fn no_assertions(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(question = "Which?", options = Team, levels = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn both_types(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(question = "Which?", options = Team, cases = "c.jsonl", assert(accuracy >= 90%))]
fn no_texts(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(suite = "tests/ui/suites/urgency.yaml", version = 3, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn in_a_file(_: &str) -> bool {
    true
}

#[decbench::test(question = "Which?", options = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn nameless(_: &str) -> impl decbench::IntoDecision + use<> {
    "billing"
}

fn main() {}
