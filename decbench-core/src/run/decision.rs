//! A suite's row in the table of decisions: whom to take, from which confidence on, and what else.

use super::suite_run::SuiteRun;
use super::verdict::contest;
use crate::judge::{Contest, Merits, pick};
use crate::metric::{Metric, MetricId, Selection};
use crate::report::{DecisionRow, Timeout};
use crate::score::{Value, measure};
use crate::suite::{Candidate, Suite};

impl SuiteRun<'_> {
    /// Whom to take for this suite's decision; `None` where the suite asks for no verdict.
    pub fn decision(&self) -> Option<DecisionRow> {
        let suite = self.suite();
        let finding = self.verdict()?;
        let contest = contest(self)?;
        let merits: Vec<Merits> = (0..contest.entrants.len())
            .map(|at| {
                merits(
                    self,
                    &contest,
                    finding.candidates.get(at).and_then(|s| s.cost_per_1000),
                    at,
                )
            })
            .collect();
        let mut row = DecisionRow::new(&suite.name, finding);
        let Some(pick) = pick(&contest, finding, &merits) else {
            return Some(row);
        };
        let name = |at: usize| contest.entrants[at].name.clone();
        row.candidate = Some(name(pick.entrant));
        row.tied = pick.tied.iter().map(|at| name(*at)).collect();
        row.picked_by = Some(pick.by);
        row.cost_per_1000 = merits[pick.entrant].cost;
        row.calibration = merits[pick.entrant].calibration;
        row.fallback = fallback(suite);
        if let Some(position) = position(suite, &name(pick.entrant)) {
            row.threshold = threshold(self, position);
            row.timeout = timeout(self, position);
        }
        Some(row)
    }
}

fn position(suite: &Suite, name: &str) -> Option<usize> {
    let mut candidates = suite.candidates.iter();
    candidates.position(|candidate| candidate.name == name)
}

fn selection(contest: &Contest) -> Selection {
    Selection {
        lockbox: contest.lockbox,
        ..Selection::default()
    }
}

fn merits(run: &SuiteRun<'_>, contest: &Contest, cost: Option<f64>, at: usize) -> Merits {
    let entrant = &contest.entrants[at];
    let errors = position(run.suite(), &entrant.name).map(|position| {
        let sheets = run.candidate(position).sheets.iter();
        let errors: Option<Vec<f64>> = sheets
            .map(|sheet| {
                let ece = Metric::plain(MetricId::Ece);
                let measured = measure(sheet, &ece, &selection(contest), 0.95).value;
                measured.ok().map(|value| value.value)
            })
            .collect();
        errors
    });
    Merits {
        // The mean over a suite's questions.
        calibration: errors
            .flatten()
            .filter(|errors| !errors.is_empty())
            .map(|errors| errors.iter().sum::<f64>() / errors.len() as f64),
        latency: entrant.latencies.map(|times| times.p50),
        cost,
    }
}

/// The confidence from which on a guaranteed accuracy holds, by the first `coverage[…]` that is asserted.
fn threshold(run: &SuiteRun<'_>, candidate: usize) -> Option<(String, Option<f64>)> {
    let suite = run.suite();
    let at = run
        .assertions_of(candidate)
        .find(|at| suite.assertions[*at].metric.id == MetricId::Coverage)?;
    let value = run.judgements(at).first()?.value.as_ref();
    let part = |value: &Value| {
        let mut parts = value.parts.iter();
        parts
            .find(|(name, _)| *name == "threshold")
            .map(|(_, threshold)| *threshold)
    };
    Some((
        suite.metric_name(&suite.assertions[at]),
        value.and_then(part),
    ))
}

/// The candidate's own timeout, else the time within which 99% of its calls were answered.
fn timeout(run: &SuiteRun<'_>, position: usize) -> Option<Timeout> {
    let candidate: &Candidate = &run.suite().candidates[position];
    let own = candidate
        .settings
        .iter()
        .find(|setting| setting.key == "timeout");
    if let Some(own) = own {
        let text = own.value.as_str().map(str::to_owned);
        return Some(Timeout::Set(text.unwrap_or_else(|| own.value.to_string())));
    }
    let answers = run.candidate(position);
    let sheet = answers.sheets.first().filter(|_| answers.remote)?;
    let p99 = Metric::plain(MetricId::LatencyP99);
    let measured = measure(sheet, &p99, &Selection::default(), 0.95).value;
    measured.ok().map(|value| Timeout::Measured(value.value))
}

/// What the suite says, else the escape option of the first question that has one.
fn fallback(suite: &Suite) -> Option<String> {
    let own = suite
        .verdict
        .as_ref()
        .and_then(|verdict| verdict.fallback.clone());
    own.or_else(|| {
        suite.questions.iter().find_map(|question| {
            let escape = question.escape()?;
            Some(format!("answer `{}`", question.options[escape].key))
        })
    })
}
