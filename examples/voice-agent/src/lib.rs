//! The voice agent of Marlow Home, a shop for furniture and kitchen appliances.
//!
//! Callers talk to a machine. While they talk it decides which [`Desk`] takes the call, whether a person has to
//! [take over](needs_a_person), and whether a refund [may be issued now](may_refund). When they have hung up it
//! writes down [how the call ended](Ending), [whether the notice was given](notice_given) and the caller's [`Mood`].
//!
//! This is production code: of decbench it takes the derives and the policies. What each decision is worth is
//! measured by the suites in `tests/suites`.
//!
//! ```
//! use voice_agent::{Desk, desk_by_words};
//! assert_eq!(desk_by_words("my card was charged twice"), Desk::Payments);
//! ```

mod after_call;
mod desk;
mod handover;
mod refund;

pub use after_call::{Ending, Mood, ending_by_words, mood_by_words, notice_given};
pub use desk::{AUTO_ROUTE, Desk, ROUTE_WITHIN, desk_by_words};
pub use handover::needs_a_person;
pub use refund::may_refund;

/// Whether one of these words or phrases stands in the transcript.
fn says(transcript: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| transcript.contains(phrase))
}
