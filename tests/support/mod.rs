//! What several tests use.
#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod system_one;
