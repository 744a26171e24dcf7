//! When a run's time is over.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use super::progress::time;
use crate::provider::Clock;

/// The end of the time that a run may ask for; calls under way come to their end, no further ones begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    limit: Duration,
}

impl Deadline {
    /// The deadline of a run whose folder is there. All its processes count from the first one's first call.
    ///
    /// The time of day may jump: one before the beginning counts as the beginning, and within a process the
    /// monotonic clock counts.
    ///
    /// # Errors
    ///
    /// When the beginning cannot be written down.
    pub(crate) fn of_run(run: &Path, limit: Duration, clock: &Clock) -> io::Result<Self> {
        let mark = run.join("asking-since");
        let now = clock.now();
        let known = fs::read_to_string(&mark).ok();
        let since = if let Some(since) = known.and_then(|text| read(&text)) {
            since
        } else {
            let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default();
            fs::write(&mark, format!("{}\n", seconds.as_millis()))?;
            now
        };
        let passed = now.duration_since(since).unwrap_or_default();
        Ok(Self {
            at: Instant::now() + limit.saturating_sub(passed),
            limit,
        })
    }

    /// Why nothing more is asked.
    pub(crate) fn reason(&self) -> String {
        format!(
            "the run's deadline of {} is over (DECBENCH_DEADLINE, or `deadline` in the profile)",
            time(self.limit)
        )
    }
}

fn read(text: &str) -> Option<SystemTime> {
    let milliseconds = text.trim().parse().ok()?;
    UNIX_EPOCH.checked_add(Duration::from_millis(milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(run: &Path, at_second: u64) -> Duration {
        let clock = Clock::new(move || UNIX_EPOCH + Duration::from_secs(at_second));
        let limit = Duration::from_secs(100);
        let deadline = Deadline::of_run(run, limit, &clock).expect("a folder");
        deadline.at.saturating_duration_since(Instant::now())
    }

    #[test]
    fn all_processes_of_a_run_count_from_its_first_call_and_clocks_may_jump() {
        let run = tempfile::tempdir().expect("a folder");
        let near = |left: Duration, seconds: u64| {
            left <= Duration::from_secs(seconds)
                && left + Duration::from_secs(1) > Duration::from_secs(seconds)
        };
        assert!(near(left(run.path(), 5000), 100));
        assert!(near(left(run.path(), 5070), 30));
        assert!(near(left(run.path(), 9000), 0), "over");
        assert!(near(left(run.path(), 10), 100), "a clock that was put back");
        fs::write(run.path().join("asking-since"), "nonsense").expect("a file");
        assert!(near(left(run.path(), 6000), 100), "damage begins anew");
    }
}
