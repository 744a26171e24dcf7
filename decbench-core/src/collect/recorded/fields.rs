//! Where in a row each part of an answer stands.

use serde_json::Value;

use crate::provider::SettingError;
use crate::provider::setting::nearest;

/// The parts of an answer that `fields:` can place, and where they stand when it does not.
const PARTS: &[(&str, &[&str])] = &[
    ("case", &["case", "id"]),
    ("question", &["question"]),
    ("repeat", &["probe.repeat", "repeat"]),
    ("order", &["probe.order", "order"]),
    ("context", &["probe.context", "context"]),
    ("label", &["label"]),
    ("output", &["output"]),
    ("tool_calls", &["tool_calls"]),
    ("probabilities", &["probabilities"]),
    ("p_yes", &["p_yes"]),
    ("confidence", &["confidence"]),
    ("format_mass", &["format_mass"]),
    ("error", &["error"]),
    ("model", &["model"]),
    ("latency_ms", &["latency_ms"]),
    ("connect_ms", &["connect_ms"]),
    ("cold", &["cold"]),
    ("attempts", &["attempts"]),
    ("input_tokens", &["input_tokens"]),
    ("output_tokens", &["output_tokens"]),
    ("cost_usd", &["cost_usd"]),
    ("at", &["at"]),
];

/// Parts that may stand in several columns, one per repeat.
const REPEATED: &[&str] = &[
    "label",
    "output",
    "tool_calls",
    "probabilities",
    "p_yes",
    "confidence",
    "format_mass",
    "error",
    "latency_ms",
    "connect_ms",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "at",
];

/// Where one part stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In one of these columns, the first that is there.
    One(Vec<String>),
    /// In one column per repeat.
    PerRepeat(Vec<String>),
    /// In one column per label, for probabilities.
    PerLabel(Vec<(String, String)>),
}

/// Where every part stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fields {
    places: Vec<(&'static str, Place)>,
    /// Columns a person named, which therefore must exist.
    pub(super) named: Vec<String>,
}

impl Fields {
    /// Reads `fields:`.
    pub(super) fn read(value: Option<&Value>) -> Result<Self, Vec<SettingError>> {
        let mut fields = Self {
            places: PARTS
                .iter()
                .map(|(part, columns)| {
                    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
                    (*part, Place::One(columns))
                })
                .collect(),
            named: Vec::new(),
        };
        let Some(value) = value else {
            return Ok(fields);
        };
        let Some(map) = value.as_object() else {
            return Err(vec![wrong("`fields` wants a map from parts to columns")]);
        };
        let mut errors = Vec::new();
        for (part, value) in map {
            if let Err(error) = fields.place(part, value) {
                errors.push(error);
            }
        }
        if errors.is_empty() {
            Ok(fields)
        } else {
            Err(errors)
        }
    }

    fn place(&mut self, part: &str, value: &Value) -> Result<(), SettingError> {
        let Some((name, slot)) = self.places.iter_mut().find(|(name, _)| *name == part) else {
            let mut error = wrong(format!("unknown part `fields.{part}`"));
            let names = PARTS.iter().map(|(name, _)| *name);
            error.help = Some(match nearest(part, names.clone()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("known are {}", names.collect::<Vec<_>>().join(", ")),
            });
            return Err(error);
        };
        let place = match value {
            Value::String(column) => Place::One(vec![column.clone()]),
            Value::Array(columns) if REPEATED.contains(name) => Place::PerRepeat(
                columns
                    .iter()
                    .map(|column| column.as_str().map(str::to_owned))
                    .collect::<Option<Vec<_>>>()
                    .filter(|columns| !columns.is_empty())
                    .ok_or_else(|| wrong(format!("`fields.{part}` wants one column per repeat")))?,
            ),
            Value::Object(labels) if *name == "probabilities" => Place::PerLabel(
                labels
                    .iter()
                    .map(|(label, column)| Some((label.clone(), column.as_str()?.to_owned())))
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| wrong("`fields.probabilities` wants one column per label"))?,
            ),
            _ => return Err(wrong(format!("`fields.{part}` wants the name of a column"))),
        };
        match &place {
            Place::One(columns) | Place::PerRepeat(columns) => {
                self.named.extend(columns.iter().cloned());
            }
            Place::PerLabel(labels) => {
                self.named
                    .extend(labels.iter().map(|(_, column)| column.clone()));
            }
        }
        *slot = place;
        Ok(())
    }

    /// Where this part stands; `part` is one of the names above.
    pub(super) fn of(&self, part: &str) -> &Place {
        self.places
            .iter()
            .find(|(name, _)| *name == part)
            .map(|(_, place)| place)
            .expect("only parts of the table are looked for")
    }

    /// How many repeats one row holds: as many as the longest list of columns.
    pub(super) fn repeats(&self) -> usize {
        self.places
            .iter()
            .map(|(_, place)| match place {
                Place::PerRepeat(columns) => columns.len(),
                Place::One(_) | Place::PerLabel(_) => 1,
            })
            .max()
            .unwrap_or(1)
    }
}

fn wrong(message: impl Into<String>) -> SettingError {
    SettingError {
        key: Some("fields".to_owned()),
        message: message.into(),
        help: Some(
            "fields: {case: id, probabilities: probs} or {case: item, p_yes: [p1, p2, p3]}"
                .to_owned(),
        ),
    }
}
