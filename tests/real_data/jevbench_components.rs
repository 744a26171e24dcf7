//! The published ingredients of one leaderboard entry, put together again.

use std::fs;
use std::path::Path;

use decbench_core::stats::jevbench::{
    calibration_of, cost, harmonic, over_splits, over_tiers, over_types, score_calibration, speed,
};
use serde_json::Value;

const TYPES: [&str; 3] = ["choice", "noul", "score"];

fn number(value: &Value) -> Result<f64, String> {
    value
        .as_f64()
        .ok_or_else(|| format!("{value} is no number"))
}

fn near(what: &str, found: f64, published: &Value) -> Result<(), String> {
    let published = number(published)?;
    if (found - published).abs() <= 1e-9 {
        Ok(())
    } else {
        Err(format!("{what}: {found}, published {published}"))
    }
}

pub(crate) fn every_published_value(data: &Path) -> Result<(), String> {
    let text =
        fs::read_to_string(data.join("components.json")).map_err(|error| error.to_string())?;
    let entry: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let undefined = |undefined: decbench_core::stats::Undefined| undefined.to_string();
    let mut splits = [0.0; 2];
    for (split, value) in ["open", "sealed"].into_iter().zip(&mut splits) {
        let mut types = [None; 3];
        for (name, slot) in TYPES.into_iter().zip(&mut types) {
            let published = &entry[split][name];
            let mut tiers = [None; 4];
            for (at, tier) in tiers.iter_mut().enumerate() {
                *tier = Some(number(&published["cc_by_tier"][at])?);
            }
            let found = over_tiers(tiers).map_err(undefined)?;
            near(&format!("{split} {name}"), found, &published["cc"])?;
            *slot = Some(found);
        }
        *value = over_types(types).map_err(undefined)?;
        near(split, *value, &entry["intelligence"][split])?;
    }
    let published = &entry["intelligence"];
    let gap = number(&published["median_gap"])?;
    let (intelligence, penalty) = over_splits(splits[0], splits[1], gap).map_err(undefined)?;
    near("penalty", penalty, &published["penalty"])?;
    near("intelligence", intelligence, &published["value"])?;

    let published = &entry["calibration"];
    let choice = calibration_of(number(&published["choice"]["ece_hard"])?).map_err(undefined)?;
    near("choice calibration", choice, &published["choice"]["score"])?;
    let yes_no = calibration_of(number(&published["noul"]["ece_p_yes"])?).map_err(undefined)?;
    near("yes/no calibration", yes_no, &published["noul"]["score"])?;
    let score = &published["score"];
    let scored = score_calibration(
        number(&score["top_ece"])?,
        number(&score["normalised_rps"])?,
    )
    .map_err(undefined)?;
    near("score calibration", scored, &score["score"])?;
    let types = [Some(choice), Some(yes_no), Some(scored)];
    let calibration = over_types(types).map_err(undefined)?;
    near("calibration", calibration, &published["value"])?;
    near(
        "capability",
        f64::midpoint(intelligence, calibration),
        &entry["capability"]["value"],
    )?;

    let times = &entry["speed"];
    let speed = speed(number(&times["p50_s"])?, number(&times["p95_s"])?).map_err(undefined)?;
    near("speed", speed, &times["value"])?;
    let cost = cost(number(&entry["cost"]["usd_per_1000"])?).map_err(undefined)?;
    near("cost", cost, &entry["cost"]["value"])?;
    let all = |weights: [f64; 4]| {
        let values = [intelligence, calibration, speed, cost];
        let parts: Vec<(f64, f64)> = values.into_iter().zip(weights).collect();
        harmonic(&parts).map_err(undefined)
    };
    near("A", all([0.25; 4])?, &entry["composite_A"])?;
    near("B", all([0.4, 0.2, 0.2, 0.2])?, &entry["composite_B"])?;
    for (view, weights) in [
        ("balanced", [1.0; 3]),
        ("accuracy", [0.6, 0.2, 0.2]),
        ("speed", [0.2, 0.6, 0.2]),
        ("cost", [0.2, 0.2, 0.6]),
    ] {
        let values = [intelligence, speed, cost];
        let parts: Vec<(f64, f64)> = values.into_iter().zip(weights).collect();
        let found = harmonic(&parts).map_err(undefined)?;
        near(view, found, &entry["views"][view])?;
    }
    Ok(())
}
