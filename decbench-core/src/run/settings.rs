//! What a run is done with; everything from outside comes in here.

use std::path::PathBuf;
use std::time::Duration;

use crate::collect::{Mode, Progress};
use crate::config::Config;
use crate::provider::Clock;

/// Looks up a variable of the environment.
pub type Variables = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The means of a run.
pub struct Settings {
    /// Where answers come from.
    pub mode: Mode,
    /// Whether an inconclusive outcome fails.
    pub strict: bool,
    /// What the run may spend, in US dollars, over all its processes.
    pub budget_usd: Option<f64>,
    /// The estimate that a person has agreed to, in US dollars.
    pub confirm_usd: Option<f64>,
    /// How long the run may ask, from its first call on.
    pub deadline: Option<Duration>,
    /// Models, and candidates without one, that may be asked at an unknown price.
    pub allow_unpriced: Vec<String>,
    /// The git revision or folder whose answers count as the baseline; without it, what each suite names.
    pub baseline: Option<String>,
    /// The folder of the package whose tests these are.
    pub folder: PathBuf,
    /// Whether lock-box cases may be asked, scored and printed.
    pub lockbox: bool,
    /// The output folder (`target/decbench`).
    pub output: PathBuf,
    /// The run this process belongs to.
    pub run: String,
    /// Defaults of providers, and prices.
    pub config: Config,
    /// The package whose tests these are, for messages and for functions of the same name.
    pub package: String,
    /// How a person runs one trial again, with `{}` for its name.
    pub rerun: String,
    /// How a person records what is missing.
    pub record: String,
    /// How a person agrees to an estimate, with `{usd}` for the sum and `{suite}` for the suite.
    pub confirm: String,
    /// The time of day.
    pub clock: Clock,
    /// Looks up a variable of the environment; asked for keys, and only when something remote is to be asked.
    pub variable: Variables,
    /// Hears what a person who waits should know.
    pub notice: Box<dyn Fn(&str) + Send + Sync>,
    /// Hears how far the calls of remote candidates are.
    pub progress: Box<dyn Fn(&Progress) + Send + Sync>,
}

impl Settings {
    /// The same means, with which recordings alone are read: nothing is asked, and no key is looked up.
    pub(super) fn replaying(&self) -> Self {
        Self {
            mode: Mode::Replay,
            strict: self.strict,
            budget_usd: None,
            confirm_usd: None,
            deadline: None,
            allow_unpriced: Vec::new(),
            baseline: None,
            folder: self.folder.clone(),
            lockbox: self.lockbox,
            output: self.output.clone(),
            run: self.run.clone(),
            config: self.config.clone(),
            package: self.package.clone(),
            rerun: self.rerun.clone(),
            record: self.record.clone(),
            confirm: self.confirm.clone(),
            clock: self.clock.clone(),
            variable: Box::new(|_| None),
            notice: Box::new(|_| {}),
            progress: Box::new(|_| {}),
        }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("mode", &self.mode)
            .field("strict", &self.strict)
            .field("budget_usd", &self.budget_usd)
            .field("confirm_usd", &self.confirm_usd)
            .field("deadline", &self.deadline)
            .field("output", &self.output)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}
