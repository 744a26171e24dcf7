//! What judges are asked, as a suite of their own.

use std::sync::Arc;

use super::super::data_rules::DataRules;
use super::super::model::{Candidate, ScorecardMode, Suite};
use super::super::recording::Recording;
use super::model::JUDGES;
use crate::decision::{Case, Question};
use crate::metric::Conventions;

impl Suite {
    /// What judges are asked about this suite's answers, as a suite of which they are the candidates: nothing is asserted
    /// of it.
    pub(crate) fn of_judges(
        &self,
        questions: Vec<Question>,
        cases: Vec<Case>,
        judges: Vec<Candidate>,
    ) -> Self {
        Self {
            name: format!("{}{JUDGES}", self.name),
            path: self.path.clone(),
            conventions: vec![Conventions::default(); questions.len()],
            questions,
            open: None,
            cases,
            candidates: judges,
            assertions: Vec::new(),
            verdict: None,
            comparisons: Vec::new(),
            published: None,
            data: DataRules::default(),
            panel: None,
            turn: None,
            load: None,
            gold: None,
            baseline: None,
            recording: Recording::default(),
            by: Vec::new(),
            scorecard: ScorecardMode::Off,
            digest: self.digest,
            source: Arc::clone(&self.source),
        }
    }

    /// The name by which people know the suite, also where it is that of its judges.
    pub(crate) fn judged_name(&self) -> &str {
        self.name.strip_suffix(JUDGES).unwrap_or(&self.name)
    }
}
