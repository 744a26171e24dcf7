//! Agreement with a published table, and what a person reads of it.

use super::explain::with_rerun;
use super::needs::on_lockbox;
use super::suite_run::SuiteRun;
use super::trial::{Trial, TrialResult, published_name};
use crate::judge::{Outcome, PublishedMeasure, judge_published, seed};
use crate::report::{PublishedBound, PublishedLine, PublishedModel, published_text};
use crate::score::{BesidePublished, Sheet, Unmeasurable, beside_published};
use crate::suite::PublishedFigures;

impl SuiteRun<'_> {
    /// The agreement with every published figure.
    pub fn published_lines(&self) -> Vec<PublishedLine> {
        let columns = self
            .suite()
            .published
            .iter()
            .flat_map(|table| &table.figures);
        (0..columns.count())
            .map(|at| self.published_line(at).clone())
            .collect()
    }

    fn published_line(&self, position: usize) -> &PublishedLine {
        self.published[position].get_or_init(|| {
            let table = self.suite().published.as_ref().expect("it has a figure");
            let column = &table.figures[position];
            line(
                self,
                table.source.as_deref(),
                position,
                column,
                &beside(self, column),
            )
        })
    }

    pub(super) fn published_trial(
        &self,
        trial: &Trial,
        position: usize,
        measure: PublishedMeasure,
    ) -> TrialResult {
        let line = self.published_line(position);
        let judged = line.bounds.iter().find(|bound| bound.measure == measure);
        let Some(judged) = judged else {
            return TrialResult::Passed;
        };
        let text = format!(
            "{}: {} {}; {}\n{}",
            judged.outcome,
            measure.name(),
            judged.bound,
            judged.reason,
            published_text(line)
        );
        match judged.outcome {
            Outcome::Pass if self.is_alone() => TrialResult::PassedWith(text),
            Outcome::Pass => TrialResult::Passed,
            Outcome::Inconclusive if !self.settings().strict => {
                TrialResult::Ignored(text.lines().next().unwrap_or_default().to_owned())
            }
            _ => TrialResult::Failed(with_rerun(self.settings(), trial, &text)),
        }
    }
}

fn beside(run: &SuiteRun<'_>, column: &PublishedFigures) -> Result<BesidePublished, Unmeasurable> {
    let suite = run.suite();
    let mut sheets: Vec<&Sheet<'_>> = Vec::with_capacity(column.models.len());
    for (candidate, _) in &column.models {
        let answers = run.candidate(*candidate);
        let name = &suite.candidates[*candidate].name;
        if let Some(reason) = &answers.failed {
            return Err(Unmeasurable::because(format!("`{name}`: {reason}")));
        }
        if answers.missing > 0 {
            return Err(Unmeasurable::because(format!(
                "`{name}`: {} answers are missing, and whoever is measured on fewer cases is not compared",
                answers.missing
            )));
        }
        sheets.push(&answers.sheets[column.question]);
    }
    let figures: Vec<f64> = column.models.iter().map(|(_, figure)| *figure).collect();
    beside_published(
        &sheets,
        &column.metric,
        &figures,
        &column.left_out,
        on_lockbox(suite, run.settings()),
        seed(&format!("published {}", column.metric)),
    )
}

fn line(
    run: &SuiteRun<'_>,
    source: Option<&str>,
    position: usize,
    column: &PublishedFigures,
    found: &Result<BesidePublished, Unmeasurable>,
) -> PublishedLine {
    let suite = run.suite();
    let bounds = [
        (PublishedMeasure::Spearman, &column.spearman),
        (PublishedMeasure::Error, &column.error),
    ];
    let at = |at: usize| {
        found
            .as_ref()
            .ok()
            .map(|found| (found.measured[at], found.predicted[at]))
    };
    PublishedLine {
        source: source.map(str::to_owned),
        name: suite.published_metric(column),
        metric: column.metric.clone(),
        models: column
            .models
            .iter()
            .enumerate()
            .map(|(position, (candidate, figure))| PublishedModel {
                name: suite.candidates[*candidate].name.clone(),
                published: *figure,
                measured: at(position).map(|(measured, _)| measured),
                predicted: at(position).and_then(|(_, predicted)| predicted),
                left_out: column.left_out[position],
            })
            .collect(),
        bounds: bounds
            .into_iter()
            .filter_map(|(measure, bound)| {
                let bound = bound.as_ref()?;
                let (outcome, reason) = judge_published(found, measure, bound);
                Some(PublishedBound {
                    trial: published_name(suite, position, measure),
                    measure,
                    bound: bound.clone(),
                    outcome,
                    reason,
                })
            })
            .collect(),
        found: found.clone(),
    }
}
