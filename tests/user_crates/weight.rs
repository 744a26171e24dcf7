//! What decbench costs production code.

use std::collections::BTreeSet;

use crate::project::{DECBENCH, Project, Ran, cargo};

#[test]
fn without_features_six_packages_are_built() {
    let tree = Ran::of(
        cargo(&[
            "tree",
            "--package=decbench",
            "--no-default-features",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
        ])
        .current_dir(DECBENCH),
    );
    assert!(tree.succeeded, "{}", tree.all());
    let packages: BTreeSet<&str> = tree
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let expected = [
        "decbench",
        "decbench-macros",
        "proc-macro2",
        "quote",
        "syn",
        "unicode-ident",
    ];
    assert_eq!(packages, BTreeSet::from(expected));
}

#[test]
fn without_features_attributes_leave_the_function_alone_and_main_says_what_is_missing() {
    let project = Project::new(
        "weight",
        &[
            (
                "my-app/Cargo.toml",
                r#"
[package]
name = "my-app"
version = "0.0.0"
edition = "2024"

[dependencies]
decbench = { path = "DECBENCH", default-features = false }

[[test]]
name = "decisions"
harness = false
"#,
            ),
            (
                "my-app/src/lib.rs",
                r"
#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]
//! Routes calls.

/// A type that no provider could return where functions are registered.
pub struct Team;

/// Names a team.
#[decbench::provider(recorded = true)]
pub fn keyword_router(_: &str) -> Team {
    Team
}
",
            ),
            ("my-app/tests/decisions.rs", "decbench::main!();\n"),
        ],
    );
    let library = project.run(&["check", "--lib"]);
    assert!(library.succeeded, "{}", library.all());
    let test = project.run(&["check", "--test=decisions"]);
    assert!(!test.succeeded, "{}", test.all());
    assert!(
        test.stderr
            .contains("`decbench::main!` needs the feature `test` of decbench"),
        "{}",
        test.stderr
    );
}
