//! What the module promises as a whole: failures, missing answers, units of evidence, and agreement with the pure statistics.

use super::testing::Data;
use super::{Evidence, Unmeasurable};
use crate::decision::{Context, FailureKind, Gold, QuestionKind};
use crate::metric::{Sample, Selection};
use crate::stats::agreement::cohen_kappa;
use crate::stats::calibration::Forecasts;
use crate::stats::classification::{ClassSet, ConfusionMatrix};
use crate::stats::proportion::wilson;
use crate::stats::selective::{guaranteed_coverage, risk_coverage};

/// Labels that look random and are the same everywhere.
fn scrambled(at: usize, below: usize) -> usize {
    (at.wrapping_mul(2_654_435_761) >> 7) % below
}

fn confident(n: usize) -> (Data, Vec<f64>, Vec<bool>) {
    let mut data = Data::choice(&["a", "b"]);
    let mut chances = Vec::new();
    let mut right = Vec::new();
    for at in 0..n {
        let top = 0.5 + scrambled(at, 50) as f64 / 100.0;
        let gold = usize::from(scrambled(at + 7, 100) as f64 / 100.0 > top);
        data.case(gold);
        data.say_shares(&[top, 1.0 - top]);
        chances.push(top);
        right.push(gold == 0);
    }
    (data, chances, right)
}

#[test]
fn a_models_own_failures_are_wrong_and_others_are_left_out() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    for kind in [
        FailureKind::Refused,
        FailureKind::InvalidAnswer,
        FailureKind::Timeout,
        FailureKind::RateLimited,
    ] {
        data.case(0);
        data.fail(kind);
    }
    let measured = data.measure("accuracy");
    let value = measured.value.unwrap();
    assert_eq!(
        (value.value, value.n),
        (0.25, 4),
        "three failures count as wrong, a rate limit does not count"
    );
    assert_eq!(measured.availability.unanswered, 1);
    assert_eq!(data.value("error_rate"), 0.8);
    assert_eq!(data.value("throttle_rate"), 0.2);
}

#[test]
fn a_reply_that_was_cut_off_is_an_invalid_answer_counted_apart() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    data.case(0);
    data.cut_off();
    data.case(0);
    data.fail(FailureKind::InvalidAnswer);
    data.case(0);
    data.fail(FailureKind::Refused);
    assert_eq!(data.value("truncation_rate"), 0.25);
    assert_eq!(data.value("format_errors"), 0.5);
    assert_eq!(data.value("accuracy"), 0.25);
}

#[test]
fn the_mass_on_the_options_is_a_mean_in_which_invalid_answers_count_nothing() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..18_u32 {
        data.case(0);
        data.say_shares_of(&[0.9, 0.1], Some(0.99 + f64::from(at % 2) / 100.0));
    }
    let clean = data.measure("format_mass").value.unwrap();
    assert!((clean.value - 0.995).abs() < 1e-12);
    assert!(clean.interval.unwrap().low > 0.99);
    data.case(0);
    data.fail(FailureKind::InvalidAnswer);
    data.case(0);
    data.fail(FailureKind::RateLimited);
    let gated = data.measure("format_mass").value.unwrap();
    assert_eq!(gated.n, 19, "nobody answered the last one");
    assert!((gated.value - 18.0 * 0.995 / 19.0).abs() < 1e-12);
    assert_eq!(gated.drivers[0], 18);
}

#[test]
fn without_any_mass_the_metric_is_not_measurable() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    data.case(0);
    data.fail(FailureKind::InvalidAnswer);
    let why = data.measure("format_mass").value.unwrap_err();
    assert!(why.reason.contains("how much probability"), "{why}");
}

#[test]
fn agreement_is_confidence_and_no_probability() {
    let (mut labels, mut second) = (Data::choice(&["a", "b"]), Data::choice(&["a", "b"]));
    for at in 0..40 {
        // Right wherever the second opinion is the same, and wrong where it is not.
        let agrees = at % 4 != 0;
        labels.answered(0, usize::from(!agrees));
        second.answered(0, 0);
    }
    let mut sheet = labels.sheet();
    let measured = |sheet: &super::Sheet<'_>, name: &str| {
        let metric = crate::metric::Metric::parse(name).expect("a metric");
        super::measure(sheet, &metric, &Selection::default(), 0.95).value
    };
    assert!(measured(&sheet, "aurc").is_err(), "labels alone");
    sheet.agree_with(&second.sheet(), "second");
    let sure = measured(&sheet, "selective_accuracy[confidence >= 0.9]").expect("a share");
    assert_eq!((sure.value, sure.n), (1.0, 30));
    let source = ("confidence", "agreement with `second`".to_owned());
    assert!(sure.conventions.contains(&source), "{:?}", sure.conventions);
    assert_eq!(measured(&sheet, "auroc").expect("an area").value, 1.0);
    for name in ["ece", "brier", "log_loss"] {
        assert!(
            measured(&sheet, name).is_err(),
            "{name} wants probabilities"
        );
    }
}

#[test]
fn missing_answers_are_counted_and_not_guessed() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    data.case(1);
    let measured = data.measure("accuracy");
    assert_eq!(
        (
            measured.availability.expected,
            measured.availability.missing
        ),
        (2, 1)
    );
}

#[test]
fn gold_unknown_and_cases_without_gold_do_not_count() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    data.answered(0, 1);
    data.cases[1].gold = vec![Some(Gold::Unknown)];
    data.answered(0, 1);
    data.cases[2].gold = vec![None];
    let value = data.measure("accuracy").value.unwrap();
    assert_eq!((value.value, value.n), (1.0, 1));
}

#[test]
fn repeats_of_one_state_are_not_counted_as_independent() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..100 {
        data.answered(0, usize::from(at % 10 == 0));
    }
    let independent = data.measure("accuracy").value.unwrap();
    assert_eq!(independent.interval, Some(wilson(90, 100, 0.95).unwrap()));
    // Twenty texts, each asked as five cases that all come out alike.
    for (at, case) in data.cases.iter_mut().enumerate() {
        case.unit = (at % 10) as u32 * 2 + u32::from(at >= 50);
    }
    let clustered = data.measure("accuracy").value.unwrap();
    assert_eq!((clustered.n, clustered.units), (100, 20));
    assert!(clustered.interval.unwrap().width() > 1.5 * independent.interval.unwrap().width());
    data.cases.iter_mut().for_each(|case| case.unit %= 4);
    assert!(
        data.measure("accuracy").value.is_err(),
        "four units are no basis for a gate"
    );
}

#[test]
fn class_metrics_agree_with_the_pure_statistics() {
    let mut data = Data::choice(&["a", "b", "c", "never"]);
    let (mut gold, mut said) = (Vec::new(), Vec::new());
    for at in 0..200 {
        gold.push(scrambled(at, 3));
        said.push(if at % 4 == 0 {
            scrambled(at + 31, 4)
        } else {
            gold[at]
        });
        data.answered(gold[at], said[at]);
    }
    let said: Vec<Option<usize>> = said.into_iter().map(Some).collect();
    let matrix = ConfusionMatrix::count(&gold, &said, 4).unwrap();
    let close = |metric: &str, expected: f64| {
        assert!((data.value(metric) - expected).abs() < 1e-12, "{metric}");
    };
    close("macro_f1", matrix.macro_f1(ClassSet::Gold).unwrap());
    close("balanced_accuracy", matrix.balanced_accuracy().unwrap());
    close("mcc", matrix.mcc().unwrap());
    close("precision[never]", matrix.precision(3).unwrap());
    close("recall[b]", matrix.recall(1).unwrap());
    close("f1[c]", matrix.f1(2).unwrap());
    let numbers: Vec<usize> = said.iter().flatten().copied().collect();
    close(
        "kappa",
        cohen_kappa(&gold, &numbers, 4, 0.95).unwrap().kappa,
    );
}

#[test]
fn coverage_is_the_fixed_sequence_rule() {
    let (data, chances, right) = confident(600);
    let forecasts = Forecasts::new(&chances, &right).unwrap();
    let expected = guaranteed_coverage(&forecasts, 0.7, 0.0125, &super::COVERAGE_GRID).unwrap();
    let value = data.measure("coverage[accuracy >= 70%]").value.unwrap();
    assert_eq!(
        value.value,
        expected
            .fixed_sequence
            .map_or(0.0, |point| point.kept as f64 / 600.0)
    );
    assert!(
        value.value > 0.0
            && matches!(
                value.evidence,
                Evidence::Coverage {
                    certified_low: Some(_),
                    ..
                }
            )
    );
}

#[test]
fn the_mean_risk_is_that_of_the_pure_statistics() {
    let (data, chances, right) = confident(300);
    let expected = risk_coverage(&Forecasts::new(&chances, &right).unwrap()).aurc;
    assert!((data.value("aurc") - expected).abs() < 1e-12);
}

#[test]
fn selective_accuracy_keeps_what_is_sure_enough_or_clear_enough() {
    let mut data = Data::choice(&["a", "b", "c"]);
    // Sure and right; sure and wrong; clear but not sure; neither.
    for (gold, shares) in [
        (0, [0.9, 0.1, 0.0]),
        (1, [0.8, 0.2, 0.0]),
        (0, [0.5, 0.25, 0.25]),
        (0, [0.5, 0.5, 0.0]),
    ] {
        data.case(gold);
        data.say_shares(&shares);
    }
    let kept = |metric: &str| {
        let value = data.measure(metric).value.unwrap();
        (value.n, value.value)
    };
    assert_eq!(kept("selective_accuracy[confidence >= 0.8]"), (2, 0.5));
    assert_eq!(
        kept("selective_accuracy[margin >= 0.25]"),
        (3, 2.0 / 3.0),
        "the number itself is good enough"
    );
    assert_eq!(
        data.measure("selective_accuracy[margin >= 0.95]").value,
        Err(Unmeasurable::because(
            "no answer has a margin of at least 0.95"
        ))
    );
}

#[test]
fn labels_alone_have_no_calibration() {
    let mut data = Data::choice(&["a", "b"]);
    data.answered(0, 0);
    for metric in [
        "ece",
        "brier",
        "log_loss",
        "aurc",
        "coverage[accuracy >= 90%]",
        "auroc",
    ] {
        assert_eq!(
            data.measure(metric).value,
            Err(Unmeasurable::because("no probabilities")),
            "{metric}"
        );
    }
}

#[test]
fn a_flip_is_any_difference_among_the_repeats_asked_for() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..20 {
        data.answered(0, 0);
        let (first, second) = (data.repeat(1), data.repeat(2));
        data.say(first, usize::from(at == 3));
        data.say(second, 0);
    }
    let selection = Selection {
        repeats: 3,
        ..Selection::default()
    };
    let measured = data.measure_on("flip_rate", &selection);
    assert_eq!(measured.value.unwrap().value, 0.05);
    let more = data.measure_on(
        "flip_rate",
        &Selection {
            repeats: 5,
            ..Selection::default()
        },
    );
    assert_eq!(
        more.availability.missing, 20,
        "five repeats were required and three are there"
    );
}

#[test]
fn a_drop_is_paired_and_reads_only_cases_with_both_views() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..40 {
        data.answered(0, 0);
        if at < 30 {
            let (minimal, padded) = (
                data.context(Context::Minimal),
                data.context(Context::Padded),
            );
            data.say(minimal, 0);
            data.say(padded, usize::from(at < 6));
        }
    }
    let measured = data.measure("distractor_drop");
    assert_eq!(measured.availability.expected, 30);
    let value = measured.value.unwrap();
    assert!((value.value - 0.2).abs() < 1e-12);
    assert_eq!((value.n, value.method), (30, "Newcombe, paired"));
}

#[test]
fn weights_that_are_all_equal_change_nothing() {
    let mut data = Data::choice(&["a", "b"]);
    for at in 0..50 {
        data.answered(0, usize::from(at % 5 == 0));
        data.cases.last_mut().unwrap().weight = 0.3;
    }
    let plain = data.measure("accuracy").value.unwrap();
    let selection = Selection {
        sample: Sample::Population,
        ..Selection::default()
    };
    let weighted = data.measure_on("accuracy", &selection).value.unwrap();
    assert!((plain.value - weighted.value).abs() < 1e-12);
    assert!((plain.interval.unwrap().low - weighted.interval.unwrap().low).abs() < 1e-9);
}

#[test]
fn scores_of_ordered_levels_use_the_distribution() {
    let mut data = Data::of(QuestionKind::Score, &["0", "1", "2"]);
    data.case(2);
    data.say_shares(&[0.2, 0.3, 0.5]);
    assert!((data.value("mae") - 0.7).abs() < 1e-12);
    assert!((data.value("rps") - f64::midpoint(0.04, 0.25)).abs() < 1e-12);
    assert_eq!(data.value("within_one"), 1.0);
}

#[test]
fn the_order_of_cases_in_the_file_moves_no_number() {
    let (mut data, _, _) = confident(120);
    let before: Vec<_> = ["brier", "ece", "aurc", "macro_f1"]
        .map(|metric| data.measure(metric).value.unwrap())
        .to_vec();
    data.cases.reverse();
    data.answers.reverse();
    for (metric, before) in ["brier", "ece", "aurc", "macro_f1"].into_iter().zip(before) {
        let after = data.measure(metric).value.unwrap();
        assert_eq!(
            (after.value, after.interval),
            (before.value, before.interval),
            "{metric}"
        );
    }
}

#[test]
fn repeats_of_a_call_do_not_narrow_the_limits_of_its_latency() {
    let latency = |repeats: u32| {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..100_u32 {
            data.answered(0, 0);
            for repeat in 1..repeats {
                let probe = data.repeat(repeat);
                data.say(probe, 0);
            }
            for answer in data.answers.iter_mut().rev().take(repeats as usize) {
                answer.measured.latency_ms = Some(100.0 + f64::from(at));
            }
        }
        data.measure("latency.p50").value.unwrap()
    };
    let (once, five) = (latency(1), latency(5));
    assert_eq!(once.interval, five.interval);
    assert_eq!((once.n, five.n, five.units), (100, 500, 100));
}
