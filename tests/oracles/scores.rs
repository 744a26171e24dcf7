//! Scores of probabilities: proper, ordinal, after temperature scaling, selective and ranking.

use decbench_core::stats::Undefined;
use decbench_core::stats::calibration::{Binning, Forecasts};
use decbench_core::stats::ordinal::{expected_level, ordinal_scores, rps};
use decbench_core::stats::proper::{
    MurphyParts, Truth, binary_brier, brier, brier_of_base_rates, corp, log_loss, mean, murphy,
    murphy_binned, skill,
};
use decbench_core::stats::ranking::{auroc, auroc_one_vs_rest, average_precision};
use decbench_core::stats::selective::{
    CoveragePoint, coverage_at, coverage_point, coverage_wilson, guaranteed_coverage, risk_coverage,
};
use decbench_core::stats::temperature::{apply_temperature, fit_temperature};

use crate::case::Case;
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "proper_scores",
        stats: &[
            Stat::new("multiclass_scores", multiclass),
            Stat::new("binary_brier", binary),
        ],
    },
    Topic {
        name: "ordinal",
        stats: &[Stat::new("ordinal_scores", ordinal)],
    },
    Topic {
        name: "temperature_scaling",
        stats: &[
            Stat::new("fit", fit),
            Stat::new("apply", |case| {
                let apply = |row: &Vec<f64>| apply_temperature(row, case.number("temperature"));
                let rows: Vec<_> = case.number_rows("probs").iter().map(apply).collect();
                Answer::new().with("probs", rows)
            }),
        ],
    },
    Topic {
        name: "selective",
        stats: &[
            Stat::new("risk_coverage", selective),
            Stat::new("coverage_at_accuracy", coverage),
        ],
    },
    Topic {
        name: "ranking",
        stats: &[
            Stat::new("binary_ranking", |case| {
                let (scores, positive) = (case.numbers("score"), case.flags("positive"));
                let found = auroc(&scores, &positive);
                Answer::new()
                    .with("auroc", found.map(|found| found.area))
                    .with("average_precision", average_precision(&scores, &positive))
                    .with("delong_se", found.ok().and_then(|found| found.se))
                    .with(
                        "delong_interval",
                        found.and_then(|found| found.interval(0.95)),
                    )
            }),
            Stat::new("ovr_auroc", |case| {
                let (rows, gold) = (case.number_rows("probs"), case.indices("gold"));
                Answer::new().with("macro_ovr", auroc_one_vs_rest(&rows, &gold))
            }),
        ],
    },
];

fn multiclass(case: &Case) -> Answer {
    let (rows, gold) = (case.number_rows("probs"), case.indices("gold"));
    let truths: Vec<Truth<'_>> = gold.iter().map(|&gold| Truth::Option(gold)).collect();
    let scores: Result<Vec<f64>, Undefined> = rows
        .iter()
        .zip(&truths)
        .map(|(row, &truth)| brier(row, truth))
        .collect();
    let score = scores.and_then(|scores| mean(&scores));
    let options = rows.first().map_or(0, Vec::len);
    let reference = brier_of_base_rates(options, &truths);
    let mut answer = Answer::new()
        .with("brier", score)
        .with("brier_half", score.map(|score| score / 2.0))
        .with(
            "clipped",
            log_loss(&rows, &truths, 1e-15).map(|found| found.clipped),
        )
        .with("brier_reference", reference)
        .with(
            "brier_skill",
            score.and_then(|score| skill(score, reference?)),
        );
    // The floor stands in the key: log_loss_eps_1e-06.
    for key in case.expected.keys() {
        if let Some(floor) = key.strip_prefix("log_loss_eps_") {
            let found = log_loss(&rows, &truths, floor.parse().unwrap());
            answer = answer.with(key, found.map(|found| found.loss));
        }
    }
    answer
}

fn binary(case: &Case) -> Answer {
    let (chances, happened) = (case.numbers("prob"), case.flags("event"));
    let forecasts = Forecasts::new(&chances, &happened).unwrap();
    let plain = murphy(&forecasts);
    let bins = usize::try_from(case.count("bins")).unwrap();
    let binned = murphy_binned(&forecasts, &Binning::new(bins).unwrap());
    let corp = corp(&forecasts);
    let terms = |parts: MurphyParts| {
        Answer::new()
            .with("reliability", parts.reliability)
            .with("resolution", parts.resolution)
            .with("uncertainty", parts.uncertainty)
    };
    let binned_terms = terms(binned)
        .with("within_variance", binned.within_variance)
        .with("within_covariance", binned.within_covariance);
    terms(plain)
        .with("brier", binary_brier(&forecasts))
        .with("binned", binned_terms)
        .with("corp_miscalibration", corp.miscalibration)
        .with("corp_discrimination", corp.discrimination)
}

fn ordinal(case: &Case) -> Answer {
    let (rows, gold) = (case.number_rows("probs"), case.indices("gold"));
    let found = ordinal_scores(&rows, &gold).unwrap();
    Answer::new()
        .with("rps", found.rps)
        .with("rps_normalised", found.rps_normalised)
        .with("expected_score_mae", found.expected_level_error)
        .with("mode_accuracy", found.mode_accuracy)
        .with("mode_within_one", found.mode_within_one)
        .with("first_rps", rps(&rows[0], Truth::Option(gold[0])))
        .with("first_expected_score", expected_level(&rows[0]))
}

fn fit(case: &Case) -> Answer {
    let (rows, gold) = (case.number_rows("probs"), case.indices("gold"));
    let found = fit_temperature(&rows, &gold, 1e-6).unwrap();
    Answer::new()
        .with("temperature", found.temperature)
        .with("at_bound", found.at_bound)
        .with("nll_before", found.loss_before)
        .with("nll_after", found.loss_after)
        .with(
            "first_row_after",
            apply_temperature(&rows[0], found.temperature),
        )
}

fn selective(case: &Case) -> Answer {
    let (confidence, correct) = (case.numbers("confidence"), case.flags("correct"));
    let forecasts = Forecasts::new(&confidence, &correct).unwrap();
    let row = |point: &CoveragePoint| {
        Got::List(vec![
            point.threshold.into(),
            point.coverage.into(),
            point.accuracy().into(),
        ])
    };
    let points = coverage_at(&forecasts, &case.numbers("thresholds"));
    let found = risk_coverage(&forecasts);
    Answer::new()
        .with("curve", Got::List(points.iter().map(row).collect()))
        .with("aurc", found.aurc)
        .with("e_aurc", found.excess())
        .with("optimal_aurc", found.optimal)
        .with("optimal_aurc_asymptotic", found.optimal_asymptotic)
}

fn coverage(case: &Case) -> Answer {
    let (confidence, correct) = (case.numbers("confidence"), case.flags("correct"));
    let forecasts = Forecasts::new(&confidence, &correct).unwrap();
    let (target, delta) = (case.number("target"), case.number("delta"));
    let grid = case.numbers("grid");
    let guaranteed = guaranteed_coverage(&forecasts, target, delta, &grid).unwrap();
    let kinds = [
        ("point", coverage_point(&forecasts, target).unwrap()),
        (
            "wilson",
            coverage_wilson(&forecasts, target, delta).unwrap(),
        ),
        ("fixed_sequence", guaranteed.fixed_sequence),
        ("bonferroni", guaranteed.bonferroni),
    ];
    // The files list thresholds from the highest, as the answer does.
    let p: Vec<f64> = guaranteed.grid.iter().map(|test| test.p).collect();
    let mut answer = Answer::new().with("grid_p", p);
    for (kind, point) in kinds {
        answer = answer
            .with(
                &format!("{kind}_threshold"),
                point.map(|point| point.threshold),
            )
            .with(
                &format!("{kind}_coverage"),
                point.map(|point| point.coverage),
            );
    }
    answer
}
