//! `McNemar`'s tests of two systems on the same items.
//!
//! All take the discordant counts: b items that only the first system got
//! right, c that only the second did. Without a discordant pair there is no
//! evidence, and every p is 1. Mid-p is what a display shows, the exact test is
//! what gates stand on, and the chi-squared forms want at least 25 discordant pairs.

use crate::stats::distribution::{point_mass, split, upper_tail};

/// A test statistic with its p-value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestStatistic {
    /// The statistic.
    pub value: f64,
    /// The probability of a statistic at least as large, if the systems do not differ.
    pub p: f64,
}

/// Exact two-sided p: min(1, 2 P(Bin(b+c, ½) ≤ min(b, c))).
///
/// ```
/// use decbench_core::stats::mcnemar::mcnemar_exact;
///
/// assert_eq!(mcnemar_exact(0, 0), 1.0);
/// assert!((mcnemar_exact(1, 7) - 0.0703125).abs() < 1e-12);
/// ```
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    (2.0 * split(b.min(c), b.saturating_add(c), 0.5).0).min(1.0)
}

/// Mid-p, two-sided: the exact p less P(Bin(b+c, ½) = min(b, c)), at most 1
/// (Fagerland, Lydersen and Laake 2013).
pub fn mcnemar_mid_p(b: u64, c: u64) -> f64 {
    let (k, m) = (b.min(c), b.saturating_add(c));
    if m == 0 {
        return 1.0;
    }
    (2.0 * split(k, m, 0.5).0 - point_mass(k, m, 0.5)).clamp(0.0, 1.0)
}

/// One-sided exact p for "the first is better": P(Bin(b+c, ½) ≥ b).
pub fn mcnemar_exact_one_sided(b: u64, c: u64) -> f64 {
    match b.checked_sub(1) {
        Some(below) => split(below, b.saturating_add(c), 0.5).1,
        None => 1.0,
    }
}

/// The chi-squared statistic (b−c)²/(b+c) on one degree of freedom.
pub fn mcnemar_chi_squared(b: u64, c: u64) -> TestStatistic {
    chi_squared(b.abs_diff(c) as f64, b as f64 + c as f64)
}

/// The statistic with Edwards' continuity correction (1948): max(|b−c|−1, 0)²/(b+c).
pub fn mcnemar_chi_squared_corrected(b: u64, c: u64) -> TestStatistic {
    chi_squared(b.abs_diff(c).saturating_sub(1) as f64, b as f64 + c as f64)
}

fn chi_squared(gap: f64, discordant: f64) -> TestStatistic {
    if discordant == 0.0 {
        return TestStatistic { value: 0.0, p: 1.0 };
    }
    // On one degree of freedom the statistic is a squared normal.
    let root = gap / discordant.sqrt();
    TestStatistic {
        value: root * root,
        p: (2.0 * upper_tail(root)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_discordant_pair_is_no_evidence() {
        assert_eq!(mcnemar_exact(0, 0), 1.0);
        assert_eq!(mcnemar_mid_p(0, 0), 1.0);
        assert_eq!(mcnemar_exact_one_sided(0, 0), 1.0);
        assert_eq!(
            mcnemar_chi_squared(0, 0),
            TestStatistic { value: 0.0, p: 1.0 }
        );
    }

    #[test]
    fn the_largest_counts_do_not_overflow() {
        for (b, c) in [(u64::MAX, u64::MAX), (u64::MAX, 0), (1, u64::MAX)] {
            assert!((0.0..=1.0).contains(&mcnemar_exact(b, c)));
            assert!((0.0..=1.0).contains(&mcnemar_mid_p(b, c)));
            assert!((0.0..=1.0).contains(&mcnemar_exact_one_sided(b, c)));
        }
    }

    #[test]
    fn one_win_proves_nothing_and_six_wins_show_something() {
        assert_eq!(mcnemar_exact(1, 0), 1.0);
        assert!((mcnemar_exact(6, 0) - 2.0 / 64.0).abs() < 1e-15);
        assert!((mcnemar_exact_one_sided(6, 0) - 1.0 / 64.0).abs() < 1e-15);
    }
}
