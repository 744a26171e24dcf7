//! What `compare:` claims of candidates, and what a person reads when it does not hold.

use super::baseline::Earlier;
use super::candidate::CandidateRun;
use super::explain::with_rerun;
use super::needs::{has_lockbox, on_lockbox};
use super::suite_run::SuiteRun;
use super::trial::{Trial, claim_name};
use super::verdict::{entrant_of, made_of};
use crate::judge::{ClaimFinding, ClaimPair, Contest, Entrant, RESAMPLES, change, claims, seed};
use crate::metric::{Expect, Metric, MetricId, Needs, QualityPart, Unit, VerdictRule};
use crate::report::{ClaimLine, change_text, claim_line};
use crate::score::{Unmeasurable, WholeDifference, per_case, whole_difference};
use crate::suite::{Against, Comparison};

impl SuiteRun<'_> {
    /// What was found of the candidates of the comparison at this position.
    pub fn claims(&self, position: usize) -> &[ClaimFinding] {
        self.claims[position].get_or_init(|| {
            let comparison = &self.suite().comparisons[position];
            let pairs: Vec<ClaimPair> = comparison
                .candidates
                .iter()
                .map(|candidate| pair(self, comparison, *candidate))
                .collect();
            let mut found = claims(&pairs, comparison.claim, &comparison.metric);
            if comparison.against == Against::Baseline {
                for (finding, candidate) in found.iter_mut().zip(&comparison.candidates) {
                    finding.change = flips(self, comparison, *candidate);
                }
            }
            found
        })
    }

    /// Every claim with its outcome, by trial name.
    pub fn claim_lines(&self) -> Vec<ClaimLine> {
        let suite = self.suite();
        let mut lines: Vec<ClaimLine> = Vec::new();
        for (position, comparison) in suite.comparisons.iter().enumerate() {
            for (candidate, finding) in comparison.candidates.iter().zip(self.claims(position)) {
                let ids = |positions: &[usize]| -> Vec<String> {
                    let ids = positions.iter().map(|at| suite.cases[*at].id.clone());
                    ids.collect()
                };
                lines.push(ClaimLine {
                    trial: claim_name(suite, position, *candidate),
                    earlier: comparison.against == Against::Baseline,
                    newly_right: finding
                        .change
                        .as_ref()
                        .map_or_else(Vec::new, |change| ids(&change.newly_right)),
                    newly_wrong: finding
                        .change
                        .as_ref()
                        .map_or_else(Vec::new, |change| ids(&change.newly_wrong)),
                    finding: finding.clone(),
                });
            }
        }
        lines.sort_by(|a, b| a.trial.cmp(&b.trial));
        lines
    }
}

/// The rule by which one question is right or wrong.
fn rule(comparison: &Comparison) -> VerdictRule {
    let metric = match comparison.metric.id {
        MetricId::WithinOne => MetricId::WithinOne,
        _ => MetricId::Accuracy,
    };
    let mut rule = VerdictRule::new(Expect::Any, 1);
    rule.quality = vec![QualityPart {
        question: comparison.question,
        metric,
        weight: 1.0,
    }];
    rule.margin = comparison.margin;
    rule
}

/// The one compared with and its name, or why there is none.
enum Other<'r, 'a> {
    Answers(&'r CandidateRun<'a>, String),
    Nothing(String),
    Failed(String),
}

fn other<'r, 'a>(
    run: &'r SuiteRun<'a>,
    comparison: &Comparison,
    candidate: usize,
) -> Other<'r, 'a> {
    match comparison.against {
        Against::Candidate(position) => Other::Answers(
            run.candidate(position),
            run.suite().candidates[position].name.clone(),
        ),
        Against::Baseline => match run.earlier(candidate) {
            Earlier::Answers(answers, name) => {
                Other::Answers(answers, format!("its answers at {name}"))
            }
            Earlier::Nothing(reason) => Other::Nothing(reason.clone()),
            Earlier::Failed(reason) => Other::Failed(reason.clone()),
        },
    }
}

fn pair(run: &SuiteRun<'_>, comparison: &Comparison, candidate: usize) -> ClaimPair {
    let suite = run.suite();
    let lockbox = on_lockbox(suite, run.settings());
    let rule = rule(comparison);
    let own = run.candidate(candidate);
    let side = |answers: &CandidateRun<'_>, name: String, today: bool| Entrant {
        name,
        today,
        ..compared(run, comparison, &rule, candidate, answers)
    };
    let name = suite.candidates[candidate].name.clone();
    let mut skipped = None;
    let mut whole = None;
    let entrants = match other(run, comparison, candidate) {
        Other::Answers(answers, other_name) => {
            if comparison.metric.id.is_of_all_cases() {
                whole = Some(whole_of(comparison, own, answers, lockbox));
            }
            vec![side(answers, other_name, true), side(own, name, false)]
        }
        Other::Nothing(reason) => {
            skipped = Some(reason);
            vec![side(own, name, false)]
        }
        Other::Failed(reason) => {
            let mut failed = side(own, "the baseline".to_owned(), true);
            failed.failed = Some(reason);
            vec![failed, side(own, name, false)]
        }
    };
    ClaimPair {
        contest: Contest {
            entrants,
            made_of: made_of(suite, &rule),
            shares: comparison.metric.info().unit == Unit::Share
                || !comparison.metric.id.is_mean_over_cases(),
            lockbox,
            on_tuning_data: has_lockbox(suite) && !lockbox,
            rule,
        },
        whole,
        skipped,
    }
}

/// One side with the numbers by which it is compared.
fn compared(
    run: &SuiteRun<'_>,
    comparison: &Comparison,
    rule: &VerdictRule,
    candidate: usize,
    answers: &CandidateRun<'_>,
) -> Entrant {
    let suite = run.suite();
    let lockbox = on_lockbox(suite, run.settings());
    let mut entrant = entrant_of(&suite.candidates[candidate], answers, rule, lockbox);
    let metric = &comparison.metric;
    let by_answer = matches!(metric.id, MetricId::Accuracy | MetricId::WithinOne);
    let needs_gold = !matches!(
        metric.info().needs,
        Needs::Calls | Needs::Latency | Needs::Cost
    );
    // A metric of all cases is computed elsewhere; here it is counted who answered.
    let numbers = match (by_answer, metric.id.is_mean_over_cases()) {
        (true, _) => return entrant,
        (false, true) => metric.clone(),
        (false, false) if needs_gold => return entrant,
        (false, false) => Metric::plain(MetricId::ErrorRate),
    };
    let sheet = &answers.sheets[comparison.question];
    match per_case(sheet, &numbers, lockbox, !answers.remote) {
        Ok(qualities) => entrant.qualities = qualities,
        Err(reason) => {
            entrant.failed.get_or_insert(reason.to_string());
        }
    }
    entrant
}

fn whole_of(
    comparison: &Comparison,
    own: &CandidateRun<'_>,
    other: &CandidateRun<'_>,
    lockbox: bool,
) -> Result<WholeDifference, Unmeasurable> {
    let metric = &comparison.metric;
    if metric.info().needs == Needs::Latency && !(own.remote && other.remote) {
        return Err(Unmeasurable::because(
            "the time of a local function is a property of this machine",
        ));
    }
    let question = comparison.question;
    whole_difference(
        &own.sheets[question],
        &other.sheets[question],
        metric,
        lockbox,
        RESAMPLES,
        seed(&format!("whole {metric}")),
    )
}

/// What changed case by case since the baseline, where both have answers.
fn flips(
    run: &SuiteRun<'_>,
    comparison: &Comparison,
    candidate: usize,
) -> Option<crate::judge::Change> {
    let suite = run.suite();
    let Earlier::Answers(before, _) = run.earlier(candidate) else {
        return None;
    };
    let lockbox = on_lockbox(suite, run.settings());
    let rule = rule(comparison);
    let side = |answers: &CandidateRun<'_>, today: bool| Entrant {
        today,
        ..entrant_of(&suite.candidates[candidate], answers, &rule, lockbox)
    };
    change(&Contest {
        entrants: vec![side(before, true), side(run.candidate(candidate), false)],
        made_of: made_of(suite, &rule),
        shares: true,
        lockbox,
        on_tuning_data: has_lockbox(suite) && !lockbox,
        rule,
    })
}

/// A claim with its evidence, and what changed since the baseline.
pub(super) fn evidence(run: &SuiteRun<'_>, finding: &ClaimFinding) -> String {
    let mut text = claim_line(finding);
    if let Some(change) = &finding.change {
        let id = |position: usize| run.suite().cases[position].id.as_str();
        text.push('\n');
        text.push_str(change_text(change, id).trim_end());
    }
    text
}

/// A claim that does not hold, with its evidence.
pub(super) fn explain(run: &SuiteRun<'_>, trial: &Trial, finding: &ClaimFinding) -> String {
    let text = format!("{}\nclaimed   {}", finding.outcome, evidence(run, finding));
    with_rerun(run.settings(), trial, &text)
}
