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
  first: { provider: recorded, file: calls.first.jsonl, today: true }
  second: { provider: recorded, file: calls.second.jsonl }
assert:
  accuracy: '>= 50%'
  ece: '<= 0.2'
  flip_rate: { at_most: 50%, repeats: 2 }
verdict: any
scorecard: off
";

/// The second suite: two questions about each case, asked of the same candidates.
const TWO_QUESTIONS: &str = "
questions:
  team: { type: choice, instructions: Which team is this call for?, options: { sales: Orders, support: Faults, other: Neither } }
  ending: { type: choice, instructions: How does the call end?, options: { sales: With an order, support: With a visit, other: With neither } }
cases: endings.cases.jsonl
candidates:
  first: { provider: recorded, file: endings.first.jsonl, today: true }
  second: { provider: recorded, file: endings.second.jsonl }
assert:
  team.accuracy: '>= 50%'
  ending.accuracy: '>= 60%'
  ending.flip_rate: { at_most: 50%, repeats: 2 }
compare: { against: today, metric: ending.accuracy, margin: 20% }
verdict: any
scorecard: off
";
const CASES_OF_TWO: usize = 30;

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
        project.lay_out("calls", cases, &[""]);
        project.write("tests/suites/endings.yaml", TWO_QUESTIONS);
        project.lay_out("endings", CASES_OF_TWO, &["team", "ending"]);
        project.run();
        project
    }

    /// Writes the cases of a suite and the answers of both candidates.
    fn lay_out(&self, suite: &str, cases: usize, questions: &[&str]) {
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
            let gold = |gold: &str| match questions {
                [""] => json!(gold),
                named => named.iter().map(|name| (*name, gold)).collect(),
            };
            let right = gold(options[case % 3]);
            let mut line = json!({ "id": id, "state": state, "gold": right });
            if questions.len() > 1 {
                // Two raters, who differ in every sixth case.
                let other = gold(options[(case + usize::from(case % 6 == 0)) % 3]);
                line["labels"] = json!({ "ada": right, "bob": other });
            }
            let _ = writeln!(lines, "{line}");
            for (at, text) in answers.iter_mut().enumerate() {
                for (repeat, question) in (0..2).flat_map(|n| questions.iter().map(move |q| (n, q)))
                {
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
                        "case": id, "question": question, "repeat": repeat, "label": label, "probabilities": shares,
                        "cost_usd": 0.0001 * (at + 1) as f64, "latency_ms": 100.0 + (case % 50) as f64,
                    });
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        self.write(&format!("tests/suites/{suite}.cases.jsonl"), &lines);
        for (name, answers) in ["first", "second"].iter().zip(answers) {
            self.write(&format!("tests/suites/{suite}.{name}.jsonl"), &answers);
        }
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
