//! A suite after every check: what is asked, of whom, and what must hold.

use std::path::PathBuf;
use std::sync::Arc;

use super::data_rules::DataRules;
use super::merge::qualified;
use super::name::trial_part;
use super::open::OpenTask;
use super::panel::PanelRecord;
use super::recording::Recording;
use crate::decision::{Case, Digest, Question};
use crate::diagnostic::{Setting, Span};
use crate::metric::{
    Bound, Claim, Conventions, Grouping, LoadRule, Metric, Requirement, TurnRule, VerdictRule,
};

/// A checked suite.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suite {
    /// Its name: `[a-z0-9][a-z0-9_.-]*`.
    pub name: String,
    /// The suite file, as it was found.
    pub path: PathBuf,
    /// The suite's questions; a single unnamed one has the name `""`. All are put in one request per state. Where the
    /// suite declares none and every case brings its own, the first case's stands for them, under no name.
    pub questions: Vec<Question>,
    /// What is expected of every answer, where the suite's question is open.
    pub open: Option<OpenTask>,
    /// Conventions by question.
    pub conventions: Vec<Conventions>,
    /// The cases, in file order; ids are unique.
    pub cases: Vec<Case>,
    /// The candidates, in the suite's order.
    pub candidates: Vec<Candidate>,
    /// What must hold, one entry per candidate, question and metric.
    pub assertions: Vec<Assertion>,
    /// How the verdict over the candidates is reached, where one is asked for.
    pub verdict: Option<Verdict>,
    /// What is claimed of candidates against another one.
    pub comparisons: Vec<Comparison>,
    /// What others published of the candidates, where a table is given.
    pub published: Option<Published>,
    /// What must hold of the cases themselves.
    pub data: DataRules,
    /// What a panel of models did to the cases, where one is declared.
    pub panel: Option<PanelRecord>,
    /// How long a turn may take, where one is asked for.
    pub turn: Option<TurnRule>,
    /// Which rates are offered to services, where a load trial is asked for.
    pub load: Option<LoadRule>,
    /// How many cases and how much gold there must be.
    pub gold: Option<GoldFloor>,
    /// The git revision or folder whose recorded answers `against: baseline` means, unless the run names another.
    pub baseline: Option<String>,
    /// What must hold of the recorded answers of every service.
    pub recording: Recording,
    /// By what every metric is printed per group too.
    pub by: Vec<Grouping>,
    /// What happens with the scorecard.
    pub scorecard: ScorecardMode,
    /// Digest of questions, cases and gold: the data an outcome speaks about.
    pub digest: Digest,
    /// The suite file's text, for messages that point into it.
    pub source: Arc<crate::diagnostic::Source>,
}

impl Suite {
    /// The name of an assertion's trial, as in `call-routing::jev::recall[billing]`; a named question stands before the
    /// metric. Characters outside `[A-Za-z0-9_.\[\]-]` are `_`.
    ///
    /// # Panics
    /// When the assertion is not one of this suite's.
    pub fn trial_name(&self, assertion: &Assertion) -> String {
        let candidate = &self.candidates[assertion.candidate];
        let metric = self.metric_name(assertion);
        format!("{}::{}::{}", self.name, candidate.name, trial_part(&metric))
    }

    /// The metric of an assertion as scorecards write it, a named question before it.
    ///
    /// # Panics
    /// When the assertion is not one of this suite's.
    pub fn metric_name(&self, assertion: &Assertion) -> String {
        qualified(&self.questions[assertion.question].name, &assertion.metric)
    }

    /// The metric of a published table as scorecards write it, a named question before it.
    ///
    /// # Panics
    /// When the column is not one of this suite's.
    pub fn published_metric(&self, column: &PublishedFigures) -> String {
        let question = self.questions.get(column.question);
        qualified(
            question.map_or("", |question| &question.name),
            &column.metric,
        )
    }

    /// A claim as its trial is named after the candidate: `not_worse[accuracy]`; against anybody but today's,
    /// `not_worse[accuracy.vs.name]`, and against earlier answers `steady[accuracy.vs.baseline]`.
    ///
    /// # Panics
    /// When the comparison is not one of this suite's.
    pub fn claim_name(&self, comparison: &Comparison) -> String {
        let question = self
            .questions
            .get(comparison.question)
            .map_or("", |question| question.name.as_str());
        let metric = qualified(question, &comparison.metric);
        let against = match comparison.against {
            Against::Baseline => ".vs.baseline".to_owned(),
            Against::Candidate(position) if self.candidates[position].today => String::new(),
            Against::Candidate(position) => format!(".vs.{}", self.candidates[position].name),
        };
        format!("{}[{metric}{against}]", comparison.claim.name())
    }

    /// For which of the suite's questions a case's question counts: a case's own question counts for the suite's only
    /// one, or else for the one of the same name.
    pub fn counts_for(&self, case: &Case, question: usize) -> Option<usize> {
        let Some(own) = &case.questions else {
            return (question < self.questions.len()).then_some(question);
        };
        let own = own.get(question)?;
        if self.questions.len() == 1 {
            return Some(0);
        }
        self.questions
            .iter()
            .position(|question| question.name == own.name)
    }
}

/// Somebody who could take the decision.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Candidate {
    /// Its name, formed as a suite's.
    pub name: String,
    /// Which provider answers.
    pub provider: String,
    /// The provider's own settings in the order written, with their positions; values as YAML reads them.
    pub settings: Vec<Setting>,
    /// Whether production uses it now.
    pub today: bool,
    /// Whether it is only shown and compared with, and never gated.
    pub baseline: bool,
    /// Whether cases without a recorded answer are left out in place of being a miss.
    pub skip_missing: bool,
    /// Questions in the candidate's own wording, in the suite's order; labels are the suite's.
    pub questions: Option<Vec<Question>>,
    /// How often the wording was tuned.
    pub tuning_rounds: Option<u32>,
    /// What must hold of its recorded answers, before what the suite says.
    pub recording: Recording,
    /// Position of the candidate whose agreement stands for its confidence; never itself, nor in a circle.
    pub confidence_from: Option<usize>,
    /// The family it belongs to, where it says so.
    pub family: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

impl Candidate {
    /// The questions it is asked: its own wording, or the suite's.
    pub fn questions<'a>(&'a self, suite: &'a Suite) -> &'a [Question] {
        self.questions.as_deref().unwrap_or(&suite.questions)
    }

    /// The model that it names, where it names one.
    pub fn model(&self) -> Option<&str> {
        self.settings
            .iter()
            .find(|setting| setting.key == "model")
            .and_then(|setting| setting.value.as_str())
    }

    /// Whether a model behind a service answers, and not a function, a program or a file.
    pub fn is_service(&self) -> bool {
        !matches!(
            self.provider.as_str(),
            "rust" | "recorded" | "naive-bayes" | "command"
        )
    }
}

/// One key of `assert:` for one candidate and question; a trial.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Assertion {
    /// Position of the candidate.
    pub candidate: usize,
    /// Position of the question.
    pub question: usize,
    /// What is measured.
    pub metric: Metric,
    /// What must hold; all of them, never empty.
    pub requirements: Vec<Requirement>,
    /// Where it stands.
    pub span: Span,
}

/// `verdict:` and `gates:`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verdict {
    /// How it is reached and what is expected.
    pub rule: VerdictRule,
    /// What is done with a decision that is not confident enough.
    pub fallback: Option<String>,
    /// The gates, one entry per candidate that is no baseline, question and metric.
    pub gates: Vec<Assertion>,
    /// Where `verdict` stands.
    pub span: Span,
}

/// With what candidates are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Against {
    /// Another candidate, by its position.
    Candidate(usize),
    /// Each with what it answered itself at the baseline.
    Baseline,
}

/// One entry of `compare:`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Comparison {
    /// What is claimed.
    pub claim: Claim,
    /// With what every candidate is compared.
    pub against: Against,
    /// Positions of the candidates, baselines left out.
    pub candidates: Vec<usize>,
    /// Position of the question.
    pub question: usize,
    /// What is compared.
    pub metric: Metric,
    /// By how much it may get worse, positive, in the metric's unit; a share lies in (0, 1).
    pub margin: Option<f64>,
    /// Where it stands.
    pub span: Span,
}

/// `published:`: a table of models and figures.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Published {
    /// Who published it.
    pub source: Option<String>,
    /// The figures by metric, in the order of first mention.
    pub figures: Vec<PublishedFigures>,
    /// Where `published` stands.
    pub span: Span,
}

/// One metric of a published table.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PublishedFigures {
    /// Position of the question.
    pub question: usize,
    /// What was published.
    pub metric: Metric,
    /// Positions of at least three candidates with their figures in the metric's unit.
    pub models: Vec<(usize, f64)>,
    /// Which of them are predicted from the others; where none is, each in turn.
    pub left_out: Vec<bool>,
    /// How high the rank correlation must be.
    pub spearman: Option<Bound>,
    /// How far predictions may lie from the published figures in the mean, in the metric's unit.
    pub error: Option<Bound>,
}

/// `gold: { cases: 30, share: 50% }`.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldFloor {
    /// Fewest cases.
    pub cases: u64,
    /// Smallest share of cases with gold, exact.
    pub share: crate::metric::Decimal,
    /// Where it stands.
    pub span: Span,
}

/// What happens with a suite's scorecard; the files are written in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ScorecardMode {
    /// Compared with the reviewed snapshot.
    #[default]
    Snapshot,
    /// Printed only.
    Print,
    /// Neither.
    Off,
}
