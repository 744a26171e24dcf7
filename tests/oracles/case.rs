//! One golden case and typed access to its input.

use serde_json::{Map, Value};

/// One case of a topic's file.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) input: Map<String, Value>,
    pub(crate) expected: Map<String, Value>,
}

/// The accessors panic with the case's name: a vector of another form is a failure of the test.
impl Case {
    pub(crate) fn get(&self, key: &str) -> &Value {
        self.input
            .get(key)
            .unwrap_or_else(|| panic!("{}: input has no `{key}`", self.name))
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.read(key, number)
    }

    pub(crate) fn count(&self, key: &str) -> u64 {
        self.read(key, count)
    }

    pub(crate) fn text(&self, key: &str) -> &str {
        let value = self.get(key);
        value
            .as_str()
            .unwrap_or_else(|| panic!("{}: `{key}` is no text: {value}", self.name))
    }

    pub(crate) fn list(&self, key: &str) -> &[Value] {
        let value = self.get(key);
        value
            .as_array()
            .unwrap_or_else(|| panic!("{}: `{key}` is no list: {value}", self.name))
    }

    pub(crate) fn numbers(&self, key: &str) -> Vec<f64> {
        self.each(key, number)
    }

    pub(crate) fn counts(&self, key: &str) -> Vec<u64> {
        self.each(key, count)
    }

    pub(crate) fn indices(&self, key: &str) -> Vec<usize> {
        self.each(key, index)
    }

    /// 0 and 1, or false and true.
    pub(crate) fn flags(&self, key: &str) -> Vec<bool> {
        self.each(key, flag)
    }

    pub(crate) fn number_rows(&self, key: &str) -> Vec<Vec<f64>> {
        self.each(key, |row| row.as_array()?.iter().map(number).collect())
    }

    pub(crate) fn index_rows(&self, key: &str) -> Vec<Vec<usize>> {
        self.each(key, |row| row.as_array()?.iter().map(index).collect())
    }

    /// Reads each element of a list; null or another kind of value is a failure.
    pub(crate) fn each<T>(&self, key: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        self.list(key)
            .iter()
            .map(|value| {
                read(value).unwrap_or_else(|| panic!("{}: `{key}` holds {value}", self.name))
            })
            .collect()
    }

    fn read<T>(&self, key: &str, read: impl Fn(&Value) -> Option<T>) -> T {
        let value = self.get(key);
        read(value).unwrap_or_else(|| panic!("{}: `{key}` is {value}", self.name))
    }
}

/// A number, or one of the doubles that JSON spells as text.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "inf" => Some(f64::INFINITY),
            "-inf" => Some(f64::NEG_INFINITY),
            "nan" => Some(f64::NAN),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn count(value: &Value) -> Option<u64> {
    value.as_u64()
}

pub(crate) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

pub(crate) fn flag(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| match value.as_u64()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    })
}
