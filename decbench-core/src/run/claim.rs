//! What `compare:` claims of candidates, and what a person reads when it does not hold.

use super::explain::with_rerun;
use super::needs::{has_lockbox, on_lockbox};
use super::suite_run::SuiteRun;
use super::trial::{Trial, claim_name};
use super::verdict::{entrant, made_of};
use crate::judge::{ClaimFinding, Contest, Entrant, claims};
use crate::metric::{Expect, VerdictRule};
use crate::report::{ClaimLine, claim_line};

impl SuiteRun<'_> {
    /// What was found of the candidates of the comparison at this position.
    pub fn claims(&self, position: usize) -> &[ClaimFinding] {
        self.claims[position].get_or_init(|| {
            let suite = self.suite();
            let comparison = &suite.comparisons[position];
            let lockbox = on_lockbox(suite, self.settings());
            let mut rule = VerdictRule::new(Expect::Any, 1);
            rule.quality = vec![comparison.part];
            rule.margin = comparison.margin;
            let taking_part = [comparison.against]
                .into_iter()
                .chain(comparison.candidates.iter().copied());
            let entrants = taking_part.map(|at| Entrant {
                today: at == comparison.against,
                ..entrant(self, &rule, at, lockbox)
            });
            let contest = Contest {
                entrants: entrants.collect(),
                made_of: made_of(suite, &rule),
                lockbox,
                on_tuning_data: has_lockbox(suite) && !lockbox,
                rule,
            };
            claims(&contest, comparison.claim)
        })
    }

    /// Every claim with its outcome, by trial name.
    pub fn claim_lines(&self) -> Vec<ClaimLine> {
        let suite = self.suite();
        let mut lines: Vec<ClaimLine> = Vec::new();
        for (position, comparison) in suite.comparisons.iter().enumerate() {
            for (candidate, finding) in comparison.candidates.iter().zip(self.claims(position)) {
                lines.push(ClaimLine {
                    trial: claim_name(suite, position, *candidate),
                    finding: finding.clone(),
                });
            }
        }
        lines.sort_by(|a, b| a.trial.cmp(&b.trial));
        lines
    }
}

/// A claim that does not hold, with its evidence.
pub(super) fn explain(run: &SuiteRun<'_>, trial: &Trial, finding: &ClaimFinding) -> String {
    let text = format!(
        "{}\nclaimed   {}\nbecause   {}",
        finding.outcome,
        claim_line(finding),
        finding.reason
    );
    with_rerun(run.settings(), trial, &text)
}
