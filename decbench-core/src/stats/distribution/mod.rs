//! The distributions that the other statistics stand on.
//!
//! All functions are pinned by 50-digit values. Arguments that are NaN or
//! outside the domain are refused, never answered with NaN.

mod beta;
mod binomial;
mod chi_squared;
mod gamma_terms;
mod normal;
mod student;

pub use self::beta::{beta_cdf, beta_quantile, beta_sf, ln_beta, ln_beta_cdf};
pub use self::binomial::{
    binomial_cdf, binomial_isf, binomial_pmf, binomial_quantile, binomial_sf,
};
pub(crate) use self::binomial::{point_mass, split};
pub use self::chi_squared::chi_squared_sf;
pub(crate) use self::normal::upper_tail;
pub use self::normal::{normal_cdf, normal_quantile, normal_sf, one_sided_z, two_sided_z};
pub use self::student::{student_quantile, student_two_sided_p, two_sided_t};
