//! Fields of a case that group or select.

use std::fmt;

/// A field that a suite may group by or select on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Field {
    /// `tier`.
    Tier,
    /// `family`.
    Family,
    /// `language`.
    Language,
    /// `type`: the kind of the case's question.
    Type,
    /// `origin`.
    Origin,
    /// `strata.<name>`.
    Stratum(String),
}

impl Field {
    /// Reads a field's name.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "tier" => Self::Tier,
            "family" => Self::Family,
            "language" => Self::Language,
            "type" => Self::Type,
            "origin" => Self::Origin,
            other => Self::Stratum(
                other
                    .strip_prefix("strata.")
                    .filter(|name| !name.is_empty())?
                    .to_owned(),
            ),
        })
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tier => f.write_str("tier"),
            Self::Family => f.write_str("family"),
            Self::Language => f.write_str("language"),
            Self::Type => f.write_str("type"),
            Self::Origin => f.write_str("origin"),
            Self::Stratum(name) => write!(f, "strata.{name}"),
        }
    }
}

/// One or several fields whose values together name a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grouping(
    /// The fields, in the order given; never empty.
    pub Vec<Field>,
);

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, field) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(" × ")?;
            }
            write!(f, "{field}")?;
        }
        Ok(())
    }
}
