//! Every key of `decbench.toml` whose name is ours.

/// A table of `decbench.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigTable {
    /// `[profile.<name>]`.
    Profile,
    /// `[prices.<model>]`.
    Prices,
    /// `[context.<model>]`.
    Context,
    /// `[redact]`.
    Redact,
    /// `[models]`.
    Models,
}

impl ConfigTable {
    /// The table as it is written.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Profile => "[profile.<name>]",
            Self::Prices => "[prices.<model>]",
            Self::Context => "[context.<model>]",
            Self::Redact => "[redact]",
            Self::Models => "[models]",
        }
    }
}

/// A key of `decbench.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigKey {
    /// The table it stands in.
    pub table: ConfigTable,
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub kind: &'static str,
    /// What it is for, in one sentence.
    pub doc: &'static str,
    /// What holds without it.
    pub default: &'static str,
}

const fn key(
    table: ConfigTable,
    name: &'static str,
    kind: &'static str,
    doc: &'static str,
    default: &'static str,
) -> ConfigKey {
    ConfigKey {
        table,
        name,
        kind,
        doc,
        default,
    }
}

/// Every key whose name is ours, in the order of the reference; `[provider.<name>]` holds the provider's own.
pub const CONFIG_KEYS: &[ConfigKey] = &[
    key(
        ConfigTable::Profile,
        "mode",
        "`replay`, `fill` or `live`",
        "Whether answers are read, completed or asked anew.",
        "that of `[profile.default]`, else `replay`",
    ),
    key(
        ConfigTable::Profile,
        "budget_usd",
        "a number of at least 0",
        "What a run may spend, in US dollars.",
        "that of `[profile.default]`, else none, and nothing is asked that costs",
    ),
    key(
        ConfigTable::Profile,
        "confirm_usd",
        "a number of at least 0",
        "The estimate you agree to, in US dollars; a run then stops at 1.2 times that, or at `budget_usd` where it is less.",
        "that of `[profile.default]`, else none",
    ),
    key(
        ConfigTable::Profile,
        "allow_unpriced",
        "a list of models, or of candidates without a model",
        "Who may be asked though nobody knows what it costs.",
        "that of `[profile.default]`, else nobody",
    ),
    key(
        ConfigTable::Profile,
        "deadline",
        "a time with its unit, such as `20min`",
        "How long a run may ask, from its first call on; what is then under way comes to its end.",
        "that of `[profile.default]`, else none",
    ),
    key(
        ConfigTable::Profile,
        "strict",
        "`true` or `false`",
        "Whether an undecided assertion fails.",
        "that of `[profile.default]`, else `false`",
    ),
    key(
        ConfigTable::Profile,
        "baseline",
        "a git revision or a folder",
        "Whose recorded answers `against: baseline` means; a folder is relative to the package.",
        "that of `[profile.default]`, else what the suite names",
    ),
    key(
        ConfigTable::Prices,
        "input_per_million",
        "a number of at least 0",
        "US dollars for a million tokens sent.",
        "required",
    ),
    key(
        ConfigTable::Prices,
        "output_per_million",
        "a number of at least 0",
        "US dollars for a million tokens received.",
        "required",
    ),
    key(
        ConfigTable::Prices,
        "at",
        "a date",
        "When the price was looked up.",
        "unknown",
    ),
    key(
        ConfigTable::Context,
        "tokens",
        "a whole number of at least 1",
        "How many tokens of a request the model reads, the state and all questions; what is estimated to be longer is not sent.",
        "required",
    ),
    key(
        ConfigTable::Context,
        "state_and_question",
        "a whole number of at least 1",
        "How many tokens of the state and the longest question it reads, where that is limited apart.",
        "no limit of its own",
    ),
    key(
        ConfigTable::Context,
        "at",
        "a date",
        "When the limit was looked up.",
        "unknown",
    ),
    key(
        ConfigTable::Redact,
        "kinds",
        "a list of `mail`, `iban`, `card`, `ip` and `phone`",
        "What `cargo decbench import` replaces in texts before it writes them.",
        "all of them",
    ),
    key(
        ConfigTable::Redact,
        "names",
        "a list of names",
        "Names of people and places that are replaced too, in any case of letters.",
        "none",
    ),
    key(
        ConfigTable::Redact,
        "keep",
        "a list of texts",
        "What is left as it is though it looks personal, such as the address of your own hotline.",
        "none",
    ),
    key(
        ConfigTable::Models,
        "allow",
        "a list of models; `*` stands for anything",
        "The models that candidates may be asked for; all others are mistakes.",
        "every model",
    ),
    key(
        ConfigTable::Models,
        "deny",
        "a list of models; `*` stands for anything",
        "Models that no candidate may be asked for, whatever `allow` says.",
        "none",
    ),
];

/// The names of a table's keys.
pub(super) fn names(table: ConfigTable) -> impl Iterator<Item = &'static str> + Clone {
    CONFIG_KEYS
        .iter()
        .filter(move |key| key.table == table)
        .map(|key| key.name)
}
