//! A package in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) struct Project(tempfile::TempDir);

impl Project {
    /// An empty library.
    pub(crate) fn new() -> Self {
        let project = Self(tempfile::tempdir().expect("a temporary folder"));
        project.write(
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        project.write("src/lib.rs", "");
        project
    }

    /// A package whose suite of this name is fine.
    pub(crate) fn with_suite() -> Self {
        let project = Self::new();
        let said = project.run(&["init", "--yes"]);
        assert_eq!(said.code, Some(0), "{said:?}");
        project
    }

    /// A package with a test target, whose function `decide` tells `billing` from `support`.
    pub(crate) fn with_function() -> Self {
        let project = Self::new();
        let decbench = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("a workspace");
        let manifest = project.read("Cargo.toml");
        project.write(
            "Cargo.toml",
            &format!(
                "{manifest}\n[dev-dependencies]\ndecbench = {{ path = {:?} }}\n\n[[test]]\nname = \"decisions\"\nharness = false\n\n[profile.dev]\ndebug = false\n",
                decbench.display().to_string()
            ),
        );
        project.write(
            "tests/decisions.rs",
            "decbench::main!();\n\n#[decbench::provider]\nfn decide(call: &str) -> &'static str {\n    if call.contains(\"router\") { \"support\" } else { \"billing\" }\n}\n",
        );
        // The same versions as decbench's own tests, so that nothing is downloaded.
        let lock = fs::read_to_string(decbench.join("Cargo.lock")).expect("a lock file");
        project.write("Cargo.lock", &lock);
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        run(self.path(), arguments)
    }
}

/// Where all test targets of packages are built, so that what they have in common is built once.
pub(crate) fn builds() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("user-crates")
}

/// What a process said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the tool in `folder`, as cargo does.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Said {
    run_with(folder, arguments, &[])
}

/// The same, with variables.
pub(crate) fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
    let output: Output = command(folder, arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the tool starts");
    Said {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The tool in `folder`, as cargo starts it.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-decbench"));
    command
        .arg("decbench")
        .args(arguments)
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_TERM_COLOR", "never");
    command
}
