#[derive(decbench::Options)]
#[options(question = "Which team?", version = 3)]
pub enum Team {
    Billing,
    Support,
}

#[derive(decbench::Levels)]
pub enum Mood {
    Calm,
    Angry,
}

// The compiler compares the attribute with its type.
#[decbench::test(
    question = "Who?",
    options = Team,
    cases = "c.jsonl",
    assert("accuracy >= 90%"),
)]
fn wording(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(
    question = "Which team?",
    version = 2,
    options = Team,
    cases = "c.jsonl",
    assert("accuracy >= 90%"),
)]
fn version(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(
    question = "Which team?",
    options = Team,
    cases = "c.jsonl",
    assert("accuracy >= 90%", "recall[billing] >= 90%"),
)]
fn option(_: &str) -> Team {
    Team::Billing
}

#[decbench::test(options = Mood, question = "How?", cases = "c.jsonl", assert("accuracy >= 90%"))]
fn kind(_: &str) -> Mood {
    Mood::Calm
}

#[decbench::test(levels = Mood, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn nobody_asks(_: &str) -> Mood {
    Mood::Calm
}

// The function answers with the type that is asked for, and with nothing else.
#[decbench::test(options = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn text(_: &str) -> &'static str {
    "Billing"
}

#[decbench::test(options = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
fn other_type(_: &str) -> Result<Mood, String> {
    Ok(Mood::Calm)
}

#[decbench::test(options = Team, cases = "c.jsonl", assert("accuracy >= 90%"))]
async fn untyped(_: &str) -> decbench::Distribution {
    decbench::Distribution::yes(0.5)
}

fn main() {}
