//! Whether people agree on what is right, and what that allows to ask of a model.

use super::finding::{CaseList, Finding, Observations, Quantity, counted};
use super::given::Given;
use super::ratings::{Rated, Ratings, ratings};
use crate::metric::{MetricId, Side};
use crate::stats::Interval;
use crate::suite::Suite;

/// How well the raters of one question agree with each other: nobody can agree better with what they call right.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ceiling {
    /// Position of the question in the suite.
    pub question: usize,
    /// Which statistic.
    pub name: &'static str,
    /// Its value, at most 1.
    pub value: f64,
    /// Its interval at 95%.
    pub interval: Interval,
}

impl Ceiling {
    /// Why a bound on kappa may not be asked: it lies above all that the raters' own agreement may be.
    pub fn refusal(&self, metric: MetricId, side: Side, bound: f64) -> Option<String> {
        let above =
            metric == MetricId::Kappa && side == Side::AtLeast && bound > self.interval.high;
        above.then(|| {
            format!(
                "{bound} lies above the human ceiling: the raters agree with each other at {} {:.2} [{:.2}, {:.2}], and no answer can agree better with their labels; adjudicate the split cases, or ask for less",
                self.name, self.value, self.interval.low, self.interval.high
            )
        })
    }
}

/// The human ceiling of every question that has one.
pub fn ceilings(given: &Given<'_>) -> Vec<Ceiling> {
    ratings(given)
        .iter()
        .filter_map(|ratings| {
            let found = ratings.agreement().ok()?;
            Some(Ceiling {
                question: position(given.suite, ratings),
                name: found.name,
                value: found.value,
                interval: found.interval,
            })
        })
        .collect()
}

fn position(suite: &Suite, ratings: &Ratings<'_>) -> usize {
    suite
        .questions
        .iter()
        .position(|question| std::ptr::eq(question, ratings.question))
        .unwrap_or(0)
}

pub(super) fn applies(suite: &Suite) -> bool {
    let raters = |answers: usize| answers > 1;
    suite.cases.iter().any(|case| {
        let models = suite.data.panel.as_ref().map(|panel| &panel.models);
        let people = case
            .labels
            .keys()
            .filter(|rater| models.is_none_or(|models| !models.contains(rater)));
        raters(people.count())
    })
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("agreement");
    let all = ratings(given);
    if all.is_empty() {
        seen.cannot_tell(
            "no case has answers of two raters to the same question",
            CaseList::default(),
        );
    }
    let mut said = Vec::new();
    for ratings in &all {
        said.extend(question(&mut seen, given, ratings));
        splits(&mut seen, ratings);
        unsupported(&mut seen, given, ratings);
    }
    bounds(&mut seen, given);
    seen.finding(said.join("; "))
}

/// A figure's name, with the question where it has one.
fn named(name: &str, ratings: &Ratings<'_>) -> String {
    match ratings.question.name.as_str() {
        "" => name.to_owned(),
        question => format!("{name}[{question}]"),
    }
}

/// The agreement on one question against the floor; what is said where it holds.
fn question(seen: &mut Observations, given: &Given<'_>, ratings: &Ratings<'_>) -> Option<String> {
    let floor = given.suite.data.agreement_floor.value();
    seen.count(named("cases", ratings), ratings.items.len());
    seen.count(named("raters", ratings), ratings.raters.len());
    seen.count(named("single", ratings), ratings.single);
    seen.figure(
        named("unanimous", ratings),
        Quantity::Share(ratings.unanimous()),
    );
    let found = match ratings.agreement() {
        Ok(found) => found,
        Err(undefined) => {
            seen.cannot_tell(
                format!(
                    "the agreement of the raters{} has no value: {undefined}",
                    of(ratings)
                ),
                CaseList::default(),
            );
            return None;
        }
    };
    let key = if found.name.starts_with("Krippendorff") {
        "alpha"
    } else {
        "kappa"
    };
    seen.figure(
        named(key, ratings),
        Quantity::Number(found.value, Some(found.interval)),
    );
    let rows: Vec<&Rated<'_>> = ratings.items.iter().collect();
    if key == "kappa"
        && ratings.raters.len() > 2
        && let Ok(alpha) = ratings.alpha(&rows)
    {
        seen.figure(named("alpha", ratings), Quantity::Number(alpha, None));
    }
    let sentence = format!(
        "{} raters agree{} at {} {:.2} [{:.2}, {:.2}]",
        ratings.raters.len(),
        of(ratings),
        found.name,
        found.value,
        found.interval.low,
        found.interval.high
    );
    if found.interval.high < floor {
        seen.fail(
            format!(
                "{sentence}, below {floor}: people do not share one idea of what is right, so reword the question before anybody is measured by it"
            ),
            CaseList::default(),
        );
    } else if found.interval.low < floor {
        seen.cannot_tell(
            format!("{sentence}, on both sides of {floor}: more cases with two raters would tell"),
            CaseList::default(),
        );
    }
    Some(sentence)
}

fn of(ratings: &Ratings<'_>) -> String {
    match ratings.question.name.as_str() {
        "" => String::new(),
        question => format!(" on `{question}`"),
    }
}

/// The cases somebody has to decide.
fn splits(seen: &mut Observations, ratings: &Ratings<'_>) {
    let split: Vec<&Rated<'_>> = ratings
        .items
        .iter()
        .filter(|item| item.is_split())
        .collect();
    seen.count(named("split", ratings), split.len());
    if !split.is_empty() {
        seen.note(
            format!(
                "{} to adjudicate{}",
                counted(split.len(), "split case", "split cases"),
                of(ratings)
            ),
            split.iter().map(|item| item.said()).collect(),
        );
    }
}

/// Gold that no rater gave; a person who approved it has decided.
fn unsupported(seen: &mut Observations, given: &Given<'_>, ratings: &Ratings<'_>) {
    let lonely: Vec<String> = ratings
        .items
        .iter()
        .filter(|item| item.case.approved.is_none())
        .filter(|item| {
            let gold = item.case.gold.get(item.at).and_then(Option::as_ref);
            gold.is_some_and(|gold| {
                gold.accepts(0).is_some()
                    && item
                        .labels
                        .values()
                        .all(|label| gold.accepts(*label) == Some(false))
            })
        })
        .map(|item| {
            let key = item
                .case
                .gold
                .get(item.at)
                .and_then(|gold| gold.as_ref()?.single())
                .and_then(|gold| {
                    let questions = item.case.questions(&given.suite.questions);
                    Some(questions[item.at].options.get(gold)?.key.as_str())
                });
            format!("{}, gold {}", item.said(), key.unwrap_or("of several"))
        })
        .collect();
    seen.count(named("unsupported", ratings), lonely.len());
    if !lonely.is_empty() {
        seen.fail(
            format!(
                "{} gold that none of its raters gave{}; correct it, or let whoever decided stamp it with `approved`",
                counted(lonely.len(), "case has", "cases have"),
                of(ratings)
            ),
            lonely.into_iter().collect(),
        );
    }
}

/// Bounds on kappa beside the ceiling.
fn bounds(seen: &mut Observations, given: &Given<'_>) {
    for ceiling in ceilings(given) {
        for assertion in &given.suite.assertions {
            if assertion.question != ceiling.question || assertion.metric.id != MetricId::Kappa {
                continue;
            }
            for requirement in &assertion.requirements {
                let bound = requirement.bound.value();
                let trial = given.suite.trial_name(assertion);
                match ceiling.refusal(assertion.metric.id, requirement.bound.side, bound) {
                    Some(reason) => {
                        seen.fail(format!("{trial} is refused: {reason}"), CaseList::default());
                    }
                    None if requirement.bound.side == Side::AtLeast && bound > ceiling.value => {
                        seen.cannot_tell(
                            format!(
                                "{trial} asks for {bound}, more than the raters' own {:.2}, which may be as high as {:.2}",
                                ceiling.value, ceiling.interval.high
                            ),
                            CaseList::default(),
                        );
                    }
                    None => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::testing::{CHOICE, suite, suite_of};
    use super::*;
    use crate::metric::Outcome;

    /// Cases of two raters who agree on the first `agreed`, half of them on each of two options.
    fn two_raters(agreed: usize, cases: usize) -> String {
        let mut list = String::new();
        for at in 0..cases {
            let first = if at % 2 == 0 { "billing" } else { "support" };
            let second = match (at < agreed, first) {
                (true, same) => same,
                (false, "billing") => "support",
                (false, _) => "billing",
            };
            let _ = write!(
                list,
                "{{ id: c-{at}, state: s{at}, gold: {first}, labels: {{ ann: {first}, bob: {second} }} }}, "
            );
        }
        format!("[{list}]")
    }

    fn outcome(cases: &str, data: &str) -> Finding {
        look(&Given::new(&suite(cases, data)))
    }

    #[test]
    fn agreement_above_the_floor_passes_below_fails_and_on_both_sides_cannot_tell() {
        let good = outcome(&two_raters(190, 200), "{}");
        assert_eq!(good.outcome, Outcome::Pass, "{}", good.reason);
        assert!(
            good.reason.contains("Cohen's kappa 0.90 ["),
            "{}",
            good.reason
        );
        assert_eq!(outcome(&two_raters(120, 200), "{}").outcome, Outcome::Fail);
        assert_eq!(
            outcome(&two_raters(16, 20), "{}").outcome,
            Outcome::Inconclusive
        );
        let raised = outcome(&two_raters(190, 200), "{ agreement: { floor: 0.97 } }");
        assert_eq!(raised.outcome, Outcome::Fail, "{}", raised.reason);
    }

    #[test]
    fn split_cases_are_listed_with_who_said_what() {
        let finding = outcome(&two_raters(190, 200), "{}");
        let split = &finding.observations[0];
        assert_eq!(split.text, "10 split cases to adjudicate");
        assert_eq!(split.cases.named[0], "c-190 (ann billing, bob support)");
    }

    #[test]
    fn gold_that_nobody_gave_fails_until_it_is_approved() {
        let lonely = "{ id: odd, state: x, gold: other, labels: { ann: billing, bob: billing }";
        let with = |more: &str| {
            let cases = two_raters(200, 200).replace("[{", &format!("[{lonely}{more} }}, {{"));
            outcome(&cases, "{}")
        };
        let finding = with("");
        assert_eq!(finding.outcome, Outcome::Fail);
        assert_eq!(
            finding.observations[0].cases.named,
            ["odd (ann billing, bob billing), gold other"]
        );
        assert_eq!(with(", approved: { by: eve }").outcome, Outcome::Pass);
    }

    #[test]
    fn three_raters_are_judged_by_fleiss_and_gaps_by_krippendorff() {
        let mut list = String::new();
        for at in 0..100 {
            let label = if at % 2 == 0 { "billing" } else { "support" };
            let third = if at % 10 == 0 { "other" } else { label };
            let _ = write!(
                list,
                "{{ state: s{at}, labels: {{ ann: {label}, bob: {label}, cyd: {third} }} }}, "
            );
        }
        let three = outcome(&format!("[{list}]"), "{}");
        assert!(three.reason.contains("Fleiss' kappa"), "{}", three.reason);
        assert_eq!(three.outcome, Outcome::Pass, "{}", three.reason);
        let gap = list.replacen(", cyd: other", "", 1);
        let gap = outcome(&format!("[{gap}]"), "{}");
        assert!(
            gap.reason.contains("Krippendorff's alpha"),
            "{}",
            gap.reason
        );
        assert_eq!(gap.outcome, Outcome::Pass, "{}", gap.reason);
    }

    #[test]
    fn a_bound_above_the_human_ceiling_is_refused_with_the_reason() {
        let text = |bound: &str| {
            format!(
                "{CHOICE}cases: {}\ncandidates: {{ x: {{ provider: rust }} }}\nassert: {{ kappa: '>= {bound}' }}\n",
                two_raters(180, 200)
            )
        };
        let refused = look(&Given::new(&suite_of(&text("0.95"))));
        assert_eq!(refused.outcome, Outcome::Fail);
        assert!(
            refused.reason.contains("above the human ceiling"),
            "{}",
            refused.reason
        );
        let near = look(&Given::new(&suite_of(&text("0.82"))));
        assert_eq!(near.outcome, Outcome::Inconclusive, "{}", near.reason);
        let modest = look(&Given::new(&suite_of(&text("0.7"))));
        assert_eq!(modest.outcome, Outcome::Pass, "{}", modest.reason);
    }

    #[test]
    fn one_label_throughout_cannot_tell() {
        let case =
            |at: usize| format!("{{ state: s{at}, labels: {{ ann: billing, bob: billing }} }}");
        let finding = outcome(&format!("[{}, {}]", case(0), case(1)), "{}");
        assert_eq!(finding.outcome, Outcome::Inconclusive);
    }
}
