//! Calling a service: recordings, runs, money, misbehaving services, killed processes.
#![cfg(feature = "http")]

#[path = "../support/mod.rs"]
mod support;

mod bench;
mod damage;
#[cfg(target_os = "linux")]
mod disks;
mod fuzzing;
mod kills;
mod limits;
mod misbehaviour;
mod money;
mod processes;
mod recording;
mod services;
