//! Numbers that are whole multiples of one step, and laws on such a grid.

/// Whole multiples of a step, up to this size, keep an exact law affordable.
const WIDEST: f64 = 1e9;

/// How far from a multiple a value may lie, as a share of the largest magnitude.
const ROUNDING: f64 = 1e-13;

/// The multiples that `values` are of their largest common step, if they have one.
///
/// Decimal scores, thirds from three repeats and 0/1 differences all lie on such a grid, although their
/// doubles are rounded. The step is found by Euclid's algorithm with remainders below a billionth of the
/// largest magnitude taken as zero; `None` when some value is no multiple of it up to rounding, or the
/// largest is more than 10^9 steps. All zeros are multiples of any step.
pub(crate) fn multiples(values: &[f64]) -> Option<Vec<i64>> {
    let largest = values
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return Some(vec![0; values.len()]);
    }
    if !largest.is_finite() {
        return None;
    }
    // In units of the largest magnitude nothing overflows.
    let slack = 1e-9;
    let mut step = 1.0_f64;
    for value in values {
        let mut rest = (value / largest).abs();
        while rest > slack {
            let next = step - (step / rest).round() * rest;
            step = rest;
            rest = next.abs();
        }
        if step * WIDEST < 1.0 {
            return None;
        }
    }
    // One rounded value fixed the step; the largest multiple fixes it better.
    let steps = (1.0 / step).round();
    let multiples: Vec<f64> = values
        .iter()
        .map(|value| (value / largest * steps).round())
        .collect();
    let fits = values
        .iter()
        .zip(&multiples)
        .all(|(value, multiple)| (value / largest - multiple / steps).abs() <= ROUNDING);
    fits.then(|| {
        multiples
            .into_iter()
            .map(|multiple| multiple as i64)
            .collect()
    })
}

/// A law on the integers from `first` on.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    first: i64,
    chances: Vec<f64>,
}

impl Law {
    /// The law of an item drawn evenly from `multiples`; `None` when it spans more than `most` steps.
    pub(crate) fn of_items(multiples: &[i64], most: usize) -> Option<Self> {
        let (first, last) = (*multiples.iter().min()?, *multiples.iter().max()?);
        let width = usize::try_from(last.checked_sub(first)?).ok()?;
        if width > most {
            return None;
        }
        let mut chances = vec![0.0; width + 1];
        for multiple in multiples {
            chances[(multiple - first) as usize] += 1.0;
        }
        for chance in &mut chances {
            *chance /= multiples.len() as f64;
        }
        Some(Self { first, chances })
    }

    /// The law of the sum of two independent draws.
    fn plus(&self, other: &Self) -> Self {
        let mut chances = vec![0.0; self.chances.len() + other.chances.len() - 1];
        for (place, &chance) in self.chances.iter().enumerate() {
            if chance > 0.0 {
                for (sum, &second) in chances[place..].iter_mut().zip(&other.chances) {
                    *sum += chance * second;
                }
            }
        }
        Self {
            first: self.first + other.first,
            chances,
        }
    }

    /// The law of the sum of `times` independent draws, by doubling.
    pub(crate) fn sum_of(&self, mut times: usize) -> Self {
        let mut power = self.clone();
        let mut sum = Self {
            first: 0,
            chances: vec![1.0],
        };
        while times > 0 {
            if times & 1 == 1 {
                sum = sum.plus(&power);
            }
            times >>= 1;
            if times > 0 {
                power = power.plus(&power);
            }
        }
        sum
    }

    /// The chance of a value of at most `limit`, at most 1.
    pub(crate) fn at_most(&self, limit: i64) -> f64 {
        let places = limit - self.first + 1;
        let places = usize::try_from(places).unwrap_or(0).min(self.chances.len());
        self.chances[..places].iter().sum::<f64>().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_thirds_and_signs_lie_on_a_grid() {
        assert_eq!(multiples(&[0.1, -0.3, 0.0, 0.25]), Some(vec![2, -6, 0, 5]));
        assert_eq!(
            multiples(&[1.0 / 3.0, -2.0 / 3.0, 1.0]),
            Some(vec![1, -2, 3])
        );
        assert_eq!(multiples(&[-1.0, 1.0, -0.0]), Some(vec![-1, 1, 0]));
        assert_eq!(multiples(&[0.0, 0.0]), Some(vec![0, 0]));
        assert_eq!(multiples(&[1e300, -3e300]), Some(vec![1, -3]));
        assert_eq!(multiples(&[0.7, 0.35, 0.14]), Some(vec![10, 5, 2]));
    }

    #[test]
    fn numbers_without_a_common_step_lie_on_none() {
        assert_eq!(multiples(&[1.0, std::f64::consts::SQRT_2]), None);
        assert_eq!(multiples(&[1.0, 1e-12]), None);
        assert_eq!(multiples(&[f64::INFINITY]), None);
    }

    #[test]
    fn a_sum_of_coins_is_binomial() {
        let law = Law::of_items(&[0, 1], 10).unwrap().sum_of(10);
        assert!((law.at_most(5) - 638.0 / 1024.0).abs() < 1e-15);
        assert_eq!(law.at_most(-1), 0.0);
        assert_eq!(law.at_most(99), 1.0);
    }
}
