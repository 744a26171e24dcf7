//! What `init` asks, where it may.

use clap::ValueEnum as _;

use super::template::Template;
use super::{Init, Wanted};
use crate::ending::Unusable;
use crate::terminal;

/// Takes the flags, and asks for what they leave open.
pub(super) fn ask(task: &Init) -> Result<Wanted, Unusable> {
    let interactive = !task.yes && terminal::is_attended();
    if !task.yes && !interactive && task.template.is_none() {
        return Err(Unusable::new(
            "nobody is there to answer questions; say `--yes`, or `--template` and `--name`",
        ));
    }
    let template = match task.template {
        Some(template) => template,
        None if interactive => ask_template()?,
        None => Template::LiveCall,
    };
    let name = match &task.name {
        Some(name) => name.clone(),
        None if interactive => ask_line(&format!("Name of the suite [{}]: ", template.name()))?
            .unwrap_or_else(|| template.name().to_owned()),
        None => template.name().to_owned(),
    };
    check_name(&name)?;
    Ok(Wanted { template, name })
}

fn ask_template() -> Result<Template, Unusable> {
    let choices: Vec<String> = Template::value_variants()
        .iter()
        .enumerate()
        .map(|(position, template)| format!("  {}  {}\n", position + 1, template.about()))
        .collect();
    terminal::say(&format!("What does the decision do?\n{}", choices.concat()));
    loop {
        let Some(answer) = ask_line("Number [1]: ")? else {
            return Ok(Template::LiveCall);
        };
        let chosen = answer
            .parse::<usize>()
            .ok()
            .and_then(|number| Template::value_variants().get(number.checked_sub(1)?));
        match chosen {
            Some(template) => return Ok(*template),
            None => terminal::say("Please give one of the numbers.\n"),
        }
    }
}

/// One line from the terminal; none where it is empty.
fn ask_line(prompt: &str) -> Result<Option<String>, Unusable> {
    match terminal::ask(prompt)? {
        Some(line) => Ok(Some(line).filter(|line| !line.is_empty())),
        None => Err(Unusable::new(
            "standard input ended before the question was answered",
        )),
    }
}

fn check_name(name: &str) -> Result<(), Unusable> {
    let good = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    let fits = name.starts_with(good)
        && name
            .chars()
            .all(|character| good(character) || "_.-".contains(character));
    if fits {
        Ok(())
    } else {
        Err(Unusable::new(format!(
            "`{name}` is no name of a suite: it starts with a small letter or a digit and goes on with these, `_`, `.` or `-`"
        )))
    }
}
