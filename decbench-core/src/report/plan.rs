//! What a run would ask and what its assertions could tell, before anybody is asked.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::number::format_value;
use crate::judge::{POWER, Prospect};
use crate::metric::{Metric, Requirement, Unit};

/// A suite before it is run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Plan {
    /// The suite's name.
    pub suite: String,
    /// How many cases may be looked at.
    pub cases: usize,
    /// How many independent units of evidence they form.
    pub units: usize,
    /// Of how many of them every question has gold.
    pub with_gold: usize,
    /// What is asked of whom.
    pub calls: Vec<PlannedCalls>,
    /// What each assertion can tell, those of several candidates together.
    pub lines: Vec<PlanLine>,
    /// The chance of any wrong red, by candidate that is no baseline.
    pub wrong_red: Vec<AnyWrongRed>,
    /// What margins take.
    pub margins: Vec<PlannedMargin>,
}

impl Plan {
    /// A plan of nothing yet.
    pub(crate) fn new(suite: &str) -> Self {
        Self {
            suite: suite.to_owned(),
            cases: 0,
            units: 0,
            with_gold: 0,
            calls: Vec::new(),
            lines: Vec::new(),
            wrong_red: Vec::new(),
            margins: Vec::new(),
        }
    }
}

/// The chance that at least one assertion of a candidate is red although all of them hold as the plan says.
#[derive(Debug, Clone, PartialEq)]
pub struct AnyWrongRed {
    /// The candidate.
    pub candidate: String,
    /// How many requirements on shares it is the sum over; nothing is known of others before there are answers.
    pub requirements: usize,
    /// At most this, in [0, 1]: the sum of the single chances (Bonferroni), which holds however the requirements hang
    /// together.
    pub at_most: f64,
}

/// The calls of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCalls {
    /// The candidate.
    pub candidate: String,
    /// Base calls: one a case.
    pub base: usize,
    /// Repeats of these.
    pub repeats: usize,
    /// Calls with options in other orders.
    pub orders: usize,
    /// Calls with other views.
    pub views: usize,
    /// Calls of the load trial, which are made in live mode only, and are no part of the total.
    pub load: usize,
}

impl PlannedCalls {
    /// All that answers are recorded of.
    pub fn total(&self) -> usize {
        self.base + self.repeats + self.orders + self.views
    }
}

/// A margin within which a share must not fall, and the fewest units of evidence that can show it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedMargin {
    /// The claim, as in `not_worse[accuracy]`.
    pub claim: String,
    /// The candidates it is claimed of.
    pub candidates: Vec<String>,
    /// The margin, in (0, 1).
    pub margin: f64,
    /// Independent units of evidence that there are.
    pub units: usize,
    /// How many it takes even if no answer differs.
    pub needed: u64,
}

impl PlannedMargin {
    fn title(&self) -> String {
        format!(
            "{} within {} ({})",
            self.claim,
            format_value(self.margin, Unit::Share),
            self.candidates.join(", ")
        )
    }

    fn unsettled(&self) -> Option<String> {
        ((self.units as u64) < self.needed).then(|| {
            format!(
                "inconclusive by construction: {} independent units cannot show it even if no answer differs; it takes {}",
                self.units, self.needed
            )
        })
    }
}

/// One requirement and what it can tell.
#[derive(Debug, Clone)]
pub struct PlanLine {
    /// The candidates it is asserted of.
    pub candidates: Vec<String>,
    /// The question's name; empty for a suite's single unnamed one.
    pub question: String,
    /// The metric.
    pub metric: Metric,
    /// What is required.
    pub requirement: Requirement,
    /// What it can tell.
    pub prospect: Prospect,
}

impl PlanLine {
    fn title(&self) -> String {
        let question = match self.question.as_str() {
            "" => String::new(),
            name => format!("{name}."),
        };
        format!(
            "{question}{} {} ({})",
            self.metric,
            self.requirement.bound,
            self.candidates.join(", ")
        )
    }

    /// Why it cannot be settled, where it cannot.
    fn unsettled(&self) -> Option<String> {
        let prospect = &self.prospect;
        if prospect.can_pass {
            return None;
        }
        let n = prospect.counted.n;
        Some(match prospect.cases_needed {
            Some(needed) => format!(
                "inconclusive by construction: {n} cases cannot prove it whatever is answered; it takes {needed}"
            ),
            None if n == 0 => "could not run: no cases to measure".to_owned(),
            None => format!(
                "inconclusive by construction: {n} cases cannot prove it whatever is answered, and no number does"
            ),
        })
    }
}

/// The plan as text.
pub fn plan_text(plan: &Plan) -> String {
    let mut out = format!(
        "{}: {} cases, {} with gold, {} independent units\n",
        plan.suite, plan.cases, plan.with_gold, plan.units
    );
    out.push_str("calls\n");
    for calls in &plan.calls {
        let parts: Vec<String> = [
            (calls.base, "base"),
            (calls.repeats, "repeats"),
            (calls.orders, "other orders"),
            (calls.views, "other views"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
        let _ = write!(
            out,
            "  {} {} ({})",
            calls.candidate,
            calls.total(),
            parts.join(", ")
        );
        if calls.load > 0 {
            let _ = write!(out, ", and {} of the load in live mode", calls.load);
        }
        out.push('\n');
    }
    for line in &plan.lines {
        write_line(&mut out, line);
    }
    for margin in &plan.margins {
        let told = margin.unsettled().unwrap_or_else(|| {
            format!(
                "{} independent units; it takes {} where no answer differs, and more where some do",
                margin.units, margin.needed
            )
        });
        let _ = writeln!(out, "{}\n  {told}", margin.title());
    }
    for any in &plan.wrong_red {
        let _ = writeln!(
            out,
            "of `{}` anything is wrongly red at most {} of the time: the sum over {} on shares, which holds however they hang together",
            any.candidate,
            format_value(any.at_most, Unit::Share),
            match any.requirements {
                1 => "1 requirement".to_owned(),
                several => format!("{several} requirements"),
            }
        );
    }
    out
}

fn write_line(out: &mut String, line: &PlanLine) {
    let unit = line.metric.info().unit;
    let prospect = &line.prospect;
    let value = |value: f64| format_value(value, unit);
    let chance = |chance: f64| format_value(chance, Unit::Share);
    let counted = &prospect.counted;
    let _ = writeln!(out, "{}", line.title());
    let units = if counted.units < counted.n {
        format!(" in {} units", counted.units)
    } else {
        String::new()
    };
    let _ = writeln!(out, "  n {}{units}", counted.n);
    if let Some(unsettled) = line.unsettled() {
        let _ = writeln!(out, "  {unsettled}");
    }
    let power = chance(POWER);
    match (prospect.passes_at, prospect.fails_at) {
        (Some(passes), Some(fails)) => {
            let _ = writeln!(
                out,
                "  passes {power} of the time at a true value of {}, fails {power} at {}",
                value(passes),
                value(fails)
            );
        }
        (Some(passes), None) => {
            let _ = writeln!(
                out,
                "  passes {power} of the time at a true value of {}, and can hardly fail",
                value(passes)
            );
        }
        (None, Some(fails)) => {
            let _ = writeln!(
                out,
                "  fails {power} of the time at a true value of {}, and can hardly pass",
                value(fails)
            );
        }
        (None, None) => {}
    }
    if let (Some((good, red)), Some((bad, green))) = (prospect.wrong_red, prospect.wrong_green) {
        let _ = writeln!(
            out,
            "  wrongly red {} of the time at {}, wrongly green {} at {}",
            chance(red),
            value(good),
            chance(green),
            value(bad)
        );
    }
    if let (Some(green), Some((good, _))) = (prospect.right_green, prospect.wrong_red) {
        let more = match prospect.cases_needed {
            Some(needed) if prospect.can_pass => format!("; {power} takes about {needed} cases"),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "  rightly green {} of the time at {}{more}",
            chance(green),
            value(good)
        );
    }
    for note in &prospect.notes {
        let _ = writeln!(out, "  {note}");
    }
}

/// The plan as JSON, its numbers unrounded.
pub fn plan_json(plan: &Plan) -> Json {
    let at = |known: Option<(f64, f64)>| {
        known.map(|(value, chance)| json!({ "at": value, "chance": chance }))
    };
    json!({
        "cases": plan.cases, "units": plan.units, "with_gold": plan.with_gold,
        "calls": plan.calls.iter().map(|calls| json!({
            "candidate": calls.candidate, "base": calls.base, "repeats": calls.repeats, "orders": calls.orders,
            "views": calls.views, "total": calls.total(), "load": calls.load,
        })).collect::<Vec<_>>(),
        "assertions": plan.lines.iter().map(|line| {
            let prospect = &line.prospect;
            json!({
                "candidates": line.candidates, "question": line.question, "metric": line.metric.to_string(),
                "bound": line.requirement.bound.to_string(),
                "n": prospect.counted.n, "units": prospect.counted.units, "can_pass": prospect.can_pass,
                "cases_needed": prospect.cases_needed, "passes_at": prospect.passes_at, "fails_at": prospect.fails_at,
                "power": POWER, "wrong_red": at(prospect.wrong_red), "wrong_green": at(prospect.wrong_green),
                "right_green": prospect.right_green, "notes": prospect.notes,
            })
        }).collect::<Vec<_>>(),
        "margins": plan.margins.iter().map(|margin| json!({
            "claim": margin.claim, "candidates": margin.candidates, "margin": margin.margin, "units": margin.units,
            "needed": margin.needed,
        })).collect::<Vec<_>>(),
        "any_wrong_red": plan.wrong_red.iter().map(|bound| json!({
            "candidate": bound.candidate, "requirements": bound.requirements, "at_most": bound.at_most,
        })).collect::<Vec<_>>(),
    })
}

/// The assertions and margins that these cases cannot settle, where there are any.
pub fn unsettled_text(plan: &Plan) -> Option<String> {
    let lines: Vec<String> = plan
        .lines
        .iter()
        .filter_map(|line| Some(format!("{}: {}", line.title(), line.unsettled()?)))
        .chain(
            plan.margins
                .iter()
                .filter_map(|margin| Some(format!("{}: {}", margin.title(), margin.unsettled()?))),
        )
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
