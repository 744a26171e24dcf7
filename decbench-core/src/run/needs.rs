//! What a verdict needs asked beyond what assertions do.

use super::settings::Settings;
use crate::decision::Split;
use crate::metric::{Bound, Decimal, Metric, MetricId, Requirement, Side};
use crate::suite::{Assertion, Suite, Verdict};

/// Whether the verdict stands on the lock box.
pub(super) fn on_lockbox(suite: &Suite, settings: &Settings) -> bool {
    settings.lockbox && has_lockbox(suite)
}

/// Whether a lock box is declared.
pub(super) fn has_lockbox(suite: &Suite) -> bool {
    suite.cases.iter().any(|case| case.split == Split::Lockbox)
}

/// What the verdict reads beyond the base probe, as assertions would ask for it.
pub(super) fn of_verdict(suite: &Suite, settings: &Settings) -> Vec<Assertion> {
    let Some(verdict) = &suite.verdict else {
        return Vec::new();
    };
    let lockbox = on_lockbox(suite, settings);
    let mut needs: Vec<Assertion> = gates(verdict, lockbox).collect();
    if verdict.rule.repeats > 1 {
        let anything = Bound {
            side: Side::AtLeast,
            limit: Decimal {
                digits: 0,
                scale: 0,
            },
            written: "0%".to_owned(),
        };
        let mut requirement = Requirement::new(anything);
        requirement.selection.repeats = verdict.rule.repeats;
        requirement.selection.lockbox = lockbox;
        needs.extend((0..suite.candidates.len()).map(|candidate| Assertion {
            candidate,
            question: 0,
            metric: Metric::plain(MetricId::FlipRate),
            requirements: vec![requirement.clone()],
            span: verdict.span,
        }));
    }
    needs
}

/// The gates, read on the part of the cases that the verdict stands on.
pub(super) fn gates(verdict: &Verdict, lockbox: bool) -> impl Iterator<Item = Assertion> + '_ {
    verdict.gates.iter().map(move |gate| {
        let mut gate = gate.clone();
        for requirement in &mut gate.requirements {
            requirement.selection.lockbox |= lockbox;
        }
        gate
    })
}
