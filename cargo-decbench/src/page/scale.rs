//! Numbers as people read them, and the ranges they are drawn on.

use decbench_core::metric::{Metric, Unit};

/// How a metric is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Share,
    Milliseconds,
    Dollars,
    Plain,
}

/// How the metric of this name is written; a question's name before it does not matter.
pub(super) fn format_of(metric: &str) -> Format {
    let unit = |name: &str| Metric::parse(name).ok().map(|metric| metric.info().unit);
    let bare = || metric.split_once('.').and_then(|(_, rest)| unit(rest));
    match unit(metric).or_else(bare) {
        Some(Unit::Share) => Format::Share,
        Some(Unit::Milliseconds) => Format::Milliseconds,
        Some(Unit::Dollars) => Format::Dollars,
        _ => Format::Plain,
    }
}

impl Format {
    pub(super) fn words(self, value: f64) -> String {
        match self {
            Self::Share => format!("{:.1}%", value * 100.0),
            Self::Milliseconds => format!("{value:.0} ms"),
            Self::Dollars => format!("${value:.4}"),
            Self::Plain => format!("{value:.3}"),
        }
    }

    /// The number of a bound as it is written (`>= 90%`, `<= 300ms`, `<= $0.50`), in the unit of its value.
    pub(super) fn bound(bound: &str) -> Option<f64> {
        let text = bound.trim_start_matches(['<', '>', '=', ' ', '$']);
        let end = text
            .find(|character: char| !(character.is_ascii_digit() || ".-e".contains(character)))
            .unwrap_or(text.len());
        let number: f64 = text[..end].parse().ok()?;
        match text[end..].trim() {
            "%" => Some(number / 100.0),
            "s" => Some(number * 1000.0),
            _ => Some(number),
        }
    }

    /// From where to where these are drawn: shares on 0 to 1, others from 0 to a little beyond the largest.
    pub(super) fn range(self, values: &[Option<f64>]) -> (f64, f64) {
        let known = || {
            values
                .iter()
                .flatten()
                .copied()
                .filter(|value| value.is_finite())
        };
        let least = known().fold(0.0, f64::min);
        let most = known().fold(0.0, f64::max);
        match self {
            Self::Share if least >= 0.0 && most <= 1.0 => (0.0, 1.0),
            _ if most > least => (least, most + (most - least) * 0.1),
            _ => (least, least + 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_in_the_unit_of_the_value() {
        assert_eq!(Format::bound(">= 90%"), Some(0.9));
        assert_eq!(Format::bound("<= 300ms"), Some(300.0));
        assert_eq!(Format::bound("<= 2s"), Some(2000.0));
        assert_eq!(Format::bound("<= $0.50"), Some(0.5));
        assert_eq!(Format::bound("<= 0.05"), Some(0.05));
        assert_eq!(Format::bound("off"), None);
    }

    #[test]
    fn a_range_is_never_empty() {
        for values in [
            vec![],
            vec![Some(0.0)],
            vec![Some(f64::NAN)],
            vec![Some(-2.0)],
        ] {
            let (from, to) = Format::Plain.range(&values);
            assert!(to > from, "{values:?}");
        }
    }
}
