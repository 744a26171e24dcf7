//! What a model is asked to state beside its answer.

use crate::provider::setting::{Reader, SettingKey};

/// What a model states beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stated {
    /// The answer alone.
    Nothing,
    /// How sure it is of the answer, from 0 to 1; no probabilities follow from it.
    Confidence,
    /// A probability for every option.
    Probabilities,
}

pub(super) const STATED: SettingKey = SettingKey::new(
    "stated",
    "probabilities",
    "What the model states beside its answer: probabilities of all options, its confidence, or nothing.",
);

impl Stated {
    const ALL: [Self; 3] = [Self::Nothing, Self::Confidence, Self::Probabilities];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Confidence => "confidence",
            Self::Probabilities => "probabilities",
        }
    }

    /// Reads `stated`, `usual` where it is not given.
    pub(super) fn read(reader: &mut Reader<'_>, usual: Self) -> Self {
        let Some(name) = reader.text("stated") else {
            return usual;
        };
        let known = Self::ALL.into_iter().find(|stated| stated.name() == name);
        if known.is_none() {
            reader.wrong(
                "stated",
                format!("unknown statement `{name}`"),
                "stated: probabilities (or confidence, nothing)",
            );
        }
        known.unwrap_or(usual)
    }
}
