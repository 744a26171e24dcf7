//! From a law of replies to cells: drawn with a fixed seed, or every possible draw with its probability.

use std::collections::HashMap;

use decbench_core::metric::{Bound, Metric, Requirement, Selection};
use decbench_core::stats::Seed;
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::random::RandomStream;

use crate::bench::Bench;
use crate::tally::{Cell, Known, Seen, Tally, Wrong};

/// Everything here descends from this seed.
pub(crate) const SEED: Seed = Seed(20_261_129);
/// Draws less likely than this are not looked at one by one.
const NEGLIGIBLE: f64 = 1e-12;

/// A requirement whose truth is known.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) metric: Metric,
    pub(crate) requirement: Requirement,
    pub(crate) truth: f64,
    pub(crate) wrong: Wrong,
    pub(crate) known: Option<Known>,
    /// The bound as the table prints it.
    pub(crate) bound: String,
}

impl Claim {
    /// The truth lies exactly on the bound; `side` is `>=` or `<=`.
    pub(crate) fn at(metric: &str, side: &str, truth: f64) -> Self {
        let mut claim = Self::new(metric, &format!("{side} {}", written(metric, truth)), truth);
        claim.bound = format!("{side} {}", rounded(truth));
        claim
    }

    /// A bound as a suite writes it, and the truth.
    pub(crate) fn new(metric: &str, bound: &str, truth: f64) -> Self {
        let metric = Metric::parse(metric).expect("a metric of the table");
        let parsed = Bound::parse(bound, metric.info().unit).expect("a bound in the metric's unit");
        Self {
            metric,
            requirement: Requirement::new(parsed),
            truth,
            wrong: Wrong::Either,
            known: None,
            bound: bound.to_owned(),
        }
    }

    pub(crate) fn wrong(self, wrong: Wrong) -> Self {
        Self { wrong, ..self }
    }

    pub(crate) fn known(self, known: Option<Known>) -> Self {
        Self { known, ..self }
    }
}

/// A number as a bound writes it, with all digits that a bound may have.
fn written(metric: &str, truth: f64) -> String {
    if metric.starts_with("latency") {
        format!("{truth:.12}ms")
    } else if metric.starts_with("cost") {
        format!("${truth:.14}")
    } else {
        format!("{truth:.16}")
    }
}

/// Four significant digits, without closing zeros.
pub(crate) fn rounded(value: f64) -> String {
    let digits = if value == 0.0 {
        0
    } else {
        (3 - value.abs().log10().floor() as i32).clamp(0, 8) as usize
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// How cases hang together: within a unit all take one reply with chance `alike`, else each its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Units {
    pub(crate) name: &'static str,
    /// Sizes of the units, repeated until all cases have one.
    pub(crate) sizes: &'static [usize],
    pub(crate) alike: f64,
}

impl Units {
    pub(crate) const SINGLE: Self = Self {
        name: "single cases",
        sizes: &[1],
        alike: 0.0,
    };
    pub(crate) const THREE_ALIKE: Self = Self {
        name: "threes, all alike",
        sizes: &[3],
        alike: 1.0,
    };
    pub(crate) const THREE_LOOSE: Self = Self {
        name: "threes, 30% alike",
        sizes: &[3],
        alike: 0.3,
    };
    pub(crate) const UNEVEN: Self = Self {
        name: "1 to 6 a unit, all alike",
        sizes: &[1, 3, 1, 6, 2, 1],
        alike: 1.0,
    };

    /// The unit of each of `n` cases.
    pub(crate) fn number(&self, n: usize) -> Vec<u32> {
        let sizes = self.sizes.iter().cycle().enumerate();
        sizes
            .flat_map(|(unit, size)| std::iter::repeat_n(unit as u32, *size))
            .take(n)
            .collect()
    }
}

/// Chances of the replies, by kind of case.
#[derive(Debug, Clone)]
pub(crate) struct Law {
    /// One list of chances per kind of case.
    pub(crate) chances: Vec<Vec<f64>>,
    /// The kind of each case; all of kind 0 where empty.
    pub(crate) kind_of: Vec<usize>,
}

impl Law {
    pub(crate) fn of(chances: Vec<f64>) -> Self {
        Self {
            chances: vec![chances],
            kind_of: Vec::new(),
        }
    }

    fn kind(&self, case: usize) -> usize {
        self.kind_of.get(case).copied().unwrap_or(0)
    }

    /// The reply at this point of [0, 1).
    fn pick(&self, kind: usize, mut point: f64) -> usize {
        let chances = &self.chances[kind];
        for (reply, chance) in chances.iter().enumerate() {
            if point < *chance {
                return reply;
            }
            point -= chance;
        }
        // Rounding may leave a point behind the last reply that can happen.
        chances
            .iter()
            .rposition(|chance| *chance > 0.0)
            .unwrap_or(0)
    }
}

/// Draws a reply for every case.
pub(crate) fn draw(
    law: &Law,
    units: &[u32],
    alike: f64,
    stream: &mut RandomStream,
    picks: &mut Vec<usize>,
) {
    picks.clear();
    let mut common = None;
    for (case, unit) in units.iter().enumerate() {
        if case == 0 || units[case - 1] != *unit {
            let together = alike > 0.0 && stream.next_unit() < alike;
            common = together.then(|| stream.next_unit());
        }
        let point = common.unwrap_or_else(|| stream.next_unit());
        picks.push(law.pick(law.kind(case), point));
    }
}

/// What is drawn: cases, the law of their replies, and how the cases hang together.
pub(crate) struct Scene<'a> {
    pub(crate) bench: &'a mut Bench,
    pub(crate) law: Law,
    pub(crate) alike: f64,
    /// What the table says of it.
    pub(crate) data: String,
    pub(crate) selection: Selection,
}

impl Scene<'_> {
    /// One cell per claim from `draws` draws.
    pub(crate) fn simulate(&mut self, claims: &[Claim], draws: u32) -> Vec<Cell> {
        let units = self.bench.units();
        let single = units.windows(2).all(|pair| pair[0] != pair[1]);
        let seed = SEED.derive(&format!("{} {}", self.data, units.len()));
        let mut stream = RandomStream::new(seed);
        let mut tallies = vec![Tally::default(); claims.len()];
        let mut known: HashMap<Vec<u32>, Vec<Seen>> = HashMap::new();
        let mut picks = Vec::new();
        let mut method = Vec::new();
        for _ in 0..draws {
            draw(&self.law, &units, self.alike, &mut stream, &mut picks);
            // Which of equal units got what decides nothing, so equal draws are measured once.
            let key = if single {
                self.counts(&picks)
            } else {
                self.patterns(&units, &picks)
            };
            let seen = known
                .entry(key)
                .or_insert_with(|| look(self.bench, &picks, claims, &self.selection, &mut method));
            for ((tally, seen), claim) in tallies.iter_mut().zip(seen).zip(claims) {
                tally.add(*seen, claim.truth, 1.0);
            }
        }
        let tallies = tallies.iter().map(|tally| tally.over(f64::from(draws)));
        self.cells(claims, tallies.collect(), Some(draws), &method)
    }

    /// One cell per claim from every number of cases, of all, that get reply 0 and not reply 1.
    pub(crate) fn enumerate(&mut self, claims: &[Claim]) -> Vec<Cell> {
        let n = self.bench.len();
        let chance = self.law.chances[0][0];
        let mut tallies = vec![Tally::default(); claims.len()];
        let mut method = Vec::new();
        for first in 0..=n {
            let weight = binomial_pmf(first as u64, n as u64, chance).expect("a chance");
            if weight < NEGLIGIBLE {
                continue;
            }
            let picks: Vec<usize> = (0..n).map(|case| usize::from(case >= first)).collect();
            let seen = look(self.bench, &picks, claims, &self.selection, &mut method);
            for ((tally, seen), claim) in tallies.iter_mut().zip(seen).zip(claims) {
                tally.add(seen, claim.truth, weight);
            }
        }
        self.cells(claims, tallies, None, &method)
    }

    fn cells(
        &self,
        claims: &[Claim],
        tallies: Vec<Tally>,
        draws: Option<u32>,
        methods: &[String],
    ) -> Vec<Cell> {
        let cells = claims.iter().zip(tallies).enumerate();
        cells
            .map(|(at, (claim, tally))| Cell {
                metric: claim.metric.to_string(),
                data: self.data.clone(),
                n: self.bench.len(),
                bound: claim.bound.clone(),
                wrong: claim.wrong,
                tally,
                draws,
                method: methods.get(at).cloned().unwrap_or_default(),
                known: claim.known,
            })
            .collect()
    }

    /// How many cases of each kind got each reply.
    fn counts(&self, picks: &[usize]) -> Vec<u32> {
        let replies = self.law.chances[0].len();
        let mut counts = vec![0; replies * self.law.chances.len()];
        for (case, pick) in picks.iter().enumerate() {
            counts[self.law.kind(case) * replies + pick] += 1;
        }
        counts
    }

    /// The sorted list of what each unit got.
    fn patterns(&self, units: &[u32], picks: &[usize]) -> Vec<u32> {
        let replies = self.law.chances[0].len();
        let codes: Vec<u32> = picks
            .iter()
            .enumerate()
            .map(|(case, pick)| (self.law.kind(case) * replies + pick) as u32)
            .collect();
        let mut patterns: Vec<Vec<u32>> = Vec::new();
        let mut at = 0;
        for unit in units.chunk_by(|a, b| a == b) {
            let mut pattern = codes[at..at + unit.len()].to_vec();
            pattern.sort_unstable();
            pattern.push(u32::MAX);
            patterns.push(pattern);
            at += unit.len();
        }
        patterns.sort_unstable();
        patterns.concat()
    }
}

/// Measures and judges one draw; claims on one metric share its measurement.
fn look(
    bench: &mut Bench,
    picks: &[usize],
    claims: &[Claim],
    selection: &Selection,
    methods: &mut Vec<String>,
) -> Vec<Seen> {
    let mut metrics: Vec<Metric> = Vec::new();
    for claim in claims {
        if !metrics.contains(&claim.metric) {
            metrics.push(claim.metric.clone());
        }
    }
    let measured = bench.measure(picks, &metrics, selection);
    methods.resize(claims.len(), String::new());
    let mut seen = Vec::with_capacity(claims.len());
    for (claim, method) in claims.iter().zip(methods) {
        let at = metrics.iter().position(|metric| *metric == claim.metric);
        let measured = &measured[at.expect("every claim's metric is measured")];
        if let (true, Ok(value)) = (method.is_empty(), &measured.value)
            && value.interval.is_some()
        {
            value.method.clone_into(method);
        }
        seen.push(Seen::of(&claim.metric, &claim.requirement, measured));
    }
    seen
}
