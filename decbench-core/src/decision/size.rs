//! How long a request is by a rule of thumb, and how much of one a model reads.

use std::fmt;

use super::{Question, State};

/// Bytes to a token where nothing is known of a tokenizer.
pub const BYTES_PER_TOKEN: u64 = 4;
/// The fewest bytes to a token that are to be expected of an ordinary text.
const FEWEST_BYTES_PER_TOKEN: u64 = 3;
/// What stands around the state and the questions of a request.
const FRAME: u64 = 256;
/// What stands around the wording of a question, and around each of its options.
const QUESTION_FRAME: usize = 64;
const OPTION_FRAME: usize = 16;

/// How many bytes a state and the questions about it are, with what stands around them.
///
/// ```
/// use decbench_core::decision::{RequestSize, State};
/// let size = RequestSize::of(&State::Text("x".repeat(4_000 - 256)), []);
/// assert_eq!(size.tokens(), 1_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestSize {
    /// The state.
    state: u64,
    /// All questions together.
    questions: u64,
    /// The longest of them.
    longest: u64,
}

impl RequestSize {
    /// The size of a request with these questions.
    pub fn of<'q>(state: &State, questions: impl IntoIterator<Item = &'q Question>) -> Self {
        let mut size = Self {
            state: state.as_text().len() as u64,
            questions: 0,
            longest: 0,
        };
        for question in questions {
            let bytes = question_bytes(question);
            size.questions += bytes;
            size.longest = size.longest.max(bytes);
        }
        size
    }

    /// All of it, in bytes.
    pub fn bytes(self) -> u64 {
        self.state + self.questions + FRAME
    }

    /// About how many tokens it is: a token for every [`BYTES_PER_TOKEN`] bytes begun.
    pub fn tokens(self) -> u64 {
        self.bytes().div_ceil(BYTES_PER_TOKEN)
    }

    /// About how many tokens the state is with the longest of the questions.
    pub fn state_and_question_tokens(self) -> u64 {
        self.state_and_question().div_ceil(BYTES_PER_TOKEN)
    }

    fn state_and_question(self) -> u64 {
        self.state + self.longest + FRAME
    }
}

/// The wording of a question and of its options, with what stands around them.
fn question_bytes(question: &Question) -> u64 {
    let options = question.options.iter().map(|option| {
        option.key.len() + option.description.as_deref().map_or(0, str::len) + OPTION_FRAME
    });
    (question.name.len() + question.instructions.len() + QUESTION_FRAME + options.sum::<usize>())
        as u64
}

/// How much a model reads of one request, in tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextLimit {
    /// Of the state and all questions.
    pub request: u64,
    /// Of the state and the longest question, where that is limited apart.
    pub state_and_question: Option<u64>,
    /// When it was looked up, as written.
    pub at: Option<String>,
}

/// Whether a request is read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fit {
    /// It is, by the estimate and with a reserve.
    Whole,
    /// It is by the estimate, and would not be with three bytes to a token in place of four.
    Close(Excess),
    /// It is not.
    Cut(Excess),
}

/// About how many tokens there are, and how many are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excess {
    /// What is limited.
    pub part: &'static str,
    /// About how many tokens it is.
    pub tokens: u64,
    /// How many are read.
    pub limit: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            part,
            tokens,
            limit,
        } = self;
        write!(
            f,
            "about {tokens} tokens of {part}, of which {limit} are read"
        )
    }
}

impl ContextLimit {
    /// Whether a request of this size is read whole.
    pub fn fit(&self, size: RequestSize) -> Fit {
        let of_state = self.state_and_question.map(|limit| {
            (
                "the state and the longest question",
                size.state_and_question(),
                limit,
            )
        });
        let parts = of_state
            .into_iter()
            .chain([("the request", size.bytes(), self.request)]);
        let beyond = |bytes_per_token: u64| {
            parts
                .clone()
                .find(|(_, bytes, limit)| bytes.div_ceil(bytes_per_token) > *limit)
                .map(|(part, bytes, limit)| Excess {
                    part,
                    tokens: bytes.div_ceil(BYTES_PER_TOKEN),
                    limit,
                })
        };
        match (beyond(BYTES_PER_TOKEN), beyond(FEWEST_BYTES_PER_TOKEN)) {
            (Some(excess), _) => Fit::Cut(excess),
            (None, Some(excess)) => Fit::Close(excess),
            (None, None) => Fit::Whole,
        }
    }
}

impl fmt::Display for ContextLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens of a request", self.request)?;
        if let Some(limit) = self.state_and_question {
            write!(f, ", {limit} of the state and the longest question")?;
        }
        match &self.at {
            Some(at) => write!(f, " (looked up {at})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, QuestionKind};

    fn question(letters: usize) -> Question {
        Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: "q".repeat(letters),
            options: vec![AnswerOption::new("ab").described("cdef")],
        }
    }

    fn text(letters: usize) -> State {
        State::Text("x".repeat(letters))
    }

    #[test]
    fn a_request_is_its_state_its_questions_and_what_stands_around_them() {
        let questions = [question(10), question(110)];
        let size = RequestSize::of(&text(1_000), &questions);
        // 64 around a question, 16 around its option of 6 letters.
        assert_eq!(size.bytes(), 1_000 + (10 + 86) + (110 + 86) + 256);
        assert_eq!(size.tokens(), 1_548_u64.div_ceil(4));
        assert_eq!(size.state_and_question_tokens(), (1_000 + 196 + 256) / 4);
        assert_eq!(
            RequestSize::of(&State::Text("für".to_owned()), []).bytes(),
            256 + 4,
            "bytes, not letters"
        );
    }

    #[test]
    fn both_limits_hold_and_what_lies_near_one_is_told() {
        let limit = ContextLimit {
            request: 2_000,
            state_and_question: Some(1_000),
            at: None,
        };
        let fit =
            |letters, questions: &[Question]| limit.fit(RequestSize::of(&text(letters), questions));
        assert_eq!(fit(3_000 - 256, &[]), Fit::Whole);
        assert!(matches!(fit(3_001 - 256, &[]), Fit::Close(excess) if excess.tokens == 751));
        assert!(matches!(fit(4_000 - 256, &[]), Fit::Close(_)));
        let Fit::Cut(excess) = fit(4_001 - 256, &[]) else {
            panic!("it is cut");
        };
        assert_eq!(
            excess.to_string(),
            "about 1001 tokens of the state and the longest question, of which 1000 are read"
        );
        // Each question fits with the state, and all of them do not.
        let many = vec![question(914); 8];
        let Fit::Cut(excess) = fit(1_000, &many) else {
            panic!("it is cut");
        };
        assert_eq!((excess.part, excess.tokens), ("the request", 2_314));
    }
}
