//! What a suite's expectation makes of a verdict.

use super::finding::{Standing, VerdictOutcome};
use crate::judge::outcome::Outcome;
use crate::metric::Expect;

/// The one-sided level of a verdict's tests.
pub(super) const ALPHA: f64 = 0.025;

/// Whether a verdict is the one expected.
///
/// A verdict that is no decision leaves `keep`, `switch` and `switch_cheaper` open, and is red where `decision` is
/// expected. `switch_cheaper` is also met by a better candidate that is shown to be cheaper or faster; it stays open
/// where today's is kept while a saving is neither shown nor excluded.
pub fn expected(
    expect: Expect,
    outcome: VerdictOutcome,
    named: &[String],
    standings: &[Standing],
) -> Outcome {
    use VerdictOutcome as Is;
    if outcome == Is::CouldNotRun {
        return Outcome::CouldNotRun;
    }
    let passes = |holds: bool| if holds { Outcome::Pass } else { Outcome::Fail };
    match expect {
        Expect::Any => Outcome::Pass,
        Expect::Decision => passes(outcome.is_decision()),
        _ if !outcome.is_decision() => Outcome::Inconclusive,
        Expect::Keep => passes(outcome == Is::Keep),
        Expect::Switch => passes(outcome == Is::Switch),
        Expect::SwitchCheaper => match outcome {
            Is::SwitchCheaper => Outcome::Pass,
            Is::Switch => passes(
                standings
                    .iter()
                    .any(|standing| named.first() == Some(&standing.name) && saves(standing)),
            ),
            Is::Keep if standings.iter().any(is_open) => Outcome::Inconclusive,
            _ => Outcome::Fail,
        },
    }
}

fn saves(standing: &Standing) -> bool {
    let saving = standing
        .comparison
        .as_ref()
        .and_then(|found| found.saving.as_ref());
    saving.is_some_and(|saving| saving.p <= ALPHA)
}

/// Whether a candidate may yet turn out to be no worse, and cheaper or faster.
fn is_open(standing: &Standing) -> bool {
    let saving = standing
        .comparison
        .as_ref()
        .and_then(|found| found.saving.as_ref());
    standing.gates.is_empty()
        && saving.is_some_and(|saving| {
            let gains = [saving.p_cheaper, saving.p_faster].into_iter().flatten();
            // Beyond one half the observed difference itself points the other way.
            saving.p_worse > ALPHA && gains.into_iter().any(|p| p < 0.5)
        })
}
