//! All answers of one candidate to one question, laid out by case.

use std::collections::HashMap;

use super::gated::GateAnswers;
use super::observed::Observed;
use crate::decision::{Answer, Case, Context, Gold, Question, Split};
use crate::metric::{Conventions, Field, Sample, Selection};

/// As many repeats or orders as the answers hold.
pub const ALL_THERE_ARE: u32 = u32::MAX;

/// The answers of one candidate to one question of a suite.
#[derive(Debug, Clone)]
pub struct Sheet<'a> {
    /// The suite's question.
    pub question: &'a Question,
    /// How answers are read and metrics computed.
    pub conventions: &'a Conventions,
    /// One row per case, or per question of a case with questions of its own, by case id.
    pub rows: Vec<Row<'a>>,
    /// Whose agreement stands for the confidence of answers without probabilities.
    pub confidence_from: Option<String>,
    /// The name of the question that has to say yes first.
    pub gate: Option<&'a str>,
    /// How many rows were left out because a recording lacks them and the candidate allows that.
    pub skipped: usize,
}

/// The answers to one question about one case.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// Position of the case in the suite.
    pub position: usize,
    /// The case.
    pub case: &'a Case,
    /// The question as it was asked about this case.
    pub question: &'a Question,
    /// The approved answer.
    pub gold: Option<&'a Gold>,
    /// The answer nobody has approved.
    pub reference: Option<&'a Gold>,
    /// The option that a stereotype would choose.
    pub stereotype: Option<usize>,
    /// The answers, by probe.
    pub observed: Vec<Observed>,
    /// Position of the base probe's answer.
    base: Option<usize>,
}

impl<'a> Sheet<'a> {
    /// Lays out the answers to the question at `question` of the suite's questions.
    ///
    /// A case with questions of its own takes part with the one of the same name, or with all of them where
    /// the suite has a single unnamed question. Answers to other questions and unknown cases are passed over.
    /// With `skip_missing`, cases without any answer are left out and counted.
    pub fn new<'b>(
        question: usize,
        questions: &'a [Question],
        conventions: &'a Conventions,
        cases: &'a [Case],
        answers: impl IntoIterator<Item = &'b Answer>,
        skip_missing: bool,
    ) -> Self {
        let suites = &questions[question];
        let pools = questions.len() == 1 && suites.name.is_empty();
        let answers: Vec<&Answer> = answers.into_iter().collect();
        let gate = conventions
            .gate
            .and_then(|gate| Some((gate, questions.get(gate.question)?.name.as_str())));
        let gates = gate.map(|(gate, name)| {
            let of_gate = answers.iter().copied();
            GateAnswers::read(&gate, name, questions, cases, of_gate)
        });
        let mut rows = Vec::with_capacity(cases.len());
        let mut index: HashMap<(&str, &str), usize> = HashMap::with_capacity(cases.len());
        for (position, case) in cases.iter().enumerate() {
            for (own, asked) in case.questions(questions).iter().enumerate() {
                if asked.name != suites.name && !(pools && case.questions.is_some()) {
                    continue;
                }
                index.insert((&case.id, &asked.name), rows.len());
                rows.push(Row {
                    position,
                    case,
                    question: asked,
                    gold: case.gold.get(own).and_then(Option::as_ref),
                    reference: case.reference.get(own).and_then(Option::as_ref),
                    stereotype: case.stereotype.get(own).copied().flatten(),
                    observed: Vec::new(),
                    base: None,
                });
            }
        }
        for answer in answers {
            if let Some(&at) = index.get(&(answer.case.as_str(), answer.question.as_str())) {
                let row = &mut rows[at];
                let observed = Observed::read(answer, row.question, conventions);
                row.observed.extend(match (gate, &gates) {
                    (Some((gate, _)), Some(gates)) => gates.decide(&gate, row.case, observed),
                    _ => Some(observed),
                });
            }
        }
        let before = rows.len();
        if skip_missing {
            rows.retain(|row| !row.observed.is_empty());
        }
        let skipped = before - rows.len();
        for row in &mut rows {
            row.observed.sort_by(|a, b| a.probe.cmp(&b.probe));
            row.base = row
                .observed
                .iter()
                .position(|observed| observed.probe.is_base());
        }
        // By id, so that the order of cases in a file never moves a resampled number.
        rows.sort_by(|a, b| (&a.case.id, &a.question.name).cmp(&(&b.case.id, &b.question.name)));
        Self {
            question: suites,
            conventions,
            rows,
            confidence_from: None,
            gate: gate.map(|(_, name)| name),
            skipped,
        }
    }

    /// Takes another candidate's agreement for the confidence of every base answer: the probability that the other gives
    /// to the answer, or where it gives none, 1 if it answered the same and 0 if not. No probabilities follow from it: it
    /// serves for deciding only where the candidate is confident, and for nothing else.
    ///
    /// Answers of a candidate that gives probabilities itself keep to those. Where the other was not heard, nothing is
    /// known.
    pub fn agree_with(&mut self, other: &Sheet<'_>, name: &str) {
        let answers: HashMap<(usize, &str), &Observed> = other
            .rows
            .iter()
            .filter_map(|row| Some(((row.position, row.question.name.as_str()), row.base()?)))
            .collect();
        for row in &mut self.rows {
            let theirs = answers.get(&(row.position, row.question.name.as_str()));
            let own = row.base.map(|at| &mut row.observed[at]);
            if let (Some(own), Some(theirs)) = (own, theirs) {
                own.agreement = agreement(own, theirs);
            }
        }
        self.confidence_from = Some(name.to_owned());
    }

    /// The answers with another repeat of the base call as the one that counts; `None` where a case lacks it.
    pub fn of_repeat(&self, repeat: u32) -> Option<Self> {
        let mut run = self.clone();
        for row in &mut run.rows {
            let at = row.observed.iter().position(|observed| {
                let probe = &observed.probe;
                probe.repeat == repeat
                    && probe.in_suite_order()
                    && probe.context == Context::Production
            });
            row.base = Some(at?);
        }
        Some(run)
    }

    /// Whether any answer carries a usable distribution.
    pub fn has_probabilities(&self) -> bool {
        let mut answers = self.rows.iter().flat_map(|row| &row.observed);
        answers.any(|observed| observed.probabilities.is_some())
    }

    /// The rows that a selection reads.
    pub fn select(&self, selection: &Selection) -> Vec<&Row<'a>> {
        self.rows
            .iter()
            .filter(|row| (row.case.split == Split::Lockbox) == selection.lockbox)
            .filter(|row| {
                selection
                    .filter
                    .iter()
                    .all(|(field, value)| row.field(field).is_some_and(|have| have == *value))
            })
            .filter(|row| selection.sample == Sample::AsTaken || row.case.weight > 0.0)
            .collect()
    }

    /// Whether every row was asked the suite's own question, so that options can be told by position.
    pub fn has_common_options(&self) -> bool {
        self.rows.iter().all(|row| {
            row.case.questions.is_none() || row.question.options == self.question.options
        })
    }

    /// The view that padding is compared with: the minimal one, or production's where no case has a minimal one.
    pub fn least_view(&self) -> Context {
        let minimal = Context::Minimal;
        let has = |row: &Row<'_>| {
            row.case.state_in(minimal).is_some() || row.in_context(minimal).is_some()
        };
        if self.rows.iter().any(has) {
            minimal
        } else {
            Context::Production
        }
    }

    /// How many repeats a selection of this many reads: all there are, or the number asked for.
    pub fn repeats(&self, asked: u32) -> u32 {
        let most = || {
            self.rows
                .iter()
                .flat_map(Row::plain)
                .map(|observed| observed.probe.repeat + 1)
                .max()
                .unwrap_or(0)
        };
        if asked == ALL_THERE_ARE {
            most()
        } else {
            asked
        }
    }
}

/// How far another answer agrees; a failure of the other model is no agreement, and a call that reached nobody says
/// nothing.
fn agreement(own: &Observed, theirs: &Observed) -> Option<f64> {
    let option = own.option()?;
    theirs.said?;
    Some(match &theirs.probabilities {
        Some(probabilities) => probabilities.get(option).copied()?,
        None => f64::from(u8::from(theirs.option() == Some(option))),
    })
}

impl Row<'_> {
    /// The answer of the base probe.
    pub fn base(&self) -> Option<&Observed> {
        self.base.map(|at| &self.observed[at])
    }

    /// The value of a field of this case.
    pub fn field(&self, field: &Field) -> Option<String> {
        match field {
            Field::Tier => self.case.tier.clone(),
            Field::Family => self.case.family.clone(),
            Field::Language => self.case.language.clone(),
            Field::Type => Some(self.question.kind.name().to_owned()),
            Field::Origin => self
                .case
                .origin
                .map(|origin| format!("{origin:?}").to_lowercase()),
            Field::Stratum(name) => self.case.strata.get(name).cloned(),
        }
    }

    /// The answers with production's view and the suite's order: the repeats of the base call.
    pub fn plain(&self) -> impl Iterator<Item = &Observed> {
        self.observed.iter().filter(|observed| {
            observed.probe.context == Context::Production && observed.probe.in_suite_order()
        })
    }

    /// The first `count` repeats of the base call; `None` where one is missing.
    pub fn repeats(&self, count: u32) -> Option<Vec<&Observed>> {
        let found: Vec<_> = self
            .plain()
            .filter(|observed| observed.probe.repeat < count)
            .collect();
        (found.len() == count as usize).then_some(found)
    }

    /// The first answer to each of the first `count` option orders, or to as many as exist; `None` where one is missing.
    pub fn orders(&self, count: u32) -> Option<Vec<&Observed>> {
        let production = |observed: &&Observed| {
            observed.probe.context == Context::Production && observed.probe.repeat == 0
        };
        if count == ALL_THERE_ARE {
            return Some(self.observed.iter().filter(production).collect());
        }
        let exist = self.question.orders().min(count);
        let wanted = crate::decision::orders_of(self.question.options.len(), exist as usize);
        wanted
            .iter()
            .map(|order| {
                self.observed
                    .iter()
                    .filter(production)
                    .find(|observed| observed.probe.order == *order)
            })
            .collect()
    }

    /// The answer to one view of the case, in the suite's order.
    pub fn in_context(&self, context: Context) -> Option<&Observed> {
        self.observed.iter().find(|observed| {
            observed.probe.context == context
                && observed.probe.repeat == 0
                && observed.probe.in_suite_order()
        })
    }

    /// Whether a person said what is right: there is gold, or of an open answer something that this very case expects.
    pub fn is_approved(&self) -> bool {
        if self.question.kind.is_open() {
            return self.case.is_approved_open();
        }
        self.gold.is_some()
    }

    /// Whether an answer is right: `None` where there is no gold that could be right or wrong, nobody answered, or
    /// nothing was decided as a gate is closed.
    pub fn is_right(&self, observed: &Observed) -> Option<bool> {
        self.is_right_by(self.gold, observed)
    }

    /// As [`Row::is_right`], against another answer key.
    pub fn is_right_by(&self, gold: Option<&Gold>, observed: &Observed) -> Option<bool> {
        let gold = gold?;
        let judged = gold.accepts(0).is_some();
        match (observed.said?, judged) {
            (_, false) | (super::Said::Closed, true) => None,
            (super::Said::Option(option), true) => gold.accepts(option),
            (super::Said::Half | super::Said::Failed(_) | super::Said::Wrote, true) => Some(false),
        }
    }
}
