//! One call from suites to outcomes, for one trial or all.

mod baseline;
mod candidate;
mod cards;
mod claim;
mod data;
mod decision;
mod difference;
mod driver;
mod elsewhere;
mod explain;
mod filled;
mod jury;
mod looks;
mod metrics;
mod needs;
mod perform;
mod plan;
mod production;
mod published;
mod qualify;
mod recording;
mod served;
mod settings;
mod suite_run;
mod trial;
mod turn;
mod verdict;
mod who;

pub use difference::{AccuracyChange, Difference, Flip, ProbabilityShift, QuestionDifference};
pub use elsewhere::answers_made_elsewhere;
pub use filled::Filled;
pub use qualify::Qualified;
pub use settings::{Settings, Variables};
pub use suite_run::SuiteRun;
pub use trial::{Trial, TrialKind, TrialResult, trials_of};
pub use who::check_candidates;
