//! The rules of judging, each with evidence on both sides of it.

use super::{Judgement, Outcome, judge, more_cases};
use crate::decision::{Context, Failure, FailureKind};
use crate::metric::{Bound, Metric, Reading, Requirement};
use crate::score::testing::Data;

/// `right` of `n` answers right.
fn answers(right: usize, n: usize) -> Data {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..n {
        data.answered(0, usize::from(at >= right));
    }
    data
}

fn requirement(metric: &str, bound: &str) -> Requirement {
    let unit = Metric::parse(metric).unwrap().info().unit;
    Requirement::new(Bound::parse(bound, unit).unwrap())
}

fn judged(data: &Data, metric: &str, bound: &str) -> Judgement {
    judged_as(data, metric, &requirement(metric, bound))
}

fn judged_as(data: &Data, metric: &str, requirement: &Requirement) -> Judgement {
    judge(
        &Metric::parse(metric).unwrap(),
        requirement,
        &data.measure_on(metric, &requirement.selection),
    )
}

#[test]
fn the_whole_interval_decides() {
    assert_eq!(
        judged(&answers(99, 100), "accuracy", ">= 90%").outcome,
        Outcome::Pass
    );
    assert_eq!(
        judged(&answers(70, 100), "accuracy", ">= 90%").outcome,
        Outcome::Fail
    );
    assert_eq!(
        judged(&answers(92, 100), "accuracy", ">= 90%").outcome,
        Outcome::Inconclusive
    );
    assert_eq!(
        judged(&answers(2, 100), "accuracy", "<= 10%").outcome,
        Outcome::Pass
    );
}

#[test]
fn exact_limits_and_not_wilson_decide_close_to_one() {
    // Wilson's upper limit for 96 of 100 is 98.4%, below 99%; the exact one is 98.9%.
    let judgement = judged(&answers(96, 100), "accuracy", ">= 98.6%");
    assert_eq!(judgement.outcome, Outcome::Inconclusive);
    assert!(judgement.value.unwrap().interval.unwrap().high < 0.986);
}

#[test]
fn a_bound_met_exactly_holds() {
    let mut point = requirement("accuracy", ">= 90%");
    point.reading = Reading::Point;
    assert_eq!(
        judged_as(&answers(27, 30), "accuracy", &point).outcome,
        Outcome::Pass
    );
    assert_eq!(
        judged_as(&answers(26, 30), "accuracy", &point).outcome,
        Outcome::Fail
    );
    let mut cap = requirement("accuracy", "<= 90%");
    cap.reading = Reading::Point;
    assert_eq!(
        judged_as(&answers(27, 30), "accuracy", &cap).outcome,
        Outcome::Pass
    );
    // All right: the upper limit is exactly 1, so a bound of 100% can be failed only by an error.
    assert_eq!(
        judged(&answers(30, 30), "accuracy", ">= 100%").outcome,
        Outcome::Inconclusive
    );
}

#[test]
fn nothing_to_measure_could_not_run() {
    assert_eq!(
        judged(&answers(0, 0), "accuracy", ">= 90%").outcome,
        Outcome::CouldNotRun
    );
    let labels_only = judged(&answers(90, 100), "ece", "<= 0.05");
    assert_eq!(labels_only.outcome, Outcome::CouldNotRun);
    assert_eq!(labels_only.reason, "not measurable: no probabilities");
    let mut skip = requirement("ece", "<= 0.05");
    skip.skip_unmeasurable = true;
    assert!(judged_as(&answers(90, 100), "ece", &skip).skipped);
}

#[test]
fn a_missing_answer_could_not_run_whatever_the_rest_says() {
    let mut data = answers(100, 100);
    data.case(0);
    let judgement = judged(&data, "accuracy", ">= 50%");
    assert_eq!(
        (judgement.outcome, judgement.reason.as_str()),
        (Outcome::CouldNotRun, "1 of 101 answers are missing")
    );
}

#[test]
fn too_many_unanswered_calls_could_not_run_and_never_count_as_wrong() {
    let mut data = answers(98, 98);
    for _ in 0..2 {
        data.case(0);
        data.fail(FailureKind::RateLimited);
    }
    assert_eq!(
        judged(&data, "accuracy", ">= 90%").outcome,
        Outcome::Pass,
        "2% is within the limit"
    );
    data.case(0);
    data.fail(FailureKind::Connect);
    assert_eq!(
        judged(&data, "accuracy", ">= 90%").outcome,
        Outcome::CouldNotRun
    );
    assert_eq!(
        judged(&data, "error_rate", "<= 20%").outcome,
        Outcome::Pass,
        "an error rate measures them"
    );
}

#[test]
fn views_that_failed_unequally_could_not_run() {
    // Of 500 cases, so many have no answer in the minimal view alone, and so many in the padded one alone.
    let silent = |minimal: usize, padded: usize| {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..500 {
            data.case(0);
            for (context, silent) in [
                (Context::Minimal, at < minimal),
                (Context::Padded, (minimal..minimal + padded).contains(&at)),
            ] {
                let probe = data.context(context);
                data.say(probe, 0);
                if silent {
                    let last = data.answers.last_mut().expect("an answer");
                    last.outcome = Err(Failure::new(FailureKind::Connect, "no connection"));
                }
            }
        }
        judged(&data, "distractor_drop", "<= 5%")
    };
    assert_eq!(silent(0, 0).outcome, Outcome::Pass);
    assert_eq!(silent(4, 5).outcome, Outcome::Pass, "it may be chance");
    // Six on one side and none on the other: an exact p of 0.03.
    let unequal = silent(0, 6);
    assert_eq!(unequal.outcome, Outcome::CouldNotRun);
    assert_eq!(
        unequal.reason,
        "the two views differ in unanswered calls: 0 cases only in the first, 6 only in the second"
    );
}

#[test]
fn the_number_of_cases_that_would_settle_it_does() {
    let judgement = judged(&answers(92, 100), "accuracy", ">= 90%");
    let more = judgement.more_cases.unwrap() as usize;
    let n = 100 + more;
    let right = (0.92 * n as f64).round() as usize;
    assert_ne!(
        judged(&answers(right, n), "accuracy", ">= 90%").outcome,
        Outcome::Inconclusive
    );
    let too_few = 100 + more * 9 / 10;
    let right = (0.92 * too_few as f64).round() as usize;
    assert_eq!(
        judged(&answers(right, too_few), "accuracy", ">= 90%").outcome,
        Outcome::Inconclusive
    );
    let met = judged(&answers(90, 100), "accuracy", ">= 90%");
    assert_eq!(
        met.more_cases, None,
        "a value on the bound itself is never settled by more of the same"
    );
}

#[test]
fn reading_again_as_cases_come_in_takes_more_evidence() {
    let mut anytime = requirement("accuracy", ">= 90%");
    assert_eq!(
        judged_as(&answers(292, 300), "accuracy", &anytime).outcome,
        Outcome::Pass
    );
    anytime.reading = Reading::Anytime;
    assert_eq!(
        judged_as(&answers(284, 300), "accuracy", &anytime).outcome,
        Outcome::Inconclusive
    );
    assert_eq!(
        judged_as(&answers(298, 300), "accuracy", &anytime).outcome,
        Outcome::Pass
    );
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..40 {
        data.case(usize::from(at % 9 == 0));
        data.say_shares(&[0.8, 0.2]);
    }
    let mut brier = requirement("brier", "<= 0.5");
    brier.reading = Reading::Anytime;
    assert_eq!(
        judged_as(&data, "brier", &brier).outcome,
        Outcome::CouldNotRun
    );
}

#[test]
fn a_calibration_error_that_chance_explains_does_not_fail() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..60 {
        data.case(usize::from(at % 10 < 3));
        data.say_shares(&[0.75, 0.25]);
    }
    // The gap is 5 points in one bin of 60; a perfect model shows up to 11 by chance.
    let judgement = judged(&data, "ece", "<= 0.01");
    assert_ne!(judgement.outcome, Outcome::Fail, "{}", judgement.reason);
    let mut wild = Data::choice(&["a", "b"]);
    for at in 0..200 {
        wild.case(usize::from(at % 2 == 0));
        wild.say_shares(&[0.97, 0.03]);
    }
    assert_eq!(judged(&wild, "ece", "<= 0.05").outcome, Outcome::Fail);
}

#[test]
fn coverage_passes_fails_or_cannot_tell() {
    let confident = |right_share: usize, n: usize| {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..n {
            data.case(usize::from(at % 100 >= right_share));
            data.say_shares(&[0.97, 0.03]);
        }
        data
    };
    let metric = "coverage[accuracy >= 90%]";
    assert_eq!(
        judged(&confident(97, 400), metric, ">= 80%").outcome,
        Outcome::Pass
    );
    assert_eq!(
        judged(&confident(70, 400), metric, ">= 80%").outcome,
        Outcome::Fail
    );
    assert_eq!(
        judged(&confident(91, 200), metric, ">= 80%").outcome,
        Outcome::Inconclusive
    );
}

#[test]
fn more_cases_needs_an_interval() {
    let data = answers(92, 100);
    let value = data.measure("majority_baseline").value.unwrap();
    let bound = Bound::parse(">= 50%", crate::metric::Unit::Share).unwrap();
    assert_eq!(
        more_cases(&bound, &value, Reading::Proven).is_some(),
        value.interval.is_some()
    );
}
