//! What is known of one open answer, and what quality follows from it.

use super::super::observed::{Observed, Said};
use super::super::sheet::{Row, Sheet};
use super::checks::{Checked, check};
use super::metrics::number;
use crate::decision::{Check, FailureKind, State};
use crate::metric::{CaseGate, CaseSubject, MetricId};

/// How much a rubric and a comparison count where both apply.
const RUBRIC_SHARE: f64 = 0.6;
const PAIRWISE_SHARE: f64 = 0.4;

/// Why a judge's part of a quality is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Unjudged {
    /// A judgement is not recorded, or was not asked for.
    Missing,
    /// A judge failed, and nobody stood in for it.
    Failed(FailureKind),
    /// A judge would not say, and nobody stood in for it.
    Abstained,
    /// It is longer than the judge reads, and nobody stood in for it.
    TooLong,
}

impl Unjudged {
    /// What happened, for people.
    pub fn told(self) -> String {
        match self {
            Self::Missing => "a judgement is missing".to_owned(),
            Self::Failed(kind) => format!("a judge failed ({})", kind.name()),
            Self::Abstained => "a judge abstained".to_owned(),
            Self::TooLong => "it is longer than a judge reads".to_owned(),
        }
    }
}

/// What judges said of one answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judged {
    /// The mean of the votes on the rubric, from 0 to 1; `None` where there is no rubric.
    pub rubric: Option<Result<f64, Unjudged>>,
    /// 1 where every vote prefers this answer, 0 where none does and all prefer the other, else 0.5; `None` where
    /// nothing is compared.
    pub pairwise: Option<Result<f64, Unjudged>>,
    /// How many pairs of votes on the same thing agree, and how many there are.
    pub agreement: (u32, u32),
}

/// What is known of one answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grade {
    /// What the checks found, in the suite's order and then the case's.
    pub checks: Vec<Checked>,
    /// What judges said; `None` where nobody judges.
    pub judged: Option<Judged>,
    /// Whether the answer was made by an agent, whose tools give back what is recorded.
    pub agent: bool,
    /// Whether every limit on one answer is kept.
    pub within_limits: bool,
    /// The quality from which on an answer passes.
    pub success: f64,
}

/// When an answer passes.
#[derive(Debug, Clone, Copy)]
pub struct PassRule<'r> {
    /// The least quality.
    pub success: f64,
    /// Limits on the time and the cost of one answer.
    pub gates: &'r [CaseGate],
    /// Whether the candidate is on this machine, which has neither a time nor a price of its own.
    pub local: bool,
    /// Whether judges have a say, so that nothing is known of quality before they are heard.
    pub judged: bool,
}

impl Grade {
    /// What is to be said of the answer: the checks that fail, and what judges said.
    pub fn told(&self) -> String {
        let wrong = self.checks.iter().filter_map(|checked| {
            let wrong = checked.wrong.as_ref()?;
            Some(format!("{}: {wrong}", checked.kind.name()))
        });
        let mut parts: Vec<String> = wrong.collect();
        let judged = self.judged.as_ref();
        let said = [
            ("rubric", judged.and_then(|judged| judged.rubric)),
            ("pairwise", judged.and_then(|judged| judged.pairwise)),
        ];
        parts.extend(said.into_iter().filter_map(|(name, part)| {
            Some(match part? {
                Ok(share) => format!("{name} {share:.2}"),
                Err(why) => format!("{name}: {}", why.told()),
            })
        }));
        parts.join("; ")
    }

    fn checks_hold(&self) -> bool {
        self.checks.iter().all(|checked| checked.wrong.is_none())
    }

    /// The quality of an answer that came, from 0 to 1: 0.6 of the rubric and 0.4 of the comparison where both apply,
    /// else the one that does; without judges the share of checks that hold, and of an agent 1 where all do. `None`
    /// where nothing says what is right.
    fn quality(&self) -> Option<Result<f64, Unjudged>> {
        let judged = self.judged.as_ref();
        let parts = judged.map(|judged| (judged.rubric, judged.pairwise));
        match parts {
            Some((Some(rubric), Some(pairwise))) => Some(rubric.and_then(|rubric| {
                pairwise.map(|pairwise| RUBRIC_SHARE * rubric + PAIRWISE_SHARE * pairwise)
            })),
            Some((Some(one), None) | (None, Some(one))) => Some(one),
            Some((None, None)) | None if self.checks.is_empty() => None,
            _ if self.agent => Some(Ok(f64::from(u8::from(self.checks_hold())))),
            _ => {
                let held = self.checks.iter().filter(|one| one.wrong.is_none());
                Some(Ok(held.count() as f64 / self.checks.len() as f64))
            }
        }
    }

    /// Whether an answer that came passes.
    fn passes(&self) -> Option<Result<bool, Unjudged>> {
        // A check that fails needs no judge.
        if !self.checks_hold() || !self.within_limits {
            return Some(Ok(false));
        }
        let quality = self.quality()?;
        Some(quality.map(|quality| quality >= self.success - 1e-12))
    }
}

/// The grade of an answer, or that there was none: a call that failed.
pub(in super::super) fn graded(observed: &Observed) -> Option<&Grade> {
    observed
        .grade
        .as_deref()
        .filter(|_| observed.said == Some(Said::Wrote))
}

/// The quality of an answer; a call that failed has 0.
pub(in super::super) fn quality(observed: &Observed) -> Option<Result<f64, Unjudged>> {
    match graded(observed) {
        Some(grade) => grade.quality(),
        None => Some(Ok(0.0)),
    }
}

/// Whether an answer passes; a call that failed does not.
pub(in super::super) fn passes(observed: &Observed) -> Option<Result<bool, Unjudged>> {
    match graded(observed) {
        Some(grade) => grade.passes(),
        None => Some(Ok(false)),
    }
}

/// Whether a check of an answer that came fails.
pub(in super::super) fn breaks_a_check(observed: &Observed) -> bool {
    graded(observed).is_some_and(|grade| !grade.checks_hold())
}

/// Whether an agent did its task: its answer passes. `None` for other answers.
pub(in super::super) fn agent_succeeds(
    row: &Row<'_>,
    observed: &Observed,
) -> Option<Result<bool, Unjudged>> {
    matches!(row.case.state, Some(State::Agent(_)))
        .then(|| passes(observed))
        .flatten()
}

impl Sheet<'_> {
    /// Checks every answer to an open question: by what must hold of all of them, and by what its case expects.
    pub fn grade(&mut self, checks: &[Check], rule: PassRule<'_>) {
        for row in &mut self.rows {
            let expected = row.case.expected.as_deref();
            let own = expected.map_or(&[][..], |expected| &expected.checks);
            for observed in &mut row.observed {
                let Some(written) = &observed.written else {
                    continue;
                };
                let found = checks.iter().chain(own);
                observed.grade = Some(Box::new(Grade {
                    checks: found
                        .filter_map(|one| check(one, written, expected))
                        .collect(),
                    judged: rule.judged.then(|| Judged {
                        rubric: Some(Err(Unjudged::Missing)),
                        ..Judged::default()
                    }),
                    agent: matches!(row.case.state, Some(State::Agent(_))),
                    within_limits: within_limits(observed, rule),
                    success: rule.success,
                }));
            }
        }
    }

    /// Whether any base answer says something to a metric of open answers; other metrics are not asked.
    pub fn speaks_of(&self, metric: MetricId) -> bool {
        !metric.is_of_open_answers()
            || self.rows.iter().any(|row| {
                row.base().is_some_and(|base| {
                    graded(base).is_some() && number(metric, row, base).is_some()
                })
            })
    }

    /// Takes what judges said of the answers where they said something, by position of the case and by repeat.
    pub fn take_judgements(&mut self, mut judged: impl FnMut(usize, u32) -> Option<Judged>) {
        for row in &mut self.rows {
            for observed in &mut row.observed {
                let said = judged(row.position, observed.probe.repeat);
                if let (Some(grade), Some(said)) = (&mut observed.grade, said) {
                    grade.judged = Some(said);
                }
            }
        }
    }
}

fn within_limits(observed: &Observed, rule: PassRule<'_>) -> bool {
    let measured = &observed.measured;
    // No call was made for an answer that production gave.
    let free = rule.local || measured.attempts == Some(0);
    rule.gates.iter().all(|gate| match gate.subject {
        CaseSubject::Latency => free || gate.holds(measured.latency_ms),
        CaseSubject::Cost => free || gate.holds(measured.cost_usd),
        CaseSubject::Right(..) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::CheckKind;

    fn grade(rubric: Option<f64>, pairwise: Option<f64>, wrong: &[bool]) -> Grade {
        let checked = |wrong: &bool| Checked {
            kind: CheckKind::MustInclude,
            wrong: wrong.then(|| "no".to_owned()),
        };
        Grade {
            checks: wrong.iter().map(checked).collect(),
            judged: Some(Judged {
                rubric: rubric.map(Ok),
                pairwise: pairwise.map(Ok),
                agreement: (0, 0),
            }),
            within_limits: true,
            success: 0.8,
            ..Grade::default()
        }
    }

    #[test]
    fn quality_is_six_parts_rubric_and_four_parts_comparison_where_both_apply() {
        let of = |rubric, pairwise| grade(rubric, pairwise, &[]).quality();
        assert_eq!(of(Some(0.5), Some(1.0)), Some(Ok(0.7)));
        assert_eq!(of(Some(0.5), None), Some(Ok(0.5)));
        assert_eq!(of(None, Some(0.5)), Some(Ok(0.5)));
        assert_eq!(of(None, None), None);
        let checked = Grade {
            judged: None,
            ..grade(None, None, &[false, true])
        };
        assert_eq!(checked.quality(), Some(Ok(0.5)));
        let agent = Grade {
            agent: true,
            ..checked
        };
        assert_eq!(agent.quality(), Some(Ok(0.0)));
    }

    #[test]
    fn an_answer_passes_at_the_least_quality_where_every_check_and_limit_holds() {
        // A rubric that is all kept and a tie are just enough.
        assert_eq!(
            grade(Some(1.0), Some(0.5), &[false]).passes(),
            Some(Ok(true))
        );
        assert_eq!(grade(Some(0.99), Some(0.5), &[]).passes(), Some(Ok(false)));
        assert_eq!(
            grade(Some(1.0), Some(1.0), &[false, true]).passes(),
            Some(Ok(false))
        );
        let late = Grade {
            within_limits: false,
            ..grade(Some(1.0), None, &[])
        };
        assert_eq!(late.passes(), Some(Ok(false)));
    }

    #[test]
    fn a_judge_that_errs_leaves_the_quality_missing_and_never_zero() {
        let failed = Err(Unjudged::Failed(FailureKind::Timeout));
        let mut one = grade(Some(1.0), None, &[]);
        one.judged = Some(Judged {
            rubric: Some(Ok(1.0)),
            pairwise: Some(failed),
            agreement: (0, 0),
        });
        assert_eq!(one.quality(), Some(failed));
        assert_eq!(
            one.passes(),
            Some(Err(Unjudged::Failed(FailureKind::Timeout)))
        );
        one.checks.push(Checked {
            kind: CheckKind::ExactMatch,
            wrong: Some("no".to_owned()),
        });
        assert_eq!(
            one.passes(),
            Some(Ok(false)),
            "a failed check needs no judge"
        );
    }
}
