use std::collections::{BTreeMap, HashMap};

use decbench::{Answers, Decision, Distribution, Failure, IntoDecision};

enum Team {
    Billing,
}

impl IntoDecision for Team {
    fn into_decision(self) -> Decision {
        match self {
            Team::Billing => Decision::label("billing").with_confidence(0.9),
        }
    }
}

#[decbench::provider]
fn own_type(_: &str) -> Team {
    Team::Billing
}

#[decbench::provider]
fn label(_: &str) -> &str {
    "billing"
}

#[decbench::provider]
fn owned_label(_: &str) -> String {
    "billing".into()
}

#[decbench::provider]
fn yes_no(_: &str) -> bool {
    true
}

#[decbench::provider]
fn level(_: &str) -> u8 {
    2
}

#[decbench::provider]
fn distribution(_: &str) -> Distribution {
    Distribution::new([("billing", 1.0)])
}

#[decbench::provider]
async fn fallible(_: &str) -> Result<Team, Failure> {
    Ok(Team::Billing)
}

#[decbench::provider]
fn any_error(_: &str) -> Result<bool, Box<dyn std::error::Error>> {
    Ok("true".parse()?)
}

#[decbench::provider]
fn optional(_: &str) -> Option<Team> {
    None
}

#[decbench::provider]
fn by_question(_: &str) -> BTreeMap<&'static str, Decision> {
    BTreeMap::from([("queue", "billing".into_decision()), ("urgent", true.into_decision())])
}

#[decbench::provider]
fn hashed(_: &str) -> Result<HashMap<String, Team>, String> {
    Ok(HashMap::new())
}

#[decbench::provider]
fn built(_: &str) -> Answers {
    Answers::new().and("queue", Team::Billing).and("urgent", true)
}

#[decbench::provider]
fn hidden(_: &str) -> impl IntoDecision + use<> {
    "billing"
}

pub(crate) fn main() {}
