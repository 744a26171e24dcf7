//! Cases whose answers are drawn: every reply a case may get is built once, a draw picks one per case.

use decbench_core::decision::{
    Answer, AnswerOption, Case, Context, Decided, Gold, Measured, Probe, Question, QuestionKind,
    State,
};
use decbench_core::metric::{Conventions, Metric, Selection};
use decbench_core::score::{Measurement, Sheet, measure};

/// The two-sided level of every interval here.
pub(crate) const LEVEL: f64 = 0.95;

/// One answer within a reply.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) repeat: u32,
    pub(crate) context: Context,
    pub(crate) label: usize,
    pub(crate) shares: Option<Vec<f64>>,
    pub(crate) latency_ms: Option<f64>,
    pub(crate) cost_usd: Option<f64>,
}

impl Said {
    /// The base call answers with the option at this position.
    pub(crate) fn label(label: usize) -> Self {
        Self {
            repeat: 0,
            context: Context::Production,
            label,
            shares: None,
            latency_ms: None,
            cost_usd: None,
        }
    }

    /// The base call answers with these probabilities; the first largest is the label.
    pub(crate) fn shares(shares: &[f64]) -> Self {
        let most = shares.iter().copied().fold(0.0, f64::max);
        let label = shares.iter().position(|share| *share == most).unwrap_or(0);
        Self {
            shares: Some(shares.to_vec()),
            ..Self::label(label)
        }
    }

    pub(crate) fn repeat(self, repeat: u32) -> Self {
        Self { repeat, ..self }
    }

    pub(crate) fn context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    pub(crate) fn after(self, latency_ms: f64) -> Self {
        Self {
            latency_ms: Some(latency_ms),
            ..self
        }
    }

    pub(crate) fn for_dollars(self, cost_usd: f64) -> Self {
        Self {
            cost_usd: Some(cost_usd),
            ..self
        }
    }
}

/// What one case may turn out to be: its gold and all answers to it.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) gold: usize,
    pub(crate) said: Vec<Said>,
}

impl Reply {
    /// Gold is the first option.
    pub(crate) fn of(said: Vec<Said>) -> Self {
        Self { gold: 0, said }
    }

    /// Right or wrong among two options.
    pub(crate) fn right(right: bool) -> Self {
        Self::of(vec![Said::label(usize::from(!right))])
    }
}

/// Cases and, for each, every reply it may get.
pub(crate) struct Bench {
    questions: Vec<Question>,
    conventions: Conventions,
    cases: Vec<Case>,
    /// Answers by case and reply.
    answers: Vec<Vec<Vec<Answer>>>,
    gold_by_reply: Vec<usize>,
}

impl Bench {
    /// One case per entry of `units`, which numbers its unit of evidence.
    pub(crate) fn new(
        kind: QuestionKind,
        options: &[&str],
        units: &[u32],
        replies: &[Reply],
    ) -> Self {
        let question = Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "Which?".into(),
            options: options.iter().map(|key| AnswerOption::new(*key)).collect(),
        };
        let mut cases = Vec::with_capacity(units.len());
        let mut answers = Vec::with_capacity(units.len());
        for (at, unit) in units.iter().enumerate() {
            let mut case = Case::new(format!("c-{at:05}"), State::Text(String::new()));
            case.gold = vec![Some(Gold::Label(0))];
            case.unit = *unit;
            let of_reply = |reply: &Reply| {
                let said = reply.said.iter();
                said.map(|said| answer(&case.id, &question, said)).collect()
            };
            answers.push(replies.iter().map(of_reply).collect());
            cases.push(case);
        }
        Self {
            questions: vec![question],
            conventions: Conventions::default(),
            cases,
            answers,
            gold_by_reply: replies.iter().map(|reply| reply.gold).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.cases.len()
    }

    /// The unit of every case.
    pub(crate) fn units(&self) -> Vec<u32> {
        self.cases.iter().map(|case| case.unit).collect()
    }

    /// Sets weights and, where named, strata by case.
    pub(crate) fn weigh(&mut self, weight: impl Fn(usize) -> (f64, Option<&'static str>)) {
        for (at, case) in self.cases.iter_mut().enumerate() {
            let (weight, stratum) = weight(at);
            case.weight = weight;
            case.strata = stratum
                .map(|name| ("stratum".to_owned(), name.to_owned()))
                .into_iter()
                .collect();
        }
    }

    /// Measures the metrics on the first cases, as many as there are picks, each with the reply picked for it.
    pub(crate) fn measure(
        &mut self,
        picks: &[usize],
        metrics: &[Metric],
        selection: &Selection,
    ) -> Vec<Measurement> {
        let n = picks.len();
        for (case, pick) in self.cases.iter_mut().zip(picks) {
            case.gold[0] = Some(Gold::Label(self.gold_by_reply[*pick]));
        }
        let picked = self.answers.iter().zip(picks);
        let answers = picked.flat_map(|(replies, pick)| &replies[*pick]);
        let sheet = Sheet::new(
            0,
            &self.questions,
            &self.conventions,
            &self.cases[..n],
            answers,
            false,
        );
        metrics
            .iter()
            .map(|metric| measure(&sheet, metric, selection, LEVEL))
            .collect()
    }
}

fn answer(case: &str, question: &Question, said: &Said) -> Answer {
    let key = |option: usize| question.options[option].key.clone();
    let shares = said.shares.as_ref();
    Answer {
        case: case.to_owned(),
        question: String::new(),
        probe: Probe {
            repeat: said.repeat,
            context: said.context,
            ..Probe::base(question.options.len())
        },
        request: None,
        outcome: Ok(Decided {
            label: Some(key(said.label)),
            probabilities: shares.map(|shares| {
                let pairs = shares.iter().enumerate();
                pairs.map(|(option, share)| (key(option), *share)).collect()
            }),
            confidence: None,
            format_mass: None,
            written: None,
        }),
        measured: Measured {
            latency_ms: said.latency_ms,
            cost_usd: said.cost_usd,
            ..Measured::default()
        },
    }
}
