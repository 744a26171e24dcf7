//! How steady a gate is: judged again on other samples of its own cases, and on other runs of its own calls.

use super::suite_run::SuiteRun;
use super::trial::assertion_name;
use crate::judge::{Outcome, judge};
use crate::metric::{Metric, Needs, Requirement};
use crate::score::{ALL_THERE_ARE, Blocks, Sheet, measure};
use crate::stats::Seed;
use crate::stats::random::RandomStream;

/// A gate judged against itself.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Qualified {
    /// Its trial.
    pub trial: String,
    /// What is required.
    pub required: String,
    /// Its outcome on the cases there are.
    pub outcome: Outcome,
    /// How often each outcome came up on as many cases drawn anew from these, in the order of [`Outcome::ALL`].
    pub drawn: [usize; 4],
    /// How often each outcome came up when another repeat of the same calls was read in place of the first, in the same
    /// order; `None` where there is no other repeat, or the metric reads them all anyway.
    pub runs: Option<[usize; 4]>,
}

impl Qualified {
    /// The share of draws in which the outcome is another one than on the cases there are; `None` without draws.
    pub fn flips(&self) -> Option<f64> {
        share_of_others(&self.drawn, self.outcome)
    }

    /// The share of runs in which the outcome is another one; `None` without other runs.
    pub fn flips_between_runs(&self) -> Option<f64> {
        share_of_others(self.runs.as_ref()?, self.outcome)
    }
}

fn share_of_others(counts: &[usize; 4], outcome: Outcome) -> Option<f64> {
    let all: usize = counts.iter().sum();
    let same = Outcome::ALL
        .iter()
        .position(|known| *known == outcome)
        .map_or(0, |at| counts[at]);
    (all > 0).then(|| (all - same) as f64 / all as f64)
}

impl SuiteRun<'_> {
    /// Judges every assertion again on `draws` samples of its own units of evidence, drawn with replacement, and on every
    /// further repeat of its calls that is recorded.
    ///
    /// The draws are the same at every call and on every machine. They tell how far an outcome depends on which cases
    /// were taken; they know nothing of cases unlike these, and centre on what was observed. Requirements on the lock box
    /// are passed over, and so are those that could not run at all.
    pub fn qualify(&self, draws: usize) -> Vec<Qualified> {
        let suite = self.suite();
        let blocks = Blocks::of(&suite.cases);
        let mut found = Vec::new();
        for (position, assertion) in suite.assertions.iter().enumerate() {
            let trial = assertion_name(suite, position);
            let judgements = self.judgements(position);
            for (requirement, judgement) in assertion.requirements.iter().zip(judgements) {
                if requirement.selection.lockbox {
                    continue;
                }
                let mut qualified = Qualified {
                    trial: trial.clone(),
                    required: format!("{} {}", assertion.metric, requirement.bound),
                    outcome: judgement.outcome,
                    drawn: [0; 4],
                    runs: None,
                };
                let sheet = self
                    .candidate(assertion.candidate)
                    .sheets
                    .get(assertion.question);
                if let Some(sheet) = sheet.filter(|_| judgement.outcome != Outcome::CouldNotRun) {
                    let mut stream = RandomStream::new(Seed(1).derive(&trial));
                    for _ in 0..draws {
                        let draw = blocks.draw(&suite.cases, &mut stream);
                        let outcome = judged(&sheet.drawn(&draw), &assertion.metric, requirement);
                        count(&mut qualified.drawn, outcome);
                    }
                    qualified.runs = between_runs(sheet, &assertion.metric, requirement);
                }
                found.push(qualified);
            }
        }
        found
    }
}

/// The outcomes with every further repeat in turn in place of the first, which the suite's own outcome stands on.
fn between_runs(
    sheet: &Sheet<'_>,
    metric: &Metric,
    requirement: &Requirement,
) -> Option<[usize; 4]> {
    let reads_all = matches!(
        metric.info().needs,
        Needs::Repeats | Needs::Calls | Needs::Latency | Needs::Cost
    ) || metric.reads_orders();
    let repeats = sheet.repeats(ALL_THERE_ARE);
    if reads_all || repeats < 2 {
        return None;
    }
    let mut counts = [0; 4];
    for repeat in 1..repeats {
        let run = sheet.of_repeat(repeat)?;
        count(&mut counts, judged(&run, metric, requirement));
    }
    Some(counts)
}

fn judged(sheet: &Sheet<'_>, metric: &Metric, requirement: &Requirement) -> Outcome {
    let measurement = measure(
        sheet,
        metric,
        &requirement.selection,
        requirement.confidence,
    );
    judge(metric, requirement, &measurement).outcome
}

fn count(counts: &mut [usize; 4], outcome: Outcome) {
    if let Some(at) = Outcome::ALL.iter().position(|known| *known == outcome) {
        counts[at] += 1;
    }
}
