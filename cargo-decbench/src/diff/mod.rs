//! `cargo decbench diff`: what changed between two states of recordings, or between two scorecards.

mod answers;
mod scorecards;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use decbench_core::collect::files_at;
use serde_json::json;

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::terminal;

/// Compares recorded answers between two git revisions or folders: flips with their margins, how far probabilities moved,
/// accuracy with the interval of its change, cost and models.
///
/// A side is a git revision, or the folder of another checkout of the package; the second is the working folder where none is
/// named. Two `scorecard.json`, or two folders that hold them, are compared number by number. As with `diff`, the exit code
/// is 1 where something differs, and where something could not be compared. Cases in the lock box are compared only with `DECBENCH_LOCKBOX=1`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench diff origin/main\n  cargo decbench diff v1.2 v1.3 --suite call-routing --json\n  cargo decbench diff before/decbench target/decbench"
)]
pub(crate) struct Diff {
    /// The earlier side: a git revision, a folder or a scorecard.
    before: String,
    /// The later side; by default the working folder.
    after: Option<String>,
    #[command(flatten)]
    place: Where,
    /// Only this suite.
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Only this candidate; may be given several times.
    #[arg(long = "candidate", value_name = "NAME")]
    candidates: Vec<String>,
    /// How many flips are shown of each candidate.
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    flips: usize,
    /// Print all of it as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Diff) -> Done {
    let cards = task
        .after
        .as_ref()
        .map(|after| scorecards::both(Path::new(&task.before), Path::new(after)))
        .transpose()?
        .flatten();
    let found = match cards {
        Some((before, after)) => scorecards::compare(task, &before, &after),
        None => of_answers(task)?,
    };
    if task.json {
        let all = json!({ "schema": 1, "differs": found.differs, "suites": found.json });
        terminal::say(&format!("{all:#}\n"));
    } else {
        terminal::say(&found.text);
    }
    Ok(Ending::holds_if(!found.differs))
}

/// What was found, for people and for machines.
#[derive(Default)]
struct Found {
    text: String,
    json: Vec<serde_json::Value>,
    differs: bool,
}

fn of_answers(task: &Diff) -> Result<Found, Unusable> {
    let mut found = Found::default();
    let mut same = Vec::new();
    for package in task.place.packages()? {
        let before = side(&package, &task.before)?;
        let after = match &task.after {
            Some(after) => side(&package, after)?,
            None => package.folder.clone(),
        };
        if is_one_folder(&before, &after) {
            same.push(package.name);
            continue;
        }
        answers::compare(task, &package, &before, &after, &mut found)?;
    }
    for name in &same {
        let _ = writeln!(
            found.text,
            "{name}: both sides are the same, so nothing differs"
        );
    }
    if found.json.is_empty() && !same.is_empty() {
        return Ok(found);
    }
    if found.json.is_empty() {
        return Err(Unusable::new(match &task.suite {
            Some(name) => format!("the later side has no suite `{name}`"),
            None => "the later side has no suites".to_owned(),
        }));
    }
    let empty =
        |suite: &serde_json::Value| suite["candidates"].as_array().is_none_or(Vec::is_empty);
    if !task.candidates.is_empty() && found.json.iter().all(empty) {
        return Err(Unusable::new(format!(
            "no suite that is meant has a candidate {}",
            task.candidates.join(", ")
        )));
    }
    Ok(found)
}

/// Whether both sides are one state of the package; a revision is laid out once, whatever it is called.
fn is_one_folder(before: &Path, after: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(before).is_some_and(|before| real(after) == Some(before))
}

/// The package's folder as it is on one side.
fn side(package: &Package, named: &str) -> Result<PathBuf, Unusable> {
    let folder = Path::new(named);
    if folder.is_dir() {
        return std::path::absolute(folder).map_err(|error| Unusable::file(folder, error));
    }
    let files = files_at(&package.folder, named, &package.output.join("baseline"));
    files
        .map(|files| files.folder)
        .map_err(|error| Unusable::new(format!("`{named}` is no folder here, and {error}")))
}
