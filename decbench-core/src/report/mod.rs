//! What people and machines read: scorecard text, JSON and Markdown.

mod change;
mod claim;
mod data;
mod decisions;
mod json;
mod load;
mod markdown;
mod number;
mod plan;
mod published;
mod scorecard;
mod sentence;
mod text;
mod turn;
mod verdict;

pub use change::change_text;
pub use claim::claim_line;
pub use data::observations;
pub use decisions::{DecisionRow, Timeout, decisions_json, decisions_markdown, decisions_text};
pub use json::to_json;
pub use load::{LoadLine, load_text};
pub use markdown::to_markdown;
pub use number::{format_interval, format_value};
pub use plan::{
    AnyWrongRed, Plan, PlanLine, PlannedCalls, PlannedMargin, plan_json, plan_text, unsettled_text,
};
pub use published::{PublishedBound, PublishedLine, PublishedModel, published_text};
pub use scorecard::{
    AssertionLine, CandidateCard, ClaimLine, DataLine, GroupCard, MetricLine, QuestionCard,
    Scorecard,
};
pub use sentence::verdict_sentence;
pub use text::{FORMAT, to_text};
pub use turn::{TurnLine, turn_text};
pub use verdict::verdict_text;
