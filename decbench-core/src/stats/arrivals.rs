//! When calls of an open loop arrive.

use super::Seed;
use super::random::RandomStream;

/// The arrivals of `calls` calls at `rate` a second, in seconds from the beginning, in their order.
///
/// They are drawn uniformly over the `calls / rate` seconds that they take at this rate, which is a Poisson process given
/// how many arrive: gaps are exponential up to that, calls come in bursts as those of independent callers do, and the rate
/// offered is exact. The same seed gives the same schedule. Without a positive, finite rate there are none.
///
/// ```
/// use decbench_core::stats::{Seed, arrivals::arrivals};
///
/// let at = arrivals(Seed(7), 10.0, 200);
/// assert_eq!(at.len(), 200);
/// assert!(at.iter().all(|second| (0.0..20.0).contains(second)));
/// assert_eq!(at, arrivals(Seed(7), 10.0, 200));
/// ```
pub fn arrivals(seed: Seed, rate: f64, calls: u32) -> Vec<f64> {
    let window = f64::from(calls) / rate;
    if !(window.is_finite() && window > 0.0) {
        return Vec::new();
    }
    let mut stream = RandomStream::new(seed);
    let mut at: Vec<f64> = (0..calls).map(|_| stream.next_unit() * window).collect();
    at.sort_unstable_by(f64::total_cmp);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_those_of_independent_callers() {
        let at = arrivals(Seed(20_261_129), 50.0, 20_000);
        assert!(at.windows(2).all(|pair| pair[0] <= pair[1]));
        let gaps: Vec<f64> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let n = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / n;
        assert!((mean - 0.02).abs() < 0.001, "{mean}");
        // Exponential: e^-1 of the gaps are longer than their mean, and e^-3 longer than three times that.
        for times in [1.0, 3.0_f64] {
            let longer = gaps.iter().filter(|gap| **gap > times * 0.02).count() as f64 / n;
            assert!((longer - (-times).exp()).abs() < 0.01, "{times}: {longer}");
        }
        assert_ne!(at, arrivals(Seed(1), 50.0, 20_000));
    }

    #[test]
    fn what_is_no_rate_has_no_arrivals() {
        assert!(arrivals(Seed(1), 0.0, 5).is_empty());
        assert!(arrivals(Seed(1), f64::NAN, 5).is_empty());
        assert!(arrivals(Seed(1), 5.0, 0).is_empty());
    }
}
