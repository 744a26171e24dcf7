//! What raters answered to one question, and how well they agree beyond chance.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::given::Given;
use crate::decision::{Case, Question, QuestionKind};
use crate::stats::agreement::cohen_kappa;
use crate::stats::jackknife::delete_a_group;
use crate::stats::many_raters::{fleiss_kappa, krippendorff_nominal, krippendorff_ordinal};
use crate::stats::random::RandomStream;
use crate::stats::{Interval, Seed, Undefined};

/// Two-sided level of all intervals here.
const LEVEL: f64 = 0.95;

/// The answers of raters to one question.
#[derive(Debug)]
pub(super) struct Ratings<'a> {
    /// The question.
    pub(super) question: &'a Question,
    /// Cases with at least two ratings.
    pub(super) items: Vec<Rated<'a>>,
    /// Cases with one.
    pub(super) single: usize,
    /// The raters who answered any of them.
    pub(super) raters: BTreeSet<&'a str>,
    /// How many different answers there can be: the options, and whatever else was answered.
    classes: usize,
}

/// A case and its ratings.
#[derive(Debug)]
pub(super) struct Rated<'a> {
    pub(super) case: &'a Case,
    /// Position of the question among the case's.
    pub(super) at: usize,
    /// By rater: number of the answer.
    pub(super) labels: BTreeMap<&'a str, usize>,
}

impl Rated<'_> {
    /// Whether the raters differ.
    pub(super) fn is_split(&self) -> bool {
        let mut labels = self.labels.values();
        let first = labels.next();
        labels.any(|label| Some(label) != first)
    }

    /// Who said what.
    pub(super) fn said(&self) -> String {
        let said: Vec<String> = self
            .labels
            .keys()
            .filter_map(|rater| {
                let answer = self.case.labels.get(*rater)?.get(self.at)?.as_ref()?;
                Some(format!("{rater} {answer}"))
            })
            .collect();
        format!("{} ({})", self.case.id, said.join(", "))
    }
}

/// Agreement beyond chance with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Agreement {
    /// Which statistic: `Cohen's kappa`, `Fleiss' kappa`, `Krippendorff's alpha`.
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) interval: Interval,
}

/// By what agreement is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistic {
    /// Two raters.
    Cohen,
    /// More, who all rated every case.
    Fleiss,
    /// More, some cases not rated by all; and scores, where near is nearly right.
    Krippendorff,
}

/// The ratings of every question of the suite that two raters of a case answered. Models of a panel are no raters.
pub(super) fn ratings<'a>(given: &Given<'a>) -> Vec<Ratings<'a>> {
    let suite = given.suite;
    let is_model = |rater: &str| {
        let panel = suite.data.panel.as_ref();
        panel.is_some_and(|panel| panel.models.iter().any(|model| model == rater))
    };
    let mut all: Vec<Ratings<'a>> = suite
        .questions
        .iter()
        .map(|question| Ratings {
            question,
            items: Vec::new(),
            single: 0,
            raters: BTreeSet::new(),
            classes: question.options.len(),
        })
        .collect();
    let mut strangers: HashMap<(usize, &str), usize> = HashMap::new();
    for case in given.cases() {
        for (at, asked) in case.questions(&suite.questions).iter().enumerate() {
            let Some(of) = suite.counts_for(case, at) else {
                continue;
            };
            // Answers to other options cannot be pooled.
            if asked.options.len() != suite.questions[of].options.len() {
                continue;
            }
            let ratings = &mut all[of];
            let mut labels = BTreeMap::new();
            for (rater, answers) in &case.labels {
                let Some(answer) = answers.get(at).and_then(Option::as_ref) else {
                    continue;
                };
                if is_model(rater) {
                    continue;
                }
                let label = asked.index_of(answer).unwrap_or_else(|| {
                    *strangers.entry((of, answer)).or_insert_with(|| {
                        ratings.classes += 1;
                        ratings.classes - 1
                    })
                });
                labels.insert(rater.as_str(), label);
            }
            match labels.len() {
                0 => {}
                1 => ratings.single += 1,
                _ => {
                    ratings.raters.extend(labels.keys());
                    ratings.items.push(Rated { case, at, labels });
                }
            }
        }
    }
    all.retain(|ratings| !ratings.items.is_empty());
    all
}

impl<'a> Ratings<'a> {
    /// How well the raters agree: Cohen's kappa of two, Fleiss' of more who all rated every case, else Krippendorff's
    /// alpha, which counts near answers on a scale as near.
    pub(super) fn agreement(&self) -> Result<Agreement, Undefined> {
        let rows: Vec<&Rated<'a>> = self.items.iter().collect();
        let units: BTreeSet<u32> = rows.iter().map(|item| item.case.unit).collect();
        if self.raters.len() == 2 && units.len() == rows.len() {
            let (first, second) = self.pair(&rows);
            let found = cohen_kappa(&first, &second, self.classes, LEVEL)?;
            return Ok(Agreement {
                name: "Cohen's kappa",
                value: found.kappa,
                interval: found.interval.cut(-1.0, 1.0),
            });
        }
        let all_rated = rows
            .iter()
            .all(|item| item.labels.len() == rows[0].labels.len());
        let statistic = if self.raters.len() == 2 {
            Statistic::Cohen
        } else if all_rated && self.question.kind != QuestionKind::Score {
            Statistic::Fleiss
        } else {
            Statistic::Krippendorff
        };
        let value = self.value_of(statistic, &rows)?;
        let numbers = shuffled(&units);
        let found = delete_a_group(value, units.len(), LEVEL, |group, groups| {
            let kept: Vec<&Rated<'a>> = rows
                .iter()
                .filter(|item| numbers[&item.case.unit] % groups != group)
                .copied()
                .collect();
            self.value_of(statistic, &kept)
        })?;
        Ok(Agreement {
            name: self.name_of(statistic),
            value,
            interval: found.interval.cut(-1.0, 1.0),
        })
    }

    fn value_of(&self, statistic: Statistic, rows: &[&Rated<'a>]) -> Result<f64, Undefined> {
        match statistic {
            Statistic::Cohen => self.cohen(rows),
            Statistic::Fleiss => fleiss_kappa(&plain(rows), self.classes),
            Statistic::Krippendorff => self.alpha(rows),
        }
    }

    fn name_of(&self, statistic: Statistic) -> &'static str {
        match statistic {
            Statistic::Cohen => "Cohen's kappa",
            Statistic::Fleiss => "Fleiss' kappa",
            Statistic::Krippendorff if self.question.kind == QuestionKind::Score => {
                "Krippendorff's alpha, ordinal"
            }
            Statistic::Krippendorff => "Krippendorff's alpha",
        }
    }

    /// Krippendorff's alpha: nominal, or ordinal for a score.
    pub(super) fn alpha(&self, rows: &[&Rated<'a>]) -> Result<f64, Undefined> {
        if self.question.kind == QuestionKind::Score {
            krippendorff_ordinal(&plain(rows), self.classes)
        } else {
            krippendorff_nominal(&plain(rows), self.classes)
        }
    }

    /// The share of cases on which all raters say the same.
    pub(super) fn unanimous(&self) -> f64 {
        let split = self.items.iter().filter(|item| item.is_split()).count();
        1.0 - split as f64 / self.items.len() as f64
    }

    fn cohen(&self, rows: &[&Rated<'a>]) -> Result<f64, Undefined> {
        let (first, second) = self.pair(rows);
        cohen_kappa(&first, &second, self.classes, LEVEL).map(|found| found.kappa)
    }

    /// The answers of the two raters; every item has both.
    fn pair(&self, rows: &[&Rated<'a>]) -> (Vec<usize>, Vec<usize>) {
        let of = |rater: Option<&&str>| {
            let labels = rows
                .iter()
                .map(|item| rater.and_then(|rater| item.labels.get(*rater)));
            labels.map(|label| label.copied().unwrap_or(0)).collect()
        };
        let mut raters = self.raters.iter();
        (of(raters.next()), of(raters.next()))
    }
}

/// A number for each unit, in a seeded order: files may be sorted, or alternate.
fn shuffled(units: &BTreeSet<u32>) -> HashMap<u32, usize> {
    let mut order: Vec<u32> = units.iter().copied().collect();
    let mut stream = RandomStream::new(Seed(0).derive("agreement of raters"));
    for last in (1..order.len()).rev() {
        order.swap(last, stream.next_index(last + 1));
    }
    order
        .into_iter()
        .enumerate()
        .map(|(at, unit)| (unit, at))
        .collect()
}

fn plain(rows: &[&Rated<'_>]) -> Vec<Vec<Option<usize>>> {
    rows.iter()
        .map(|item| item.labels.values().copied().map(Some).collect())
        .collect()
}
