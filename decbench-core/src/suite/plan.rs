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
/// `trim_gain`, `transcript_gap` and `accuracy[context=…]`; and each of these for the cases that the assertion selects alone. All
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
            let shapes = shapes(assertion, requirement, suite.least_view());
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
fn shapes(assertion: &Assertion, requirement: &Requirement, least: Context) -> Vec<Shape> {
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
        MetricArgument::AveragedOrders => {
            return (1..requirement.selection.orders).map(order).collect();
        }
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
        | Needs::Cost
        | Needs::Written
        | Needs::Judges => Vec::new(),
        Needs::Repeats => (1..requirement.selection.repeats)
            .map(|repeat| Shape {
                repeat,
                ..Shape::BASE
            })
            .collect(),
        // It compares the declared order with the reversed one, and reads no other.
        Needs::Orders
            if matches!(
                assertion.metric.id,
                MetricId::OrderBothRight | MetricId::OrderKappa
            ) =>
        {
            vec![order(1)]
        }
        Needs::Orders => (1..requirement.selection.orders).map(order).collect(),
        Needs::MinimalAndPadded => vec![view(least), view(Context::Padded)],
        Needs::MinimalAndProduction => vec![view(Context::Minimal)],
        Needs::CleanAndProduction => vec![view(Context::Clean)],
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
    /// The view that padding is compared with: the minimal one, or production's where no case has a minimal one.
    pub fn least_view(&self) -> Context {
        let minimal = Context::Minimal;
        if self
            .cases
            .iter()
            .any(|case| case.states.contains_key(&minimal))
        {
            minimal
        } else {
            Context::Production
        }
    }

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::check_text;
    use super::*;
    use crate::diagnostic::Source;

    const CHOICE: &str = "question: { type: choice, instructions: Which team?, options: { a: A, b: B, c: { description: C, escape: true } } }\n";

    fn suite(text: &str) -> Suite {
        let source = Source::new("plan.yaml", text);
        check_text(&Arc::new(source))
            .map_err(|mistakes| mistakes.render())
            .unwrap()
            .suite
    }

    fn with(question: &str, cases: &str, assert: &str) -> Suite {
        suite(&format!(
            "{question}cases: {cases}\ncandidates: {{ x: {{ provider: rust }}, y: {{ provider: naive-bayes }} }}\nassert: {{ {assert} }}\n"
        ))
    }

    /// Case, repeat, order and view of every call.
    fn calls(suite: &Suite, candidate: usize, lockbox: Lockbox) -> Vec<(usize, u32, u32, &str)> {
        plan(suite, candidate, &suite.assertions, lockbox)
            .calls
            .iter()
            .map(|call| (call.case, call.repeat, call.order, call.context.name()))
            .collect()
    }

    #[test]
    fn metrics_of_the_base_probe_ask_nothing_more() {
        let suite = with(
            CHOICE,
            "[{ state: x }, { state: y }]",
            "accuracy: '>= 90%', ece: '<= 0.1', latency.p95: '<= 1s', pair_agreement: '>= 80%', error_rate: '<= 1%'",
        );
        let base = [(0, 0, 0, "production"), (1, 0, 0, "production")];
        assert_eq!(calls(&suite, 0, Lockbox::Closed), base);
        assert_eq!(
            calls(&suite, 1, Lockbox::Closed),
            base,
            "a baseline is shown"
        );
    }

    #[test]
    fn repeats_are_asked_of_the_cases_that_are_selected() {
        let suite = with(
            CHOICE,
            "[{ state: x, tier: hard }, { state: y, tier: easy }]",
            "flip_rate: { at_most: 1%, repeats: 3, where: { tier: hard } }",
        );
        let repeats: Vec<(usize, u32)> = calls(&suite, 0, Lockbox::Closed)
            .iter()
            .map(|call| (call.0, call.1))
            .collect();
        assert_eq!(repeats, [(0, 0), (0, 1), (0, 2), (1, 0)]);
        assert_eq!(
            calls(&suite, 1, Lockbox::Closed).len(),
            2,
            "baselines are not gated"
        );
    }

    #[test]
    fn the_largest_number_of_repeats_serves_all_bounds() {
        let suite = with(
            CHOICE,
            "[{ state: x }]",
            "flip_rate: [{ at_most: 1%, repeats: 3 }, '<= 5%'], pass_every_time: { at_least: 50%, repeats: 2 }",
        );
        assert_eq!(calls(&suite, 0, Lockbox::Closed).len(), 5);
    }

    #[test]
    fn orders_end_where_no_further_order_exists() {
        let questions = "questions:\n  team: { type: choice, instructions: Which?, options: { a: A, b: B, c: C } }\n  paid: { type: yes_no, instructions: Paid? }\n  mood: { type: score, instructions: How?, levels: [calm, angry] }\n";
        let suite = with(
            questions,
            "[{ state: x }]",
            "order_flip_rate: { at_most: 2%, orders: 100 }",
        );
        let plan = plan(&suite, 0, &suite.assertions, Lockbox::Closed);
        let asked: Vec<(u32, &[usize])> = plan
            .calls
            .iter()
            .map(|call| (call.order, call.questions.as_slice()))
            .collect();
        let wanted: [(u32, &[usize]); 6] = [
            (0, &[0, 1, 2]),
            (1, &[0, 1]),
            (2, &[0]),
            (3, &[0]),
            (4, &[0]),
            (5, &[0]),
        ];
        assert_eq!(asked, wanted);
    }

    #[test]
    fn both_orders_right_needs_the_reversed_one_alone() {
        for assert in [
            "order_both_right: '>= 80%'",
            "'accuracy[order=reversed]': '>= 80%'",
        ] {
            let suite = with(CHOICE, "[{ state: x }]", assert);
            let orders: Vec<u32> = calls(&suite, 0, Lockbox::Closed)
                .iter()
                .map(|call| call.2)
                .collect();
            assert_eq!(orders, [0, 1], "{assert}");
        }
    }

    #[test]
    fn a_view_is_asked_where_a_case_has_it() {
        let cases = "[{ state: x, states: { minimal: m, padded: p } }, { state: y, states: { minimal: m } }, { state: z, states: { clean: c } }]";
        let views = |assert: &str| {
            let suite = with(CHOICE, cases, assert);
            let views: Vec<(usize, String)> = calls(&suite, 0, Lockbox::Closed)
                .iter()
                .filter(|call| call.3 != "production")
                .map(|call| (call.0, call.3.to_owned()))
                .collect();
            views
        };
        let of = |pairs: &[(usize, &str)]| -> Vec<(usize, String)> {
            pairs
                .iter()
                .map(|(case, view)| (*case, (*view).to_owned()))
                .collect()
        };
        assert_eq!(views("accuracy: '>= 1%'"), of(&[]));
        assert_eq!(
            views("distractor_drop: '<= 5%'"),
            of(&[(0, "minimal"), (0, "padded")])
        );
        assert_eq!(
            views("trim_gain: '<= 5%'"),
            of(&[(0, "minimal"), (1, "minimal")])
        );
        assert_eq!(
            views("'accuracy[context=clean]': '>= 80%'"),
            of(&[(2, "clean")])
        );
    }

    #[test]
    fn without_views_of_its_own_a_suite_is_padded_from_itself_and_compared_with_production() {
        let cases: Vec<String> = (0..20)
            .map(|at| format!("{{ state: a call about bill {at} }}"))
            .collect();
        let cases = format!("[{}]", cases.join(", "));
        let suite = with(CHOICE, &cases, "distractor_drop: '<= 5%'");
        let views: Vec<&str> = calls(&suite, 0, Lockbox::Closed)
            .iter()
            .map(|call| call.3)
            .collect();
        assert_eq!(views, ["production", "padded"].repeat(20));
        let padded = &suite.cases[3];
        assert!(padded.built_padding);
        let plain = with(CHOICE, &cases, "accuracy: '>= 80%'");
        assert!(plain.cases[3].states.is_empty(), "nothing reads it");
        assert_eq!(suite.digest, plain.digest, "the data are the same");
    }

    #[test]
    fn lock_box_cases_are_asked_when_it_is_opened_and_for_what_reads_them() {
        let suite = with(
            CHOICE,
            "[{ state: x }, { state: y, split: lockbox }]",
            "accuracy: '>= 80%', flip_rate: { at_most: 5%, split: lockbox, repeats: 2 }",
        );
        assert_eq!(calls(&suite, 0, Lockbox::Closed), [(0, 0, 0, "production")]);
        assert_eq!(
            calls(&suite, 0, Lockbox::Open),
            [
                (0, 0, 0, "production"),
                (1, 0, 0, "production"),
                (1, 1, 0, "production")
            ]
        );
    }

    #[test]
    fn a_case_with_its_own_question_is_asked_that_one() {
        let suite = with(
            CHOICE,
            "[{ state: x }, { state: y, question: { type: yes_no, instructions: Paid? } }]",
            "order_flip_rate: '<= 5%'",
        );
        let count = |case| {
            calls(&suite, 0, Lockbox::Closed)
                .iter()
                .filter(|call| call.0 == case)
                .count()
        };
        assert_eq!((count(0), count(1)), (4, 2));
        assert_eq!(suite.counts_for(&suite.cases[1], 0), Some(0));
    }
}
