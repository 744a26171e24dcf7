//! Tests and intervals that stay valid when one looks after every case.
//!
//! Peeking at a test for a fixed number of cases is not: its level holds for
//! one look. These are for runs that stop early to save calls, and for the
//! reading `anytime`, whose bounds keep their level when cases are added.
//! All but the group-sequential designs hold at every n at once.

mod beta_mixture;
mod betting;
mod empirical_bernstein;
mod group;
mod quadrature;
mod ratio_tests;

pub use self::beta_mixture::{
    beta_mixture_effective, beta_mixture_log_e, beta_mixture_sequence, sequential_mcnemar_log_e,
};
pub use self::betting::{hedged_log_capital, hedged_sequence};
pub use self::empirical_bernstein::empirical_bernstein_sequence;
pub use self::group::{GroupDesign, GroupSequential, Look};
pub use self::ratio_tests::{ExpectedCases, WaldSprt, msprt_log_e, msprt_p};
