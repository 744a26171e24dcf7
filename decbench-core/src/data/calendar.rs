//! Days and weeks, told from a date as it is written.

/// A day of the calendar, counted from Monday 5 January 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// Reads the day of `2026-10-02` or of a time that begins with one, such as `2026-10-02T09:30:00Z`.
    ///
    /// ```
    /// use decbench_core::data::Day;
    /// assert!(Day::parse("2026-10-02T09:30:00Z") < Day::parse("2026-10-03"));
    /// assert_eq!(Day::parse("02.10.2026"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let date = text.get(..10)?;
        if text[10..].starts_with(|next: char| next.is_alphanumeric() && next != 'T') {
            return None;
        }
        let date: jiff::civil::Date = date.parse().ok()?;
        let monday = jiff::civil::date(1970, 1, 5);
        let days = monday.until(date).ok()?.get_days();
        Some(Self(i64::from(days)))
    }

    /// Number of the week it lies in, which begins on a Monday.
    pub fn week(self) -> i64 {
        self.0.div_euclid(7)
    }

    /// How many days later it is than another.
    pub fn since(self, other: Self) -> i64 {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday() {
        let week = |text: &str| Day::parse(text).unwrap().week();
        assert_eq!(week("2026-11-30"), week("2026-12-06"));
        assert_ne!(week("2026-11-29"), week("2026-11-30"));
        assert_eq!(week("1969-12-29"), week("1970-01-04"));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "2026-13-01",
            "2026-02-30",
            "tomorrow at nine",
            "2026-10-021",
            "ééééé",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
