//! The fuzz targets over their seeds, and over seeds that were changed: drawn, but the same in every run.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
#[expect(
    unreachable_pub,
    reason = "the targets are a crate of their own for cargo fuzz"
)]
mod targets;

/// How many changes of each seed; thousands take minutes.
const CHANGES: &str = "DECBENCH_TEST_CHANGES";

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
            let done = std::panic::catch_unwind(|| target(&bytes));
            assert!(
                done.is_ok(),
                "seed {number}, change {change}: {:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }
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
