//! A user's project in a folder of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Set where this binary plays the user's test target.
pub(crate) const FIXTURE: &str = "DECBENCH_PROCESS_FIXTURE";

/// The value of [`FIXTURE`] where the target is one of the guide, with its suites under `tests/suites`.
pub(crate) const GUIDE: &str = "guide";

pub(crate) struct Project(tempfile::TempDir);

/// What a process said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A project with one suite over `cases` of which `right` are answered right, all gold `a`.
    pub(crate) fn with_suite(right: usize, cases: usize, assertions: &str) -> Self {
        let project = Self::new();
        project.write("suites/s.yaml", suite("parrot", assertions));
        project.write("suites/s.cases.jsonl", case_lines(right, cases));
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs the test target with no environment but what a runner sets.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.run_with(arguments, &[])
    }

    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        let mut command = self.command(arguments);
        command.envs(variables.iter().copied());
        Said::of(&command.output().expect("the target starts"))
    }

    /// As [`Project::run`], with somebody who waits for what is said, as the tool does.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Said {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the target starts");
        let waiting = child.stdin.take();
        let output = child.wait_with_output().expect("the target ends");
        drop(waiting);
        Said::of(&output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this binary"));
        command
            .env_clear()
            .env(FIXTURE, "1")
            .env("CARGO_MANIFEST_DIR", self.path())
            .env("DECBENCH_OUTPUT", self.path().join("out"))
            .args(arguments)
            .current_dir(self.path());
        command
    }
}

impl Said {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// How a trial ended: `ok`, `FAILED`, `ignored`.
    pub(crate) fn outcome(&self, trial: &str) -> &str {
        let line = self.stdout.lines().find(|line| {
            line.strip_prefix("test ")
                .is_some_and(|rest| rest.split(' ').next() == Some(trial))
        });
        let line =
            line.unwrap_or_else(|| panic!("no trial {trial} in\n{}\n{}", self.stdout, self.stderr));
        line.split(" ... ")
            .nth(1)
            .map(|rest| rest.split([' ', '(']).next().unwrap_or(rest))
            .unwrap_or_default()
    }

    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    pub(crate) fn assert_says(&self, text: &str) -> &Self {
        assert!(
            self.stdout.contains(text) || self.stderr.contains(text),
            "`{text}` is not in\n{}\n{}",
            self.stdout,
            self.stderr
        );
        self
    }
}

/// A suite of two options that `function` answers; its scorecard is not compared.
pub(crate) fn suite(function: &str, assertions: &str) -> String {
    suite_of(
        &format!("  rules: {{ provider: rust, function: {function}, today: true }}\n"),
        &format!("assert:\n{assertions}"),
    )
}

/// The same suite with these lines of candidates and of what must hold.
pub(crate) fn suite_of(candidates: &str, tail: &str) -> String {
    format!(
        "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: {{ description: The second, escape: true }} }}
cases: s.cases.jsonl
candidates:
{candidates}{tail}
scorecard: off
"
    )
}

/// Cases with gold `a`, of which `right` say `a` and the others `b`.
pub(crate) fn case_lines(right: usize, cases: usize) -> String {
    (0..cases).fold(String::new(), |mut lines, at| {
        let said = if at < right { "a" } else { "b" };
        let _ = writeln!(
            lines,
            r#"{{"id":"c-{at:04}","state":"{said} {at}","gold":"a"}}"#
        );
        lines
    })
}
