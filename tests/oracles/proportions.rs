//! One proportion and accuracy floors.

use decbench_core::stats::floor::accuracy_floor;
use decbench_core::stats::proportion::{
    clopper_pearson, clopper_pearson_lower, estimate, jeffreys, wilson, wilson_effective,
    wilson_lower, wilson_upper, wilson_with_z,
};

use crate::case::Case;
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "proportion_intervals",
        stats: &[
            Stat::new("interval", interval),
            Stat::new("wilson_z", |case| {
                let wilson = wilson_with_z(case.count("k"), case.count("n"), case.number("z"));
                Answer::new().with("wilson", wilson)
            }),
            Stat::new("wilson_effective_n", |case| {
                let (p, n_eff) = (case.number("p"), case.number("n_eff"));
                Answer::new().with("wilson", wilson_effective(p, n_eff, case.number("level")))
            }),
        ],
    },
    Topic {
        name: "gates",
        stats: &[Stat::new("accuracy_floor", floor)],
    },
];

fn interval(case: &Case) -> Answer {
    let (k, n, level) = (case.count("k"), case.count("n"), case.number("level"));
    Answer::new()
        .with("estimate", estimate(k, n))
        .with("wilson", wilson(k, n, level))
        .with("clopper_pearson", clopper_pearson(k, n, level))
        .with("jeffreys", jeffreys(k, n, level))
        .with("wilson_lower_one_sided", wilson_lower(k, n, level))
        .with("wilson_upper_one_sided", wilson_upper(k, n, level))
        .with(
            "clopper_pearson_lower_one_sided",
            clopper_pearson_lower(k, n, level),
        )
}

fn floor(case: &Case) -> Answer {
    let floor = accuracy_floor(
        case.count("n"),
        case.number("floor"),
        case.number("level_one_sided"),
    )
    .unwrap();
    let mut answer = Answer::new()
        .with("min_correct_point", floor.min_correct_point)
        .with("min_correct_lower_bound", floor.min_correct_lower_bound)
        .with(
            "max_correct_upper_bound_below",
            floor.max_correct_upper_bound_below,
        );
    // The true accuracy stands in the key: pass_probability_point_at_0.97.
    for key in case.expected.keys() {
        let Some((kind, p)) = key.split_once("_at_") else {
            continue;
        };
        let p: f64 = p.parse().unwrap();
        let value: Got = match kind {
            "pass_probability_point" => floor.pass_probability_point(p).into(),
            "pass_probability_lower_bound" => floor.pass_probability_lower_bound(p).into(),
            "certain_fail_probability" => floor.certain_fail_probability(p).into(),
            _ => continue,
        };
        answer = answer.with(key, value);
    }
    answer
}
