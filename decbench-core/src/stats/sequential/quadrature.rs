//! Gauss–Legendre integration.

use std::f64::consts::PI;

/// Points and weights on `[-1, 1]`, exact for polynomials of degree 2·points − 1.
pub(super) fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let n = points as f64;
    (0..points)
        .map(|i| {
            // Tricomi's start is good enough for Newton to need a few steps.
            let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (value, derivative) = legendre(points, x);
                slope = derivative;
                let step = value / derivative;
                x -= step;
                if step.abs() < 1e-15 {
                    break;
                }
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// The Legendre polynomial of a degree and its derivative, inside (−1, 1).
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=degree {
        let k = k as f64;
        let next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
        (before, value) = (value, next);
    }
    let derivative = degree as f64 * (x * value - before) / (x * x - 1.0);
    (value, derivative)
}

#[cfg(test)]
mod tests {
    use super::gauss_legendre;

    #[test]
    fn a_normal_density_integrates_to_its_mass() {
        let rule = gauss_legendre(96);
        let mass: f64 = rule
            .iter()
            .map(|(x, w)| 8.0 * w * (-(8.0 * x) * (8.0 * x) / 2.0).exp())
            .sum();
        let exact = (2.0 * std::f64::consts::PI).sqrt();
        assert!((mass - exact).abs() < 1e-12);
    }

    #[test]
    fn weights_add_up_to_the_length() {
        for points in [2, 5, 64] {
            let sum: f64 = gauss_legendre(points).iter().map(|rule| rule.1).sum();
            assert!((sum - 2.0).abs() < 1e-13);
        }
    }
}
