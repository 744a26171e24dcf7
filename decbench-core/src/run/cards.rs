//! The suite's scorecard, put together from its sheets.

use std::collections::BTreeSet;

use super::metrics::metrics_of;
use super::suite_run::SuiteRun;
use crate::data::{Ceiling, has_gold};
use crate::metric::{Field, Grouping, Metric, MetricId, Sample, Selection, Unit};
use crate::report::{
    CandidateCard, GroupCard, MetricLine, QuestionCard, Scorecard, format_interval, format_value,
};
use crate::score::{ALL_THERE_ARE, Sheet, measure, tables};

/// Level of the intervals on a scorecard.
const LEVEL: f64 = 0.95;

pub(super) fn scorecard(run: &SuiteRun<'_>) -> Scorecard {
    let suite = run.suite();
    let mut card = Scorecard::new(&suite.name, suite.digest.to_string());
    card.cases = suite.cases.len();
    card.with_gold = suite
        .cases
        .iter()
        .filter(|case| has_gold(case, &suite.questions))
        .count();
    card.units = suite
        .cases
        .iter()
        .map(|case| case.unit)
        .collect::<BTreeSet<_>>()
        .len();
    for (position, candidate) in suite.candidates.iter().enumerate() {
        let answers = run.candidate(position);
        let mut notes = answers.notes.clone();
        notes.extend(answers.failed.clone());
        if answers.missing > 0 {
            notes.push(format!("{} answers are missing", answers.missing));
        }
        let questions = answers.sheets.iter().enumerate().map(|(question, sheet)| {
            let asserted: Vec<Metric> = run
                .assertions_of(position)
                .map(|at| &suite.assertions[at])
                .filter(|assertion| assertion.question == question)
                .map(|assertion| assertion.metric.clone())
                .collect();
            question_card(sheet, &asserted, &suite.by)
        });
        let questions: Vec<QuestionCard> = questions.collect();
        for question in &questions {
            let named = match question.name.as_str() {
                "" => String::new(),
                name => format!("{name}: "),
            };
            let doubts = question.tables.doubts.iter();
            notes.extend(doubts.map(|doubt| format!("{named}{doubt}")));
        }
        notes.extend(
            questions
                .iter()
                .enumerate()
                .filter_map(|(at, card)| beside_humans(card, run.ceiling(at)?)),
        );
        card.candidates.push(CandidateCard {
            name: candidate.name.clone(),
            today: candidate.today,
            baseline: candidate.baseline,
            remote: answers.remote,
            questions,
            notes,
        });
    }
    card.data = run.data_lines();
    card.assertions = run.assertion_lines();
    card.claims = run.claim_lines();
    card.published = run.published_lines();
    card.turns = run.turn_lines();
    card.load = run.load_line();
    card.verdict = run.verdict().cloned();
    card
}

/// A candidate's kappa with gold beside that of the raters with each other.
fn beside_humans(card: &QuestionCard, ceiling: &Ceiling) -> Option<String> {
    let kappa = Metric::plain(MetricId::Kappa);
    let line = card.metrics.iter().find(|line| line.metric == kappa)?;
    let value = line.measurement.value.as_ref().ok()?;
    let question = match card.name.as_str() {
        "" => String::new(),
        name => format!("{name}."),
    };
    Some(format!(
        "{question}kappa {} with gold, {} of the raters with each other is {} {}: the human ceiling",
        format_value(value.value, Unit::Number),
        ceiling.name,
        format_value(ceiling.value, Unit::Number),
        format_interval(ceiling.interval, Unit::Number),
    ))
}

fn question_card(sheet: &Sheet<'_>, asserted: &[Metric], by: &[Grouping]) -> QuestionCard {
    let metrics = metrics_of(sheet, asserted);
    let everything = Selection {
        repeats: ALL_THERE_ARE,
        orders: ALL_THERE_ARE,
        ..Selection::default()
    };
    QuestionCard {
        name: sheet.question.name.clone(),
        version: sheet.question.version,
        metrics: lines(sheet, &metrics, &everything),
        population: if sheet.rows.iter().any(|row| row.case.weight != 1.0) {
            let weighted = Selection {
                sample: Sample::Population,
                ..everything.clone()
            };
            lines(sheet, &metrics, &weighted)
        } else {
            Vec::new()
        },
        groups: by
            .iter()
            .flat_map(|grouping| groups(sheet, &metrics, grouping, &everything))
            .collect(),
        options: sheet
            .question
            .options
            .iter()
            .map(|option| option.key.clone())
            .collect(),
        tables: tables(sheet, &everything),
    }
}

fn lines(sheet: &Sheet<'_>, metrics: &[Metric], selection: &Selection) -> Vec<MetricLine> {
    metrics
        .iter()
        .map(|metric| MetricLine {
            metric: metric.clone(),
            measurement: measure(sheet, metric, selection, LEVEL),
        })
        .collect()
}

/// Every value of a grouping that occurs, sorted.
fn groups(
    sheet: &Sheet<'_>,
    metrics: &[Metric],
    grouping: &Grouping,
    everything: &Selection,
) -> Vec<GroupCard> {
    let values: BTreeSet<Vec<(Field, String)>> = sheet
        .rows
        .iter()
        .filter_map(|row| {
            grouping
                .0
                .iter()
                .map(|field| Some((field.clone(), row.field(field)?)))
                .collect()
        })
        .collect();
    values
        .into_iter()
        .map(|filter| {
            let value = filter
                .iter()
                .map(|(_, value)| value.as_str())
                .collect::<Vec<_>>()
                .join(" × ");
            let selection = Selection {
                filter,
                ..everything.clone()
            };
            GroupCard {
                by: grouping.to_string(),
                value,
                metrics: lines(sheet, metrics, &selection),
            }
        })
        .collect()
}
