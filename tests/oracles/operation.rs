//! What a model costs in time and money, what it can do, and what follows.

use decbench_core::stats::capability::{
    CalibrationErrors, CapabilityItem, Kind, Tier, capability, chance_corrected,
};
use decbench_core::stats::correlation::{Line, spearman};
use decbench_core::stats::cost::{cost_per_success, cost_per_success_bootstrap_from};
use decbench_core::stats::latency::{
    Latencies, all_within, any_beyond, calls_for_upper_limit, per_call_quantile,
};
use decbench_core::stats::proportion::{estimate, wilson};
use decbench_core::stats::random::ReplayedIndices;
use decbench_core::stats::verdict::{Contender, Incumbent, Verdict, decide, floors};
use serde_json::Value;

use crate::case::{Case, count, flag, number};
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "latency",
        stats: &[
            Stat::new("percentiles", percentiles),
            Stat::new("percentiles_with_timeouts", timeouts),
            Stat::new("error_rate", |case| {
                let (errors, calls) = (case.count("errors"), case.count("calls"));
                Answer::new()
                    .with("rate", estimate(errors, calls))
                    .with("wilson", wilson(errors, calls, case.number("level")))
            }),
            Stat::new("min_n_for_upper_limit", |case| {
                let n = calls_for_upper_limit(case.number("q"), case.number("level"));
                Answer::new().with("n", n)
            }),
            Stat::new("tail", |case| {
                let q = case.number("q");
                let k = u32::try_from(case.count("k")).unwrap();
                Answer::new()
                    .with("all_within", all_within(q, k))
                    .with("any_beyond", any_beyond(q, k))
                    .with("per_call_quantile", per_call_quantile(q, k))
            }),
        ],
    },
    Topic {
        name: "cost_per_success",
        stats: &[
            Stat::new("cost_ratio", cost_ratio),
            Stat::new("cost_bootstrap_replayed", cost_bootstrap),
        ],
    },
    Topic {
        name: "capability",
        stats: &[
            Stat::new("chance_corrected", |case| {
                let value = chance_corrected(case.number("accuracy"), case.number("chance"));
                Answer::new().with("value", value)
            }),
            Stat::new("capability", capability_of),
            Stat::new("spearman", |case| {
                Answer::new().with("rho", spearman(&case.numbers("x"), &case.numbers("y")))
            }),
            Stat::new("leave_out_fit", |case| {
                let line = Line::fit(&case.numbers("x_fit"), &case.numbers("y_fit")).unwrap();
                let errors = line.errors(&case.numbers("x_out"), &case.numbers("y_out"));
                Answer::new()
                    .with("slope", line.slope)
                    .with("intercept", line.intercept)
                    .with("mean_absolute_error", errors.map(|e| e.mean_absolute))
                    .with("rmse", errors.map(|e| e.root_mean_square))
                    .with("max_error", errors.map(|e| e.largest))
            }),
        ],
    },
    Topic {
        name: "verdict",
        stats: &[
            Stat::new("floors", |case| {
                let found = floors(case.count("cases"), case.count("gold")).unwrap();
                Answer::new()
                    .with("floors_met", found.met)
                    .with("more_cases", found.more_cases)
                    .with("more_approvals", found.more_approvals)
            }),
            Stat::new("decide", verdict),
        ],
    },
];

fn percentiles(case: &Case) -> Answer {
    let Ok(calls) = Latencies::new(case.numbers("ms")) else {
        return Answer::new().with("percentile", Got::Nothing);
    };
    let keyed = |key: &str, of: &dyn Fn(f64) -> Got| {
        let keys = case.expected[key].as_object().unwrap().keys();
        let fields = keys.map(|q| (q.clone(), of(q.parse().unwrap())));
        Got::Fields(fields.collect())
    };
    let limits = |q: f64| {
        let limits = calls.quantile_limits(q, 0.95).unwrap();
        Got::List(vec![limits.low.into(), limits.high.into()])
    };
    Answer::new()
        .with(
            "percentile",
            keyed("percentile", &|q| calls.quantile(q).into()),
        )
        .with("interval_95", keyed("interval_95", &limits))
        .with("mean", calls.mean())
        .with("min", calls.min())
        .with("max", calls.max())
}

fn timeouts(case: &Case) -> Answer {
    let ms = case.each("ms", |value| {
        if value.is_null() {
            Some(f64::INFINITY)
        } else {
            number(value)
        }
    });
    let calls = Latencies::new(ms).unwrap();
    Answer::new()
        .with("p50", calls.quantile(0.5))
        .with("p95", calls.quantile(0.95))
        .with("timeouts", calls.timeouts())
        .with("timeout_rate", estimate(calls.timeouts(), calls.calls()))
}

fn cost_ratio(case: &Case) -> Answer {
    let (cost, passed) = (case.numbers("cost"), case.flags("passed"));
    let found = cost_per_success(&cost, &passed, case.number("level")).unwrap();
    Answer::new()
        .with("total_cost", found.total_cost)
        .with("passes", found.passes)
        .with("cost_per_success", found.cost_per_success)
        .with("se", found.standard_error)
        .with("delta_interval", found.delta_interval)
}

fn cost_bootstrap(case: &Case) -> Answer {
    let (cost, passed) = (case.numbers("cost"), case.flags("passed"));
    let rows = case.index_rows("indices");
    let indices: Vec<u32> = rows
        .iter()
        .flatten()
        .map(|&index| u32::try_from(index).unwrap())
        .collect();
    let mut source = ReplayedIndices::new(&indices);
    let level = case.number("level");
    let found =
        cost_per_success_bootstrap_from(&cost, &passed, rows.len(), &mut source, level).unwrap();
    let ratio = cost_per_success(&cost, &passed, level).unwrap();
    Answer::new()
        .with("cost_per_success", ratio.cost_per_success)
        .with("percentile", found.percentile)
        .with("resamples_without_success", found.without_success)
}

fn capability_of(case: &Case) -> Answer {
    let items = case.each("items", |item| {
        Some(CapabilityItem {
            kind: match item["type"].as_str()? {
                "choice" => Kind::Choice,
                "yes_no" => Kind::YesNo,
                "score" => Kind::Score,
                _ => return None,
            },
            tier: match item["tier"].as_str()? {
                "easy" => Tier::Easy,
                "standard" => Tier::Standard,
                "judge" => Tier::Judge,
                "hard" => Tier::Hard,
                _ => return None,
            },
            options: u32::try_from(count(&item["options"])?).ok()?,
            correct: flag(&item["correct"])?,
        })
    });
    let errors = case.get("calibration");
    let errors = CalibrationErrors {
        choice_ece_hard: number(&errors["choice_ece_hard"]),
        yes_no_ece: number(&errors["yes_no_ece"]),
        score_ece: number(&errors["score_ece"]),
        score_rps_normalised: number(&errors["score_rps_normalised"]),
    };
    let weights = case.get("tier_weights");
    let weights = ["easy", "standard", "judge", "hard"].map(|tier| number(&weights[tier]).unwrap());
    let found = capability(&items, &errors, weights).unwrap();
    let by_kind = |kinds: [Option<f64>; 3]| {
        let names = ["choice", "yes_no", "score"].map(str::to_owned);
        Got::Fields(names.into_iter().zip(kinds.map(Got::from)).collect())
    };
    Answer::new()
        .with("intelligence_by_type", by_kind(found.intelligence.kinds))
        .with("intelligence", found.intelligence.value)
        .with("calibration_by_type", by_kind(found.calibration.kinds))
        .with("calibration", found.calibration.value)
        .with("capability", found.value)
}

fn verdict(case: &Case) -> Answer {
    let names = case.each("candidates", |each| {
        each["name"].as_str().map(str::to_owned)
    });
    let contenders = case.each("candidates", |each| {
        Some(Contender {
            p: number(&each["p"]),
            gates_passed: flag(&each["gates_ok"])?,
            cost_per_success: number(&each["cost_per_success"]),
            quality: number(&each["quality"]),
            latency: number(&each["latency"]),
        })
    });
    let today: &Value = case.get("today");
    let today = Incumbent {
        cost_per_success: number(&today["cost_per_success"]),
        latency: number(&today["latency"]),
    };
    let found = decide(
        &contenders,
        &today,
        case.count("cases"),
        case.count("gold"),
        case.number("alpha"),
    )
    .unwrap();
    let (verdict, named, shortlist) = match found.verdict {
        Verdict::Switch(index) => ("switch", Some(index), vec![]),
        Verdict::Keep => ("keep", None, vec![]),
        Verdict::Shortlist(list) => ("shortlist", None, list),
    };
    Answer::new()
        .with("verdict", verdict)
        .with("named", named.map(|index| names[index].as_str()))
        .with(
            "shortlist",
            shortlist
                .iter()
                .map(|&index| names[index].as_str())
                .collect::<Vec<_>>(),
        )
}
