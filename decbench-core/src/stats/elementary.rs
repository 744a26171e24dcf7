//! A logarithm with the same roundings everywhere.

use std::f64::consts::{LN_2, SQRT_2};

/// 1/1, 1/3, 1/5, …
const ODD_INVERSES: [f64; 11] = {
    let mut inverses = [1.0; 11];
    let mut term = 0;
    while term < inverses.len() {
        inverses[term] = 1.0 / (2 * term + 1) as f64;
        term += 1;
    }
    inverses
};

/// The natural logarithm of a positive normal number, to about one unit in the last place of 1.
///
/// The platform's logarithm may differ by a rounding between operating systems, which could turn one
/// rejected draw into an accepted one and shift a whole stream. This one is built from additions,
/// multiplications and divisions, which are exact to the last bit by the standard of doubles.
/// Zero, subnormal and negative numbers give −∞.
pub(crate) fn ln(x: f64) -> f64 {
    if x.is_nan() || x < f64::MIN_POSITIVE {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let mut exponent = f64::from((bits >> 52) as i32 - 1023);
    let mut fraction = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if fraction > SQRT_2 {
        fraction *= 0.5;
        exponent += 1.0;
    }
    // ln f = 2 artanh(s) with s = (f − 1)/(f + 1), |s| < 0.172, by its series.
    let s = (fraction - 1.0) / (fraction + 1.0);
    let square = s * s;
    // Even and odd terms apart, so that the two halves overlap.
    let fourth = square * square;
    let half = |start: usize| {
        let terms = ODD_INVERSES[start..].iter().step_by(2).rev();
        terms.fold(0.0, |sum, inverse| sum * fourth + inverse)
    };
    let series = half(0) + square * half(1);
    exponent * LN_2 + 2.0 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_platform() {
        let mut x = 1e-300;
        while x < 1e300 {
            assert!(
                (ln(x) - x.ln()).abs() <= 4e-16 * x.ln().abs().max(1.0),
                "ln({x})"
            );
            x *= 1.37;
        }
    }

    #[test]
    fn is_exact_at_one_and_refuses_what_has_no_logarithm() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(-2.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::NAN), f64::NEG_INFINITY);
    }
}
