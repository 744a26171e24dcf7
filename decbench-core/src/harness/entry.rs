//! `fn main` of a test target.

use std::process::ExitCode;

use super::{Setup, serve_snapshot};

/// Runs the suites of a test target; `decbench::main!()` calls it.
pub fn main(setup: Setup) -> ExitCode {
    if let Some(code) = serve_snapshot(&setup) {
        return code;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, Vec::new()).exit_code()
}
