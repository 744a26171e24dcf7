//! `chat-logprobs`: numbered options, one answer token, and the probability of every option's token.
//!
//! What the tokens of all options hold together is the format mass; divided by it they are the probabilities. A service
//! that refuses to list tokens still answers: with a label alone.

use crate::provider::caps::Caps;
use crate::provider::contract::{SettingError, Settings};
use crate::provider::service::{
    AnsweredBy, Connected, Description, Outside, ProviderKind, Service,
};
use crate::provider::setting::SettingKey;
use crate::provider::target::{Target, Usual, read_settings};

use super::settings::{Chat, MAX_TOKENS, MAX_TOKENS_FIELD, MODEL, PARAMETERS, TEMPERATURE, usual};

const NAME: &str = "chat-logprobs";
const USUAL: Usual = usual(NAME);
const SETTINGS: &[SettingKey] = &[MODEL, TEMPERATURE, MAX_TOKENS, MAX_TOKENS_FIELD, PARAMETERS];
/// Services list this many tokens and no more.
const MOST_OPTIONS: usize = 20;

/// The row of the table.
pub(crate) const CHAT_LOGPROBS: ProviderKind = ProviderKind {
    name: NAME,
    about: "A chat model's answer token: probabilities from the tokens of the numbered options.",
    settings: SETTINGS,
    answered_by: AnsweredBy::Service(Service {
        usual: Some(&USUAL),
        describe,
        connect,
    }),
};

fn read(settings: &Settings) -> Result<(Target, Chat), Vec<SettingError>> {
    read_settings(settings, &USUAL, SETTINGS, |reader| Chat::read(reader, 1))
}

fn describe(settings: &Settings) -> Result<Description, Vec<SettingError>> {
    let (target, chat) = read(settings)?;
    Ok(Description {
        identity: target.identity(chat.identity()),
        host: target.endpoint.host(),
        price: None,
        caps: Caps {
            options: (1, MOST_OPTIONS),
            levels: (1, MOST_OPTIONS),
            ..Caps::default()
        },
        context: None,
        probabilities: None,
    })
}

#[cfg(feature = "http")]
fn connect(settings: &Settings, outside: &Outside<'_>) -> Connected {
    use crate::provider::http::Http;
    use crate::provider::service::ConnectError;

    let (target, chat) = read(settings).map_err(ConnectError::Settings)?;
    Ok(Box::new(calls::Logprobs {
        http: Http::for_target(&target, outside)?,
        identity: target.identity(chat.identity()),
        model: target.model,
        chat,
        unlisted: std::sync::atomic::AtomicBool::new(false),
    }))
}

#[cfg(not(feature = "http"))]
fn connect(_settings: &Settings, _outside: &Outside<'_>) -> Connected {
    Err(crate::provider::ConnectError::WithoutHttp { provider: NAME })
}

#[cfg(feature = "http")]
mod calls {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::{Map, Value, json};

    use super::super::completion;
    use super::super::settings::Chat;
    use super::MOST_OPTIONS;
    use crate::decision::{Asked, Decided, Failure, FailureKind, Measured, Request, State};
    use crate::provider::contract::{Attempt, BoxFuture, Demand, Identity, Provider, Reply, Retry};
    use crate::provider::http::Http;
    use crate::provider::parts::{one_by_one, top_label};
    use crate::provider::prompt::{BYTES, labels_of_one_token, messages_for_label};
    use crate::provider::reading::invalid;

    /// A chat model, ready to call.
    pub(super) struct Logprobs {
        pub(super) http: Http,
        pub(super) identity: Identity,
        pub(super) model: String,
        pub(super) chat: Chat,
        /// Whether the service has refused to list tokens.
        pub(super) unlisted: AtomicBool,
    }

    impl Provider for Logprobs {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn demand(&self, _state: &State, questions: usize) -> Demand {
            Demand {
                requests: u32::try_from(questions).unwrap_or(u32::MAX).max(1),
                further_bytes: BYTES,
                output_tokens: self.chat.max_tokens,
                ..Demand::default()
            }
        }

        fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
            Box::pin(one_by_one(request, |request| self.one(request)))
        }
    }

    impl Logprobs {
        /// Asks one question; without a list of tokens where the service does not know how to make one.
        async fn one(&self, request: Request<'_>) -> Result<Reply, Attempt> {
            let Some(asked) = request.questions.first() else {
                return Ok(Reply {
                    answers: Vec::new(),
                    measured: Measured::default(),
                });
            };
            let options = asked.order.len();
            if options > MOST_OPTIONS {
                return Err(too_many(options));
            }
            let labels = labels_of_one_token(options);
            let read = |reply: &Value, measured: &mut Measured| {
                vec![
                    completion::read(reply, measured)
                        .and_then(|said| decide(&said, asked, &labels)),
                ]
            };
            let mut spent_ms = 0.0;
            if !self.unlisted.load(Ordering::Relaxed) {
                let document = self.document(&request, asked, &labels, true);
                match self.http.exchange(&document, &request, read).await {
                    Err(attempt) if refuses_to_list(&attempt) => {
                        self.unlisted.store(true, Ordering::Relaxed);
                        spent_ms = attempt.measured.latency_ms.unwrap_or(0.0);
                    }
                    given => return given,
                }
            }
            let document = self.document(&request, asked, &labels, false);
            let mut reply = self.http.exchange(&document, &request, read).await?;
            if let Some(latency_ms) = &mut reply.measured.latency_ms {
                *latency_ms += spent_ms;
            }
            Ok(reply)
        }

        fn document(
            &self,
            request: &Request<'_>,
            asked: &Asked<'_>,
            labels: &[String],
            listed: bool,
        ) -> Value {
            let mut document = Map::new();
            document.insert("model".to_owned(), self.model.as_str().into());
            document.insert(
                "messages".to_owned(),
                messages_for_label(request, asked, labels),
            );
            if listed {
                document.insert("logprobs".to_owned(), true.into());
                document.insert("top_logprobs".to_owned(), MOST_OPTIONS.into());
            }
            self.chat.complete(&mut document);
            Value::Object(document)
        }
    }

    fn too_many(options: usize) -> Attempt {
        Attempt {
            failure: Failure::new(
                FailureKind::InvalidAnswer,
                format!("{options} options, and one token tells at most {MOST_OPTIONS} apart"),
            ),
            retry: Retry::Never,
            measured: Measured::default(),
        }
    }

    /// Whether the service takes the request and not the list of tokens: it names the field.
    fn refuses_to_list(attempt: &Attempt) -> bool {
        let message = &attempt.failure.message;
        attempt.failure.kind == FailureKind::Http
            && (message.starts_with("400") || message.starts_with("422"))
            && message.contains("logprobs")
    }

    /// The probabilities of the options' tokens at the first position; without a list of tokens the label alone.
    pub(super) fn decide(
        said: &completion::Said<'_>,
        asked: &Asked<'_>,
        labels: &[String],
    ) -> Result<Decided, Failure> {
        let keys: Vec<&str> = asked.shown().map(|option| option.key.as_str()).collect();
        let first = said.tokens.and_then(|tokens| tokens.first());
        let Some(first) = first else {
            return match completion::named(said.text, labels, &keys) {
                Some(position) => Ok(Decided {
                    label: Some(keys[position].to_owned()),
                    ..Decided::default()
                }),
                None if said.cut_off && said.text.is_empty() => Err(completion::cut_off("")),
                None => Err(invalid(
                    "the answer is none of the options",
                    &Value::from(said.text),
                )),
            };
        };
        let masses = masses(first, labels);
        let mass: f64 = masses.iter().sum();
        if mass <= 0.0 {
            return Err(invalid(
                "none of the likely tokens is an option",
                &json!(first.get("token")),
            ));
        }
        let shares: Vec<(String, f64)> = keys
            .iter()
            .zip(&masses)
            .map(|(key, share)| ((*key).to_owned(), share / mass))
            .collect();
        Ok(Decided {
            label: top_label(&shares),
            probabilities: Some(shares),
            format_mass: Some(mass.min(1.0)),
            ..Decided::default()
        })
    }

    /// The probability of every label at one position: of its token with and without blanks around it. A label that is
    /// not listed is less likely than all that are, and counts as nothing.
    fn masses(position: &Value, labels: &[String]) -> Vec<f64> {
        let listed = position.get("top_logprobs").and_then(Value::as_array);
        let mut masses = vec![0.0; labels.len()];
        let mut seen: Vec<&str> = Vec::new();
        let chosen = std::iter::once(position);
        for entry in listed.into_iter().flatten().chain(chosen) {
            let Some(token) = entry.get("token").and_then(Value::as_str) else {
                continue;
            };
            let logprob = entry.get("logprob").and_then(Value::as_f64);
            // The chosen token is usually listed too.
            if seen.contains(&token) {
                continue;
            }
            seen.push(token);
            if let (Some(slot), Some(logprob)) = (
                labels.iter().position(|label| label == token.trim()),
                logprob.filter(|logprob| !logprob.is_nan()),
            ) {
                masses[slot] += logprob.min(0.0).exp();
            }
        }
        masses
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::decision::{AnswerOption, Question, QuestionKind};

        fn question() -> Question {
            Question {
                name: String::new(),
                kind: QuestionKind::Choice,
                version: None,
                instructions: String::new(),
                options: ["a", "b", "c"].map(AnswerOption::new).into(),
            }
        }

        fn decided(order: &[u16], reply: &Value) -> Result<Decided, Failure> {
            let question = question();
            let asked = Asked {
                question: &question,
                order,
            };
            let mut measured = Measured::default();
            completion::read(reply, &mut measured)
                .and_then(|said| decide(&said, &asked, &labels_of_one_token(3)))
        }

        fn listing(tokens: &[(&str, f64)]) -> Value {
            let listed: Vec<Value> = tokens
                .iter()
                .map(|(token, p)| json!({"token": token, "logprob": p.ln()}))
                .collect();
            let mut first = listed[0].clone();
            first["top_logprobs"] = json!(listed);
            json!({"choices": [{"finish_reason": "length", "message": {"content": tokens[0].0},
                "logprobs": {"content": [first]}}]})
        }

        #[test]
        fn spellings_of_a_label_add_up_and_the_rest_is_divided_away() {
            let reply = listing(&[("1", 0.5), (" 1", 0.1), ("2", 0.2), ("Sure", 0.2)]);
            let decided = decided(&[2, 0, 1], &reply).expect("an answer");
            let shares = decided.probabilities.expect("probabilities");
            let expected = [("c", 0.75), ("a", 0.25), ("b", 0.0)];
            for ((key, share), (wanted, p)) in shares.iter().zip(expected) {
                assert_eq!(key, wanted);
                assert!((share - p).abs() < 1e-12, "{key}: {share}");
            }
            assert!((decided.format_mass.expect("a mass") - 0.8).abs() < 1e-12);
            assert_eq!(decided.label.as_deref(), Some("c"));
        }

        #[test]
        fn no_option_among_the_tokens_is_no_answer() {
            let failure = decided(&[0, 1, 2], &listing(&[("I", 0.9), ("The", 0.1)]));
            let failure = failure.expect_err("no option");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
            assert!(!failure.truncated, "one token is all that was asked for");
            assert!(failure.message.contains('I'), "{failure}");
        }

        #[test]
        fn without_a_list_there_is_a_label_and_no_probability() {
            let reply =
                json!({"choices": [{"finish_reason": "stop", "message": {"content": "2"}}]});
            let decided = decided(&[0, 1, 2], &reply).expect("an answer");
            assert_eq!(decided.label.as_deref(), Some("b"));
            assert_eq!((decided.probabilities, decided.format_mass), (None, None));
        }

        #[test]
        fn a_reply_that_ends_before_it_says_anything_is_cut_off() {
            let reply =
                json!({"choices": [{"finish_reason": "length", "message": {"content": ""}}]});
            assert!(decided(&[0, 1, 2], &reply).expect_err("nothing").truncated);
        }

        #[test]
        fn the_mark_of_an_unlisted_token_counts_nothing() {
            let reply = json!({"choices": [{"message": {"content": "1"}, "logprobs": {"content": [{
                "token": "1", "logprob": -9999.0,
                "top_logprobs": [{"token": "2", "logprob": -0.1, "bytes": null}]}]}}]});
            let decided = decided(&[0, 1, 2], &reply).expect("an answer");
            assert_eq!(decided.label.as_deref(), Some("b"));
        }
    }
}
