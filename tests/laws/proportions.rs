//! One proportion.

use decbench_core::stats::Decimal;
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::floor::accuracy_floor;
use decbench_core::stats::proportion::{
    clopper_pearson, clopper_pearson_effective, jeffreys, wilson, wilson_effective, wilson_lower,
    wilson_upper,
};
use proptest::prelude::*;

fn counts() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..5000).prop_flat_map(|n| (0..=n, Just(n)))
}

proptest! {
    #[test]
    fn limits_enclose_the_estimate_and_stay_in_the_unit_interval(
        (k, n) in counts(), level in 0.01_f64..0.999,
    ) {
        let p = k as f64 / n as f64;
        for interval in [wilson(k, n, level)?, clopper_pearson(k, n, level)?] {
            prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            prop_assert!(interval.contains(p));
        }
        let interval = jeffreys(k, n, level)?;
        prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
    }

    #[test]
    fn intervals_widen_as_the_level_rises((k, n) in counts(), a in 0.5_f64..0.99, more in 0.001_f64..0.009) {
        for interval in [wilson, clopper_pearson, jeffreys] {
            let (narrow, wide) = (interval(k, n, a)?, interval(k, n, a + more)?);
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        }
    }

    #[test]
    fn right_and_wrong_mirror_each_other((k, n) in counts(), level in 0.5_f64..0.999) {
        for interval in [wilson, clopper_pearson, jeffreys] {
            let (right, wrong) = (interval(k, n, level)?, interval(n - k, n, level)?);
            prop_assert!((right.low - (1.0 - wrong.high)).abs() < 1e-12);
            prop_assert!((right.high - (1.0 - wrong.low)).abs() < 1e-12);
        }
    }

    #[test]
    fn bounds_rise_with_the_count((k, n) in counts(), level in 0.5_f64..0.999) {
        prop_assume!(k < n);
        for bound in [wilson_lower, wilson_upper] {
            prop_assert!(bound(k, n, level)? <= bound(k + 1, n, level)?);
        }
        let (less, more) = (clopper_pearson(k, n, level)?, clopper_pearson(k + 1, n, level)?);
        prop_assert!(less.low < more.low && less.high < more.high || k + 1 == n || k == 0);
    }

    #[test]
    fn a_smaller_effective_sample_says_less(p in 0.0_f64..=1.0, n in 1.0_f64..1e4, share in 0.1_f64..1.0) {
        let (all, fewer) = (wilson_effective(p, n, 0.95)?, wilson_effective(p, n * share, 0.95)?);
        prop_assert!(fewer.low <= all.low + 1e-15 && all.high <= fewer.high + 1e-15);
        let all = clopper_pearson_effective(p, n, 0.95)?;
        let fewer = clopper_pearson_effective(p, n * share, 0.95)?;
        prop_assert!(fewer.low <= all.low + 1e-12 && all.high <= fewer.high + 1e-12);
    }

    #[test]
    fn any_doubles_are_answered_or_refused(p in any::<f64>(), n in any::<f64>(), level in any::<f64>()) {
        for interval in [wilson_effective(p, n, level), clopper_pearson_effective(p, n, level)].into_iter().flatten() {
            prop_assert!(interval.low <= interval.high);
        }
        if let Ok(floor) = accuracy_floor(12, p, level) {
            prop_assert!(floor.min_correct_point.is_some());
        }
    }

    #[test]
    fn decimal_order_is_the_order_of_fractions(hundredths in 0_u64..=100, (k, n) in counts()) {
        let threshold = Decimal::from_f64(hundredths as f64 / 100.0)?;
        prop_assert_eq!(threshold.compare_ratio(k, n), Some((100 * k).cmp(&(hundredths * n))));
    }
}

#[test]
fn exact_interval_covers_at_least_its_level() {
    for (n, p) in [(30, 0.9), (100, 0.99), (7, 0.5), (250, 0.97)] {
        let mut covered = 0.0;
        for k in 0..=n {
            if clopper_pearson(k, n, 0.95).unwrap().contains(p) {
                covered += binomial_pmf(k, n, p).unwrap();
            }
        }
        assert!(covered >= 0.95, "n = {n}, p = {p}: {covered}");
    }
}
