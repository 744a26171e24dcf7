//! What `decbench.toml` says, checked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::decision::ContextLimit;
use crate::diagnostic::{Setting, Source, Span, nearest};

/// What `decbench.toml` says; without the file, nothing.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// Profiles by name, as written: what a profile leaves out is that of `default`.
    pub profiles: BTreeMap<String, Profile>,
    /// What candidates of a provider take where they do not say otherwise.
    pub providers: BTreeMap<String, ProviderDefaults>,
    /// Prices by model.
    pub prices: BTreeMap<String, Price>,
    /// How much of a request is read, by model.
    pub contexts: BTreeMap<String, ContextLimit>,
    /// What is replaced in material of other tools before it is written.
    pub redact: Redact,
    /// Which models candidates may be asked for.
    pub models: Models,
    /// The file, for messages that point into it.
    pub source: Option<Arc<Source>>,
}

/// How a run goes about it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// `replay`, `fill` or `live`.
    pub mode: Option<&'static str>,
    /// What a run may spend, in US dollars; finite and not negative.
    pub budget_usd: Option<f64>,
    /// The estimate that is agreed to, in US dollars; finite and not negative.
    pub confirm_usd: Option<f64>,
    /// Models, and candidates without one, that may be asked at an unknown price.
    pub allow_unpriced: Option<Vec<String>>,
    /// How long a run may ask, from its first call on.
    pub deadline: Option<Duration>,
    /// Whether an undecided assertion fails.
    pub strict: Option<bool>,
    /// The git revision or folder whose answers count as the baseline.
    pub baseline: Option<String>,
}

/// The settings under `[provider.<name>]`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProviderDefaults {
    /// The settings in the order written, with their positions.
    pub settings: Vec<Setting>,
    /// Where the provider is named.
    pub span: Span,
}

/// What a model's tokens cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Price {
    /// US dollars for a million tokens sent; finite and not negative.
    pub input_per_million: f64,
    /// US dollars for a million tokens received; finite and not negative.
    pub output_per_million: f64,
    /// When it was looked up, as written.
    pub at: Option<String>,
    /// Where the model is named.
    pub span: Span,
}

/// What is replaced in material of other tools before it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redact {
    /// The kinds that are looked for; `None` stands for all.
    pub kinds: Option<Vec<Personal>>,
    /// Names that are replaced too, in any case of letters; none is empty.
    pub names: Vec<String>,
    /// Texts that stay though they look personal.
    pub keep: Vec<String>,
}

/// A kind of personal data that is known by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Personal {
    /// An address of electronic mail.
    Mail,
    /// An account number with its check digits (ISO 13616, remainder modulo 97).
    Iban,
    /// A number of a payment card with its check digit (Luhn).
    Card,
    /// An address of the Internet Protocol, version 4 or 6.
    Ip,
    /// A number of a telephone.
    Phone,
}

impl Personal {
    /// Every kind, in the order in which they are looked for.
    pub const ALL: [Self; 5] = [Self::Mail, Self::Iban, Self::Card, Self::Ip, Self::Phone];

    /// The name in `decbench.toml` and in what is put in its place.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Iban => "iban",
            Self::Card => "card",
            Self::Ip => "ip",
            Self::Phone => "phone",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Which models candidates may be asked for; `*` in a name stands for anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Models {
    /// Where there is a list, these alone.
    pub allow: Option<Vec<String>>,
    /// Never these.
    pub deny: Vec<String>,
}

impl Models {
    /// Why a model may not be asked, if so.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use decbench_core::{config::Config, diagnostic::Source};
    ///
    /// let text = "[models]\nallow = ['jev-*']\ndeny = ['*-preview']\n";
    /// let config = Config::parse(&Arc::new(Source::new("decbench.toml", text))).unwrap();
    /// assert_eq!(config.models.refusal("jev-1.13.0"), None);
    /// assert!(config.models.refusal("jev-preview").unwrap().contains("denies"));
    /// assert!(config.models.refusal("other-1").unwrap().contains("allows"));
    /// ```
    pub fn refusal(&self, model: &str) -> Option<String> {
        if let Some(pattern) = self.deny.iter().find(|pattern| fits(pattern, model)) {
            return Some(format!("`[models]` in decbench.toml denies `{pattern}`"));
        }
        let allow = self.allow.as_ref()?;
        let listed = allow.iter().any(|pattern| fits(pattern, model));
        (!listed).then(|| {
            format!(
                "`[models]` in decbench.toml allows only {}",
                allow.join(", ")
            )
        })
    }
}

/// Whether a name is as the pattern says, `*` standing for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(behind) = name.strip_prefix(start) else {
        return false;
    };
    let ends = behind.char_indices().map(|(at, _)| at);
    ends.chain([behind.len()])
        .any(|at| fits(rest, &behind[at..]))
}

/// A profile was asked for that `decbench.toml` does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile `{name}`; {help}")]
pub struct UnknownProfile {
    name: String,
    help: String,
}

impl Config {
    /// The profile of this name over `default`; without a name, `default` alone, which need not be declared.
    ///
    /// # Errors
    /// When no such profile is declared.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use decbench_core::{config::Config, diagnostic::Source};
    ///
    /// let text = "[profile.default]\nbudget_usd = 1\n[profile.nightly]\nmode = 'live'\n";
    /// let config = Config::parse(&Arc::new(Source::new("decbench.toml", text))).unwrap();
    /// let nightly = config.profile(Some("nightly")).unwrap();
    /// assert_eq!((nightly.mode, nightly.budget_usd), (Some("live"), Some(1.0)));
    /// assert!(config.profile(Some("nigthly")).unwrap_err().to_string().contains("did you mean `nightly`?"));
    /// ```
    pub fn profile(&self, name: Option<&str>) -> Result<Profile, UnknownProfile> {
        let default = self.profiles.get("default").cloned().unwrap_or_default();
        let name = name.unwrap_or("default");
        match self.profiles.get(name) {
            Some(own) => Ok(Profile {
                mode: own.mode.or(default.mode),
                budget_usd: own.budget_usd.or(default.budget_usd),
                confirm_usd: own.confirm_usd.or(default.confirm_usd),
                allow_unpriced: own.allow_unpriced.clone().or(default.allow_unpriced),
                deadline: own.deadline.or(default.deadline),
                strict: own.strict.or(default.strict),
                baseline: own.baseline.clone().or(default.baseline),
            }),
            None if name == "default" => Ok(default),
            None => {
                let names = self.profiles.keys().map(String::as_str);
                let help = match (nearest(name, names.clone()), &self.source) {
                    (Some(near), _) => format!("did you mean `{near}`?"),
                    (None, Some(source)) => {
                        format!("declare it as `[profile.{name}]` in {}", source.name)
                    }
                    (None, None) => {
                        format!("there is no decbench.toml; declare it there as `[profile.{name}]`")
                    }
                };
                Err(UnknownProfile {
                    name: name.to_owned(),
                    help,
                })
            }
        }
    }

    /// The settings that candidates of a provider take where they do not say otherwise.
    pub fn provider(&self, name: &str) -> &[Setting] {
        self.providers
            .get(name)
            .map_or(&[], |defaults| defaults.settings.as_slice())
    }

    /// What a model's tokens cost, where it is declared.
    pub fn price(&self, model: &str) -> Option<&Price> {
        self.prices.get(model)
    }

    /// How much a model reads of a request, where it is declared.
    pub fn context(&self, model: &str) -> Option<&ContextLimit> {
        self.contexts.get(model)
    }
}
