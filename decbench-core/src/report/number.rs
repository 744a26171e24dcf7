//! The one place that rounds numbers for people.

use crate::metric::Unit;
use crate::stats::Interval;

/// A value in its unit, rounded: `93.0%`, `0.0420`, `212 ms`, `$0.0420`; `–` for a number that does not exist, `∞` for one without limit.
pub fn format_value(value: f64, unit: Unit) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    match unit {
        Unit::Share => format!("{}%", fixed(value * 100.0, 1)),
        Unit::Difference => format!("{}%", signed(value * 100.0, 1)),
        Unit::Number => fixed(value, 4),
        Unit::Milliseconds => format!(
            "{} ms",
            fixed(value, if value.abs() < 10.0 { 2 } else { 0 })
        ),
        Unit::Dollars => format!("${}", fixed(value, if value.abs() < 0.1 { 6 } else { 2 })),
    }
}

/// An interval in its unit: `[89.5%, 95.4%]`.
pub fn format_interval(interval: Interval, unit: Unit) -> String {
    format!(
        "[{}, {}]",
        format_value(interval.low, unit),
        format_value(interval.high, unit)
    )
}

/// Rounded to `places`, never `-0`.
fn fixed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

fn signed(value: f64, places: usize) -> String {
    let text = fixed(value, places);
    if text.starts_with('-') || text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text
    } else {
        format!("+{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_once_and_never_show_minus_zero() {
        assert_eq!(format_value(0.9296, Unit::Share), "93.0%");
        assert_eq!(format_value(-0.00001, Unit::Difference), "0.0%");
        assert_eq!(format_value(0.0149, Unit::Difference), "+1.5%");
        assert_eq!(format_value(212.4, Unit::Milliseconds), "212 ms");
        assert_eq!(format_value(0.042, Unit::Dollars), "$0.042000");
        assert_eq!(format_value(f64::INFINITY, Unit::Milliseconds), "∞");
    }
}
