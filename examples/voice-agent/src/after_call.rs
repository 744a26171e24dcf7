//! What is written down when a call is over.

use crate::says;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, decbench::Options)]
#[options(
    rename_all = "snake_case",
    question = "How did this call end?",
    version = 1
)]
pub enum Ending {
    /// What the caller wanted was done or answered in the call
    Resolved,
    /// Somebody will ring the caller
    Callback,
    /// The caller was put through to a person
    PassedOn,
    /// A complaint was logged
    Complaint,
    /// The line was lost or the caller hung up before it was dealt with
    Dropped,
    /// Wrong number, or nothing that concerns a customer
    #[options(escape)]
    Other,
}

/// How the caller felt at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, decbench::Levels)]
#[options(
    rename_all = "snake_case",
    question = "How did the caller feel at the end of the call?",
    version = 1
)]
pub enum Mood {
    /// Furious: insults, threats, shouting
    Furious,
    /// Annoyed or disappointed
    Annoyed,
    /// Neither pleased nor displeased
    Even,
    /// Pleased
    Pleased,
    /// Delighted: praise well beyond politeness
    Delighted,
}

/// The ending that the agent's and the line's own words tell.
pub fn ending_by_words(transcript: &str) -> Ending {
    if says(transcript, &["hung up]", "[line lost]"]) {
        Ending::Dropped
    } else if transcript.contains("complaint") {
        Ending::Complaint
    } else if says(transcript, &["put you through", "putting you through"]) {
        Ending::PassedOn
    } else if says(transcript, &["ring you", "call you back"]) {
        Ending::Callback
    } else {
        Ending::Resolved
    }
}

/// Whether the agent said that the call is recorded before it asked for anything personal.
///
/// This is a matter of order, which code can tell: no model is needed.
///
/// ```
/// use voice_agent::notice_given;
/// assert!(notice_given("agent: this call is recorded. your name please. caller: kim"));
/// assert!(!notice_given("agent: your name please. caller: kim. agent: this call is recorded"));
/// ```
pub fn notice_given(transcript: &str) -> bool {
    let first = |phrases: &[&str]| {
        let found = phrases.iter().filter_map(|phrase| transcript.find(phrase));
        found.min()
    };
    let notice = first(&["recorded", "record calls", "record our calls"]);
    let personal = first(&[
        "name",
        "number",
        "post code",
        "date of birth",
        "address",
        "email please",
    ]);
    match (notice, personal) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(notice), Some(personal)) => notice < personal,
    }
}

/// The mood that single words give away.
pub fn mood_by_words(transcript: &str) -> Mood {
    let worst_first: [(Mood, &[&str]); 4] = [
        (Mood::Furious, &["disgrace", "furious", "liars", "livid"]),
        (Mood::Delighted, &["brilliant", "fantastic", "wonderful"]),
        (Mood::Annoyed, &["again", "last time", "third time"]),
        (Mood::Pleased, &["thank", "lovely", "great", "perfect"]),
    ];
    worst_first
        .into_iter()
        .find(|(_, words)| says(transcript, words))
        .map_or(Mood::Even, |(mood, _)| mood)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_speaks_first_then_the_agent() {
        let ends = ending_by_words;
        assert_eq!(
            ends("agent: a complaint. caller: [line lost]"),
            Ending::Dropped
        );
        assert_eq!(ends("agent: i've logged a complaint"), Ending::Complaint);
        assert_eq!(ends("agent: i'm putting you through"), Ending::PassedOn);
        assert_eq!(ends("agent: somebody will ring you"), Ending::Callback);
        assert_eq!(ends("agent: it's sent"), Ending::Resolved);
    }

    #[test]
    fn a_notice_comes_before_the_first_personal_question() {
        assert!(notice_given("agent: calls are recorded"));
        assert!(!notice_given("agent: hello"));
        assert!(!notice_given("agent: your post code. and we record calls"));
    }

    #[test]
    fn strong_words_outweigh_thanks() {
        assert_eq!(mood_by_words("thank you for nothing, liars"), Mood::Furious);
        assert_eq!(mood_by_words("brilliant thank you"), Mood::Delighted);
        assert!(Mood::Annoyed < Mood::Pleased);
        assert_eq!(mood_by_words("okay"), Mood::Even);
    }
}
