//! How far calls are.

use std::fmt;
use std::time::Duration;

/// How far the calls of one candidate are, for a person who waits.
///
/// Its text is one line:
///
/// ```
/// use std::time::Duration;
/// use decbench_core::collect::Progress;
///
/// let mut progress = Progress::new("routing::jev", 300);
/// progress.done = 120;
/// progress.retries = 2;
/// progress.spent_usd = 0.0012;
/// progress.elapsed = Duration::from_secs(3);
/// assert_eq!(
///     progress.to_string(),
///     "routing::jev  120/300 calls  40/s  2 retries  $0.0012  4.5 s left"
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// `<suite>::<candidate>`.
    pub name: String,
    /// Calls that came to their end, failed ones included.
    pub done: usize,
    /// Calls that were to be made.
    pub planned: usize,
    /// Calls that nobody served, after all retries.
    pub failed: usize,
    /// Further attempts so far.
    pub retries: u64,
    /// What it cost so far as far as it is known, in US dollars.
    pub spent_usd: f64,
    /// How long it has taken.
    pub elapsed: Duration,
    /// Whether no more calls are made.
    pub ended: bool,
    /// Why the rest is not asked.
    pub stopped: Option<String>,
}

impl Progress {
    /// The beginning of so many calls.
    pub fn new(name: impl Into<String>, planned: usize) -> Self {
        Self {
            name: name.into(),
            done: 0,
            planned,
            failed: 0,
            retries: 0,
            spent_usd: 0.0,
            elapsed: Duration::ZERO,
            ended: false,
            stopped: None,
        }
    }

    /// Calls that ended per second; 0 before the first.
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 {
            self.done as f64 / seconds
        } else {
            0.0
        }
    }

    /// How long the rest takes at this rate; unknown before the first call has ended.
    pub fn left(&self) -> Option<Duration> {
        let rate = self.rate();
        let rest = self.planned.saturating_sub(self.done) as f64;
        // A day stands for every longer time.
        (rate > 0.0).then(|| Duration::from_secs_f64((rest / rate).min(86_400.0)))
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}/{} calls", self.name, self.done, self.planned)?;
        if self.done > 0 {
            let rate = self.rate();
            if rate < 10.0 {
                write!(f, "  {rate:.1}/s")?;
            } else {
                write!(f, "  {rate:.0}/s")?;
            }
        }
        match self.retries {
            0 => {}
            1 => f.write_str("  1 retry")?,
            more => write!(f, "  {more} retries")?,
        }
        if self.failed > 0 {
            write!(f, "  {} failed", self.failed)?;
        }
        write!(f, "  ${}", dollars(self.spent_usd))?;
        match (self.ended, self.left()) {
            (true, _) => write!(f, "  done in {}", time(self.elapsed))?,
            (false, Some(left)) => write!(f, "  {} left", time(left))?,
            (false, None) => {}
        }
        match &self.stopped {
            Some(reason) => write!(f, "; the rest is not asked: {reason}"),
            None => Ok(()),
        }
    }
}

/// Dollars to two significant digits below a cent, else to the cent.
pub(crate) fn dollars(usd: f64) -> String {
    if usd <= 0.0 {
        return "0".to_owned();
    }
    if usd >= 0.1 {
        return format!("{usd:.2}");
    }
    // From the first digit that is not zero two are shown.
    let decimals = (1.0 - usd.log10().floor()).clamp(2.0, 12.0) as usize;
    format!("{usd:.decimals$}")
}

/// Seconds with one decimal below ten, minutes from two on, hours from two on.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.95 && seconds.fract() > 0.05 {
        format!("{seconds:.1} s")
    } else if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_how_long_it_took_and_why_it_stopped() {
        let mut progress = Progress::new("s::jev", 20);
        assert_eq!(progress.to_string(), "s::jev  0/20 calls  $0");
        progress.done = 20;
        progress.failed = 1;
        progress.retries = 1;
        progress.spent_usd = 1.5;
        progress.elapsed = Duration::from_millis(2500);
        progress.ended = true;
        progress.stopped = Some("no money".to_owned());
        assert_eq!(
            progress.to_string(),
            "s::jev  20/20 calls  8.0/s  1 retry  1 failed  $1.50  done in 2.5 s; the rest is not asked: no money"
        );
    }

    #[test]
    fn small_sums_and_long_times_stay_readable() {
        let sums = [0.0, 0.000_012_3, 0.0456, 0.25, 12.0].map(dollars);
        assert_eq!(sums, ["0", "0.000012", "0.046", "0.25", "12.00"]);
        let times = [0.42, 9.0, 90.0, 150.0, 9000.0].map(|s| time(Duration::from_secs_f64(s)));
        assert_eq!(times, ["0.4 s", "9 s", "90 s", "2 min", "2.5 h"]);
    }
}
