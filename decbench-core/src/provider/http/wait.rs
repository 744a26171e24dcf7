//! The wait that a service asks for.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::fmt::strtime::BrokenDownTime;
use reqwest::header::HeaderMap;

/// The longest wait that is understood; the collector gives up far below it.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);

/// `retry-after-ms`, else `retry-after` as seconds or as an HTTP date; `None` without a usable one.
///
/// A date is measured against the reply's own `date`, as clocks differ, and against `now` where there is none.
pub(super) fn asked_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    if let Some(milliseconds) = text("retry-after-ms").and_then(number) {
        return Some(seconds(milliseconds / 1000.0));
    }
    let after = text("retry-after")?;
    if let Some(asked) = number(after) {
        return Some(seconds(asked));
    }
    let until = http_date(after)?;
    let from = text("date")
        .and_then(http_date)
        .or_else(|| Timestamp::try_from(now).ok())?;
    Some(seconds(until.duration_since(from).as_secs_f64()))
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST.as_secs_f64()))
}

/// The three forms of RFC 9110, section 5.6.7.
fn http_date(text: &str) -> Option<Timestamp> {
    if let Ok(time) = DateTimeParser::new().parse_timestamp(text) {
        return Some(time);
    }
    ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"]
        .iter()
        .find_map(|form| {
            let civil = BrokenDownTime::parse(form, text).ok()?.to_datetime().ok()?;
            jiff::tz::TimeZone::UTC.to_timestamp(civil).ok()
        })
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use reqwest::header::HeaderValue;

    use super::*;

    fn wait(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let map: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                (
                    name.parse().expect("a name"),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        // Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
        asked_wait(&map, UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn milliseconds_come_before_seconds() {
        let both = [("retry-after", "7"), ("retry-after-ms", "250")];
        assert_eq!(wait(&both), Some(Duration::from_millis(250)));
        assert_eq!(wait(&both[..1]), Some(Duration::from_secs(7)));
        assert_eq!(wait(&[]), None);
    }

    #[test]
    fn all_forms_of_an_http_date_are_read() {
        for date in [
            "Sun, 06 Nov 1994 08:49:47 GMT",
            "Sunday, 06-Nov-94 08:49:47 GMT",
            "Sun Nov  6 08:49:47 1994",
        ] {
            let asked = wait(&[("retry-after", date)]);
            assert_eq!(asked, Some(Duration::from_secs(10)), "{date}");
        }
    }

    #[test]
    fn a_date_is_measured_against_the_services_own_clock() {
        let asked = wait(&[
            ("retry-after", "Sun, 06 Nov 1994 10:00:05 GMT"),
            ("date", "Sun, 06 Nov 1994 10:00:00 GMT"),
        ]);
        assert_eq!(asked, Some(Duration::from_secs(5)));
    }

    #[test]
    fn what_makes_no_sense_is_no_wait_or_none_at_all() {
        assert_eq!(wait(&[("retry-after", "soon")]), None);
        assert_eq!(wait(&[("retry-after", "NaN")]), None);
        assert_eq!(wait(&[("retry-after", "-5")]), Some(Duration::ZERO));
        assert_eq!(wait(&[("retry-after", "1e300")]), Some(LONGEST));
        let past = wait(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]);
        assert_eq!(past, Some(Duration::ZERO));
    }
}
