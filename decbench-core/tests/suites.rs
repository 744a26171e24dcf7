//! Walks `tests/suites`: every folder with a `suite.yaml` is read, and what comes out is compared with `expected.txt`.
//!
//! `DECBENCH_BLESS=1` writes the files anew; read them as a user would before committing.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use decbench_core::suite::{FromRust, Loaded, Lockbox, load_with, plan};

fn suites(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            suites(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "yaml")
            && path
                .file_stem()
                .is_some_and(|stem| !stem.to_string_lossy().contains('.'))
        {
            found.push(path);
        }
    }
}

fn summary(loaded: &Loaded) -> String {
    let suite = &loaded.suite;
    let mut text = format!(
        "suite {}: {} cases in {} units, {} in the lock box\n",
        suite.name,
        suite.cases.len(),
        suite
            .cases
            .iter()
            .map(|case| case.unit)
            .max()
            .map_or(0, |last| last + 1),
        suite
            .cases
            .iter()
            .filter(|case| !Lockbox::Closed.admits(case.split))
            .count(),
    );
    for (position, candidate) in suite.candidates.iter().enumerate() {
        let calls = |lockbox| {
            plan(suite, position, &suite.assertions, lockbox)
                .calls
                .len()
        };
        writeln!(
            text,
            "{}: {} calls, {} with the lock box",
            candidate.name,
            calls(Lockbox::Closed),
            calls(Lockbox::Open)
        )
        .unwrap();
        for assertion in suite.assertions.iter().filter(|a| a.candidate == position) {
            let bounds: Vec<String> = assertion
                .requirements
                .iter()
                .map(|requirement| requirement.bound.to_string())
                .collect();
            writeln!(
                text,
                "  {} {}",
                suite.trial_name(assertion),
                bounds.join(", ")
            )
            .unwrap();
        }
    }
    if !loaded.warnings.is_empty() {
        write!(text, "\n{}\n", loaded.warnings).unwrap();
    }
    text
}

#[test]
fn every_suite_reads_as_expected() {
    let mut found = Vec::new();
    suites(Path::new("tests/suites"), &mut found);
    assert!(found.len() > 1, "the fixtures are missing");
    let bless = std::env::var_os("DECBENCH_BLESS").is_some();
    let mut differing = Vec::new();
    // As in a test target that nothing is linked with.
    let rust = FromRust {
        types: Some(&[]),
        policies: Some(&[]),
        ..FromRust::default()
    };
    for path in found {
        let text = match load_with(&path, &rust) {
            Ok(loaded) => summary(&loaded),
            Err(mistakes) => format!("{mistakes}\n"),
        };
        let text = text.replace('\\', "/");
        let expected = path.with_extension("expected");
        if bless {
            fs::write(&expected, &text).unwrap();
        } else {
            let wanted = fs::read_to_string(&expected).unwrap_or_default();
            if wanted.replace('\r', "") != text {
                differing.push(format!("{}:\n{text}", path.display()));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}
