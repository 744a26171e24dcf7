//! Every key a suite and its cases may have: the one table behind the checks, the suggestions and the reference.

use super::data_keys::{AGREEMENT, DATA, OVERLAP, PANEL};
use super::key_table::{
    APPROVED, BOUND, BRIER, CANDIDATE, CASE, CASES, CONFIDENCE_FROM, CONVENTIONS, ECE, GATE,
    GOLD_FLOOR, LOG_LOSS, MACRO_F1, OPTION, PAIR, QUESTION, RECORDING, RPS, SUITE, WORDING,
};
use super::open::{CHECKS, JUDGE, JUROR, NUMBER_WITHIN};
use super::operation_keys::{LOAD, TURN};
use super::verdict_keys::{COMPARE, PUBLISHED, UTILITY, VERDICT};

/// A map with a fixed set of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Section {
    /// The suite file itself.
    Suite,
    /// A question.
    Question,
    /// `gate:` of a question as a map.
    Gate,
    /// An option of a choice that is more than a description.
    Option,
    /// A candidate's wording of a question.
    Wording,
    /// `cases:` as a map.
    Cases,
    /// A case.
    Case,
    /// `pair:` of a case.
    Pair,
    /// `approved:` of a case.
    Approved,
    /// A candidate; further keys are the provider's own.
    Candidate,
    /// `confidence_from:` of a candidate.
    ConfidenceFrom,
    /// `gold:` of `assert:`.
    GoldFloor,
    /// A bound as a map.
    Bound,
    /// `conventions:`.
    Conventions,
    /// `conventions.ece`.
    Ece,
    /// `conventions.brier`.
    Brier,
    /// `conventions.log_loss`.
    LogLoss,
    /// `conventions.macro_f1`.
    MacroF1,
    /// `conventions.rps`.
    Rps,
    /// `verdict:` as a map.
    Verdict,
    /// `utility:` of `verdict:`.
    Utility,
    /// One comparison of `compare:`.
    Compare,
    /// `published:`.
    Published,
    /// `data:`.
    Data,
    /// `data.agreement`.
    Agreement,
    /// `data.panel` as a map.
    Panel,
    /// A file of `data.overlap` as a map.
    Overlap,
    /// `recording:`.
    Recording,
    /// `turn:`.
    Turn,
    /// `load:`.
    Load,
    /// `checks:` of an open suite, and `expect:` of its cases.
    Checks,
    /// `number_within` of `checks`.
    NumberWithin,
    /// `judge:`.
    Judge,
    /// One judge; further keys are the provider's own.
    Juror,
}

/// What a key's value is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Any text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Whole(u32, u32),
    /// A decimal number; from the first to the second.
    Number(f64, f64),
    /// A share, as in `30%` or `0.3`.
    Share,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A map with these keys.
    Section(Section),
    /// A map with keys of the user's own, or several forms, described in words.
    Free(&'static str),
}

/// A key of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// What it is for, in one sentence.
    pub doc: &'static str,
    /// What holds without it, where something does.
    pub default: Option<&'static str>,
}

impl Section {
    /// Every section.
    pub const ALL: [Self; 34] = [
        Self::Suite,
        Self::Question,
        Self::Gate,
        Self::Option,
        Self::Wording,
        Self::Cases,
        Self::Case,
        Self::Pair,
        Self::Approved,
        Self::Candidate,
        Self::ConfidenceFrom,
        Self::GoldFloor,
        Self::Bound,
        Self::Conventions,
        Self::Ece,
        Self::Brier,
        Self::LogLoss,
        Self::MacroF1,
        Self::Rps,
        Self::Verdict,
        Self::Utility,
        Self::Compare,
        Self::Published,
        Self::Data,
        Self::Agreement,
        Self::Panel,
        Self::Overlap,
        Self::Recording,
        Self::Turn,
        Self::Load,
        Self::Checks,
        Self::NumberWithin,
        Self::Judge,
        Self::Juror,
    ];

    /// Its keys, in the order of the reference.
    pub fn keys(self) -> &'static [Key] {
        match self {
            Self::Suite => SUITE,
            Self::Question => QUESTION,
            Self::Gate => GATE,
            Self::Option => OPTION,
            Self::Wording => WORDING,
            Self::Cases => CASES,
            Self::Case => CASE,
            Self::Pair => PAIR,
            Self::Approved => APPROVED,
            Self::Candidate => CANDIDATE,
            Self::ConfidenceFrom => CONFIDENCE_FROM,
            Self::GoldFloor => GOLD_FLOOR,
            Self::Bound => BOUND,
            Self::Conventions => CONVENTIONS,
            Self::Ece => ECE,
            Self::Brier => BRIER,
            Self::LogLoss => LOG_LOSS,
            Self::MacroF1 => MACRO_F1,
            Self::Rps => RPS,
            Self::Verdict => VERDICT,
            Self::Utility => UTILITY,
            Self::Compare => COMPARE,
            Self::Published => PUBLISHED,
            Self::Data => DATA,
            Self::Agreement => AGREEMENT,
            Self::Panel => PANEL,
            Self::Overlap => OVERLAP,
            Self::Recording => RECORDING,
            Self::Turn => TURN,
            Self::Load => LOAD,
            Self::Checks => CHECKS,
            Self::NumberWithin => NUMBER_WITHIN,
            Self::Judge => JUDGE,
            Self::Juror => JUROR,
        }
    }

    /// What it is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Suite => "a suite",
            Self::Question => "a question",
            Self::Option => "an option",
            Self::Wording => "a candidate's wording",
            Self::Cases => "`cases`",
            Self::Case => "a case",
            Self::Gate => "`gate`",
            Self::Pair => "`pair`",
            Self::Approved => "`approved`",
            Self::Candidate => "a candidate",
            Self::ConfidenceFrom => "`confidence_from`",
            Self::GoldFloor => "`gold`",
            Self::Bound => "a bound",
            Self::Conventions => "`conventions`",
            Self::Ece => "`ece`",
            Self::Brier => "`brier`",
            Self::LogLoss => "`log_loss`",
            Self::MacroF1 => "`macro_f1`",
            Self::Rps => "`rps`",
            Self::Verdict => "`verdict`",
            Self::Utility => "`utility`",
            Self::Compare => "`compare`",
            Self::Published => "`published`",
            Self::Data => "`data`",
            Self::Agreement => "`agreement`",
            Self::Panel => "`panel`",
            Self::Overlap => "`overlap`",
            Self::Recording => "`recording`",
            Self::Turn => "`turn`",
            Self::Load => "`load`",
            Self::Checks => "`checks`",
            Self::NumberWithin => "`number_within`",
            Self::Judge => "`judge`",
            Self::Juror => "a judge",
        }
    }

    /// Whether keys that are not in the table are allowed: a candidate's and a judge's belong to its provider.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Candidate | Self::Juror)
    }

    /// The key of this name.
    pub fn key(self, name: &str) -> Option<&'static Key> {
        self.keys().iter().find(|key| key.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_in_their_section_and_documented() {
        for section in Section::ALL {
            for key in section.keys() {
                let same = section.keys().iter().filter(|other| other.name == key.name);
                assert_eq!(same.count(), 1, "{section:?} {}", key.name);
                assert!(key.doc.ends_with('.'), "{section:?} {}", key.name);
            }
        }
    }

    #[test]
    fn a_default_word_is_one_of_the_words_allowed() {
        for key in Section::ALL.iter().flat_map(|section| section.keys()) {
            if let (Kind::OneOf(words), Some(default)) = (key.kind, key.default) {
                assert!(
                    words.contains(&default) || default.contains(' '),
                    "{}",
                    key.name
                );
            }
        }
    }
}
