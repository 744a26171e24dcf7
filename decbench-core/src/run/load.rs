//! The load that services are offered, and what a person reads of it.

use std::time::Duration;

use super::candidate::{is_remote, load_of};
use super::explain::with_rerun;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialResult, load_name};
use crate::collect::Mode;
use crate::judge::{LoadFinding, Outcome, judge_load, judge_loads};
use crate::metric::LoadRule;
use crate::report::{LoadLine, load_text};
use crate::stats::Seed;
use crate::stats::arrivals::arrivals;

/// From which schedules are drawn, with the suite's name and the rate.
const SEED: Seed = Seed(0x6c6f_6164);

impl SuiteRun<'_> {
    /// What was found of the load, where the suite asks and services are called anew.
    pub fn load_line(&self) -> Option<LoadLine> {
        let rule = self.suite().load.as_ref()?;
        (self.settings().mode == Mode::Live).then(|| LoadLine {
            trial: load_name(self.suite()),
            finding: self.load_found(rule).clone(),
        })
    }

    /// The candidates that load is offered to.
    pub(super) fn offered(&self) -> impl Iterator<Item = usize> {
        let candidates = 0..self.suite().candidates.len();
        candidates
            .filter(|at| !self.suite().candidates[*at].baseline)
            .filter(|at| is_remote(self.suite(), *at, self.settings()))
    }

    /// Offers the load to one candidate after the other, all of them the same schedules.
    fn load_found(&self, rule: &LoadRule) -> &LoadFinding {
        self.load.get_or_init(|| {
            let schedules = schedules(&self.suite().name, rule);
            let found = self.offered().map(|at| {
                let runs = load_of(self.suite(), at, &schedules, self.settings());
                let points = runs.map(|runs| {
                    let each = runs.iter().enumerate();
                    each.map(|(rate, run)| judge_load(rule, rate, run))
                        .collect()
                });
                (self.suite().candidates[at].name.clone(), points)
            });
            judge_loads(found.collect())
        })
    }

    pub(super) fn load_trial(&self, trial: &Trial) -> TrialResult {
        let Some(rule) = &self.suite().load else {
            return TrialResult::Passed;
        };
        if self.settings().mode != Mode::Live {
            return TrialResult::Ignored(
                "live mode only: a load is offered with DECBENCH_MODE=live, and never recorded"
                    .to_owned(),
            );
        }
        let finding = self.load_found(rule);
        let text = load_text(finding);
        match finding.outcome {
            Outcome::Pass => TrialResult::PassedWith(text),
            Outcome::Inconclusive if !self.settings().strict => {
                TrialResult::Ignored(format!("inconclusive: {}", finding.reason))
            }
            _ => TrialResult::Failed(with_rerun(self.settings(), trial, &text)),
        }
    }
}

/// When calls are due at each rate. A suite keeps its schedules from run to run.
fn schedules(suite: &str, rule: &LoadRule) -> Vec<(String, Vec<Duration>)> {
    let rates = rule.rates.iter().enumerate();
    rates
        .map(|(at, rate)| {
            let seed = SEED.derive(suite).derive(&rate.written);
            let due = arrivals(seed, rule.per_second(at), rule.calls);
            let due = due.into_iter().map(Duration::from_secs_f64);
            (rate.written.clone(), due.collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_its_schedule_and_keeps_it() {
        let mut rule = LoadRule::new(7.0);
        rule.calls = 70;
        let drawn = schedules("routing", &rule);
        assert_eq!(drawn, schedules("routing", &rule));
        assert_ne!(drawn, schedules("other", &rule));
        let names: Vec<&str> = drawn.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["1x", "3x", "10x"]);
        for ((_, due), most) in drawn.iter().zip([10.0, 10.0 / 3.0, 1.0]) {
            assert_eq!(due.len(), 70);
            let last = due.last().expect("calls").as_secs_f64();
            assert!(last <= most && last > 0.8 * most, "{last} of {most} s");
        }
    }
}
