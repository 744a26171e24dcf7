//! The keys of `turn:`, in the order of the reference.

use super::key_table::{key, or};
use super::keys::Key;
use super::keys::Kind::{Free, Share, Text, Whole};

pub(super) const TURN: &[Key] = &[
    key("budget", Text, "What a turn may take, as in `400ms`."),
    or(
        key(
            "parallel",
            Whole(1, 1000),
            "How many calls a turn makes at the same time and waits for.",
        ),
        "1",
    ),
    or(
        key(
            "turns",
            Whole(1, 10_000),
            "How many turns a conversation has.",
        ),
        "1",
    ),
    or(
        key(
            "at_least",
            Share,
            "The share of turns that must stay within the budget.",
        ),
        "95%",
    ),
    key(
        "default",
        Free("an answer, or a map of answers by question"),
        "What is done where no answer came in time.",
    ),
];
