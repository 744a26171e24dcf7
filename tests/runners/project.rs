//! A user's package in a folder of its own, built with cargo.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cases of the suite; the function is called once for each.
pub(crate) const CASES: usize = 60;

pub(crate) struct Project(tempfile::TempDir);

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Whether cargo has this subcommand.
pub(crate) fn has_tool(tool: &str) -> bool {
    Command::new("cargo")
        .args([tool, "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}

impl Project {
    /// A package whose suite has one gate that holds and one that does not.
    pub(crate) fn new(scorecard: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("Cargo.toml", &manifest(repository));
        // The versions the repository was tested with, so that nothing is looked up.
        fs::copy(
            repository.join("Cargo.lock"),
            folder.path().join("Cargo.lock"),
        )
        .expect("a lock file");
        write("src/lib.rs", "//! An app.\n");
        write(
            "tests/decisions.rs",
            r#"//! Decisions.
use std::io::Write as _;

#[decbench::provider]
fn first_letter(state: &str) -> String {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/calls.log");
    let mut log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    log.write_all(b"call\n").unwrap();
    state.chars().take(1).collect()
}

decbench::main!();
"#,
        );
        write(
            "tests/suites/s.yaml",
            &format!(
                "question:
  type: choice
  instructions: Which letter?
  options: {{ a: The first, b: {{ description: The second, escape: true }} }}
cases: s.cases.jsonl
candidates:
  rules: {{ provider: rust, function: first_letter, today: true }}
assert:
  accuracy: '>= 90%'
  recall[b]: '>= 50%'
scorecard: {scorecard}
"
            ),
        );
        let cases = (0..CASES).fold(String::new(), |mut lines, at| {
            let (gold, said) = if at % 2 == 0 {
                ("b", "b")
            } else {
                ("a", ["a", "b"][at % 4 / 2])
            };
            let _ = writeln!(lines, r#"{{"state":"{said} {at}","gold":"{gold}"}}"#);
            lines
        });
        write("tests/suites/s.cases.jsonl", &cases);
        Self(folder)
    }

    /// A copy of an example of the repository, on its own.
    pub(crate) fn of_example(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&repository.join("examples").join(name), folder.path());
        fs::copy(
            repository.join("Cargo.lock"),
            folder.path().join("Cargo.lock"),
        )
        .expect("a lock file");
        fs::write(
            folder.path().join("Cargo.toml"),
            manifest_of(name, repository),
        )
        .expect("a manifest");
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.path().join(path), text).expect("a file");
    }

    /// Runs cargo in the package, without network, with one build folder for all projects.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Said {
        self.cargo_with(arguments, &[])
    }

    /// As [`Project::cargo`], with these variables.
    pub(crate) fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("user-crates");
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("CARGO_TARGET_DIR", build)
            .env("CARGO_NET_OFFLINE", "true")
            .envs(variables.iter().copied());
        for inherited in [
            "CARGO_MANIFEST_DIR",
            "CARGO_PKG_NAME",
            "NEXTEST",
            "NEXTEST_RUN_ID",
            "NEXTEST_PROFILE",
            "RUST_TEST_THREADS",
            "INSTA_UPDATE",
            "CI",
            "RUSTFLAGS",
        ] {
            command.env_remove(inherited);
        }
        let output = command.output().expect("cargo starts");
        Said {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// How often the function was called since the last time.
    pub(crate) fn take_calls(&self) -> usize {
        let path: PathBuf = self.0.path().join("calls.log");
        let calls = fs::read_to_string(&path)
            .unwrap_or_default()
            .lines()
            .count();
        let _ = fs::remove_file(path);
        calls
    }
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a kind").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn manifest(repository: &Path) -> String {
    manifest_of("router-app", repository)
}

fn manifest_of(name: &str, repository: &Path) -> String {
    // Quoted as TOML quotes text, which takes care of backslashes too.
    let repository = serde_json::Value::from(repository.to_string_lossy()).to_string();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dev-dependencies]\ndecbench = {{ path = {repository} }}\n\n[[test]]\nname = \"decisions\"\nharness = false\n\n[workspace]\n"
    )
}
