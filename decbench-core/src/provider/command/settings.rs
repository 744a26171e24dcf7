//! What a candidate that is a program can be told.

use std::time::Duration;

use serde_json::{Map, Value};

use super::service::Program;
use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::secret::Secret;
use crate::provider::service::{
    AnsweredBy, ConnectError, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey, unknown_keys};

pub(super) const NAME: &str = "command";
const TIMEOUT: Duration = Duration::from_secs(30);

const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "command",
        "[python3, answer.py]",
        "The program and its arguments; a path is relative to where it runs.",
    ),
    SettingKey::new(
        "cwd",
        "..",
        "Where it runs, relative to the suite's folder, which it is by default.",
    ),
    SettingKey::new(
        "version",
        "3",
        "Part of every recording's identity; raise it when the program answers differently.",
    ),
    SettingKey::new(
        "model",
        "mine-3",
        "The model it asks, where it asks one; part of every recording's identity.",
    ),
    SettingKey::new(
        "processes",
        "1",
        "How many of it run at a time, each with one request; `concurrency` is the other limit.",
    ),
    SettingKey::new("timeout", "30s", "The longest that one answer may take."),
    SettingKey::new(
        "key_env",
        "MY_KEY",
        "A variable with a key that it needs; nothing that it says is kept where the key shows.",
    ),
];

/// The row of the table.
pub(crate) const COMMAND: ProviderKind = ProviderKind {
    name: NAME,
    about: "A program of yours: one JSON request per line in, one answer per line out.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: None,
        describe,
        connect,
    }),
};

/// Checked settings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Own {
    /// The program, then its arguments; never empty.
    pub(super) command: Vec<String>,
    pub(super) cwd: Option<String>,
    pub(super) processes: usize,
    pub(super) timeout: Duration,
    pub(super) key_env: Option<String>,
    version: Option<Value>,
    model: Option<String>,
}

impl Own {
    fn read(settings: &Settings) -> Result<Self, Vec<SettingError>> {
        let mut reader = Reader::new(settings);
        reader.errors = unknown_keys(settings, &[SETTINGS]);
        let own = Self {
            command: read_command(&mut reader),
            cwd: reader.text("cwd").map(str::to_owned),
            processes: reader.whole("processes", 1, 64).unwrap_or(1) as usize,
            timeout: reader.duration("timeout").unwrap_or(TIMEOUT),
            key_env: reader.text("key_env").map(str::to_owned),
            version: read_version(&mut reader),
            model: reader.text("model").map(str::to_owned),
        };
        if reader.errors.is_empty() {
            Ok(own)
        } else {
            Err(reader.errors)
        }
    }

    pub(super) fn identity(&self) -> Identity {
        let mut parameters = Map::new();
        parameters.insert("command".to_owned(), self.command.clone().into());
        if let Some(version) = &self.version {
            parameters.insert("version".to_owned(), version.clone());
        }
        Identity {
            provider: NAME.to_owned(),
            model: self.model.clone(),
            parameters,
        }
    }

    /// The key from the variable that the settings name.
    fn key(&self, outside: &Outside<'_>) -> Result<Option<Secret>, ConnectError> {
        let Some(variable) = &self.key_env else {
            return Ok(None);
        };
        match (outside.variable)(variable).filter(|text| !text.trim().is_empty()) {
            Some(text) => Ok(Some(Secret::new(text))),
            None => Err(ConnectError::Key {
                variable: variable.clone(),
                provider: NAME,
                problem: "is not set",
            }),
        }
    }
}

fn read_command(reader: &mut Reader<'_>) -> Vec<String> {
    const HELP: &str = "command: [python3, answer.py]";
    let Some(value) = reader.value("command") else {
        reader.missing("a candidate of `command` needs `command`", HELP);
        return Vec::new();
    };
    let words: Option<Vec<String>> = match value {
        Value::String(word) => Some(vec![word.clone()]),
        Value::Array(words) => words
            .iter()
            .map(|word| match word {
                Value::String(word) => Some(word.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    let usable = |words: &Vec<String>| {
        words
            .first()
            .is_some_and(|program| !program.trim().is_empty())
            && words.iter().all(|word| !word.contains('\0'))
    };
    match words.filter(usable) {
        Some(words) if words.len() > 1 || !words[0].contains(char::is_whitespace) => words,
        Some(words) => {
            let split: Vec<&str> = words[0].split_whitespace().collect();
            reader.wrong(
                "command",
                "`command` wants the program and its arguments as a list; no shell takes it apart",
                format!("command: [{}]", split.join(", ")),
            );
            words
        }
        None => {
            reader.wrong(
                "command",
                "`command` wants a list: the program, then its arguments",
                HELP,
            );
            Vec::new()
        }
    }
}

fn read_version(reader: &mut Reader<'_>) -> Option<Value> {
    let value = reader.value("version")?;
    if !(value.is_number() || value.is_string()) {
        reader.wrong(
            "version",
            "`version` wants a number or a text",
            "version: 3",
        );
    }
    Some(value.clone())
}

fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let own = Own::read(settings)?;
    Ok(Description {
        identity: own.identity(),
        host: NAME.to_owned(),
        price: None,
        caps: Caps {
            open: true,
            ..Caps::default()
        },
        context: None,
        probabilities: None,
    })
}

fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    let own = Own::read(settings).map_err(ConnectError::Settings)?;
    let key = own.key(outside)?;
    Ok(Box::new(Program::new(own, key, outside.folder)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: &Value) -> Result<Own, Vec<SettingError>> {
        Own::read(json.as_object().expect("a map"))
    }

    #[test]
    fn a_command_in_one_text_is_told_apart_for_its_author() {
        let errors = read(&json!({"command": "python3 answer.py"})).expect_err("one text");
        assert_eq!(
            errors[0].help.as_deref(),
            Some("command: [python3, answer.py]")
        );
        assert!(read(&json!({"command": "./answer"})).is_ok());
        for wrong in [
            json!({}),
            json!({"command": []}),
            json!({"command": {"a": 1}}),
        ] {
            assert_eq!(read(&wrong).expect_err("no command").len(), 1, "{wrong}");
        }
    }

    #[test]
    fn the_version_is_part_of_the_identity_and_limits_are_not() {
        let digest = |json: &Value| read(json).expect("usable").identity().digest();
        let plain = digest(&json!({"command": ["p"]}));
        let limited = json!({"command": ["p"], "timeout": "1s", "processes": 2, "cwd": ".."});
        assert_eq!(plain, digest(&limited));
        assert_ne!(plain, digest(&json!({"command": ["p"], "version": 2})));
        assert_ne!(plain, digest(&json!({"command": ["p", "-x"]})));
    }
}
