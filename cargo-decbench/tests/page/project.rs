//! A package that was run: its suite, cases, answers and scorecard, and the page of it all.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use decbench_core::harness::Setup;
use serde_json::json;

/// Set where this binary plays the user's test target.
pub(crate) const FIXTURE: &str = "DECBENCH_PAGE_FIXTURE";

/// A state that would act if it were ever read as markup or script.
pub(crate) const HOSTILE: &str = "</script><img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> & <b>bold</b>";

const SUITE: &str = "
question:
  type: choice
  instructions: Which team is this call for?
  options: { sales: Orders, support: Faults, other: { description: Neither, escape: true } }
cases: calls.cases.jsonl
candidates:
  first: { provider: recorded, file: first.jsonl, today: true }
  second: { provider: recorded, file: second.jsonl }
assert:
  accuracy: '>= 50%'
  ece: '<= 0.2'
  flip_rate: { at_most: 50%, repeats: 2 }
verdict: any
scorecard: off
";

pub(crate) struct Project(tempfile::TempDir);

/// The user's test target.
pub(crate) fn target() -> ExitCode {
    decbench_core::harness::main(Setup {
        manifest_dir: env!("CARGO_MANIFEST_DIR"),
        target_tmpdir: None,
        package: "shop",
        test_target: "decisions",
        folder: "tests/suites",
        compare_snapshot: |_| Ok(()),
    })
}

impl Project {
    /// `first` is wrong in every tenth case, `second` in every fifth; `first` flickers in two.
    pub(crate) fn with_cases(cases: usize) -> Self {
        let project = Self(tempfile::tempdir().expect("a temporary folder"));
        project.write(
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        project.write("src/lib.rs", "");
        project.write("tests/suites/calls.yaml", SUITE);
        let options = ["sales", "support", "other"];
        let mut lines = String::new();
        let mut answers = [String::new(), String::new()];
        for case in 0..cases {
            let state = match case {
                0 => HOSTILE.to_owned(),
                _ => format!(
                    "Caller {case} speaks of what {} is about.",
                    options[case % 3]
                ),
            };
            let id = format!("case-{case}");
            let line = json!({ "id": id, "state": state, "gold": options[case % 3] });
            let _ = writeln!(lines, "{line}");
            for (at, text) in answers.iter_mut().enumerate() {
                for repeat in 0..2 {
                    let wrong = case % [10, 5][at] == 0;
                    let flickers = at == 0 && repeat == 1 && [11, 12].contains(&case);
                    let label = options[(case + usize::from(wrong || flickers)) % 3];
                    let shares: serde_json::Map<_, _> = options
                        .iter()
                        .map(|option| {
                            let share = if *option == label { 0.97 } else { 0.015 };
                            ((*option).to_owned(), json!(share))
                        })
                        .collect();
                    let line = json!({
                        "case": id, "repeat": repeat, "label": label, "probabilities": shares, "cost_usd": 0.0001 * (at + 1) as f64,
                        "latency_ms": 100.0 + (case % 50) as f64,
                    });
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        project.write("tests/suites/calls.cases.jsonl", &lines);
        project.write("tests/suites/first.jsonl", &answers[0]);
        project.write("tests/suites/second.jsonl", &answers[1]);
        project.run();
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Where the page is.
    pub(crate) fn page(&self) -> PathBuf {
        self.0.path().join("report.html")
    }

    /// Runs the suites, and writes the page.
    fn run(&self) {
        let target = Command::new(std::env::current_exe().expect("this binary"))
            .env_clear()
            .env(FIXTURE, "1")
            .env("CARGO_MANIFEST_DIR", self.0.path())
            .env("DECBENCH_OUTPUT", self.0.path().join("target/decbench"))
            .current_dir(self.0.path())
            .output()
            .expect("the target starts");
        assert!(target.status.code() != Some(2), "{target:?}");
        let said = Command::new(env!("CARGO_BIN_EXE_cargo-decbench"))
            .args(["decbench", "report", "-o", "report.html"])
            .current_dir(self.0.path())
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .expect("the tool starts");
        assert!(said.status.code() != Some(2), "{said:?}\n{target:?}");
    }
}
