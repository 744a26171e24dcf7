//! The table of providers: one row each.

use std::path::Path;

use super::average::SERVICE_SETTINGS;
use super::caps::Caps;
use super::contract::{Identity, Provider, SettingError, Settings};
use super::price::Price;
use super::setting::{COLLECTOR_SETTINGS, SettingKey, nearest};
use super::target::{CALL_SETTINGS, Usual};
use super::{
    Clock, chat, command, gemini_decisions, naive_bayes, openai_decisions, sglang_decisions,
    system_one, template,
};
use crate::decision::ContextLimit;

/// A provider that suites can name.
#[derive(Debug, Clone, Copy)]
pub struct ProviderKind {
    /// Its name in suites.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// The settings it knows, beside those of every call and of the collector for remote ones.
    pub settings: &'static [SettingKey],
    /// Who answers.
    pub answered_by: AnsweredBy,
}

/// Who answers for a kind of provider.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum AnsweredBy {
    /// A service on the network.
    Service(Service),
    /// [`naive_bayes::NaiveBayes`], trained on the suite's own cases.
    NaiveBayes,
    /// A function of the user's crate.
    Function,
    /// A file of answers made elsewhere.
    Recorded,
}

/// How a service is described and reached.
#[derive(Debug, Clone, Copy)]
pub struct Service {
    /// Where it is called and how, for services on the network; they know [`CALL_SETTINGS`].
    pub usual: Option<&'static Usual>,
    /// Reads settings without a key or a network.
    pub describe: fn(&Settings) -> Result<Description, Vec<SettingError>>,
    /// Takes the key and gets ready to call.
    pub connect: fn(&Settings, &Outside<'_>) -> Connected,
}

/// A provider that is ready to call, or what stands in its way.
pub type Connected = Result<Box<dyn Provider>, ConnectError>;

/// What is known of a service before anything is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// What its answers are keyed by.
    pub identity: Identity,
    /// The host that is called, by which processes take turns.
    pub host: String,
    /// The published price, where there is one; a suite's own comes before it.
    pub price: Option<Price>,
    /// What it can be asked at most.
    pub caps: Caps,
    /// How much of a request it reads, where that is published; `decbench.toml` comes before it.
    pub context: Option<ContextLimit>,
    /// Whether answers carry probabilities; `None` where only an answer will tell.
    pub probabilities: Option<bool>,
}

/// What a service may take from outside.
#[derive(Clone)]
pub struct Outside<'a> {
    /// Looks up a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The time of day.
    pub clock: Clock,
    /// The suite's folder, where programs run.
    pub folder: &'a Path,
}

/// Why a provider cannot be reached; known before the first call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// Settings that the provider cannot use.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Settings(Vec<SettingError>),
    /// The variable that should hold the key is not set, or holds what cannot be sent.
    #[error("the variable {variable} {problem}; it holds the key of `{provider}`")]
    Key {
        /// The variable.
        variable: String,
        /// The provider that needs it.
        provider: &'static str,
        /// What is wrong with it; never the key.
        problem: &'static str,
    },
    /// The crate was built without what it takes.
    #[error("`{provider}` needs the feature `http` of decbench")]
    WithoutHttp {
        /// The provider that needs it.
        provider: &'static str,
    },
    /// Anything else that stands in the way.
    #[error("{0}")]
    Other(String),
}

/// The settings of `provider: recorded`, whose reader is the collector's.
pub const RECORDED_SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "file",
        "answers.jsonl",
        "The file, relative to the suite; .jsonl, .json or .csv.",
    ),
    SettingKey::new(
        "fields",
        "{case: id, probabilities: probs}",
        "Where parts of an answer stand, where the file calls them otherwise.",
    ),
];

/// The settings of `provider: rust`.
pub const FUNCTION_SETTINGS: &[SettingKey] = &[
    SettingKey::new("function", "keyword_router", "The name of the function."),
    SettingKey::new(
        "recorded",
        "true",
        "Treats it as remote: its answers are recorded and replayed.",
    ),
];

/// Every provider.
pub const PROVIDERS: &[ProviderKind] = &[
    ProviderKind {
        name: system_one::NAME,
        about: "TypeSafe's Jev and every service that speaks its dialect.",
        settings: system_one::SETTINGS,
        answered_by: AnsweredBy::Service(Service {
            usual: Some(&system_one::USUAL),
            describe: system_one::describe,
            connect: system_one::connect,
        }),
    },
    ProviderKind {
        name: openai_decisions::NAME,
        about: "The Decisions of OpenAI and every server that speaks like them.",
        settings: openai_decisions::SETTINGS,
        answered_by: AnsweredBy::Service(Service {
            usual: Some(&openai_decisions::USUAL),
            describe: openai_decisions::describe,
            connect: openai_decisions::connect,
        }),
    },
    ProviderKind {
        name: gemini_decisions::NAME,
        about: "The Decisions of Google.",
        settings: gemini_decisions::SETTINGS,
        answered_by: AnsweredBy::Service(Service {
            usual: Some(&gemini_decisions::USUAL),
            describe: gemini_decisions::describe,
            connect: gemini_decisions::connect,
        }),
    },
    ProviderKind {
        name: sglang_decisions::NAME,
        about: "Any chat model behind an SGLang server, by the probabilities of its labels.",
        settings: sglang_decisions::SETTINGS,
        answered_by: AnsweredBy::Service(Service {
            usual: Some(&sglang_decisions::USUAL),
            describe: sglang_decisions::describe,
            connect: sglang_decisions::connect,
        }),
    },
    chat::CHAT,
    chat::CHAT_LOGPROBS,
    chat::VOTE_SHARE,
    chat::VERBALIZED,
    chat::ANTHROPIC_MESSAGES,
    command::COMMAND,
    template::HTTP,
    ProviderKind {
        name: naive_bayes::NAME,
        about: "The embedded baseline: words and nothing else.",
        settings: naive_bayes::SETTINGS,
        answered_by: AnsweredBy::NaiveBayes,
    },
    ProviderKind {
        name: "rust",
        about: "A function of your crate.",
        settings: FUNCTION_SETTINGS,
        answered_by: AnsweredBy::Function,
    },
    ProviderKind {
        name: "recorded",
        about: "Answers made elsewhere, in a file.",
        settings: RECORDED_SETTINGS,
        answered_by: AnsweredBy::Recorded,
    },
];

/// The provider with this name.
///
/// # Errors
///
/// Names the nearest there is.
pub fn find_provider(name: &str) -> Result<&'static ProviderKind, SettingError> {
    let names = || PROVIDERS.iter().map(|kind| kind.name);
    PROVIDERS
        .iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| SettingError {
            key: Some("provider".to_owned()),
            message: format!("unknown provider `{name}`"),
            help: Some(match nearest(name, names()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("known are {}", names().collect::<Vec<_>>().join(", ")),
            }),
        })
}

impl ProviderKind {
    /// Complains about every setting that neither the provider nor, for a service, the collector knows.
    pub fn check_keys(&self, settings: &Settings) -> Vec<SettingError> {
        let (of_calls, of_the_collector) = match self.answered_by {
            AnsweredBy::Service(service) => (
                service.usual.map_or(&[][..], |_| CALL_SETTINGS),
                COLLECTOR_SETTINGS,
            ),
            AnsweredBy::Function => (&[][..], COLLECTOR_SETTINGS),
            AnsweredBy::NaiveBayes | AnsweredBy::Recorded => (&[][..], &[][..]),
        };
        let of_services = match self.answered_by {
            AnsweredBy::Service(_) => SERVICE_SETTINGS,
            _ => &[],
        };
        super::setting::unknown_keys(
            settings,
            &[self.settings, of_calls, of_services, of_the_collector],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_slips_are_recognised() {
        for (position, kind) in PROVIDERS.iter().enumerate() {
            assert!(
                PROVIDERS[..position]
                    .iter()
                    .all(|other| other.name != kind.name)
            );
        }
        let error = find_provider("system_one").expect_err("a slip");
        assert_eq!(error.help.as_deref(), Some("did you mean `system-one`?"));
    }

    #[test]
    fn unknown_settings_name_the_nearest_known_one() {
        let kind = find_provider("system-one").expect("there is one");
        let mut settings = Settings::new();
        settings.insert("concurency".to_owned(), 4.into());
        settings.insert("base-url".to_owned(), "x".into());
        let helps: Vec<_> = kind
            .check_keys(&settings)
            .into_iter()
            .filter_map(|error| error.help)
            .collect();
        assert_eq!(
            helps,
            ["did you mean `concurrency`?", "did you mean `base_url`?"]
        );
    }
}
