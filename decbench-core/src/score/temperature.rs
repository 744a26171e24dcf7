//! A refitted temperature: suggested by the cases one may tune on, judged on the others.

use super::calibration::{Forecasts, binned};
use super::proper;
use super::resampled::Items;
use super::scope::Scope;
use super::sheet::Row;
use super::value::{Unmeasurable, Value};
use crate::decision::{Gold, Split};
use crate::stats::calibration::BinnedError;
use crate::stats::temperature::{Temperature, apply_temperature, fit_temperature};

/// The temperature that minimises the log loss of these rows, and on which of them it rests.
fn fit<'s, 'a>(
    rows: impl Iterator<Item = &'s Row<'a>>,
    floor: f64,
) -> Result<(Temperature, Vec<&'s Row<'a>>), Unmeasurable>
where
    'a: 's,
{
    let mut used = Vec::new();
    let mut probabilities: Vec<&[f64]> = Vec::new();
    let mut gold = Vec::new();
    for row in rows {
        let Some(shares) = row.base().and_then(|base| base.probabilities.as_deref()) else {
            continue;
        };
        if let Some(label) = row.gold.and_then(Gold::single) {
            used.push(row);
            probabilities.push(shares);
            gold.push(label);
        }
    }
    if used.is_empty() {
        return Err(Unmeasurable::because("no probabilities"));
    }
    Ok((fit_temperature(&probabilities, &gold, floor)?, used))
}

pub(super) fn temperature(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let floor = scope.sheet.conventions.log_loss_floor;
    let (found, rows) = fit(scope.rows.iter().copied(), floor)?;
    let mut value =
        Items::of(&rows, scope.selection.sample).described(found.temperature, scope.level);
    value.conventions.push(("floor", format!("{floor:e}")));
    value.parts.push(("log_loss_before", found.loss_before));
    value.parts.push(("log_loss_after", found.loss_after));
    value.notes.push(format!(
        "log loss {:.4} becomes {:.4} on the cases it was fitted on",
        found.loss_before, found.loss_after
    ));
    if found.at_bound {
        value
            .notes
            .push("no temperature between 0.05 and 20 minimises the log loss".to_owned());
    }
    Ok(value)
}

/// The temperature that the `dev` cases of the same selection suggest for the lock box.
fn of_dev(scope: &Scope<'_, '_>) -> Result<Temperature, Unmeasurable> {
    if !scope.selection.lockbox {
        return Err(Unmeasurable::because(
            "a temperature is fitted on `dev` and judged on the lock box: write `split: lockbox`",
        ));
    }
    let filter = &scope.selection.filter;
    let dev = scope.sheet.rows.iter().filter(|row| {
        let is = |(field, value): &(_, String)| row.field(field).is_some_and(|have| have == *value);
        row.case.split == Split::Dev && filter.iter().all(is)
    });
    let (found, _) = fit(dev, scope.sheet.conventions.log_loss_floor)
        .map_err(|why| Unmeasurable::because(format!("nothing to fit on `dev`: {why}")))?;
    Ok(found)
}

fn named(mut value: Value, found: &Temperature, before: Result<Value, Unmeasurable>) -> Value {
    value
        .conventions
        .push(("temperature", format!("{:.4}", found.temperature)));
    value.parts.push(("temperature", found.temperature));
    if let Ok(before) = before {
        value.parts.push(("before", before.value));
        value.notes.push(format!(
            "{:.4} as given, without the temperature",
            before.value
        ));
    }
    value
}

pub(super) fn ece_scaled(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let found = of_dev(scope)?;
    let of = scope.sheet.conventions.ece.of;
    let scaled = Forecasts::rescaled(scope, of, |shares| {
        apply_temperature(shares, found.temperature).ok()
    })?;
    let before = binned(scope, &Forecasts::of(scope, of)?, BinnedError::Expected);
    Ok(named(
        binned(scope, &scaled, BinnedError::Expected)?,
        &found,
        before,
    ))
}

pub(super) fn log_loss_scaled(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    let found = of_dev(scope)?;
    let scaled = proper::log_loss_of(scope, |shares| {
        apply_temperature(shares, found.temperature).ok()
    })?;
    Ok(named(scaled, &found, proper::log_loss(scope)))
}

#[cfg(test)]
mod tests {
    use crate::decision::Split;
    use crate::metric::Selection;
    use crate::score::testing::Data;

    /// Right in three of four at a stated 90%, on both sides of the split.
    fn too_sure() -> Data {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..80 {
            data.case(usize::from(at % 4 == 3));
            data.say_shares(&[0.9, 0.1]);
            if at >= 40 {
                data.cases[at].split = Split::Lockbox;
            }
        }
        data
    }

    #[test]
    fn it_is_fitted_on_dev_and_judged_on_the_lock_box() {
        let data = too_sure();
        let lockbox = Selection {
            lockbox: true,
            ..Selection::default()
        };
        let scaled = data.measure_on("ece_scaled", &lockbox).value.expect("both");
        // A temperature of 2 makes 90% to 75%.
        assert!(scaled.value < 1e-9, "{}", scaled.value);
        assert_eq!(scaled.n, 40);
        let temperature = scaled.parts.iter().find(|(name, _)| *name == "temperature");
        assert!(temperature.is_some_and(|(_, found)| (found - 2.0).abs() < 1e-9));
        let before = scaled.parts.iter().find(|(name, _)| *name == "before");
        assert!(before.is_some_and(|(_, before)| (before - 0.15).abs() < 1e-9));
        let loss = |metric| data.measure_on(metric, &lockbox).value.expect("both").value;
        assert!(loss("log_loss_scaled") < loss("log_loss"));
        assert!((data.value("temperature") - 2.0).abs() < 1e-9);
    }

    #[test]
    fn on_dev_it_would_judge_its_own_fit() {
        let why = too_sure().measure("ece_scaled").value.expect_err("dev");
        assert!(why.reason.contains("split: lockbox"), "{why}");
    }
}
