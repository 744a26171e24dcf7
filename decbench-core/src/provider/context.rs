//! How much of a request services read, as far as they publish it: a table with the day each row was looked up.
//!
//! A model's own row in `decbench.toml` (`[context."model"]`) comes before this one.

use crate::decision::ContextLimit;

/// What a service publishes about how much of a request it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedContext {
    /// The provider's name in suites.
    pub provider: &'static str,
    /// The service among those of one dialect, by its name in [`super::PLACES`]; empty for the vendor's own.
    pub place: &'static str,
    /// Tokens of the state and all questions.
    pub request: u64,
    /// Tokens of the state and the longest question, where that is limited apart.
    pub state_and_question: Option<u64>,
    /// When it was looked up.
    pub at: &'static str,
}

const fn row(provider: &'static str, place: &'static str, request: u64) -> PublishedContext {
    PublishedContext {
        provider,
        place,
        request,
        state_and_question: None,
        at: "2026-11-29",
    }
}

/// Every limit that is published. A gateway that passes requests on has the limits of whoever answers, which it does
/// not tell: it has no row.
pub const CONTEXTS: &[PublishedContext] = &[
    PublishedContext {
        state_and_question: Some(32_768),
        ..row("system-one", "TypeSafe", 65_536)
    },
    row("system-one", "TypeSafe, long context", 262_144),
    row("system-one", "Cloudflare", 65_536),
    row("system-one", "Perplexity", 262_144),
    row("system-one", "Microsoft Foundry", 32_768),
    row("system-one", "Parallel", 32_768),
    row("system-one", "eu-jev", 32_768),
    row("openai-decisions", "", 922_000),
    row("gemini-decisions", "", 262_144),
];

/// What the service at a place reads of a request.
pub(super) fn published(provider: &str, place: &str) -> Option<ContextLimit> {
    let row = CONTEXTS
        .iter()
        .find(|row| row.provider == provider && row.place == place)?;
    Some(ContextLimit {
        request: row.request,
        state_and_question: row.state_and_question,
        at: Some(row.at.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{PLACES, find_provider};

    #[test]
    fn every_row_is_of_a_service_that_there_is_and_there_is_one_of_each() {
        for (at, row) in CONTEXTS.iter().enumerate() {
            assert!(find_provider(row.provider).is_ok(), "{row:?}");
            let place = row.place.split(',').next().unwrap_or_default();
            let known = place.is_empty() || PLACES.iter().any(|known| known.name == place);
            assert!(known, "{row:?}");
            assert!(
                row.state_and_question
                    .is_none_or(|limit| limit < row.request)
            );
            let same = |other: &PublishedContext| {
                (other.provider, other.place) == (row.provider, row.place)
            };
            assert!(!CONTEXTS[..at].iter().any(same), "{row:?} twice");
        }
    }
}
