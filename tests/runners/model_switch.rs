//! The example `model-switch` in a repository of its own, and two pull requests to it.

use std::path::Path;
use std::process::Command;

use crate::project::{Project, Said};

const SUITE: &str = "tests/suites/pull-request.yaml";
const STEADY: &str = "pull-request::model::steady[accuracy.vs.baseline]";

/// Runs git in the project; hooks and settings of this machine play no part.
fn git(project: &Path, arguments: &[&str]) {
    let settings = [
        "user.name=tests",
        "user.email=tests@localhost",
        "commit.gpgsign=false",
        "init.defaultBranch=main",
    ];
    let output = Command::new("git")
        .args(settings.into_iter().flat_map(|setting| ["-c", setting]))
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(project)
        .output()
        .expect("git starts");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn commit(project: &Project, message: &str) {
    git(project.path(), &["add", "-A", "tests", "src"]);
    git(project.path(), &["commit", "-q", "-m", message]);
}

/// The suite's trials, in one process; `fill` asks for what is not recorded.
fn suite(project: &Project, fill: bool) -> Said {
    let mut variables = vec![("DECBENCH_BASELINE", "main")];
    if fill {
        variables.extend([("DECBENCH_MODE", "fill"), ("DECBENCH_BUDGET_USD", "1")]);
    }
    project.cargo_with(
        &["test", "--test", "decisions", "--", "pull-request::"],
        &variables,
    )
}

fn says(said: &Said, words: &[&str]) {
    for part in words {
        assert!(
            said.stdout.contains(part) || said.stderr.contains(part),
            "`{part}` is not in\n{}\n{}",
            said.stdout,
            said.stderr
        );
    }
}

fn ends(said: &Said, outcome: &str) {
    let line = said
        .stdout
        .lines()
        .find(|line| line.starts_with(&format!("test {STEADY} ")));
    assert!(
        line.is_some_and(|line| line.contains(outcome)),
        "{outcome}: {line:?}\n{}\n{}",
        said.stdout,
        said.stderr
    );
}

pub(crate) fn a_pull_request_shows_its_flips() {
    let project = Project::of_example("model-switch");
    let now = project.read(SUITE);
    let with = |function: &str, wording: &str| {
        let text = now
            .replace("function: by_reading", &format!("function: {function}"))
            .replace("within the hour?", wording);
        project.write(SUITE, &text);
    };
    // The main branch: the signs, recorded and committed.
    with("by_signs", "within the hour?");
    std::fs::remove_dir_all(project.path().join("tests/suites/answers")).expect("answers");
    git(project.path(), &["init", "-q"]);
    commit(&project, "before anything was recorded");
    suite(&project, true);
    commit(&project, "as production has it");
    let same = suite(&project, false);
    assert_eq!(same.code, Some(0), "{}{}", same.stdout, same.stderr);
    says(&same, &["newly right      none", "newly wrong      none"]);

    // A pull request changes the wording and who answers. What was recorded no longer fits.
    with("by_reading", "within the next hour?");
    let stale = suite(&project, false);
    assert_eq!(stale.code, Some(101), "{}", stale.stdout);
    ends(&stale, "FAILED");
    says(&stale, &["160 answers are missing"]);
    let better = suite(&project, true);
    assert_eq!(better.code, Some(0), "{}{}", better.stdout, better.stderr);
    ends(&better, "ok");
    says(
        &better,
        &[
            "newly right      10: t-",
            "newly wrong      none",
            "of 160 cases, McNemar p 0.002",
        ],
    );

    // Another one takes the word alone, which loses on many tickets.
    with("by_word", "within sixty minutes?");
    let worse = suite(&project, true);
    assert_eq!(worse.code, Some(101), "{}", worse.stdout);
    ends(&worse, "FAILED");
    says(
        &worse,
        &["it is shown to be worse than it was", "newly wrong      "],
    );
}
