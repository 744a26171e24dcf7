//! One answer read by the suite's conventions: a label, a checked distribution, or a failure.

use super::open::Grade;
use crate::decision::{Answer, FailureKind, Measured, Probe, Question, QuestionKind, Written};
use crate::metric::{Conventions, HalfReading, TieRule};

/// What a candidate said, as a position among the question's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Said {
    /// The option at this position.
    Option(usize),
    /// Yes and no at exactly one half each, where the convention reads that as neither.
    Half,
    /// The model's own failure: wrong, and a label of its own for flips.
    Failed(ModelFailure),
    /// Nothing, as the gate before the question is closed.
    Closed,
    /// An open answer, in the candidate's own words.
    Wrote,
}

impl Said {
    /// The key of the option, or what happened in place of one.
    pub fn told(self, question: &Question) -> String {
        match self {
            Self::Option(option) => question
                .options
                .get(option)
                .map_or_else(|| "?".to_owned(), |option| option.key.clone()),
            Self::Half => "exactly one half".to_owned(),
            Self::Closed => "not decided".to_owned(),
            Self::Wrote => "an answer of its own".to_owned(),
            Self::Failed(ModelFailure::Refused) => FailureKind::Refused.name().to_owned(),
            Self::Failed(ModelFailure::Invalid) => FailureKind::InvalidAnswer.name().to_owned(),
            Self::Failed(ModelFailure::Timeout) => FailureKind::Timeout.name().to_owned(),
        }
    }
}

/// The failures that count as wrong answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ModelFailure {
    /// The model declined.
    Refused,
    /// The reply was no answer to the question.
    Invalid,
    /// No reply in time.
    Timeout,
}

/// How usable the distribution of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Intake {
    /// The candidate gave none.
    Absent,
    /// It sums to 1 as given.
    AsGiven,
    /// It was rescaled to sum to 1.
    Rescaled,
    /// It cannot be used: a missing option, a value outside 0 to 1, or a sum too far from 1.
    Unusable,
}

/// One answer, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// Under which circumstances it was asked.
    pub probe: Probe,
    /// What was said; `None` when nobody answered (rate limits, transport, keys, payment).
    pub said: Option<Said>,
    /// Probability by option in the suite's order, summing to 1.
    pub probabilities: Option<Vec<f64>>,
    /// How usable the given distribution was.
    pub intake: Intake,
    /// The share of probability that fell on the options before it was divided among them.
    pub format_mass: Option<f64>,
    /// How far another candidate agrees with the answer, from 0 to 1; see [`super::Sheet::agree_with`].
    pub agreement: Option<f64>,
    /// Whether the gate before the question is open; `None` without one.
    pub gate: Option<bool>,
    /// What an open question was answered with.
    pub written: Option<Written>,
    /// What is known of an open answer; see [`super::Sheet::grade`].
    pub grade: Option<Box<Grade>>,
    /// Why nobody answered, or how the model failed.
    pub failure: Option<FailureKind>,
    /// Whether the reply was cut off at its longest.
    pub truncated: bool,
    /// What the call took.
    pub measured: Measured,
}

impl Observed {
    /// Reads an answer to `question`.
    pub fn read(answer: &Answer, question: &Question, conventions: &Conventions) -> Self {
        let mut observed = Self {
            probe: answer.probe.clone(),
            said: None,
            probabilities: None,
            intake: Intake::Absent,
            format_mass: None,
            agreement: None,
            gate: None,
            written: None,
            grade: None,
            failure: None,
            truncated: false,
            measured: answer.measured.clone(),
        };
        match &answer.outcome {
            Err(failure) => {
                observed.failure = Some(failure.kind);
                observed.truncated = failure.truncated;
                observed.said = match failure.kind {
                    FailureKind::Refused => Some(Said::Failed(ModelFailure::Refused)),
                    FailureKind::InvalidAnswer => Some(Said::Failed(ModelFailure::Invalid)),
                    FailureKind::Timeout => Some(Said::Failed(ModelFailure::Timeout)),
                    _ => None,
                };
            }
            Ok(decided) if question.kind.is_open() => {
                observed.written.clone_from(&decided.written);
                observed.said = Some(if decided.written.is_some() {
                    Said::Wrote
                } else {
                    observed.failure = Some(FailureKind::InvalidAnswer);
                    Said::Failed(ModelFailure::Invalid)
                });
            }
            Ok(decided) => {
                observed.format_mass = decided.format_mass.filter(|mass| mass.is_finite());
                if let Some(given) = &decided.probabilities {
                    match take_in(given, question, conventions) {
                        Some((probabilities, rescaled)) => {
                            observed.intake = if rescaled {
                                Intake::Rescaled
                            } else {
                                Intake::AsGiven
                            };
                            observed.probabilities = Some(probabilities);
                        }
                        None => observed.intake = Intake::Unusable,
                    }
                }
                let named = decided
                    .label
                    .as_deref()
                    .map(|label| question.index_of(label));
                observed.said = Some(match (named, &observed.probabilities) {
                    (_, Some(probabilities)) if question.kind == QuestionKind::YesNo => {
                        read_yes_no(probabilities, named.flatten(), conventions)
                    }
                    (Some(Some(option)), _) => Said::Option(option),
                    (None, Some(probabilities)) => {
                        Said::Option(top_option(probabilities, question, conventions.ties))
                    }
                    (Some(None), _) | (None, None) => Said::Failed(ModelFailure::Invalid),
                });
                if observed.said == Some(Said::Failed(ModelFailure::Invalid)) {
                    observed.failure = Some(FailureKind::InvalidAnswer);
                    observed.probabilities = None;
                }
            }
        }
        observed
    }

    /// This answer with other probabilities, read by the same conventions: the most probable option, whatever was named.
    pub(super) fn with_probabilities(
        &self,
        probabilities: Vec<f64>,
        question: &Question,
        conventions: &Conventions,
    ) -> Self {
        let said = if question.kind == QuestionKind::YesNo {
            read_yes_no(&probabilities, None, conventions)
        } else {
            Said::Option(top_option(&probabilities, question, conventions.ties))
        };
        Self {
            said: Some(said),
            probabilities: Some(probabilities),
            ..self.clone()
        }
    }

    /// The option that was named, if one was.
    pub fn option(&self) -> Option<usize> {
        match self.said {
            Some(Said::Option(option)) => Some(option),
            _ => None,
        }
    }

    /// The largest probability.
    pub fn top(&self) -> Option<f64> {
        self.probabilities
            .as_ref()
            .map(|shares| shares.iter().copied().fold(0.0, f64::max))
    }

    /// By how much the largest probability exceeds the next.
    pub fn margin(&self) -> Option<f64> {
        self.probabilities.as_ref().map(|shares| {
            let (first, second) = shares.iter().fold((0.0, 0.0), |(first, second), share| {
                if *share > first {
                    (*share, first)
                } else {
                    (first, f64::max(second, *share))
                }
            });
            first - second
        })
    }

    /// The expected level of a score.
    pub fn expected_level(&self) -> Option<f64> {
        self.probabilities.as_ref().map(|shares| {
            shares
                .iter()
                .enumerate()
                .map(|(level, share)| level as f64 * share)
                .sum()
        })
    }

    /// Whether the reply's format was at fault: an unusable distribution or an invalid answer.
    pub fn is_format_error(&self) -> bool {
        self.intake == Intake::Unusable || self.failure == Some(FailureKind::InvalidAnswer)
    }
}

/// The distribution in the suite's order, rescaled where its sum is off by no more than the tolerance.
fn take_in(
    given: &[(String, f64)],
    question: &Question,
    conventions: &Conventions,
) -> Option<(Vec<f64>, bool)> {
    let mut shares = vec![f64::NAN; question.options.len()];
    // Most services answer in the order asked, so the next expected position is tried first.
    for (position, (key, value)) in given.iter().enumerate() {
        let at = match question.options.get(position) {
            Some(option) if option.key == *key => position,
            _ => question.index_of(key)?,
        };
        let slot = shares.get_mut(at)?;
        if !slot.is_nan() || !(0.0..=1.0).contains(value) {
            return None;
        }
        *slot = *value;
    }
    if shares.iter().any(|share| share.is_nan()) {
        return None;
    }
    let sum: f64 = shares.iter().sum();
    let off = (sum - 1.0).abs();
    if off <= 1.5e-6 {
        return Some((shares, false));
    }
    // The slack keeps a sum that is off by exactly the tolerance on the good side of rounding.
    if sum <= 0.0 || off > conventions.sum_tolerance.for_options(shares.len()) + 1e-12 {
        return None;
    }
    for share in &mut shares {
        *share /= sum;
    }
    Some((shares, true))
}

/// Yes/no reads from P(yes); a service's own label only decides nothing that P(yes) leaves open.
fn read_yes_no(probabilities: &[f64], named: Option<usize>, conventions: &Conventions) -> Said {
    let yes = probabilities.first().copied().unwrap_or(0.5);
    let no = probabilities.get(1).copied().unwrap_or(0.5);
    if yes > no {
        Said::Option(named.unwrap_or(0))
    } else if no > yes {
        Said::Option(named.unwrap_or(1))
    } else {
        match conventions.half {
            HalfReading::Yes => Said::Option(0),
            HalfReading::No => Said::Option(1),
            HalfReading::Wrong => Said::Half,
        }
    }
}

/// The option with the largest probability, ties by the convention.
fn top_option(probabilities: &[f64], question: &Question, ties: TieRule) -> usize {
    let top = probabilities.iter().copied().fold(0.0, f64::max);
    let mut tied = (0..probabilities.len()).filter(|option| probabilities[*option] == top);
    match ties {
        TieRule::First => tied.next().unwrap_or(0),
        TieRule::Lexicographic => tied
            .min_by(|a, b| question.options[*a].key.cmp(&question.options[*b].key))
            .unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Decided};
    use crate::metric::SumTolerance;

    fn question(kind: QuestionKind, keys: &[&str]) -> Question {
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "?".into(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        }
    }

    fn read(
        kind: QuestionKind,
        keys: &[&str],
        label: Option<&str>,
        given: &[(&str, f64)],
        conventions: &Conventions,
    ) -> Observed {
        let question = question(kind, keys);
        let answer = Answer {
            case: "c".into(),
            question: String::new(),
            probe: Probe::base(keys.len()),
            request: None,
            outcome: Ok(Decided {
                label: label.map(Into::into),
                probabilities: (!given.is_empty()).then(|| {
                    given
                        .iter()
                        .map(|(key, share)| ((*key).into(), *share))
                        .collect()
                }),
                ..Decided::default()
            }),
            measured: Measured::default(),
        };
        Observed::read(&answer, &question, conventions)
    }

    #[test]
    fn a_sum_within_the_tolerance_is_rescaled_and_beyond_it_unusable() {
        let conventions = Conventions::default();
        let near = read(
            QuestionKind::Choice,
            &["a", "b"],
            None,
            &[("a", 0.6), ("b", 0.39)],
            &conventions,
        );
        assert_eq!(near.intake, Intake::Rescaled);
        assert_eq!(near.option(), Some(0));
        let far = read(
            QuestionKind::Choice,
            &["a", "b"],
            Some("b"),
            &[("a", 0.6), ("b", 0.1)],
            &conventions,
        );
        assert_eq!(
            (far.intake, far.option(), far.probabilities),
            (Intake::Unusable, Some(1), None)
        );
        let nothing = read(
            QuestionKind::Choice,
            &["a", "b"],
            None,
            &[("a", 0.0), ("b", 0.0)],
            &conventions,
        );
        assert_eq!(nothing.said, Some(Said::Failed(ModelFailure::Invalid)));
        let mut wide = conventions;
        wide.sum_tolerance = SumTolerance::Within(0.5);
        assert_eq!(
            read(
                QuestionKind::Choice,
                &["a", "b"],
                None,
                &[("a", 0.6), ("b", 0.1)],
                &wide
            )
            .intake,
            Intake::Rescaled
        );
    }

    #[test]
    fn ties_follow_the_convention() {
        let mut conventions = Conventions::default();
        let tied: &[(&str, f64)] = &[("zebra", 0.5), ("ant", 0.5)];
        assert_eq!(
            read(
                QuestionKind::Choice,
                &["zebra", "ant"],
                None,
                tied,
                &conventions
            )
            .option(),
            Some(0)
        );
        conventions.ties = TieRule::Lexicographic;
        assert_eq!(
            read(
                QuestionKind::Choice,
                &["zebra", "ant"],
                None,
                tied,
                &conventions
            )
            .option(),
            Some(1)
        );
    }

    #[test]
    fn one_half_is_neither_yes_nor_no_unless_the_convention_says_so() {
        let mut conventions = Conventions::default();
        let half: &[(&str, f64)] = &[("yes", 0.5), ("no", 0.5)];
        let said = |conventions: &Conventions| {
            read(QuestionKind::YesNo, &["yes", "no"], None, half, conventions).said
        };
        assert_eq!(said(&conventions), Some(Said::Half));
        conventions.half = HalfReading::Yes;
        assert_eq!(said(&conventions), Some(Said::Option(0)));
    }

    #[test]
    fn a_label_outside_the_options_is_an_invalid_answer() {
        let observed = read(
            QuestionKind::Choice,
            &["a", "b"],
            Some("c"),
            &[],
            &Conventions::default(),
        );
        assert_eq!(observed.said, Some(Said::Failed(ModelFailure::Invalid)));
        assert!(observed.is_format_error());
    }
}
