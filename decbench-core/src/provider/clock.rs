//! The time of day as a parameter.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Tells the time of day; the edge passes the system's, a test its own.
///
/// Durations are measured with the monotonic clock and need no parameter.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl Clock {
    /// A clock that reads the time from this function.
    pub fn new(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time now.
    pub fn now(&self) -> SystemTime {
        (self.0)()
    }

    /// The time now as RFC 3339 in UTC with whole seconds, such as `2026-11-02T10:11:12Z`; empty for a time no
    /// calendar reaches.
    pub fn now_text(&self) -> String {
        self.text_after(Duration::ZERO)
    }

    /// As [`Clock::now_text`], so much later.
    pub fn text_after(&self, wait: Duration) -> String {
        text_of(self.now().checked_add(wait))
    }

    /// As [`Clock::now_text`], so much earlier.
    pub fn text_before(&self, age: Duration) -> String {
        text_of(self.now().checked_sub(age))
    }
}

fn text_of(time: Option<SystemTime>) -> String {
    time.and_then(|time| jiff::Timestamp::try_from(time).ok())
        .map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
        .unwrap_or_default()
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn the_text_is_rfc_3339_in_utc() {
        let clock = Clock::new(|| UNIX_EPOCH + Duration::from_millis(1_793_614_272_900));
        assert_eq!(clock.now_text(), "2026-11-02T10:11:12Z");
        assert_eq!(
            clock.text_after(Duration::from_secs(50)),
            "2026-11-02T10:12:02Z"
        );
        assert_eq!(
            clock.text_before(Duration::from_secs(13)),
            "2026-11-02T10:10:59Z"
        );
        assert_eq!(
            clock.text_after(Duration::MAX),
            "",
            "no calendar reaches it"
        );
    }
}
