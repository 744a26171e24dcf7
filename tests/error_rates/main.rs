//! How often judgements err: where the truth lies exactly on the bound, a wrong `pass` and a wrong `fail` may each
//! occur in 2.5% of runs and no more.
//!
//! Answers are drawn from laws whose truth is known and go the way of a suite's answers: laid out as a sheet, measured,
//! judged. All tests are ignored by default:
//!
//! - `cargo test --test error_rates -- --ignored` draws 2,000 times a cell with a fixed seed, as CI does, and compares
//!   the table with `docs/error-rates.md`;
//! - with `ERROR_RATES=bless` it writes that file; with the name of one kind after `--ignored`, its section alone;
//! - with `ERROR_RATES=long` it draws 20,000 times, on every size, and writes a table beside the build.

mod bench;
mod calibration;
mod classes;
mod comparisons;
mod coverage;
mod draw;
mod drops;
mod effort;
mod intervals;
mod latency;
mod looks;
mod means;
mod ranking;
mod report;
mod shares;
mod tally;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};

use effort::Effort;
use intervals::Line;
use tally::Cell;

/// One section of the document.
struct Kind {
    name: &'static str,
    /// What the document says above the table.
    text: &'static str,
    run: Run,
    found: OnceLock<Found>,
}

/// What a section shows.
enum Run {
    /// Outcomes of judgements.
    Judged(fn(Effort) -> Vec<Cell>),
    /// Coverage of intervals.
    Covered(fn(Effort) -> Vec<Line>),
}

/// What was drawn, computed once.
struct Found {
    section: String,
    complaints: Vec<String>,
}

impl Kind {
    const fn judged(name: &'static str, text: &'static str, run: fn(Effort) -> Vec<Cell>) -> Self {
        Self {
            name,
            text,
            run: Run::Judged(run),
            found: OnceLock::new(),
        }
    }

    const fn covered(name: &'static str, text: &'static str, run: fn(Effort) -> Vec<Line>) -> Self {
        Self {
            name,
            text,
            run: Run::Covered(run),
            found: OnceLock::new(),
        }
    }

    fn found(&self, effort: Effort) -> &Found {
        self.found.get_or_init(|| match self.run {
            Run::Judged(run) => {
                let cells = run(effort);
                Found {
                    section: report::section(self.text, &cells),
                    complaints: cells.iter().filter_map(Cell::complaint).collect(),
                }
            }
            Run::Covered(run) => {
                let lines = run(effort);
                Found {
                    section: intervals::table(self.text, &lines),
                    complaints: lines.iter().flat_map(Line::complaints).collect(),
                }
            }
        })
    }
}

static KINDS: [Kind; 20] = [
    Kind::judged("shares", shares::TEXT, shares::single),
    Kind::judged("shares_of_units", shares::UNITS, shares::clustered),
    Kind::judged("weighted_shares", shares::WEIGHTS, shares::weighted),
    Kind::judged("looks", looks::TEXT, looks::single),
    Kind::judged("looks_at_units", looks::UNITS, looks::clustered),
    Kind::judged("proper_scores", means::TEXT, means::proper),
    Kind::judged("costs", means::COSTS, means::costs),
    Kind::judged("class_averages", classes::TEXT, classes::averages),
    Kind::judged("calibration", calibration::TEXT, calibration::errors),
    Kind::judged("ranking", ranking::TEXT, ranking::rankings),
    Kind::judged("coverage", coverage::TEXT, coverage::coverage),
    Kind::judged("latency", latency::TEXT, latency::single),
    Kind::judged(
        "latency_of_repeats",
        latency::REPEATS_TEXT,
        latency::repeated,
    ),
    Kind::judged("paired_drops", drops::TEXT, drops::drops),
    Kind::judged("comparisons", comparisons::CLAIMS, comparisons::comparisons),
    Kind::judged("verdicts", comparisons::VERDICTS, comparisons::verdicts),
    Kind::covered("intervals_of_shares", intervals::SHARES, intervals::shares),
    Kind::covered(
        "intervals_of_differences",
        intervals::DIFFERENCES,
        intervals::differences,
    ),
    Kind::covered("intervals_of_means", intervals::MEANS, intervals::means),
    Kind::covered("intervals_of_others", intervals::OTHERS, intervals::others),
];

/// What to do with the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Compare,
    Bless,
    Long,
}

impl Mode {
    fn from_environment() -> Result<Self, String> {
        match std::env::var("ERROR_RATES").as_deref() {
            Err(_) | Ok("") => Ok(Self::Compare),
            Ok("bless") => Ok(Self::Bless),
            Ok("long") => Ok(Self::Long),
            Ok(other) => Err(format!("ERROR_RATES is `{other}`; it is `bless` or `long`")),
        }
    }

    fn effort(self) -> Effort {
        match self {
            Self::Compare | Self::Bless => Effort::SMALL,
            Self::Long => Effort::LONG,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = KINDS
        .iter()
        .map(|kind| Trial::test(kind.name, || holds(kind).map_err(Failed::from)))
        .collect();
    trials.push(Trial::test("table", || table().map_err(Failed::from)));
    let trials = trials
        .into_iter()
        .map(|trial| trial.with_ignored_flag(true));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// No cell errs more often than it may.
fn holds(kind: &Kind) -> Result<(), String> {
    let mode = Mode::from_environment()?;
    let Found {
        section,
        complaints,
    } = kind.found(mode.effort());
    if mode == Mode::Bless {
        write_section(section)?;
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

/// The document says what these cells say.
fn table() -> Result<(), String> {
    let mode = Mode::from_environment()?;
    let effort = mode.effort();
    let mut text = report::preface(effort);
    for kind in &KINDS {
        text.push_str(&kind.found(effort).section);
    }
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/error-rates.md");
    match mode {
        Mode::Long => write(
            &Path::new(env!("CARGO_TARGET_TMPDIR")).join("error-rates.md"),
            &text,
        ),
        Mode::Bless => write(&document, &text),
        Mode::Compare => {
            let written = std::fs::read_to_string(&document).unwrap_or_default();
            report::first_difference(&written, &text).map_or(Ok(()), |difference| {
                Err(format!(
                    "docs/error-rates.md is not what these cells say; ERROR_RATES=bless writes it\n{difference}"
                ))
            })
        }
    }
}

/// Puts one section into the document in place of what it said before; the others stay as they are.
fn write_section(section: &str) -> Result<(), String> {
    // Kinds are drawn side by side, and each writes the whole file.
    static WRITING: Mutex<()> = Mutex::new(());
    let _turn = WRITING.lock().map_err(|error| error.to_string())?;
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/error-rates.md");
    let written = std::fs::read_to_string(&document).unwrap_or_default();
    report::with_section(&written, section).map_or(Ok(()), |text| write(&document, &text))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}
