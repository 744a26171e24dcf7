//! What is read out of stated probabilities.

use decbench_core::stats::intake::distribution;
use decbench_core::stats::ordinal::expected_level;
use decbench_core::stats::vendor_confidence::{
    choice_confidence, entropy_confidence, score_confidence, top_probability, yes_no,
};

use crate::case::{Case, number};
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "vendor_confidence",
        stats: &[
            Stat::new("confidence", |case| {
                let row = case.numbers("probs");
                Answer::new()
                    .with("choice", choice_confidence(&row))
                    .with("score_mad", score_confidence(&row))
                    .with("entropy", entropy_confidence(&row))
                    .with("expected_level", expected_level(&row))
                    .with("p_max", top_probability(&row))
            }),
            Stat::new("yes_no", |case| {
                let found = yes_no(case.number("p_yes")).unwrap();
                Answer::new()
                    .with("answer_yes", found.answer == Some(true))
                    .with("tie", found.answer.is_none())
                    .with("p_top", found.top)
                    .with("distance", found.distance)
            }),
        ],
    },
    Topic {
        name: "probability_intake",
        stats: &[Stat::new("intake", intake)],
    },
];

fn intake(case: &Case) -> Answer {
    // A key without a number is null.
    let stated = case.each("probs", |value| Some(number(value)));
    match distribution(&stated, 0.02) {
        Ok(found) => Answer::new()
            .with(
                "status",
                if found.renormalised {
                    "renormalised"
                } else {
                    "ok"
                },
            )
            .with("top_index", found.top_option)
            .with("top", found.top())
            .with("sum_before", found.sum_before)
            .with("probs", found.probabilities),
        Err(_) => Answer::new().with("status", "invalid"),
    }
}
