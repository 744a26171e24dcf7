//! Which models answered for a candidate, and when.
//!
//! A name may mean another model tomorrow. Answers of two models measure neither: an assertion that would read both
//! could not run, whatever the numbers say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;

use crate::decision::{Answer, Context, Plan};

/// Under which circumstances an answer was given, as far as plans tell them apart: the repeat, whether the options
/// stood in the suite's order, the view.
type Circumstance = (u32, bool, Context);

/// Served models with their answers, by circumstance.
#[derive(Debug, Clone, Default)]
pub(super) struct Served(BTreeMap<Circumstance, BTreeMap<String, Group>>);

/// Answers of one model.
#[derive(Debug, Clone, Default)]
struct Group {
    answers: usize,
    /// When the first was given, as far as dates can be read.
    oldest: Option<Timestamp>,
    undated: usize,
}

impl Group {
    fn add(&mut self, other: &Self) {
        self.answers += other.answers;
        self.undated += other.undated;
        self.oldest = match (self.oldest, other.oldest) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

impl Served {
    /// What there is; failed calls that name no model are left out.
    pub(super) fn of(answers: &[Answer]) -> Self {
        let mut served = Self::default();
        for answer in answers {
            let model = match (&answer.measured.model, &answer.outcome) {
                (Some(model), _) => model.as_str(),
                (None, Ok(_)) => "",
                (None, Err(_)) => continue,
            };
            let at = answer.measured.at.as_deref().and_then(|at| at.parse().ok());
            let probe = &answer.probe;
            served
                .0
                .entry((probe.repeat, probe.in_suite_order(), probe.context))
                .or_default()
                .entry(model.to_owned())
                .or_default()
                .add(&Group {
                    answers: 1,
                    oldest: at,
                    undated: usize::from(at.is_none()),
                });
        }
        served
    }

    /// The models behind the answers that a plan reads; an empty name for answers that name none.
    fn read_by(&self, plan: &Plan) -> BTreeMap<&str, Group> {
        let wanted: BTreeSet<Circumstance> = plan
            .calls
            .iter()
            .map(|call| (call.repeat, call.order == 0, call.context))
            .collect();
        let mut models: BTreeMap<&str, Group> = BTreeMap::new();
        let read = self.0.iter().filter(|(when, _)| wanted.contains(when));
        for (model, group) in read.flat_map(|(_, models)| models) {
            models.entry(model).or_default().add(group);
        }
        models
    }

    /// Whether there is more than one model at all; most often not, and no plan has to be looked at.
    fn are_several(&self) -> bool {
        let names: BTreeSet<&str> = self.0.values().flat_map(named).collect();
        names.len() > 1
    }

    /// Why the answers that a plan reads measure no one model, if so.
    pub(super) fn mixed(&self, plan: impl FnOnce() -> Plan, requested: &str) -> Option<String> {
        if !self.are_several() {
            return None;
        }
        let models = self.read_by(&plan());
        let named: Vec<_> = models.iter().filter(|(name, _)| !name.is_empty()).collect();
        (named.len() > 1).then(|| {
            let mut text = format!(
                "under the name `{requested}` {} models answered:",
                named.len()
            );
            for (at, (name, group)) in named.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                let _ = write!(text, "{comma} {name} ({})", answers(group.answers));
            }
            text + "; ask for one of them by its full name, or record all answers anew"
        })
    }

    /// What is wrong with the answers that a plan reads, by their age and the names of their models.
    pub(super) fn faults(
        &self,
        plan: &Plan,
        requested: &str,
        max_age: Option<Duration>,
        exact: bool,
        now: Timestamp,
    ) -> Vec<String> {
        let models = self.read_by(plan);
        if models.is_empty() {
            return vec!["there is no recorded answer".to_owned()];
        }
        let mut faults = Vec::new();
        if let Some(max_age) = max_age {
            let mut all = Group::default();
            for group in models.values() {
                all.add(group);
            }
            faults.extend(too_old(&all, max_age, now));
        }
        if exact {
            let others = models.iter().filter(|(name, _)| **name != requested);
            faults.extend(others.map(|(name, group)| {
                let who = match *name {
                    "" => "a model that is not named",
                    name => name,
                };
                format!(
                    "{} of {who}, and `{requested}` was asked for",
                    answers(group.answers)
                )
            }));
        }
        faults
    }
}

fn named(models: &BTreeMap<String, Group>) -> impl Iterator<Item = &str> {
    models
        .keys()
        .map(String::as_str)
        .filter(|name| !name.is_empty())
}

fn too_old(all: &Group, max_age: Duration, now: Timestamp) -> Vec<String> {
    let mut faults = Vec::new();
    if all.undated > 0 {
        faults.push(format!("{} without a date", answers(all.undated)));
    }
    if let Some(oldest) = all.oldest {
        let age = now.duration_since(oldest);
        // An answer from the future, by a clock that was wrong, is not old.
        if !age.is_negative() && age.unsigned_abs() > max_age {
            faults.push(format!(
                "the oldest of {} answers is of {}, {} before today, {}; `max_age` is {}",
                all.answers,
                oldest.strftime("%Y-%m-%d"),
                in_days(age.unsigned_abs()),
                now.strftime("%Y-%m-%d"),
                in_days(max_age)
            ));
        }
    }
    faults
}

fn answers(count: usize) -> String {
    match count {
        1 => "1 answer".to_owned(),
        count => format!("{count} answers"),
    }
}

/// Whole days, or hours below two of them.
fn in_days(time: Duration) -> String {
    let hours = time.as_secs() / 3600;
    if hours < 48 {
        format!("{hours} hours")
    } else {
        format!("{} days", hours / 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Call, Decided, Failure, FailureKind, Measured, Probe};

    fn answer(model: Option<&str>, repeat: u32, at: &str) -> Answer {
        Answer {
            case: "c".to_owned(),
            question: String::new(),
            probe: Probe {
                repeat,
                ..Probe::base(2)
            },
            request: None,
            outcome: Ok(Decided::default()),
            measured: Measured {
                model: model.map(str::to_owned),
                at: Some(at.to_owned()),
                ..Measured::default()
            },
        }
    }

    fn plan(repeats: u32) -> Plan {
        let call = |repeat| Call {
            case: 0,
            repeat,
            order: 0,
            context: Context::Production,
            questions: vec![0],
        };
        Plan {
            calls: (0..repeats).map(call).collect(),
        }
    }

    const MAY: &str = "2026-05-01T00:00:00Z";
    const JUNE: &str = "2026-06-01T12:00:00Z";

    #[test]
    fn answers_of_two_models_are_told_to_whoever_reads_both() {
        let served = Served::of(&[
            answer(Some("jev-1.13.0"), 0, MAY),
            answer(Some("jev-1.13.0"), 0, MAY),
            answer(Some("jev-1.14.0"), 1, JUNE),
            answer(None, 0, MAY),
        ]);
        assert_eq!(
            served.mixed(|| plan(1), "jev-latest"),
            None,
            "repeats are not read"
        );
        let text = served
            .mixed(|| plan(2), "jev-latest")
            .expect("both are read");
        assert!(
            text.starts_with(
                "under the name `jev-latest` 2 models answered: jev-1.13.0 (2 answers), jev-1.14.0 (1 answer)"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_call_that_reached_nobody_is_of_no_model() {
        let mut failed = answer(None, 0, MAY);
        failed.outcome = Err(Failure::new(FailureKind::Timeout, "late"));
        let served = Served::of(&[answer(Some("m"), 0, MAY), failed]);
        let now = JUNE.parse().expect("a time");
        assert_eq!(
            served.faults(&plan(1), "m", None, true, now),
            Vec::<String>::new()
        );
    }

    #[test]
    fn age_counts_from_the_oldest_answer_to_the_given_day() {
        let served = Served::of(&[answer(Some("m"), 0, MAY), answer(Some("m"), 0, JUNE)]);
        let faults = |now: &str, days: u64| {
            let max_age = Some(Duration::from_secs(days * 86_400));
            served.faults(&plan(1), "m", max_age, true, now.parse().expect("a time"))
        };
        assert_eq!(faults("2026-05-31T00:00:00Z", 30), Vec::<String>::new());
        assert_eq!(
            faults("2026-05-31T00:00:01Z", 30),
            [
                "the oldest of 2 answers is of 2026-05-01, 30 days before today, 2026-05-31; `max_age` is 30 days"
            ]
        );
        assert_eq!(faults("2020-01-01T00:00:00Z", 30), Vec::<String>::new());
        let undated = Served::of(&[answer(Some("m"), 0, "yesterday")]);
        let now = JUNE.parse().expect("a time");
        let max_age = Some(Duration::from_secs(86_400));
        assert_eq!(
            undated.faults(&plan(1), "m", max_age, false, now),
            ["1 answer without a date"]
        );
    }

    #[test]
    fn the_very_model_is_the_one_that_was_asked_for() {
        let now = JUNE.parse().expect("a time");
        let faults =
            |answers: &[Answer]| Served::of(answers).faults(&plan(1), "m-1", None, true, now);
        assert_eq!(faults(&[answer(Some("m-1"), 0, MAY)]), Vec::<String>::new());
        assert_eq!(
            faults(&[answer(Some("m-2"), 0, MAY), answer(None, 0, MAY)]),
            [
                "1 answer of a model that is not named, and `m-1` was asked for",
                "1 answer of m-2, and `m-1` was asked for"
            ]
        );
        assert_eq!(faults(&[]), ["there is no recorded answer"]);
    }
}
