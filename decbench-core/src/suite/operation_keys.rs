//! The keys of `turn:` and `load:`, each in the order of the reference.

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
        "How often production calls, as in `7/s` or `90/min`.",
    ),
    or(
        key(
            "rates",
            Free("a list of multiples of `base`, as in `[1x, 3x]`"),
            "The rates that are offered, one after the other.",
        ),
        "[1x, 3x, 10x]",
    ),
    or(
        key("calls", Whole(1, 100_000), "How many calls each rate gets."),
        "2000",
    ),
    key(
        "assert",
        Free(
            "a map from `latency.p50`, `latency.p95`, `latency.p99`, `error_rate` or `timeout_rate` to a bound",
        ),
        "What must hold under load, with waiting counted.",
    ),
    or(
        key(
            "at",
            Text,
            "The one rate at which it must hold, as in `3x`.",
        ),
        "every rate",
    ),
];
