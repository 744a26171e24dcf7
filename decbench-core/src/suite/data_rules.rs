//! What a suite asks of its data.

use crate::diagnostic::Span;
use crate::metric::{Decimal, Field};

/// `data:`, and what holds where it says nothing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DataRules {
    /// The marker or field after which a state tells of the time after the decision.
    pub decided_at: Option<String>,
    /// Phrases that give the answer away; `{gold}` stands for the right answer.
    pub giveaways: Vec<String>,
    /// Files whose states may not be among the cases.
    pub overlap: Vec<OtherFile>,
    /// Fewest cases with gold per option.
    pub class_floor: Option<u32>,
    /// Fewest cases per value of each stratum.
    pub stratum_floor: Option<u32>,
    /// Fewest calendar weeks.
    pub weeks: Option<u32>,
    /// The shares in production.
    pub population: Vec<DeclaredShare>,
    /// The shares among the cases as taken.
    pub composition: Vec<DeclaredShare>,
    /// By how much a share may differ, in [0, 1].
    pub tolerance: Decimal,
    /// How many days old a case may be.
    pub max_age_days: Option<u32>,
    /// The smallest agreement of raters, in [0, 1].
    pub agreement_floor: Decimal,
    /// Models that vote on which cases are kept.
    pub panel: Option<Panel>,
    /// How often each candidate may be looked at on the lock box, at least 1.
    pub looks: u32,
}

impl Default for DataRules {
    fn default() -> Self {
        let decimal = |digits, scale| Decimal { digits, scale };
        Self {
            decided_at: None,
            giveaways: Vec::new(),
            overlap: Vec::new(),
            class_floor: None,
            stratum_floor: None,
            weeks: None,
            population: Vec::new(),
            composition: Vec::new(),
            tolerance: decimal(2, 2),
            max_age_days: None,
            agreement_floor: decimal(6, 1),
            panel: None,
            looks: 1,
        }
    }
}

/// A file of states that belong to no case of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherFile {
    /// The file as the suite names it, relative to its folder.
    pub file: String,
    /// The column or field that holds the text.
    pub column: String,
    /// Where it is named.
    pub span: Span,
}

/// The share that the cases with one value of a field should have.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredShare {
    /// The field; `None` for the gold answer.
    pub field: Option<Field>,
    /// Its value; an option's key for the gold answer.
    pub value: String,
    /// The share, in [0, 1].
    pub share: Decimal,
    /// Where it stands.
    pub span: Span,
}

impl DeclaredShare {
    /// What is divided, in a suite's words: `language`, `strata.channel`, `gold`.
    pub fn name(&self) -> String {
        self.field
            .as_ref()
            .map_or_else(|| "gold".to_owned(), ToString::to_string)
    }
}

/// Models that vote on labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Their names under `labels`, at least two and distinct.
    pub models: Vec<String>,
    /// The smallest share of voted cases that must be kept.
    pub keep: Decimal,
    /// Where it is declared.
    pub span: Span,
}
