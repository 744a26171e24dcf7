//! A suite's verdict: who takes part, and what a person reads when it is not the one expected.

use std::fmt::Write as _;

use super::candidate::CandidateRun;
use super::explain::with_rerun;
use super::needs::{gates, has_lockbox, on_lockbox};
use super::suite_run::SuiteRun;
use super::trial::Trial;
use crate::judge::{Contest, Entrant, Finding, GateLine, Latencies, Outcome, judge, verdict};
use crate::metric::{Metric, MetricId, Requirement, Selection, VerdictRule};
use crate::report::{verdict_sentence, verdict_text};
use crate::score::{Sheet, measure, qualities};
use crate::suite::{Assertion, Candidate, Suite};

impl SuiteRun<'_> {
    /// The verdict over the candidates, where the suite asks for one.
    pub fn verdict(&self) -> Option<&Finding> {
        let reach = || contest(self).map(|contest| verdict(&contest));
        self.verdict.get_or_init(reach).as_ref()
    }
}

/// Everything the verdict is reached from; `None` where the suite asks for none.
pub(super) fn contest(run: &SuiteRun<'_>) -> Option<Contest> {
    let suite = run.suite();
    let verdict = suite.verdict.as_ref()?;
    let lockbox = on_lockbox(suite, run.settings());
    let entrants = (0..suite.candidates.len())
        .filter(|at| !suite.candidates[*at].baseline || suite.candidates[*at].today)
        .map(|at| {
            let plain = entrant(run, &verdict.rule, at, lockbox);
            Entrant {
                failed: plain.failed.or_else(|| run.mixed(at, &run.for_verdict)),
                gates: gates(verdict, lockbox)
                    .filter(|gate| gate.candidate == at)
                    .flat_map(|gate| {
                        gate_lines(suite, &gate, &run.candidate(at).sheets[gate.question])
                    })
                    .collect(),
                ..plain
            }
        })
        .collect();
    Some(Contest {
        rule: verdict.rule.clone(),
        entrants,
        made_of: made_of(suite, &verdict.rule),
        shares: true,
        lockbox,
        on_tuning_data: has_lockbox(suite) && !lockbox,
    })
}

/// A candidate with its qualities by a rule, before any gate.
pub(super) fn entrant(
    run: &SuiteRun<'_>,
    rule: &VerdictRule,
    position: usize,
    lockbox: bool,
) -> Entrant {
    let candidate = &run.suite().candidates[position];
    let answers = run.candidate(position);
    let entrant = entrant_of(candidate, answers, rule, lockbox);
    Entrant {
        skipped: answers.sheets.first().map_or(0, |sheet| sheet.skipped),
        failed: entrant.failed.or_else(|| run.mixed(position, [])),
        ..entrant
    }
}

/// A candidate with the qualities of these answers by a rule, before any gate.
pub(super) fn entrant_of(
    candidate: &Candidate,
    answers: &CandidateRun<'_>,
    rule: &VerdictRule,
    lockbox: bool,
) -> Entrant {
    let mut qualities = qualities(&answers.sheets, rule, lockbox);
    if !answers.remote {
        for case in &mut qualities.cases {
            // A local function is free, and its time is a property of this machine.
            case.latency_ms = None;
            case.cost_usd.get_or_insert(0.0);
        }
    }
    qualities.limit_calls(&rule.case_gates, !answers.remote);
    Entrant {
        name: candidate.name.clone(),
        today: candidate.today,
        qualities,
        gates: Vec::new(),
        latencies: answers
            .remote
            .then(|| latencies(&answers.sheets[0], lockbox))
            .flatten(),
        failed: answers
            .failed
            .as_ref()
            .or(answers.refused.as_ref().filter(|_| lockbox))
            .cloned(),
        skipped: 0,
        tuning_rounds: candidate.tuning_rounds.unwrap_or(0),
    }
}

fn gate_lines(suite: &Suite, gate: &Assertion, sheet: &Sheet<'_>) -> Vec<GateLine> {
    let name = suite.metric_name(gate);
    let line = |requirement: &Requirement| {
        let measured = measure(
            sheet,
            &gate.metric,
            &requirement.selection,
            requirement.confidence,
        );
        GateLine {
            gate: format!("{name} {}", requirement.bound),
            judgement: judge(&gate.metric, requirement, &measured),
        }
    };
    gate.requirements.iter().map(line).collect()
}

fn latencies(sheet: &Sheet<'_>, lockbox: bool) -> Option<Latencies> {
    let selection = Selection {
        lockbox,
        ..Selection::default()
    };
    let percentile = |id| {
        let value = measure(sheet, &Metric::plain(id), &selection, 0.95).value;
        value.ok().map(|value| value.value)
    };
    Some(Latencies {
        p50: percentile(MetricId::LatencyP50)?,
        p95: percentile(MetricId::LatencyP95)?,
    })
}

/// What quality is made of, in words.
pub(super) fn made_of(suite: &Suite, rule: &VerdictRule) -> String {
    if let Some(open) = &suite.open {
        let judged = open.judging.as_ref();
        let judged = judged.map(|judging| (!judging.rubric.is_empty(), judging.pairwise));
        let made_of = match judged {
            None => "the share of checks that hold",
            Some((true, Some(_))) => "0.6 of the rubric and 0.4 of the comparison, as judged",
            Some((false, Some(_))) => "the comparison, as judged",
            Some((_, None)) => "the rubric, as judged",
        };
        return made_of.to_owned();
    }
    let equal = rule
        .quality
        .windows(2)
        .all(|pair| pair[0].weight == pair[1].weight);
    let parts: Vec<String> = rule
        .quality
        .iter()
        .map(|part| {
            let question = suite
                .questions
                .get(part.question)
                .map_or("", |question| question.name.as_str());
            let metric = part.metric.info().name;
            let name = if question.is_empty() {
                metric.to_owned()
            } else {
                format!("{question}.{metric}")
            };
            if equal {
                name
            } else {
                format!("{name} × {}", part.weight)
            }
        })
        .collect();
    if parts.len() == 1 {
        parts.concat()
    } else {
        format!("the mean of {}", parts.join(", "))
    }
}

/// One line about a verdict that leaves its expectation open.
pub(super) fn one_line(finding: &Finding) -> String {
    format!(
        "{}: expected {}; {}",
        finding.judged,
        finding.expect.name(),
        verdict_sentence(finding)
    )
}

/// A verdict that is not the one expected: what was expected, the verdict and its evidence.
pub(super) fn explain(run: &SuiteRun<'_>, trial: &Trial, finding: &Finding) -> String {
    let mut text = format!(
        "{}\nexpected  {}\nobserved  {}\n\n{}",
        finding.judged,
        finding.expect.name(),
        finding.outcome.name(),
        verdict_text(finding)
    );
    if finding.judged == Outcome::CouldNotRun {
        let suite = run.suite();
        for (at, candidate) in suite.candidates.iter().enumerate() {
            if candidate.baseline && !candidate.today {
                continue;
            }
            let answers = run.candidate(at);
            for miss in &answers.misses {
                let _ = writeln!(text, "missing   {}: {miss}", candidate.name);
            }
            if answers.missing > 0 && answers.recordable {
                let _ = writeln!(
                    text,
                    "record    {}",
                    run.settings().record.replace("{}", &trial.name)
                );
            }
        }
    }
    with_rerun(run.settings(), trial, &text)
}
