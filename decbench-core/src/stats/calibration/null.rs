//! What calibration error a perfectly calibrated model shows by luck.

use super::binning::Binning;
use super::forecasts::check_chances;
use crate::stats::Undefined;
use crate::stats::sum::sum;

/// Chances below this are dropped from the ends of a law; their sum stays far below any tolerance.
const NEGLIGIBLE: f64 = 1e-25;

/// Steps of the grid on which bins are added up, per standard deviation of the total.
const STEPS_PER_DEVIATION: f64 = 100.0;
/// The most steps of that grid.
const MOST_STEPS: f64 = 100_000.0;

/// The law of calibration error when every item happens with exactly its stated chance.
///
/// It depends on the confidences alone, not on any outcome: the noise floor of a calibration error over
/// these cases.
#[derive(Clone, Debug)]
pub struct EceNull {
    n: f64,
    /// One law for each bin that is not empty.
    bins: Vec<BinLaw>,
    mean: f64,
    sd: f64,
}

/// The law of how many items of a bin happen.
#[derive(Clone, Debug)]
struct BinLaw {
    /// The number of items.
    items: f64,
    /// Σ of the chances, the number expected.
    expected: f64,
    /// Chances of `first`, `first + 1`, … happening.
    first: usize,
    chances: Vec<f64>,
    /// Mean and variance of |number − expected|.
    mean: f64,
    variance: f64,
}

/// The null law of calibration error over these confidences (a Poisson-binomial in every bin).
///
/// An upper bound on ECE below `mean + 2 sd` tests luck as much as the model; one below
/// [`EceNull::ece_quantile`] of 0.975 would fail a perfect model in more than one run of forty.
///
/// ```
/// use decbench_core::stats::calibration::{Binning, ece_null};
///
/// let null = ece_null(&[0.9; 20], &Binning::new(10)?)?;
/// assert!((null.mean() - 0.051332).abs() < 1e-6);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items or a confidence that is not a number in [0, 1].
pub fn ece_null(confidences: &[f64], binning: &Binning) -> Result<EceNull, Undefined> {
    check_chances(confidences)?;
    let mut members = vec![Vec::new(); binning.len()];
    for &confidence in confidences {
        members[binning.bin_of(confidence)].push(confidence);
    }
    let bins: Vec<BinLaw> = members
        .iter()
        .filter(|bin| !bin.is_empty())
        .map(|bin| BinLaw::of(bin))
        .collect();
    let n = confidences.len() as f64;
    let mean = sum(bins.iter().map(|bin| bin.mean)) / n;
    let sd = sum(bins.iter().map(|bin| bin.variance)).sqrt() / n;
    Ok(EceNull { n, bins, mean, sd })
}

impl EceNull {
    /// The exact mean of ECE.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The exact standard deviation of ECE.
    pub fn sd(&self) -> f64 {
        self.sd
    }

    /// The value that ECE does not exceed with chance `q`, for `q` in (0, 1).
    ///
    /// Bins are added up on a grid of 1/100 standard deviation, so that the answer is within one such
    /// step of the exact point; the grid is no finer than 1/100,000 of the largest error there can be. The judging rule for an upper bound takes `q` = 0.975.
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] when `q` is not in (0, 1).
    pub fn ece_quantile(&self, q: f64) -> Result<f64, Undefined> {
        check_share(q)?;
        let deviation = self.sd * self.n;
        if deviation <= 0.0 {
            return Ok(self.mean);
        }
        // Confidences next to 0 or 1 deviate by next to nothing while their distance stays 1.
        let longest: f64 = self.bins.iter().map(BinLaw::longest).sum();
        let step = (deviation / STEPS_PER_DEVIATION).max(longest / MOST_STEPS);
        let mut law = vec![1.0];
        for bin in &self.bins {
            law = bin.added_to(&law, step);
        }
        let mut below = 0.0;
        // Cut tails leave the whole a little under 1; the quantile is taken of what is there.
        let wanted = q * law.iter().sum::<f64>();
        let place = law.iter().position(|chance| {
            below += chance;
            below >= wanted
        });
        Ok((place.unwrap_or(law.len() - 1) as f64 * step / self.n).min(1.0))
    }

    /// The value that MCE, the largest gap of a bin, does not exceed with chance `q` in (0, 1).
    ///
    /// # Errors
    ///
    /// [`Undefined::OutOfRange`] when `q` is not in (0, 1).
    pub fn mce_quantile(&self, q: f64) -> Result<f64, Undefined> {
        check_share(q)?;
        let (mut low, mut high) = (0.0, 1.0);
        // The law is a step function; halving finds the step to the last bits.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let chance: f64 = self
                .bins
                .iter()
                .map(|bin| bin.within(middle * bin.items))
                .product();
            if chance >= q {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }
}

impl BinLaw {
    fn of(confidences: &[f64]) -> Self {
        // Sorted, so that the order of items leaves no trace in the roundings.
        let mut confidences = confidences.to_vec();
        confidences.sort_unstable_by(f64::total_cmp);
        let (first, chances) = poisson_binomial(&confidences);
        let expected = sum(confidences.iter().copied());
        let distances = chances
            .iter()
            .zip(first..)
            .map(|(chance, k)| chance * (k as f64 - expected).abs());
        let mean = sum(distances);
        let square = sum(confidences.iter().map(|chance| chance * (1.0 - chance)));
        Self {
            items: confidences.len() as f64,
            expected,
            first,
            chances,
            mean,
            variance: (square - mean * mean).max(0.0),
        }
    }

    /// Distances from the expected number with their chances.
    fn distances(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let numbers = self.first..;
        self.chances
            .iter()
            .zip(numbers)
            .map(|(&chance, k)| ((k as f64 - self.expected).abs(), chance))
    }

    /// The longest distance that is not negligible.
    fn longest(&self) -> f64 {
        self.distances()
            .fold(0.0_f64, |most, (distance, _)| most.max(distance))
    }

    /// The chance of a distance of at most `limit`.
    fn within(&self, limit: f64) -> f64 {
        // A rounding must not push out a distance that equals the limit.
        let slack = 1e-12 * self.items;
        sum(self
            .distances()
            .filter(|(distance, _)| *distance <= limit + slack)
            .map(|(_, chance)| chance))
    }

    /// The law on a grid of `step`, this bin's distance added. A distance between two grid points is
    /// shared so that its mean stays.
    fn added_to(&self, law: &[f64], step: f64) -> Vec<f64> {
        let mut own = vec![0.0; (self.longest() / step) as usize + 2];
        for (distance, chance) in self.distances() {
            let place = distance / step;
            let part = place - place.floor();
            own[place as usize] += chance * (1.0 - part);
            own[place as usize + 1] += chance * part;
        }
        let mut sum = vec![0.0; law.len() + own.len() - 1];
        for (place, &chance) in own.iter().enumerate() {
            if chance > 0.0 {
                for (total, &other) in sum[place..].iter_mut().zip(law) {
                    *total += chance * other;
                }
            }
        }
        // What is left out above can no longer matter.
        while sum.last().is_some_and(|&chance| chance < NEGLIGIBLE) && sum.len() > 1 {
            sum.pop();
        }
        sum
    }
}

/// The law of a sum of independent events: where it starts and its chances.
///
/// Ends that have become negligible are cut while adding, so that the cost grows with n^1.5.
fn poisson_binomial(chances: &[f64]) -> (usize, Vec<f64>) {
    let mut first = 0;
    let mut law = Vec::with_capacity(chances.len() + 1);
    law.push(1.0);
    for &chance in chances {
        law.push(0.0);
        for place in (1..law.len()).rev() {
            law[place] = law[place] * (1.0 - chance) + law[place - 1] * chance;
        }
        law[0] *= 1.0 - chance;
        while law.len() > 1 && law[law.len() - 1] < NEGLIGIBLE {
            law.pop();
        }
        let empty = law[..law.len() - 1]
            .iter()
            .take_while(|&&chance| chance < NEGLIGIBLE)
            .count();
        // Moved in batches: a shift for every item would cost as much as the addition.
        if empty >= 32 || (empty > 0 && law.len() < 64) {
            law.drain(..empty);
            first += empty;
        }
    }
    (first, law)
}

fn check_share(q: f64) -> Result<(), Undefined> {
    if q > 0.0 && q < 1.0 {
        Ok(())
    } else {
        Err(Undefined::OutOfRange { what: "share" })
    }
}

#[cfg(test)]
mod tests {
    use super::super::equal_width::equal_width;
    use super::super::forecasts::Forecasts;
    use super::*;
    use crate::stats::random::{RandomStream, Seed};

    fn confidences(n: u32) -> Vec<f64> {
        (0..n)
            .map(|i| 0.35 + 0.65 * (f64::from(i * 37 % 101) / 101.0).sqrt())
            .collect()
    }

    #[test]
    fn quantiles_are_those_of_simulated_outcomes() {
        let binning = Binning::new(10).unwrap();
        let confidences = confidences(150);
        let null = ece_null(&confidences, &binning).unwrap();
        let mut stream = RandomStream::new(Seed(11));
        let (mut ece, mut mce) = (Vec::new(), Vec::new());
        for _ in 0..20_000 {
            let happened: Vec<bool> = confidences
                .iter()
                .map(|&confidence| stream.next_unit() < confidence)
                .collect();
            let found = equal_width(&Forecasts::new(&confidences, &happened).unwrap(), &binning);
            ece.push(found.ece);
            mce.push(found.mce);
        }
        let mean = ece.iter().sum::<f64>() / 20_000.0;
        assert!((mean - null.mean()).abs() < 5.0 * null.sd() / 20_000.0_f64.sqrt());
        for q in [0.05, 0.5, 0.975] {
            let below = |values: &[f64], limit: f64| {
                values
                    .iter()
                    .filter(|&&value| value <= limit + 1e-12)
                    .count() as f64
                    / 20_000.0
            };
            let noise = 5.0 * (q * (1.0 - q) / 20_000.0_f64).sqrt();
            let share = below(&ece, null.ece_quantile(q).unwrap());
            assert!((share - q).abs() < noise + 0.003, "ECE at {q}: {share}");
            // MCE jumps: q lies between the chances just below and at its quantile.
            let point = null.mce_quantile(q).unwrap();
            let (under, at) = (below(&mce, point - 1e-9), below(&mce, point));
            assert!(
                under < q + noise && q - noise < at,
                "MCE at {q}: {under} to {at}"
            );
        }
    }

    #[test]
    fn certain_items_show_no_luck() {
        let null = ece_null(&[1.0, 0.0, 1.0], &Binning::new(10).unwrap()).unwrap();
        assert_eq!((null.mean(), null.sd()), (0.0, 0.0));
        assert_eq!(null.ece_quantile(0.975), Ok(0.0));
        assert!(null.mce_quantile(0.975).unwrap() < 1e-9);
    }

    #[test]
    fn the_law_of_many_items_is_whole() {
        let confidences = confidences(20_000);
        let (first, law) = poisson_binomial(&confidences);
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let mean: f64 = law
            .iter()
            .zip(first..)
            .map(|(chance, k)| chance * k as f64)
            .sum();
        assert!((mean - confidences.iter().sum::<f64>()).abs() < 1e-7);
        assert!(law.len() < 2_500);
    }

    #[test]
    fn a_share_outside_the_unit_interval_is_refused() {
        let null = ece_null(&[0.5], &Binning::new(10).unwrap()).unwrap();
        for q in [0.0, 1.0, f64::NAN] {
            assert!(null.ece_quantile(q).is_err() && null.mce_quantile(q).is_err());
        }
    }

    #[test]
    fn confidences_next_to_zero_need_no_endless_grid() {
        let binning = Binning::new(7).unwrap();
        for smallest in [1e-12, 1e-15, 1e-18, f64::MIN_POSITIVE] {
            let null = ece_null(&[smallest, 0.0, 1.0 - f64::EPSILON], &binning).unwrap();
            let quantile = null.ece_quantile(0.975).unwrap();
            assert!((0.0..=1.0).contains(&quantile), "{smallest}: {quantile}");
        }
    }
}
