//! The fuzz targets over their seeds, and over seeds that were changed: drawn, but the same in every run.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[path = "../../fuzz/src/lib.rs"]
#[expect(
    unreachable_pub,
    reason = "the targets are a crate of their own for cargo fuzz"
)]
mod targets;

/// How many changes of each seed; thousands take minutes.
const CHANGES: &str = "DECBENCH_TEST_CHANGES";

/// Far above what a text of some kilobytes takes on a machine that is busy, far below what people wait for.
const LONGEST: Duration = Duration::from_secs(30);

/// Pieces that mean something to one of the formats.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\"",
    "'",
    ":",
    ": ",
    "- ",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "\\ud800",
    "\u{feff}",
    "\0",
    "null",
    "true",
    "NaN",
    "-0",
    "1e999",
    "1e-400",
    "18446744073709551616",
    "&a",
    "*a",
    "!!",
    "|",
    ">",
    "#",
    "---\n",
    "é",
    "日",
    "[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "\"case\":\"",
    "probabilities",
    "answers",
    "0.1",
    "-1",
];

/// Numbers that look random (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % most.max(1)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        let most = (length - from).min(1 + self.below(40));
        from..from + self.below(most + 1)
    }

    /// A seed with one to four changes; parts of another seed come in too.
    fn changed(&mut self, seed: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(7) {
                0 => drop(bytes.drain(self.range(bytes.len()))),
                1 => {
                    let part = bytes[self.range(bytes.len())].to_vec();
                    bytes.splice(at..at, part);
                }
                2 => {
                    let part = other[self.range(other.len())].to_vec();
                    bytes.splice(at..at, part);
                }
                3 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                4 => bytes.truncate(at),
                5 => {
                    let range = self.range(bytes.len());
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(range, piece.bytes());
                }
                _ => {
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(at..at, piece.bytes());
                }
            }
        }
        bytes
    }
}

fn seeds(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths
        .iter()
        .map(|path| fs::read(path).expect("a file"))
        .collect()
}

fn replay(target: fn(&[u8]), seeds: &[Vec<u8>], usual: u64) {
    let changes = std::env::var(CHANGES).map_or(usual, |text| text.parse().expect("a number"));
    let mut draw = Draw(7);
    for (number, seed) in seeds.iter().enumerate() {
        target(seed);
        for change in 0..changes {
            let other = &seeds[draw.below(seeds.len())];
            let bytes = draw.changed(seed, other);
            let begun = Instant::now();
            let done = std::panic::catch_unwind(|| target(&bytes));
            let (ended, took) = (done.is_ok(), begun.elapsed());
            assert!(
                ended && took < LONGEST,
                "seed {number}, change {change}, ended {ended} after {took:?}: {:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
}

fn time(target: fn(&[u8]), text: &[u8]) -> Duration {
    let begun = Instant::now();
    target(text);
    begun.elapsed()
}

/// A text with one piece over and over must not take longer than its length explains.
fn grows_evenly(target: fn(&[u8]), seeds: &[Vec<u8>]) {
    for seed in seeds {
        for piece in PIECES {
            let text = |times: usize| [seed.as_slice(), piece.repeat(times).as_bytes()].concat();
            let (short, long) = (text(400), text(3200));
            // Eight times as long; with the square of the length it were sixty-four times. A machine that is busy with
            // something else is busy once, or twice.
            let evenly = (0..3).any(|_| {
                let short = time(target, &short);
                time(target, &long) < short * 24 + Duration::from_millis(100)
            });
            assert!(
                evenly,
                "{piece:?}: eight times as many take {:?}",
                time(target, &long)
            );
        }
    }
}

#[test]
fn no_text_takes_more_than_its_length_explains() {
    grows_evenly(targets::suite, &seeds("fuzz/seeds/suite"));
    grows_evenly(targets::config, &seeds("fuzz/seeds/config"));
    grows_evenly(targets::cases, &seeds("fuzz/seeds/cases"));
    grows_evenly(targets::answers, &seeds("fuzz/seeds/answers"));
}

#[test]
fn suites() {
    replay(targets::suite, &seeds("fuzz/seeds/suite"), 150);
}

#[test]
fn configs() {
    replay(targets::config, &seeds("fuzz/seeds/config"), 200);
}

#[test]
fn cases() {
    replay(targets::cases, &seeds("fuzz/seeds/cases"), 80);
}

#[test]
fn answers() {
    replay(targets::answers, &seeds("fuzz/seeds/answers"), 150);
}

#[test]
fn replies() {
    let seeds = [
        seeds("fuzz/seeds/replies"),
        // Each holds many replies; as one they are changed into others.
        seeds("tests/collect/replies"),
    ];
    replay(targets::replies, &seeds.concat(), 40);
}
