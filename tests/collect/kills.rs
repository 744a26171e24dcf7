//! Processes that are killed at any moment, many times: nothing that arrived is lost or asked again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use decbench_core::collect::Mode;

use crate::bench::Bench;
use crate::processes::{CONCURRENCY, start};
use crate::support::system_one::{Act, Server};

/// How many kills; some hundreds take a minute.
const KILLS: &str = "DECBENCH_TEST_KILLS";
/// Where the moments are drawn from.
const SEED: &str = "DECBENCH_TEST_SEED";
const CASES: usize = 40;

/// Numbers that look random (`SplitMix64`).
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most
    }
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().expect("a number"))
}

/// A suite that one process after the other works on and is killed over.
struct Round {
    folder: tempfile::TempDir,
    server: Server,
    mode: Mode,
    runs: u32,
    kills: u64,
    seed: u64,
}

impl Round {
    fn new(mode: Mode, seed: u64) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            server: Server::behaving(|_| {
                Act::After(Duration::from_millis(3), Box::new(Act::Answer))
            }),
            mode,
            runs: 0,
            kills: 0,
            seed,
        }
    }

    /// Starts a process and kills it some calls and some hundred microseconds later; tells whether it came to its end first.
    fn kill_one(&mut self, draw: &mut Draw) -> bool {
        self.runs += 1;
        let run = format!("run-{}", self.runs);
        let calls = self.server.calls() + draw.below(9) as usize;
        let further = Duration::from_micros(draw.below(40) * 100);
        let mut child = start(self.mode, self.folder.path(), &self.server, &run, CASES);
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = child.try_wait().expect("a child") {
                assert!(status.success(), "seed {}: {status}", self.seed);
                return true;
            }
            if self.server.calls() >= calls {
                break;
            }
            assert!(Instant::now() < deadline, "seed {}: it hangs", self.seed);
            std::thread::sleep(Duration::from_micros(300));
        }
        std::thread::sleep(further);
        // It may just have ended by itself.
        let _ = child.kill();
        let ended = child.wait().expect("a child that ended").success();
        self.kills += u64::from(!ended);
        ended
    }

    /// What each call was said to be made again, by its state.
    fn told(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        let text = fs::read_to_string(self.folder.path().join("told")).unwrap_or_default();
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("may be billed twice: "));
        for case in lines.flat_map(|(_, calls)| calls.split("; ")) {
            let number = case.trim_start_matches("case `c-").trim_end_matches('`');
            *counts
                .entry(format!("caller {number} says something"))
                .or_default() += 1;
        }
        counts
    }

    /// Holds the server's counts against what is in the files and what people were told.
    fn check(&self) {
        let seed = self.seed;
        let mut bench = Bench::new(self.folder.path(), &self.server, CASES);
        bench.run = format!("run-{}", self.runs);
        let collected = match self.mode {
            Mode::Fill => bench.replay(),
            _ => bench.live(),
        };
        assert_eq!(collected.answers.len(), CASES, "seed {seed}");
        assert_eq!(collected.calls_made, 0, "seed {seed}");
        assert_eq!(collected.bad_lines, [], "seed {seed}");
        let told = self.told();
        let calls = self.server.calls_by_state();
        assert_eq!(calls.len(), CASES, "seed {seed}");
        let mut again = 0;
        for (state, calls) in calls {
            let told = told.get(&state).copied().unwrap_or(0);
            assert!(
                calls - 1 <= told,
                "seed {seed}: {state}: {calls} calls, told {told}"
            );
            again += calls - 1;
        }
        let most = self.kills as usize * CONCURRENCY;
        assert!(
            again <= most,
            "seed {seed}: {again} calls again after {} kills",
            self.kills
        );
        if self.mode == Mode::Fill {
            let recorded = bench.recordings();
            assert_eq!(recorded.len(), CASES, "seed {seed}: nothing twice");
            assert!(leftovers(self.folder.path()).is_empty(), "seed {seed}");
        }
    }
}

/// What else lies beside the recordings.
fn leftovers(folder: &Path) -> Vec<String> {
    fs::read_dir(folder.join("answers/routing"))
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name != "jev.jsonl" && name != ".lock")
        .collect()
}

#[test]
fn a_kill_at_any_moment_loses_nothing_that_arrived_and_what_is_asked_again_is_named() {
    let seed = variable(SEED, 20_261_130);
    let wanted = variable(KILLS, 24);
    let mut draw = Draw(seed);
    let mut kills = 0;
    let mut rounds = 0;
    while kills < wanted {
        let mode = [Mode::Fill, Mode::Live][rounds % 2];
        let mut round = Round::new(mode, seed);
        while !round.kill_one(&mut draw) {}
        round.check();
        kills += round.kills;
        rounds += 1;
    }
}
