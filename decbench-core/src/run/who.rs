//! Who answers for a candidate, found from its settings before anything is asked.

use std::path::Path;
use std::sync::Arc;

use super::jury::judges_of;
use super::settings::Settings;
use crate::collect::{Limits, RecordedFile};
use crate::config::Config;
use crate::decision::ContextLimit;
use crate::diagnostic::{Diagnostic, Diagnostics, Setting, Severity};
use crate::provider::function::FunctionProvider;
use crate::provider::naive_bayes::NaiveBayes;
use crate::provider::{
    AnsweredBy, Caps, Description, Identity, Price, Provider as _, Service, SettingError,
    Settings as ProviderSettings, find_provider, is_floating,
};
use crate::suite::{Candidate, Suite};

/// Who answers, ready to be asked.
pub(super) enum Who {
    /// A file of answers made elsewhere.
    Recorded(RecordedFile),
    /// A function of the user's crate; its name, and whether its answers are recorded.
    Function {
        settings: ProviderSettings,
        recorded: bool,
    },
    /// The embedded baseline.
    NaiveBayes(ProviderSettings),
    /// A service on the network.
    Service {
        service: Service,
        settings: ProviderSettings,
        description: Box<Description>,
    },
}

impl Who {
    /// Whether asking leaves this machine or costs money, so that answers are recorded and replayed.
    pub(super) fn is_remote(&self) -> bool {
        matches!(
            self,
            Self::Service { .. } | Self::Function { recorded: true, .. }
        )
    }
}

/// A candidate's answerer with the collector's own settings.
pub(super) struct Resolved {
    pub(super) who: Who,
    pub(super) limits: Limits,
    pub(super) price: Option<Price>,
    /// Where the price was found.
    pub(super) price_from: String,
    /// How much of a request is read, where a service answers and it is known.
    pub(super) context: Option<ContextLimit>,
}

/// Checks every candidate's settings and shows what cannot be used where it stands.
///
/// Gives what somebody should look at: models whose names may mean other ones tomorrow, which are mistakes in a strict
/// profile.
///
/// # Errors
/// All mistakes of all candidates.
pub fn check_candidates(
    suite: &Suite,
    config: &Config,
    package: &str,
    strict: bool,
) -> Result<Diagnostics, Diagnostics> {
    let found = candidate_mistakes(suite, config, strict, &|suite, candidate| {
        resolve(suite, candidate, config, package).map(Some)
    });
    if found.has_errors() {
        Err(found)
    } else {
        Ok(found)
    }
}

/// Finds who answers for a candidate of a suite; none where that cannot be known.
type Find<'a> = dyn Fn(&Suite, &Candidate) -> Result<Option<Resolved>, Vec<SettingError>> + 'a;

/// What is wrong with the candidates and judges, or should be looked at.
pub(super) fn candidate_mistakes(
    suite: &Suite,
    config: &Config,
    strict: bool,
    find: &Find<'_>,
) -> Diagnostics {
    let mut found = Diagnostics::new();
    if let Some(judges) = judges_of(suite) {
        found.extend(candidate_mistakes(&judges, config, strict, find));
    }
    for candidate in &suite.candidates {
        match find(suite, candidate) {
            Err(mistakes) => {
                for mistake in mistakes {
                    found.push(located(suite, candidate, config, mistake));
                }
            }
            Ok(None) => {}
            Ok(Some(resolved)) => {
                if let Some(mistake) = refused_model(&resolved.who, config) {
                    found.push(located(suite, candidate, config, mistake));
                }
                if let Some(warning) = warned(&resolved.who) {
                    let mut diagnostic = located(suite, candidate, config, warning);
                    diagnostic.code = "floating-model";
                    if !strict {
                        diagnostic.severity = Severity::Warning;
                    }
                    found.push(diagnostic);
                }
            }
        }
        let open = suite.open.as_ref();
        let judging = open.and_then(|open| Some((open.judging.as_ref()?, open.is_long())));
        let family = |one: &Candidate| family(one, config);
        let nobody =
            judging.and_then(|(judging, long)| judging.without_judge(candidate, long, family));
        if let Some((message, help)) = nobody {
            let mistake = SettingError {
                key: None,
                message,
                help: Some(help.to_owned()),
            };
            found.push(located(suite, candidate, config, mistake));
        }
        if candidate.recording.is_assertion() && !is_recorded(candidate) {
            let mistake = SettingError {
                key: None,
                message: "it has `recording`, and nothing of it is recorded".to_owned(),
                help: Some(
                    "leave `recording` out: services and recorded functions have one".to_owned(),
                ),
            };
            found.push(located(suite, candidate, config, mistake));
        }
    }
    found
}

/// Checks the settings of a candidate that a function answers for, as far as that goes without the function.
///
/// # Errors
/// Every setting that is unknown or cannot be used.
pub(super) fn check_function_settings(
    candidate: &Candidate,
    config: &Config,
) -> Result<(), Vec<SettingError>> {
    let kind = find_provider(&candidate.provider).map_err(|mistake| vec![mistake])?;
    let mut settings = merged(&candidate.settings, config.provider(&candidate.provider));
    let unknown = kind.check_keys(&settings);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    Limits::take_from(&mut settings)?;
    take_recorded(&mut settings).map(|_| ())
}

/// Takes out whether a function's answers are recorded.
fn take_recorded(settings: &mut ProviderSettings) -> Result<bool, Vec<SettingError>> {
    match settings.shift_remove("recorded") {
        None => Ok(false),
        Some(serde_json::Value::Bool(recorded)) => Ok(recorded),
        Some(_) => Err(vec![SettingError {
            key: Some("recorded".to_owned()),
            message: "`recorded` is true or false".to_owned(),
            help: None,
        }]),
    }
}

fn recorded_file(
    suite: &Suite,
    settings: &ProviderSettings,
) -> Result<RecordedFile, Vec<SettingError>> {
    RecordedFile::from_settings(settings, suite.path.parent().unwrap_or(Path::new("")))
}

/// The family of a candidate or judge, whose model may be the one that `decbench.toml` names for its provider.
pub(super) fn family(candidate: &Candidate, config: &Config) -> String {
    candidate.family(config.provider(&candidate.provider))
}

/// The model that a candidate names, or `decbench.toml` for its provider.
fn model_of<'a>(candidate: &'a Candidate, config: &'a Config) -> Option<&'a str> {
    candidate.model().or_else(|| {
        let mut defaults = config.provider(&candidate.provider).iter();
        let model = defaults.find(|setting| setting.key == "model")?;
        model.value.as_str()
    })
}

/// The file of a candidate whose answers were made elsewhere; `None` for any other candidate.
///
/// # Errors
/// As [`resolve`].
pub(super) fn made_elsewhere(
    suite: &Suite,
    candidate: &Candidate,
    config: &Config,
) -> Result<Option<RecordedFile>, Vec<SettingError>> {
    let kind = find_provider(&candidate.provider).map_err(|mistake| vec![mistake])?;
    if !matches!(kind.answered_by, AnsweredBy::Recorded) {
        return Ok(None);
    }
    let settings = merged(&candidate.settings, config.provider(&candidate.provider));
    recorded_file(suite, &settings).map(Some)
}

fn is_recorded(candidate: &Candidate) -> bool {
    match find_provider(&candidate.provider).map(|kind| kind.answered_by) {
        // An unknown provider is told elsewhere.
        Ok(AnsweredBy::Service(_)) | Err(_) => true,
        Ok(AnsweredBy::Function) => candidate
            .settings
            .iter()
            .any(|setting| setting.key == "recorded" && setting.value == true),
        // A file has no model that was asked for, and its answers may have no dates.
        Ok(AnsweredBy::Recorded) => {
            let own = candidate.recording;
            own.max_age.is_none() && own.model.is_none()
        }
        Ok(_) => false,
    }
}

/// A service that is asked for a model which `decbench.toml` does not let candidates ask for.
fn refused_model(who: &Who, config: &Config) -> Option<SettingError> {
    let Who::Service { description, .. } = who else {
        return None;
    };
    let model = description.identity.model.as_deref()?;
    let reason = config.models.refusal(model)?;
    Some(SettingError {
        key: Some("model".to_owned()),
        message: format!("`{model}` may not be asked: {reason}"),
        help: Some("name another model, or change the lists".to_owned()),
    })
}

/// A service that is asked for a model whose name may mean another one tomorrow.
fn warned(who: &Who) -> Option<SettingError> {
    let Who::Service { description, .. } = who else {
        return None;
    };
    Some(SettingError {
        key: Some("model".to_owned()),
        message: floating(&description.identity)?,
        help: Some("write the full version; answers name the one that served".to_owned()),
    })
}

/// What is to be said of a model whose name may mean another one tomorrow.
pub(super) fn floating(identity: &Identity) -> Option<String> {
    let model = identity
        .model
        .as_deref()
        .filter(|model| is_floating(model))?;
    Some(format!(
        "`{model}` is the name of whatever model is current, and may mean another one tomorrow"
    ))
}

/// Points at the setting at fault: in the suite, in `decbench.toml` where it came from there, else at the candidate.
pub(super) fn located(
    suite: &Suite,
    candidate: &Candidate,
    config: &Config,
    mistake: SettingError,
) -> Diagnostic {
    let in_suite = |key: &str| {
        candidate
            .settings
            .iter()
            .find(|setting| setting.key == key)
            .map(|setting| (Arc::clone(&suite.source), setting))
    };
    let in_config = |key: &str| {
        let source = config.source.as_ref()?;
        Some((
            Arc::clone(source),
            config
                .provider(&candidate.provider)
                .iter()
                .find(|setting| setting.key == key)?,
        ))
    };
    let place = mistake
        .key
        .as_deref()
        .and_then(|key| in_suite(key).or_else(|| in_config(key)));
    let (source, span) = place.map_or_else(
        || (Arc::clone(&suite.source), candidate.span),
        |(source, setting)| (source, setting.shown_at()),
    );
    let message = format!("candidate `{}`: {}", candidate.name, mistake.message);
    let mut diagnostic = Diagnostic::error("candidate-setting", source, span, message);
    diagnostic.maybe_help(mistake.help);
    diagnostic
}

/// Finds who answers for a candidate: its own settings, and behind them the defaults of `decbench.toml`.
///
/// # Errors
/// Every setting that is missing, unknown or cannot be used.
pub(super) fn resolve(
    suite: &Suite,
    candidate: &Candidate,
    config: &Config,
    package: &str,
) -> Result<Resolved, Vec<SettingError>> {
    let kind = find_provider(&candidate.provider).map_err(|mistake| vec![mistake])?;
    let mut settings = merged(&candidate.settings, config.provider(&candidate.provider));
    let unknown = kind.check_keys(&settings);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let (limits, price) = match kind.answered_by {
        AnsweredBy::Service(_) | AnsweredBy::Function => Limits::take_from(&mut settings)?,
        AnsweredBy::NaiveBayes | AnsweredBy::Recorded => (Limits::default(), None),
    };
    let who = match kind.answered_by {
        AnsweredBy::Recorded => Who::Recorded(recorded_file(suite, &settings)?),
        AnsweredBy::NaiveBayes if suite.open.is_some() => {
            return Err(vec![SettingError {
                key: Some("provider".to_owned()),
                message: "`naive-bayes` decides among options, and the suite's answers are open"
                    .to_owned(),
                help: Some(
                    "compare with a function, a recorded file or today's candidate".to_owned(),
                ),
            }]);
        }
        AnsweredBy::NaiveBayes => {
            NaiveBayes::identity(&settings, &[])?;
            Who::NaiveBayes(settings)
        }
        AnsweredBy::Function => {
            let recorded = take_recorded(&mut settings)?;
            let provider = FunctionProvider::from_settings(&settings, package)
                .map_err(|mistake| vec![mistake])?;
            Who::Function {
                recorded: recorded || provider.remote(),
                settings,
            }
        }
        AnsweredBy::Service(service) => {
            let description = service.description(&settings)?;
            within_caps(suite, candidate, description.caps)?;
            Who::Service {
                service,
                settings,
                description: Box::new(description),
            }
        }
    };
    let described = match &who {
        Who::Service { description, .. } => description.price,
        _ => None,
    };
    let model = model_of(candidate, config);
    let declared = model.and_then(|model| config.price(model));
    let (price, price_from) = match (price, declared, described) {
        (Some(price), _, _) => (Some(price), "its own `price`".to_owned()),
        (None, Some(declared), _) => {
            let price = Price {
                input_per_million: declared.input_per_million,
                output_per_million: declared.output_per_million,
            };
            let at = match &declared.at {
                Some(at) => format!("the price of {at} in decbench.toml"),
                None => "the price in decbench.toml".to_owned(),
            };
            (Some(price), at)
        }
        (None, None, Some(price)) => (Some(price), "the published price".to_owned()),
        (None, None, None) => (None, String::new()),
    };
    let context = match &who {
        Who::Service { description, .. } => config
            .context(model.unwrap_or(&candidate.name))
            .or(description.context.as_ref())
            .cloned(),
        _ => None,
    };
    Ok(Resolved {
        who,
        limits,
        price,
        price_from,
        context,
    })
}

/// How much of a request each candidate reads, by its position.
pub(super) fn contexts_of(suite: &Suite, run: &Settings) -> Vec<Option<ContextLimit>> {
    let resolved = suite
        .candidates
        .iter()
        .map(|candidate| resolve(suite, candidate, &run.config, &run.package));
    resolved
        // Settings that cannot be used are told elsewhere.
        .map(|resolved| resolved.ok().and_then(|resolved| resolved.context))
        .collect()
}

/// Refuses what a service would refuse: of the suite's questions all, of those that cases bring the first.
fn within_caps(suite: &Suite, candidate: &Candidate, caps: Caps) -> Result<(), Vec<SettingError>> {
    let mut mistakes = caps.mistakes(&candidate.provider, candidate.questions(suite));
    let of_cases = suite.cases.iter().find_map(|case| {
        let own = case.questions.as_deref()?;
        let mistake = caps.mistakes(&candidate.provider, own).into_iter().next()?;
        Some(SettingError {
            message: format!("{} (case {})", mistake.message, case.id),
            ..mistake
        })
    });
    mistakes.extend(of_cases);
    if mistakes.is_empty() {
        Ok(())
    } else {
        Err(mistakes)
    }
}

/// The candidate's settings, and the defaults it does not set itself.
fn merged(own: &[Setting], defaults: &[Setting]) -> ProviderSettings {
    let pairs = |settings: &[Setting]| {
        settings
            .iter()
            .map(|setting| (setting.key.clone(), setting.value.clone()))
            .collect::<Vec<_>>()
    };
    let mut merged = ProviderSettings::new();
    merged.extend(pairs(defaults));
    merged.extend(pairs(own));
    merged
}
