//! A question's words in the forms that several dialects share.

use serde_json::{Map, Value};

use crate::decision::Asked;

/// What yes and no mean, under the dialect's names of them; `None` where neither is said.
pub(super) fn outcomes(asked: &Asked<'_>, yes: &str, no: &str) -> Option<Value> {
    let outcomes: Map<String, Value> = asked
        .shown()
        .filter_map(|option| {
            let name = if option.key == "yes" { yes } else { no };
            Some((name.to_owned(), Value::from(option.description.as_deref()?)))
        })
        .collect();
    (!outcomes.is_empty()).then_some(Value::Object(outcomes))
}

/// The levels' texts; a level's number on the wire is its position as shown.
pub(super) fn level_texts(asked: &Asked<'_>) -> Value {
    asked
        .shown()
        .map(|level| Value::from(level.description.as_deref().unwrap_or(&level.key)))
        .collect()
}

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
