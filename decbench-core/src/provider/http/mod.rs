//! What all services share: one client, its limits, what it measures, and how failures are told.

mod client;
mod connection;
mod detour;
mod failure;
mod quotation;
mod wait;

pub(crate) use client::{Authorization, Http};
