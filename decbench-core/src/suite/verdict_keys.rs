//! The keys of `verdict:`, `compare:` and `published:`, in the order of the reference.

use super::key_table::{key, or};
use super::keys::Kind::{Free, Number, OneOf, Share, Text, Whole};
use super::keys::{Key, Kind, Section};

pub(super) const VERDICT: &[Key] = &[
    or(
        key(
            "expect",
            OneOf(&["keep", "switch", "switch_cheaper", "decision", "any"]),
            "What the verdict must be.",
        ),
        "any",
    ),
    or(
        key(
            "margin",
            Share,
            "By how much quality may fall where a candidate is cheaper or faster.",
        ),
        "none; 1% for switch_cheaper",
    ),
    or(
        key(
            "success",
            Number(0.0, 1.0),
            "The quality from which on a case counts as a success.",
        ),
        "0.8",
    ),
    key(
        "case_gates",
        Free("a map from `latency`, `cost`, `accuracy` or `within_one` to bounds"),
        "What each decision must keep to besides for its case to be a success.",
    ),
    or(
        key(
            "utility",
            Kind::Section(Section::Utility),
            "What counts how much in the ranking.",
        ),
        "quality 60, speed 20, cost 20",
    ),
    or(
        key(
            "min_discordant",
            Whole(0, 1_000_000),
            "Fewest independent units on which a candidate and today's must differ.",
        ),
        "6",
    ),
    or(
        key(
            "repeats",
            Whole(1, 1000),
            "How many repeats of the same call are averaged.",
        ),
        "1",
    ),
    key(
        "fallback",
        Text,
        "What is done with a decision that is not confident enough; else the question's escape option.",
    ),
    key(
        "quality",
        Free("a map from `accuracy` or `within_one` to weights"),
        "What a case's quality is made of; else the accuracy of each question, equally weighted.",
    ),
];

pub(super) const UTILITY: &[Key] = &[
    or(
        key("quality", Number(0.0, f64::MAX), "Weight of quality."),
        "60",
    ),
    or(
        key("speed", Number(0.0, f64::MAX), "Weight of speed."),
        "20",
    ),
    or(key("cost", Number(0.0, f64::MAX), "Weight of cost."), "20"),
];

pub(super) const COMPARE: &[Key] = &[
    or(
        key(
            "against",
            Text,
            "With whom every candidate is compared: `today`, a candidate's name, or `baseline`, which is its own earlier answers.",
        ),
        "today",
    ),
    or(
        key(
            "metric",
            Text,
            "What is compared: a metric that one call per case gives.",
        ),
        "accuracy",
    ),
    key(
        "margin",
        Share,
        "By how much the metric may get worse; with it candidates must be no worse, without it better, or against `baseline` not shown to be worse.",
    ),
];

pub(super) const PUBLISHED: &[Key] = &[
    key("source", Text, "Who published the figures, and when."),
    key(
        "models",
        Free("a map of candidates to maps from metrics to figures"),
        "What was published of whom, in each metric's unit; three candidates at least.",
    ),
    or(
        key(
            "leave_out",
            Free("a list of candidates"),
            "Who is predicted by a straight line through the others, from measured to published.",
        ),
        "each in turn",
    ),
    key(
        "spearman",
        Text,
        "How high the rank correlation between measured and published figures must be, as in `>= 0.8`.",
    ),
    key(
        "error",
        Text,
        "How far predictions may lie from the published figures in the mean, in the metric's unit, as in `<= 3`.",
    ),
];
