//! The distributions that everything else stands on.

use decbench_core::stats::distribution::{
    beta_quantile, binomial_cdf, binomial_pmf, binomial_sf, chi_squared_sf, normal_cdf,
    normal_quantile, normal_sf, student_quantile,
};

use crate::case::Case;
use crate::compare::Answer;
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[Topic {
    name: "distributions",
    stats: &[
        Stat::new("normal_cdf", |case| {
            let x = case.number("x");
            Answer::new()
                .with("cdf", normal_cdf(x))
                .with("sf", normal_sf(x))
        }),
        Stat::new("normal_quantile", |case| {
            Answer::new().with("x", normal_quantile(case.number("p")))
        }),
        Stat::new("beta_quantile", |case| {
            let x = beta_quantile(case.number("a"), case.number("b"), case.number("p"));
            Answer::new().with("x", x)
        }),
        Stat::new("binomial", binomial),
        Stat::new("chi2_sf", |case| {
            Answer::new().with("sf", chi_squared_sf(case.number("x"), case.number("df")))
        }),
        Stat::new("student_quantile", |case| {
            Answer::new().with("x", student_quantile(case.number("p"), case.number("df")))
        }),
    ],
}];

fn binomial(case: &Case) -> Answer {
    let (k, n, p) = (case.count("k"), case.count("n"), case.number("p"));
    Answer::new()
        .with("pmf", binomial_pmf(k, n, p))
        .with("cdf", binomial_cdf(k, n, p))
        .with("sf", binomial_sf(k, n, p))
}
