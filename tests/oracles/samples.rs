//! Weighted, stratified and clustered samples.

use decbench_core::stats::clusters::cluster_mean;
use decbench_core::stats::weighted::{stratified_accuracy, weighted_accuracy};

use crate::case::Case;
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "weighted_accuracy",
        stats: &[
            Stat::new("hajek", hajek),
            Stat::new("stratified", stratified),
        ],
    },
    Topic {
        name: "clustered_se",
        stats: &[Stat::new("cluster_mean", clusters)],
    },
];

fn hajek(case: &Case) -> Answer {
    let (correct, weights) = (case.flags("correct"), case.numbers("weight"));
    let found = weighted_accuracy(&correct, &weights, case.number("level"));
    let mean = found.map(|found| found.mean);
    Answer::new()
        .with("estimate", mean.map(|mean| mean.mean))
        .with("n_used", mean.map(|mean| mean.items))
        .with("kish_n_eff", mean.map(|mean| mean.kish))
        .with("design_effect", mean.map(|mean| mean.design_effect))
        .with("se_linearised", mean.map(|mean| mean.standard_error))
        .with("wilson_kish", found.map(|found| found.wilson))
        .with("wald_linearised", found.map(|found| found.wald))
}

fn stratified(case: &Case) -> Answer {
    let (correct, stratum) = (case.flags("correct"), case.indices("stratum"));
    let shares = case.numbers("population_share");
    let found = stratified_accuracy(&correct, &stratum, &shares, case.number("level"));
    Answer::new()
        .with("estimate", found.map(|found| found.estimate))
        .with("se", found.map(|found| found.standard_error))
        .with("n_eff", found.map(|found| found.n_eff))
        .with("wilson_n_eff", found.map(|found| found.wilson))
        .with("wald", found.map(|found| found.wald))
}

fn clusters(case: &Case) -> Answer {
    let (values, cluster) = (case.numbers("value"), case.indices("cluster"));
    let found = cluster_mean(&values, &cluster, case.number("level"));
    Answer::new()
        .with("mean", found.map(|found| found.mean))
        .with("clusters", found.map(|found| found.clusters))
        .with("se_uncorrected", found.map(|found| found.uncorrected_error))
        .with("se", found.map(|found| found.standard_error))
        .with("design_effect", found.map(|found| found.design_effect))
        .with("n_eff", found.map(|found| found.n_eff))
        .with("interval_t", found.map(|found| found.t_interval))
}
