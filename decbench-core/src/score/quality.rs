//! Quality per case: what a verdict compares candidates by.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::observed::Observed;
use super::open;
use super::resampled::Items;
use super::share::SHARE;
use super::sheet::{Row, Sheet};
use super::value::{Evidence, ONE_MORE, Unmeasurable, Value};
use crate::decision::Gold;
use crate::metric::{CaseGate, CaseSubject, MetricId, QualityPart, Selection, VerdictRule};
use crate::stats::clusters::clustered_proportion;
use crate::stats::one_more::mean_limits;

/// One case's quality, averaged over repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseQuality {
    /// Position of the case in the suite.
    pub position: usize,
    /// Its unit of evidence.
    pub unit: u32,
    /// From 0 to 1: the weighted mean of its parts; an error counts 0.
    pub quality: f64,
    /// Whether every limit on a single decision is kept.
    pub within_limits: bool,
    /// Mean probability given to what is right, over questions and repeats; `None` where one answer gives none.
    pub chance_of_right: Option<f64>,
    /// Whether everything was compared with gold, and nothing with an answer nobody approved.
    pub approved: bool,
    /// Whether a call was made that nobody answered.
    pub unanswered: bool,
    /// What one decision cost in US dollars; `None` where no price is known.
    pub cost_usd: Option<f64>,
    /// How long one decision took, in milliseconds.
    pub latency_ms: Option<f64>,
}

/// The qualities of one candidate, by case id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Qualities {
    /// The cases that can be right or wrong.
    pub cases: Vec<CaseQuality>,
    /// How many of them lack an answer and are not among `cases`.
    pub missing: usize,
    /// How many cases have neither gold nor a reference that could be right or wrong.
    pub unjudged: usize,
}

/// What is gathered of one case.
struct Gathered {
    unit: u32,
    /// How many of its questions can be right or wrong, and how many of these have all answers.
    judged: u32,
    answered: u32,
    assumed: bool,
    unanswered: bool,
    /// Whether a limit on being right is broken.
    broken: bool,
    sum: f64,
    weight: f64,
    /// Sum and number of probabilities given to what is right, while all are there.
    chances: Option<(f64, u32)>,
    calls: Vec<Call>,
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            unit: 0,
            judged: 0,
            answered: 0,
            assumed: false,
            unanswered: false,
            broken: false,
            sum: 0.0,
            weight: 0.0,
            chances: Some((0.0, 0)),
            calls: Vec::new(),
        }
    }
}

/// What one repeat took; all questions of a case are put in one call.
#[derive(Clone, Default)]
struct Call {
    cost_usd: Option<f64>,
    latency_ms: Option<f64>,
    /// Whether the answer is production's own, for which no call was made.
    none_made: bool,
}

/// Quality of every case of one part of the data (lock box or development), over the first `repeats` repeats.
///
/// A question is compared with its gold, else with its reference; gold that nothing can match is left out.
/// `sheets` has one sheet per question of the suite. Limits on being right are applied here, and those on time and
/// cost by [`Qualities::limit_calls`], once it is known what the numbers mean.
pub fn qualities(sheets: &[Sheet<'_>], rule: &VerdictRule, lockbox: bool) -> Qualities {
    let selection = Selection {
        lockbox,
        ..Selection::default()
    };
    let mut gathered: BTreeMap<(&str, usize), Gathered> = BTreeMap::new();
    for part in &rule.quality {
        let Some(sheet) = sheets.get(part.question) else {
            continue;
        };
        for row in sheet.select(&selection) {
            let case = gathered.entry((&row.case.id, row.position)).or_default();
            case.unit = row.case.unit;
            gather(case, row, part, rule.repeats);
        }
    }
    for gate in &rule.case_gates {
        let CaseSubject::Right(question, metric) = gate.subject else {
            continue;
        };
        let rows = sheets.get(question).map(|sheet| sheet.select(&selection));
        for row in rows.into_iter().flatten() {
            if let Some(case) = gathered.get_mut(&(row.case.id.as_str(), row.position))
                && !keeps(gate, row, metric, rule.repeats)
            {
                case.broken = true;
            }
        }
    }
    let mut found = Qualities::default();
    for ((_, position), case) in gathered {
        if case.judged == 0 {
            found.unjudged += 1;
        } else if case.answered < case.judged {
            found.missing += 1;
        } else {
            found.cases.push(CaseQuality {
                position,
                unit: case.unit,
                quality: case.sum / case.weight,
                within_limits: !case.broken,
                chance_of_right: case
                    .chances
                    .filter(|(_, count)| *count > 0)
                    .map(|(sum, count)| sum / f64::from(count)),
                approved: !case.assumed,
                unanswered: case.unanswered,
                cost_usd: mean(made(&case.calls).map(|call| call.cost_usd)),
                latency_ms: mean(made(&case.calls).map(|call| call.latency_ms)),
            });
        }
    }
    found
}

fn gather(case: &mut Gathered, row: &Row<'_>, part: &QualityPart, repeats: u32) {
    let key = row.gold.or(row.reference);
    let key = key.filter(|gold| gold.accepts(0).is_some());
    if key.is_none() && !row.question.kind.is_open() {
        return;
    }
    let answers = row.repeats(repeats);
    if let (None, Some(answers)) = (key, &answers)
        && answers.iter().any(|answer| open::quality(answer).is_none())
    {
        return;
    }
    case.judged += 1;
    case.assumed |= !row.is_approved();
    let Some(answers) = answers else {
        return;
    };
    let qualities: Option<Vec<f64>> = answers
        .iter()
        .map(|answer| match key {
            Some(key) => Some(f64::from(u8::from(is_right(row, key, answer, part.metric)))),
            None => open::quality(answer)?.ok(),
        })
        .collect();
    // What a judge could not say is missing, and not wrong.
    let Some(qualities) = qualities else {
        return;
    };
    case.answered += 1;
    case.calls.resize(answers.len(), Call::default());
    case.broken |= key.is_none() && answers.iter().any(|answer| open::breaks_a_check(answer));
    let sum: f64 = qualities.iter().sum();
    for (answer, call) in answers.iter().zip(&mut case.calls) {
        case.unanswered |= answer.said.is_none();
        let chance = key.and_then(|key| chance_of_right(key, answer));
        case.chances = case
            .chances
            .zip(chance)
            .map(|((sum, count), chance)| (sum + chance, count + 1));
        // Each answer of a call carries what the whole call took. A call that failed without a bill was free.
        let free = answer.failure.map(|_| 0.0);
        call.cost_usd = larger(call.cost_usd, answer.measured.cost_usd.or(free));
        call.latency_ms = larger(call.latency_ms, answer.measured.latency_ms);
        call.none_made |= answer.measured.attempts == Some(0);
    }
    case.sum += part.weight * sum / f64::from(repeats.max(1));
    case.weight += part.weight;
}

/// Whether the answers to one question keep a limit on being right; a case without anything to compare with does.
fn keeps(gate: &CaseGate, row: &Row<'_>, metric: MetricId, repeats: u32) -> bool {
    let key = row.gold.or(row.reference);
    let Some(key) = key.filter(|gold| gold.accepts(0).is_some()) else {
        return true;
    };
    let right = row.repeats(repeats).map(|answers| {
        let right = answers
            .iter()
            .filter(|answer| is_right(row, key, answer, metric));
        right.count() as f64 / answers.len() as f64
    });
    gate.holds(right)
}

/// The probability given to the options that are right.
fn chance_of_right(key: &Gold, answer: &Observed) -> Option<f64> {
    let shares = answer.probabilities.as_ref()?;
    let right = shares.iter().enumerate();
    Some(
        right
            .filter(|(option, _)| key.accepts(*option) == Some(true))
            .map(|(_, share)| share)
            .sum(),
    )
}

fn is_right(row: &Row<'_>, key: &Gold, answer: &Observed, metric: MetricId) -> bool {
    if metric == MetricId::WithinOne {
        return key
            .single()
            .zip(answer.option())
            .is_some_and(|(gold, level)| level.abs_diff(gold) <= 1);
    }
    row.is_right_by(Some(key), answer).unwrap_or(false)
}

fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// The calls that were made.
fn made(calls: &[Call]) -> impl Iterator<Item = &Call> {
    calls.iter().filter(|call| !call.none_made)
}

/// The mean, or nothing where a number is missing.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    let n = values.len();
    (n > 0).then(|| values.iter().sum::<f64>() / n as f64)
}

impl Qualities {
    /// Applies limits on time and cost to every case. A local candidate has neither a time nor a price of its own,
    /// and keeps them; elsewhere a number that is not known keeps none.
    pub fn limit_calls(&mut self, gates: &[CaseGate], local: bool) {
        for case in &mut self.cases {
            let held = gates.iter().all(|gate| match gate.subject {
                CaseSubject::Latency => local || gate.holds(case.latency_ms),
                CaseSubject::Cost => local || gate.holds(case.cost_usd),
                CaseSubject::Right(..) => true,
            });
            case.within_limits &= held;
        }
    }

    /// Keeps the cases at these positions alone.
    pub fn retain(&mut self, positions: &BTreeSet<usize>) {
        self.cases.retain(|case| positions.contains(&case.position));
    }

    /// Whether every case is plainly right or wrong.
    pub fn is_binary(&self) -> bool {
        self.cases
            .iter()
            .all(|case| case.quality == 0.0 || case.quality == 1.0)
    }

    /// Mean quality with an interval at a two-sided level: exact for right or wrong, with one more case at its worst
    /// where they are clustered, and a BCa bootstrap over units otherwise.
    ///
    /// # Errors
    /// No cases, or numbers of which no mean exists. Fewer than ten clusters give a value without an interval.
    pub fn mean(&self, level: f64) -> Result<Value, Unmeasurable> {
        let items = self.items();
        let values: Vec<f64> = self.cases.iter().map(|case| case.quality).collect();
        if values.is_empty() {
            return Err(Unmeasurable::because("no cases"));
        }
        if !self.is_binary() {
            return items.mean("verdict quality", &values, Some(SHARE), level);
        }
        let right: Vec<bool> = values.iter().map(|quality| *quality == 1.0).collect();
        let held = right.iter().filter(|right| **right).count() as u64;
        let mut value = items.described(held as f64 / values.len() as f64, level);
        match clustered_proportion(&right, &items.unit_of, level) {
            Ok(found) => {
                let (judged, method) = if items.units < values.len() {
                    let (sums, sizes) = items.by_unit(&values);
                    let judged = mean_limits(&sums, &sizes, SHARE, level)?.interval;
                    (Some(judged), ONE_MORE)
                } else {
                    (None, "exact")
                };
                value.interval = Some(judged.unwrap_or(found.exact));
                value.method = method;
                value.evidence = Evidence::Share {
                    share: found.estimate,
                    effective_n: found.n_eff,
                    counts: Some((held, values.len() as u64)),
                    limits: judged,
                };
            }
            Err(undefined) => value.notes.push(format!("no interval: {undefined}")),
        }
        Ok(value)
    }

    fn items(&self) -> Items {
        let mut seen = HashMap::new();
        let unit_of: Vec<usize> = self
            .cases
            .iter()
            .map(|case| {
                let next = seen.len();
                *seen.entry(case.unit).or_insert(next)
            })
            .collect();
        Items {
            units: seen.len(),
            weights: vec![1.0; unit_of.len()],
            positions: self.cases.iter().map(|case| case.position).collect(),
            unit_of,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::FailureKind;
    use crate::metric::{Bound, Expect, Unit};
    use crate::score::testing::Data;

    fn rule(repeats: u32) -> VerdictRule {
        VerdictRule {
            repeats,
            ..VerdictRule::new(Expect::Any, 1)
        }
    }

    #[test]
    fn an_error_counts_nothing_and_repeats_are_averaged() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        let again = data.repeat(1);
        data.say(again.clone(), 1);
        data.case(0);
        data.fail(FailureKind::Overloaded);
        data.say(again, 0);
        let sheets = [data.sheet()];
        let found = qualities(&sheets, &rule(2), false);
        let quality: Vec<f64> = found.cases.iter().map(|case| case.quality).collect();
        assert_eq!(quality, [0.5, 0.5]);
        assert!(!found.cases[0].unanswered && found.cases[1].unanswered);
        assert!(!found.is_binary());
        let once = qualities(&sheets, &rule(1), false);
        assert_eq!(once.mean(0.95).unwrap().value, 0.5);
        assert!(once.is_binary());
        assert_eq!(qualities(&sheets, &rule(3), false).missing, 2);
    }

    #[test]
    fn gold_goes_before_an_answer_nobody_approved() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        data.answered(0, 0);
        data.cases[1].gold = vec![None];
        data.cases[1].reference = vec![Some(Gold::Label(1))];
        data.answered(0, 0);
        data.cases[2].gold = vec![Some(Gold::Unknown)];
        data.cases[2].reference = vec![Some(Gold::Label(0))];
        let found = qualities(&[data.sheet()], &rule(1), false);
        let told: Vec<_> = found
            .cases
            .iter()
            .map(|case| (case.quality, case.approved))
            .collect();
        assert_eq!(told, [(1.0, true), (0.0, false)]);
        assert_eq!(found.unjudged, 1);
    }

    #[test]
    fn right_or_wrong_has_exact_limits() {
        let mut data = Data::choice(&["a", "b"]);
        for at in 0..40 {
            data.answered(0, usize::from(at < 2));
        }
        let value = qualities(&[data.sheet()], &rule(1), false)
            .mean(0.95)
            .unwrap();
        let exact = crate::stats::proportion::clopper_pearson(38, 40, 0.95).unwrap();
        assert_eq!((value.value, value.interval), (0.95, Some(exact)));
    }

    fn gate(name: &str, subject: CaseSubject, bound: &str, unit: Unit) -> CaseGate {
        CaseGate {
            subject,
            bound: Bound::parse(bound, unit).unwrap(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_limit_on_one_decision_is_kept_or_broken_case_by_case() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        data.answered(0, 1);
        let mut rule = rule(1);
        rule.case_gates = vec![gate(
            "accuracy",
            CaseSubject::Right(0, MetricId::Accuracy),
            ">= 100%",
            Unit::Share,
        )];
        let found = qualities(&[data.sheet()], &rule, false);
        let kept: Vec<bool> = found.cases.iter().map(|case| case.within_limits).collect();
        assert_eq!(kept, [true, false]);
    }

    #[test]
    fn an_unknown_time_keeps_no_limit_but_a_local_one() {
        let mut data = Data::choice(&["a", "b"]);
        data.answered(0, 0);
        let limit = [gate(
            "latency",
            CaseSubject::Latency,
            "<= 2s",
            Unit::Milliseconds,
        )];
        let found = qualities(&[data.sheet()], &rule(1), false);
        let kept = |time: Option<f64>, local: bool| {
            let mut found = found.clone();
            found.cases[0].latency_ms = time;
            found.limit_calls(&limit, local);
            found.cases[0].within_limits
        };
        assert!(kept(Some(2000.0), false) && !kept(Some(2000.5), false));
        assert!(!kept(None, false) && kept(None, true));
    }

    #[test]
    fn the_chance_of_what_is_right_is_the_sum_over_what_is_acceptable() {
        let mut data = Data::choice(&["a", "b", "c"]);
        data.case(0);
        data.cases[0].gold = vec![Some(Gold::AnyOf(vec![0, 2]))];
        data.say_shares(&[0.5, 0.3, 0.2]);
        data.answered(0, 0);
        let found = qualities(&[data.sheet()], &rule(1), false);
        assert!((found.cases[0].chance_of_right.unwrap() - 0.7).abs() < 1e-12);
        assert_eq!(found.cases[1].chance_of_right, None);
    }
}
