//! Small sets of cases and answers for the tests of this module.

use crate::decision::{
    Answer, AnswerOption, Case, Context, Decided, Failure, FailureKind, Gold, Measured, Probe,
    Question, QuestionKind, State,
};
use crate::metric::{Conventions, Metric, Selection};
use crate::score::{BesidePublished, Measurement, Sheet, measure};
use crate::stats::Undefined;

/// An agreement of nobody with nothing.
pub(crate) fn beside_published() -> BesidePublished {
    BesidePublished {
        measured: Vec::new(),
        predicted: Vec::new(),
        spearman: Err(Undefined::NoItems),
        error: Err(Undefined::NoItems),
        cases: 0,
        units: 0,
    }
}

/// Cases and answers about one question.
pub(crate) struct Data {
    pub(crate) questions: Vec<Question>,
    pub(crate) conventions: Conventions,
    pub(crate) cases: Vec<Case>,
    pub(crate) answers: Vec<Answer>,
}

impl Data {
    pub(crate) fn choice(keys: &[&str]) -> Self {
        Self::of(QuestionKind::Choice, keys)
    }

    pub(crate) fn of(kind: QuestionKind, keys: &[&str]) -> Self {
        let options = keys.iter().map(|key| AnswerOption::new(*key)).collect();
        let question = Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "?".into(),
            options,
        };
        Self {
            questions: vec![question],
            conventions: Conventions::default(),
            cases: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn key(&self, option: usize) -> String {
        self.questions[0].options[option].key.clone()
    }

    pub(crate) fn probe(&self) -> Probe {
        Probe::base(self.questions[0].options.len())
    }

    /// A case with this gold, in a unit of its own.
    pub(crate) fn case(&mut self, gold: usize) -> &mut Case {
        let at = self.cases.len();
        let mut case = Case::new(format!("c-{at:05}"), State::Text(format!("state {at}")));
        case.gold = vec![Some(Gold::Label(gold))];
        case.unit = at as u32;
        self.cases.push(case);
        &mut self.cases[at]
    }

    /// A case with this gold and a plain label as its answer.
    pub(crate) fn answered(&mut self, gold: usize, label: usize) {
        self.case(gold);
        let probe = self.probe();
        self.say(probe, label);
    }

    /// The last case's answer under a probe, as a label.
    pub(crate) fn say(&mut self, probe: Probe, label: usize) {
        let label = Some(self.key(label));
        self.push(
            probe,
            Ok(Decided {
                label,
                ..Decided::default()
            }),
        );
    }

    /// The last case's base answer, as a distribution.
    pub(crate) fn say_shares(&mut self, shares: &[f64]) {
        self.say_shares_of(shares, None);
    }

    /// The last case's base answer, as a distribution of so much of the probability.
    pub(crate) fn say_shares_of(&mut self, shares: &[f64], format_mass: Option<f64>) {
        let pairs = shares
            .iter()
            .enumerate()
            .map(|(option, share)| (self.key(option), *share))
            .collect();
        self.push(
            self.probe(),
            Ok(Decided {
                probabilities: Some(pairs),
                format_mass,
                ..Decided::default()
            }),
        );
    }

    /// The last case's base call failed.
    pub(crate) fn fail(&mut self, kind: FailureKind) {
        self.push(self.probe(), Err(Failure::new(kind, "no")));
    }

    /// The last case's base reply was cut off.
    pub(crate) fn cut_off(&mut self) {
        self.push(self.probe(), Err(Failure::truncated("no")));
    }

    fn push(&mut self, probe: Probe, outcome: Result<Decided, Failure>) {
        let case = self.cases.last().expect("a case comes first").id.clone();
        self.answers.push(Answer {
            case,
            question: String::new(),
            probe,
            request: None,
            outcome,
            measured: Measured::default(),
        });
    }

    pub(crate) fn repeat(&self, repeat: u32) -> Probe {
        Probe {
            repeat,
            ..self.probe()
        }
    }

    pub(crate) fn context(&self, context: Context) -> Probe {
        Probe {
            context,
            ..self.probe()
        }
    }

    pub(crate) fn sheet(&self) -> Sheet<'_> {
        Sheet::new(
            0,
            &self.questions,
            &self.conventions,
            &self.cases,
            &self.answers,
            false,
        )
    }

    pub(crate) fn measure(&self, metric: &str) -> Measurement {
        self.measure_on(metric, &Selection::default())
    }

    pub(crate) fn measure_on(&self, metric: &str, selection: &Selection) -> Measurement {
        measure(
            &self.sheet(),
            &Metric::parse(metric).expect("a metric"),
            selection,
            0.95,
        )
    }

    pub(crate) fn value(&self, metric: &str) -> f64 {
        self.measure(metric).value.expect("measurable").value
    }
}
