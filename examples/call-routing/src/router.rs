//! Routing by keywords.

use crate::keywords::{BILLING, CANCELLATION, FRAUD, PRODUCTS, SALES, SUPPORT};
use crate::team::Team;

/// Teams whose calls must not wait in a wrong queue: one keyword is enough, and the earlier team goes first.
const URGENT: [(Team, &str); 2] = [(Team::Fraud, FRAUD), (Team::Cancellation, CANCELLATION)];

/// The other teams: the one with most keywords gets the call, the earlier of two equals.
const TOPICS: [(Team, &str); 3] = [
    (Team::Billing, BILLING),
    (Team::Support, SUPPORT),
    (Team::Sales, SALES),
];

/// The team whose keywords a transcript contains.
///
/// Fraud goes before cancellation, and both go before everything else. Who names nothing but a product most often
/// has trouble with it, so support takes the call; who says no keyword at all is asked what they want:
/// [`Team::NoReasonYet`].
///
/// ```
/// use call_routing::{Team, keyword_router};
/// assert_eq!(keyword_router("I was charged twice, and my router is fine, thank you"), Team::Billing);
/// assert_eq!(keyword_router("Hello? Can you hear me?"), Team::NoReasonYet);
/// ```
pub fn keyword_router(transcript: &str) -> Team {
    let text = normalised(transcript);
    for (team, keywords) in URGENT {
        if hits(&text, keywords) > 0 {
            return team;
        }
    }
    let mut most = 0;
    let mut chosen = Team::NoReasonYet;
    for (team, keywords) in TOPICS {
        let found = hits(&text, keywords);
        if found > most {
            (most, chosen) = (found, team);
        }
    }
    if most == 0 && hits(&text, PRODUCTS) > 0 {
        return Team::Support;
    }
    chosen
}

/// How many of these keywords stand in the text as whole words.
fn hits(text: &str, keywords: &str) -> usize {
    keywords
        .split(", ")
        .filter(|keyword| text.contains(&format!(" {keyword} ")))
        .count()
}

/// Lower case, one space between words and at both ends; punctuation goes, hyphens and apostrophes stay.
fn normalised(transcript: &str) -> String {
    let mut text = String::with_capacity(transcript.len() + 2);
    text.push(' ');
    for character in transcript.chars().flat_map(char::to_lowercase) {
        let kept = match character {
            '’' => '\'',
            '\'' | '-' => character,
            _ if character.is_alphanumeric() => character,
            _ => ' ',
        };
        if kept != ' ' || !text.ends_with(' ') {
            text.push(kept);
        }
    }
    if !text.ends_with(' ') {
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topics_own_words_reach_its_team() {
        for (transcript, team) in [
            ("Why is my invoice so high this month?", Team::Billing),
            ("My router keeps blinking red.", Team::Support),
            ("I'd like to upgrade to the 500 package.", Team::Sales),
            ("Please cancel everything.", Team::Cancellation),
            ("My account was hacked.", Team::Fraud),
        ] {
            assert_eq!(keyword_router(transcript), team, "{transcript}");
        }
    }

    #[test]
    fn fraud_goes_before_cancellation_and_both_before_the_rest() {
        for (transcript, team) in [
            ("Cancel the order, my phone was stolen", Team::Fraud),
            (
                "The router is broken and slow, cancel it",
                Team::Cancellation,
            ),
        ] {
            assert_eq!(keyword_router(transcript), team, "{transcript}");
        }
    }

    #[test]
    fn the_team_with_most_keywords_wins() {
        let transcript = "I paid for the router, but the wifi is slow";
        assert_eq!(keyword_router(transcript), Team::Support);
    }

    #[test]
    fn the_earlier_of_two_equal_teams_wins() {
        assert_eq!(keyword_router("A payment, a password"), Team::Billing);
        assert_eq!(keyword_router("A password, an upgrade"), Team::Support);
    }

    #[test]
    fn a_product_and_nothing_else_is_a_matter_for_support() {
        assert_eq!(keyword_router("It's the landline"), Team::Support);
        assert_eq!(keyword_router("A refund for the landline"), Team::Billing);
    }

    #[test]
    fn keywords_are_whole_words_in_any_case_and_spelling_of_the_apostrophe() {
        assert_eq!(keyword_router("I am unable to say"), Team::NoReasonYet);
        assert_eq!(keyword_router("REFUND!"), Team::Billing);
        assert_eq!(keyword_router("Direct\n debit"), Team::Billing);
        assert_eq!(keyword_router("It wasn’t me"), Team::Fraud);
    }

    #[test]
    fn nothing_said_is_no_reason_yet() {
        for transcript in ["", "  ...  ", "Hi, it's Anna."] {
            assert_eq!(keyword_router(transcript), Team::NoReasonYet);
        }
    }
}
