//! What all services share: one client, its limits, what it measures, the frame of a call, and how failures are told.

mod client;
mod connection;
mod detour;
mod dialogue;
mod failure;
mod wait;

pub(crate) use client::{Authorization, Http};
pub(crate) use dialogue::{Dialect, Dialogue};
