//! The System One dialect: Jev by `TypeSafe` and every service that speaks it.
//!
//! One `POST` asks several questions about one state. A choice goes out as `choice` with its options as the keys of a
//! map in the order shown, yes/no as `noul`, a score as `score` with its levels as a list.

#[cfg(feature = "http")]
mod answer;
#[cfg(feature = "http")]
mod dialect;
mod places;
#[cfg(feature = "http")]
mod request;
mod settings;

#[cfg(feature = "http")]
pub(crate) use answer::read_one;
pub use places::{PLACES, Place, Twist};
pub(crate) use settings::{NAME, SETTINGS, USUAL, connect, describe};
