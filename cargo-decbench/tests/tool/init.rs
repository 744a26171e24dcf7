//! `init`: what it writes is sound, and nothing of the user's is lost.

use crate::project::Project;

#[test]
fn every_template_passes_the_check_at_once() {
    let project = Project::new();
    for template in ["live-call", "post-call", "tool-gate"] {
        let said = project.run(&["init", "--yes", "--template", template]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let checked = project.run(&["check", "--strict"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(
        checked.stderr.contains("3 suites: 0 mistakes"),
        "{checked:?}"
    );
    let target = project.read("tests/decisions.rs");
    assert_eq!(target.matches("decbench::main!()").count(), 1, "{target}");
    assert!(target.contains("fn keyword_router(") && target.contains("fn refund_policy("));
    assert!(project.read("Cargo.toml").contains("harness = false"));
}

#[test]
fn a_suite_that_is_there_is_never_overwritten() {
    let project = Project::with_suite();
    project.write("tests/suites/call-routing.yaml", "mine\n");
    let again = project.run(&["init", "--yes"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(
        again.stderr.contains("call-routing.yaml exists already"),
        "{again:?}"
    );
    assert_eq!(project.read("tests/suites/call-routing.yaml"), "mine\n");
}

#[test]
fn nothing_is_written_where_the_manifest_cannot_be_changed() {
    let project = Project::new();
    let manifest = "test = 3\n[package]\nname = \"shop\"\nversion = \"0.1.0\"\n";
    project.write("Cargo.toml", manifest);
    let said = project.run(&["init", "--yes"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(!project.path().join("tests").exists());
    assert_eq!(project.read("Cargo.toml"), manifest);
}

#[test]
fn names_that_no_suite_may_have_are_refused() {
    let project = Project::new();
    let said = project.run(&["init", "--yes", "--name", "My Suite"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.stderr.contains("`My Suite` is no name of a suite"),
        "{said:?}"
    );
}

#[test]
fn nobody_is_asked_where_nobody_is_there() {
    let said = Project::new().run(&["init"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("--yes"), "{said:?}");
}

#[test]
fn the_profile_of_a_workspace_stands_in_its_root() {
    let project = Project::new();
    project.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"app\"]\n",
    );
    let member = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    project.write("app/Cargo.toml", member);
    project.write("app/src/lib.rs", "");
    let said = project.run(&["init", "--yes", "-p", "app"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stderr.contains("in the workspace's root alone"),
        "{said:?}"
    );
    let own = project.read("app/Cargo.toml");
    assert!(
        own.contains("[[test]]") && !own.contains("profile"),
        "{own}"
    );
    let root = project.read("Cargo.toml");
    assert!(
        root.contains("[profile.dev.package.decbench-core]\nopt-level = 3"),
        "{root}"
    );
    assert!(!root.contains("[[test]]"), "{root}");
    let again = project.run(&["init", "--yes", "-p", "app", "--name", "more"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(project.read("Cargo.toml"), root);
}
