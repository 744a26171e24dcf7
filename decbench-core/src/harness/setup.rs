//! What a test target says about itself when it is compiled.

use std::path::Path;

use super::{SnapshotRequest, WrittenSuite};

/// What `decbench::main!()` captures in the user's crate.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// The folder of the package's `Cargo.toml` where it was compiled. A test that was moved since finds its
    /// package in the variable `CARGO_MANIFEST_DIR` that runners set.
    pub manifest_dir: &'static str,
    /// Cargo's folder for files of integration tests; absent for other kinds of targets.
    pub target_tmpdir: Option<&'static str>,
    /// The package's name.
    pub package: &'static str,
    /// The target's name as `cargo test --test` takes it.
    pub test_target: &'static str,
    /// Where suites are looked for, relative to the package.
    pub folder: &'static str,
    /// Compares a text with its reviewed snapshot by insta's macro, which must be expanded in the user's crate.
    /// May print; [`check_snapshot`](super::check_snapshot) does not.
    pub compare_snapshot: fn(&SnapshotRequest<'_>) -> Result<(), String>,
}

impl Setup {
    /// The suites that `#[decbench::test]` writes in this package, by name.
    pub(super) fn written_suites(&self) -> Vec<&'static WrittenSuite> {
        let mut suites: Vec<&'static WrittenSuite> = inventory::iter::<WrittenSuite>
            .into_iter()
            .filter(|suite| suite.manifest_dir == self.manifest_dir)
            .collect();
        suites.sort_by_key(|suite| suite.name());
        suites
    }

    /// The suites that `#[decbench::test]` names in this package, by path, candidate and function.
    pub fn embedded_suites(&self) -> Vec<&'static EmbeddedSuite> {
        let mut suites: Vec<&'static EmbeddedSuite> = inventory::iter::<EmbeddedSuite>
            .into_iter()
            .filter(|suite| suite.manifest_dir == self.manifest_dir)
            .collect();
        suites.sort_by_key(|suite| (suite.path, suite.candidate, suite.function));
        suites
    }
}

/// A suite and the function that is a candidate of it, from `#[decbench::test(suite = "…")]`.
///
/// The function itself is registered too, as `function`; the candidate is as if the suite had
/// `candidate: { provider: rust, function: … }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmbeddedSuite {
    /// The folder of the `Cargo.toml` of the package the attribute stands in.
    pub manifest_dir: &'static str,
    /// The suite file as the attribute names it, relative to the package.
    pub path: &'static str,
    /// The candidate's name.
    pub candidate: &'static str,
    /// The function's path: module and name.
    pub function: &'static str,
    /// The paths of the items that stand for it where a runner asks for one by name.
    pub items: &'static [&'static str],
    /// The source file the attribute stands in.
    pub file: &'static str,
    /// The line it stands in.
    pub line: u32,
}

inventory::collect!(EmbeddedSuite);

/// The Cargo name of the target whose root is `file`: `crate_name` has lost the hyphens that the file still has.
pub fn target_of(file: &'static str, crate_name: &'static str) -> &'static str {
    let path = Path::new(file);
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let folder = path
        .parent()
        .and_then(Path::file_name)
        .and_then(|folder| folder.to_str());
    [stem, folder]
        .into_iter()
        .flatten()
        .find(|name| name.replace('-', "_") == crate_name)
        .unwrap_or(crate_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_keeps_its_hyphens() {
        assert_eq!(target_of("tests/my-calls.rs", "my_calls"), "my-calls");
        assert_eq!(target_of("tests/my-calls/main.rs", "my_calls"), "my-calls");
        assert_eq!(target_of("tests/calls.rs", "decisions"), "decisions");
    }
}
