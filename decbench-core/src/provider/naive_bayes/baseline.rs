//! The baseline as a provider: its settings, its folds, its answers.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::model::{Lessons, Models};
use super::words::words;
use crate::decision::{
    Asked, Decided, Digest, Failure, FailureKind, Measured, Question, Request, question_digest,
};
use crate::provider::contract::{
    Attempt, BoxFuture, Identity, Provider, Reply, Retry, SettingError, Settings,
};
use crate::provider::setting::{Reader, SettingKey, unknown_keys};

/// The provider's name in suites.
pub const NAME: &str = "naive-bayes";

/// The settings it knows.
pub(crate) const SETTINGS: &[SettingKey] = &[
    SettingKey::new(
        "folds",
        "5",
        "Parts that `dev` is cut into for cross-fitting.",
    ),
    SettingKey::new("seed", "0", "Changes which unit goes into which fold."),
    SettingKey::new(
        "smoothing",
        "1",
        "Added to every count of words; more than 0.",
    ),
];

/// A case of the suite: what it may teach, and what must not be known when it is asked about.
#[derive(Debug, Clone)]
pub struct Example<'a> {
    /// Id of the case.
    pub case: &'a str,
    /// Its unit of evidence.
    pub unit: u32,
    /// Whether it is kept for the final look, and therefore teaches nothing.
    pub lockbox: bool,
    /// The state as text.
    pub state: std::borrow::Cow<'a, str>,
    /// For each of its questions the position of the right option, where there is one.
    pub labels: Vec<(&'a Question, Option<usize>)>,
}

/// A trained baseline.
#[derive(Debug)]
pub struct NaiveBayes {
    identity: Identity,
    smoothing: f64,
    /// The fold of each unit that stands in `dev`.
    folds: HashMap<u32, usize>,
    /// The unit of each case.
    units: HashMap<String, u32>,
    /// By question.
    models: HashMap<Digest, Models>,
}

struct Parameters {
    folds: usize,
    seed: u64,
    smoothing: f64,
}

impl NaiveBayes {
    /// The identity of a baseline with these settings and examples, without training it.
    ///
    /// # Errors
    ///
    /// Every setting that is unknown or cannot be used.
    pub fn identity(
        settings: &Settings,
        examples: &[Example<'_>],
    ) -> Result<Identity, Vec<SettingError>> {
        read(settings).map(|parameters| identity(&parameters, examples))
    }

    /// Trains on the examples; all cases that will be asked about must be among them, labelled or not.
    ///
    /// # Errors
    ///
    /// Every setting that is unknown or cannot be used.
    pub fn train(settings: &Settings, examples: &[Example<'_>]) -> Result<Self, Vec<SettingError>> {
        let parameters = read(settings)?;
        let folds = deal(examples, &parameters);
        let mut lessons: HashMap<Digest, Lessons> = HashMap::new();
        for example in examples {
            for (question, label) in &example.labels {
                let lessons = lessons
                    .entry(question_digest([*question]))
                    .or_insert_with(|| Lessons::of(question));
                if let (Some(label), false) = (label, example.lockbox) {
                    lessons.learn(&example.state, *label, folds[&example.unit]);
                }
            }
        }
        Ok(Self {
            identity: identity(&parameters, examples),
            smoothing: parameters.smoothing,
            folds,
            units: examples
                .iter()
                .map(|example| (example.case.to_owned(), example.unit))
                .collect(),
            models: lessons
                .into_iter()
                .map(|(question, lessons)| (question, lessons.models(parameters.smoothing)))
                .collect(),
        })
    }

    fn answer(&self, request: &Request<'_>) -> Result<Reply, Failure> {
        let unit = self.units.get(request.case).ok_or_else(|| {
            Failure::new(
                FailureKind::InvalidAnswer,
                "the baseline was not told about this case, so it cannot leave it out of its training",
            )
        })?;
        // A lock-box case whose unit also stands in `dev` is scored without that unit.
        let left_out = self.folds.get(unit).copied();
        let words = words(&request.state.as_text());
        Ok(Reply {
            answers: request
                .questions
                .iter()
                .map(|asked| Ok(self.decide(asked, &words, left_out)))
                .collect(),
            measured: Measured::default(),
        })
    }

    fn decide(&self, asked: &Asked<'_>, words: &[String], left_out: Option<usize>) -> Decided {
        let untaught;
        let model = if let Some(models) = self.models.get(&question_digest([asked.question])) {
            models.leaving_out(left_out)
        } else {
            untaught = Lessons::of(asked.question).untaught(self.smoothing);
            &untaught
        };
        let probabilities = model.probabilities(words);
        let mut top = 0;
        for (option, probability) in probabilities.iter().enumerate() {
            if *probability > probabilities[top] {
                top = option;
            }
        }
        let keys = asked
            .question
            .options
            .iter()
            .map(|option| option.key.clone());
        let pairs: Vec<_> = keys.zip(probabilities).collect();
        Decided {
            label: pairs.get(top).map(|(key, _)| key.clone()),
            probabilities: Some(pairs),
            ..Decided::default()
        }
    }
}

impl Provider for NaiveBayes {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn remote(&self) -> bool {
        false
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        let answer = self.answer(&request).map_err(|failure| Attempt {
            failure,
            retry: Retry::Never,
            measured: Measured::default(),
        });
        Box::pin(std::future::ready(answer))
    }
}

fn read(settings: &Settings) -> Result<Parameters, Vec<SettingError>> {
    let mut reader = Reader::new(settings);
    reader.errors = unknown_keys(settings, &[SETTINGS]);
    let parameters = Parameters {
        folds: reader.whole("folds", 2, 1000).unwrap_or(5) as usize,
        seed: reader.whole("seed", 0, u64::MAX).unwrap_or(0),
        smoothing: reader.amount("smoothing").unwrap_or(1.0),
    };
    if parameters.smoothing == 0.0 {
        reader.wrong(
            "smoothing",
            "`smoothing` must be more than 0",
            "smoothing: 1",
        );
    }
    if reader.errors.is_empty() {
        Ok(parameters)
    } else {
        Err(reader.errors)
    }
}

/// The examples are parameters: with other labels it is another candidate.
fn identity(parameters: &Parameters, examples: &[Example<'_>]) -> Identity {
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(examples.len() * 4);
    for example in examples {
        parts.push(example.case.as_bytes().to_vec());
        parts.push(vec![u8::from(example.lockbox)]);
        parts.push(example.unit.to_le_bytes().to_vec());
        parts.push(example.state.as_bytes().to_vec());
        for (question, label) in &example.labels {
            parts.push(question_digest([*question]).to_string().into_bytes());
            parts.push(label.map_or_else(Vec::new, |label| label.to_string().into_bytes()));
        }
    }
    let examples = Digest::of(parts.iter().map(Vec::as_slice));
    let mut named = serde_json::Map::new();
    named.insert("folds".to_owned(), Value::from(parameters.folds));
    named.insert("seed".to_owned(), Value::from(parameters.seed));
    named.insert("smoothing".to_owned(), Value::from(parameters.smoothing));
    named.insert("examples".to_owned(), Value::from(examples.to_string()));
    Identity {
        provider: NAME.to_owned(),
        model: None,
        parameters: named,
    }
}

/// Deals the units of `dev` into folds: in the order of a seeded hash of each unit's first case id, one after the
/// other. The order of the cases in their file does not matter.
fn deal(examples: &[Example<'_>], parameters: &Parameters) -> HashMap<u32, usize> {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    for example in examples.iter().filter(|example| !example.lockbox) {
        let name = names.entry(example.unit).or_insert(example.case);
        *name = (*name).min(example.case);
    }
    let mut order: Vec<(Digest, u32)> = names
        .into_iter()
        .map(|(unit, name)| {
            let seed = parameters.seed.to_le_bytes();
            (Digest::of([seed.as_slice(), name.as_bytes()]), unit)
        })
        .collect();
    order.sort_unstable();
    order
        .into_iter()
        .enumerate()
        .map(|(position, (_, unit))| (unit, position % parameters.folds))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, QuestionKind, State};

    fn question(kind: QuestionKind, options: &[(&str, &str)]) -> Question {
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "Which?".to_owned(),
            options: options
                .iter()
                .map(|(key, text)| AnswerOption::new(*key).described(*text))
                .collect(),
        }
    }

    fn example<'a>(
        case: &'a str,
        unit: u32,
        state: &'a str,
        question: &'a Question,
        label: Option<usize>,
    ) -> Example<'a> {
        Example {
            case,
            unit,
            lockbox: false,
            state: state.into(),
            labels: vec![(question, label)],
        }
    }

    fn ask(model: &NaiveBayes, case: &str, state: &str, question: &Question) -> Vec<f64> {
        let order: Vec<u16> = (0..question.options.len() as u16).collect();
        let asked = Asked {
            question,
            order: &order,
        };
        let reply = model
            .answer(&Request {
                case,
                state: &State::Text(state.to_owned()),
                questions: &[asked],
            })
            .expect("a known case");
        let decided = reply.answers[0].as_ref().expect("an answer");
        let pairs = decided.probabilities.as_ref().expect("probabilities");
        pairs.iter().map(|(_, probability)| *probability).collect()
    }

    #[test]
    fn the_textbook_example_has_the_textbook_ratio() {
        // Manning, Raghavan and Schütze 2008, table 13.1. The options bring one document each ("in", "out"), so the
        // expected figure is computed here from the formula with those documents counted in.
        let question = question(QuestionKind::Choice, &[("in", ""), ("out", "")]);
        let examples = [
            example("1", 1, "Chinese Beijing Chinese", &question, Some(0)),
            example("2", 2, "Chinese Chinese Shanghai", &question, Some(0)),
            example("3", 3, "Chinese Macao", &question, Some(0)),
            example("4", 4, "Tokyo Japan Chinese", &question, Some(1)),
            Example {
                lockbox: true,
                ..example("5", 5, "", &question, Some(1))
            },
        ];
        let model = NaiveBayes::train(&Settings::new(), &examples).expect("no settings");
        let got = ask(
            &model,
            "5",
            "Chinese Chinese Chinese Tokyo Japan",
            &question,
        );
        let inside = 5.0 / 8.0 * (6.0_f64 / 17.0).powi(3) * (1.0 / 17.0) * (1.0 / 17.0);
        let outside = 3.0 / 8.0 * (2.0_f64 / 12.0).powi(3) * (2.0 / 12.0) * (2.0 / 12.0);
        assert!(
            (got[0] - inside / (inside + outside)).abs() < 1e-12,
            "{got:?}"
        );
    }

    #[test]
    fn a_case_and_its_unit_teach_nothing_about_themselves() {
        let question = question(
            QuestionKind::YesNo,
            &[("yes", "wanted"), ("no", "unwanted")],
        );
        let with = |label| {
            let mut examples: Vec<_> = (0..20)
                .map(|unit| example(["a", "b"][unit as usize % 2], unit, "x", &question, None))
                .collect();
            examples.push(example("twin", 99, "secret word", &question, Some(label)));
            examples.push(example("own", 99, "secret word", &question, Some(label)));
            let model = NaiveBayes::train(&Settings::new(), &examples).expect("no settings");
            ask(&model, "own", "secret word", &question)
        };
        assert_eq!(with(0), with(1));
    }

    #[test]
    fn a_lock_box_case_is_scored_without_its_unit_and_teaches_nobody() {
        let question = question(QuestionKind::YesNo, &[("yes", ""), ("no", "")]);
        let with = |lockbox_label, twin_label| {
            let mut examples: Vec<_> = ["d1", "d2", "d3", "d4", "d5", "d6"]
                .into_iter()
                .zip(0..)
                .map(|(case, unit)| example(case, unit, "plain words", &question, Some(1)))
                .collect();
            examples.push(example("twin", 50, "rare", &question, Some(twin_label)));
            examples.push(Example {
                lockbox: true,
                ..example("locked", 50, "rare", &question, Some(lockbox_label))
            });
            let model = NaiveBayes::train(&Settings::new(), &examples).expect("no settings");
            (
                ask(&model, "locked", "rare", &question),
                ask(&model, "d1", "rare", &question),
            )
        };
        assert_eq!(with(0, 0).0, with(1, 1).0);
        assert_eq!(with(0, 0).1, with(1, 0).1);
    }

    #[test]
    fn the_order_of_the_cases_does_not_matter() {
        let question = question(QuestionKind::Score, &[("0", "calm"), ("1", "angry")]);
        let mut examples = vec![
            example("a", 0, "all is fine", &question, Some(0)),
            example("b", 1, "this is an outrage", &question, Some(1)),
            example("c", 2, "fine, thank you", &question, Some(0)),
            example("d", 3, "an outrage again", &question, Some(1)),
        ];
        let before = NaiveBayes::train(&Settings::new(), &examples).expect("no settings");
        examples.reverse();
        let after = NaiveBayes::train(&Settings::new(), &examples).expect("no settings");
        for case in ["a", "b", "c", "d"] {
            assert_eq!(
                ask(&before, case, "an outrage", &question),
                ask(&after, case, "an outrage", &question)
            );
        }
    }
}
