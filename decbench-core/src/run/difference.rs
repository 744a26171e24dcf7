//! What changed between the answers of two states of a suite, case by case.

use std::collections::{BTreeSet, HashMap};

use super::baseline::Earlier;
use super::candidate::CandidateRun;
use super::driver::{gold, said};
use super::suite_run::SuiteRun;
use crate::judge::{RESAMPLES, seed};
use crate::metric::{Metric, MetricId};
use crate::score::{Observed, Row, Sheet, whole_difference};
use crate::stats::Interval;
use crate::stats::difference::{PairedTable, newcombe_paired};

/// Two-sided level of the interval of a change.
const LEVEL: f64 = 0.95;

/// What changed in the answers of one candidate since the baseline.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The candidate.
    pub candidate: String,
    /// By question of the suite.
    pub questions: Vec<QuestionDifference>,
    /// The models that answered then and now, sorted.
    pub models: (Vec<String>, Vec<String>),
    /// US dollars per 1,000 base calls then and now, where every compared answer has its cost.
    pub cost_per_1000: Option<(f64, f64)>,
}

/// What changed in the answers to one question.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QuestionDifference {
    /// Its name; empty for a suite's single unnamed one.
    pub question: String,
    /// Cases that both have answered.
    pub cases: usize,
    /// Cases of today's that were answered only then, and those that are answered only now; they are not compared.
    pub only: (usize, usize),
    /// Cases answered otherwise now, those first whose answer was most certain then.
    pub flips: Vec<Flip>,
    /// How far probabilities moved, where both have them.
    pub shift: Option<ProbabilityShift>,
    /// Accuracy then and now, where any of these cases has gold.
    pub accuracy: Option<AccuracyChange>,
}

/// A case that is answered otherwise now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Flip {
    /// Its id.
    pub case: String,
    /// What is right, in words.
    pub gold: Option<String>,
    /// The answers then and now.
    pub said: (String, String),
    /// Whether they are right; `None` where nobody knows.
    pub right: (Option<bool>, Option<bool>),
    /// By how much the top probability led the next one, then and now.
    pub margins: (Option<f64>, Option<f64>),
}

/// How far probabilities moved: half the sum of absolute differences over the options, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProbabilityShift {
    /// On average over cases.
    pub mean: f64,
    /// At most.
    pub most: f64,
    /// The case that moved most.
    pub case: String,
    /// How many cases have probabilities on both sides.
    pub cases: usize,
}

/// Accuracy on the same cases then and now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AccuracyChange {
    /// Then.
    pub before: f64,
    /// Now.
    pub after: f64,
    /// The interval of the difference, now minus then, at 95%; `None` where there is none.
    pub interval: Option<Interval>,
    /// How many cases with gold.
    pub cases: usize,
    /// How the interval is formed.
    pub method: &'static str,
}

impl SuiteRun<'_> {
    /// What changed in the candidate's base answers since the baseline.
    ///
    /// # Errors
    /// A message where there is nothing to compare with, or where the answers of now cannot be read.
    pub fn difference(&self, candidate: usize) -> Result<Difference, String> {
        let before = match self.earlier(candidate) {
            Earlier::Answers(answers, _) => answers,
            Earlier::Nothing(reason) | Earlier::Failed(reason) => return Err(reason.clone()),
        };
        let after = self.candidate(candidate);
        if let Some(reason) = &after.failed {
            return Err(reason.clone());
        }
        let pairs: Vec<Vec<Pair<'_>>> = (0..self.suite().questions.len())
            .map(|question| pairs(before, after, question))
            .collect();
        let all = || pairs.iter().flatten();
        Ok(Difference {
            candidate: self.suite().candidates[candidate].name.clone(),
            models: (
                models(all().map(|pair| pair.before)),
                models(all().map(|pair| pair.after)),
            ),
            cost_per_1000: cost(all().map(|pair| pair.before))
                .zip(cost(all().map(|pair| pair.after))),
            questions: pairs
                .iter()
                .enumerate()
                .map(|(question, pairs)| {
                    let sheets = (&before.sheets[question], &after.sheets[question]);
                    of_question(&self.suite().questions[question].name, pairs, sheets)
                })
                .collect(),
        })
    }
}

/// The base answers then and now to one case.
struct Pair<'r> {
    row: &'r Row<'r>,
    before: &'r Observed,
    after: &'r Observed,
}

fn pairs<'r>(
    before: &'r CandidateRun<'_>,
    after: &'r CandidateRun<'_>,
    question: usize,
) -> Vec<Pair<'r>> {
    let then: HashMap<(usize, &str), &Observed> = before.sheets[question]
        .rows
        .iter()
        .filter_map(|row| Some(((row.position, row.question.name.as_str()), row.base()?)))
        .collect();
    let rows = after.sheets[question].rows.iter();
    rows.filter_map(|row| {
        let after = row.base().filter(|after| after.said.is_some())?;
        let before = then.get(&(row.position, row.question.name.as_str()))?;
        before.said.is_some().then_some(Pair { row, before, after })
    })
    .collect()
}

fn of_question(
    name: &str,
    pairs: &[Pair<'_>],
    sheets: (&Sheet<'_>, &Sheet<'_>),
) -> QuestionDifference {
    let mut flips: Vec<Flip> = pairs
        .iter()
        .filter(|pair| pair.before.said != pair.after.said)
        .map(|pair| Flip {
            case: pair.row.case.id.clone(),
            gold: gold(pair.row),
            said: (said(pair.row, pair.before), said(pair.row, pair.after)),
            right: (
                pair.row.is_right(pair.before),
                pair.row.is_right(pair.after),
            ),
            margins: (pair.before.margin(), pair.after.margin()),
        })
        .collect();
    let lead = |flip: &Flip| flip.margins.0.unwrap_or(0.0);
    flips.sort_by(|a, b| lead(b).total_cmp(&lead(a)));
    QuestionDifference {
        question: name.to_owned(),
        cases: pairs.len(),
        only: (
            answered(sheets.0).saturating_sub(pairs.len()),
            answered(sheets.1).saturating_sub(pairs.len()),
        ),
        flips,
        shift: shift(pairs),
        accuracy: accuracy(pairs, sheets),
    }
}

/// How many cases have an answer.
fn answered(sheet: &Sheet<'_>) -> usize {
    let base = sheet.rows.iter().filter_map(Row::base);
    base.filter(|base| base.said.is_some()).count()
}

fn shift(pairs: &[Pair<'_>]) -> Option<ProbabilityShift> {
    let moved: Vec<(f64, &str)> = pairs
        .iter()
        .filter_map(|pair| {
            let before = pair.before.probabilities.as_ref()?;
            let after = pair.after.probabilities.as_ref()?;
            let apart = before
                .iter()
                .zip(after)
                .map(|(then, now)| (now - then).abs());
            Some((apart.sum::<f64>() / 2.0, pair.row.case.id.as_str()))
        })
        .collect();
    let (most, case) = moved.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(ProbabilityShift {
        mean: moved.iter().map(|(moved, _)| moved).sum::<f64>() / moved.len() as f64,
        most: *most,
        case: (*case).to_owned(),
        cases: moved.len(),
    })
}

fn accuracy(
    pairs: &[Pair<'_>],
    (before, after): (&Sheet<'_>, &Sheet<'_>),
) -> Option<AccuracyChange> {
    let mut units = BTreeSet::new();
    let (mut then, mut now) = (Vec::new(), Vec::new());
    for pair in pairs {
        let right = (
            pair.row.is_right(pair.before),
            pair.row.is_right(pair.after),
        );
        if let (Some(before), Some(after)) = right {
            units.insert(pair.row.case.unit);
            then.push(before);
            now.push(after);
        }
    }
    if then.is_empty() {
        return None;
    }
    let share =
        |right: &[bool]| right.iter().filter(|right| **right).count() as f64 / right.len() as f64;
    let (interval, method) = if units.len() == then.len() {
        let table = PairedTable::count(&now, &then).ok()?;
        (newcombe_paired(&table, LEVEL).ok(), "Newcombe, paired")
    } else {
        // Cases of one unit are no independent evidence: whole units are drawn.
        (drawn(before, after), "resampled units")
    };
    Some(AccuracyChange {
        before: share(&then),
        after: share(&now),
        interval,
        cases: then.len(),
        method,
    })
}

fn drawn(before: &Sheet<'_>, after: &Sheet<'_>) -> Option<Interval> {
    let metric = Metric::plain(MetricId::Accuracy);
    let seed = seed("difference accuracy");
    let difference = whole_difference(after, before, &metric, false, RESAMPLES, seed).ok()?;
    let mut drawn = difference.drawn;
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let position = (share * (drawn.len().saturating_sub(1)) as f64).round() as usize;
        drawn.get(position).copied()
    };
    Some(Interval {
        low: at((1.0 - LEVEL) / 2.0)?,
        high: at(f64::midpoint(1.0, LEVEL))?,
    })
}

fn models<'o>(answers: impl Iterator<Item = &'o Observed>) -> Vec<String> {
    let names: BTreeSet<String> = answers
        .filter_map(|answer| answer.measured.model.clone())
        .collect();
    names.into_iter().collect()
}

fn cost<'o>(answers: impl Iterator<Item = &'o Observed>) -> Option<f64> {
    let costs: Option<Vec<f64>> = answers.map(|answer| answer.measured.cost_usd).collect();
    let costs = costs.filter(|costs| !costs.is_empty())?;
    Some(1000.0 * costs.iter().sum::<f64>() / costs.len() as f64)
}
