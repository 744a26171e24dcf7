//! Where in a reply things stand.

use serde_json::{Map, Value};

use crate::provider::setting::{Reader, nearest};

/// What a reply may hold.
const PARTS: [&str; 13] = [
    "label",
    "output",
    "tool_calls",
    "probabilities",
    "labels",
    "p_yes",
    "confidence",
    "format_mass",
    "finish",
    "model",
    "usage",
    "input_tokens",
    "output_tokens",
];

/// JSON pointers by what they point at.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Pointers(Vec<(&'static str, String)>);

impl Pointers {
    /// Reads `reply`; what is wrong with it stays with the reader.
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        const HELP: &str = "reply: {label: /label, probabilities: /scores}";
        let mut pointers = Self::default();
        let Some(value) = reader.value("reply") else {
            reader.missing("a candidate of `http` needs `reply`", HELP);
            return pointers;
        };
        let Some(map) = value.as_object() else {
            reader.wrong(
                "reply",
                "`reply` wants a map from parts to JSON pointers",
                HELP,
            );
            return pointers;
        };
        for (part, pointer) in map {
            let Some(known) = PARTS.into_iter().find(|known| known == part) else {
                let help = match nearest(part, PARTS) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => format!("known are {}", PARTS.join(", ")),
                };
                reader.wrong("reply", format!("unknown part `reply.{part}`"), help);
                continue;
            };
            match pointer.as_str().filter(|pointer| is_pointer(pointer)) {
                Some(pointer) => pointers.0.push((known, pointer.to_owned())),
                None => reader.wrong(
                    "reply",
                    format!("`reply.{part}` is no JSON pointer"),
                    format!(
                        "{part}: /path/0/to/it (each step after a /; ~1 stands for / and ~0 for ~)"
                    ),
                ),
            }
        }
        let has = |part: &str| map.contains_key(part);
        if !(has("label") || has("output") || has("probabilities") || has("p_yes")) {
            reader.wrong(
                "reply",
                "`reply` does not say where the answer stands: `label`, `output`, `probabilities` or `p_yes`",
                HELP,
            );
        }
        if has("labels") && !has("probabilities") {
            reader.wrong(
                "reply",
                "`reply.labels` names what `probabilities` lists, and there is no such pointer",
                HELP,
            );
        }
        pointers
    }

    /// Whether answers carry probabilities.
    pub(super) fn probabilities(&self) -> bool {
        self.0
            .iter()
            .any(|(part, _)| matches!(*part, "probabilities" | "p_yes"))
    }

    /// As they are written, for the candidate's identity.
    pub(super) fn written(&self) -> Value {
        let pairs = self.0.iter();
        let pairs: Map<String, Value> = pairs
            .map(|(part, pointer)| ((*part).to_owned(), pointer.as_str().into()))
            .collect();
        pairs.into()
    }

    /// What stands there in a reply; null counts as nothing.
    #[cfg_attr(
        not(feature = "http"),
        allow(dead_code, reason = "only a call has a reply")
    )]
    pub(super) fn of<'r>(&self, part: &str, reply: &'r Value) -> Option<&'r Value> {
        let (_, pointer) = self.0.iter().find(|(known, _)| *known == part)?;
        reply.pointer(pointer).filter(|value| !value.is_null())
    }
}

/// Empty for the whole document, else steps after slashes, with `~` in `~0` and `~1` alone.
fn is_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text
            .split('~')
            .skip(1)
            .all(|rest| rest.starts_with(['0', '1']))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(reply: &Value) -> (Pointers, usize) {
        let settings = json!({ "reply": reply });
        let settings = settings.as_object().expect("a map");
        let mut reader = Reader::new(settings);
        let pointers = Pointers::read(&mut reader);
        (pointers, reader.errors.len())
    }

    #[test]
    fn pointers_reach_into_replies() {
        let (pointers, mistakes) = read(&json!({"label": "/a/0/b~1c", "model": "/m"}));
        assert_eq!(mistakes, 0);
        let reply = json!({"a": [{"b/c": "billing"}], "m": null});
        assert_eq!(pointers.of("label", &reply), Some(&json!("billing")));
        assert_eq!(pointers.of("model", &reply), None);
        assert_eq!(pointers.of("usage", &reply), None);
    }

    #[test]
    fn mistakes_are_found_before_anything_is_asked() {
        for wrong in [
            json!({"label": "a/b"}),
            json!({"label": "/a~2"}),
            json!({"label": 7}),
            json!({"lable": "/a", "p_yes": "/p"}),
            json!({"model": "/m"}),
            json!({"label": "/a", "labels": "/b"}),
            json!("/label"),
        ] {
            assert_eq!(read(&wrong).1, 1, "{wrong}");
        }
        assert_eq!(read(&json!({"label": ""})).1, 0, "the whole document");
    }
}
