//! The scorecard trial: writes the files, and compares the text with the reviewed snapshot.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Setup, SnapshotRequest, check_snapshot, pull_request};
use crate::collect::Mode;
use crate::report::{Scorecard, to_json, to_markdown, to_text};
use crate::run::{Settings, SuiteRun, Trial, TrialResult};
use crate::suite::ScorecardMode;

/// A scorecard of a usual size takes longer than this only in unoptimised code.
const SLOW: Duration = Duration::from_secs(5);

const HINT: &str = "\ndecbench: this scorecard took long; `opt-level = 3` under `[profile.dev.package.decbench-core]` in Cargo.toml makes it a fraction of that\n";

pub(super) fn run(
    setup: &Setup,
    run: &SuiteRun<'_>,
    trial: &Trial,
    settings: &Settings,
) -> TrialResult {
    let suite = run.suite();
    let start = Instant::now();
    let card = run.scorecard();
    if start.elapsed() > SLOW && cfg!(debug_assertions) {
        tell(HINT);
    }
    let folder = settings.output.join(&suite.name);
    let markdown = to_markdown(&card);
    if let Err(error) = write(&folder, &card, &markdown) {
        tell(&format!(
            "decbench: the scorecard cannot be written to {}: {error}\n",
            folder.display()
        ));
    }
    pull_request::report(suite, &card, &markdown);
    let text = to_text(&card);
    let compares = suite.scorecard == ScorecardMode::Snapshot && settings.mode != Mode::Live;
    if !compares {
        return if suite.scorecard == ScorecardMode::Off {
            TrialResult::Passed
        } else {
            TrialResult::PassedWith(text)
        };
    }
    let beside = suite.path.parent().unwrap_or(Path::new("."));
    let request = SnapshotRequest {
        folder: &beside.join("snapshots"),
        name: &format!("{}.scorecard", suite.name),
        text: &text,
        input: Some(&suite.path),
    };
    match check_snapshot(setup, &request) {
        Ok(()) => TrialResult::Passed,
        Err(message) => TrialResult::Failed(format!(
            "{message}\nfiles     {}\nrerun     {}",
            folder.display(),
            settings.rerun.replace("{}", &trial.name)
        )),
    }
}

/// Writes `scorecard.json` and `scorecard.md`, each whole or not at all.
fn write(folder: &Path, card: &Scorecard, markdown: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let json = serde_json::to_string_pretty(&to_json(card))?;
    write_files(
        folder,
        [
            ("scorecard.json", json + "\n"),
            ("scorecard.md", markdown.to_owned()),
        ],
    )
}

/// Writes files of a folder, each whole or not at all.
pub(super) fn write_files(folder: &Path, files: [(&str, String); 2]) -> std::io::Result<()> {
    for (name, text) in files {
        let pending = folder.join(format!("{name}.{}.tmp", std::process::id()));
        fs::write(&pending, text)?;
        fs::rename(&pending, folder.join(name))?;
    }
    Ok(())
}

/// One write to standard error; that nobody can read it stops nothing.
pub(super) fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
