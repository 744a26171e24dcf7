//! What has to be asked: the plan that follows from the assertions.

use std::collections::BTreeSet;

use super::model::{Assertion, Suite};
use crate::decision::{Call, Case, Context, Plan, Split};
use crate::metric::{Field, MetricArgument, MetricId, Needs, Requirement, Selection};

/// Which part of the cases may be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lockbox {
    /// Lock-box cases are neither asked nor read.
    #[default]
    Closed,
    /// All cases are.
    Open,
}

impl Lockbox {
    /// Whether a case of this split may be looked at.
    pub fn admits(self, split: Split) -> bool {
        self == Self::Open || split == Split::Dev
    }
}

/// Everything to be asked of one candidate for these assertions, of which those of other candidates are passed over.
///
/// The base probe of every admitted case is always in it. Beyond that nothing is asked that no assertion needs:
/// repeats for `flip_rate` and its like, orders for `order_flip_rate` and its like, views for `distractor_drop`,
/// `trim_gain` and `accuracy[context=…]`; and each of these for the cases that the assertion selects alone. All
/// questions of a case are put together; a call in a further order leaves out questions that have no such order. A
/// case without a state in a view is not asked in it.
///
/// ```no_run
/// # use std::path::Path;
/// use decbench_core::suite::{Lockbox, load, plan};
/// let suite = load(Path::new("tests/suites/call-routing.yaml")).unwrap().suite;
/// let everything = plan(&suite, 0, &suite.assertions, Lockbox::Closed);
/// let one_trial = plan(&suite, 0, &suite.assertions[..1], Lockbox::Closed);
/// assert!(one_trial.calls.len() <= everything.calls.len());
/// ```
pub fn plan<'a>(
    suite: &Suite,
    candidate: usize,
    assertions: impl IntoIterator<Item = &'a Assertion>,
    lockbox: Lockbox,
) -> Plan {
    let mut probes: BTreeSet<(usize, Shape)> = BTreeSet::new();
    let admitted: Vec<usize> = (0..suite.cases.len())
        .filter(|position| lockbox.admits(suite.cases[*position].split))
        .collect();
    probes.extend(admitted.iter().map(|case| (*case, Shape::BASE)));
    for assertion in assertions {
        if assertion.candidate != candidate {
            continue;
        }
        for requirement in &assertion.requirements {
            let shapes = shapes(assertion, requirement);
            if shapes.is_empty() {
                continue;
            }
            for position in &admitted {
                let case = &suite.cases[*position];
                if !selects(&requirement.selection, suite, case) {
                    continue;
                }
                let paired = shapes.iter().all(|shape| {
                    shape.context == Context::Production || case.state_in(shape.context).is_some()
                });
                if paired {
                    probes.extend(shapes.iter().map(|shape| (*position, *shape)));
                }
            }
        }
    }
    Plan {
        calls: probes
            .into_iter()
            .filter_map(|(case, shape)| shape.call(suite, case))
            .collect(),
    }
}

/// A probe before it is known how many orders the questions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    repeat: u32,
    order: u32,
    context: Context,
}

impl Shape {
    const BASE: Self = Self {
        repeat: 0,
        order: 0,
        context: Context::Production,
    };

    fn call(self, suite: &Suite, case: usize) -> Option<Call> {
        let questions: Vec<usize> = suite.cases[case]
            .questions(&suite.questions)
            .iter()
            .enumerate()
            .filter(|(_, question)| self.order < question.orders())
            .map(|(position, _)| position)
            .collect();
        (!questions.is_empty()).then_some(Call {
            case,
            repeat: self.repeat,
            order: self.order,
            context: self.context,
            questions,
        })
    }
}

/// What one requirement needs beside the base probe.
fn shapes(assertion: &Assertion, requirement: &Requirement) -> Vec<Shape> {
    let order = |order| Shape {
        order,
        ..Shape::BASE
    };
    let view = |context| Shape {
        context,
        ..Shape::BASE
    };
    match &assertion.metric.argument {
        MetricArgument::ReversedOrder => return vec![order(1)],
        MetricArgument::Context(name) => {
            return Context::from_name(name).map(view).into_iter().collect();
        }
        _ => {}
    }
    match assertion.metric.info().needs {
        Needs::Labels
        | Needs::Probabilities
        | Needs::Pairs
        | Needs::Calls
        | Needs::Latency
        | Needs::Cost => Vec::new(),
        Needs::Repeats => (1..requirement.selection.repeats)
            .map(|repeat| Shape {
                repeat,
                ..Shape::BASE
            })
            .collect(),
        // It compares the declared order with the reversed one, and reads no other.
        Needs::Orders if assertion.metric.id == MetricId::OrderBothRight => vec![order(1)],
        Needs::Orders => (1..requirement.selection.orders).map(order).collect(),
        Needs::MinimalAndPadded => vec![view(Context::Minimal), view(Context::Padded)],
        Needs::MinimalAndProduction => vec![view(Context::Minimal)],
    }
}

/// Whether a selection reads this case.
fn selects(selection: &Selection, suite: &Suite, case: &Case) -> bool {
    (case.split == Split::Lockbox) == selection.lockbox
        && selection
            .filter
            .iter()
            .all(|(field, value)| suite.has_value(case, field, value))
}

impl Suite {
    /// Whether a case's field has this value; for `type`, whether one of its questions is of this type.
    pub fn has_value(&self, case: &Case, field: &Field, value: &str) -> bool {
        let is = |text: &Option<String>| text.as_deref() == Some(value);
        match field {
            Field::Tier => is(&case.tier),
            Field::Family => is(&case.family),
            Field::Language => is(&case.language),
            Field::Origin => case.origin.is_some_and(|origin| origin.name() == value),
            Field::Stratum(name) => case.strata.get(name).is_some_and(|text| text == value),
            Field::Type => case
                .questions(&self.questions)
                .iter()
                .any(|question| question.kind.name() == value),
        }
    }
}
