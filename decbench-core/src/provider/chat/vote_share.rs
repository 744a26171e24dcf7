//! `vote-share`: a chat model is asked several times, and an option's share of the votes is its probability.
//!
//! Votes that name no option are no part of the shares; how many do is the format mass.

use crate::provider::caps::Caps;
use crate::provider::contract::{Identity, SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::{Reader, SettingKey};
use crate::provider::target::{Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};

const NAME: &str = "vote-share";
const USUAL: Usual = usual(NAME);
const SETTINGS: &[SettingKey] = &[
    MODEL,
    SettingKey::new("samples", "5", "How often it is asked, from 2 to 100."),
    TEMPERATURE,
    MAX_TOKENS,
    MAX_TOKENS_FIELD,
    PARAMETERS,
];
const SAMPLES: u32 = 5;
const LONGEST: u64 = 16;

/// The row of the table.
pub(crate) const VOTE_SHARE: ProviderKind = ProviderKind {
    name: NAME,
    about: "A chat model asked several times; an option's share of the votes is its probability.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: Some(&USUAL),
        describe,
        connect,
    }),
};

fn read(settings: &Settings) -> Result<(Target, (Chat, u32)), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| {
        let chat = Chat::read(reader, LONGEST);
        if chat.temperature == Some(0.0) {
            reader.wrong(
                "temperature",
                "at temperature 0 every vote is the same, and their share says nothing",
                "temperature: 1",
            );
        }
        (chat, read_samples(reader))
    })
}

fn read_samples(reader: &mut Reader<'_>) -> u32 {
    let samples = reader.whole("samples", 2, 100);
    samples.map_or(SAMPLES, |samples| samples as u32)
}

fn identity(target: &Target, chat: &Chat, samples: u32) -> Identity {
    let mut own = chat.identity();
    own.push(("samples".to_owned(), samples.into()));
    target.identity(own)
}

fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let (target, (chat, samples)) = read(settings)?;
    Ok(Description {
        identity: identity(&target, &chat, samples),
        host: target.endpoint.host(),
        price: None,
        caps: Caps::default(),
        context: None,
        probabilities: Some(true),
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Http;
    use crate::provider::service::ConnectError;

    let (target, (chat, samples)) = read(settings).map_err(ConnectError::Settings)?;
    Ok(Box::new(calls::VoteShare {
        http: Http::for_target(&target, outside)?,
        identity: identity(&target, &chat, samples),
        model: target.model,
        chat,
        samples,
    }))
}

#[cfg(not(feature = "http"))]
fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(feature = "http")]
mod calls {
    use serde_json::{Map, Value};

    use super::super::completion;
    use super::super::settings::Chat;
    use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, Request, State};
    use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply};
    use crate::provider::http::Http;
    use crate::provider::parts::{all_or_failure, one_by_one, together, top_label};
    use crate::provider::prompt::{BYTES, labels_of_numbers, messages_for_label};
    use crate::provider::reading::invalid;
    use crate::provider::side_by_side::run_all;

    /// A chat model that votes, ready to call.
    pub(super) struct VoteShare {
        pub(super) http: Http,
        pub(super) identity: Identity,
        pub(super) model: String,
        pub(super) chat: Chat,
        pub(super) samples: u32,
    }

    impl Provider for VoteShare {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn demand(&self, _state: &State, questions: usize) -> Demand {
            let questions = u32::try_from(questions).unwrap_or(u32::MAX).max(1);
            Demand {
                requests: questions.saturating_mul(self.samples),
                further_bytes: BYTES,
                output_tokens: self.chat.max_tokens,
                ..Demand::default()
            }
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(one_by_one(request, |request| self.poll(request)))
        }
    }

    impl VoteShare {
        /// All votes on one question, side by side.
        async fn poll(&self, request: Request<'_>) -> Result<Reply, Attempt> {
            let Some(asked) = request.questions.first() else {
                return Ok(Reply {
                    answers: Vec::new(),
                    measured: Measured::default(),
                });
            };
            let labels = labels_of_numbers(asked.order.len());
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert(
                "messages".to_owned(),
                messages_for_label(&request, asked, &labels),
            );
            self.chat.complete(&mut document);
            let document = Value::Object(document);
            let vote = |reply: &Value, measured: &mut Measured| {
                vec![
                    completion::read(reply, measured)
                        .and_then(|said| read_vote(&said, asked, &labels)),
                ]
            };
            let votes = (0..self.samples).map(|_| self.http.exchange(&document, &request, vote));
            let replies = all_or_failure(run_all(votes.collect()).await)?;
            let measured = together(replies.iter().map(|reply| &reply.measured));
            let votes = replies.into_iter().flat_map(|reply| reply.answers);
            Ok(Reply {
                answers: vec![count(votes.collect(), asked)],
                measured,
            })
        }
    }

    fn read_vote(
        said: &completion::Said<'_>,
        asked: &Asked<'_>,
        labels: &[String],
    ) -> Result<Decided, Failure> {
        let keys: Vec<&str> = asked.shown().map(|option| option.key.as_str()).collect();
        match completion::named(said.text, labels, &keys) {
            Some(position) => Ok(Decided {
                label: Some(keys[position].to_owned()),
                ..Decided::default()
            }),
            None if said.cut_off => Err(completion::cut_off(said.text)),
            None => Err(invalid(
                "the answer is none of the options",
                &Value::from(said.text),
            )),
        }
    }

    /// The shares of the votes that name an option; where none does, the commonest of what they are instead.
    pub(super) fn count(
        votes: Vec<Result<Decided, Failure>>,
        asked: &Asked<'_>,
    ) -> Result<Decided, Failure> {
        let cast = votes.len();
        let mut failures: Vec<Failure> = Vec::new();
        let mut counts = vec![0_u32; asked.question.options.len()];
        for vote in votes {
            match vote {
                Ok(decided) => {
                    let label = decided.label.as_deref();
                    let option = label.and_then(|label| asked.question.index_of(label));
                    if let Some(count) = option.and_then(|option| counts.get_mut(option)) {
                        *count += 1;
                    }
                }
                Err(failure) => failures.push(failure),
            }
        }
        let valid: u32 = counts.iter().sum();
        if valid == 0 {
            let refused = failures
                .iter()
                .filter(|failure| failure.kind == FailureKind::Refused)
                .count();
            let by_refusal = 2 * refused > failures.len();
            let kind = |failure: &Failure| (failure.kind == FailureKind::Refused) == by_refusal;
            let failure = failures.into_iter().find(kind);
            return Err(failure
                .unwrap_or_else(|| Failure::new(FailureKind::InvalidAnswer, "no vote was cast")));
        }
        let options = &asked.question.options;
        let shares: Vec<(String, f64)> = options
            .iter()
            .zip(&counts)
            .map(|(option, count)| (option.key.clone(), f64::from(*count) / f64::from(valid)))
            .collect();
        Ok(Decided {
            label: top_label(&shares),
            probabilities: Some(shares),
            format_mass: Some(f64::from(valid) / cast as f64),
            ..Decided::default()
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::decision::{AnswerOption, Question, QuestionKind};

        fn counted(votes: &[Result<&str, FailureKind>]) -> Result<Decided, Failure> {
            let question = Question {
                name: String::new(),
                kind: QuestionKind::Choice,
                version: None,
                instructions: String::new(),
                options: ["a", "b", "c"].map(AnswerOption::new).into(),
            };
            let asked = Asked {
                question: &question,
                order: &[2, 1, 0],
            };
            let votes = votes.iter().map(|vote| match vote {
                Ok(label) => Ok(Decided {
                    label: Some((*label).to_owned()),
                    ..Decided::default()
                }),
                Err(kind) => Err(Failure::new(*kind, "no")),
            });
            count(votes.collect(), &asked)
        }

        #[test]
        fn shares_are_of_the_votes_that_name_an_option() {
            let invalid = Err(FailureKind::InvalidAnswer);
            let decided = counted(&[Ok("b"), Ok("a"), Ok("b"), invalid, Ok("b")]);
            let decided = decided.expect("four votes");
            let shares = [("a", 0.25), ("b", 0.75), ("c", 0.0)].map(|(key, p)| (key.to_owned(), p));
            assert_eq!(decided.probabilities.as_deref(), Some(&shares[..]));
            assert_eq!(decided.label.as_deref(), Some("b"));
            assert_eq!(decided.format_mass, Some(0.8));
        }

        #[test]
        fn a_tied_vote_names_nobody() {
            let decided = counted(&[Ok("b"), Ok("a")]).expect("two votes");
            assert_eq!(decided.label, None, "ties are the suite's to read");
        }

        #[test]
        fn without_a_valid_vote_there_is_no_answer() {
            let (refused, invalid) = (Err(FailureKind::Refused), Err(FailureKind::InvalidAnswer));
            let kind =
                |votes: &[Result<&str, FailureKind>]| counted(votes).expect_err("no vote").kind;
            assert_eq!(kind(&[refused, invalid, refused]), FailureKind::Refused);
            assert_eq!(kind(&[refused, invalid]), FailureKind::InvalidAnswer);
        }
    }
}
