//! Snapshots beside the suite, as `cargo insta` finds them.

use std::process::Command;

use crate::project::{Project, Ran};

const MANIFEST: &str = r#"
[package]
name = "my-app"
version = "0.0.0"
edition = "2024"

[dev-dependencies]
decbench = { path = "DECBENCH", default-features = false, features = ["test"] }
decbench-core = { path = "DECBENCH/decbench-core", features = ["run"] }

[[test]]
name = "decisions"
harness = false
"#;

/// Compares the text in `TEXT`, with the closure that `decbench::main!` expands to.
const TEST: &str = r#"
use std::path::Path;
use std::process::ExitCode;

use decbench_core::harness::{Setup, SnapshotRequest, check_snapshot, serve_snapshot};

fn main() -> ExitCode {
    let setup = Setup {
        manifest_dir: env!("CARGO_MANIFEST_DIR"),
        target_tmpdir: option_env!("CARGO_TARGET_TMPDIR"),
        package: env!("CARGO_PKG_NAME"),
        test_target: "decisions",
        folder: "tests/suites",
        compare_snapshot: decbench::__compare_snapshot!(),
    };
    if let Some(code) = serve_snapshot(&setup) {
        return code;
    }
    let suites = Path::new(setup.manifest_dir).join(setup.folder);
    let compared = check_snapshot(
        &setup,
        &SnapshotRequest {
            folder: &suites.join("snapshots"),
            name: "urgency.scorecard",
            text: &std::env::var("TEXT").unwrap_or_default(),
            input: Some(&suites.join("urgency.yaml")),
        },
    );
    match compared {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
"#;

#[test]
fn a_snapshot_is_compared_written_and_accepted_as_insta_does_and_without_its_words() {
    let project = Project::new(
        "snapshots",
        &[
            ("my-app/Cargo.toml", MANIFEST),
            ("my-app/src/lib.rs", ""),
            ("my-app/tests/decisions.rs", TEST),
            ("my-app/tests/suites/urgency.yaml", "question: {}\n"),
        ],
    );
    let built = project.run(&["test", "--test=decisions", "--no-run"]);
    assert!(built.succeeded, "{}", built.all());
    let compare = |text: &str, variables: &[(&str, &str)]| -> Ran {
        let mut command: Command = project.cargo(&["test", "--quiet", "--test=decisions"]);
        command.env("TEXT", text).envs(variables.iter().copied());
        let ran = Ran::of(&mut command);
        assert_eq!(ran.stdout.trim(), "", "nothing but the harness prints");
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    };
    let reviewed = project.path("my-app/tests/suites/snapshots/urgency.scorecard.snap");
    let pending = reviewed.with_extension("snap.new");

    // In CI nothing is written.
    let ran = compare("one\ntwo\n", &[("CI", "true")]);
    assert!(!ran.succeeded);
    assert!(
        ran.stderr.contains("has not been reviewed"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("nothing was written for review"),
        "{}",
        ran.stderr
    );
    assert!(!pending.exists());

    // Elsewhere what is new waits for a review.
    let ran = compare("one\ntwo\n", &[]);
    assert!(!ran.succeeded);
    assert!(ran.stderr.contains("cargo insta review"), "{}", ran.stderr);
    let waiting = std::fs::read_to_string(&pending).expect("it waits beside the suite");
    assert!(waiting.ends_with("---\none\ntwo\n"), "{waiting}");
    assert!(
        waiting.contains("input_file: my-app/tests/suites/urgency.yaml"),
        "{waiting}"
    );
    assert!(!reviewed.exists());

    // Accepting is what `cargo insta accept` does: the pending file takes the place of the reviewed one.
    std::fs::rename(&pending, &reviewed).expect("both are in one folder");
    assert!(compare("one\ntwo\n", &[("CI", "true")]).succeeded);

    let ran = compare("one\nthree\n", &[]);
    assert!(!ran.succeeded);
    assert!(
        ran.stderr.contains("  one\n- two\n+ three\n"),
        "{}",
        ran.stderr
    );
    assert!(pending.exists());
    // A text that is as reviewed clears what is pending.
    assert!(compare("one\ntwo\n", &[]).succeeded);
    assert!(!pending.exists());

    // insta's own switches hold.
    assert!(!compare("one\nthree\n", &[("INSTA_UPDATE", "no")]).succeeded);
    assert!(!pending.exists());
    assert!(compare("one\nthree\n", &[("INSTA_FORCE_PASS", "1")]).succeeded);
    assert!(compare("one\nthree\n", &[("INSTA_UPDATE", "always")]).succeeded);
    assert!(compare("one\nthree\n", &[("CI", "true")]).succeeded);
}
