//! Calibration error in its forms, and tests of calibration.

use decbench_core::stats::Undefined;
use decbench_core::stats::calibration::{
    Binning, Forecasts, classwise, ece_null, equal_mass, equal_width, hosmer_lemeshow, smooth_ece,
    smooth_ece_at, spiegelhalter,
};

use crate::case::Case;
use crate::compare::{Answer, Got};
use crate::reader::{Stat, Topic};

pub(crate) const TOPICS: &[Topic] = &[
    Topic {
        name: "calibration_bins",
        stats: &[
            Stat::new("ece_equal_width", bins),
            Stat::new("reliability_table", table),
            Stat::new("ece_classwise", |case| {
                let (rows, gold) = (case.number_rows("probs"), case.indices("gold"));
                let found = classwise(&rows, &gold, &binning(case)).unwrap();
                Answer::new()
                    .with("classwise_ece", found.ece)
                    .with("per_class", found.options)
            }),
            Stat::new("ece_null", |case| {
                let null = ece_null(&case.numbers("confidence"), &binning(case)).unwrap();
                Answer::new()
                    .with("mean", null.mean())
                    .with("sd", null.sd())
            }),
        ],
    },
    Topic {
        name: "calibration_adaptive",
        stats: &[Stat::new("ece_equal_mass", |case| {
            let (chances, happened) = (case.numbers("confidence"), case.flags("correct"));
            let forecasts = Forecasts::new(&chances, &happened).unwrap();
            let found = equal_mass(&forecasts, bin_count(case)).unwrap();
            Answer::new()
                .with("ece", found.ece)
                .with("l2", found.l2)
                .with("l2_debiased", found.l2_debiased())
                .with("l2_squared_debiased", found.l2_squared_debiased)
                .with("upper_edges", found.upper_edges)
        })],
    },
    Topic {
        name: "smooth_ece",
        stats: &[
            Stat {
                name: "smooth_ece",
                compute: |case| {
                    let (chances, happened) = (case.numbers("confidence"), case.flags("correct"));
                    let forecasts = Forecasts::new(&chances, &happened).unwrap();
                    Answer::new().with("smooth_ece", smooth_ece(&forecasts))
                },
                left_out: &[(
                    "relplot",
                    "that package stops its search at a grid of 1/1024; the fixed point is compared",
                )],
            },
            Stat::new("smooth_ece_fixed_sigma", |case| {
                let (chances, happened) = (case.numbers("confidence"), case.flags("correct"));
                let forecasts = Forecasts::new(&chances, &happened).unwrap();
                Answer::new().with("value", smooth_ece_at(&forecasts, case.number("sigma")))
            }),
        ],
    },
    Topic {
        name: "calibration_tests",
        stats: &[Stat::new("calibration_tests", fit)],
    },
];

fn bin_count(case: &Case) -> usize {
    usize::try_from(case.count("bins")).unwrap()
}

fn binning(case: &Case) -> Binning {
    Binning::new(bin_count(case)).unwrap()
}

fn bins(case: &Case) -> Answer {
    let (chances, happened) = (case.numbers("confidence"), case.flags("correct"));
    let found = Forecasts::new(&chances, &happened)
        .map(|forecasts| equal_width(&forecasts, &binning(case)));
    let part = |read: fn(&decbench_core::stats::calibration::Calibration) -> Got| {
        found.as_ref().map_or(Got::Nothing, read)
    };
    Answer::new()
        .with("ece", part(|found| found.ece.into()))
        .with("mce", part(|found| found.mce.into()))
        .with("overconfidence", part(|found| found.overconfidence.into()))
        .with(
            "bins",
            part(|found| {
                let row = |bin: &decbench_core::stats::calibration::Bin| {
                    Got::List(vec![
                        bin.count.into(),
                        bin.confidence.into(),
                        bin.accuracy().into(),
                    ])
                };
                Got::List(found.bins.iter().map(row).collect())
            }),
        )
}

fn table(case: &Case) -> Answer {
    let (chances, happened) = (case.numbers("confidence"), case.flags("correct"));
    let forecasts = Forecasts::new(&chances, &happened).unwrap();
    let found = equal_width(&forecasts, &binning(case));
    let rows = found
        .bins
        .iter()
        .map(|bin| match bin.wilson(case.number("level")) {
            Ok(wilson) => Got::List(vec![
                bin.count.into(),
                bin.confidence.into(),
                bin.accuracy().into(),
                wilson.low.into(),
                wilson.high.into(),
            ]),
            Err(_) => Got::Nothing,
        });
    Answer::new().with("rows", Got::List(rows.collect()))
}

fn fit(case: &Case) -> Answer {
    let (chances, happened) = (case.numbers("prob"), case.flags("event"));
    let forecasts = Forecasts::new(&chances, &happened).unwrap();
    let z = spiegelhalter(&forecasts);
    let groups = usize::try_from(case.count("groups")).unwrap();
    let grouped = hosmer_lemeshow(&forecasts, groups);
    Answer::new()
        .with("spiegelhalter_z", z.map(|test| test.statistic))
        .with("spiegelhalter_p_two_sided", z.map(|test| test.p))
        .with("hosmer_lemeshow", grouped.map(|test| test.statistic))
        .with(
            "hosmer_lemeshow_df",
            grouped.and_then(|test| test.degrees.ok_or(Undefined::NoItems)),
        )
        .with("hosmer_lemeshow_p", grouped.map(|test| test.p))
}
