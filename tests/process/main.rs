//! A test target as a runner starts it: a process with arguments, an environment and files, judged by its exit code
//! and its words.
//!
//! This binary is both: started as [`project::FIXTURE`] says, it is a user's test target, and else the tests of one.

mod baseline;
#[cfg(feature = "http")]
mod calls;
mod capability;
mod data;
mod decisions;
mod fixture;
mod guide;
mod inputs;
mod judged;
#[cfg(feature = "http")]
mod judging;
#[cfg(feature = "http")]
mod load;
mod names;
mod outcomes;
mod outputs;
mod plan;
mod project;
mod rescoring;
mod verdicts;
#[cfg(feature = "http")]
mod versions;

#[cfg(feature = "http")]
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

/// One test; it panics when something does not hold.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    if std::env::var_os(project::FIXTURE).is_some() {
        return fixture::main();
    }
    let arguments = Arguments::from_args();
    let tests = [
        names::TESTS,
        outcomes::TESTS,
        inputs::TESTS,
        outputs::TESTS,
        plan::TESTS,
        verdicts::TESTS,
        capability::TESTS,
        #[cfg(feature = "http")]
        calls::TESTS,
        #[cfg(feature = "http")]
        load::TESTS,
        #[cfg(feature = "http")]
        versions::TESTS,
        guide::TESTS,
        data::TESTS,
        baseline::TESTS,
        rescoring::TESTS,
        decisions::TESTS,
        judged::TESTS,
        #[cfg(feature = "http")]
        judging::TESTS,
    ]
    .concat();
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
