//! What the environment says about a run: the only place that reads it.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Setup;
use super::progress::Teller;
use crate::collect::Mode;
use crate::config::{Config, Profile, read_duration};
use crate::run::Settings;

/// Reads a variable; empty counts as absent.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The package's folder: where the runner says it is now, else where it was compiled.
pub(super) fn package_folder(setup: &Setup) -> PathBuf {
    variable("CARGO_MANIFEST_DIR").map_or_else(|| setup.manifest_dir.into(), PathBuf::from)
}

/// The means of this process's run; `progress` says whether people are told how far calls are.
///
/// # Errors
/// What is wrong with `decbench.toml` or a variable, for a person.
pub(super) fn settings(setup: &Setup, progress: bool) -> Result<Settings, String> {
    let teller = Arc::new(Teller::new(io::stderr(), io::stderr().is_terminal()));
    let told = Arc::clone(&teller);
    let package = package_folder(setup);
    let config = match find_up(&package, "decbench.toml") {
        Some(path) => Config::load(&path).map_err(|mistakes| mistakes.render())?,
        None => Config::default(),
    };
    let profile = config
        .profile(variable("DECBENCH_PROFILE").as_deref())
        .map_err(|error| error.to_string())?;
    let mode = mode(&profile)?;
    let deadline = match variable("DECBENCH_DEADLINE") {
        Some(text) => Some(read_duration(&text).ok_or_else(|| {
            format!("DECBENCH_DEADLINE is `{text}`; write a time with its unit such as 20min")
        })?),
        None => profile.deadline,
    };
    let target = format!("-p {} --test {}", setup.package, setup.test_target);
    let nextest = variable("NEXTEST").is_some();
    let runner = if nextest {
        "cargo nextest run"
    } else {
        "cargo test"
    };
    Ok(Settings {
        mode,
        strict: profile.strict == Some(true),
        budget_usd: dollars("DECBENCH_BUDGET_USD", profile.budget_usd)?,
        confirm_usd: dollars("DECBENCH_CONFIRM_USD", profile.confirm_usd)?,
        deadline,
        allow_unpriced: profile.allow_unpriced.clone().unwrap_or_default(),
        baseline: variable("DECBENCH_BASELINE").or(profile.baseline),
        folder: package.clone(),
        lockbox: variable("DECBENCH_LOCKBOX").is_some_and(|value| value == "1"),
        output: output_folder(setup, &package),
        run: run_name(),
        config,
        package: setup.package.to_owned(),
        rerun: format!("{runner} {target} -- --exact \"{{}}\""),
        record: format!(
            "DECBENCH_MODE=fill DECBENCH_BUDGET_USD=1 {runner} {target} -- --exact \"{{}}\""
        ),
        confirm: format!(
            "DECBENCH_MODE={} DECBENCH_CONFIRM_USD={{usd}} {runner} {target} -- \"{{suite}}::\"",
            mode.name()
        ),
        clock: crate::provider::Clock::new(SystemTime::now),
        variable: Box::new(variable),
        notice: Box::new(move |text| told.notice(text)),
        progress: Box::new(move |text| {
            if progress {
                teller.progress(text);
            }
        }),
    })
}

/// An amount of a variable, else that of the profile.
fn dollars(name: &str, of_profile: Option<f64>) -> Result<Option<f64>, String> {
    let Some(text) = variable(name) else {
        return Ok(of_profile);
    };
    match text.parse::<f64>() {
        Ok(usd) if usd.is_finite() && usd >= 0.0 => Ok(Some(usd)),
        _ => Err(format!("{name} is `{text}`; write an amount such as 2.50")),
    }
}

fn mode(profile: &Profile) -> Result<Mode, String> {
    match variable("DECBENCH_MODE") {
        Some(text) => Mode::from_name(&text).ok_or_else(|| {
            let known: Vec<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
            format!(
                "DECBENCH_MODE is `{text}`; it is one of: {}",
                known.join(", ")
            )
        }),
        None => Ok(profile.mode.and_then(Mode::from_name).unwrap_or_default()),
    }
}

/// The nearest file of this name in a folder or above it.
fn find_up(folder: &Path, name: &str) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// `DECBENCH_OUTPUT`, else beside the folder Cargo gives to integration tests, else below the workspace's `target`.
fn output_folder(setup: &Setup, package: &Path) -> PathBuf {
    if let Some(folder) = variable("DECBENCH_OUTPUT") {
        return folder.into();
    }
    if let Some(target) = setup
        .target_tmpdir
        .and_then(|folder| Path::new(folder).parent())
    {
        return target.join("decbench");
    }
    if let Some(target) = variable("CARGO_TARGET_DIR") {
        return Path::new(&target).join("decbench");
    }
    let workspace = package
        .ancestors()
        .filter(|folder| folder.join("Cargo.lock").is_file())
        .last()
        .unwrap_or(package);
    workspace.join("target").join("decbench")
}

/// nextest's run, which all its processes share, else one of this process alone.
fn run_name() -> String {
    let plain = |text: &str| {
        text.chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || "._-".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect::<String>()
    };
    if let Some(run) = variable("NEXTEST_RUN_ID") {
        return match variable("NEXTEST_STRESS_CURRENT") {
            Some(index) => format!("nextest-{}-{}", plain(&run), plain(&index)),
            None => format!("nextest-{}", plain(&run)),
        };
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let process = std::process::id();
    format!("{}-{:09}-{process}", since.as_secs(), since.subsec_nanos())
}
