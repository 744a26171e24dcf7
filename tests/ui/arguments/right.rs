use std::borrow::Cow;

use decbench::{Request, State};

#[derive(serde::Deserialize)]
struct Ticket {
    subject: String,
}

#[decbench::provider]
fn text(_: &str) -> bool {
    true
}

#[decbench::provider]
fn string(_: &String) -> bool {
    true
}

#[decbench::provider]
fn state(_: &State) -> bool {
    true
}

#[decbench::provider]
fn json(_: &serde_json::Value) -> bool {
    true
}

#[decbench::provider]
fn typed(ticket: &Ticket) -> bool {
    ticket.subject.is_empty()
}

#[decbench::provider]
fn list(_: &[Ticket]) -> bool {
    true
}

#[decbench::provider]
fn given(_: Ticket) -> bool {
    true
}

#[decbench::provider]
fn given_state(_: State) -> bool {
    true
}

#[decbench::provider]
async fn given_text(_: Cow<'static, str>) -> bool {
    true
}

#[decbench::provider]
async fn request<'a>(_: &'a Request<'a>) -> bool {
    true
}

#[decbench::provider]
fn given_request(_: Request<'_>) -> bool {
    true
}

pub(crate) fn main() {}
