//! One running program: lines in, lines out, and what it said last to people.
//!
//! Pipes block, so each of the three has a thread of its own; the caller waits for lines without blocking anybody.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Far above any answer.
const LONGEST_LINE: u64 = 8 << 20;
/// How much of what it said to people is kept.
const LONGEST_WORDS: usize = 2_000;
/// How long a program may take to end by itself once its input has ended.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running program.
pub(super) struct Process {
    child: Child,
    /// Lines to write; dropped to end the program's input.
    input: Option<mpsc::Sender<String>>,
    output: UnboundedReceiver<Line>,
    words: Arc<Mutex<VecDeque<u8>>>,
    listener: Option<thread::JoinHandle<()>>,
}

/// What came from the program's standard output.
pub(super) enum Line {
    /// A line, without its line feed.
    Text(Vec<u8>),
    /// A line that is longer than any answer.
    TooLong,
}

impl Process {
    /// Starts the program; variables are set beside those it inherits.
    pub(super) fn start(
        command: &[String],
        folder: &Path,
        variables: &[(&OsStr, &OsStr)],
    ) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let mut child = Command::new(program_in(program, folder))
            .args(arguments)
            .current_dir(folder)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let (input, lines) = mpsc::channel::<String>();
        thread::spawn(move || {
            for line in lines {
                // A program that has ended shows by the end of its output.
                if stdin
                    .write_all(line.as_bytes())
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        let (said, output) = unbounded_channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(line) = next_line(&mut stdout) {
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        let words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&words);
        let listener = thread::spawn(move || keep_words(stderr, &kept));
        Ok(Self {
            child,
            input: Some(input),
            output,
            words,
            listener: Some(listener),
        })
    }

    /// Sends one line; whether it arrives shows by the answer.
    pub(super) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// The next line, or `None` when the program's output has ended.
    pub(super) async fn receive(&mut self) -> Option<Line> {
        self.output.recv().await
    }

    /// Whether it can take another request: it runs, and has said nothing that nobody asked for.
    pub(super) fn is_ready(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None)) && self.output.is_empty()
    }

    /// How it ended and what it said last to people, once its output has ended.
    pub(super) fn end(mut self) -> (Option<ExitStatus>, String) {
        let status = self.farewell();
        if status.is_some()
            && let Some(listener) = self.listener.take()
        {
            // Its children may hold the pipe open, so the listener is not waited for longer than it takes to read.
            let begun = Instant::now();
            while !listener.is_finished() && begun.elapsed() < FAREWELL {
                thread::sleep(Duration::from_millis(2));
            }
        }
        (status, self.last_words())
    }

    /// What it said last to people.
    pub(super) fn last_words(&self) -> String {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(words.make_contiguous())
            .trim()
            .to_owned()
    }

    /// Ends its input and waits a moment for it to end by itself.
    fn farewell(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < FAREWELL => {
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }

    /// Ends it at once; it alone, not what it has started.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.farewell().is_none() {
            self.kill();
        }
    }
}

/// A path with a separator is meant relative to the folder; a bare name is looked up.
fn program_in(program: &str, folder: &Path) -> std::path::PathBuf {
    let path = Path::new(program);
    if path.components().count() > 1 && path.is_relative() {
        let inside = folder.join(path);
        // Systems differ on whether a relative program is looked for from the old folder or the new one.
        std::path::absolute(&inside).unwrap_or(inside)
    } else {
        path.to_owned()
    }
}

fn next_line(stdout: &mut impl io::BufRead) -> Option<Line> {
    loop {
        let mut line = Vec::new();
        let read = stdout
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .ok()?;
        if read == 0 {
            return None;
        }
        if line.last() != Some(&b'\n') && read as u64 == LONGEST_LINE {
            return Some(Line::TooLong);
        }
        if !line.trim_ascii().is_empty() {
            return Some(Line::Text(line));
        }
    }
}

fn keep_words(mut stderr: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(read) = stderr.read(&mut bytes) {
        if read == 0 {
            break;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[..read]);
        let beyond = kept.len().saturating_sub(LONGEST_WORDS);
        kept.drain(..beyond);
    }
}
