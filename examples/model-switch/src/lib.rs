//! Is this ticket urgent? Three ways to say so, from a single word to a little reading.

/// Urgent when the customer says so.
pub fn by_word(ticket: &str) -> bool {
    ticket.to_lowercase().contains("urgent")
}

/// Urgent when something is down, lost or wrong, whatever it is called.
pub fn by_signs(ticket: &str) -> bool {
    let ticket = ticket.to_lowercase();
    let signs = [
        "down",
        "lost",
        "charged twice",
        "cannot log in",
        "locked out",
    ];
    signs.iter().any(|sign| ticket.contains(sign))
}

/// As [`by_signs`], and calm about what has been solved or only wondered about.
pub fn by_reading(ticket: &str) -> bool {
    let calm = ["no rush", "solved", "just wondering"];
    let text = ticket.to_lowercase();
    by_signs(ticket) && !calm.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_is_not_urgent() {
        assert!(by_signs("The site was down, but that is solved."));
        assert!(!by_reading("The site was down, but that is solved."));
        assert!(!by_word("The site is down"));
    }
}
