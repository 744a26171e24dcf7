//! The body of a request with its placeholders.

use serde_json::Value;

use crate::provider::setting::{Reader, nearest};

/// Everything a placeholder may stand for.
pub(super) const PLACEHOLDERS: [&str; 8] = [
    "state",
    "instructions",
    "options",
    "descriptions",
    "question",
    "name",
    "type",
    "model",
];

/// A body whose placeholders are all known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Body(Value);

impl Body {
    /// Reads `body`; what is wrong with it stays with the reader.
    pub(super) fn read(reader: &mut Reader<'_>, has_model: bool) -> Self {
        const HELP: &str = "body: {text: \"{{state}}\", labels: \"{{options}}\"}";
        let Some(value) = reader.value("body") else {
            reader.missing("a candidate of `http` needs `body`", HELP);
            return Self(Value::Null);
        };
        let mut found: Vec<String> = Vec::new();
        let mut broken = false;
        texts(value, &mut |text| match parts(text) {
            Some(parts) => found.extend(parts.into_iter().filter_map(|part| match part {
                Part::Placeholder(name) => Some(name.to_owned()),
                Part::Text(_) => None,
            })),
            None => broken = true,
        });
        if broken {
            reader.wrong(
                "body",
                "a placeholder of `body` is not closed with }}",
                HELP,
            );
        }
        for name in &found {
            if !PLACEHOLDERS.contains(&name.as_str()) {
                let help = match nearest(name, PLACEHOLDERS) {
                    Some(known) => format!("did you mean {{{{{known}}}}}?"),
                    None => format!("known are {}", PLACEHOLDERS.join(", ")),
                };
                reader.wrong("body", format!("unknown placeholder {{{{{name}}}}}"), help);
            }
        }
        if !broken && !found.iter().any(|name| name == "state") {
            reader.wrong(
                "body",
                "`body` says nothing of the case: {{state}} is missing",
                HELP,
            );
        }
        if !has_model && found.iter().any(|name| name == "model") {
            reader.wrong(
                "body",
                "`body` names the model, and there is no `model`",
                "model: …",
            );
        }
        Self(value.clone())
    }

    /// The body as it is written, for the candidate's identity.
    pub(super) fn written(&self) -> &Value {
        &self.0
    }

    /// The body with every placeholder replaced: by `alone` where it is all of a text, by `inside` in a longer one.
    #[cfg_attr(
        not(feature = "http"),
        allow(dead_code, reason = "only a call fills it in")
    )]
    pub(super) fn filled(
        &self,
        alone: &dyn Fn(&str) -> Value,
        inside: &dyn Fn(&str) -> String,
    ) -> Value {
        fill(&self.0, alone, inside)
    }
}

#[cfg_attr(
    not(feature = "http"),
    allow(dead_code, reason = "only a call fills it in")
)]
fn fill(value: &Value, alone: &dyn Fn(&str) -> Value, inside: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => match parts(text).as_deref() {
            Some([Part::Placeholder(name)]) => alone(name),
            Some(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => (*text).to_owned(),
                    Part::Placeholder(name) => inside(name),
                })
                .collect::<String>()
                .into(),
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| fill(item, alone, inside)).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), fill(value, alone, inside)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// A piece of a text.
enum Part<'t> {
    Text(&'t str),
    Placeholder(&'t str),
}

/// The pieces of a text; `None` where a placeholder is not closed.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}")?;
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        parts.push(Part::Placeholder(name.trim()));
        rest = behind;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Some(parts)
}

fn texts(value: &Value, each: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, each)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, each)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: &Value) -> (Body, Vec<String>) {
        let settings = json!({ "body": body });
        let settings = settings.as_object().expect("a map");
        let mut reader = Reader::new(settings);
        let body = Body::read(&mut reader, false);
        let told = reader.errors.into_iter();
        (
            body,
            told.map(|error| format!("{}; {}", error.message, error.help.unwrap_or_default()))
                .collect(),
        )
    }

    #[test]
    fn a_placeholder_alone_is_a_value_and_in_a_text_it_is_text() {
        let (body, mistakes) =
            read(&json!({"a": "{{state}}", "b": ["x {{ state }} y {{name}}", 7]}));
        assert_eq!(mistakes, Vec::<String>::new());
        let filled = body.filled(&|name| json!({ "of": name }), &|name| format!("<{name}>"));
        assert_eq!(
            filled,
            json!({"a": {"of": "state"}, "b": ["x <state> y <name>", 7]})
        );
    }

    #[test]
    fn what_is_put_in_is_not_read_as_a_template() {
        let (body, _) = read(&json!("see {{state}}"));
        let filled = body.filled(&|_| Value::Null, &|_| "{{model}}".to_owned());
        assert_eq!(filled, json!("see {{model}}"));
    }

    #[test]
    fn mistakes_are_told_with_what_to_type() {
        for (body, told) in [
            (
                json!({"a": "{{state}}", "b": "{{optoins}}"}),
                "did you mean {{options}}?",
            ),
            (json!({"a": "{{state"}), "is not closed"),
            (json!({"a": "{{options}}"}), "{{state}} is missing"),
            (json!("{{state}} {{model}}"), "there is no `model`"),
        ] {
            let mistakes = read(&body).1;
            assert_eq!(mistakes.len(), 1, "{mistakes:?}");
            assert!(mistakes[0].contains(told), "{mistakes:?}");
        }
    }
}
