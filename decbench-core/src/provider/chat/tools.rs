//! The settings of a model that may call tools.

use serde_json::Value;

use crate::provider::setting::{Reader, SettingKey};

pub(super) const MAX_STEPS: SettingKey = SettingKey::new(
    "max_steps",
    "8",
    "How often the model may be asked on in one case, tools included; without an end by then there is no answer.",
);
const STEPS: u64 = 8;

/// What a candidate says of tools.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tools {
    /// The tools as the service spells them.
    pub(super) declared: Vec<Value>,
    pub(super) max_steps: u64,
}

impl Tools {
    /// Reads the settings; each tool has a name where `name_of` looks, as in `help`.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        name_of: fn(&Value) -> Option<&str>,
        wants: &str,
        help: &str,
    ) -> Self {
        let declared = match reader.value("tools") {
            None => Vec::new(),
            Some(value) => match value.as_array() {
                Some(tools) if tools.iter().all(|tool| name_of(tool).is_some()) => tools.clone(),
                _ => {
                    reader.wrong(
                        "tools",
                        format!("`tools` wants a list of tools, each with {wants}"),
                        help,
                    );
                    Vec::new()
                }
            },
        };
        Self {
            declared,
            max_steps: reader.whole("max_steps", 1, 100).unwrap_or(STEPS),
        }
    }

    /// What of them may change an answer, as parameters of a candidate's identity.
    pub(super) fn identity(&self) -> Vec<(String, Value)> {
        let mut own = Vec::new();
        if !self.declared.is_empty() {
            own.push(("tools".to_owned(), self.declared.clone().into()));
        }
        if self.max_steps != STEPS {
            own.push(("max_steps".to_owned(), self.max_steps.into()));
        }
        own
    }
}
