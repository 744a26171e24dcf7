//! One page, followed from its first block to its last.

use std::fs;
use std::path::Path;

use super::block::{Block, blocks};
use super::console::{commands, says};
use crate::project::{GUIDE, Project, Said};

/// Does what `page` shows in a project of its own; the mistake names the line of the block.
pub(super) fn follow(guide: &Path, page: &str) -> Result<(), String> {
    let project = Project::new();
    for block in blocks(page)? {
        if block.value("unchecked").is_some() {
            continue;
        }
        let done = match (block.language, block.value("file")) {
            ("console", _) => console(&project, &block),
            ("rust", Some(_)) => compiled(guide, block.text),
            (_, Some(file)) => written(guide, &project, &block, file),
            (language, None) => Err(format!(
                "a block of `{language}` needs `file=`, or `unchecked=\"why\"`"
            )),
        };
        done.map_err(|mistake| format!("line {}: {mistake}", block.line))?;
    }
    Ok(())
}

fn compiled(guide: &Path, text: &str) -> Result<(), String> {
    let functions =
        fs::read_to_string(guide.join("functions.rs")).map_err(|error| error.to_string())?;
    if functions.contains(text.trim()) {
        Ok(())
    } else {
        Err("these lines are not in docs/guide/functions.rs, so nothing compiles them".to_owned())
    }
}

fn written(guide: &Path, project: &Project, block: &Block<'_>, file: &str) -> Result<(), String> {
    let Some(head) = block.value("head") else {
        project.write(file, block.text);
        return Ok(());
    };
    let whole = fs::read_to_string(guide.join(head)).map_err(|error| format!("{head}: {error}"))?;
    let shown = block
        .text
        .trim_end()
        .strip_suffix('…')
        .unwrap_or(block.text);
    if !whole.starts_with(shown) {
        return Err(format!("the block does not show the first lines of {head}"));
    }
    project.write(file, whole);
    Ok(())
}

/// Runs every command of `block` and compares what it says.
fn console(project: &Project, block: &Block<'_>) -> Result<(), String> {
    let on_error = match block.value("says") {
        None => false,
        Some("stderr") => true,
        Some(other) => return Err(format!("`says={other}`; write `says=stderr` or nothing")),
    };
    for (command, expected) in commands(block.text)? {
        let said = run(project, command)?;
        let stream = if on_error { &said.stderr } else { &said.stdout };
        says(stream, &expected).map_err(|mistake| {
            format!("`{command}` {mistake}\n{}\n{}", said.stdout, said.stderr)
        })?;
    }
    Ok(())
}

fn run(project: &Project, command: &str) -> Result<Said, String> {
    let mut words = command.split_whitespace().peekable();
    let mut variables = vec![(crate::project::FIXTURE, GUIDE)];
    while let Some(pair) = words.peek().and_then(|word| word.split_once('=')) {
        variables.push(pair);
        words.next();
    }
    if (words.next(), words.next()) != (Some("cargo"), Some("test")) {
        return Err(format!(
            "`{command}` is no `cargo test`; say `unchecked=\"why\"` behind the fence"
        ));
    }
    let arguments: Vec<String> = words
        .skip_while(|word| *word != "--")
        .skip(1)
        .map(|word| word.trim_matches('"').to_owned())
        .collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // One thread, so that trials end in the order of their list.
    arguments.push("--test-threads=1");
    Ok(project.run_with(&arguments, &variables))
}
