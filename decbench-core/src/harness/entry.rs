//! `fn main` of a test target.

use std::io::Write as _;
use std::process::ExitCode;

use super::arguments::CommandLine;
use super::request::{self, Request};
use super::{Setup, environment, serve_snapshot, target};

/// Exit code of wrong use: bad arguments, variables or configuration.
const WRONG_USE: u8 = 2;

/// Runs the suites of a test target; `decbench::main!()` calls it.
///
/// The exit code is 0 when all trials that ran passed, 101 when one failed, and 2 for wrong use.
pub fn main(setup: Setup) -> ExitCode {
    if let Some(code) = serve_snapshot(&setup) {
        return code;
    }
    match run(setup) {
        Ok(code) => code,
        Err(message) => {
            // That nobody can read the message does not change the code.
            let _ =
                std::io::stderr().write_all(format!("error: {}\n", message.trim_end()).as_bytes());
            ExitCode::from(WRONG_USE)
        }
    }
}

fn run(setup: Setup) -> Result<ExitCode, String> {
    if let Some(request) = Request::read(std::env::args_os().skip(1)) {
        return request::serve(&setup, &request?);
    }
    let threads = environment::variable("RUST_TEST_THREADS");
    let mut line = CommandLine::parse(std::env::args_os().skip(1), threads.as_deref())?;
    // A list needs no configuration, so a broken one fails where trials run.
    let settings = if line.arguments.list {
        None
    } else {
        Some(environment::settings(&setup, !line.is_for_machines())?)
    };
    // Trials run on threads of their own and read these until the process ends.
    let setup: &'static Setup = Box::leak(Box::new(setup));
    let settings = settings.map(|settings| &*Box::leak(Box::new(settings)));
    let trials = target::trials(setup, &mut line, settings);
    let arguments = line.for_kept(trials.iter().map(libtest_mimic::Trial::name));
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}
