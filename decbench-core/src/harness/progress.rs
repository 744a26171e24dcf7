//! Telling people on standard error how far calls are.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::collect::Progress;

/// Where no terminal redraws a line, a candidate is told about at most this often.
const INTERVAL: Duration = Duration::from_secs(10);
/// A longer line would be broken in two, and its first half stay on the screen.
const WIDTH: usize = 79;
/// To the beginning of the line, and away with what stands in it.
const REDRAW: &str = "\r\u{1b}[K";

/// Writes one line at a time: on a terminal one that is redrawn, elsewhere one every ten seconds; at the end of each
/// candidate's calls one that stays.
pub(super) struct Teller {
    terminal: bool,
    state: Mutex<State>,
}

struct State {
    out: Box<dyn Write + Send>,
    /// Candidates whose calls are under way.
    running: BTreeMap<String, Running>,
    /// Whether a line stands on the terminal that is to be redrawn.
    drawn: bool,
}

struct Running {
    progress: Progress,
    /// When it was last told, or begun.
    told: Instant,
}

impl Teller {
    pub(super) fn new(out: impl Write + Send + 'static, terminal: bool) -> Self {
        Self {
            terminal,
            state: Mutex::new(State {
                out: Box::new(out),
                running: BTreeMap::new(),
                drawn: false,
            }),
        }
    }

    /// A line that stays.
    pub(super) fn notice(&self, text: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.stay(text);
    }

    /// How far a candidate's calls are.
    pub(super) fn progress(&self, progress: &Progress) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.ended {
            state.running.remove(&progress.name);
            state.stay(&progress.to_string());
        } else {
            let running = state
                .running
                .entry(progress.name.clone())
                .or_insert_with(|| Running {
                    progress: progress.clone(),
                    told: Instant::now(),
                });
            running.progress = progress.clone();
            if !self.terminal && running.told.elapsed() >= INTERVAL {
                running.told = Instant::now();
                state.stay(&progress.to_string());
            }
        }
        if self.terminal {
            state.draw();
        }
    }
}

impl State {
    fn stay(&mut self, text: &str) {
        let clear = if std::mem::take(&mut self.drawn) {
            REDRAW
        } else {
            ""
        };
        self.write(&format!("{clear}decbench: {text}\n"));
    }

    /// Draws the candidate that has the longest way to go; one line has no place for more.
    fn draw(&mut self) {
        let left = |running: &Running| running.progress.planned - running.progress.done;
        let Some(slowest) = self.running.values().max_by_key(|running| left(running)) else {
            return;
        };
        let mut line = match self.running.len() - 1 {
            0 => format!("decbench: {}", slowest.progress),
            others => format!("decbench: {}  +{others} more", slowest.progress),
        };
        if let Some((cut, _)) = line.char_indices().nth(WIDTH) {
            line.truncate(cut);
        }
        self.drawn = true;
        self.write(&format!("{REDRAW}{line}"));
    }

    /// One write; that nobody can read it stops nothing.
    fn write(&mut self, text: &str) {
        let _ = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Screen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
        }
    }

    fn progress(name: &str, done: usize, ended: bool) -> Progress {
        let mut progress = Progress::new(name, 40);
        progress.done = done;
        progress.elapsed = Duration::from_secs(1);
        progress.ended = ended;
        progress
    }

    #[test]
    fn a_terminal_shows_one_line_that_is_redrawn_and_last_lines_stay() {
        let screen = Screen::default();
        let teller = Teller::new(screen.clone(), true);
        teller.progress(&progress("s::a", 4, false));
        teller.progress(&progress("s::b", 9, false));
        teller.notice("something to know");
        teller.progress(&progress("s::b", 40, true));
        let lines: Vec<String> = screen.text().split(REDRAW).map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "",
                "decbench: s::a  4/40 calls  4.0/s  $0  9 s left",
                "decbench: s::a  4/40 calls  4.0/s  $0  9 s left  +1 more",
                "decbench: something to know\ndecbench: s::b  40/40 calls  40/s  $0  done in 1 s\n",
                "decbench: s::a  4/40 calls  4.0/s  $0  9 s left",
            ]
        );
    }

    #[test]
    fn elsewhere_a_short_run_says_only_how_it_ended_and_in_whole_lines() {
        let screen = Screen::default();
        let teller = Teller::new(screen.clone(), false);
        teller.progress(&progress("s::a", 4, false));
        teller.progress(&progress("s::a", 20, false));
        teller.progress(&progress("s::a", 40, true));
        assert_eq!(
            screen.text(),
            "decbench: s::a  40/40 calls  40/s  $0  done in 1 s\n"
        );
    }
}
