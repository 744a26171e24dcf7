//! A registered function as a provider.

use std::time::Instant;

use serde_json::Value;

use crate::decision::{Asked, Failure, FailureKind, Measured, Question, Request, State};
use crate::provider::{
    Attempt, BoxFuture, Identity, Provider, Reply, Retry, SettingError, Settings,
};

use super::Answers;
use super::caught::{caught, caught_while_polled};
use super::registry::{Body, RustFunction, find_function, linked_functions};

/// The provider `rust`: a function that is linked into the test.
#[derive(Debug)]
pub struct FunctionProvider {
    function: &'static RustFunction,
    identity: Identity,
}

impl FunctionProvider {
    /// The provider that calls `function`.
    ///
    /// The function's body is no part of the identity: it is taken for pure and asked anew in every run, unless
    /// it is recorded, and then a new version of the question renews the recordings.
    pub fn new(function: &'static RustFunction) -> Self {
        Self {
            function,
            identity: Identity {
                provider: "rust".to_owned(),
                model: None,
                parameters: std::iter::once(("function".to_owned(), Value::from(function.name())))
                    .collect(),
            },
        }
    }

    /// The provider for a candidate's settings: `function`, the name of a linked function, is required and the
    /// only one. `package` is the name of the package that the test belongs to, for messages.
    ///
    /// # Errors
    ///
    /// When the function is missing, not linked or ambiguous, or another setting is given.
    pub fn from_settings(settings: &Settings, package: &str) -> Result<Self, SettingError> {
        if let Some(key) = settings.keys().find(|key| *key != "function") {
            return Err(SettingError {
                key: Some(key.clone()),
                message: format!("the provider `rust` has no setting `{key}`"),
                help: Some("its only setting is `function`".to_owned()),
            });
        }
        let name = settings.get("function").ok_or_else(|| SettingError {
            key: None,
            message: "the provider `rust` needs a function".to_owned(),
            help: Some(
                "add `function:` and the name of a function that has `#[decbench::provider]`"
                    .to_owned(),
            ),
        })?;
        let name = name.as_str().ok_or_else(|| SettingError {
            key: Some("function".to_owned()),
            message: format!("{name} is no name of a function"),
            help: None,
        })?;
        let own_crate = package.replace('-', "_");
        find_function(&linked_functions(), name, &own_crate).map(Self::new)
    }

    /// The function that is called.
    pub fn function(&self) -> &'static RustFunction {
        self.function
    }
}

impl Provider for FunctionProvider {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn remote(&self) -> bool {
        self.function.is_recorded()
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, Attempt>> {
        Box::pin(async move {
            let (answers, latency_ms) = match self.function.body() {
                Body::Sync(call) => call_sync(call, request).await,
                Body::Async(call) => {
                    let started = Instant::now();
                    let returned = caught_while_polled(call(request)).await;
                    (answers_of(returned), milliseconds_since(started))
                }
            };
            let measured = Measured {
                latency_ms: Some(latency_ms),
                ..Measured::default()
            };
            match answers.failure() {
                Some(failure) if !failure.kind.is_models() => Err(Attempt {
                    failure: failure.clone(),
                    retry: retry_after(failure.kind),
                    measured,
                }),
                _ => Ok(Reply {
                    answers: answers.read_for(request.questions, self.function.question()),
                    measured,
                }),
            }
        })
    }
}

fn answers_of(returned: Result<Answers, String>) -> Answers {
    returned
        .unwrap_or_else(|panic| Answers::failed(Failure::new(FailureKind::InvalidAnswer, panic)))
}

fn retry_after(kind: FailureKind) -> Retry {
    match kind {
        FailureKind::Auth | FailureKind::Payment => Retry::Never,
        _ => Retry::Soon,
    }
}

fn milliseconds_since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}

/// Calls an ordinary function on a thread where it may block, or start a runtime of its own.
async fn call_sync(call: fn(Request<'_>) -> Answers, request: Request<'_>) -> (Answers, f64) {
    fn timed(call: fn(Request<'_>) -> Answers, request: Request<'_>) -> (Answers, f64) {
        let started = Instant::now();
        let returned = caught(|| call(request));
        let latency_ms = milliseconds_since(started);
        (answers_of(returned), latency_ms)
    }

    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return timed(call, request);
    };
    let owned = OwnedRequest::from(request);
    match runtime
        .spawn_blocking(move || owned.lend(|request| timed(call, request)))
        .await
    {
        Ok(called) => called,
        // The runtime is shutting down; nobody will read this.
        Err(stopped) => (answers_of(Err(stopped.to_string())), 0.0),
    }
}

/// A request that may move to another thread.
struct OwnedRequest {
    case: String,
    state: State,
    questions: Vec<(Question, Vec<u16>)>,
}

impl From<Request<'_>> for OwnedRequest {
    fn from(request: Request<'_>) -> Self {
        Self {
            case: request.case.to_owned(),
            state: request.state.clone(),
            questions: request
                .questions
                .iter()
                .map(|asked| (asked.question.clone(), asked.order.to_vec()))
                .collect(),
        }
    }
}

impl OwnedRequest {
    fn lend<T>(&self, call: impl FnOnce(Request<'_>) -> T) -> T {
        let questions: Vec<Asked<'_>> = self
            .questions
            .iter()
            .map(|(question, order)| Asked { question, order })
            .collect();
        call(Request {
            case: &self.case,
            state: &self.state,
            questions: &questions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Decided, QuestionKind};
    use crate::provider::function::IntoAnswers;

    static ECHO: RustFunction = RustFunction::new(
        "echo",
        "tests",
        Body::Sync(|request| request.state.as_text().into_owned().into_answers()),
    );
    static SLOW_ECHO: RustFunction = RustFunction::new(
        "slow_echo",
        "tests",
        Body::Async(|request| {
            Box::pin(async move {
                tokio::task::yield_now().await;
                assert!(!request.state.is_empty(), "an empty state");
                request.state.as_text().into_owned().into_answers()
            })
        }),
    )
    .recorded(true);
    static UNREACHABLE: RustFunction = RustFunction::new(
        "unreachable",
        "tests",
        Body::Sync(|_| {
            Err::<&str, _>(Failure::new(FailureKind::Connect, "no route")).into_answers()
        }),
    );
    static OWN_RUNTIME: RustFunction = RustFunction::new(
        "own_runtime",
        "tests",
        Body::Sync(|_| {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .map(|runtime| runtime.block_on(async { "a" }))
                .into_answers()
        }),
    );

    fn ask(function: &'static RustFunction, text: &str) -> Result<Reply, Box<Attempt>> {
        let question = Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: "Which?".into(),
            options: vec![AnswerOption::new("a"), AnswerOption::new("b")],
        };
        tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime without drivers needs nothing of the system")
            .block_on(FunctionProvider::new(function).ask(Request {
                case: "c",
                state: &State::Text(text.into()),
                questions: &[Asked {
                    question: &question,
                    order: &[0, 1],
                }],
            }))
            .map_err(Box::new)
    }

    fn answer(function: &'static RustFunction, text: &str) -> Result<Decided, Failure> {
        let mut reply = ask(function, text).expect("the function was reached");
        assert_eq!(reply.answers.len(), 1);
        assert!(reply.measured.latency_ms.is_some_and(|taken| taken >= 0.0));
        reply.answers.remove(0)
    }

    #[test]
    fn ordinary_and_async_functions_answer() {
        for function in [&ECHO, &SLOW_ECHO] {
            let decided = answer(function, "b").expect("`b` is an option");
            assert_eq!(decided.label.as_deref(), Some("b"));
            let failure = answer(function, "c").expect_err("`c` is no option");
            assert_eq!(failure.kind, FailureKind::InvalidAnswer);
            assert!(failure.message.contains("`c`"));
        }
    }

    #[test]
    fn a_panic_is_a_failure_of_that_answer_alone() {
        let failure = answer(&SLOW_ECHO, "").expect_err("an empty state panics");
        assert_eq!(failure.kind, FailureKind::InvalidAnswer);
        assert!(failure.message.contains("asking.rs"));
        assert!(failure.message.ends_with("an empty state"));
        assert!(answer(&SLOW_ECHO, "a").is_ok());
    }

    #[test]
    fn an_ordinary_function_may_start_a_runtime() {
        assert!(answer(&OWN_RUNTIME, "").is_ok());
    }

    #[test]
    fn a_call_that_reached_nobody_is_no_answer() {
        let attempt = ask(&UNREACHABLE, "a").expect_err("nobody answered");
        assert_eq!(attempt.failure.kind, FailureKind::Connect);
        assert_eq!(attempt.retry, Retry::Soon);
    }

    #[test]
    fn only_a_recorded_function_counts_as_remote() {
        assert!(!FunctionProvider::new(&ECHO).remote());
        assert!(FunctionProvider::new(&SLOW_ECHO).remote());
    }

    #[test]
    fn settings_are_checked() {
        let build = |settings: Value| {
            let Value::Object(settings) = settings else {
                panic!("settings are a map");
            };
            FunctionProvider::from_settings(&settings, "my-app")
                .expect_err("none of these is usable")
        };
        assert_eq!(build(serde_json::json!({})).key, None);
        let unknown = build(serde_json::json!({"function": "f", "model": "m"}));
        assert_eq!(unknown.key.as_deref(), Some("model"));
        let unlinked = build(serde_json::json!({"function": "f"}));
        assert!(
            unlinked
                .help
                .is_some_and(|help| help.contains("use my_app as _;"))
        );
    }
}
