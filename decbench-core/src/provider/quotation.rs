//! Whether a service's or a program's words repeat what was sent to it.
//!
//! Failures end up in files and logs that more people read than the cases, and some services echo the offending input
//! or even the key. Such words are not shown.

use serde_json::Value;

/// Shorter values occur in any text by chance.
const SHORTEST_VALUE: usize = 4;
/// That many letters in a row are no chance.
const SHORTEST_PART: usize = 12;

/// Whether `words` repeats a value of the JSON document that was sent, or a part of one. The names of the model and
/// of question types are no secret.
pub(super) fn repeats(words: &str, sent: &[u8]) -> bool {
    let words = normal(words);
    let Ok(document) = serde_json::from_slice::<Value>(sent) else {
        return false;
    };
    any_value(&document, &|value| {
        let value = normal(value);
        let whole = value.chars().count() >= SHORTEST_VALUE && words.contains(&value);
        whole || shares_part(&words, &value)
    })
}

fn any_value(document: &Value, test: &dyn Fn(&str) -> bool) -> bool {
    match document {
        Value::String(text) => test(text),
        Value::Number(number) => test(&number.to_string()),
        Value::Array(items) => items.iter().any(|item| any_value(item, test)),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "model" | "type"))
            .any(|(_, value)| any_value(value, test)),
        Value::Null | Value::Bool(_) => false,
    }
}

fn shares_part(words: &str, value: &str) -> bool {
    let letters: Vec<(usize, char)> = words.char_indices().collect();
    letters.windows(SHORTEST_PART).any(|window| {
        let (first, last) = (window[0], window[SHORTEST_PART - 1]);
        value.contains(&words[first.0..last.0 + last.1.len_utf8()])
    })
}

/// Lower case, blanks as one.
fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_and_long_parts_are_recognised() {
        let sent = br#"{"model":"jev-9","state":{"body":"My card 4711 was  charged\ntwice","n":12345678},
            "questions":{"q":{"type":"choice","instructions":"Which?","criteria":{"a":"Refunds"}}}}"#;
        assert!(repeats("bad input: my card 4711 was charged twice", sent));
        assert!(repeats("…4711 was charged…", sent));
        assert!(repeats("REFUNDS is no option", sent));
        assert!(repeats("number 12345678", sent));
        assert!(!repeats("Unknown model jev-9", sent));
        assert!(!repeats("choice needs criteria", sent));
        assert!(!repeats("", sent));
    }
}
