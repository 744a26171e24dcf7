//! Hands what production decides by to the suites under `tests/suites`.

use decbench::Answers;
use voice_agent::Desk;

/// The router of last year, which production still uses.
#[decbench::provider]
fn desk_words(transcript: &str) -> Desk {
    voice_agent::desk_by_words(transcript)
}

/// The words that bring a person in.
#[decbench::provider]
fn handover_words(transcript: &str) -> bool {
    voice_agent::needs_a_person(transcript)
}

/// The gate in front of the refund tool.
#[decbench::provider]
fn refund_gate(transcript: &str) -> bool {
    voice_agent::may_refund(transcript)
}

/// What is written down after a call.
#[decbench::provider]
fn call_notes(transcript: &str) -> Answers {
    Answers::new()
        .and("ending", voice_agent::ending_by_words(transcript))
        .and("notice", voice_agent::notice_given(transcript))
        .and("mood", voice_agent::mood_by_words(transcript))
}

decbench::main!();
