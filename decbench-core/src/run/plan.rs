//! The plan of a run: whom it would ask how often, and what its assertions could tell.

use std::collections::BTreeSet;

use super::suite_run::SuiteRun;
use crate::decision::{Case, Context, Gold};
use crate::judge::prospect;
use crate::metric::{Unit, cases_for_margin};
use crate::report::{AnyWrongRed, Plan, PlanLine, PlannedCalls, PlannedMargin};
use crate::score::{Sheet, counted};
use crate::suite::{Assertion, Lockbox, Suite, plan};

impl SuiteRun<'_> {
    /// What a run of the whole suite would ask, and what every assertion can tell with these cases. Nobody is asked and no
    /// answer is read.
    pub fn plan(&self) -> Plan {
        let lockbox = if self.settings().lockbox {
            Lockbox::Open
        } else {
            Lockbox::Closed
        };
        let mut found = planned(self.suite(), lockbox);
        if let Some(rule) = &self.suite().load {
            for at in self.offered() {
                found.calls[at].load = rule.rates.len() * rule.calls as usize;
            }
        }
        found
    }
}

fn planned(suite: &Suite, lockbox: Lockbox) -> Plan {
    let admitted: Vec<&Case> = suite
        .cases
        .iter()
        .filter(|case| lockbox.admits(case.split))
        .collect();
    let mut found = Plan::new(&suite.name);
    found.cases = admitted.len();
    found.units = admitted
        .iter()
        .map(|case| case.unit)
        .collect::<BTreeSet<_>>()
        .len();
    found.with_gold = admitted.iter().filter(|case| has_gold(case, suite)).count();
    for position in 0..suite.candidates.len() {
        found.calls.push(calls(suite, position, lockbox));
    }
    for assertion in &suite.assertions {
        add(&mut found.lines, suite, assertion);
    }
    found.margins = margins(suite, found.units);
    found.wrong_red = suite
        .candidates
        .iter()
        .filter_map(|candidate| any_wrong_red(&candidate.name, &found.lines))
        .collect();
    found
}

/// The sum of the chances: assertions about the same answers are anything but independent.
fn any_wrong_red(candidate: &str, lines: &[PlanLine]) -> Option<AnyWrongRed> {
    let of_candidate = |line: &&PlanLine| line.candidates.iter().any(|name| name == candidate);
    let chances: Vec<f64> = lines
        .iter()
        .filter(of_candidate)
        .filter_map(|line| line.prospect.wrong_red)
        .map(|(_, chance)| chance)
        .collect();
    (!chances.is_empty()).then(|| AnyWrongRed {
        candidate: candidate.to_owned(),
        requirements: chances.len(),
        at_most: chances.iter().sum::<f64>().min(1.0),
    })
}

/// The margins on shares, of comparisons and of a verdict that may name somebody for being cheaper.
fn margins(suite: &Suite, units: usize) -> Vec<PlannedMargin> {
    let planned = |claim: String, candidates: Vec<usize>, margin: f64| PlannedMargin {
        claim,
        candidates: candidates
            .into_iter()
            .map(|at| suite.candidates[at].name.clone())
            .collect(),
        margin,
        units,
        needed: cases_for_margin(margin),
    };
    let of_shares = suite.comparisons.iter().filter(|comparison| {
        comparison.metric.info().unit == Unit::Share && comparison.metric.id.is_mean_over_cases()
    });
    let mut found: Vec<PlannedMargin> = of_shares
        .filter_map(|comparison| {
            let claim = suite.claim_name(comparison);
            Some(planned(
                claim,
                comparison.candidates.clone(),
                comparison.margin?,
            ))
        })
        .collect();
    let rule = suite.verdict.as_ref().map(|verdict| &verdict.rule);
    if let Some(margin) = rule.and_then(|rule| rule.margin) {
        let others = suite.candidates.iter().enumerate();
        let others = others.filter(|(_, candidate)| !candidate.today && !candidate.baseline);
        let others = others.map(|(at, _)| at).collect();
        found.push(planned(
            "verdict: switch_cheaper".to_owned(),
            others,
            margin,
        ));
    }
    found
}

fn has_gold(case: &Case, suite: &Suite) -> bool {
    if suite.open.is_some() {
        return case.is_approved_open();
    }
    let questions = case.questions(&suite.questions).len();
    (0..questions).all(|at| case.gold.get(at).is_some_and(Option::is_some))
        && case
            .gold
            .iter()
            .flatten()
            .all(|gold| *gold != Gold::Unknown)
}

fn calls(suite: &Suite, position: usize, lockbox: Lockbox) -> PlannedCalls {
    let mut found = PlannedCalls {
        candidate: suite.candidates[position].name.clone(),
        base: 0,
        repeats: 0,
        orders: 0,
        views: 0,
        load: 0,
    };
    for call in &plan(suite, position, &suite.assertions, lockbox).calls {
        let kind = if call.context != Context::Production {
            &mut found.views
        } else if call.order > 0 {
            &mut found.orders
        } else if call.repeat > 0 {
            &mut found.repeats
        } else {
            &mut found.base
        };
        *kind += 1;
    }
    found
}

/// Adds what an assertion can tell; the same assertion of another candidate is told once.
fn add(lines: &mut Vec<PlanLine>, suite: &Suite, assertion: &Assertion) {
    let candidate = &suite.candidates[assertion.candidate];
    let question = &suite.questions[assertion.question];
    for requirement in &assertion.requirements {
        let same = lines.iter_mut().find(|line| {
            line.question == question.name
                && line.metric == assertion.metric
                && line.requirement == *requirement
        });
        if let Some(same) = same {
            same.candidates.push(candidate.name.clone());
            continue;
        }
        let sheet = Sheet::new(
            assertion.question,
            &suite.questions,
            &suite.conventions[assertion.question],
            &suite.cases,
            [],
            false,
        );
        let counted = counted(&sheet, &assertion.metric, &requirement.selection);
        lines.push(PlanLine {
            candidates: vec![candidate.name.clone()],
            question: question.name.clone(),
            metric: assertion.metric.clone(),
            requirement: requirement.clone(),
            prospect: prospect(&assertion.metric, requirement, counted),
        });
    }
}
