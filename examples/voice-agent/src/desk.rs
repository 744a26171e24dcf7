//! Which desk takes a call.

use crate::says;

/// The desks of Marlow Home: the options of the question, in the order of the switchboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, decbench::Options)]
#[options(
    rename_all = "snake_case",
    question = "This is what a caller said to Marlow Home, a shop for furniture and kitchen appliances. Which desk takes the call?",
    version = 2
)]
pub enum Desk {
    /// Where an order is, and changes to one that is on its way
    Orders,
    /// Sending something back, swapping it, and refunds of what was sent back
    Returns,
    /// Something has to be mended, fitted or explained
    Repairs,
    /// Cards, charges, invoices, vouchers and instalments
    Payments,
    /// Fire, smoke, shock, gas, injury, or a product that could cause them
    Safety,
    /// The caller has not said yet what it is about; ask
    #[options(escape)]
    Unclear,
}

decbench::policy! {
    /// From here on a call is passed on without asking the caller whether that is right.
    pub const AUTO_ROUTE: Threshold = Threshold::new(0.8);
}

decbench::policy! {
    /// A caller hears silence for so long; then the machine asks.
    pub const ROUTE_WITHIN: Timeout = Timeout::millis(800).or("unclear");
}

/// The router of last year: the first list with a word in the transcript.
pub fn desk_by_words(transcript: &str) -> Desk {
    let lists: [(Desk, &[&str]); 5] = [
        (Desk::Safety, &["smoke", "fire", "shock", "burn", "gas"]),
        (
            Desk::Returns,
            &["return", "refund", "send back", "exchange", "swap"],
        ),
        (
            Desk::Payments,
            &["card", "charge", "invoice", "payment", "pay "],
        ),
        (
            Desk::Repairs,
            &["engineer", "broken", "repair", "leak", "stopped working"],
        ),
        (
            Desk::Orders,
            &["order", "deliver", "tracking", "driver", "parcel"],
        ),
    ];
    lists
        .into_iter()
        .find(|(_, words)| says(transcript, words))
        .map_or(Desk::Unclear, |(desk, _)| desk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_list_with_a_word_takes_the_call() {
        assert_eq!(desk_by_words("the kettle is on fire"), Desk::Safety);
        assert_eq!(desk_by_words("where is my order"), Desk::Orders);
        assert_eq!(desk_by_words("refund the order"), Desk::Returns);
        assert_eq!(desk_by_words("hello"), Desk::Unclear);
    }

    #[test]
    fn a_late_answer_gives_way_to_a_question() {
        assert_eq!(ROUTE_WITHIN.default::<Desk>(), Some(Desk::Unclear));
        assert!(AUTO_ROUTE.admits(0.8));
    }
}
