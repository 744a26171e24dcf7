//! What calls take and cost: reckoned before they are made, and learned from their replies.

use super::wanted::WantedCall;
use crate::decision::{BYTES_PER_TOKEN, FailureKind, Measured, RequestSize, State};
use crate::provider::{Attempt, Demand, Price, Reply};

/// Tokens of an answer to one question where nothing is known: a label and some numbers.
pub(crate) const OUTPUT_TOKENS: f64 = 64.0;
/// So many replies tell what the next ones take at most.
const ENOUGH: u32 = 5;
/// How much more than the most so far a call may take.
const MARGIN: f64 = 1.25;

/// How much a call sends, and how many answers it wants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    bytes: f64,
    /// Tokens that come back where nothing is known.
    output: f64,
    /// How many times as much it may be where requests follow: each of them sends all that was said before it again.
    most: f64,
}

impl Size {
    pub(crate) fn of(call: &WantedCall<'_>, state: &State, demand: Demand) -> Self {
        let questions = call.questions.iter().map(|wanted| wanted.question);
        let request = RequestSize::of(state, questions);
        let requests = f64::from(demand.requests);
        let bytes = request.bytes() as f64 + demand.further_bytes as f64;
        let output = (call.questions.len() as f64 * OUTPUT_TOKENS).max(demand.output_tokens as f64);
        Self {
            bytes: bytes * requests,
            output: output * requests,
            most: f64::from(demand.further_requests) + 1.0,
        }
    }

    /// The same for a share of its requests.
    pub(crate) fn share(self, share: f64) -> Self {
        Self {
            bytes: self.bytes * share,
            output: self.output * share,
            ..self
        }
    }

    /// About how many tokens it sends.
    pub(crate) fn input_tokens(self) -> f64 {
        self.bytes / BYTES_PER_TOKEN as f64
    }

    /// About how many tokens come back.
    pub(crate) fn output_tokens(self) -> f64 {
        self.output
    }
}

/// What the calls of one candidate were seen to take.
#[derive(Debug)]
pub(crate) struct Usage {
    price: Option<Price>,
    replies: u32,
    /// Tokens per byte sent, and tokens received per token expected.
    most: (f64, f64),
}

impl Usage {
    pub(crate) fn new(price: Option<Price>) -> Self {
        Self {
            price,
            replies: 0,
            most: (0.0, 0.0),
        }
    }

    fn usd(&self, input: f64, output: f64) -> f64 {
        self.price.map_or(0.0, |price| price.of_mean(input, output))
    }

    /// About what a call costs, in US dollars.
    pub(crate) fn about(&self, size: Size) -> f64 {
        self.usd(size.input_tokens(), size.output_tokens())
    }

    /// What is put aside for a call: after some replies a quarter more than the most expensive of them would have made it,
    /// before that the most it can be, as no tokenizer makes more tokens than there are bytes.
    pub(crate) fn most(&self, size: Size) -> f64 {
        if self.replies < ENOUGH {
            return self.usd(size.bytes * size.most, size.output * size.most);
        }
        let (input, output) = self.most;
        self.usd(size.bytes * (input * MARGIN), size.output * output * MARGIN)
    }

    /// Takes note of what a call took.
    pub(crate) fn learn(&mut self, size: Size, measured: &Measured) {
        let Some(input) = measured.input_tokens else {
            return;
        };
        let output = measured.output_tokens.unwrap_or(0) as f64;
        self.replies = self.replies.saturating_add(1);
        self.most.0 = self.most.0.max(input as f64 / size.bytes);
        self.most.1 = self.most.1.max(output / size.output.max(1.0));
    }

    /// What an attempt is booked with, and what its answers say it cost: with the tokens unknown nothing, and what was put
    /// aside for the books. `measured` is what was sent in this attempt.
    pub(crate) fn cost(
        &self,
        given: &Result<Reply, Attempt>,
        measured: &Measured,
        put_aside: f64,
    ) -> (f64, Option<f64>) {
        let known = self.of_known(measured);
        match given {
            Ok(_) => (known.unwrap_or(put_aside), known),
            Err(attempt) => match attempt.failure.kind {
                // It may have been answered, and billed, without our hearing of it.
                FailureKind::Timeout | FailureKind::InvalidAnswer | FailureKind::Refused => {
                    (known.unwrap_or(put_aside), known)
                }
                FailureKind::Connect if attempt.measured.connect_ms.is_some() => (put_aside, None),
                // Of several requests for one answer some may have been answered before one failed.
                _ => (known.unwrap_or(0.0), known),
            },
        }
    }

    /// What these tokens cost, where they are known.
    pub(crate) fn of_known(&self, measured: &Measured) -> Option<f64> {
        let output = measured.output_tokens.unwrap_or(0);
        let usd = self.price?.of(measured.input_tokens?, output);
        // Far below any price, and without the noise of binary fractions in files that people read.
        Some((usd * 1e12).round() / 1e12)
    }
}
