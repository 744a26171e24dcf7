//! What a function may take: the state as text, as JSON or as a type of its own, or the whole request.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as PlainError, StrDeserializer};

use crate::decision::{Failure, FailureKind, Request, State};

/// A type that a function takes by reference.
///
/// `&str` is the state as text (JSON in its compact spelling), `&State` the state as it is, `&Request` everything
/// that was asked, and any other type is read from the state by `serde`: `&serde_json::Value`, `&String`, or a
/// struct for JSON states. A state that does not fit is the failure `invalid_answer`.
#[diagnostic::on_unimplemented(
    message = "a provider cannot take `&{Self}`",
    label = "cannot be read from a case's state",
    note = "take `&str`, `&State`, `&Request`, `&serde_json::Value`, or a type that implements `serde::Deserialize` and borrows nothing"
)]
pub trait Lent<'a> {
    /// Reads it from the request.
    ///
    /// # Errors
    ///
    /// When the state does not fit the type.
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure>;
}

/// What is kept while a function that takes `&T` runs.
#[derive(Debug)]
pub enum Held<'a, T: ?Sized> {
    /// A part of the request.
    Borrowed(&'a T),
    /// Something read from it.
    Owned(Box<T>),
}

impl<T: ?Sized> Held<'_, T> {
    /// The reference that the function is called with.
    pub fn lend(&self) -> &T {
        match self {
            Self::Borrowed(borrowed) => borrowed,
            Self::Owned(owned) => owned,
        }
    }
}

impl<'a> Lent<'a> for str {
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure> {
        Ok(match request.state.as_text() {
            Cow::Borrowed(text) => Held::Borrowed(text),
            Cow::Owned(text) => Held::Owned(text.into()),
        })
    }
}

impl<'a> Lent<'a> for State {
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure> {
        Ok(Held::Borrowed(request.state))
    }
}

impl<'a> Lent<'a> for Request<'a> {
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure> {
        Ok(Held::Owned(Box::new(request)))
    }
}

impl<'a, T: DeserializeOwned> Lent<'a> for [T] {
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure> {
        read_state::<Box<[T]>>(request).map(Held::Owned)
    }
}

impl<'a, T: DeserializeOwned> Lent<'a> for T {
    fn hold(request: Request<'a>) -> Result<Held<'a, Self>, Failure> {
        read_state(request).map(|read| Held::Owned(Box::new(read)))
    }
}

/// What a function that takes `&T` keeps while it runs.
///
/// # Errors
///
/// When the state does not fit the type.
pub fn hold<'a, T: Lent<'a> + ?Sized>(request: Request<'a>) -> Result<Held<'a, T>, Failure> {
    T::hold(request)
}

/// What a function that takes `T` is called with.
///
/// # Errors
///
/// When the state does not fit the type.
pub fn give<'a, T: Given<'a>>(request: Request<'a>) -> Result<T, Failure> {
    T::give(request)
}

/// A type that a function takes by value: `Request`, `State`, or one that `serde` reads from the state.
#[diagnostic::on_unimplemented(
    message = "a provider cannot take `{Self}`",
    label = "cannot be read from a case's state",
    note = "take `&str`, `&State`, `&Request`, `&serde_json::Value`, or a type that implements `serde::Deserialize` and borrows nothing"
)]
pub trait Given<'a>: Sized {
    /// Reads it from the request.
    ///
    /// # Errors
    ///
    /// When the state does not fit the type.
    fn give(request: Request<'a>) -> Result<Self, Failure>;
}

impl<'a> Given<'a> for Request<'a> {
    fn give(request: Request<'a>) -> Result<Self, Failure> {
        Ok(request)
    }
}

impl<'a> Given<'a> for State {
    fn give(request: Request<'a>) -> Result<Self, Failure> {
        Ok(request.state.clone())
    }
}

impl<'a, T: DeserializeOwned> Given<'a> for T {
    fn give(request: Request<'a>) -> Result<Self, Failure> {
        read_state(request)
    }
}

fn read_state<T: DeserializeOwned>(request: Request<'_>) -> Result<T, Failure> {
    let wanted = std::any::type_name::<T>();
    let unfit = |reason: String| {
        Failure::new(
            FailureKind::InvalidAnswer,
            format!("the state cannot be read as `{wanted}`: {reason}"),
        )
    };
    let state = match request.state {
        State::Agent(agent) => &agent.input,
        state => state,
    };
    match state {
        State::Text(text) => {
            let text: StrDeserializer<'_, PlainError> = text.as_str().into_deserializer();
            T::deserialize(text).map_err(|_| unfit("it is text".to_owned()))
        }
        State::Json(value) => {
            T::deserialize(value).map_err(|error| unfit(without_quotations(&error.to_string())))
        }
        State::Agent(_) => Err(unfit("it is the state of an agent of an agent".to_owned())),
    }
}

/// The message without what it quotes of the state: failures are kept in files that hold no states.
fn without_quotations(message: &str) -> String {
    let mut kept = String::with_capacity(message.len());
    let mut quoted = false;
    let mut characters = message.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quoted => {
                characters.next();
            }
            '"' => {
                kept.push_str(if quoted { "\"" } else { "\"…" });
                quoted = !quoted;
            }
            _ if quoted => {}
            _ => kept.push(character),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Ticket {
        subject: String,
        age: u32,
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Channel {
        Phone,
    }

    fn lent<T: for<'a> Lent<'a> + ?Sized>(
        state: &State,
        check: impl FnOnce(&T),
    ) -> Result<(), Failure> {
        let held: Held<'_, T> = hold(Request {
            case: "c",
            state,
            questions: &[],
        })?;
        check(held.lend());
        Ok(())
    }

    #[test]
    fn every_shape_of_argument_reads_the_state() {
        let text = State::Text("phone".into());
        let json = State::Json(json!({"subject": "refund", "age": 3}));
        let list = State::Json(json!([1, 2]));
        lent::<str>(&text, |taken| assert_eq!(taken, "phone")).expect("text is text");
        lent::<str>(&json, |taken| {
            assert_eq!(taken, r#"{"subject":"refund","age":3}"#);
        })
        .expect("JSON has a spelling");
        lent::<String>(&text, |taken| assert_eq!(taken, "phone")).expect("text is a string");
        lent::<State>(&json, |taken| assert_eq!(*taken, json)).expect("a state is a state");
        lent::<Value>(&text, |taken| assert_eq!(*taken, json!("phone"))).expect("text is JSON too");
        lent::<Channel>(&text, |taken| assert_eq!(*taken, Channel::Phone)).expect("a known name");
        lent::<[u32]>(&list, |taken| assert_eq!(taken, [1, 2])).expect("a list of numbers");
        lent::<Ticket>(&json, |taken| {
            assert_eq!((taken.subject.as_str(), taken.age), ("refund", 3));
        })
        .expect("the fields are there");
    }

    #[test]
    fn an_unfit_state_is_told_without_quoting_it() {
        let read = |state: State| {
            lent::<Ticket>(&state, |_| unreachable!("the state does not fit"))
                .expect_err("the state does not fit")
                .message
        };
        let message = read(State::Json(json!({"subject": "refund", "age": "se\"cret"})));
        assert!(message.contains("Ticket`: invalid type: string \"…\", expected u32"));
        let message = read(State::Json(json!({"subject": "refund"})));
        assert!(message.contains("missing field `age`"));
        assert!(read(State::Text("secret".into())).ends_with("Ticket`: it is text"));
    }
}
