//! The turns of a candidate, and what a person reads of them.

use super::explain::with_rerun;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialResult, turn_name};
use crate::decision::Split;
use crate::judge::{Outcome, TurnFinding, judge_turn, turn_quantile};
use crate::metric::TurnRule;
use crate::report::{TurnLine, turn_text};
use crate::score::{Unmeasurable, turn_calls, with_default};

/// Two-sided level of the limits.
const LEVEL: f64 = 0.95;

impl SuiteRun<'_> {
    /// What was found of the turns of every candidate that is no baseline, where the suite asks.
    pub fn turn_lines(&self) -> Vec<TurnLine> {
        let Some(rule) = &self.suite().turn else {
            return Vec::new();
        };
        let candidates = 0..self.suite().candidates.len();
        candidates
            .filter(|at| !self.suite().candidates[*at].baseline)
            .map(|at| TurnLine {
                trial: turn_name(self.suite(), at),
                finding: self.turn_of(rule, at),
            })
            .collect()
    }

    fn turn_of(&self, rule: &TurnRule, candidate: usize) -> TurnFinding {
        let run = self.candidate(candidate);
        let calls = match (&run.failed, run.sheets.first()) {
            (Some(reason), _) => Err(Unmeasurable::because(reason.as_str())),
            (None, None) => Err(Unmeasurable::because("no question is asked")),
            // All questions of a case are one call, so that one sheet has the times of all.
            (None, Some(sheet)) => {
                let open = self.settings().lockbox;
                let asked = sheet
                    .rows
                    .iter()
                    .filter(|row| open || row.case.split != Split::Lockbox);
                // What is missing of other orders and views says nothing of plain calls.
                match asked.filter(|row| row.base().is_none()).count() {
                    0 => turn_calls(sheet, rule, turn_quantile(rule), LEVEL),
                    missing => Err(Unmeasurable::because(format!(
                        "{missing} answers are missing"
                    ))),
                }
            }
        };
        let defaults = run.sheets.iter().enumerate().filter_map(|(at, sheet)| {
            let found = with_default(sheet, rule, at, LEVEL)?;
            Some((sheet.question.name.clone(), found))
        });
        let name = &self.suite().candidates[candidate].name;
        judge_turn(name, rule, calls, defaults.collect())
    }

    pub(super) fn turn(&self, trial: &Trial, candidate: usize) -> TrialResult {
        let Some(rule) = &self.suite().turn else {
            return TrialResult::Passed;
        };
        let finding = self.turn_of(rule, candidate);
        let text = turn_text(&finding);
        match finding.outcome {
            Outcome::Pass if self.is_alone() => TrialResult::PassedWith(text),
            Outcome::Pass => TrialResult::Passed,
            Outcome::Inconclusive if !self.settings().strict => {
                let lines: Vec<&str> = text.lines().map(str::trim).collect();
                TrialResult::Ignored(lines.join("; "))
            }
            _ => TrialResult::Failed(with_rerun(self.settings(), trial, &text)),
        }
    }
}
