//! How far stated probabilities are from what happens.

mod binning;
mod equal_mass;
mod equal_width;
mod forecasts;
mod gap_noise;
mod null;
mod resampled;
mod smooth;
mod tests_of_fit;

pub(crate) use self::forecasts::check_chances;

pub use self::binning::{Binning, Closed, Edges};
pub use self::equal_mass::{EqualMassCalibration, equal_mass};
pub use self::equal_width::{Bin, Calibration, ClasswiseCalibration, classwise, equal_width};
pub use self::forecasts::Forecasts;
pub use self::gap_noise::GapNoise;
pub use self::null::{EceNull, ece_null};
pub use self::resampled::{
    BinnedError, ErrorInterval, error_interval, resampled_error, resampled_error_by_cluster,
};
pub use self::smooth::{smooth_ece, smooth_ece_at};
pub use self::tests_of_fit::{CalibrationTest, hosmer_lemeshow, spiegelhalter};
