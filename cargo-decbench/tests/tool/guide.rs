//! The page of the guide about this tool does what it says.

#[path = "../../../tests/process/guide/block.rs"]
mod block;
#[path = "../../../tests/process/guide/console.rs"]
mod console;

use std::fs;
use std::path::Path;

use crate::project::Project;
use block::blocks;
use console::{commands, says};

#[test]
fn the_page_about_the_tool_does_what_it_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let page = fs::read_to_string(guide.join("tool.md")).expect("the page");
    let project = Project::new();
    let mut followed = 0;
    for block in blocks(&page).expect("whole blocks") {
        if block.value("unchecked").is_some() {
            continue;
        }
        let line = block.line;
        if let Some(file) = block.value("file") {
            let text = match block.value("head") {
                Some(head) => fs::read_to_string(guide.join(head)).expect("a file of the guide"),
                None => block.text.to_owned(),
            };
            project.write(file, &text);
            continue;
        }
        assert_eq!(
            block.language, "console",
            "line {line} is checked by nobody"
        );
        for (command, expected) in commands(block.text).expect("commands") {
            let words = command.strip_prefix("cargo decbench ");
            let words = words.unwrap_or_else(|| panic!("line {line}: `{command}` is not ours"));
            let words: Vec<&str> = words.split_whitespace().collect();
            let said = project.run(&words);
            assert_eq!(said.code, Some(0), "line {line}: {said:?}");
            if let Err(mistake) = says(&said.stdout, &expected) {
                panic!("line {line}: `{command}` {mistake}\n{}", said.stdout);
            }
            followed += 1;
        }
    }
    assert!(followed >= 4, "only {followed} commands are followed");
}
