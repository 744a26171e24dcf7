//! Tests and intervals that may be looked at after every case.

use decbench_core::stats::Undefined;
use decbench_core::stats::proportion::clopper_pearson;
use decbench_core::stats::sequential::{
    GroupDesign, GroupSequential, WaldSprt, beta_mixture_effective, beta_mixture_log_e,
    beta_mixture_sequence, empirical_bernstein_sequence, hedged_log_capital, hedged_sequence,
    msprt_log_e, msprt_p, sequential_mcnemar_log_e,
};
use proptest::prelude::*;

const DESIGNS: [GroupDesign; 4] = [
    GroupDesign::SpendingObrienFleming,
    GroupDesign::SpendingPocock,
    GroupDesign::ObrienFleming,
    GroupDesign::Pocock,
];

fn scores() -> impl Strategy<Value = Vec<f64>> {
    let score = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0];
    prop::collection::vec(score, 1..80)
}

/// The chance that a walk of `n` right-or-wrong steps with rate `p` ever stands where `stops` says.
fn chance_of_stopping(n: usize, p: f64, stops: impl Fn(u64, u64) -> bool) -> f64 {
    let mut going = vec![1.0];
    let mut stopped = 0.0;
    for step in 1..=n {
        let mut next = vec![0.0; step + 1];
        for (right, &mass) in going.iter().enumerate() {
            next[right] += mass * (1.0 - p);
            next[right + 1] += mass * p;
        }
        for (right, mass) in next.iter_mut().enumerate() {
            if *mass > 0.0 && stops(right as u64, (step - right) as u64) {
                stopped += *mass;
                *mass = 0.0;
            }
        }
        going = next;
    }
    stopped
}

#[test]
fn the_true_rate_stays_in_the_mixture_sequence() -> Result<(), Undefined> {
    for (p, alpha) in [(0.5, 0.05), (0.9, 0.05), (0.97, 0.1), (0.2, 0.2)] {
        let bound = -f64::ln(alpha);
        let left = chance_of_stopping(300, p, |right, wrong| {
            beta_mixture_log_e(right, right + wrong, p).is_ok_and(|log_e| log_e >= bound)
        });
        assert!(0.0 < left && left <= alpha, "{p}: {left}");
    }
    // The evidence and the interval are one statement.
    let interval = beta_mixture_sequence(45, 50, 0.05)?;
    for p in [interval.low, interval.high] {
        assert!((beta_mixture_log_e(45, 50, p)? - 20_f64.ln()).abs() < 1e-9);
    }
    Ok(())
}

#[test]
fn equal_systems_rarely_collect_evidence() {
    for (favour, alpha) in [(0.5, 0.05), (0.5, 0.025), (0.4, 0.05)] {
        let bound = -f64::ln(alpha);
        let found = chance_of_stopping(300, favour, |wins, losses| {
            sequential_mcnemar_log_e(wins, losses).is_ok_and(|log_e| log_e >= bound)
        });
        assert!(found <= alpha, "{favour}: {found}");
    }
}

#[test]
fn the_ratio_test_errs_as_rarely_as_it_says() -> Result<(), Undefined> {
    let test = WaldSprt::new(0.8, 0.9, 0.05, 0.1)?;
    let log_ratio =
        |right: u64, wrong: u64| right as f64 * test.step_right + wrong as f64 * test.step_wrong;
    let accepts_p1 = |p: f64| {
        // Walks that reach the lower bound first are counted out by the difference.
        let either = chance_of_stopping(2000, p, |right, wrong| {
            let ratio = log_ratio(right, wrong);
            ratio >= test.upper || ratio <= test.lower
        });
        let upper_first = chance_of_first(2000, p, |right, wrong| {
            let ratio = log_ratio(right, wrong);
            (ratio >= test.upper, ratio <= test.lower)
        });
        assert!(either > 0.9999);
        upper_first
    };
    // Wald's bounds: alpha/(1 − beta) and beta/(1 − alpha).
    assert!(accepts_p1(0.8) <= 0.05 / 0.9);
    assert!(1.0 - accepts_p1(0.9) <= 0.1 / 0.95 + 1e-4);
    Ok(())
}

fn chance_of_first(n: usize, p: f64, stops: impl Fn(u64, u64) -> (bool, bool)) -> f64 {
    let mut going = vec![1.0];
    let mut stopped = 0.0;
    for step in 1..=n {
        let mut next = vec![0.0; step + 1];
        for (right, &mass) in going.iter().enumerate() {
            next[right] += mass * (1.0 - p);
            next[right + 1] += mass * p;
        }
        for (right, mass) in next.iter_mut().enumerate() {
            let (wanted, other) = stops(right as u64, (step - right) as u64);
            if wanted {
                stopped += *mass;
            }
            if wanted || other {
                *mass = 0.0;
            }
        }
        going = next;
    }
    stopped
}

#[test]
fn betting_against_the_true_mean_rarely_wins() -> Result<(), Undefined> {
    const LENGTH: u32 = 13;
    for (p, alpha) in [(0.5_f64, 0.2), (0.8, 0.2), (0.3, 0.4)] {
        let bound = -f64::ln(alpha);
        let mut ruled_out = 0.0;
        for pattern in 0_u32..1 << LENGTH {
            let x: Vec<f64> = (0..LENGTH).map(|i| f64::from(pattern >> i & 1)).collect();
            let path = hedged_log_capital(&x, p, alpha)?;
            if path.into_iter().any(|log| log > bound) {
                let ones = pattern.count_ones().cast_signed();
                ruled_out += p.powi(ones) * (1.0 - p).powi(LENGTH.cast_signed() - ones);
            }
        }
        assert!(ruled_out <= alpha, "{p}: {ruled_out}");
    }
    Ok(())
}

#[test]
fn every_design_spends_its_level_and_no_more() -> Result<(), Undefined> {
    for design in DESIGNS {
        for looks in [
            vec![0.5, 1.0],
            vec![0.1, 0.2, 0.9, 1.0],
            vec![0.25, 0.5, 0.75, 1.0],
        ] {
            for alpha in [0.005, 0.025, 0.1] {
                let found = GroupSequential::new(design, &looks, alpha, 0.2)?;
                let spent: Vec<f64> = found.looks.iter().map(|look| look.alpha_spent).collect();
                assert!(
                    (spent[spent.len() - 1] - alpha).abs() < 1e-9,
                    "{design:?}: {spent:?}"
                );
                assert!(spent.is_sorted());
                assert!(found.inflation >= 1.0 && found.expected_cases < 1.0);
                assert!(found.looks.iter().all(|look| look.stage_p <= alpha + 1e-12));
            }
        }
    }
    Ok(())
}

#[test]
fn more_looks_cost_more_at_most_and_less_on_average() -> Result<(), Undefined> {
    for design in DESIGNS {
        let mut before = GroupSequential::new(design, &[1.0], 0.025, 0.2)?;
        for count in 2..=6 {
            let looks: Vec<f64> = (1..=count)
                .map(|i| f64::from(i) / f64::from(count))
                .collect();
            let now = GroupSequential::new(design, &looks, 0.025, 0.2)?;
            assert!(now.inflation > before.inflation - 1e-9);
            assert!(now.expected_cases < before.expected_cases);
            before = now;
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn looking_always_costs_width((k, n) in (1_u64..3000).prop_flat_map(|n| (0..=n, Just(n))), alpha in 0.001_f64..0.3) {
        let interval = beta_mixture_sequence(k, n, alpha)?;
        let p = k as f64 / n as f64;
        prop_assert!(0.0 <= interval.low && interval.high <= 1.0 && interval.contains(p));
        let fixed = clopper_pearson(k, n, 1.0 - alpha)?;
        prop_assert!(interval.low <= fixed.low + 1e-9 && fixed.high <= interval.high + 1e-9);
        let stricter = beta_mixture_sequence(k, n, alpha / 2.0)?;
        prop_assert!(stricter.low <= interval.low && interval.high <= stricter.high);
        let real = beta_mixture_effective(p, n as f64, alpha)?;
        prop_assert!((real.low - interval.low).abs() < 1e-9 && (real.high - interval.high).abs() < 1e-9);
        let mirrored = beta_mixture_sequence(n - k, n, alpha)?;
        prop_assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-12);
    }

    #[test]
    fn a_win_adds_evidence_and_a_loss_takes_it(b in 0_u64..2000, c in 0_u64..2000) {
        let at = sequential_mcnemar_log_e(b, c)?;
        prop_assert!(sequential_mcnemar_log_e(b + 1, c)? > at);
        prop_assert!(sequential_mcnemar_log_e(b, c + 1)? < at);
    }

    #[test]
    fn sequences_stay_in_range_and_mirror(x in scores(), alpha in 0.001_f64..0.5) {
        let mirrored: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
        for sequence in [hedged_sequence, empirical_bernstein_sequence] {
            let (one, other) = (sequence(&x, alpha)?, sequence(&mirrored, alpha)?);
            prop_assert!(0.0 <= one.low && one.low <= one.high && one.high <= 1.0);
            prop_assert!((one.low - (1.0 - other.high)).abs() < 1e-9, "{one:?} {other:?}");
        }
    }

    #[test]
    fn mixture_evidence_rises_with_the_mean(n in 1_u64..5000, mean in 0.0_f64..2.0, deviation in 0.01_f64..3.0, mixture in 0.01_f64..3.0) {
        let at = msprt_log_e(n, mean, deviation, mixture)?;
        prop_assert!(msprt_log_e(n, mean + 0.01, deviation, mixture)? > at);
        prop_assert!((msprt_log_e(n, -mean, deviation, mixture)? - at).abs() < 1e-12 * at.abs().max(1.0));
        prop_assert!((0.0..=1.0).contains(&msprt_p(n, mean, deviation, mixture)?));
    }

    #[test]
    fn any_doubles_are_answered_or_refused(a in any::<f64>(), b in any::<f64>(), c in any::<f64>(), d in any::<f64>(), n in any::<u64>()) {
        let answers = [
            msprt_log_e(n, a, b, c),
            beta_mixture_effective(a, b, c).map(|interval| interval.width()),
            sequential_mcnemar_log_e(n, n / 3),
            WaldSprt::new(a, b, c, d).map(|test| test.upper + test.expected.under_p1),
            hedged_sequence(&[a, b], c).map(|interval| interval.width()),
            GroupSequential::new(GroupDesign::Pocock, &[a, 1.0], b, c).map(|found| found.inflation),
        ];
        for answer in answers.into_iter().flatten() {
            prop_assert!(answer.is_finite());
        }
        if let Ok(log_e) = beta_mixture_log_e(n / 2, n, a) {
            prop_assert!(!log_e.is_nan());
        }
    }
}
