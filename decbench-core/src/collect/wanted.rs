//! The plan spelled out: every call with its material, digests, questions and probes.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::decision::{
    Answer, Asked, Call, Case, Context, ContextLimit, Digest, Excess, Failure, FailureKind, Fit,
    Plan, Probe, Question, RequestDigest, RequestSize, State, orders_of, question_digest,
    state_digest,
};
use crate::provider::{Attempt, Reply};

/// One call of the plan.
pub(crate) struct WantedCall<'a> {
    pub(crate) call: &'a Call,
    pub(crate) case: &'a Case,
    /// The material; absent where the case has no such view.
    pub(crate) state: Option<&'a State>,
    /// What exactly is asked; absent without material or when nobody is asked.
    pub(crate) request: Option<RequestDigest>,
    /// By how much it is longer than what is read of it, where it is; it is not sent then.
    pub(crate) too_long: Option<Excess>,
    /// Its questions.
    pub(crate) questions: Vec<WantedAnswer<'a>>,
    /// Number of its first answer among all wanted answers.
    pub(crate) first: usize,
}

/// One question of a call.
pub(crate) struct WantedAnswer<'a> {
    pub(crate) question: &'a Question,
    pub(crate) probe: Probe,
}

impl WantedCall<'_> {
    /// Which call it is, for a person: the case, and the probe where it is not the usual one.
    pub(crate) fn name(&self) -> String {
        let mut name = format!("case `{}`", self.case.id);
        let Some(first) = self.questions.first() else {
            return name;
        };
        if !first.question.name.is_empty() && self.questions.len() == 1 {
            let _ = write!(name, ", question `{}`", first.question.name);
        }
        name + &probe_name(&first.probe)
    }

    /// Finds out whether it is read whole.
    pub(crate) fn hold_to(&mut self, limit: &ContextLimit) {
        let questions = self.questions.iter().map(|wanted| wanted.question);
        let fit = self
            .state
            .map(|state| limit.fit(RequestSize::of(state, questions)));
        self.too_long = match fit {
            Some(Fit::Cut(excess)) => Some(excess),
            _ => None,
        };
    }

    /// The questions as a provider sees them.
    pub(crate) fn asked(&self) -> Vec<Asked<'_>> {
        self.questions
            .iter()
            .map(|wanted| Asked {
                question: wanted.question,
                order: &wanted.probe.order,
            })
            .collect()
    }

    /// One answer per question from what the provider gave; a call that failed gives its failure to each.
    pub(crate) fn answers(&self, given: Result<Reply, Attempt>) -> Vec<Answer> {
        let (mut outcomes, measured, failure) = match given {
            Ok(reply) => {
                let failure = Failure::new(
                    FailureKind::InvalidAnswer,
                    format!(
                        "{} of {} questions were answered",
                        reply.answers.len(),
                        self.questions.len()
                    ),
                );
                (reply.answers.into_iter(), reply.measured, failure)
            }
            Err(attempt) => (Vec::new().into_iter(), attempt.measured, attempt.failure),
        };
        self.questions
            .iter()
            .map(|wanted| Answer {
                case: self.case.id.clone(),
                question: wanted.question.name.clone(),
                probe: wanted.probe.clone(),
                request: self.request,
                outcome: outcomes.next().unwrap_or_else(|| Err(failure.clone())),
                measured: measured.clone(),
            })
            .collect()
    }
}

/// What is unusual about a probe, each part after a comma.
pub(crate) fn probe_name(probe: &Probe) -> String {
    let mut name = String::new();
    // Writing to a string cannot fail.
    if probe.repeat > 0 {
        let _ = write!(name, ", repeat {}", probe.repeat);
    }
    if !probe.in_suite_order() {
        let _ = write!(name, ", order {:?}", probe.order);
    }
    if probe.context != Context::Production {
        let _ = write!(name, ", context {}", probe.context.name());
    }
    name
}

/// Spells out a plan. `candidate` is absent where nobody is asked: such answers have no digests.
///
/// Calls about cases or questions that do not exist are our own mistake.
pub(crate) fn spell_out<'a>(
    plan: &'a Plan,
    cases: &'a [Case],
    questions: &'a [Question],
    candidate: Option<Digest>,
) -> Vec<WantedCall<'a>> {
    let mut orders = Orders::default();
    let mut digests = Digests::default();
    let mut first = 0;
    plan.calls
        .iter()
        .map(|call| {
            let case = &cases[call.case];
            let asked = case.questions(questions);
            let state = case.state_in(call.context);
            let request = candidate
                .zip(state)
                .map(|(candidate, state)| RequestDigest {
                    question: digests.question(call, case, asked),
                    state: digests.state(call, state),
                    candidate,
                });
            let wanted: Vec<_> = call
                .questions
                .iter()
                .map(|position| {
                    let question = &asked[*position];
                    WantedAnswer {
                        question,
                        probe: Probe {
                            repeat: call.repeat,
                            order: orders.get(question.options.len(), call.order).to_vec(),
                            context: call.context,
                        },
                    }
                })
                .collect();
            let spelled = WantedCall {
                call,
                case,
                state,
                request,
                too_long: None,
                first,
                questions: wanted,
            };
            first += spelled.questions.len();
            spelled
        })
        .collect()
}

/// Orders by number of options, made once.
#[derive(Default)]
struct Orders(HashMap<usize, Vec<Vec<u16>>>);

impl Orders {
    fn get(&mut self, options: usize, number: u32) -> &[u16] {
        let wanted = number as usize + 1;
        let known = self.0.entry(options).or_default();
        if known.len() < wanted {
            *known = orders_of(options, wanted);
        }
        known
            .get(number as usize)
            .expect("a plan asks no question in more orders than its options have")
    }
}

/// Digests that many calls share, made once.
#[derive(Default)]
struct Digests<'a> {
    shared: HashMap<&'a [usize], Digest>,
    states: HashMap<(usize, Context), Digest>,
}

impl<'a> Digests<'a> {
    fn question(&mut self, call: &'a Call, case: &Case, asked: &[Question]) -> Digest {
        let fresh = || question_digest(call.questions.iter().map(|position| &asked[*position]));
        if case.questions.is_some() {
            fresh()
        } else {
            *self.shared.entry(&call.questions).or_insert_with(fresh)
        }
    }

    fn state(&mut self, call: &Call, state: &State) -> Digest {
        *self
            .states
            .entry((call.case, call.context))
            .or_insert_with(|| state_digest(state))
    }
}
