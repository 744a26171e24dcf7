//! Times with their units, as settings write them.

use std::time::Duration;

/// Reads `10s`, `500ms`, `2min` or `1h`; more than nothing and at most a day.
pub(crate) fn read_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let number: f64 = text[..unit].parse().ok()?;
    let seconds = match text[unit..].trim() {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_need_their_unit() {
        assert_eq!(read_duration("10s"), Some(Duration::from_secs(10)));
        assert_eq!(read_duration("1.5 s"), Some(Duration::from_millis(1500)));
        assert_eq!(read_duration("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(read_duration("2min"), Some(Duration::from_secs(120)));
        for wrong in ["10", "s", "-1s", "0s", "1e9h", "1.2.3s", "∞s", ""] {
            assert_eq!(read_duration(wrong), None, "{wrong}");
        }
    }
}
