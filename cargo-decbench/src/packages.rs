//! The packages of a workspace that hold suites.

use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use clap::Args;
use decbench_core::config::Config;
use decbench_core::suite::suite_files;

use crate::ending::Unusable;

/// Which package a task is about.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Where {
    /// The Cargo.toml to start from, in place of the nearest one.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Only this package of the workspace.
    #[arg(short, long, value_name = "NAME", global = true)]
    pub(crate) package: Option<String>,
    /// The folder of suites, relative to its package.
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "tests/suites",
        global = true
    )]
    pub(crate) suites: PathBuf,
}

/// A package and its folder of suites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Where its `Cargo.toml` stands.
    pub(crate) folder: PathBuf,
    /// Where the workspace's `Cargo.toml` stands, which is the package's own where it is no member of another.
    pub(crate) root: PathBuf,
    /// Where its suites stand; the folder may be missing.
    pub(crate) suites: PathBuf,
    /// The workspace's `target/decbench`.
    pub(crate) output: PathBuf,
    /// Its test targets: names and source files.
    pub(crate) tests: Vec<(String, PathBuf)>,
}

impl Package {
    /// Its test targets that run suites, among them those that are written in Rust.
    pub(crate) fn targets(&self) -> Vec<&str> {
        let runs_suites = |source: &Path| {
            std::fs::read_to_string(source).is_ok_and(|text| text.contains("decbench::main!"))
        };
        let tests = self.tests.iter();
        tests
            .filter(|(_, source)| runs_suites(source))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Its suite files, sorted; none where it has no folder of them.
    ///
    /// # Errors
    /// A message where the folder cannot be read.
    pub(crate) fn suite_files(&self) -> Result<Vec<PathBuf>, Unusable> {
        if !self.suites.exists() {
            return Ok(Vec::new());
        }
        suite_files(&self.suites).map_err(|error| Unusable::file(&self.suites, error))
    }

    /// Its `decbench.toml`; an empty one where it has none.
    ///
    /// # Errors
    /// The file's mistakes.
    pub(crate) fn config(&self) -> Result<Config, Unusable> {
        let path = self.folder.join("decbench.toml");
        if !path.exists() {
            return Ok(Config::default());
        }
        Config::load(&path).map_err(|mistakes| Unusable::new(mistakes.render()))
    }
}

impl Where {
    /// The packages with a folder of suites or a target that runs some, in the order of their names; with a name, that
    /// package alone.
    ///
    /// # Errors
    /// A message where there is no workspace or no package with suites.
    pub(crate) fn packages(&self) -> Result<Vec<Package>, Unusable> {
        let all = self.all()?;
        if let Some(name) = &self.package {
            let found: Vec<Package> = all
                .iter()
                .filter(|package| package.name == *name)
                .cloned()
                .collect();
            if found.is_empty() {
                let names: Vec<&str> = all.iter().map(|package| package.name.as_str()).collect();
                return Err(Unusable::new(format!(
                    "there is no package `{name}` in this workspace; it has {}",
                    names.join(", ")
                )));
            }
            return Ok(found);
        }
        let found: Vec<Package> = all
            .into_iter()
            .filter(|package| package.suites.is_dir() || !package.targets().is_empty())
            .collect();
        if found.is_empty() {
            return Err(Unusable::new(format!(
                "no package of this workspace has a folder {}; start one with `cargo decbench init`",
                self.suites.display()
            )));
        }
        Ok(found)
    }

    /// The package whose folder holds the current one, or the named one.
    ///
    /// # Errors
    /// A message where there is none, or where several are possible.
    pub(crate) fn current(&self) -> Result<Package, Unusable> {
        if self.package.is_some() {
            return Ok(self.packages()?.remove(0));
        }
        let here = match &self.manifest_path {
            Some(path) => parent_of(path)?,
            None => std::env::current_dir()
                .map_err(|error| Unusable::new(format!("the current folder: {error}")))?,
        };
        let mut all = self.all()?;
        all.retain(|package| here.starts_with(&package.folder));
        // Of nested packages the innermost is meant.
        all.sort_by_key(|package| package.folder.as_os_str().len());
        all.pop().ok_or_else(|| {
            Unusable::new("this folder belongs to no package; say which one with `-p <name>`")
        })
    }

    fn all(&self) -> Result<Vec<Package>, Unusable> {
        let mut command = MetadataCommand::new();
        command.no_deps();
        if let Some(path) = &self.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec().map_err(|error| match error {
            cargo_metadata::Error::CargoMetadata { stderr } => {
                Unusable::new(stderr.trim_start_matches("error: ").to_owned())
            }
            other => Unusable::new(other.to_string()),
        })?;
        let output = metadata.target_directory.as_std_path().join("decbench");
        let mut packages: Vec<Package> = metadata
            .workspace_packages()
            .into_iter()
            .filter_map(|package| {
                let folder = package.manifest_path.parent()?.as_std_path().to_owned();
                Some(Package {
                    name: package.name.to_string(),
                    suites: folder.join(&self.suites),
                    folder,
                    root: metadata.workspace_root.as_std_path().to_owned(),
                    output: output.clone(),
                    tests: tests(package),
                })
            })
            .collect();
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(packages)
    }
}

/// The test targets of a package, sorted by name.
fn tests(package: &cargo_metadata::Package) -> Vec<(String, PathBuf)> {
    let mut tests: Vec<(String, PathBuf)> = package
        .targets
        .iter()
        .filter(|target| target.is_test())
        .map(|target| {
            (
                target.name.clone(),
                target.src_path.as_std_path().to_owned(),
            )
        })
        .collect();
    tests.sort();
    tests
}

fn parent_of(manifest: &Path) -> Result<PathBuf, Unusable> {
    let path = std::path::absolute(manifest).map_err(|error| Unusable::file(manifest, error))?;
    Ok(path.parent().unwrap_or(&path).to_owned())
}
