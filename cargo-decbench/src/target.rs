//! The user's test target, which alone is linked with the Rust functions of its suites, and what it is asked.
//!
//! A package whose suites need no Rust code may have no such target: then this program plays it, in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use cargo_metadata::Message;
use clap::Args;
use decbench_core::harness::{self, Setup};
use serde_json::Value as Json;

use crate::ending::Unusable;
use crate::packages::Package;

/// How a test target is told what it is asked.
const FLAG: &str = "--decbench=";
/// Where this program finds the folder of suites when it plays a target.
const FOLDER: &str = "DECBENCH_TOOL_SUITES";
/// Where it finds the package's name.
const NAME: &str = "DECBENCH_TOOL_PACKAGE";

/// Which suites and candidates a task is about.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Scope {
    /// Only this suite.
    pub(crate) suite: Option<String>,
    /// Only this candidate; may be given several times.
    #[arg(long = "candidate", value_name = "NAME")]
    pub(crate) candidates: Vec<String>,
    /// The test target that holds the suites' Rust functions, in place of those that call `decbench::main!`.
    #[arg(long, value_name = "TARGET")]
    pub(crate) test: Option<String>,
}

impl Scope {
    /// What a target is told of it.
    pub(crate) fn words(&self) -> Vec<String> {
        let suite = self.suite.iter().map(|name| format!("suite={name}"));
        let candidates = self
            .candidates
            .iter()
            .map(|name| format!("candidate={name}"));
        suite.chain(candidates).collect()
    }

    /// # Errors
    /// A message where suites were told and none of them is meant, or a candidate is none of theirs.
    pub(crate) fn check(&self, suites: &[String], candidates: &[String]) -> Result<(), Unusable> {
        if suites.is_empty() {
            return Err(Unusable::new(match &self.suite {
                Some(name) => {
                    format!("there is no suite `{name}`; `cargo decbench check` reads them all")
                }
                None => "there is no suite; start one with `cargo decbench init`".to_owned(),
            }));
        }
        match self
            .candidates
            .iter()
            .find(|name| !candidates.contains(name))
        {
            Some(unknown) => Err(Unusable::new(format!(
                "no suite that is meant has a candidate `{unknown}`; there are {}",
                candidates.join(", ")
            ))),
            None => Ok(()),
        }
    }
}

/// Programs that can be asked about a package's suites.
pub(crate) struct Targets<'p> {
    package: &'p Package,
    programs: Vec<PathBuf>,
}

impl<'p> Targets<'p> {
    /// Builds the package's test targets that hold suites.
    ///
    /// # Errors
    /// A message where one does not build or the named one does not exist.
    pub(crate) fn build(package: &'p Package, named: Option<&str>) -> Result<Self, Unusable> {
        let meant: Vec<&str> = match named {
            Some(name) if package.tests.iter().all(|(known, _)| known != name) => {
                let known: Vec<&str> = package
                    .tests
                    .iter()
                    .map(|(name, _)| name.as_str())
                    .collect();
                return Err(Unusable::new(format!(
                    "package `{}` has no test target `{name}`; it has {}",
                    package.name,
                    known.join(", ")
                )));
            }
            Some(name) => vec![name],
            None => package.targets(),
        };
        let programs = if meant.is_empty() {
            vec![
                std::env::current_exe()
                    .map_err(|error| Unusable::new(format!("this program: {error}")))?,
            ]
        } else {
            built(package, &meant)?
        };
        Ok(Self { package, programs })
    }

    /// Asks all of them; of a suite that several tell of, the first is heard. Gives every event.
    ///
    /// # Errors
    /// A message where a target does not start or ends with a mistake, and all suites that cannot be read.
    pub(crate) fn ask(
        &self,
        task: &str,
        words: &[String],
        variables: &[(&str, String)],
        mut hear: impl FnMut(&Json),
    ) -> Result<Vec<Json>, Unusable> {
        let mut events: Vec<Json> = Vec::new();
        let mut broken = Vec::new();
        for program in &self.programs {
            let earlier: Vec<Json> = events
                .iter()
                .filter_map(|event| event.get("suite").cloned())
                .collect();
            self.ask_one(program, task, words, variables, |event| {
                if event
                    .get("suite")
                    .is_some_and(|suite| earlier.contains(suite))
                {
                    return;
                }
                if event["event"] == "broken" {
                    broken.push(text(&event["message"]).trim_end().to_owned());
                }
                hear(&event);
                events.push(event);
            })?;
        }
        if broken.is_empty() {
            Ok(events)
        } else {
            Err(Unusable::new(broken.join("\n\n")))
        }
    }

    fn ask_one(
        &self,
        program: &PathBuf,
        task: &str,
        words: &[String],
        variables: &[(&str, String)],
        mut hear: impl FnMut(Json),
    ) -> Result<(), Unusable> {
        let package = self.package;
        let told = |error: &dyn std::fmt::Display| {
            Unusable::new(format!("the test target {} {error}", program.display()))
        };
        let mut child = Command::new(program)
            .arg(format!("{FLAG}{task}"))
            .args(words)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env("CARGO_MANIFEST_DIR", &package.folder)
            .env("DECBENCH_OUTPUT", output(package))
            .env(FOLDER, &package.suites)
            .env(NAME, &package.name)
            .current_dir(&package.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| told(&format!("does not start: {error}")))?;
        // Held until the end: when it closes, the target stops asking.
        let input = child.stdin.take();
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).lines() {
                let line = line.map_err(|error| told(&format!("cannot be heard: {error}")))?;
                // Functions of the user's may print what they like.
                if let Ok(event) = serde_json::from_str::<Json>(&line)
                    && event.get("event").is_some()
                {
                    hear(event);
                }
            }
        }
        let status = child
            .wait()
            .map_err(|error| told(&format!("cannot be waited for: {error}")))?;
        drop(input);
        if status.success() {
            Ok(())
        } else {
            Err(told(&format!(
                "ended with {status}; what it said stands above"
            )))
        }
    }
}

/// Where a person has moved the output folder, else the workspace's.
fn output(package: &Package) -> PathBuf {
    std::env::var_os("DECBENCH_OUTPUT")
        .filter(|folder| !folder.is_empty())
        .map_or_else(|| package.output.clone(), PathBuf::from)
}

fn built(package: &Package, tests: &[&str]) -> Result<Vec<PathBuf>, Unusable> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "test",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        .args(["-p", &package.name]);
    for test in tests {
        command.args(["--test", test]);
    }
    let output = command
        .current_dir(&package.folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Unusable::new(format!("cargo does not start: {error}")))?;
    if !output.status.success() {
        return Err(Unusable::new(format!(
            "the test target of `{}` does not build; cargo says why above",
            package.name
        )));
    }
    let mut programs: Vec<PathBuf> = Message::parse_stream(output.stdout.as_slice())
        .filter_map(|message| match message.ok()? {
            Message::CompilerArtifact(artifact) if artifact.profile.test => {
                artifact.executable.map(PathBuf::from)
            }
            _ => None,
        })
        .collect();
    programs.sort();
    Ok(programs)
}

/// Plays a test target where this process was started as one.
pub(crate) fn play() -> Option<ExitCode> {
    let first = std::env::args_os().nth(1)?;
    if !first.to_str()?.starts_with(FLAG) {
        return None;
    }
    // They live as long as the process, as what a target captures does.
    let leaked = |name: &str| -> &'static str {
        Box::leak(std::env::var(name).unwrap_or_default().into_boxed_str())
    };
    Some(harness::main(Setup {
        manifest_dir: leaked("CARGO_MANIFEST_DIR"),
        target_tmpdir: None,
        package: leaked(NAME),
        test_target: "decisions",
        folder: leaked(FOLDER),
        compare_snapshot: |_| Ok(()),
    }))
}

/// A text of an event; empty where it is none.
pub(crate) fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

/// The texts of a list of an event.
pub(crate) fn texts(value: &Json) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.map(|item| text(item).to_owned()).collect()
}
