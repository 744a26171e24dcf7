//! Open answers: what checks and judges say of each, and the metrics that read it.

mod checks;
mod grade;
mod metrics;
mod votes;

pub use checks::{Checked, check};
pub use grade::{Grade, Judged, PassRule, Unjudged};
pub(super) use grade::{breaks_a_check, passes, quality};
pub(super) use metrics::{
    agent_task_success, check_share, judge_agreement, number as case_number, pairwise_win_rate,
    pass_rate, quality_mean, rubric,
};
pub use votes::{Preference, Vote, judged};
