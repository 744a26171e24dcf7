//! Every service against a local server that keeps to its contract, and against recorded replies that do not.

mod averages;
mod conformance;
mod documentation;
mod gateways;
mod language;
mod parts;
mod programs;
mod referees;
mod replies;
mod secrets;
mod table;
