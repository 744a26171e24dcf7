//! Proper scores: rules under which an honest probability is the best one.

mod brier;
mod decomposition;
mod isotonic;
mod log_loss;
mod truth;

pub use self::brier::{binary_brier, brier, brier_of_base_rates, skill};
pub use self::decomposition::{CorpParts, MurphyParts, corp, murphy, murphy_binned};
pub use self::log_loss::{ItemLogLoss, LogLoss, item_log_loss, log_loss};
pub use self::truth::{Truth, mean, top_option};
