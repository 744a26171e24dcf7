//! Words for what some dialects have no field for.

use crate::decision::Asked;

/// The instructions of a yes/no question, followed by what its outcomes mean, in the order shown and where that is said.
pub(super) fn with_meanings(asked: &Asked<'_>) -> String {
    let meanings = asked.shown().filter_map(|option| {
        let outcome = if option.key == "yes" { "Yes" } else { "No" };
        Some(format!("{outcome}: {}", option.description.as_deref()?))
    });
    let meanings: Vec<String> = meanings.collect();
    let instructions = asked.question.instructions.as_str();
    match (instructions.is_empty(), meanings.is_empty()) {
        (_, true) => instructions.to_owned(),
        (true, false) => meanings.join("\n"),
        (false, false) => format!("{instructions}\n\n{}", meanings.join("\n")),
    }
}
