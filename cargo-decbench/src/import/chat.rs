//! Messages of a chat: what the model was told, and what it was asked about.

use serde_json::{Value as Json, json};

/// A conversation up to the answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Chat {
    /// The system's messages.
    pub(super) told: Option<String>,
    /// The text of the only other message, or all others as a list.
    pub(super) state: Option<Json>,
}

/// Reads messages with a `role` and a text in `content` or in `parts`.
pub(super) fn read(messages: &[Json]) -> Chat {
    let mut told = Vec::new();
    let mut others = Vec::new();
    for message in messages {
        let role = message.get("role").and_then(Json::as_str).unwrap_or("user");
        let Some(text) = said(message) else { continue };
        if matches!(role, "system" | "developer") {
            told.push(text);
        } else {
            others.push((role, text));
        }
    }
    let state = match &others[..] {
        [] => None,
        [(_, text)] => Some(Json::from(text.as_str())),
        several => Some(
            several
                .iter()
                .map(|(role, text)| json!({ "role": role, "content": text }))
                .collect(),
        ),
    };
    Chat {
        told: (!told.is_empty()).then(|| told.join("\n\n")),
        state,
    }
}

/// The text of a message: its `content` as it is, or the texts of its parts.
pub(super) fn said(message: &Json) -> Option<String> {
    let content = message.get("content").or_else(|| message.get("parts"))?;
    let parts = match content {
        Json::String(text) => return (!text.trim().is_empty()).then(|| text.clone()),
        Json::Array(parts) => parts,
        _ => return None,
    };
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| {
            let text = part.get("text").or_else(|| part.get("content"))?;
            text.as_str().filter(|text| !text.trim().is_empty())
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_is_the_state_and_several_are_a_list() {
        let system = json!({"role": "system", "content": "Which team?"});
        let user = json!({"role": "user", "parts": [{"type": "text", "content": "Broken"}]});
        let chat = read(&[system.clone(), user.clone()]);
        assert_eq!(chat.told.as_deref(), Some("Which team?"));
        assert_eq!(chat.state, Some(json!("Broken")));
        let answer = json!({"role": "assistant", "content": [{"type": "text", "text": "Which?"}]});
        let chat = read(&[user, answer, json!({"role": "user", "content": "The line"})]);
        assert_eq!(chat.told, None);
        let expected = json!([
            {"role": "user", "content": "Broken"},
            {"role": "assistant", "content": "Which?"},
            {"role": "user", "content": "The line"},
        ]);
        assert_eq!(chat.state, Some(expected));
        assert_eq!(read(&[system]).state, None);
    }
}
