//! A small workspace in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of decbench itself.
pub(crate) const DECBENCH: &str = env!("CARGO_MANIFEST_DIR");

/// What a package has in its `Cargo.toml` to depend on decbench: `DECBENCH` stands for its folder.
const FOLDER: &str = "DECBENCH";

/// A workspace of the user's.
pub(crate) struct Project {
    folder: PathBuf,
}

impl Project {
    /// A workspace with these files; every folder with a `Cargo.toml` is a member.
    ///
    /// It is made anew in one and the same place, so that what Cargo builds of it does not pile up.
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let project = Self {
            folder: Path::new(env!("CARGO_TARGET_TMPDIR"))
                .join("user-projects")
                .join(name),
        };
        if project.folder.exists() {
            std::fs::remove_dir_all(&project.folder).expect("the last run's project can go");
        }
        let members: Vec<&str> = files
            .iter()
            .filter_map(|(path, _)| path.strip_suffix("/Cargo.toml"))
            .collect();
        project.write(
            "Cargo.toml",
            &format!(
                "[workspace]\nmembers = {members:?}\nresolver = \"3\"\n\n[profile.dev]\ndebug = false\n"
            ),
        );
        // The same versions as decbench's own tests, so that nothing is downloaded.
        let lock = std::fs::read_to_string(Path::new(DECBENCH).join("Cargo.lock"))
            .expect("decbench has a lock file");
        project.write("Cargo.lock", &lock);
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// Where a file of the project is.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("the project's folder can be filled");
        std::fs::write(path, text.replace(FOLDER, DECBENCH))
            .expect("the project's folder can be filled");
    }

    /// Cargo in this project; all projects share what they build of decbench.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo(arguments);
        command.current_dir(&self.folder).env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("user-crates"),
        );
        command
    }

    /// Runs Cargo in this project.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(&mut self.cargo(arguments))
    }
}

/// Cargo, offline and without the variables that people set for insta.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .arg("--offline")
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .env_remove("CI");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("INSTA_") {
            command.env_remove(name);
        }
    }
    command
}

/// What a command printed.
pub(crate) struct Ran {
    pub(crate) succeeded: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Runs the command.
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("Cargo can be started");
        Self {
            succeeded: status.success(),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }

    /// Whether the harness says that this trial is ok; it pads names to a common width.
    pub(crate) fn passed(&self, trial: &str) -> bool {
        self.stdout.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words == ["test", trial, "...", "ok"]
        })
    }

    /// Both outputs, for messages of assertions.
    pub(crate) fn all(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}
