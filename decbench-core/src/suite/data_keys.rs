//! The keys of `data:` and its sections, in the order of the reference.

use super::key_table::{key, or};
use super::keys::Kind::{Free, Section as Map, Share, Text, Whole};
use super::keys::{Key, Section};

pub(super) const DATA: &[Key] = &[
    key(
        "decided_at",
        Text,
        "The marker in a text, or the field of a JSON state, after which a state tells of the time after the decision.",
    ),
    key(
        "giveaways",
        Free("a list of phrases; `{gold}` stands for the right answer"),
        "Phrases that give the answer away and may stand in no state.",
    ),
    key(
        "overlap",
        Free("a file, a map with `file`, or a list of these"),
        "Other files whose states may not be among the cases, such as what a model was trained on.",
    ),
    key(
        "class_floor",
        Whole(1, u32::MAX),
        "Fewest cases with gold for every option of every question.",
    ),
    key(
        "stratum_floor",
        Whole(1, u32::MAX),
        "Fewest cases for every value of every stratum.",
    ),
    or(
        key(
            "weeks",
            Whole(1, 1000),
            "Fewest calendar weeks that the dates of the cases lie in.",
        ),
        "2 where another key of strata is there and cases have a date",
    ),
    key(
        "population",
        Free("a map from fields, or `gold`, to shares by value"),
        "The shares in production, which the weighted cases must have.",
    ),
    key(
        "composition",
        Free("a map from fields, or `gold`, to shares by value"),
        "The shares that the cases themselves must have.",
    ),
    or(
        key(
            "tolerance",
            Share,
            "By how much a share may differ from that of `population` or `composition`.",
        ),
        "2%",
    ),
    key(
        "max_age",
        Text,
        "How old a case may be by its date, as in `180d` or `26w`.",
    ),
    key(
        "agreement",
        Map(Section::Agreement),
        "How well raters must agree.",
    ),
    key(
        "panel",
        Free("a list of raters that are models, or a map with `models`"),
        "Models whose votes decide which cases are kept.",
    ),
    or(
        key(
            "looks",
            Whole(1, 1000),
            "How often each candidate may be looked at on the lock box.",
        ),
        "1",
    ),
];

pub(super) const AGREEMENT: &[Key] = &[or(
    key(
        "floor",
        Share,
        "The smallest kappa, or alpha where there are more than two raters.",
    ),
    "0.6",
)];

pub(super) const PANEL: &[Key] = &[
    key(
        "models",
        Free("a list of names under `labels`"),
        "The raters that are models.",
    ),
    or(
        key(
            "keep",
            Share,
            "The smallest share of voted cases that must be kept.",
        ),
        "50%",
    ),
];

pub(super) const OVERLAP: &[Key] = &[
    key("file", Text, "A file: .jsonl, .json, .csv or .yaml."),
    or(
        key("state", Text, "The column or field that holds the text."),
        "state",
    ),
];
