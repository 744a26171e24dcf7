//! Two systems against each other: differences, `McNemar`'s tests, sample sizes.

use decbench_core::stats::Undefined;
use decbench_core::stats::difference::{
    PairedTable, newcombe_independent, newcombe_paired, tango, wald_paired,
};
use decbench_core::stats::mcnemar::{
    mcnemar_chi_squared, mcnemar_chi_squared_corrected, mcnemar_exact, mcnemar_exact_one_sided,
    mcnemar_mid_p,
};
use decbench_core::stats::multiplicity::{
    benjamini_hochberg, bonferroni, hochberg, holm, holm_rejections,
};
use decbench_core::stats::proportion::estimate;
use decbench_core::stats::sample_size::{
    CaseCount, cases_for_margin, cases_for_margin_with_z, mcnemar_cases,
    mcnemar_detectable_difference, mcnemar_exact_power, mcnemar_power, paired_mean_cases,
};

use crate::case::Case;
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "difference_intervals",
        stats: &[
            Stat::new("newcombe_independent", independent),
            Stat::new("paired_difference", paired),
        ],
    },
    Topic {
        name: "mcnemar",
        stats: &[Stat::new("mcnemar", mcnemar)],
    },
    Topic {
        name: "multiplicity",
        stats: &[Stat::new("adjust", adjust)],
    },
    Topic {
        name: "sample_size",
        stats: &[
            Stat::new("n_for_margin", |case| {
                let (p, margin) = (case.number("p"), case.number("margin"));
                counted(cases_for_margin(p, margin, case.number("level")))
            }),
            Stat::new("n_for_margin_z", |case| {
                let (p, margin) = (case.number("p"), case.number("margin"));
                counted(cases_for_margin_with_z(p, margin, case.number("z")))
            }),
            Stat::new("mcnemar_n", |case| {
                let found = mcnemar_cases(
                    case.number("p_disagree"),
                    case.number("delta"),
                    case.number("alpha"),
                    case.number("power"),
                )
                .unwrap();
                counted(Ok(found.count))
                    .with("z_alpha", found.z_alpha)
                    .with("z_beta", found.z_beta)
            }),
            Stat::new("mcnemar_power", |case| {
                let (disagreement, n) = (case.number("p_disagree"), case.count("n"));
                let power =
                    mcnemar_power(disagreement, case.number("delta"), n, case.number("alpha"));
                Answer::new().with("power", power)
            }),
            Stat::new("mcnemar_exact_power", |case| {
                let (disagreement, n) = (case.number("p_disagree"), case.count("n"));
                let delta = case.number("delta");
                let power =
                    mcnemar_exact_power(disagreement, delta, n, case.number("alpha")).unwrap();
                Answer::new()
                    .with("power_exact_test", power.exact)
                    .with("power_midp_test", power.mid_p)
            }),
            Stat::new("mcnemar_mde", |case| {
                let delta = mcnemar_detectable_difference(
                    case.number("p_disagree"),
                    case.count("n"),
                    case.number("alpha"),
                    case.number("power"),
                );
                Answer::new().with("delta", delta)
            }),
            Stat::new("paired_mean_n_one_sided", |case| {
                counted(paired_mean_cases(
                    case.number("sd_of_difference"),
                    case.number("delta"),
                    case.number("alpha"),
                    case.number("power"),
                ))
            }),
        ],
    },
];

fn independent(case: &Case) -> Answer {
    let (k1, n1) = (case.count("k1"), case.count("n1"));
    let (k2, n2) = (case.count("k2"), case.count("n2"));
    let difference = estimate(k1, n1).unwrap() - estimate(k2, n2).unwrap();
    let interval = newcombe_independent(k1, n1, k2, n2, case.number("level"));
    Answer::new()
        .with("difference", difference)
        .with("interval", interval)
}

fn paired(case: &Case) -> Answer {
    let table = PairedTable {
        both: case.count("both"),
        first_only: case.count("first_only"),
        second_only: case.count("second_only"),
        neither: case.count("neither"),
    };
    let level = case.number("level");
    Answer::new()
        .with("difference", table.difference())
        .with("newcombe", newcombe_paired(&table, level))
        .with("wald", wald_paired(&table, level))
        .with("tango", tango(&table, level))
}

fn mcnemar(case: &Case) -> Answer {
    let (b, c) = (case.count("b"), case.count("c"));
    let (plain, corrected) = (
        mcnemar_chi_squared(b, c),
        mcnemar_chi_squared_corrected(b, c),
    );
    Answer::new()
        .with("exact", mcnemar_exact(b, c))
        .with("mid_p", mcnemar_mid_p(b, c))
        .with("chi2", plain.value)
        .with("chi2_p", plain.p)
        .with("chi2_cc", corrected.value)
        .with("chi2_cc_p", corrected.p)
        .with("one_sided_exact_b_greater", mcnemar_exact_one_sided(b, c))
}

fn adjust(case: &Case) -> Answer {
    let p: Vec<Option<f64>> = case.numbers("p").into_iter().map(Some).collect();
    Answer::new()
        .with("holm", holm(&p))
        .with("reject_holm", holm_rejections(&p, case.number("alpha")))
        .with("benjamini_hochberg", benjamini_hochberg(&p))
        .with("bonferroni", bonferroni(&p))
        .with("hochberg", hochberg(&p))
}

fn counted(count: Result<CaseCount, Undefined>) -> Answer {
    Answer::new()
        .with("n_real", count.map(|count| count.real))
        .with("n", count.map(|count| count.cases))
}
