//! Correlation by ranks, and straight lines for comparing two rankings.

use crate::stats::Undefined;
use crate::stats::sum::{finite, sum};

/// Ranks from 1, equal values sharing the mean of theirs.
///
/// # Errors
///
/// [`Undefined::NotFinite`].
pub fn mid_ranks(values: &[f64]) -> Result<Vec<f64>, Undefined> {
    finite(values)?;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for ties in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let shared = before as f64 + f64::midpoint(ties.len() as f64, 1.0);
        for &index in ties {
            ranks[index] = shared;
        }
        before += ties.len();
    }
    Ok(ranks)
}

/// Spearman's rank correlation in `[-1, 1]`, with mid-ranks for ties.
///
/// ```
/// let rho = decbench_core::stats::correlation::spearman(&[1.0, 2.0, 3.0], &[9.0, 4.0, 1.0])?;
/// assert_eq!(rho, -1.0);
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// [`Undefined::LengthMismatch`], [`Undefined::NoItems`],
/// [`Undefined::NotFinite`], and [`Undefined::ZeroVariance`] when one side is constant.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<f64, Undefined> {
    check(x, y)?;
    let (x, y) = (mid_ranks(x)?, mid_ranks(y)?);
    let centre = f64::midpoint(x.len() as f64, 1.0);
    let products =
        |a: &[f64], b: &[f64]| sum(a.iter().zip(b).map(|(a, b)| (a - centre) * (b - centre)));
    let (xx, yy) = (products(&x, &x), products(&y, &y));
    if xx == 0.0 || yy == 0.0 {
        return Err(Undefined::ZeroVariance);
    }
    Ok((products(&x, &y) / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

/// A straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The rise per unit of x.
    pub slope: f64,
    /// The value at x = 0.
    pub intercept: f64,
}

/// How far points lie from a line, in units of y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineErrors {
    /// The mean of |y − line|.
    pub mean_absolute: f64,
    /// The root of the mean of (y − line)².
    pub root_mean_square: f64,
    /// The largest |y − line|.
    pub largest: f64,
}

impl Line {
    /// The least-squares line through points.
    ///
    /// # Errors
    ///
    /// [`Undefined::LengthMismatch`], [`Undefined::NoItems`],
    /// [`Undefined::NotFinite`], [`Undefined::ZeroVariance`] when all x are
    /// equal, [`Undefined::OutOfRange`] when squares leave the range of doubles.
    pub fn fit(x: &[f64], y: &[f64]) -> Result<Self, Undefined> {
        check(x, y)?;
        let n = x.len() as f64;
        let (mean_x, mean_y) = (sum(x.iter().map(|x| x / n)), sum(y.iter().map(|y| y / n)));
        let square = sum(x.iter().map(|x| (x - mean_x) * (x - mean_x)));
        let product = sum(x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)));
        if square == 0.0 || x.iter().all(|&other| other == x[0]) {
            return Err(Undefined::ZeroVariance);
        }
        let slope = product / square;
        let line = Self {
            slope,
            intercept: mean_y - slope * mean_x,
        };
        if line.slope.is_finite() && line.intercept.is_finite() {
            Ok(line)
        } else {
            Err(Undefined::OutOfRange { what: "value" })
        }
    }

    /// The line's value at x.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// The errors of the line at points, usually others than those it was fitted to.
    ///
    /// # Errors
    ///
    /// As [`Line::fit`], but equal x are welcome.
    pub fn errors(&self, x: &[f64], y: &[f64]) -> Result<LineErrors, Undefined> {
        check(x, y)?;
        let n = x.len() as f64;
        let gaps = || x.iter().zip(y).map(|(&x, &y)| y - self.at(x));
        let errors = LineErrors {
            mean_absolute: sum(gaps().map(f64::abs)) / n,
            root_mean_square: (sum(gaps().map(|gap| gap * gap)) / n).sqrt(),
            largest: gaps().map(f64::abs).fold(0.0, f64::max),
        };
        if errors.mean_absolute.is_finite() && errors.root_mean_square.is_finite() {
            Ok(errors)
        } else {
            Err(Undefined::OutOfRange { what: "value" })
        }
    }
}

fn check(x: &[f64], y: &[f64]) -> Result<(), Undefined> {
    if x.len() != y.len() {
        return Err(Undefined::LengthMismatch);
    }
    if x.is_empty() {
        return Err(Undefined::NoItems);
    }
    finite(x)?;
    finite(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        let ranks = mid_ranks(&[3.0, 1.0, 3.0, 0.5, 3.0]).unwrap();
        assert_eq!(ranks, [4.0, 2.0, 4.0, 1.0, 4.0]);
        assert_eq!(mid_ranks(&[0.0, -0.0]), Ok(vec![1.5, 1.5]));
    }

    #[test]
    fn a_constant_side_is_undefined() {
        let constant = [0.1; 3];
        let rising = [1.0, 2.0, 3.0];
        assert_eq!(spearman(&constant, &rising), Err(Undefined::ZeroVariance));
        assert_eq!(Line::fit(&constant, &rising), Err(Undefined::ZeroVariance));
        assert_eq!(spearman(&[], &[]), Err(Undefined::NoItems));
    }

    #[test]
    fn points_on_a_line_give_it_back() {
        let x = [1.0, 2.0, 5.0];
        let y = [5.0, 7.0, 13.0];
        let line = Line::fit(&x, &y).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-14 && (line.intercept - 3.0).abs() < 1e-13);
        assert!(line.errors(&x, &y).unwrap().largest < 1e-13);
    }
}
