//! The suites of a test target and their trials.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Completion, Failed, Trial as MimicTrial};

use super::arguments::CommandLine;
use super::linked::{linked_policies, linked_types};
use super::{EmbeddedSuite, Setup, WrittenSuite, environment};
use super::{decisions, scorecard};
use crate::diagnostic::Diagnostics;
use crate::run::{Settings, SuiteRun, Trial, TrialKind, TrialResult, check_candidates, trials_of};
use crate::suite::{self, ExtraFunction, FromRust, Loaded, Suite, trial_part};

/// A suite file, read.
pub(super) enum Found {
    /// Without mistakes; with warnings in words.
    Suite(&'static Suite, Option<String>),
    /// Its name and its mistakes in words.
    Broken(String, String),
}

impl Found {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Suite(suite, _) => &suite.name,
            Self::Broken(name, _) => name,
        }
    }
}

/// Reads every suite of the target. Suites live as long as the process, which trials on other threads need.
pub(super) fn find(
    setup: &Setup,
    line: &mut CommandLine,
    settings: Option<&Settings>,
) -> Vec<Found> {
    let package = environment::package_folder(setup);
    let embedded = setup.embedded_suites();
    let mut paths = suite::suite_files(&package.join(setup.folder)).unwrap_or_default();
    for suite in &embedded {
        let path = package.join(suite.path);
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut found = Vec::with_capacity(paths.len());
    for path in &paths {
        let candidates = candidates_for(path, &package, &embedded);
        let read = read(path, &candidates, settings);
        for embedded in candidates {
            let prefix = format!("{}::{}::", read.name(), embedded.candidate);
            line.admit(embedded.items, &prefix);
        }
        found.push(read);
    }
    for written in setup.written_suites() {
        let read = read_written(written, &package, settings);
        line.admit(written.items, &format!("{}::", read.name()));
        found.push(read);
    }
    refuse_shared_names(&mut found);
    found
}

fn candidates_for<'e>(
    path: &Path,
    package: &Path,
    embedded: &[&'e EmbeddedSuite],
) -> Vec<&'e EmbeddedSuite> {
    embedded
        .iter()
        .copied()
        .filter(|suite| package.join(suite.path) == path)
        .collect()
}

fn read(path: &Path, candidates: &[&EmbeddedSuite], settings: Option<&Settings>) -> Found {
    let functions: Vec<ExtraFunction<'_>> = candidates
        .iter()
        .map(|embedded| ExtraFunction {
            candidate: embedded.candidate,
            function: embedded.function,
        })
        .collect();
    let rust = FromRust {
        functions: &functions,
        types: Some(&linked_types()),
        policies: Some(&linked_policies()),
    };
    let loaded = suite::load_with(path, &rust);
    judged(loaded, || file_stem(path), settings)
}

fn read_written(written: &WrittenSuite, package: &Path, settings: Option<&Settings>) -> Found {
    let loaded = written.load(package);
    judged(loaded, || trial_part(written.name()), settings)
}

/// A suite as it was read, with what is wrong with it or with its candidates.
fn judged(
    loaded: Result<Loaded, Diagnostics>,
    name: impl FnOnce() -> String,
    settings: Option<&Settings>,
) -> Found {
    match loaded {
        Err(mistakes) => Found::Broken(name(), mistakes.render()),
        Ok(loaded) => {
            let mut warnings = loaded.warnings;
            let checked = settings.map(|settings| {
                let (config, package) = (&settings.config, &settings.package);
                check_candidates(&loaded.suite, config, package, settings.strict)
            });
            match checked {
                Some(Err(mistakes)) => return Found::Broken(loaded.suite.name, mistakes.render()),
                Some(Ok(further)) => warnings.extend(further),
                None => {}
            }
            let warnings = (!warnings.is_empty()).then(|| warnings.render());
            Found::Suite(Box::leak(Box::new(loaded.suite)), warnings)
        }
    }
}

fn file_stem(path: &Path) -> String {
    trial_part(
        path.file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("suite"),
    )
}

/// Two suites of one name would share trials, recordings and snapshots.
fn refuse_shared_names(found: &mut [Found]) {
    let names: Vec<String> = found
        .iter()
        .map(|found| found.name().to_lowercase())
        .collect();
    for at in 1..found.len() {
        if names[..at].contains(&names[at])
            && let Found::Suite(suite, _) = &found[at]
        {
            let (name, path) = (&suite.name, suite.path.display());
            let message = format!("another suite is named `{name}` too; rename {path}");
            found[at] = Found::Broken(format!("{name}-{at}"), message);
        }
    }
}

/// The trials of all suites, sorted by name; those that are kept share what their suite collects.
pub(super) fn trials(
    setup: &'static Setup,
    line: &mut CommandLine,
    settings: Option<&'static Settings>,
) -> Vec<MimicTrial> {
    let found = find(setup, line, settings);
    let mut trials = Vec::new();
    if found.is_empty() {
        let folder = environment::package_folder(setup).join(setup.folder);
        let message = format!(
            "no suites found: there is no .yaml file in {}",
            folder.display()
        );
        trials.push(failing("decbench::suites".to_owned(), &message, settings));
    }
    let suites = found.iter().filter_map(|found| match found {
        Found::Suite(suite, _) => Some(*suite),
        Found::Broken(..) => None,
    });
    trials.extend(decisions::trial(suites.collect(), settings));
    for found in found {
        match found {
            Found::Broken(name, message) => {
                trials.push(failing(format!("{name}::loads"), &message, settings));
            }
            Found::Suite(suite, warnings) => {
                let of_suite = trials_of(suite);
                // Answers are collected for the trials that run, once they are needed.
                let run: Arc<OnceLock<SuiteRun<'static>>> = Arc::new(OnceLock::new());
                let kept: Arc<[Trial]> = of_suite
                    .iter()
                    .filter(|trial| line.keeps(&trial.name))
                    .cloned()
                    .collect();
                let warnings: Arc<Option<String>> = Arc::new(warnings);
                for trial in of_suite {
                    let (run, kept, warnings) =
                        (Arc::clone(&run), Arc::clone(&kept), Arc::clone(&warnings));
                    trials.push(MimicTrial::ignorable_test(trial.name.clone(), move || {
                        let Some(settings) = settings else {
                            return Ok(Completion::Completed);
                        };
                        let run = run.get_or_init(|| SuiteRun::new(suite, settings, kept.iter()));
                        show(
                            &trial,
                            result(setup, run, &trial, settings, warnings.as_deref()),
                        )
                    }));
                }
            }
        }
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    trials
}

fn failing(name: String, message: &str, settings: Option<&Settings>) -> MimicTrial {
    let rerun = settings.map(|settings| settings.rerun.replace("{}", &name));
    let text = format!(
        "{}\nrerun     {}",
        message.trim_end(),
        rerun.unwrap_or_default()
    );
    MimicTrial::test(name, move || Err(Failed::from(text)))
}

fn result(
    setup: &Setup,
    run: &SuiteRun<'static>,
    trial: &Trial,
    settings: &Settings,
    warnings: Option<&str>,
) -> TrialResult {
    match trial.kind {
        TrialKind::Scorecard => scorecard::run(setup, run, trial, settings),
        TrialKind::Loads => warnings.map_or(TrialResult::Passed, |text| {
            TrialResult::PassedWith(text.to_owned())
        }),
        _ => run.run(trial),
    }
}

fn show(trial: &Trial, result: TrialResult) -> Result<Completion, Failed> {
    match result {
        TrialResult::Passed => Ok(Completion::Completed),
        TrialResult::PassedWith(text) => {
            // A line of its own where the runner has begun one.
            scorecard::tell(&format!("\n{}\n{}\n", trial.name, text.trim_end()));
            Ok(Completion::Completed)
        }
        TrialResult::Ignored(reason) => Ok(Completion::ignored_with(reason)),
        TrialResult::Failed(text) => Err(Failed::from(text)),
    }
}
