//! How far calls are: a bar for each candidate, or a line now and then where no terminal redraws one.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::Value as Json;

use crate::target::text;
use crate::terminal;

/// Where no terminal redraws a bar, a candidate is told of at most this often.
const INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Bars {
    terminal: bool,
    all: MultiProgress,
    running: Mutex<BTreeMap<String, Running>>,
}

struct Running {
    bar: ProgressBar,
    told: Instant,
}

impl Bars {
    pub(super) fn new() -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            all: MultiProgress::new(),
            running: Mutex::default(),
        }
    }

    /// Takes note of an event of the run.
    pub(super) fn hear(&self, event: &Json) {
        match text(&event["event"]) {
            "notice" => self.stay(|| terminal::note(text(&event["text"]))),
            "progress" => self.progress(event),
            _ => {}
        }
    }

    fn progress(&self, event: &Json) {
        let name = text(&event["name"]);
        let number = |key: &str| event[key].as_u64().unwrap_or(0);
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let one = running.entry(name.to_owned()).or_insert_with(|| Running {
            bar: self.all.add(bar(name, number("planned"))),
            told: Instant::now(),
        });
        one.bar.set_position(number("done"));
        one.bar.set_message(facts(text(&event["text"])));
        if event["ended"] == true {
            one.bar.finish_and_clear();
            running.remove(name);
            self.stay(|| terminal::did("Asked", text(&event["text"])));
        } else if !self.terminal && one.told.elapsed() >= INTERVAL {
            one.told = Instant::now();
            terminal::did("Asking", text(&event["text"]));
        }
    }

    /// Writes something that stays above the bars.
    fn stay(&self, write: impl FnOnce()) {
        self.all.suspend(write);
    }
}

fn bar(name: &str, planned: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix}  [{bar:24}] {pos}/{len}  {wide_msg}")
        .expect("the template is sound")
        .progress_chars("=> ");
    ProgressBar::new(planned)
        .with_style(style)
        .with_prefix(name.to_owned())
}

/// Of a line about calls what stands behind their number: rate, retries, what is spent, what is left.
fn facts(line: &str) -> String {
    line.split_once(" calls")
        .map_or(line, |(_, facts)| facts)
        .trim_start()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_does_not_repeat_what_it_shows() {
        assert_eq!(
            facts("routing::jev  120/300 calls  40/s  2 retries  $0.0012  4.5 s left"),
            "40/s  2 retries  $0.0012  4.5 s left"
        );
    }

    #[test]
    fn bars_have_a_style() {
        assert_eq!(bar("routing::jev", 3).length(), Some(3));
    }
}
