//! Random counts: how often each of a few values occurs in a resample of n items.
//!
//! A resample of n items with replacement, looked at only through how often each distinct value was
//! drawn, is one multinomial draw. It is made of as many binomial draws as there are values, however
//! large n is.

use crate::stats::Undefined;
use crate::stats::elementary::ln;
use crate::stats::random::RandomStream;

/// Below this many expected successes a binomial draw walks up from zero.
const WALK_BELOW: f64 = 10.0;

/// How many resamples are drawn side by side: one draw need not wait for the one before it.
const BESIDE: usize = 64;

/// Draws how often each value occurs in a resample of all items with replacement.
#[derive(Clone, Debug)]
pub struct Multinomial {
    total: u64,
    /// For each value but the last, its chance among itself and the values after it.
    chances: Vec<f64>,
}

impl Multinomial {
    /// The law of a resample of items of which `counts[j]` carry value j.
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] when the counts sum to zero, [`Undefined::OutOfRange`] when the sum
    /// exceeds 2^52, beyond which doubles no longer count exactly.
    pub fn new(counts: &[u64]) -> Result<Self, Undefined> {
        let total = counts
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count))
            .filter(|&sum| sum <= 1 << 52)
            .ok_or(Undefined::OutOfRange {
                what: "number of items",
            })?;
        if total == 0 {
            return Err(Undefined::NoItems);
        }
        let mut rest = total;
        let chances = counts[..counts.len() - 1]
            .iter()
            .map(|&count| {
                let chance = if rest == 0 {
                    0.0
                } else {
                    count as f64 / rest as f64
                };
                rest -= count;
                chance
            })
            .collect();
        Ok(Self { total, chances })
    }

    /// How many items a resample draws.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many values there are, at least 1.
    #[must_use]
    pub fn values(&self) -> usize {
        self.chances.len() + 1
    }

    /// Fills `counts` with as many resamples as it has room for, one after another.
    ///
    /// Each takes [`Self::values`] places, which sum to [`Self::total`]; places that are left over at
    /// the end become 0. Resamples drawn together differ from the same ones drawn one by one, but have
    /// the same law.
    pub fn draw(&self, stream: &mut RandomStream, counts: &mut [u64]) {
        counts.fill(0);
        for together in counts.chunks_mut(self.values() * BESIDE) {
            self.draw_together(stream, together);
        }
    }

    fn draw_together(&self, stream: &mut RandomStream, counts: &mut [u64]) {
        let last = self.values() - 1;
        for resample in counts.chunks_exact_mut(self.values()) {
            // The last value keeps what the others have left.
            resample[last] = self.total;
        }
        let mut hats = [Hat::default(); BESIDE];
        for (value, &chance) in self.chances.iter().enumerate() {
            let coin = Coin::new(chance);
            // Roots and divisions first: they then overlap, and no draw waits for its own.
            for (hat, resample) in hats.iter_mut().zip(counts.chunks_exact(self.values())) {
                *hat = Hat::new(resample[last], coin.p);
            }
            for (hat, resample) in hats.iter().zip(counts.chunks_exact_mut(self.values())) {
                let drawn = coin.draw(resample[last], hat, stream);
                resample[value] = drawn;
                resample[last] -= drawn;
            }
        }
    }

    /// Shows the counts of each of many resamples to `visit`.
    pub(crate) fn each_resample(
        &self,
        resamples: usize,
        stream: &mut RandomStream,
        mut visit: impl FnMut(&[u64]),
    ) {
        let mut counts = vec![0; self.values() * BESIDE.min(resamples)];
        let mut left = resamples;
        while left > 0 {
            let together = &mut counts[..self.values() * BESIDE.min(left)];
            self.draw(stream, together);
            together.chunks_exact(self.values()).for_each(&mut visit);
            left -= BESIDE.min(left);
        }
    }
}

/// A chance of success, brought to at most one half.
#[derive(Clone, Copy, Debug)]
struct Coin {
    p: f64,
    turned: bool,
}

impl Coin {
    fn new(chance: f64) -> Self {
        let turned = chance > 0.5;
        Self {
            p: if turned { 1.0 - chance } else { chance },
            turned,
        }
    }

    /// How many of `n` trials succeed; `hat` is that of this coin and `n`.
    #[inline]
    fn draw(&self, n: u64, hat: &Hat, stream: &mut RandomStream) -> u64 {
        let rare = if n == 0 || self.p <= 0.0 {
            0
        } else if hat.trials * self.p < WALK_BELOW {
            walk(n, self.p, stream)
        } else {
            hat.draw(self.p, stream)
        };
        if self.turned { n - rare } else { rare }
    }
}

/// Inversion: adds up the chances of 0, 1, 2, … until they exceed a random fraction.
fn walk(n: u64, p: f64, stream: &mut RandomStream) -> u64 {
    let odds = p / (1.0 - p);
    let mut chance = whole_power(1.0 - p, n);
    let mut left = stream.next_unit();
    let mut successes = 0;
    while left >= chance && successes < n {
        left -= chance;
        chance *= odds * (n - successes) as f64 / (successes + 1) as f64;
        successes += 1;
    }
    successes
}

/// `base` to a whole power by squaring, with the same roundings on every platform.
fn whole_power(mut base: f64, mut exponent: u64) -> f64 {
    let mut power = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    power
}

/// Transformed rejection with decomposition (Hörmann 1993, BTRD): about one try whatever n is.
///
/// Most draws fall under a table mountain that needs one random fraction and no test at all; the rest
/// are tested against the law by a squeeze, by a short product near the mode, or by the logarithm of the
/// chance itself in the few cases that are left.
#[derive(Clone, Copy, Debug, Default)]
struct Hat {
    trials: f64,
    centre: f64,
    variance: f64,
    /// By how much the hat rises above the law.
    height: f64,
    a: f64,
    b: f64,
    /// The share of fractions under the hat's top, and its inverse.
    top: f64,
    inverse_top: f64,
}

impl Hat {
    #[inline]
    fn new(n: u64, p: f64) -> Self {
        let trials = n as f64;
        let variance = trials * p * (1.0 - p);
        let spread = variance.sqrt();
        let b = 1.15 + 2.53 * spread;
        let top = 0.92 - 4.2 / b;
        Self {
            trials,
            centre: trials * p + 0.5,
            variance,
            height: (2.83 + 5.1 / b) * spread,
            a: -0.0873 + 0.0248 * b + 0.01 * p,
            b,
            top,
            inverse_top: 1.0 / top,
        }
    }

    #[inline]
    fn at(&self, u: f64) -> f64 {
        (2.0 * self.a / (0.5 - u.abs()) + self.b) * u + self.centre
    }

    #[inline]
    fn draw(&self, p: f64, stream: &mut RandomStream) -> u64 {
        let v = stream.next_unit();
        if v <= 0.86 * self.top {
            return whole(self.at(v * self.inverse_top - 0.43));
        }
        self.draw_outside(v, p, stream)
    }

    #[inline(never)]
    fn draw_outside(&self, mut v: f64, p: f64, stream: &mut RandomStream) -> u64 {
        loop {
            let u = if v >= self.top {
                stream.next_unit() - 0.5
            } else {
                let u = v * self.inverse_top - 0.93;
                v = stream.next_unit() * self.top;
                0.5_f64.copysign(u) - u
            };
            let k = self.at(u);
            if (0.0..self.trials + 1.0).contains(&k) {
                let k = whole(k);
                let distance = 0.5 - u.abs();
                v *= self.height / (self.a / (distance * distance) + self.b);
                if is_under_the_law(v, k as f64, self.trials, p, self.variance) {
                    return k;
                }
            }
            v = stream.next_unit();
            if v <= 0.86 * self.top {
                return whole(self.at(v * self.inverse_top - 0.43));
            }
        }
    }
}

/// A number that is not negative, rounded down. Signed conversion is one instruction, unsigned several.
#[inline]
fn whole(x: f64) -> u64 {
    x as i64 as u64
}

/// Whether `v` is at most the chance of `k` over that of the most likely count.
fn is_under_the_law(v: f64, k: f64, trials: f64, p: f64, variance: f64) -> bool {
    let mode = whole((trials + 1.0) * p) as f64;
    let odds = p / (1.0 - p);
    let steps = (k - mode).abs();
    if steps > 4.0 && steps < 0.5 * variance {
        let log = ln(v);
        let slack =
            steps / variance * (((steps / 3.0 + 0.625) * steps + 1.0 / 6.0) / variance + 0.5);
        let bell = -steps * steps / (2.0 * variance);
        if (log - bell).abs() > slack {
            return log < bell;
        }
    }
    if steps > 15.0 {
        return ln(v) <= log_chance_beside_mode(trials, mode, odds, k);
    }
    // Neighbouring chances have the ratio (n + 1)·odds/i − odds.
    let ratio = |i: f64| (trials + 1.0) * odds / i - odds;
    let between = |from: f64| {
        (1..=whole(steps))
            .map(|i| ratio(from + i as f64))
            .product::<f64>()
    };
    if k > mode {
        v <= between(mode)
    } else {
        v * between(k) <= 1.0
    }
}

/// ln of the chance of `k` over the chance of the most likely count.
fn log_chance_beside_mode(trials: f64, mode: f64, odds: f64, k: f64) -> f64 {
    (mode + 0.5) * ln((mode + 1.0) / (odds * (trials - mode + 1.0)))
        + (trials + 1.0) * ln((trials - mode + 1.0) / (trials - k + 1.0))
        + (k + 0.5) * ln(odds * (trials - k + 1.0) / (k + 1.0))
        + stirling_rest(mode)
        + stirling_rest(trials - mode)
        - stirling_rest(k)
        - stirling_rest(trials - k)
}

/// What Stirling's formula for ln k! leaves over, in the form
/// ln k! = ½ ln 2π + (k + ½) ln(k + 1) − (k + 1) + rest.
fn stirling_rest(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_19,
        0.013_876_128_823_070_75,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_09,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if let Some(&rest) = SMALL.get(k as usize) {
        return rest;
    }
    let inverse = 1.0 / (k + 1.0);
    let square = inverse * inverse;
    (1.0 / 12.0 - (1.0 / 360.0 - square / 1260.0) * square) * inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Seed;

    fn binomial(n: u64, p: f64, stream: &mut RandomStream) -> u64 {
        let coin = Coin::new(p);
        coin.draw(n, &Hat::new(n, coin.p), stream)
    }

    /// Pearson's statistic of many draws against the exact law, cells below five expected pooled,
    /// and its degrees of freedom.
    fn against_the_exact_law(n: u64, p: f64, draws: u32) -> (f64, f64) {
        let mut stream = RandomStream::new(Seed(n ^ p.to_bits()));
        let mut seen = vec![0_u32; n as usize + 1];
        for _ in 0..draws {
            seen[binomial(n, p, &mut stream) as usize] += 1;
        }
        let mut log_chance = n as f64 * (1.0 - p).ln();
        let (mut statistic, mut cells) = (0.0, 0.0);
        let (mut expected, mut observed) = (0.0, 0.0);
        for (k, &count) in seen.iter().enumerate() {
            expected += f64::from(draws) * log_chance.exp();
            observed += f64::from(count);
            if expected >= 5.0 {
                statistic += (observed - expected) * (observed - expected) / expected;
                cells += 1.0;
                (expected, observed) = (0.0, 0.0);
            }
            log_chance += ((n - k as u64) as f64 / (k as f64 + 1.0) * p / (1.0 - p)).ln();
        }
        (statistic, cells - 1.0)
    }

    #[test]
    fn draws_follow_the_binomial_law() {
        for (n, p) in [
            (1, 0.5),
            (7, 0.3),
            (40, 0.9),
            (40, 0.25),
            (100, 0.5),
            (1_000, 0.013),
            (5_000, 0.4),
            (100_000, 0.002),
        ] {
            let (statistic, freedom) = against_the_exact_law(n, p, 100_000);
            let limit = freedom + 4.0 * (2.0 * freedom).sqrt() + 8.0;
            assert!(
                statistic < limit,
                "n {n}, p {p}: {statistic} on {freedom} degrees of freedom"
            );
        }
    }

    #[test]
    fn counts_sum_to_the_items_drawn() {
        let law = Multinomial::new(&[4, 0, 900, 1, 95]).unwrap();
        let mut stream = RandomStream::new(Seed(1));
        let mut counts = [0; 5];
        for _ in 0..1_000 {
            law.draw(&mut stream, &mut counts);
            assert_eq!(counts.iter().sum::<u64>(), 1_000);
            assert_eq!(counts[1], 0);
        }
    }

    #[test]
    fn counts_have_the_mean_and_covariance_of_the_law() {
        let law = Multinomial::new(&[10, 30, 60]).unwrap();
        let mut stream = RandomStream::new(Seed(8));
        let mut counts = [0; 3];
        let (mut sums, mut products) = ([0.0; 3], 0.0);
        let draws = 50_000;
        for _ in 0..draws {
            law.draw(&mut stream, &mut counts);
            for (sum, &count) in sums.iter_mut().zip(&counts) {
                *sum += count as f64;
            }
            products += (counts[0] as f64 - 10.0) * (counts[2] as f64 - 60.0);
        }
        for (sum, mean) in sums.iter().zip([10.0, 30.0, 60.0]) {
            assert!((sum / f64::from(draws) - mean).abs() < 0.12);
        }
        assert!(
            (products / f64::from(draws) + 6.0).abs() < 0.5,
            "the covariance is −n p q"
        );
    }

    #[test]
    fn resamples_drawn_together_follow_the_law_too() {
        let law = Multinomial::new(&[10, 30, 60]).unwrap();
        let mut stream = RandomStream::new(Seed(9));
        let (mut resamples, mut sums) = (0, [0.0; 3]);
        law.each_resample(20_001, &mut stream, |counts| {
            assert_eq!(counts.iter().sum::<u64>(), 100);
            resamples += 1;
            for (sum, &count) in sums.iter_mut().zip(counts) {
                *sum += count as f64;
            }
        });
        assert_eq!(resamples, 20_001);
        for (sum, mean) in sums.iter().zip([10.0, 30.0, 60.0]) {
            assert!((sum / 20_001.0 - mean).abs() < 0.2);
        }
        let mut odd = [7; 5];
        law.draw(&mut stream, &mut odd);
        assert_eq!(
            (odd[..3].iter().sum::<u64>(), &odd[3..]),
            (100, &[0, 0][..])
        );
    }

    #[test]
    fn a_draw_from_nothing_is_refused() {
        assert_eq!(Multinomial::new(&[]).unwrap_err(), Undefined::NoItems);
        assert_eq!(Multinomial::new(&[0, 0]).unwrap_err(), Undefined::NoItems);
        assert!(Multinomial::new(&[u64::MAX, 1]).is_err());
    }

    #[test]
    fn one_value_is_drawn_every_time() {
        let law = Multinomial::new(&[0, 7]).unwrap();
        let mut counts = [9; 2];
        law.draw(&mut RandomStream::new(Seed(2)), &mut counts);
        assert_eq!(counts, [0, 7]);
    }

    #[test]
    fn the_rest_of_stirlings_formula_matches_factorials() {
        let mut log_factorial = 0.0_f64;
        for k in 0..40_u32 {
            let k = f64::from(k);
            if k > 0.0 {
                log_factorial += k.ln();
            }
            let formula =
                0.5 * (2.0 * std::f64::consts::PI).ln() + (k + 0.5) * (k + 1.0).ln() - (k + 1.0);
            assert!(
                (log_factorial - formula - stirling_rest(k)).abs() < 2e-9,
                "k = {k}"
            );
        }
    }
}
