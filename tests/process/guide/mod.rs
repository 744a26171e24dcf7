//! Every page of the guide, run as its reader would.
//!
//! A page of `docs/guide` is a little user project, told from top to bottom. Its fenced blocks say what they are:
//!
//! - `yaml file=tests/suites/x.yaml` (any language): written to that file, later blocks over earlier ones;
//! - `jsonl file=tests/suites/x.cases.jsonl head=data/x.cases.jsonl`: the block shows the first lines of that file of
//!   the guide, the project gets the whole of it; a last line `…` says that there is more;
//! - `rust file=tests/decisions.rs`: compiled into the test target, so the text stands in `docs/guide/functions.rs`
//!   word for word;
//! - `console`: commands after `$ ` and what they say, line by line in order; a line `…` stands for any lines. Runs of
//!   spaces count as one. `$ cargo test …`, with variables before it and arguments after `--`, starts the test target;
//! - any block with `unchecked="why"` is only read.
//!
//! [`OF_THE_TOOL`] is followed by the tool's own tests, which have the tool to run.
//!
//! Blocks of other languages, without `file=`, are refused, so that no snippet goes unchecked without saying so.

mod block;
mod console;
mod page;

pub(crate) mod functions {
    //! The functions that decide on the pages of the guide.
    #![allow(
        unreachable_pub,
        reason = "pages show functions as production code has them"
    )]

    use decbench::Options;

    include!("../../../docs/guide/functions.rs");
}

use std::fs;
use std::path::{Path, PathBuf};

use crate::Test;

pub(crate) const TESTS: &[Test] = &[
    (
        "the_pages_of_the_guide_do_what_they_say",
        the_pages_of_the_guide_do_what_they_say,
    ),
    (
        "the_summary_of_the_guide_lists_every_page",
        the_summary_of_the_guide_lists_every_page,
    ),
    (
        "a_page_that_says_something_else_is_noticed",
        a_page_that_says_something_else_is_noticed,
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide")
}

/// The page whose commands are `cargo decbench …`.
const OF_THE_TOOL: &str = "tool.md";

/// The names of all pages, sorted.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = fs::read_dir(folder())
        .expect("the guide")
        .map(|entry| entry.expect("an entry").file_name())
        .filter_map(|name| name.to_str().map(str::to_owned))
        .filter(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|extension| extension == "md")
        })
        .filter(|name| name != "SUMMARY.md")
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "a guide has pages");
    pages
}

fn the_pages_of_the_guide_do_what_they_say() {
    let mistakes: Vec<String> = pages()
        .iter()
        .filter(|name| *name != OF_THE_TOOL)
        .filter_map(|name| {
            let text = fs::read_to_string(folder().join(name)).expect("a page");
            page::follow(&folder(), &text)
                .err()
                .map(|mistake| format!("docs/guide/{name}, {mistake}"))
        })
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n\n"));
}

fn the_summary_of_the_guide_lists_every_page() {
    let summary = fs::read_to_string(folder().join("SUMMARY.md")).expect("a summary");
    let missing: Vec<String> = pages()
        .into_iter()
        .filter(|page| !summary.contains(&format!("({page})")))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/guide/SUMMARY.md does not list {missing:?}"
    );
}

fn a_page_that_says_something_else_is_noticed() {
    let suite = "```yaml file=tests/suites/s.yaml\nquestion: { type: yes_no, instructions: Is it? }\ncases:\n  - { state: a, gold: yes }\ncandidates:\n  always: { provider: rust, function: guide_always_yes }\nassert:\n  accuracy: { at_least: 50%, reading: point }\nscorecard: off\n```\n";
    let page = |end: &str| page::follow(&folder(), &format!("{suite}{end}"));
    let console = |lines: &str| page(&format!("```console\n$ cargo test\n{lines}\n```\n"));
    console("…\ntest s::always::accuracy ... ok\n…").expect("a true page");
    for (untrue, says) in [
        (
            console("…\ntest s::always::accuracy ... FAILED\n…"),
            "FAILED",
        ),
        (console("…\ntest s::always::accuracy ... ok"), "says more"),
        (console("test s::always::accuracy ... ok\n…"), "instead of"),
        (page("```yaml\na: b\n```\n"), "file="),
        (
            page("```rust file=tests/decisions.rs\nfn nowhere() {}\n```\n"),
            "functions.rs",
        ),
        (page("```console\n$ rm -r suites\n```\n"), "cargo test"),
        (
            page("```jsonl file=x head=data/nowhere\n{}\n```\n"),
            "data/nowhere",
        ),
        (page("```console\n$ cargo test\n"), "never closed"),
    ] {
        let mistake = untrue.expect_err(says);
        assert!(mistake.contains(says), "`{says}` is not in `{mistake}`");
    }
}
