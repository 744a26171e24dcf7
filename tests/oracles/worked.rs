//! Numbers that published texts print, recomputed from their inputs.

use decbench_core::stats::agreement::kappa_from_shares;
use decbench_core::stats::capability::TIER_WEIGHTS;
use decbench_core::stats::latency::{all_within, any_beyond, per_call_quantile};
use decbench_core::stats::proportion::{estimate, wilson_with_z};
use decbench_core::stats::sample_size::{cases_for_margin_with_z, mcnemar_cases};
use decbench_core::stats::vendor_confidence::choice_confidence;
use decbench_core::stats::verdict::floors;

use crate::case::{Case, number};
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[Topic {
    name: "seed_numbers",
    stats: &[Stat::new("worked_number", |case| {
        let value = value(case);
        let printed = number(&case.expected["printed"]).unwrap();
        // A text rounds half up, to the digits it prints.
        let text = format!("{printed}");
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let scale = 10_f64.powi(i32::try_from(digits).unwrap());
        let rounded = (value * scale + 1e-9).round() / scale;
        Answer::new()
            .with("value", value)
            .with("printed", rounded)
            .with("reproduces", (rounded - printed).abs() < 1e-9)
    })],
}];

fn value(case: &Case) -> f64 {
    let (_, name) = case.name.rsplit_once('/').unwrap();
    let product = |one, other| case.number(one) * case.number(other);
    let ratio = |one, other| case.number(one) / case.number(other);
    let wilson = || wilson_with_z(case.count("k"), case.count("n"), case.number("z")).unwrap();
    let calls = || u32::try_from(case.count("k")).unwrap();
    match name {
        "n_margin_3pt" | "n_margin_2pt" => {
            let (p, margin) = (case.number("p"), case.number("margin"));
            let count = cases_for_margin_with_z(p, margin, case.number("z"));
            count.unwrap().cases as f64
        }
        "wilson_low_870_900" | "wilson_low_58_60" => wilson().low,
        "wilson_high_870_900" | "wilson_high_58_60" => wilson().high,
        "rate_870_900" | "rate_58_60" => estimate(case.count("k"), case.count("n")).unwrap(),
        "mcnemar_n_08" | "mcnemar_n_10" => {
            let (disagreement, difference) = (case.number("p_disagree"), case.number("delta"));
            let (alpha, power) = (case.number("alpha"), case.number("power"));
            let found = mcnemar_cases(disagreement, difference, alpha, power);
            found.unwrap().count.cases as f64
        }
        "kappa_example" => kappa_from_shares(case.number("p_o"), case.number("p_e")).unwrap(),
        "labeler_hours" => product("items", "labelers") * case.number("seconds") / 3600.0,
        "rare_positives" => product("items", "share"),
        "vendor_confidence_choice" => choice_confidence(&case.numbers("probs")).unwrap(),
        "forced_choice_confidence" => {
            let options = case.count("options");
            let top = case.number("p_max");
            let mut row = vec![(1.0 - top) / (options as f64 - 1.0)];
            row.resize(usize::try_from(options).unwrap(), row[0]);
            row[0] = top;
            choice_confidence(&row).unwrap()
        }
        "all_three_within_p95" => all_within(case.number("q"), calls()).unwrap(),
        "per_call_quantile" => per_call_quantile(case.number("q"), calls()).unwrap(),
        "any_p99_in_10" | "any_p95_in_10" => any_beyond(case.number("q"), calls()).unwrap(),
        "decision_rate" => ratio("calls", "seconds"),
        "benchmark_calls" => product("items", "calls_per_item"),
        "benchmark_tokens_millions" => product("calls", "tokens") / 1e6,
        "implied_price_per_million" => ratio("usd", "tokens_millions"),
        "repeat_runs" => product("cases", "runs"),
        "coverage_rest" => 1.0 - case.number("coverage"),
        "tier_weights_sum" => {
            assert_eq!(case.numbers("weights"), TIER_WEIGHTS);
            TIER_WEIGHTS.iter().sum()
        }
        "approvals_42_24" => {
            let floors = floors(case.count("cases"), case.count("gold")).unwrap();
            floors.more_approvals as f64
        }
        "smallest_bootstrap_step" => 1.0 / case.number("resamples"),
        name if name.starts_with("repeat_agreement_") => {
            estimate(case.count("matches"), case.count("runs")).unwrap()
        }
        other => panic!("unknown worked number `{other}`"),
    }
}
