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
//! - `console says=stderr`: the same of what stands on standard error, where plans and scorecards are printed;
//! - any block with `unchecked="why"` is only read.
//!
//! Blocks inside an HTML comment are followed too, so that a page can set its project up without showing it.
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
        "links_of_the_guide_lead_to_its_own_files",
        links_of_the_guide_lead_to_its_own_files,
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

/// What is outside the guide's folder is not in the book that is built of it.
fn links_of_the_guide_lead_to_its_own_files() {
    let mut dead = Vec::new();
    let mut seen = 0;
    for name in pages().iter().map(String::as_str).chain(["SUMMARY.md"]) {
        let text = fs::read_to_string(folder().join(name)).expect("a page");
        for rest in text.split("](").skip(1) {
            let target = rest.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            seen += 1;
            if target.contains("..") || !folder().join(target).is_file() {
                dead.push(format!("docs/guide/{name}: {target}"));
            }
        }
    }
    assert!(seen > 20, "only {seen} links were found");
    assert!(dead.is_empty(), "{}", dead.join("\n"));
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
            page(
                "```console says=stderr\n$ cargo test\n…\ntest s::always::accuracy ... ok\n…\n```\n",
            ),
            "does not say",
        ),
        (page("```console says=so\n$ cargo test\n```\n"), "says=so"),
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
