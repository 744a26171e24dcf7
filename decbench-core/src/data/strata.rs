//! Whether there is enough of everything, and in the shares that were declared.

use std::collections::{BTreeMap, BTreeSet};

use super::calendar::Day;
use super::finding::{CaseList, Finding, Observations, Quantity, counted};
use super::given::Given;
use crate::decision::Case;
use crate::metric::Outcome;
use crate::suite::{DeclaredShare, Suite};

/// Calendar weeks that the cases lie in at the least, where nothing else is said.
const WEEKS: u32 = 2;

pub(super) fn applies(suite: &Suite) -> bool {
    let rules = &suite.data;
    rules.class_floor.is_some()
        || rules.stratum_floor.is_some()
        || rules.weeks.is_some()
        || rules.max_age_days.is_some()
        || !rules.population.is_empty()
        || !rules.composition.is_empty()
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("strata");
    let cases: Vec<&Case> = given.cases().collect();
    seen.count("cases", cases.len());
    classes(&mut seen, given, &cases);
    strata(&mut seen, given, &cases);
    weeks(&mut seen, given, &cases);
    age(&mut seen, given, &cases);
    let rules = &given.suite.data;
    shares(
        &mut seen,
        given,
        &cases,
        &rules.composition,
        Sample::AsTaken,
    );
    shares(
        &mut seen,
        given,
        &cases,
        &rules.population,
        Sample::Weighted,
    );
    seen.finding(format!(
        "{} in the numbers and shares that were declared",
        counted(cases.len(), "case", "cases")
    ))
}

/// Enough gold for each option.
fn classes(seen: &mut Observations, given: &Given<'_>, cases: &[&Case]) {
    let Some(floor) = given.suite.data.class_floor else {
        return;
    };
    let suite = given.suite;
    for (of, question) in suite.questions.iter().enumerate() {
        let mut counts = vec![0_usize; question.options.len()];
        for case in cases {
            for (at, gold) in case.gold.iter().enumerate() {
                let single = gold.as_ref().and_then(crate::decision::Gold::single);
                if let (Some(option), true) = (single, suite.counts_for(case, at) == Some(of)) {
                    let key = &case.questions(&suite.questions)[at].options[option].key;
                    if let Some(option) = question.index_of(key) {
                        counts[option] += 1;
                    }
                }
            }
        }
        let prefix = if question.name.is_empty() {
            String::new()
        } else {
            format!("{}.", question.name)
        };
        let few: Vec<String> = question
            .options
            .iter()
            .zip(&counts)
            .filter(|(_, count)| **count < floor as usize)
            .map(|(option, count)| format!("{prefix}{} {count}", option.key))
            .collect();
        let fewest = counts.iter().min().copied().unwrap_or(0);
        seen.count(
            format!("fewest_of_an_option[{}]", question.name).replace("[]", ""),
            fewest,
        );
        if !few.is_empty() {
            seen.fail(
                format!(
                    "{} fewer than {floor} cases with gold",
                    counted(few.len(), "option has", "options have")
                ),
                few.into_iter().collect(),
            );
        }
    }
}

/// Enough cases of each value of each stratum.
fn strata(seen: &mut Observations, given: &Given<'_>, cases: &[&Case]) {
    let Some(floor) = given.suite.data.stratum_floor else {
        return;
    };
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for case in cases {
        for (name, value) in &case.strata {
            *counts.entry((name, value)).or_default() += 1;
        }
    }
    if counts.is_empty() {
        seen.cannot_tell("no case has `strata`", CaseList::default());
        return;
    }
    seen.count("strata", counts.len());
    let few: Vec<String> = counts
        .iter()
        .filter(|(_, count)| **count < floor as usize)
        .map(|((name, value), count)| format!("{name} {value}: {count}"))
        .collect();
    if !few.is_empty() {
        seen.fail(
            format!(
                "{} fewer than {floor} cases",
                counted(few.len(), "stratum has", "strata have")
            ),
            few.into_iter().collect(),
        );
    }
}

/// The dates that read as days, and the cases whose dates do not or that have none.
fn days<'a>(cases: &[&'a Case]) -> (Vec<(&'a Case, Day)>, Vec<&'a Case>) {
    let mut dated = Vec::new();
    let mut undated = Vec::new();
    for case in cases {
        match case.at.as_deref().and_then(Day::parse) {
            Some(day) => dated.push((*case, day)),
            None => undated.push(*case),
        }
    }
    (dated, undated)
}

fn ids(cases: &[&Case]) -> CaseList {
    cases.iter().map(|case| case.id.as_str()).collect()
}

/// Cases of more than one week: a single one may be a holiday or an outage.
fn weeks(seen: &mut Observations, given: &Given<'_>, cases: &[&Case]) {
    let (dated, undated) = days(cases);
    let asked = given.suite.data.weeks;
    if asked.is_none() && dated.is_empty() {
        return;
    }
    let wanted = asked.unwrap_or(WEEKS) as usize;
    let weeks: BTreeSet<i64> = dated.iter().map(|(_, day)| day.week()).collect();
    seen.count("weeks", weeks.len());
    let first = dated.iter().map(|(_, day)| *day).min();
    let last = dated.iter().map(|(_, day)| *day).max();
    let days = first
        .zip(last)
        .map_or(0, |(first, last)| last.since(first) + 1);
    // A Sunday and the Monday after it lie in two weeks and are none.
    let least = 7 * (i64::from(asked.unwrap_or(WEEKS)) - 1) + 1;
    if weeks.len() >= wanted && days >= least {
        return;
    }
    if undated.is_empty() && weeks.len() >= wanted {
        seen.fail(
            format!("the cases lie within {days} days, and {wanted} weeks are wanted"),
            CaseList::default(),
        );
    } else if undated.is_empty() {
        seen.fail(
            format!(
                "the cases lie in {}, and {wanted} are wanted",
                counted(weeks.len(), "calendar week", "calendar weeks")
            ),
            CaseList::default(),
        );
    } else {
        seen.cannot_tell(
            format!(
                "{} no date in `at` that reads as 2026-10-02, and the others lie in {} of {wanted} calendar weeks",
                counted(undated.len(), "case has", "cases have"),
                weeks.len()
            ),
            ids(&undated),
        );
    }
}

fn age(seen: &mut Observations, given: &Given<'_>, cases: &[&Case]) {
    let Some(most) = given.suite.data.max_age_days else {
        return;
    };
    let (dated, undated) = days(cases);
    if let Some(today) = given.today {
        let old: Vec<String> = dated
            .iter()
            .filter(|(_, day)| today.since(*day) > i64::from(most))
            .map(|(case, _)| format!("{} ({})", case.id, case.at.as_deref().unwrap_or("")))
            .collect();
        if !old.is_empty() {
            seen.fail(
                format!(
                    "{} older than {most} days; what callers say and want has moved on",
                    counted(old.len(), "case is", "cases are")
                ),
                old.into_iter().collect(),
            );
        }
    } else {
        seen.cannot_tell("nobody knows what day it is", CaseList::default());
    }
    if !undated.is_empty() {
        seen.cannot_tell(
            format!(
                "{} no date in `at` that reads as 2026-10-02, so that nobody can tell how old",
                counted(undated.len(), "case has", "cases have")
            ),
            ids(&undated),
        );
    }
}

/// How cases count towards a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sample {
    /// Each once.
    AsTaken,
    /// By their weights, which should make the sample the population.
    Weighted,
}

/// Whether the cases have the declared shares.
///
/// Cases without the field could have any value: a share that they could bring within the tolerance, or out of it,
/// cannot be told.
fn shares(
    seen: &mut Observations,
    given: &Given<'_>,
    cases: &[&Case],
    declared: &[DeclaredShare],
    sample: Sample,
) {
    let tolerance = given.suite.data.tolerance.value();
    let weight = |case: &Case| match sample {
        Sample::AsTaken => 1.0,
        Sample::Weighted => case.weight,
    };
    let total: f64 = cases.iter().map(|case| weight(case)).sum();
    let which = match sample {
        Sample::AsTaken => "composition",
        Sample::Weighted => "population",
    };
    let (mut off, mut open) = (Vec::new(), Vec::new());
    for share in declared {
        let (mut with, mut without, mut count) = (0.0, 0.0, 0);
        for case in cases {
            match value_of(given.suite, case, share) {
                Some(true) => {
                    with += weight(case);
                    count += 1;
                }
                Some(false) => {}
                None => without += weight(case),
            }
        }
        let (name, wanted) = (share.name(), share.share.value());
        let found = if total > 0.0 { with / total } else { 0.0 };
        let most = if total > 0.0 {
            (with + without) / total
        } else {
            1.0
        };
        seen.figure(
            format!("{which}[{name}={}]", share.value),
            Quantity::Share(found),
        );
        let fits = |share: f64| (share - wanted).abs() <= tolerance + 1e-9;
        let outcome = if without == 0.0 && fits(found) {
            Outcome::Pass
        } else if most < wanted - tolerance - 1e-9
            || found > wanted + tolerance + 1e-9
            || without == 0.0
        {
            Outcome::Fail
        } else if fits(found) && fits(most) {
            Outcome::Pass
        } else {
            Outcome::Inconclusive
        };
        let line = match sample {
            Sample::AsTaken => format!(
                "{name} {}: {:.1}% of the cases, {:.1}% declared",
                share.value,
                found * 100.0,
                wanted * 100.0
            ),
            Sample::Weighted => format!(
                "{name} {}: {:.1}% by weight, {:.1}% declared{}",
                share.value,
                found * 100.0,
                wanted * 100.0,
                right_weight(wanted, count, cases.len())
            ),
        };
        match outcome {
            Outcome::Pass => {}
            Outcome::Inconclusive => open.push(line),
            _ => off.push(line),
        }
    }
    let within = tolerance * 100.0;
    if !off.is_empty() {
        seen.fail(
            format!(
                "{} of `{which}` off by more than {within:.1}%",
                counted(off.len(), "share is", "shares are")
            ),
            off.into_iter().collect(),
        );
    }
    if !open.is_empty() {
        seen.cannot_tell(
            format!(
                "{} of `{which}` cannot be told, because cases lack the field",
                counted(open.len(), "share", "shares")
            ),
            open.into_iter().collect(),
        );
    }
}

/// The weight that makes a sample's share the population's.
fn right_weight(wanted: f64, count: usize, cases: usize) -> String {
    if count == 0 {
        return "; no case stands for it".to_owned();
    }
    let taken = count as f64 / cases as f64;
    format!(" (weight {:.4} = {wanted} / {taken:.4})", wanted / taken)
}

/// Whether a case has a declared value; `None` where it has none at all.
fn value_of(suite: &Suite, case: &Case, share: &DeclaredShare) -> Option<bool> {
    use crate::metric::Field;
    let is = |text: &Option<String>| text.as_deref().map(|text| text == share.value);
    match &share.field {
        None => {
            let question = case.questions(&suite.questions).first()?;
            let gold = case.gold.first()?.as_ref()?.single()?;
            Some(question.options.get(gold)?.key == share.value)
        }
        Some(Field::Tier) => is(&case.tier),
        Some(Field::Family) => is(&case.family),
        Some(Field::Language) => is(&case.language),
        Some(Field::Origin) => case.origin.map(|origin| origin.name() == share.value),
        Some(Field::Stratum(name)) => case.strata.get(name).map(|value| *value == share.value),
        Some(field) => Some(suite.has_value(case, field, &share.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::suite;
    use super::*;

    fn outcome(cases: &str, data: &str) -> (Outcome, String) {
        let suite = suite(cases, data);
        let finding = look(&Given {
            today: Day::parse("2026-11-30"),
            ..Given::new(&suite)
        });
        (finding.outcome, format!("{finding:?}"))
    }

    #[test]
    fn every_option_needs_its_cases() {
        let all =
            "[{ state: a, gold: billing }, { state: b, gold: support }, { state: c, gold: other }]";
        assert_eq!(outcome(all, "{ class_floor: 1 }").0, Outcome::Pass);
        let (fails, text) = outcome(all, "{ class_floor: 2 }");
        assert_eq!(fails, Outcome::Fail);
        assert!(text.contains("billing 1"), "{text}");
    }

    #[test]
    fn every_stratum_needs_its_cases() {
        let cases = "[{ state: a, strata: { channel: pstn } }, { state: b, strata: { channel: web } }, { state: c, strata: { channel: web } }]";
        assert_eq!(outcome(cases, "{ stratum_floor: 1 }").0, Outcome::Pass);
        let (fails, text) = outcome(cases, "{ stratum_floor: 2 }");
        assert_eq!(fails, Outcome::Fail);
        assert!(text.contains("channel pstn: 1"), "{text}");
        assert_eq!(
            outcome("[{ state: a }]", "{ stratum_floor: 2 }").0,
            Outcome::Inconclusive
        );
    }

    #[test]
    fn cases_of_one_week_are_too_few_and_undated_ones_cannot_tell() {
        let of = |first: &str, second: &str| {
            let at = |at: &str| {
                if at.is_empty() {
                    String::new()
                } else {
                    format!(", at: '{at}'")
                }
            };
            outcome(
                &format!(
                    "[{{ state: a{} }}, {{ state: b{} }}]",
                    at(first),
                    at(second)
                ),
                "{ weeks: 2 }",
            )
            .0
        };
        assert_eq!(
            of("2026-10-02", "2026-10-09T09:00:00Z"),
            Outcome::Pass,
            "Friday and Friday"
        );
        assert_eq!(
            of("2026-10-02", "2026-10-05"),
            Outcome::Fail,
            "Friday and Monday"
        );
        assert_eq!(
            of("2026-10-05", "2026-10-11"),
            Outcome::Fail,
            "Monday and Sunday"
        );
        assert_eq!(of("2026-10-05", ""), Outcome::Inconclusive);
        assert_eq!(of("2026-10-05", "last week"), Outcome::Inconclusive);
    }

    #[test]
    fn old_cases_fail_and_undated_ones_cannot_tell() {
        let of = |at: &str| {
            outcome(
                &format!("[{{ id: a, state: a, at: {at} }}]"),
                "{ max_age: 30d, weeks: 1 }",
            )
        };
        assert_eq!(of("2026-10-31").0, Outcome::Pass, "30 days ago");
        let (fails, text) = of("2026-10-30");
        assert_eq!(fails, Outcome::Fail);
        assert!(text.contains("a (2026-10-30)"), "{text}");
        assert_eq!(of("''").0, Outcome::Inconclusive);
    }

    #[test]
    fn shares_are_compared_within_the_tolerance() {
        let cases = "[{ state: a, language: en }, { state: b, language: en }, { state: c, language: en }, { state: d, language: de }]";
        let of = |data: &str| outcome(cases, data).0;
        assert_eq!(
            of("{ composition: { language: { en: 74%, de: 26% } } }"),
            Outcome::Pass
        );
        assert_eq!(
            of("{ composition: { language: { en: 72% } } }"),
            Outcome::Fail
        );
        assert_eq!(
            of("{ composition: { language: { en: 72% } }, tolerance: 3% }"),
            Outcome::Pass
        );
        let gap = cases.replacen(", language: en", "", 1);
        let gap = |share: &str| {
            outcome(
                &gap,
                &format!("{{ composition: {{ language: {{ en: {share} }} }} }}"),
            )
            .0
        };
        assert_eq!(
            gap("75%"),
            Outcome::Inconclusive,
            "the case without could be English"
        );
        assert_eq!(gap("90%"), Outcome::Fail, "not even then");
    }

    #[test]
    fn weights_must_make_the_sample_the_population() {
        let of = |first: f64, second: f64| {
            outcome(
                &format!(
                    "[{{ state: a, gold: billing, weight: {first} }}, {{ state: b, gold: support, weight: {second} }}]"
                ),
                "{ population: { gold: { billing: 10%, support: 90% } } }",
            )
        };
        assert_eq!(of(0.2, 1.8).0, Outcome::Pass);
        let (fails, text) = of(1.0, 1.0);
        assert_eq!(fails, Outcome::Fail);
        assert!(text.contains("weight 0.2000 = 0.1 / 0.5000"), "{text}");
    }
}
