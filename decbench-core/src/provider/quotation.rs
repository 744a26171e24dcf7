//! Whether a service's or a program's words repeat what was sent to it.
//!
//! Failures end up in files and logs that more people read than the cases, and some services echo the offending input
//! or even the key. Such words are not shown.

use serde_json::Value;

use crate::decision::{Decided, Failure, Request, State};

/// What stands in place of words that repeat what was sent.
pub(super) const WITHHELD: &str = "the service's own words repeat what was sent and are not shown";
/// Shorter values occur in any text by chance.
const SHORTEST_VALUE: usize = 4;
/// That many letters in a row are no chance.
const SHORTEST_PART: usize = 12;

/// Whether `words` repeats a value of the JSON document that was sent, or a part of one. The names of the model, of
/// question types and of roles are no secret.
pub(super) fn repeats(words: &str, sent: &[u8]) -> bool {
    serde_json::from_slice::<Value>(sent)
        .is_ok_and(|document| repeats_value(words, &document, &is_ours))
}

/// Answers as they may be kept: without words of others that repeat the case. A failure loses them, and a distribution
/// over labels that do is none. Questions and options stand in the suite for all to read, and a slip in an option's name
/// is worth seeing.
pub(super) fn keep_out_of(answers: &mut [Result<Decided, Failure>], request: &Request<'_>) {
    for answer in answers {
        match answer {
            Err(failure) => keep_out_of_failure(failure, request),
            Ok(decided) => {
                let mut labels = decided.probabilities.iter().flatten();
                if labels.any(|(label, _)| !is_option(label, request) && echoes(label, request)) {
                    decided.probabilities = Some(Vec::new());
                }
            }
        }
    }
}

/// A failure as it may be kept: what it says of its own, and the words it quotes where they repeat nothing of the case.
pub(super) fn keep_out_of_failure(failure: &mut Failure, request: &Request<'_>) {
    settle(failure, |words| echoes(words, request));
}

fn echoes(words: &str, request: &Request<'_>) -> bool {
    let all = |_: &str, _: &Value| false;
    let tools = match request.state {
        State::Agent(agent) => Some(agent.tools_document()),
        _ => None,
    };
    let shown = [Some(request.state.as_json()), tools];
    let mut shown = shown.iter().flatten();
    shown.any(|part| repeats_value(words, part, &all))
}

fn is_option(label: &str, request: &Request<'_>) -> bool {
    let mut questions = request.questions.iter();
    questions.any(|asked| asked.question.index_of(label).is_some())
}

/// The same for words about a document that is no case.
#[cfg(feature = "http")]
pub(super) fn keep_document_out_of(failure: &mut Failure, sent: &[u8]) {
    settle(failure, |words| repeats(words, sent));
}

/// Ends the time in which a failure quotes: what it quotes stays, unless it repeats what was sent.
fn settle(failure: &mut Failure, repeated: impl FnOnce(&str) -> bool) {
    let quoted = std::mem::take(&mut failure.quoted);
    let own = failure.message.len().saturating_sub(quoted);
    let Some((own, words)) = failure.message.split_at_checked(own) else {
        return;
    };
    if !words.is_empty() && repeated(words) {
        let own = own.trim_end().trim_end_matches(':');
        failure.message = if own.is_empty() {
            WITHHELD.to_owned()
        } else {
            format!("{own}; {WITHHELD}")
        };
    }
}

fn repeats_value(words: &str, sent: &Value, is_ours: &dyn Fn(&str, &Value) -> bool) -> bool {
    let words = normal(words);
    any_value(sent, is_ours, &|value| {
        let value = normal(value);
        let whole = value.chars().count() >= SHORTEST_VALUE && words.contains(&value);
        whole || shares_part(&words, &value)
    })
}

fn any_value(
    document: &Value,
    is_ours: &dyn Fn(&str, &Value) -> bool,
    test: &dyn Fn(&str) -> bool,
) -> bool {
    match document {
        Value::String(text) => test(text),
        Value::Number(number) => test(&number.to_string()),
        Value::Array(items) => items.iter().any(|item| any_value(item, is_ours, test)),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, value)| !is_ours(name, value))
            .any(|(_, value)| any_value(value, is_ours, test)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Whether a field says what every request says, and nothing of the case.
fn is_ours(name: &str, value: &Value) -> bool {
    match name {
        "model" | "type" => true,
        "role" => matches!(value.as_str(), Some("user" | "system" | "assistant")),
        _ => false,
    }
}

fn shares_part(words: &str, value: &str) -> bool {
    let letters: Vec<(usize, char)> = words.char_indices().collect();
    letters.windows(SHORTEST_PART).any(|window| {
        let (first, last) = (window[0], window[SHORTEST_PART - 1]);
        value.contains(&words[first.0..last.0 + last.1.len_utf8()])
    })
}

/// Lower case, blanks as one.
fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, Asked, FailureKind, Question, QuestionKind};

    #[test]
    fn whole_values_and_long_parts_are_recognised() {
        let sent = br#"{"model":"jev-9","state":{"body":"My card 4711 was  charged\ntwice","n":12345678},
            "questions":{"q":{"type":"choice","instructions":"Which?","criteria":{"a":"Refunds"}}}}"#;
        assert!(repeats("bad input: my card 4711 was charged twice", sent));
        assert!(repeats("…4711 was charged…", sent));
        assert!(repeats("REFUNDS is no option", sent));
        assert!(repeats("number 12345678", sent));
        assert!(!repeats("Unknown model jev-9", sent));
        assert!(!repeats("choice needs criteria", sent));
        assert!(!repeats("", sent));
    }

    /// What is kept of an answer about a case, to a question with the option `refund_of_a_card`.
    fn kept(answer: Result<Decided, Failure>) -> Result<Decided, Failure> {
        let state = State::Json(serde_json::json!({
            "type": "None of the options?", "body": "My card 4711 was charged twice.",
            "role": "buyer", "wants": "refund_of_a_card",
        }));
        let question = Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: String::new(),
            options: vec![AnswerOption::new("refund_of_a_card")],
        };
        let request = Request {
            case: "c-1",
            state: &state,
            questions: &[Asked {
                question: &question,
                order: &[0],
            }],
        };
        let mut answers = [answer];
        keep_out_of(&mut answers, &request);
        let [answer] = answers;
        answer
    }

    #[test]
    fn only_the_words_of_others_are_withheld_and_only_where_they_repeat_the_case() {
        let quoted = |what: &str, words: &str| {
            let failure = Failure::quoting(FailureKind::InvalidAnswer, what, words);
            let failure = kept(Err(failure)).expect_err("a failure");
            assert_eq!(failure.quoted, 0);
            failure.message
        };
        let what = "the label is none of the options";
        assert_eq!(quoted(what, "`Refunds`"), format!("{what}: `Refunds`"));
        for echo in ["`My card 4711 was charged twice.`", r#"{"name":"buyer"}"#] {
            assert_eq!(quoted(what, echo), format!("{what}; {WITHHELD}"));
        }
        let mut all = Failure::new(FailureKind::Refused, "no: my card 4711 was charged");
        all.quoted = all.message.len();
        assert_eq!(kept(Err(all)).expect_err("a failure").message, WITHHELD);
    }

    #[test]
    fn a_distribution_over_labels_that_repeat_the_case_is_none() {
        let over = |label: &str| {
            let probabilities = Some(vec![(label.to_owned(), 1.0)]);
            let decided = kept(Ok(Decided {
                probabilities,
                ..Decided::default()
            }));
            decided.expect("an answer").probabilities.map(|p| p.len())
        };
        assert_eq!(over("My card 4711 was charged twice."), Some(0));
        assert_eq!(
            over("refund_of_a_card"),
            Some(1),
            "the case may name an option"
        );
        assert_eq!(over("something else"), Some(1));
    }
}
