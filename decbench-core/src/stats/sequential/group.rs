//! Group-sequential designs: a few planned looks at one run.
//!
//! The score process is a Brownian motion with drift, looked at when set
//! shares of the final number of cases are in. Its density inside the
//! continuation region is carried from look to look by numerical integration
//! (Armitage, `McPherson` and Rowe 1969), so that any set of looks has its
//! boundaries, not only tabulated ones.

use std::f64::consts::{E, PI};

use super::quadrature::gauss_legendre;
use crate::stats::Undefined;
use crate::stats::distribution::{normal_quantile, upper_tail};

/// How the error is spread over the looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupDesign {
    /// Spending 2(1−Φ(z/√t)) with z of half the level (Lan and `DeMets` 1983):
    /// hardly anything early.
    SpendingObrienFleming,
    /// Spending level · ln(1+(e−1)t) (Lan and `DeMets` 1983): evenly.
    SpendingPocock,
    /// Critical values c/√t (O'Brien and Fleming 1979), for looks planned in advance.
    ObrienFleming,
    /// One critical value (Pocock 1977), for looks planned in advance.
    Pocock,
}

/// One look of a design.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The share of the final number of cases that is in.
    pub information: f64,
    /// Stop for the alternative when z is at least this.
    pub critical_z: f64,
    /// The one-sided p-value of that z.
    pub stage_p: f64,
    /// The error spent up to and with this look.
    pub alpha_spent: f64,
}

/// A one-sided group-sequential design without stopping for futility.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSequential {
    /// The looks, in order; the last has all cases.
    pub looks: Vec<Look>,
    /// Cases at most, over the cases of a design with one look and the same power.
    pub inflation: f64,
    /// Cases expected under the alternative, over those of a design with one look.
    pub expected_cases: f64,
}

impl GroupSequential {
    /// Computes a design for looks at the shares `information` of the cases.
    ///
    /// ```
    /// use decbench_core::stats::sequential::{GroupDesign, GroupSequential};
    ///
    /// let looks = [0.25, 0.5, 0.75, 1.0];
    /// let design = GroupSequential::new(GroupDesign::SpendingObrienFleming, &looks, 0.025, 0.2)?;
    /// // 16% fewer cases on average, 2% more at most.
    /// assert!(design.expected_cases < 0.84 && design.inflation < 1.02);
    /// # Ok::<(), decbench_core::stats::Undefined>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Undefined::NoItems`] without looks, [`Undefined::NotFinite`],
    /// [`Undefined::OutOfRange`] unless there are at most 20 shares that rise
    /// from at least 0.01 in steps of at least 0.01 to exactly 1, alpha is in
    /// `[1e-6, 0.5]` and beta in (0, 1 − alpha).
    pub fn new(
        design: GroupDesign,
        information: &[f64],
        alpha: f64,
        beta: f64,
    ) -> Result<Self, Undefined> {
        check(information, alpha, beta)?;
        let process = Process::new(information);
        let critical = match design {
            GroupDesign::SpendingObrienFleming => {
                let z = -normal_quantile(alpha / 2.0)?;
                process.spending(|t| 2.0 * upper_tail(z / t.sqrt()))
            }
            GroupDesign::SpendingPocock => process.spending(|t| alpha * (1.0 + (E - 1.0) * t).ln()),
            GroupDesign::ObrienFleming => process.shaped(alpha, |c, t| c / t.sqrt()),
            GroupDesign::Pocock => process.shaped(alpha, |c, _| c),
        };
        let crossed = process.crossing(&critical, 0.0);
        let mut alpha_spent = 0.0;
        let looks = information
            .iter()
            .zip(&critical)
            .zip(&crossed)
            .map(|((&information, &critical_z), &crossed)| {
                alpha_spent += crossed;
                Look {
                    information,
                    critical_z,
                    stage_p: upper_tail(critical_z),
                    alpha_spent,
                }
            })
            .collect();
        // The drift that gives the power, against that of one look.
        let single = -normal_quantile(alpha)? - normal_quantile(beta)?;
        let power = |drift: f64| process.crossing(&critical, drift).iter().sum::<f64>();
        let drift = root(0.0, single + 8.0, |drift| power(drift) - (1.0 - beta));
        let inflation = (drift / single) * (drift / single);
        let crossed = process.crossing(&critical, drift);
        let stopped: f64 = crossed.iter().sum();
        let early: f64 = information.iter().zip(&crossed).map(|(t, p)| t * p).sum();
        Ok(Self {
            looks,
            inflation,
            expected_cases: inflation * (early + 1.0 - stopped),
        })
    }

    /// The share of cases saved on average under the alternative.
    pub fn expected_saving(&self) -> f64 {
        1.0 - self.expected_cases
    }
}

/// Deviations of the score beyond which nothing is integrated: mass below 1e-15.
const REACH: f64 = 8.0;

/// The score process at its looks, its variance at a look being the information.
struct Process<'a> {
    information: &'a [f64],
    rule: Vec<(f64, f64)>,
}

/// Points of the continuation region with density times weight.
type Density = Vec<(f64, f64)>;

impl<'a> Process<'a> {
    fn new(information: &'a [f64]) -> Self {
        let steps = information.windows(2).map(|pair| pair[1] - pair[0]);
        let narrowest = steps.fold(information[0], f64::min).sqrt();
        // Points closer than 0.8 deviations of the narrowest step leave an error below 1e-12.
        let points = (REACH * PI / (0.8 * narrowest)).ceil() as usize;
        Self {
            information,
            rule: gauss_legendre(points.max(64)),
        }
    }

    fn step(&self, look: usize) -> f64 {
        match look {
            0 => self.information[0],
            _ => self.information[look] - self.information[look - 1],
        }
    }

    /// The start of the process: all mass at 0.
    fn start() -> Density {
        vec![(0.0, 1.0)]
    }

    /// The chance to be at or above `edge` at a look.
    fn beyond(&self, density: &Density, look: usize, edge: f64, drift: f64) -> f64 {
        let step = self.step(look);
        let tail = |s: f64| upper_tail((edge - s - drift * step) / step.sqrt());
        density.iter().map(|&(s, mass)| mass * tail(s)).sum()
    }

    /// The density below `edge` at a look.
    fn below(&self, density: &Density, look: usize, edge: f64, drift: f64) -> Density {
        let step = self.step(look);
        let t = self.information[look];
        let low = (drift * t - REACH * t.sqrt()).min(edge);
        let high = edge.min(drift * t + REACH * t.sqrt()).max(low);
        let half = (high - low) / 2.0;
        let scale = half / (2.0 * PI * step).sqrt();
        self.rule
            .iter()
            .map(|&(x, weight)| {
                let s = low + half * (x + 1.0);
                let into: f64 = density
                    .iter()
                    .map(|&(from, mass)| {
                        let gap = s - from - drift * step;
                        mass * (-gap * gap / (2.0 * step)).exp()
                    })
                    .sum();
                (s, into * scale * weight)
            })
            .collect()
    }

    /// The chance of the first crossing at each look.
    fn crossing(&self, critical: &[f64], drift: f64) -> Vec<f64> {
        let mut density = Self::start();
        let mut crossed = Vec::with_capacity(critical.len());
        for (look, &z) in critical.iter().enumerate() {
            let edge = z * self.information[look].sqrt();
            crossed.push(self.beyond(&density, look, edge, drift));
            if look + 1 < critical.len() {
                density = self.below(&density, look, edge, drift);
            }
        }
        crossed
    }

    /// Critical values that spend `spent(t)` up to each look.
    fn spending(&self, spent: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut density = Self::start();
        let mut before = 0.0;
        let mut critical = Vec::with_capacity(self.information.len());
        for (look, &t) in self.information.iter().enumerate() {
            let now = spent(t);
            let scale = t.sqrt();
            let z = root(-REACH, 40.0, |z| {
                (now - before) - self.beyond(&density, look, z * scale, 0.0)
            });
            critical.push(z);
            density = self.below(&density, look, z * scale, 0.0);
            before = now;
        }
        critical
    }

    /// Critical values of a given shape whose total error is alpha.
    fn shaped(&self, alpha: f64, shape: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let at = |c: f64| -> Vec<f64> { self.information.iter().map(|&t| shape(c, t)).collect() };
        let constant = root(0.0, 20.0, |c| {
            alpha - self.crossing(&at(c), 0.0).iter().sum::<f64>()
        });
        at(constant)
    }
}

/// The root of a rising function, by the Illinois form of false position with halving as guard.
fn root(low: f64, high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let (mut at_low, mut at_high) = (value(low), value(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    for turn in 0..200 {
        if high - low < 1e-13 * high.abs().max(1.0) {
            break;
        }
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let next = if turn % 3 == 2 || secant <= low || secant >= high {
            f64::midpoint(low, high)
        } else {
            secant
        };
        let found = value(next);
        if found == 0.0 {
            return next;
        }
        if found < 0.0 {
            (low, at_low) = (next, found);
            at_high *= 0.5;
        } else {
            (high, at_high) = (next, found);
            at_low *= 0.5;
        }
    }
    f64::midpoint(low, high)
}

fn check(information: &[f64], alpha: f64, beta: f64) -> Result<(), Undefined> {
    let numbers = information.iter().chain([&alpha, &beta]);
    if numbers.into_iter().any(|value| value.is_nan()) {
        return Err(Undefined::NotFinite);
    }
    let Some(&last) = information.last() else {
        return Err(Undefined::NoItems);
    };
    let steps = information.windows(2).all(|pair| pair[1] - pair[0] >= 0.01);
    if information.len() > 20 || information[0] < 0.01 || !steps || last != 1.0 {
        return Err(Undefined::OutOfRange {
            what: "information",
        });
    }
    if !(1e-6..=0.5).contains(&alpha) || beta <= 0.0 || beta >= 1.0 - alpha {
        return Err(Undefined::OutOfRange { what: "error rate" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_is_the_fixed_design() {
        for design in [
            GroupDesign::SpendingObrienFleming,
            GroupDesign::SpendingPocock,
            GroupDesign::ObrienFleming,
            GroupDesign::Pocock,
        ] {
            let found = GroupSequential::new(design, &[1.0], 0.025, 0.2).unwrap();
            assert!((found.looks[0].critical_z - 1.959_963_984_540_054).abs() < 1e-9);
            assert!((found.inflation - 1.0).abs() < 1e-9);
            assert!(found.expected_saving().abs() < 1e-9);
        }
    }

    #[test]
    fn shares_must_rise_to_one() {
        let found = |looks: &[f64]| GroupSequential::new(GroupDesign::Pocock, looks, 0.025, 0.2);
        assert!(found(&[]).is_err());
        assert!(found(&[0.5, 0.4, 1.0]).is_err());
        assert!(found(&[0.5]).is_err());
        assert!(found(&[f64::NAN, 1.0]).is_err());
        assert!(GroupSequential::new(GroupDesign::Pocock, &[1.0], 0.025, 0.99).is_err());
    }
}
