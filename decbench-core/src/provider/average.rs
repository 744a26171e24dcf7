//! `average_orders`: the same question in two or three option orders side by side, and the mean of the probabilities.
//!
//! Where a model favours what stands first, the mean favours nobody. All calls count: their tokens add up, and the
//! slowest is what was waited for.

use super::contract::{
    Attempt, BoxFuture, Demand, Identity, Provider, Reply, SettingError, Settings,
};
use super::parts::{all_or_failure, together, top_label};
use super::service::{Connected, Description, Outside, Service};
use super::setting::{Reader, SettingKey};
use super::side_by_side::run_all;
use crate::decision::{Asked, Decided, Failure, Question, QuestionKind, Request, State, orders_of};

const NAME: &str = "average_orders";

/// Settings that every service takes, whatever it is.
pub const SERVICE_SETTINGS: &[SettingKey] = &[SettingKey::new(
    NAME,
    "2",
    "Asks in 2 or 3 option orders at once and takes the mean of the probabilities; all calls are paid.",
)];

impl Service {
    /// What is known of a candidate of this service before anything is called.
    ///
    /// # Errors
    ///
    /// Every setting that is missing or cannot be used.
    pub fn description(&self, settings: &Settings) -> Result<Description, Vec<SettingError>> {
        let (orders, own) = take_orders(settings)?;
        let mut description = (self.describe)(&own)?;
        if let Some(orders) = orders {
            if description.probabilities == Some(false) {
                return Err(vec![SettingError {
                    key: Some(NAME.to_owned()),
                    message: format!(
                        "`{NAME}` is a mean of probabilities, and this candidate gives none"
                    ),
                    help: Some(format!("remove `{NAME}`")),
                }]);
            }
            let parameters = &mut description.identity.parameters;
            parameters.insert(NAME.to_owned(), orders.into());
        }
        Ok(description)
    }

    /// The candidate, ready to call.
    ///
    /// # Errors
    ///
    /// What stands in the way: settings, the key, or what the crate was built without.
    pub fn connection(&self, settings: &Settings, outside: &Outside<'_>) -> Connected {
        let wrong = super::service::ConnectError::Settings;
        let (orders, own) = take_orders(settings).map_err(wrong)?;
        let inner = (self.connect)(&own, outside)?;
        match orders {
            None => Ok(inner),
            Some(orders) => Ok(Box::new(Averaged {
                identity: self.description(settings).map_err(wrong)?.identity,
                inner,
                orders,
            })),
        }
    }
}

/// In how many orders to ask, and the service's own settings.
fn take_orders(settings: &Settings) -> Result<(Option<u32>, Settings), Vec<SettingError>> {
    let mut reader = Reader::new(settings);
    let orders = reader.whole(NAME, 2, 3).map(|orders| orders as u32);
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    let mut own = settings.clone();
    own.shift_remove(NAME);
    Ok((orders, own))
}

/// A provider that is asked in several option orders.
struct Averaged {
    inner: Box<dyn Provider>,
    orders: u32,
    identity: Identity,
}

impl Provider for Averaged {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn remote(&self) -> bool {
        self.inner.remote()
    }

    fn demand(&self, state: &State, questions: usize) -> Demand {
        let inner = self.inner.demand(state, questions);
        Demand {
            requests: inner.requests.saturating_mul(self.orders),
            ..inner
        }
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(async move {
            // Per call, the questions that have such an order, by their position.
            let shown: Vec<Vec<(usize, Vec<u16>)>> = (0..self.orders as usize)
                .map(|number| {
                    let orders = request.questions.iter().enumerate();
                    orders
                        .filter_map(|(at, asked)| Some((at, other_order(asked, number)?)))
                        .collect()
                })
                .filter(|questions: &Vec<_>| !questions.is_empty())
                .collect();
            let asked: Vec<Vec<Asked<'_>>> = shown
                .iter()
                .map(|questions| {
                    let asked = questions.iter().map(|(at, order)| Asked {
                        question: request.questions[*at].question,
                        order,
                    });
                    asked.collect()
                })
                .collect();
            let calls = asked.iter().map(|questions| {
                self.inner.ask(Request {
                    questions,
                    ..request
                })
            });
            let replies = all_or_failure(run_all(calls.collect()).await)?;
            let measured = together(replies.iter().map(|reply| &reply.measured));
            let mut given: Vec<Vec<Result<Decided, Failure>>> =
                request.questions.iter().map(|_| Vec::new()).collect();
            for (reply, questions) in replies.into_iter().zip(&shown) {
                for (answer, (at, _)) in reply.answers.into_iter().zip(questions) {
                    given[*at].push(answer);
                }
            }
            let answers = given.into_iter().zip(request.questions);
            Ok(Reply {
                answers: answers
                    .map(|(given, asked)| mean(given, asked.question))
                    .collect(),
                measured,
            })
        })
    }
}

/// The order with this number, counted from the one that is asked for; `None` where the question has no such order.
/// Levels of a score have one order.
fn other_order(asked: &Asked<'_>, number: usize) -> Option<Vec<u16>> {
    if number > 0 && asked.question.kind == QuestionKind::Score {
        return None;
    }
    let slots = orders_of(asked.order.len(), number + 1)
        .into_iter()
        .nth(number)?;
    slots
        .iter()
        .map(|slot| asked.order.get(usize::from(*slot)).copied())
        .collect()
}

/// The mean of the distributions. A failure in one order is a failure; where one order came without a usable
/// distribution there is none, and the label is the commonest, of equally common ones the first.
fn mean(given: Vec<Result<Decided, Failure>>, question: &Question) -> Result<Decided, Failure> {
    let mut decided = Vec::with_capacity(given.len());
    for answer in given {
        decided.push(answer?);
    }
    if decided.len() == 1 {
        return Ok(decided.remove(0));
    }
    let Some(shares) = shares(&decided, question) else {
        return Ok(Decided {
            label: commonest(&decided),
            ..Decided::default()
        });
    };
    let masses: Option<Vec<f64>> = decided.iter().map(|one| one.format_mass).collect();
    Ok(Decided {
        label: top_label(&shares),
        probabilities: Some(shares),
        confidence: None,
        format_mass: masses.map(|masses| masses.iter().sum::<f64>() / masses.len() as f64),
        written: None,
    })
}

/// The mean by option, in the suite's order; `None` where a distribution lacks an option or holds no probability.
fn shares(decided: &[Decided], question: &Question) -> Option<Vec<(String, f64)>> {
    let mut sums = vec![0.0; question.options.len()];
    for one in decided {
        let given = one.probabilities.as_ref()?;
        if given.len() != sums.len() {
            return None;
        }
        for (sum, option) in sums.iter_mut().zip(&question.options) {
            let share = given.iter().find(|(key, _)| *key == option.key)?.1;
            *sum += Some(share).filter(|share| (0.0..=1.0).contains(share))?;
        }
    }
    let keys = question.options.iter().map(|option| option.key.clone());
    let count = decided.len() as f64;
    Some(keys.zip(sums.iter().map(|sum| sum / count)).collect())
}

fn commonest(decided: &[Decided]) -> Option<String> {
    let labels: Vec<&str> = decided
        .iter()
        .filter_map(|one| one.label.as_deref())
        .collect();
    let count = |label: &str| labels.iter().filter(|other| **other == label).count();
    let most = labels.iter().map(|label| count(label)).max()?;
    let first = labels.iter().find(|label| count(label) == most);
    first.map(|label| (*label).to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::decision::{AnswerOption, FailureKind, Measured, State};
    use crate::provider::contract::Retry;

    /// Gives the option shown first 0.2 more than its due, and remembers the orders.
    struct FirstSlot {
        identity: Identity,
        seen: Mutex<Vec<Vec<u16>>>,
        fails_in: Option<u16>,
    }

    impl Provider for FirstSlot {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(async move {
                let asked = request.questions[0];
                let mut seen = self.seen.lock().expect("no panic");
                seen.push(asked.order.to_vec());
                let measured = Measured {
                    latency_ms: Some(seen.len() as f64),
                    input_tokens: Some(10),
                    ..Measured::default()
                };
                if self.fails_in == Some(asked.order[0]) {
                    return Err(Attempt {
                        failure: Failure::new(FailureKind::Overloaded, "busy"),
                        retry: Retry::Soon,
                        measured: Measured::default(),
                    });
                }
                let due = [0.5, 0.3];
                let shares = asked.order.iter().enumerate().map(|(slot, option)| {
                    let more = if slot == 0 { 0.2 } else { 0.0 };
                    let key = asked.question.options[usize::from(*option)].key.clone();
                    (key, due[usize::from(*option)] + more)
                });
                Ok(Reply {
                    answers: vec![Ok(Decided {
                        probabilities: Some(shares.collect()),
                        ..Decided::default()
                    })],
                    measured,
                })
            })
        }
    }

    fn question(kind: QuestionKind) -> Question {
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: String::new(),
            options: ["a", "b"].map(AnswerOption::new).into(),
        }
    }

    fn ask(
        kind: QuestionKind,
        orders: u32,
        fails_in: Option<u16>,
    ) -> (Result<Reply, Attempt>, Vec<Vec<u16>>) {
        let identity = Identity {
            provider: "p".to_owned(),
            model: None,
            parameters: serde_json::Map::new(),
        };
        let averaged = Averaged {
            inner: Box::new(FirstSlot {
                identity: identity.clone(),
                seen: Mutex::default(),
                fails_in,
            }),
            orders,
            identity,
        };
        let question = question(kind);
        let asked = [Asked {
            question: &question,
            order: &[1, 0],
        }];
        let request = Request {
            case: "c",
            state: &State::Text("x".to_owned()),
            questions: &asked,
        };
        let reply = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime")
            .block_on(averaged.ask(request));
        let orders = (0..orders as usize).filter_map(|number| other_order(&asked[0], number));
        (reply, orders.collect())
    }

    #[test]
    fn what_the_first_slot_adds_is_shared_by_all() {
        let (reply, orders) = ask(QuestionKind::Choice, 3, None);
        assert_eq!(orders, [[1, 0], [0, 1]], "two options have two orders");
        let reply = reply.expect("a reply");
        let decided = reply.answers[0].as_ref().expect("an answer");
        let shares = decided.probabilities.as_ref().expect("probabilities");
        assert!((shares[0].1 - 0.6).abs() < 1e-12 && (shares[1].1 - 0.4).abs() < 1e-12);
        assert_eq!(shares[0].0, "a", "in the suite's order");
        assert_eq!(reply.measured.input_tokens, Some(20), "both are paid");
        assert_eq!(reply.measured.latency_ms, Some(2.0), "the slowest counts");
    }

    #[test]
    fn levels_of_a_score_have_one_order() {
        let (reply, orders) = ask(QuestionKind::Score, 3, None);
        assert_eq!(orders.len(), 1);
        assert_eq!(reply.expect("a reply").measured.input_tokens, Some(10));
    }

    #[test]
    fn a_failure_in_one_order_is_the_answers_failure() {
        let (reply, _) = ask(QuestionKind::Choice, 2, Some(0));
        let attempt = reply.expect_err("one of two failed");
        assert_eq!(attempt.failure.kind, FailureKind::Overloaded);
        assert_eq!(attempt.measured.input_tokens, Some(10), "the other is paid");
    }

    #[test]
    fn labels_without_probabilities_are_counted_and_get_none() {
        let label = |text: &str| {
            Ok(Decided {
                label: Some(text.to_owned()),
                ..Decided::default()
            })
        };
        let question = question(QuestionKind::Choice);
        let decided = mean(vec![label("b"), label("a"), label("a")], &question).expect("labels");
        assert_eq!(decided.label.as_deref(), Some("a"));
        assert_eq!(decided.probabilities, None);
        let tied = mean(vec![label("b"), label("a")], &question).expect("labels");
        assert_eq!(tied.label.as_deref(), Some("b"));
    }
}
