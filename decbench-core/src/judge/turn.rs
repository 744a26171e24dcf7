//! A turn's budget: several calls at a time, all of which must be in.

use super::limits::limits;
use crate::metric::{Outcome, Reading, TurnRule};
use crate::score::{TurnCalls, Unmeasurable, WithDefault};
use crate::stats::Interval;
use crate::stats::latency::{all_within, any_beyond, per_call_quantile};

/// What was found of a candidate's turns.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TurnFinding {
    /// The candidate.
    pub candidate: String,
    /// What was asked.
    pub rule: TurnRule,
    /// What the evidence says.
    pub outcome: Outcome,
    /// Why, in one sentence.
    pub reason: String,
    /// The calls, where they could be counted.
    pub calls: Option<TurnCalls>,
    /// The share of turns within the budget, with its limits.
    pub turns: Option<(f64, Interval)>,
    /// The chance that at least one turn of a conversation is beyond it.
    pub any_late: Option<f64>,
    /// The share of calls that must be within the budget for the required share of turns.
    pub needed: f64,
    /// By question: its name and its accuracy with the default action.
    pub defaults: Vec<(String, WithDefault)>,
}

/// The share of calls that must be in time so that a turn is, as often as required: q^(1/k), calls taken as independent.
pub fn turn_quantile(rule: &TurnRule) -> f64 {
    per_call_quantile(rule.at_least, rule.parallel).unwrap_or(rule.at_least)
}

/// Judges the turns of a candidate. Calls are taken as independent of each other: where slow calls come together, turns
/// suffer less often than this says.
pub fn judge_turn(
    candidate: &str,
    rule: &TurnRule,
    calls: Result<TurnCalls, Unmeasurable>,
    defaults: Vec<(String, WithDefault)>,
) -> TurnFinding {
    let mut found = TurnFinding {
        candidate: candidate.to_owned(),
        rule: rule.clone(),
        outcome: Outcome::CouldNotRun,
        reason: String::new(),
        calls: None,
        turns: None,
        any_late: None,
        needed: turn_quantile(rule),
        defaults,
    };
    let calls = match calls {
        Ok(calls) => calls,
        Err(why) => {
            found.reason = format!("not measurable: {why}");
            return found;
        }
    };
    let power = |share: f64| all_within(share, rule.parallel);
    let judged = limits(Reading::Proven, &calls.within).and_then(|(interval, _)| {
        let told = |undefined: crate::stats::Undefined| undefined.to_string();
        let share = power(calls.within.value).map_err(told)?;
        let turns = Interval {
            low: power(interval.low).map_err(told)?,
            high: power(interval.high).map_err(told)?,
        };
        let any_late = any_beyond(share, rule.turns).map_err(told)?;
        Ok((share, turns, any_late))
    });
    match judged {
        Ok((share, turns, any_late)) => {
            let (outcome, reason) = if turns.low >= rule.at_least {
                (Outcome::Pass, "the whole interval lies on the good side")
            } else if turns.high < rule.at_least {
                (Outcome::Fail, "the whole interval lies on the bad side")
            } else {
                (Outcome::Inconclusive, "the interval straddles the bound")
            };
            found.outcome = outcome;
            reason.clone_into(&mut found.reason);
            found.turns = Some((share, turns));
            found.any_late = Some(any_late);
        }
        Err(reason) => found.reason = reason,
    }
    found.calls = Some(calls);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::FailureKind;
    use crate::metric::TurnRule;
    use crate::score::testing::Data;
    use crate::score::{turn_calls, with_default};

    /// Calls of which `slow` took a second and the others a tenth of one; the slow ones were answered right.
    fn day(calls: usize, slow: usize) -> Data {
        let mut data = Data::choice(&["a", "wait"]);
        for at in 0..calls {
            data.answered(0, 0);
            let ms = if at < slow { 1_000.0 } else { 100.0 };
            data.answers[at].measured.latency_ms = Some(ms);
        }
        data
    }

    fn found(data: &Data, parallel: u32) -> TurnFinding {
        let mut rule = TurnRule::new(400.0, "400ms");
        rule.parallel = parallel;
        rule.turns = 10;
        rule.default = vec![Some(1)];
        let sheet = data.sheet();
        let calls = turn_calls(&sheet, &rule, turn_quantile(&rule), 0.95);
        let defaults = with_default(&sheet, &rule, 0, 0.95);
        let defaults = defaults.map(|found| (String::new(), found));
        judge_turn("x", &rule, calls, defaults.into_iter().collect())
    }

    #[test]
    fn calls_side_by_side_need_more_of_each() {
        // Of 1,000 calls 2% are late: one at a time that is enough, three at a time it is not.
        let data = day(1_000, 20);
        let one = found(&data, 1);
        assert_eq!(one.outcome, Outcome::Pass, "{one:?}");
        assert!((one.any_late.expect("turns") - (1.0 - 0.98_f64.powi(10))).abs() < 1e-12);
        let three = found(&data, 3);
        assert!((three.needed - 0.983_048).abs() < 1e-6);
        assert!((three.turns.expect("turns").0 - 0.98_f64.powi(3)).abs() < 1e-12);
        assert_eq!(three.outcome, Outcome::Inconclusive);
        assert_eq!(found(&data, 10).outcome, Outcome::Fail);
    }

    #[test]
    fn late_answers_give_way_to_the_default_action() {
        let found = found(&day(100, 10), 1);
        let (_, with_default) = &found.defaults[0];
        assert_eq!(with_default.late, 10);
        assert_eq!(with_default.answered, 1.0);
        assert!((with_default.acted.value - 0.9).abs() < 1e-12);
    }

    #[test]
    fn a_call_that_ran_out_of_time_is_the_default_action_and_right_where_that_is() {
        let mut data = day(80, 0);
        for _ in 0..20 {
            data.case(1);
            data.fail(FailureKind::Timeout);
        }
        let found = found(&data, 1);
        let (_, with_default) = &found.defaults[0];
        assert_eq!((with_default.late, with_default.acted.n), (20, 100));
        assert!((with_default.answered - 0.8).abs() < 1e-12);
        assert_eq!(with_default.acted.value, 1.0, "waiting was right");
        let calls = found.calls.expect("calls");
        assert!(
            calls.within.value < 0.81,
            "they are beyond the budget all the same"
        );
    }

    #[test]
    fn without_times_there_is_nothing_to_judge() {
        let mut data = Data::choice(&["a", "wait"]);
        data.answered(0, 0);
        assert_eq!(found(&data, 3).outcome, Outcome::CouldNotRun);
    }
}
