//! Reading `decbench.toml`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

use super::duration::read_duration;
use super::keys::{ConfigTable, names};
use super::model::{Config, Models, Personal, Price, Profile, ProviderDefaults, Redact};
use super::value::{Item, Mistakes, items, json};
use crate::decision::ContextLimit;
use crate::diagnostic::{Diagnostics, Setting, Source, Span, nearest};

const TABLES: [&str; 6] = [
    "profile", "provider", "prices", "context", "models", "redact",
];
const MODES: [&str; 3] = ["replay", "fill", "live"];

impl Config {
    /// Reads `decbench.toml`.
    ///
    /// # Errors
    /// Every mistake in it; also when it cannot be read.
    pub fn load(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&Arc::new(Source::read(path)?))
    }

    /// Reads the text of a `decbench.toml`.
    ///
    /// # Errors
    /// Every mistake in it.
    pub fn parse(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        let mut mistakes = Mistakes {
            source,
            found: Diagnostics::new(),
        };
        let (table, errors) = DeTable::parse_recoverable(&source.text);
        for error in errors {
            let range = error.span().unwrap_or_default();
            mistakes.error(
                "toml-syntax",
                Span::new(range.start, range.end),
                format!("not valid TOML: {}", error.message()),
            );
        }
        let mut config = Self {
            source: Some(Arc::clone(source)),
            ..Self::default()
        };
        for item in items(table.get_ref()) {
            match item.key {
                "profile" => named(&mut mistakes, &item, |mistakes, entry, fields| {
                    let profile = profile(mistakes, fields);
                    config.profiles.insert(entry.key.to_owned(), profile);
                }),
                "provider" => named(&mut mistakes, &item, |mistakes, entry, fields| {
                    let defaults = ProviderDefaults {
                        settings: settings(mistakes, fields),
                        span: entry.key_span,
                    };
                    config.providers.insert(entry.key.to_owned(), defaults);
                }),
                "prices" => named(&mut mistakes, &item, |mistakes, entry, fields| {
                    if let Some(price) = price(mistakes, entry, fields) {
                        config.prices.insert(entry.key.to_owned(), price);
                    }
                }),
                "context" => named(&mut mistakes, &item, |mistakes, entry, fields| {
                    if let Some(limit) = context(mistakes, entry, fields) {
                        config.contexts.insert(entry.key.to_owned(), limit);
                    }
                }),
                "redact" => redact(&mut mistakes, &item, &mut config.redact),
                "models" => config.models = models(&mut mistakes, &item),
                other => {
                    let help = match nearest(other, TABLES) {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => "its tables are `[profile.<name>]`, `[provider.<name>]`, `[prices.<model>]`, `[context.<model>]`, `[models]` and `[redact]`".into(),
                    };
                    mistakes
                        .error(
                            "unknown-key",
                            item.key_span,
                            format!("unknown key `{other}` in decbench.toml"),
                        )
                        .help(help);
                }
            }
        }
        mistakes.found.sort();
        if mistakes.found.has_errors() {
            return Err(mistakes.found);
        }
        Ok(config)
    }
}

/// Walks a table of tables by name.
fn named<'a>(
    mistakes: &mut Mistakes<'_>,
    item: &Item<'a>,
    mut each: impl FnMut(&mut Mistakes<'_>, &Item<'a>, &[Item<'a>]),
) {
    let Some(entries) = item.table() else {
        let message = format!(
            "`{}` wants tables by name, and this is {}",
            item.key,
            item.kind()
        );
        mistakes.error("wrong-type", item.span, message);
        return;
    };
    for entry in entries {
        if let Some(fields) = entry.table() {
            each(mistakes, &entry, &fields);
        } else {
            let example = match item.key {
                "profile" => "[profile.ci]",
                "provider" => "[provider.system-one]",
                "context" => "[context.\"jev-1.13.0\"]",
                _ => "[prices.\"jev-1.13.0\"]",
            };
            mistakes
                .error(
                    "wrong-type",
                    entry.key_span,
                    format!(
                        "`{}` wants tables by name, and `{}` is {}",
                        item.key,
                        entry.key,
                        entry.kind()
                    ),
                )
                .help(format!("put it under a name, as in `{example}`"));
        }
    }
}

fn unknown(mistakes: &mut Mistakes<'_>, item: &Item<'_>, table: ConfigTable) {
    let known: Vec<String> = names(table).map(|name| format!("`{name}`")).collect();
    let help = match nearest(item.key, names(table)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("its keys are {}", known.join(", ")),
    };
    mistakes
        .error(
            "unknown-key",
            item.key_span,
            format!("unknown key `{}` in {}", item.key, table.heading()),
        )
        .help(help);
}

fn profile(mistakes: &mut Mistakes<'_>, fields: &[Item<'_>]) -> Profile {
    let mut profile = Profile::default();
    for item in fields {
        match item.key {
            "mode" => profile.mode = mode(mistakes, item),
            "budget_usd" => profile.budget_usd = amount(mistakes, item),
            "confirm_usd" => profile.confirm_usd = amount(mistakes, item),
            "allow_unpriced" => {
                profile.allow_unpriced = names_in(mistakes, item, "jev-1.13.0");
            }
            "deadline" => profile.deadline = duration(mistakes, item),
            "strict" => {
                if let DeValue::Boolean(flag) = item.value {
                    profile.strict = Some(*flag);
                } else {
                    let message =
                        format!("`strict` wants true or false, and this is {}", item.kind());
                    mistakes.error("wrong-type", item.span, message);
                }
            }
            "baseline" => match item.value {
                DeValue::String(text) if !text.trim().is_empty() => {
                    profile.baseline = Some(text.trim().to_owned());
                }
                _ => {
                    mistakes
                        .error(
                            "wrong-type",
                            item.span,
                            "`baseline` wants a git revision or a folder",
                        )
                        .help("write it as `baseline = \"origin/main\"`");
                }
            },
            _ => unknown(mistakes, item, ConfigTable::Profile),
        }
    }
    profile
}

fn models(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Models {
    let mut models = Models::default();
    let Some(fields) = item.table() else {
        let message = format!("`models` wants a table, and this is {}", item.kind());
        mistakes
            .error("wrong-type", item.span, message)
            .help("write it as `[models]` with `allow` and `deny`");
        return models;
    };
    for field in &fields {
        match field.key {
            "allow" => models.allow = names_in(mistakes, field, "jev-*"),
            "deny" => models.deny = names_in(mistakes, field, "*-preview").unwrap_or_default(),
            _ => unknown(mistakes, field, ConfigTable::Models),
        }
    }
    models
}

/// A list of texts.
fn names_in(mistakes: &mut Mistakes<'_>, item: &Item<'_>, example: &str) -> Option<Vec<String>> {
    let names = match json(item.value) {
        Ok(serde_json::Value::Array(items)) => items
            .iter()
            .map(|name| name.as_str().map(str::to_owned))
            .collect(),
        _ => None,
    };
    if names.is_none() {
        let message = format!("`{}` wants a list of names, and this is none", item.key);
        mistakes
            .error("wrong-type", item.span, message)
            .help(format!("write `{} = [\"{example}\"]`", item.key));
    }
    names
}

fn redact(mistakes: &mut Mistakes<'_>, table: &Item<'_>, redact: &mut Redact) {
    let Some(fields) = table.table() else {
        let message = format!("`redact` wants a table, and this is {}", table.kind());
        mistakes.error("wrong-type", table.span, message);
        return;
    };
    for item in &fields {
        match item.key {
            "kinds" => {
                let names = names_in(mistakes, item, "mail");
                redact.kinds = names.map(|names| personal(mistakes, item, &names));
            }
            "names" => redact.names = texts(mistakes, item, "Ada Lovelace"),
            "keep" => redact.keep = texts(mistakes, item, "help@example.com"),
            _ => unknown(mistakes, item, ConfigTable::Redact),
        }
    }
}

/// The kinds of these names.
fn personal(mistakes: &mut Mistakes<'_>, item: &Item<'_>, names: &[String]) -> Vec<Personal> {
    let mut kinds = Vec::new();
    for name in names {
        if let Some(kind) = Personal::from_name(name) {
            kinds.push(kind);
            continue;
        }
        let known = Personal::ALL.map(Personal::name);
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        let message = format!("`{name}` is no kind of personal data");
        mistakes
            .error("unknown-value", item.span, message)
            .help(help);
    }
    kinds
}

/// A list of texts none of which is empty.
fn texts(mistakes: &mut Mistakes<'_>, item: &Item<'_>, example: &str) -> Vec<String> {
    let texts = names_in(mistakes, item, example).unwrap_or_default();
    if texts.iter().any(|text| text.trim().is_empty()) {
        let message = format!("`{}` has an empty text, which stands everywhere", item.key);
        mistakes.error("out-of-range", item.span, message);
    }
    texts
}

fn duration(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Option<Duration> {
    let duration = match item.value {
        DeValue::String(text) => read_duration(text),
        _ => None,
    };
    if duration.is_none() {
        let message = format!("`{}` wants a time with its unit", item.key);
        mistakes
            .error("out-of-range", item.span, message)
            .help(format!("write `{} = \"20min\"` (or 90s, 2h)", item.key));
    }
    duration
}

fn mode(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Option<&'static str> {
    let text = match item.value {
        DeValue::String(text) => text.as_ref(),
        _ => "",
    };
    let known = MODES.into_iter().find(|mode| *mode == text);
    if known.is_none() {
        let help = match nearest(text, MODES) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "modes are `replay`, `fill` and `live`".to_owned(),
        };
        mistakes
            .error("unknown-value", item.span, "there is no such mode")
            .help(help);
    }
    known
}

/// A finite amount of at least 0.
fn amount(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Option<f64> {
    let amount = item
        .number()
        .filter(|amount| amount.is_finite() && *amount >= 0.0);
    if amount.is_none() {
        mistakes.error(
            "out-of-range",
            item.span,
            format!("`{}` wants a finite number of at least 0", item.key),
        );
    }
    amount
}

fn settings(mistakes: &mut Mistakes<'_>, fields: &[Item<'_>]) -> Vec<Setting> {
    fields
        .iter()
        .filter_map(|item| match json(item.value) {
            Ok(value) => Some(Setting {
                key: item.key.to_owned(),
                key_span: item.key_span,
                value,
                value_span: item.span,
            }),
            Err(problem) => {
                mistakes.error(
                    "bad-setting",
                    item.span,
                    format!("`{}` cannot have this value: {problem}", item.key),
                );
                None
            }
        })
        .collect()
}

fn price(mistakes: &mut Mistakes<'_>, entry: &Item<'_>, fields: &[Item<'_>]) -> Option<Price> {
    let (mut input, mut output, mut at) = (None, None, None);
    for item in fields {
        match item.key {
            "input_per_million" => input = Some(amount(mistakes, item)),
            "output_per_million" => output = Some(amount(mistakes, item)),
            "at" => at = date(mistakes, item),
            _ => unknown(mistakes, item, ConfigTable::Prices),
        }
    }
    for (name, value) in [
        ("input_per_million", &input),
        ("output_per_million", &output),
    ] {
        if value.is_none() {
            mistakes
                .error(
                    "missing-key",
                    entry.key_span,
                    format!("the price of `{}` has no `{name}`", entry.key),
                )
                .help(format!("write `{name} = 0.0` where it costs nothing"));
        }
    }
    Some(Price {
        input_per_million: input??,
        output_per_million: output??,
        at,
        span: entry.key_span,
    })
}

/// A date, as written.
fn date(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Option<String> {
    if let Ok(serde_json::Value::String(text)) = json(item.value) {
        return Some(text);
    }
    let message = format!("`at` wants a date, and this is {}", item.kind());
    mistakes.error("wrong-type", item.span, message);
    None
}

fn context(
    mistakes: &mut Mistakes<'_>,
    entry: &Item<'_>,
    fields: &[Item<'_>],
) -> Option<ContextLimit> {
    let (mut request, mut state_and_question, mut at) = (None, None, None);
    for item in fields {
        match item.key {
            "tokens" => request = Some(tokens(mistakes, item)),
            "state_and_question" => state_and_question = tokens(mistakes, item),
            "at" => at = date(mistakes, item),
            _ => unknown(mistakes, item, ConfigTable::Context),
        }
    }
    if request.is_none() {
        mistakes
            .error(
                "missing-key",
                entry.key_span,
                format!("the context of `{}` has no `tokens`", entry.key),
            )
            .help("write how many tokens of a request the model reads, as in `tokens = 32768`");
    }
    Some(ContextLimit {
        request: request??,
        state_and_question,
        at,
    })
}

/// A whole number of at least 1.
fn tokens(mistakes: &mut Mistakes<'_>, item: &Item<'_>) -> Option<u64> {
    let tokens = json(item.value)
        .ok()
        .and_then(|value| value.as_u64())
        .filter(|tokens| *tokens > 0);
    if tokens.is_none() {
        let message = format!("`{}` wants a whole number of at least 1", item.key);
        mistakes.error("out-of-range", item.span, message);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, Diagnostics> {
        Config::parse(&Arc::new(Source::new("decbench.toml", text)))
    }

    #[test]
    fn everything_a_config_may_say_is_read() {
        let config = parse(
            "[profile.default]\nbudget_usd = 2\ndeadline = '20min'\nallow_unpriced = ['lab-1']\n\
             [profile.ci]\nstrict = true\nconfirm_usd = 0.84\n\
             [provider.system-one]\nconcurrency = 16\nrate = { requests = '1200/min' }\n\
             [prices]\n'jev-1.13.0' = { input_per_million = 0.042, output_per_million = 0, at = 2026-11-01 }\n\
             [context]\nlab-1 = { tokens = 8192, at = 2026-11-02 }\n",
        )
        .unwrap();
        let ci = config.profile(Some("ci")).unwrap();
        assert_eq!(ci.strict, Some(true));
        assert_eq!(ci.budget_usd, Some(2.0));
        assert_eq!(ci.confirm_usd, Some(0.84));
        assert_eq!(ci.deadline, Some(Duration::from_secs(1200)));
        assert_eq!(ci.allow_unpriced, Some(vec!["lab-1".to_owned()]));
        assert_eq!(config.profile(None).unwrap().strict, None);
        let settings = config.provider("system-one");
        assert_eq!(settings[0].value, 16);
        assert_eq!(settings[1].value["requests"], "1200/min");
        let price = config.price("jev-1.13.0").unwrap();
        assert_eq!(price.input_per_million, 0.042);
        assert_eq!(price.at.as_deref(), Some("2026-11-01"));
        let context = config.context("lab-1").unwrap();
        assert_eq!(
            context.to_string(),
            "8192 tokens of a request (looked up 2026-11-02)"
        );
        assert!(config.price("other").is_none());
        assert!(Config::default().profile(None).is_ok());
        assert!(Config::default().profile(Some("ci")).is_err());
    }

    #[test]
    fn all_mistakes_come_in_one_go() {
        let mistakes = parse(
            "[profiles.ci]\nmode = 'live'\n\
             [profile.ci]\nmode = 'repaly'\nbudget = 1\nstrict = 'yes'\n\
             [profile.x]\nbudget_usd = -1\ndeadline = 20\nallow_unpriced = 'all'\n\
             [prices.m]\ninput_per_million = inf\n\
             [provider]\nconcurrency = 4\n\
             [context.m]\nstate_and_question = 0\n",
        )
        .unwrap_err();
        let text = mistakes.render();
        let found: Vec<(usize, &str)> = mistakes
            .iter()
            .map(|mistake| (mistake.position().line, mistake.code))
            .collect();
        assert_eq!(
            found,
            [
                (1, "unknown-key"),
                (4, "unknown-value"),
                (5, "unknown-key"),
                (6, "wrong-type"),
                (8, "out-of-range"),
                (9, "out-of-range"),
                (10, "wrong-type"),
                (11, "missing-key"),
                (12, "out-of-range"),
                (14, "wrong-type"),
                (15, "missing-key"),
                (16, "out-of-range"),
            ],
            "{text}"
        );
        assert!(text.contains("did you mean `profile`?"), "{text}");
        assert!(text.contains("did you mean `replay`?"), "{text}");
    }

    #[test]
    fn what_is_redacted_is_read_and_checked() {
        let config =
            parse("[redact]\nkinds = ['mail', 'iban']\nnames = ['Ada']\nkeep = ['x@y.org']\n")
                .unwrap();
        assert_eq!(
            config.redact.kinds,
            Some(vec![Personal::Mail, Personal::Iban])
        );
        assert_eq!(config.redact.names, ["Ada"]);
        assert_eq!(config.redact.keep, ["x@y.org"]);
        assert_eq!(Config::default().redact.kinds, None);
        let mistakes =
            parse("[redact]\nkinds = ['mails']\nnames = ['Ada', ' ']\nkeeps = []\n").unwrap_err();
        let text = mistakes.render();
        assert_eq!(mistakes.iter().count(), 3, "{text}");
        assert!(text.contains("did you mean `mail`?"), "{text}");
        assert!(text.contains("did you mean `keep`?"), "{text}");
        assert!(parse("redact = 3\n").is_err());
    }

    #[test]
    fn broken_toml_is_shown_at_its_line() {
        let mistakes = parse("[profile.ci]\r\nmode = \r\n").unwrap_err();
        assert_eq!(mistakes.iter().next().unwrap().position().line, 2);
    }

    #[test]
    fn absurd_depth_is_refused_and_not_eaten() {
        let text = format!("[provider.x]\na = {}", "[".repeat(100_000));
        assert!(parse(&text).is_err());
    }
}
