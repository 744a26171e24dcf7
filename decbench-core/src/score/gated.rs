//! Evidence first: a question that counts where a yes/no question of the same request says yes.

use std::collections::HashMap;

use super::observed::{Intake, Observed, Said};
use super::scope::Scope;
use super::share::Share;
use super::value::{Unmeasurable, Value};
use crate::decision::{Answer, Case, Context, Question};
use crate::metric::{Conventions, Gate};

/// The answers to a gate, by case, repeat and view. In further option orders the gate is that of the declared order,
/// so that flips are those of the question behind it.
#[derive(Debug, Default)]
pub struct GateAnswers(HashMap<(String, u32, Context), Observed>);

impl GateAnswers {
    /// Reads the answers to the question called `name`; `cases` say how each case words it.
    pub fn read<'a, 'b>(
        gate: &Gate,
        name: &str,
        questions: &[Question],
        cases: impl IntoIterator<Item = &'a Case>,
        answers: impl IntoIterator<Item = &'b Answer>,
    ) -> Self {
        let conventions = Conventions {
            half: gate.half,
            ..Conventions::default()
        };
        let asked: HashMap<&str, &Question> = cases
            .into_iter()
            .filter_map(|case| {
                let mut asked = case.questions(questions).iter();
                Some((case.id.as_str(), asked.find(|asked| asked.name == name)?))
            })
            .collect();
        let mut found = HashMap::new();
        for answer in answers {
            if answer.question != name || !answer.probe.in_suite_order() {
                continue;
            }
            if let Some(question) = asked.get(answer.case.as_str()) {
                let probe = &answer.probe;
                found
                    .entry((answer.case.clone(), probe.repeat, probe.context))
                    .or_insert_with(|| Observed::read(answer, question, &conventions));
            }
        }
        Self(found)
    }

    /// What is decided by an answer to the question behind the gate; `None` where nobody knows what the gate said.
    pub fn decide(&self, gate: &Gate, case: &Case, answer: Observed) -> Option<Observed> {
        let probe = &answer.probe;
        let said = self
            .0
            .get(&(case.id.clone(), probe.repeat, probe.context))?;
        Some(answer.behind(gate, said))
    }
}

impl Observed {
    /// The decision, where this answer counts only if the gate says yes.
    ///
    /// A gate that failed, or that nobody answered, leaves no decision: its failure is that of the decision. Behind a
    /// closed one the decision is the gate's `otherwise`, with the probability of the gate's no and what its yes leaves
    /// to each option; or there is none.
    fn behind(mut self, gate: &Gate, of_gate: &Self) -> Self {
        match of_gate.said {
            Some(Said::Option(0)) => self.gate = Some(true),
            Some(Said::Option(_) | Said::Half | Said::Closed) => {
                self.gate = Some(false);
                self.failure = None;
                self.truncated = false;
                let shares = gate.otherwise.and_then(|otherwise| {
                    let yes = *of_gate.probabilities.as_ref()?.first()?;
                    let mut shares = self.probabilities.take()?;
                    for share in &mut shares {
                        *share *= yes;
                    }
                    *shares.get_mut(otherwise)? += 1.0 - yes;
                    Some(shares)
                });
                if shares.is_none() {
                    self.intake = Intake::Absent;
                }
                self.probabilities = shares;
                self.said = Some(gate.otherwise.map_or(Said::Closed, Said::Option));
            }
            failed => {
                self.said = failed;
                self.failure = of_gate.failure;
                self.truncated = of_gate.truncated;
                self.probabilities = None;
                self.intake = Intake::Absent;
            }
        }
        self
    }

    /// Whether nothing was decided as the gate before the question is closed.
    pub fn is_undecided(&self) -> bool {
        self.said == Some(Said::Closed)
    }
}

/// The share of cases on which the gate is closed.
pub(super) fn closed_rate(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    if scope.sheet.gate.is_none() {
        return Err(Unmeasurable::because("the question has no gate"));
    }
    Share::of(&scope.rows, |row| row.base()?.gate.map(|open| !open)).value(
        scope.selection.sample,
        scope.level,
        true,
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Sheet, measure};
    use super::*;
    use crate::decision::{
        AnswerOption, Decided, Failure, FailureKind, Gold, Measured, Probe, QuestionKind, State,
    };
    use crate::metric::{HalfReading, Metric, Selection};

    /// P(yes) of the gate, and the team.
    struct Reply(Result<f64, FailureKind>, &'static str);

    struct Data {
        questions: Vec<Question>,
        cases: Vec<Case>,
        answers: Vec<Answer>,
    }

    /// A case a reply: enough evidence and `billing` by gold for the first so many, and not enough for the others.
    fn data(enough: usize, replies: &[Reply]) -> Data {
        let question = |name: &str, kind, keys: &[&str]| Question {
            name: name.to_owned(),
            kind,
            version: None,
            instructions: "?".to_owned(),
            options: keys.iter().map(|key| AnswerOption::new(*key)).collect(),
        };
        let mut data = Data {
            questions: vec![
                question("evidence", QuestionKind::YesNo, &["yes", "no"]),
                question("team", QuestionKind::Choice, &["billing", "sales", "other"]),
            ],
            cases: Vec::new(),
            answers: Vec::new(),
        };
        for (at, Reply(evidence, team)) in replies.iter().enumerate() {
            let mut case = Case::new(format!("c-{at}"), State::Text(at.to_string()));
            case.unit = at as u32;
            let label = usize::from(at >= enough);
            let team_gold = if at < enough { 0 } else { 2 };
            case.gold = vec![Some(Gold::Label(label)), Some(Gold::Label(team_gold))];
            data.cases.push(case);
            let mut say = |question: &str, options, outcome| {
                data.answers.push(Answer {
                    case: format!("c-{at}"),
                    question: question.to_owned(),
                    probe: Probe::base(options),
                    request: None,
                    outcome,
                    measured: Measured {
                        cost_usd: Some(0.001),
                        ..Measured::default()
                    },
                });
            };
            let shares = |shares: &[(&str, f64)]| {
                let pairs = shares
                    .iter()
                    .map(|(key, share)| ((*key).to_owned(), *share));
                Decided {
                    probabilities: Some(pairs.collect()),
                    ..Decided::default()
                }
            };
            say(
                "evidence",
                2,
                match evidence {
                    Ok(yes) => Ok(shares(&[("yes", *yes), ("no", 1.0 - yes)])),
                    Err(kind) => Err(Failure::new(*kind, "no")),
                },
            );
            let of = |key: &str| if *team == key { 0.8 } else { 0.1 };
            say(
                "team",
                3,
                Ok(shares(&[
                    ("billing", of("billing")),
                    ("sales", of("sales")),
                    ("other", of("other")),
                ])),
            );
        }
        data
    }

    fn gate(otherwise: Option<usize>) -> Conventions {
        Conventions {
            gate: Some(Gate {
                question: 0,
                otherwise,
                half: HalfReading::Wrong,
            }),
            ..Conventions::default()
        }
    }

    fn value(data: &Data, conventions: &Conventions, metric: &str) -> Result<Value, Unmeasurable> {
        let sheet = Sheet::new(
            1,
            &data.questions,
            conventions,
            &data.cases,
            &data.answers,
            false,
        );
        let metric = Metric::parse(metric).expect("a metric");
        measure(&sheet, &metric, &Selection::default(), 0.95).value
    }

    const YES: Result<f64, FailureKind> = Ok(0.9);
    const NO: Result<f64, FailureKind> = Ok(0.2);

    #[test]
    fn the_choice_counts_where_the_gate_says_yes_alone() {
        let data = data(
            4,
            &[
                Reply(YES, "billing"),
                Reply(YES, "billing"),
                Reply(YES, "sales"),
                Reply(NO, "sales"),
                Reply(NO, "billing"),
                Reply(Ok(0.5), "billing"),
            ],
        );
        let closed = gate(None);
        let accuracy = value(&data, &closed, "accuracy").expect("a value");
        assert_eq!((accuracy.n, accuracy.value), (3, 2.0 / 3.0));
        assert!(
            accuracy
                .notes
                .iter()
                .any(|note| note.contains("`evidence`") && note.contains("closed on 3 of 6")),
            "{:?}",
            accuracy.notes
        );
        let rate = value(&data, &closed, "gate_closed_rate").expect("a value");
        assert_eq!((rate.n, rate.value, rate.drivers.len()), (6, 0.5, 3));
        assert_eq!(
            value(&data, &closed, "escape_rate").map_err(|why| why.reason),
            Err("the question has no escape option".to_owned())
        );
        // What production pays is paid for closed gates, too.
        let cost = value(&data, &closed, "cost_per_correct").expect("a value");
        assert!((cost.value - 0.006 / 2.0).abs() < 1e-12, "{}", cost.value);
    }

    #[test]
    fn an_option_in_place_of_the_choice_is_scored_with_its_probability() {
        let data = data(
            2,
            &[
                Reply(YES, "billing"),
                Reply(NO, "billing"),
                Reply(NO, "billing"),
                Reply(NO, "sales"),
            ],
        );
        let other = gate(Some(2));
        let accuracy = value(&data, &other, "accuracy").expect("a value");
        assert_eq!((accuracy.n, accuracy.value), (4, 0.75));
        let sheet = Sheet::new(
            1,
            &data.questions,
            &other,
            &data.cases,
            &data.answers,
            false,
        );
        let closed = sheet.rows[2].base().expect("an answer");
        let shares = closed.probabilities.as_ref().expect("probabilities");
        for (share, expected) in shares.iter().zip([0.16, 0.02, 0.82]) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
        assert_eq!(
            value(&data, &other, "gate_closed_rate")
                .expect("a value")
                .value,
            0.75
        );
    }

    #[test]
    fn a_gate_that_fails_fails_the_decision_and_one_that_nobody_answered_leaves_it_open() {
        let replies = [
            Reply(YES, "billing"),
            Reply(Err(FailureKind::Refused), "billing"),
            Reply(Err(FailureKind::RateLimited), "billing"),
        ];
        let mut data = data(3, &replies);
        let accuracy = value(&data, &gate(None), "accuracy").expect("a value");
        assert_eq!((accuracy.n, accuracy.value), (2, 0.5));
        let rate = value(&data, &gate(None), "gate_closed_rate").expect("a value");
        assert_eq!((rate.n, rate.value), (1, 0.0));
        // A gate without an answer in the file is a missing answer of the choice.
        data.answers
            .retain(|answer| answer.case != "c-1" || answer.question != "evidence");
        let sheet_conventions = gate(None);
        let sheet = Sheet::new(
            1,
            &data.questions,
            &sheet_conventions,
            &data.cases,
            &data.answers,
            false,
        );
        let accuracy = Metric::parse("accuracy").expect("a metric");
        let measured = measure(&sheet, &accuracy, &Selection::default(), 0.95);
        assert_eq!(measured.availability.missing, 1);
    }

    #[test]
    fn with_every_gate_closed_there_is_nothing_to_score() {
        let data = data(2, &[Reply(NO, "billing"), Reply(NO, "sales")]);
        let why = value(&data, &gate(None), "accuracy").expect_err("nothing");
        assert_eq!(why.reason, "the gate is closed on every case");
    }
}
