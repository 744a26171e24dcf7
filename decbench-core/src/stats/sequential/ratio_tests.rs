//! Likelihood-ratio tests that run until they know.

use crate::stats::Undefined;

/// ln of the evidence against "the mean is 0" by the mixture sequential
/// probability ratio test (Johari et al. 2022), for n normal values of known
/// standard deviation `deviation` and a mixture of standard deviation `mixture`.
///
/// # Errors
///
/// [`Undefined::NoItems`] at n = 0, [`Undefined::NotFinite`],
/// [`Undefined::OutOfRange`] unless both deviations are positive.
pub fn msprt_log_e(n: u64, mean: f64, deviation: f64, mixture: f64) -> Result<f64, Undefined> {
    if n == 0 {
        return Err(Undefined::NoItems);
    }
    if ![mean, deviation, mixture]
        .iter()
        .all(|value| value.is_finite())
    {
        return Err(Undefined::NotFinite);
    }
    if deviation <= 0.0 || mixture <= 0.0 {
        return Err(Undefined::OutOfRange { what: "deviation" });
    }
    let n = n as f64;
    // In units of the deviation, so that no square overflows on its own.
    let (scaled, ratio) = (mean / deviation, mixture / deviation);
    let spread = n * ratio * ratio;
    let pull = n * scaled * scaled * (spread / (1.0 + spread));
    let log_e = 0.5 * (pull - spread.ln_1p());
    if log_e.is_finite() {
        Ok(log_e)
    } else {
        Err(Undefined::OutOfRange { what: "mean" })
    }
}

/// The always-valid p-value at this n, min(1, 1/e) of [`msprt_log_e`]; over a run take the running minimum.
///
/// # Errors
///
/// As [`msprt_log_e`].
pub fn msprt_p(n: u64, mean: f64, deviation: f64, mixture: f64) -> Result<f64, Undefined> {
    Ok((-msprt_log_e(n, mean, deviation, mixture)?).exp().min(1.0))
}

/// Wald's sequential test (1945) of success rate p0 against p1.
///
/// Add [`step_right`](Self::step_right) for each right and
/// [`step_wrong`](Self::step_wrong) for each wrong answer; stop for p1 at or
/// above [`upper`](Self::upper), for p0 at or below [`lower`](Self::lower).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaldSprt {
    /// ln((1−β)/α), where p1 is accepted.
    pub upper: f64,
    /// ln(β/(1−α)), where p0 is accepted.
    pub lower: f64,
    /// ln(p1/p0).
    pub step_right: f64,
    /// ln((1−p1)/(1−p0)).
    pub step_wrong: f64,
    /// Expected numbers of cases, overshoot neglected.
    pub expected: ExpectedCases,
}

/// Expected numbers of cases of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedCases {
    /// When p0 is true.
    pub under_p0: f64,
    /// When p1 is true.
    pub under_p1: f64,
}

impl WaldSprt {
    /// The test with chance alpha to accept p1 under p0, and beta to accept p0 under p1.
    ///
    /// # Errors
    ///
    /// [`Undefined::NotFinite`], and [`Undefined::OutOfRange`] unless all four
    /// are in (0, 1), p0 ≠ p1 and alpha + beta < 1.
    pub fn new(p0: f64, p1: f64, alpha: f64, beta: f64) -> Result<Self, Undefined> {
        if [p0, p1, alpha, beta].iter().any(|value| value.is_nan()) {
            return Err(Undefined::NotFinite);
        }
        let open = |value: f64| value > 0.0 && value < 1.0;
        if !open(p0) || !open(p1) || p0 == p1 {
            return Err(Undefined::OutOfRange {
                what: "success rate",
            });
        }
        if !open(alpha) || !open(beta) || alpha + beta >= 1.0 {
            return Err(Undefined::OutOfRange { what: "error rate" });
        }
        let upper = ((1.0 - beta) / alpha).ln();
        let lower = (beta / (1.0 - alpha)).ln();
        let step_right = (p1 / p0).ln();
        let step_wrong = ((1.0 - p1) / (1.0 - p0)).ln();
        let drift = |p: f64| p * step_right + (1.0 - p) * step_wrong;
        let expected = ExpectedCases {
            under_p0: (alpha * upper + (1.0 - alpha) * lower) / drift(p0),
            under_p1: ((1.0 - beta) * upper + beta * lower) / drift(p1),
        };
        let test = Self {
            upper,
            lower,
            step_right,
            step_wrong,
            expected,
        };
        let numbers = [
            upper,
            lower,
            step_right,
            step_wrong,
            expected.under_p0,
            expected.under_p1,
        ];
        if numbers.iter().all(|value| value.is_finite()) {
            Ok(test)
        } else {
            // Rates so close that their ratio rounds to one.
            Err(Undefined::OutOfRange {
                what: "success rate",
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_is_one_without_a_difference() {
        assert_eq!(msprt_p(50, 0.0, 0.3, 0.2), Ok(1.0));
        assert!(msprt_p(500, 0.2, 0.3, 0.2).unwrap() < 1e-6);
        assert!(msprt_p(5, 0.2, 0.0, 0.2).is_err());
    }

    #[test]
    fn right_answers_lead_to_the_higher_rate() {
        let test = WaldSprt::new(0.9, 0.95, 0.05, 0.2).unwrap();
        assert!(test.step_right > 0.0 && test.step_wrong < 0.0);
        assert!(test.lower < 0.0 && 0.0 < test.upper);
        assert!(WaldSprt::new(0.9, 0.9, 0.05, 0.2).is_err());
        assert!(WaldSprt::new(0.9, 0.95, 0.6, 0.5).is_err());
    }
}
