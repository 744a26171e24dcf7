//! Tests and intervals that may be looked at after every case.

use decbench_core::stats::Interval;
use decbench_core::stats::sequential::{
    GroupDesign, GroupSequential, WaldSprt, beta_mixture_log_e, beta_mixture_sequence,
    empirical_bernstein_sequence, hedged_log_capital, hedged_sequence, msprt_log_e, msprt_p,
    sequential_mcnemar_log_e,
};

use crate::case::Case;
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[Topic {
    name: "sequential",
    stats: &[
        Stat::new("hedged_cs", |case| {
            limits_at(case, |x, alpha| hedged_sequence(x, alpha).unwrap())
        }),
        Stat::new("hedged_capital", capital),
        Stat::new("empirical_bernstein_cs", |case| {
            limits_at(case, |x, alpha| {
                empirical_bernstein_sequence(x, alpha).unwrap()
            })
        }),
        Stat::new("beta_mixture_cs", beta_mixture),
        Stat::new("sequential_mcnemar", |case| {
            let log_e = sequential_mcnemar_log_e(case.count("b"), case.count("c"));
            Answer::new()
                .with("log_e", log_e)
                .with("e", log_e.map(f64::exp))
        }),
        Stat::new("msprt_normal", |case| {
            let (n, mean) = (case.count("n"), case.number("mean"));
            let (sd, tau) = (case.number("sd"), case.number("tau"));
            Answer::new()
                .with("log_e", msprt_log_e(n, mean, sd, tau))
                .with("always_valid_p", msprt_p(n, mean, sd, tau))
        }),
        Stat::new("wald_sprt", wald),
        Stat::new("group_sequential", group),
    ],
}];

fn limits_at(case: &Case, sequence: impl Fn(&[f64], f64) -> Interval) -> Answer {
    let (x, alpha) = (case.numbers("x"), case.number("alpha"));
    let at = case.indices("at");
    let found: Vec<Interval> = at.iter().map(|&n| sequence(&x[..n], alpha)).collect();
    let side = |of: fn(&Interval) -> f64| found.iter().map(of).collect::<Vec<f64>>();
    Answer::new()
        .with("lower", side(|interval| interval.low))
        .with("upper", side(|interval| interval.high))
}

fn capital(case: &Case) -> Answer {
    let (x, alpha) = (case.numbers("x"), case.number("alpha"));
    let at = case.indices("at");
    let rows = case.numbers("means").into_iter().map(|m| {
        let path = hedged_log_capital(&x, m, alpha).unwrap();
        at.iter().map(|&n| path[n - 1].exp()).collect::<Vec<f64>>()
    });
    Answer::new().with("capital", rows.collect::<Vec<_>>())
}

fn beta_mixture(case: &Case) -> Answer {
    let (k, n) = (case.count("k"), case.count("n"));
    let interval = beta_mixture_sequence(k, n, case.number("alpha"));
    Answer::new()
        .with("interval", interval)
        .with("log_e_at_half", beta_mixture_log_e(k, n, 0.5))
        .with("log_e_at_0.9", beta_mixture_log_e(k, n, 0.9))
}

fn wald(case: &Case) -> Answer {
    let test = WaldSprt::new(
        case.number("p0"),
        case.number("p1"),
        case.number("alpha"),
        case.number("beta"),
    )
    .unwrap();
    Answer::new()
        .with("upper", test.upper)
        .with("lower", test.lower)
        .with("step_right", test.step_right)
        .with("step_wrong", test.step_wrong)
        .with("expected_n_h1", test.expected.under_p1)
        .with("expected_n_h0", test.expected.under_p0)
}

fn group(case: &Case) -> Answer {
    let design = match case.text("design") {
        "lan_demets_obrien_fleming" => GroupDesign::SpendingObrienFleming,
        "lan_demets_pocock" => GroupDesign::SpendingPocock,
        "obrien_fleming" => GroupDesign::ObrienFleming,
        "pocock" => GroupDesign::Pocock,
        other => panic!("{}: unknown design `{other}`", case.name),
    };
    let (alpha, beta) = (case.number("alpha_one_sided"), case.number("beta"));
    let found = GroupSequential::new(design, &case.numbers("information"), alpha, beta).unwrap();
    let looks = found.looks.iter();
    let each = |of: fn(f64, f64, f64) -> f64| -> Got {
        let looks = looks.clone();
        let values = looks.map(|look| of(look.critical_z, look.alpha_spent, look.stage_p));
        values.collect::<Vec<f64>>().into()
    };
    Answer::new()
        .with("critical_z", each(|z, _, _| z))
        .with("alpha_spent", each(|_, spent, _| spent))
        .with("stage_p", each(|_, _, p| p))
        .with("inflation", found.inflation)
        .with("expected_n_h1_over_fixed", found.expected_cases)
        .with("expected_saving_h1", found.expected_saving())
}
