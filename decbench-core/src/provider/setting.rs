//! Reading a candidate's settings: known keys, near misses, units.

use std::time::Duration;

use super::contract::{SettingError, Settings};
use crate::config::read_duration;

/// A setting that a provider knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingKey {
    /// The key in a suite or under `[provider.…]`.
    pub name: &'static str,
    /// The form of its value.
    pub form: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
}

impl SettingKey {
    pub(crate) const fn new(name: &'static str, form: &'static str, about: &'static str) -> Self {
        Self { name, form, about }
    }
}

/// Settings that every remote candidate takes; the collector reads them, not the provider.
pub const COLLECTOR_SETTINGS: &[SettingKey] = &[
    SettingKey::new("concurrency", "8", "Calls in flight at a time."),
    SettingKey::new(
        "rate",
        "{requests: 1200/min, tokens: 250000/s}",
        "Most requests and tokens in a time.",
    ),
    SettingKey::new(
        "retries",
        "2",
        "Further attempts after a call that may succeed later.",
    ),
    SettingKey::new(
        "deadline",
        "30s",
        "The longest that a call may take with all its attempts.",
    ),
    SettingKey::new(
        "keep_raw",
        "false",
        "Writes replies as they came, without the key, beside the run's answers below target.",
    ),
    SettingKey::new(
        "price",
        "{input_per_million: 0.042, output_per_million: 0}",
        "US dollars for a million tokens.",
    ),
];

/// Complains about every setting that is not among `known`, naming the nearest that is.
pub(crate) fn unknown_keys(settings: &Settings, known: &[&[SettingKey]]) -> Vec<SettingError> {
    let names = || known.iter().copied().flatten().map(|key| key.name);
    settings
        .keys()
        .filter(|key| names().all(|name| name != key.as_str()))
        .map(|key| SettingError {
            key: Some(key.clone()),
            message: format!("unknown setting `{key}`"),
            help: Some(match nearest(key, names()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("known are {}", names().collect::<Vec<_>>().join(", ")),
            }),
        })
        .collect()
}

/// The known name that `word` is probably a slip of: at most a third of its letters differ.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| (edits(word, name), name))
        .filter(|(edits, _)| *edits <= most)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other (optimal string
/// alignment distance).
fn edits(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().flat_map(char::to_lowercase).collect();
    let to: Vec<char> = to.chars().flat_map(char::to_lowercase).collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut least = (rows[i][j] + usize::from(a != b))
                .min(rows[i][j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

/// Reads settings one by one and keeps what is wrong with them.
pub(crate) struct Reader<'a> {
    settings: &'a Settings,
    pub(crate) errors: Vec<SettingError>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            errors: Vec::new(),
        }
    }

    pub(crate) fn value(&self, key: &str) -> Option<&'a serde_json::Value> {
        self.settings.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn wrong(&mut self, key: &str, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(SettingError {
            key: Some(key.to_owned()),
            message: message.into(),
            help: Some(help.into()),
        });
    }

    pub(crate) fn missing(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(SettingError {
            key: None,
            message: message.into(),
            help: Some(help.into()),
        });
    }

    /// A non-empty text.
    pub(crate) fn text(&mut self, key: &str) -> Option<&'a str> {
        match self.value(key)? {
            serde_json::Value::String(text) if !text.trim().is_empty() => Some(text),
            _ => {
                self.wrong(key, format!("`{key}` wants a text"), format!("{key}: …"));
                None
            }
        }
    }

    pub(crate) fn truth(&mut self, key: &str) -> Option<bool> {
        let value = self.value(key)?;
        if value.as_bool().is_none() {
            self.wrong(
                key,
                format!("`{key}` wants true or false"),
                format!("{key}: true"),
            );
        }
        value.as_bool()
    }

    /// A whole number within bounds, both included.
    pub(crate) fn whole(&mut self, key: &str, least: u64, most: u64) -> Option<u64> {
        let number = self
            .value(key)?
            .as_u64()
            .filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.wrong(
                key,
                format!("`{key}` wants a whole number from {least} to {most}"),
                format!("{key}: {least}"),
            );
        }
        number
    }

    /// A finite number that is not negative.
    pub(crate) fn amount(&mut self, key: &str) -> Option<f64> {
        let number = amount(self.value(key)?);
        if number.is_none() {
            self.wrong(
                key,
                format!("`{key}` wants a number that is not negative"),
                format!("{key}: 0"),
            );
        }
        number
    }

    /// A duration with its unit.
    pub(crate) fn duration(&mut self, key: &str) -> Option<Duration> {
        let duration = self.value(key)?.as_str().and_then(read_duration);
        if duration.is_none() {
            self.wrong(
                key,
                format!("`{key}` wants a time with its unit"),
                format!("{key}: 10s (or 500ms, 2min)"),
            );
        }
        duration
    }
}

pub(crate) fn amount(value: &serde_json::Value) -> Option<f64> {
    value
        .as_f64()
        .filter(|number| number.is_finite() && *number >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_names_the_nearest_key() {
        let names = ["concurrency", "timeout", "model"];
        assert_eq!(nearest("concurency", names), Some("concurrency"));
        assert_eq!(nearest("tiemout", names), Some("timeout"));
        assert_eq!(nearest("temperature", names), None);
    }
}
