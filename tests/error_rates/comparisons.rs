//! Candidates against today's: `compare:`, verdicts, and the bar before launch.

use std::collections::HashMap;

use decbench_core::judge::{ClaimPair, Contest, Entrant, Outcome, VerdictOutcome, claims, verdict};
use decbench_core::metric::{Claim, Expect, Metric, MetricId, VerdictRule};
use decbench_core::score::{CaseQuality, Qualities};
use decbench_core::stats::distribution::binomial_pmf;
use decbench_core::stats::random::RandomStream;

use crate::draw::{Law, SEED, Units, draw};
use crate::effort::{Effort, SIZES};
use crate::tally::{Cell, Known, Seen, Tally, Wrong};

pub(crate) const CLAIMS: &str = "## Comparisons

`compare:` with `better` where nobody is better, and with `not_worse` where a candidate is worse by just the margin;
with several candidates, any of them; and `steady` where answers change both ways alike. *Wrong fail* is \"shown to be worse\" and \"shown to be worse by more than the
margin\". The printed interval is that of the difference.";

pub(crate) const VERDICTS: &str = "## Verdicts

A wrong pass is a `switch` where nobody is better than today's, a `switch_cheaper` to a cheaper candidate that is worse
by just the margin, and, before launch, a `use` of a candidate whose quality is just 80%. Candidates are independent given
today's answers. Before launch the figures of single cases are exact. Cases of a unit hang together, and it is units that
are resampled.";

/// What the bootstrap does with few differences.
const FEW_DIFFERENCES: Known = Known {
    at_most: 0.035,
    why: "The paired bootstrap's p is a little small where few of 30 units differ; a verdict therefore takes at least six that do (`min_discordant`), and a comparison shows the exact p of McNemar's test beside it.",
};

/// How a candidate's answers differ from today's: the shares that it alone has right, that today's alone has right,
/// and that neither has.
#[derive(Debug, Clone, Copy)]
struct Pairs {
    better: f64,
    worse: f64,
    neither: f64,
}

impl Pairs {
    const fn new(better: f64, worse: f64) -> Self {
        Self {
            better,
            worse,
            neither: 0.0,
        }
    }

    fn law(self) -> Vec<f64> {
        let both = 1.0 - self.better - self.worse - self.neither;
        vec![both, self.better, self.worse, self.neither]
    }
}

/// Whether the candidate, and whether today's, is right in each outcome of [`Pairs::law`].
const RIGHT: [(bool, bool); 4] = [(true, true), (true, false), (false, true), (false, false)];

fn qualities(units: &[u32], cost: f64, right: impl Fn(usize) -> bool) -> Qualities {
    let case = |(position, unit): (usize, &u32)| CaseQuality {
        position,
        unit: *unit,
        quality: f64::from(u8::from(right(position))),
        within_limits: true,
        chance_of_right: None,
        approved: true,
        unanswered: false,
        cost_usd: Some(cost),
        latency_ms: None,
    };
    Qualities {
        cases: units.iter().enumerate().map(case).collect(),
        missing: 0,
        unjudged: 0,
    }
}

fn entrant(name: &str, qualities: Qualities) -> Entrant {
    Entrant {
        name: name.to_owned(),
        today: name == "today",
        qualities,
        gates: Vec::new(),
        latencies: None,
        failed: None,
        skipped: 0,
        tuning_rounds: 0,
    }
}

/// Today's and so many candidates, whose answers differ from today's in this way.
struct Rivals {
    pairs: Pairs,
    candidates: usize,
    margin: Option<f64>,
    /// What a candidate's decision costs, where today's costs a cent.
    cost: f64,
    units: Units,
}

impl Rivals {
    /// Whether today's and the first candidate are right is drawn; so are, given today's, the others.
    fn contest(&self, units: &[u32], picks: &[usize], stream: &mut RandomStream) -> Contest {
        let law = self.pairs.law();
        let alike = self.units.alike;
        let today: Vec<bool> = picks.iter().map(|pick| RIGHT[*pick].1).collect();
        let right = |case: usize| today[case];
        let mut entrants = vec![entrant("today", qualities(units, 0.01, right))];
        let given = |right: usize, wrong: usize| {
            let chance = law[right] / (law[right] + law[wrong]);
            vec![chance, 1.0 - chance]
        };
        let conditional = Law {
            chances: vec![given(1, 3), given(0, 2)],
            kind_of: today.iter().map(|right| usize::from(*right)).collect(),
        };
        for number in 0..self.candidates {
            let name = format!("candidate-{number}");
            let right: Vec<bool> = if number == 0 {
                picks.iter().map(|pick| RIGHT[*pick].0).collect()
            } else {
                let mut others = Vec::new();
                draw(&conditional, units, alike, stream, &mut others);
                others.iter().map(|pick| *pick == 0).collect()
            };
            entrants.push(entrant(
                &name,
                qualities(units, self.cost, |case| right[case]),
            ));
        }
        let mut rule = VerdictRule::new(Expect::Any, 1);
        rule.margin = self.margin;
        Contest {
            rule,
            entrants,
            made_of: "accuracy".to_owned(),
            shares: true,
            lockbox: false,
            on_tuning_data: false,
        }
    }

    fn data(&self) -> String {
        let percent = |share: f64| format!("{:.0}", share * 100.0);
        let (better, worse) = (percent(self.pairs.better), percent(self.pairs.worse));
        let of = match self.candidates {
            1 => String::new(),
            many => format!(", {many} candidates"),
        };
        format!(
            "{better}% and {worse}% right alone{of}, {}",
            self.units.name
        )
    }

    /// Draws contests and counts what `seen` makes of them.
    fn cell(&self, metric: &str, n: usize, draws: u32, seen: impl Fn(&Contest) -> Seen) -> Cell {
        let units = self.units.number(n);
        let seed = SEED.derive(&format!("{metric} {} {n}", self.data()));
        let mut stream = RandomStream::new(seed);
        let difference = self.pairs.better - self.pairs.worse;
        let law = Law::of(self.pairs.law());
        let mut tally = Tally::default();
        let mut picks = Vec::new();
        // Which of equal units differ decides nothing, so contests with equal counts are looked at once.
        let equal = self.units.sizes.len() == 1 && [0.0, 1.0].contains(&self.units.alike);
        let mut known: HashMap<[usize; 4], Seen> = HashMap::new();
        for _ in 0..draws {
            draw(&law, &units, self.units.alike, &mut stream, &mut picks);
            let look = |stream| seen(&self.contest(&units, &picks, stream));
            let found = if self.candidates == 1 && equal {
                let counts =
                    std::array::from_fn(|pair| picks.iter().filter(|pick| **pick == pair).count());
                *known.entry(counts).or_insert_with(|| look(&mut stream))
            } else {
                look(&mut stream)
            };
            tally.add(found, difference, 1.0);
        }
        Cell {
            metric: metric.to_owned(),
            data: self.data(),
            n,
            bound: match self.margin {
                Some(margin) => format!("margin {:.0}%", margin * 100.0),
                None => "better than today's".to_owned(),
            },
            wrong: Wrong::Either,
            tally: tally.over(f64::from(draws)),
            draws: Some(draws),
            method: if tally.printed == 0.0 {
                ""
            } else if self.units.sizes == [1] {
                "Newcombe, paired"
            } else {
                "bca, clusters"
            }
            .to_owned(),
            known: None,
        }
    }
}

/// What the claims of all candidates come to: any pass, else any fail; with one candidate its interval.
fn claimed(contest: &Contest, claim: Claim) -> Seen {
    let (today, others) = contest.entrants.split_first().expect("today's is first");
    let pairs: Vec<ClaimPair> = others
        .iter()
        .map(|other| ClaimPair {
            contest: Contest {
                entrants: vec![today.clone(), other.clone()],
                ..contest.clone()
            },
            whole: None,
            skipped: None,
        })
        .collect();
    let found = claims(&pairs, claim, &Metric::plain(MetricId::Accuracy));
    let any = |outcome| found.iter().any(|finding| finding.outcome == outcome);
    let outcome = [Outcome::Pass, Outcome::CouldNotRun, Outcome::Inconclusive]
        .into_iter()
        .find(|outcome| any(*outcome));
    let interval = match &found[..] {
        [alone] => alone.comparison.as_ref().and_then(|found| found.interval),
        _ => None,
    };
    Seen::new(outcome.unwrap_or(Outcome::Fail), interval)
}

/// `better` where nobody is, `not_worse` at the margin.
pub(crate) fn comparisons(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    let alone = |pairs, margin, units| Rivals {
        pairs,
        candidates: 1,
        margin,
        cost: 0.01,
        units,
    };
    for (rivals, few) in [
        (
            alone(Pairs::new(0.05, 0.05), None, Units::SINGLE),
            &SIZES[..],
        ),
        (alone(Pairs::new(0.15, 0.15), None, Units::SINGLE), &SIZES),
        (
            alone(Pairs::new(0.15, 0.15), None, Units::THREE_ALIKE),
            &[300],
        ),
    ] {
        for n in effort.sizes(few) {
            let seen = |contest: &Contest| claimed(contest, Claim::Better);
            let cell = rivals.cell("better", n, effort.draws, seen);
            cells.push(Cell {
                known: (n == SIZES[0]).then_some(FEW_DIFFERENCES),
                ..cell
            });
        }
    }
    for (pairs, margin, units, few) in [
        (Pairs::new(0.02, 0.04), 0.02, Units::SINGLE, &SIZES[..]),
        (Pairs::new(0.05, 0.1), 0.05, Units::SINGLE, &SIZES),
        (Pairs::new(0.05, 0.1), 0.05, Units::THREE_ALIKE, &[300]),
    ] {
        let rivals = alone(pairs, Some(margin), units);
        for n in effort.sizes(few) {
            let seen = |contest: &Contest| claimed(contest, Claim::NotWorse);
            cells.push(rivals.cell("not_worse", n, effort.draws, seen));
        }
    }
    let rivals = alone(Pairs::new(0.05, 0.05), None, Units::SINGLE);
    for n in SIZES {
        let seen = |contest: &Contest| claimed(contest, Claim::Steady);
        let cell = rivals.cell("steady", n, effort.draws, seen);
        cells.push(Cell {
            bound: "no worse than before".to_owned(),
            wrong: Wrong::Fail,
            ..cell
        });
    }
    let equal = Pairs {
        neither: 0.05,
        ..Pairs::new(0.1, 0.1)
    };
    for (candidates, few) in [(3, &[30, 100][..]), (10, &[100])] {
        let rivals = Rivals {
            candidates,
            ..alone(equal, None, Units::SINGLE)
        };
        for n in effort.sizes(few) {
            let seen = |contest: &Contest| claimed(contest, Claim::Better);
            let cell = rivals.cell("better (Holm)", n, effort.draws, seen);
            cells.push(Cell {
                wrong: Wrong::Pass,
                ..cell
            });
        }
    }
    cells
}

/// A verdict that may not be reached here.
fn reached(contest: &Contest, wrong: VerdictOutcome) -> Seen {
    let outcome = match verdict(contest).outcome {
        VerdictOutcome::CouldNotRun => Outcome::CouldNotRun,
        found if found == wrong => Outcome::Pass,
        _ => Outcome::Inconclusive,
    };
    Seen::new(outcome, None)
}

/// Verdicts that name somebody who is no better, too much worse, or not good enough.
pub(crate) fn verdicts(effort: Effort) -> Vec<Cell> {
    let mut cells = Vec::new();
    let rivals = |pairs, candidates, margin, cost, units| Rivals {
        pairs,
        candidates,
        margin,
        cost,
        units,
    };
    let (single, worse) = (Units::SINGLE, Pairs::new(0.05, 0.1));
    let equal = Pairs {
        neither: 0.05,
        ..Pairs::new(0.1, 0.1)
    };
    for (rivals, metric, outcome, few) in [
        (
            rivals(equal, 1, None, 0.01, single),
            "verdict: switch",
            VerdictOutcome::Switch,
            &[30, 100, 300][..],
        ),
        (
            rivals(equal, 3, None, 0.01, single),
            "verdict: switch",
            VerdictOutcome::Switch,
            &[100],
        ),
        (
            rivals(equal, 1, None, 0.01, Units::THREE_ALIKE),
            "verdict: switch",
            VerdictOutcome::Switch,
            &[100, 300],
        ),
        (
            rivals(equal, 1, None, 0.01, Units::THREE_LOOSE),
            "verdict: switch",
            VerdictOutcome::Switch,
            &[300],
        ),
        (
            rivals(equal, 1, None, 0.01, Units::UNEVEN),
            "verdict: switch",
            VerdictOutcome::Switch,
            &[300],
        ),
        (
            rivals(worse, 1, Some(0.05), 0.005, single),
            "verdict: switch_cheaper",
            VerdictOutcome::SwitchCheaper,
            &[100, 300],
        ),
        (
            rivals(worse, 1, Some(0.05), 0.005, Units::THREE_ALIKE),
            "verdict: switch_cheaper",
            VerdictOutcome::SwitchCheaper,
            &[300],
        ),
    ] {
        for n in effort.sizes(few) {
            let seen = |contest: &Contest| reached(contest, outcome);
            let cell = rivals.cell(metric, n, effort.draws, seen);
            cells.push(Cell {
                wrong: Wrong::Pass,
                ..cell
            });
        }
    }
    cells.extend(SIZES.map(launch));
    for (units, n) in [(Units::THREE_ALIKE, 300), (Units::UNEVEN, 300)] {
        cells.push(launch_of_units(units, n, effort.draws));
    }
    cells
}

/// What is asked of a candidate before launch.
const BAR: f64 = 0.8;

/// A candidate alone, right where `right` says so.
fn contest_of_one(units: &[u32], right: impl Fn(usize) -> bool) -> Contest {
    Contest {
        rule: VerdictRule::new(Expect::Any, 1),
        entrants: vec![entrant("one", qualities(units, 0.01, right))],
        made_of: "accuracy".to_owned(),
        shares: true,
        lockbox: false,
        on_tuning_data: false,
    }
}

fn launch_cell(units: &str, n: usize, tally: Tally, draws: Option<u32>) -> Cell {
    Cell {
        metric: "verdict: use".to_owned(),
        data: format!("one candidate, 80% right, {units}"),
        n,
        bound: ">= 80%".to_owned(),
        wrong: Wrong::Pass,
        tally,
        draws,
        method: String::new(),
        known: None,
    }
}

/// Answers of a candidate whose quality is just the bar, drawn by the unit.
fn launch_of_units(units: Units, n: usize, draws: u32) -> Cell {
    let numbers = units.number(n);
    let law = Law::of(vec![BAR, 1.0 - BAR]);
    let mut stream = RandomStream::new(SEED.derive(&format!("launch {} {n}", units.name)));
    let mut tally = Tally::default();
    let mut picks = Vec::new();
    for _ in 0..draws {
        draw(&law, &numbers, units.alike, &mut stream, &mut picks);
        let contest = contest_of_one(&numbers, |case| picks[case] == 0);
        tally.add(reached(&contest, VerdictOutcome::Use), BAR, 1.0);
    }
    launch_cell(units.name, n, tally.over(f64::from(draws)), Some(draws))
}

/// Every number of right answers of a candidate whose quality is just the bar.
fn launch(n: usize) -> Cell {
    let units = Units::SINGLE.number(n);
    let mut tally = Tally::default();
    for right in 0..=n {
        let weight = binomial_pmf(right as u64, n as u64, BAR).expect("a chance");
        if weight < 1e-12 {
            continue;
        }
        let contest = contest_of_one(&units, |case| case < right);
        tally.add(reached(&contest, VerdictOutcome::Use), BAR, weight);
    }
    launch_cell(Units::SINGLE.name, n, tally, None)
}
