//! What changed since the baseline, in lines and as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::number::format_value;
use crate::judge::{Change, Shift};
use crate::metric::Unit;

/// Cases named in a line; the rest is counted.
const NAMED: usize = 10;

/// What changed, a line for each shift with its test; `id` names the case at a position.
pub fn change_text<'i>(change: &Change, id: impl Fn(usize) -> &'i str) -> String {
    let named = |positions: &[usize]| {
        if positions.is_empty() {
            return "none".to_owned();
        }
        let mut text = format!("{}: ", positions.len());
        let ids: Vec<&str> = positions.iter().take(NAMED).map(|at| id(*at)).collect();
        text.push_str(&ids.join(", "));
        if positions.len() > NAMED {
            let _ = write!(text, " and {} more", positions.len() - NAMED);
        }
        text
    };
    let p = |p: f64| format_value(p, Unit::Number);
    let mut out = format!(
        "newly right      {}\nnewly wrong      {}\nflips            {} of {} cases, McNemar p {}\n",
        named(&change.newly_right),
        named(&change.newly_wrong),
        change.newly_right.len() + change.newly_wrong.len(),
        change.cases,
        p(change.flips_p)
    );
    for (name, shift, unit, test) in [
        (
            "chance of right ",
            &change.chance_of_right,
            Unit::Share,
            "sign flips",
        ),
        (
            "cost per 1,000  ",
            &change.cost_per_1000,
            Unit::Dollars,
            "sign flips",
        ),
        (
            "median latency  ",
            &change.latency,
            Unit::Milliseconds,
            "sign test",
        ),
    ] {
        if let Some(shift) = shift {
            let _ = writeln!(
                out,
                "{name} {} → {}, {test} p {}",
                format_value(shift.before, unit),
                format_value(shift.after, unit),
                p(shift.p)
            );
        }
    }
    out
}

/// The shifts in `scorecard.json`; the flipped cases are named beside them.
pub(super) fn to_json(change: &Change) -> Json {
    let shift = |shift: &Option<Shift>| {
        shift.map(|shift| json!({ "before": shift.before, "after": shift.after, "p": shift.p }))
    };
    json!({
        "cases": change.cases,
        "flips_p": change.flips_p,
        "chance_of_right": shift(&change.chance_of_right),
        "cost_per_1000": shift(&change.cost_per_1000),
        "latency": shift(&change.latency),
    })
}
