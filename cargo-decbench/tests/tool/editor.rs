//! What the parser accepts, an editor accepts: the schemas under the validator of a YAML language server.
//!
//! It needs node and `npm install yaml-language-server` in the folder that `DECBENCH_YAML_LANGUAGE_SERVER` names; with
//! `DECBENCH_REQUIRE_TOOLS=1` a missing one fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::project::{Project, run};

/// The mistakes that the language server finds, per file; none where there is no server.
fn validate(files: &[PathBuf]) -> Option<Vec<(PathBuf, Vec<String>)>> {
    let Some(folder) = std::env::var_os("DECBENCH_YAML_LANGUAGE_SERVER") else {
        let required = std::env::var("DECBENCH_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "DECBENCH_YAML_LANGUAGE_SERVER names no folder");
        return None;
    };
    let project = Project::new();
    let schema = project.write(
        "suite.schema.json",
        &run(project.path(), &["schema", "suite"]).stdout,
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tool/validate.mjs");
    let output = Command::new("node")
        .arg(script)
        .arg(schema)
        .args(files)
        .current_dir(folder)
        .output()
        .expect("node starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            let line: Json = serde_json::from_str(line).expect("JSON");
            let mistakes = line["mistakes"].as_array().expect("a list");
            let words = mistakes.iter().map(ToString::to_string).collect();
            (PathBuf::from(line["file"].as_str().expect("a file")), words)
        })
        .collect();
    Some(found)
}

/// Every suite below `folder`.
fn suites(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(suites(&path));
        }
    }
    found.extend(decbench_core::suite::suite_files(folder).expect("a folder"));
    found.sort();
    found
}

#[test]
fn an_editor_accepts_what_the_parser_accepts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = suites(&root.join("decbench-core/tests/suites"));
    files.extend(suites(&root.join("examples")));
    let (good, bad): (Vec<PathBuf>, Vec<PathBuf>) = files
        .into_iter()
        .partition(|path| decbench_core::suite::load(path).is_ok());
    assert!(
        good.len() >= 5 && bad.len() >= 10,
        "{} {}",
        good.len(),
        bad.len()
    );
    let Some(found) = validate(&good) else { return };
    let refused: Vec<_> = found
        .iter()
        .filter(|(_, mistakes)| !mistakes.is_empty())
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn an_editor_marks_keys_that_nobody_knows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../decbench-core/tests/suites");
    let file = root.join("unknown-key/everywhere.yaml");
    let Some(found) = validate(&[file]) else {
        return;
    };
    let words = found[0].1.join("\n");
    for key in ["optoins", "scorcard", "lokbox"] {
        assert!(words.contains(key), "{key} is not marked: {words}");
    }
}
