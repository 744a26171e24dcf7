//! The quantile of a sorted sample.

/// The linear quantile, type 7 of Hyndman and Fan (1996), of sorted values
/// without NaN; `sorted` must not be empty.
///
/// Where it touches an infinite order statistic it is that infinity: there is
/// no ∞ − ∞. A place that misses a whole number by the rounding of `q` touches
/// its own order statistic alone.
pub(crate) fn type_seven(sorted: &[f64], q: f64) -> f64 {
    let exact = (sorted.len() - 1) as f64 * q.clamp(0.0, 1.0);
    let nearest = exact.round();
    let place = if (exact - nearest).abs() < 1e-12 * nearest.max(1.0) {
        nearest
    } else {
        exact
    };
    let below = place.floor();
    let low = sorted[below as usize];
    let part = place - below;
    match sorted.get(below as usize + 1) {
        Some(&high) if part > 0.0 && low != high => {
            if low.is_infinite() {
                return low;
            }
            // The plain form loses no digits but may overflow.
            let between = low + part * (high - low);
            if between.is_finite() {
                between
            } else {
                high.min(low * (1.0 - part) + high * part)
            }
        }
        _ => low,
    }
}

#[cfg(test)]
mod tests {
    use super::type_seven;

    #[test]
    fn quantiles_interpolate_between_order_statistics() {
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(type_seven(&values, 0.5), 3.0);
        assert_eq!(type_seven(&values, 0.0), 1.0);
        assert_eq!(type_seven(&values, 1.0), 8.0);
        assert_eq!(type_seven(&[5.0], 0.3), 5.0);
    }

    #[test]
    fn what_touches_infinity_is_infinite() {
        let infinity = f64::INFINITY;
        assert_eq!(type_seven(&[1.0, infinity], 0.5), infinity);
        assert_eq!(type_seven(&[1.0, infinity], 0.0), 1.0);
        assert_eq!(type_seven(&[-infinity, 1.0], 0.5), -infinity);
        assert_eq!(type_seven(&[infinity, infinity], 0.5), infinity);
        assert_eq!(type_seven(&[-f64::MAX, f64::MAX], 0.5), 0.0);
    }

    #[test]
    fn a_whole_place_touches_no_neighbour() {
        // 0.07 · 100 is 7.000000000000001 in doubles.
        let mut values: Vec<f64> = (0..101).map(f64::from).collect();
        values[8..].fill(f64::INFINITY);
        assert_eq!(type_seven(&values, 0.07), 7.0);
        assert_eq!(type_seven(&values, 0.071), f64::INFINITY);
    }
}
