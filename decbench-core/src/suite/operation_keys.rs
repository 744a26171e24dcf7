//! The keys of `turn:` and `load:`, in the order of the reference.

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

pub(super) const LOAD: &[Key] = &[
    key(
        "base",
        Text,
        "How many calls a second production makes, as in `7/s`.",
    ),
    or(
        key(
            "rates",
            Free("a list of multiples, as in `[1x, 3x, 10x]`"),
            "The multiples of `base` that are tried one after the other.",
        ),
        "[1x]",
    ),
    or(
        key("calls", Whole(1, 1_000_000), "How many calls at each rate."),
        "2000",
    ),
    key(
        "assert",
        Free("a map from latency.p50, p95, p99 and rates of errors to bounds"),
        "What must hold at every rate.",
    ),
];
