//! Functions in the user's crates: which are linked, and what is said of those that are not.

use crate::project::Project;

const MANIFEST: &str = r#"
[package]
name = "my-app"
version = "0.0.0"
edition = "2024"

[dependencies]
bench = { package = "decbench", path = "DECBENCH", default-features = false }

[dev-dependencies]
bench = { package = "decbench", path = "DECBENCH", default-features = false, features = ["test"] }
my-lists = { path = "../my-lists" }

[[test]]
name = "decisions"
harness = false
"#;

const LIBRARY: &str = r#"
#![deny(warnings, missing_docs)]
#![forbid(unsafe_code)]
//! Routes calls.

/// Whether the caller asks about money.
#[bench::provider(crate = bench)]
pub fn asks_about_money(call: &str) -> bool {
    call.contains("invoice")
}
"#;

const LISTS: &str = r#"
/// Whether the caller is on a list.
#[decbench::provider]
pub fn listed(call: &str) -> bool {
    call.contains("wrong")
}
"#;

const SUITE: &str = r"
question: { type: yes_no, instructions: Does this caller ask about money? }
cases:
  - { id: invoice, state: Your invoice is wrong, gold: yes }
  - { id: line, state: My line is dead, gold: no }
candidates:
  rules: { provider: rust, function: asks_about_money }
  lists: { provider: rust, function: listed }
  here: { provider: rust, function: decisions::in_the_test }
assert:
  accuracy: { at_least: 50%, reading: point }
scorecard: off
";

const TEST: &str = r"
#[bench::provider(crate = bench)]
fn in_the_test() -> bool {
    true
}

bench::main!();
";

#[test]
fn a_function_is_found_where_its_crate_is_linked_and_the_message_names_the_line_where_not() {
    let project = Project::new(
        "linking",
        &[
            ("my-app/Cargo.toml", MANIFEST),
            ("my-app/src/lib.rs", LIBRARY),
            ("my-app/tests/decisions.rs", TEST),
            ("my-app/tests/suites/money.yaml", SUITE),
            (
                "my-lists/Cargo.toml",
                r#"
[package]
name = "my-lists"
version = "0.0.0"
edition = "2024"

[dependencies]
decbench = { path = "DECBENCH", default-features = false }
"#,
            ),
            ("my-lists/src/lib.rs", LISTS),
        ],
    );
    let run = |links: &str| {
        project.write("my-app/tests/decisions.rs", &format!("{links}\n{TEST}"));
        project.run(&["test", "--package=my-app", "--test=decisions"])
    };

    let ran = run("");
    assert!(!ran.succeeded, "{}", ran.all());
    for expected in [
        "no Rust function `asks_about_money` is linked into this test",
        "tests/suites/money.yaml:7:",
        "linked are `decisions::in_the_test` (my-app/tests/decisions.rs:4)",
        "`use my_app as _;`",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.all());
    }

    let ran = run("use my_app as _;");
    assert!(!ran.succeeded, "{}", ran.all());
    assert!(
        !ran.stdout.contains("`asks_about_money` is"),
        "{}",
        ran.all()
    );
    for expected in [
        "no Rust function `listed` is linked into this test",
        "`use other_crate as _;`",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.all());
    }

    let ran = run("use my_app as _;\nuse my_lists as _;");
    assert!(ran.succeeded, "{}", ran.all());
    for trial in ["rules", "lists", "here"] {
        let trial = format!("money::{trial}::accuracy");
        assert!(ran.passed(&trial), "{}", ran.all());
    }
}
