//! One candidate's answers: the plan is collected and laid out.

use std::path::Path;
use std::time::Duration;

use super::looks::refused_look;
use super::production::given_by_production;
use super::served::Served;
use super::settings::Settings;
use super::who::{Resolved, Who, floating, resolve};
use crate::collect::{
    Asking, CollectError, Collected, Environment, Estimate, Job, Source, collect_together,
    open_loop, reckon,
};
use crate::decision::{Answer, FailureKind, Gold, LoadRun, Plan};
use crate::provider::function::FunctionProvider;
use crate::provider::naive_bayes::{Example, NaiveBayes};
use crate::provider::{ConnectError, Connected, Identity, Outside, SettingError};
use crate::score::{PassRule, Sheet};
use crate::suite::{Assertion, Candidate, Lockbox, Suite, plan};

/// The quality from which on an open answer passes, where the suite's verdict says nothing else.
const SUCCESS: f64 = 0.8;
/// Missing answers told one by one; the rest is counted.
const MISSES_TOLD: usize = 3;

/// What came of collecting one candidate's answers.
#[derive(Clone)]
pub(super) struct CandidateRun<'a> {
    /// One sheet per question.
    pub(super) sheets: Vec<Sheet<'a>>,
    /// Why nothing could be collected.
    pub(super) failed: Option<String>,
    /// Why its answers in the lock box may not be looked at; they are not among the sheets then.
    pub(super) refused: Option<String>,
    /// The first missing answers, in words.
    pub(super) misses: Vec<String>,
    /// How many answers are missing.
    pub(super) missing: usize,
    /// What a person should know.
    pub(super) notes: Vec<String>,
    /// Whether answers come from a service or a recording, so that their latency is no property of this machine.
    pub(super) remote: bool,
    /// Whether a missing answer can be recorded.
    pub(super) recordable: bool,
    /// Which models answered.
    pub(super) served: Served,
    /// The model that a service was asked for.
    pub(super) requested_model: Option<String>,
    /// What failed, by kind.
    pub(super) failures: Vec<Failed>,
}

/// Calls that failed alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// What happened.
    pub kind: FailureKind,
    /// How many answers it cost.
    pub times: usize,
    /// What was said at the first of them.
    pub first: String,
}

impl Failed {
    /// What failed among these answers, in the order in which it was first seen.
    fn among(answers: &[Answer]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for failure in answers.iter().filter_map(|one| one.outcome.as_ref().err()) {
            match found.iter_mut().find(|one| one.kind == failure.kind) {
                Some(same) => same.times += 1,
                None => found.push(Self {
                    kind: failure.kind,
                    times: 1,
                    first: failure.message.clone(),
                }),
            }
        }
        found
    }
}

impl CandidateRun<'_> {
    /// Takes another candidate's agreement for the confidence of answers without probabilities, and says so.
    pub(super) fn agree_with(&mut self, other: &CandidateRun<'_>, name: &str) {
        for (sheet, theirs) in self.sheets.iter_mut().zip(&other.sheets) {
            sheet.agree_with(theirs, name);
        }
        let note = if self.sheets.iter().any(Sheet::has_probabilities) {
            format!(
                "its answers carry probabilities, which are its confidence; `{name}` is not asked to agree"
            )
        } else {
            format!("its answers carry no probabilities; its confidence is agreement with `{name}`")
        };
        self.notes.push(note);
        if let Some(reason) = &other.failed {
            self.notes
                .push(format!("nothing is known of that agreement: {reason}"));
        }
    }
}

/// One candidate with the assertions whose answers are needed.
pub(super) type Needed<'s> = (usize, Vec<&'s Assertion>);

/// Whether asking the candidate leaves this machine or costs money.
pub(super) fn is_remote(suite: &Suite, position: usize, settings: &Settings) -> bool {
    let candidate = &suite.candidates[position];
    resolve(suite, candidate, &settings.config, &settings.package)
        .is_ok_and(|resolved| resolved.who.is_remote())
}

/// Collects what these assertions of these candidates need, all together; gives one run per candidate.
pub(super) fn answers_of<'a>(
    suite: &'a Suite,
    needed: &[Needed<'_>],
    settings: &Settings,
) -> Vec<CandidateRun<'a>> {
    let mut given = Vec::with_capacity(needed.len());
    let prepared: Vec<Result<Prepared<'_>, String>> = needed
        .iter()
        .map(|needed| {
            let (plan, answered) = planned(suite, needed, settings);
            given.push(answered);
            Prepared::new(suite, needed.0, plan, settings)
        })
        .collect();
    let mut collected = ask(suite, prepared.iter().flatten(), settings).into_iter();
    needed
        .iter()
        .zip(&prepared)
        .zip(given)
        .map(|(((position, _), prepared), given)| {
            let candidate = &suite.candidates[*position];
            let skip = candidate.skip_missing;
            match prepared {
                Err(reason) => laid_out(suite, candidate, Err(reason.clone()), true, skip),
                Ok(prepared) => {
                    let who = &prepared.resolved.who;
                    let mut collected = collected.next().expect("one for each that was prepared");
                    if let Ok(collected) = &mut collected
                        && !given.is_empty()
                    {
                        collected.notes.push(format!(
                            "{} first answers are those that production gave, at no cost",
                            given.len()
                        ));
                        collected.answers.extend(given);
                    }
                    let refused = collected.as_mut().ok().and_then(|collected| {
                        refused_look(suite, candidate, &mut collected.answers, settings)
                    });
                    let local = is_local(who);
                    let mut run = laid_out(suite, candidate, collected, !local, skip);
                    run.recordable = who.is_remote();
                    run.refused = refused;
                    if let Who::Service { description, .. } = who {
                        run.requested_model.clone_from(&description.identity.model);
                        run.notes.extend(floating(&description.identity));
                    }
                    run
                }
            }
        })
        .collect()
}

/// Whether the candidate answers here and now, and nothing of it is recorded.
fn is_local(who: &Who) -> bool {
    matches!(
        who,
        Who::NaiveBayes(_)
            | Who::Function {
                recorded: false,
                ..
            }
    )
}

/// What filling the recordings of these candidates would take.
///
/// # Errors
/// A message where a candidate cannot be asked as it stands, or a recording cannot be read.
pub(super) fn estimate_of(
    suite: &Suite,
    needed: &[Needed<'_>],
    settings: &Settings,
) -> Result<Estimate, String> {
    let plans = needed
        .iter()
        .map(|needed| (needed.0, planned(suite, needed, settings).0));
    reckoned(suite, plans, settings)
}

/// The calls that are made for a candidate, those it is needed for, and what production has answered in their place.
pub(super) fn planned(
    suite: &Suite,
    (position, assertions): &Needed<'_>,
    settings: &Settings,
) -> (Plan, Vec<Answer>) {
    let wanted = assertions.iter().copied();
    let mut plan = plan(suite, *position, wanted, lockbox(settings));
    let given = given_by_production(suite, &suite.candidates[*position], &mut plan);
    (plan, given)
}

/// As [`estimate_of`], for one plan of all candidates.
///
/// # Errors
/// As [`estimate_of`].
pub(super) fn estimate_by(
    suite: &Suite,
    plan: &Plan,
    settings: &Settings,
) -> Result<Estimate, String> {
    let plans = (0..suite.candidates.len()).map(|position| (position, plan.clone()));
    reckoned(suite, plans, settings)
}

fn reckoned(
    suite: &Suite,
    plans: impl Iterator<Item = (usize, Plan)>,
    settings: &Settings,
) -> Result<Estimate, String> {
    let prepared = plans
        .map(|(position, plan)| Prepared::new(suite, position, plan, settings))
        .collect::<Result<Vec<_>, String>>()?;
    with_jobs(suite, prepared.iter(), settings, |jobs, environment| {
        reckon(jobs, environment).map_err(|error| error.to_string())
    })
}

fn lockbox(settings: &Settings) -> Lockbox {
    if settings.lockbox {
        Lockbox::Open
    } else {
        Lockbox::Closed
    }
}

/// The recorded answers of one candidate to its base calls; `None` where its answers are not recorded.
pub(super) fn recorded_of(
    suite: &Suite,
    position: usize,
    settings: &Settings,
) -> Result<Option<Collected>, String> {
    let plan = plan(suite, position, [], lockbox(settings));
    let prepared = Prepared::new(suite, position, plan, settings)?;
    if is_local(&prepared.resolved.who) {
        return Ok(None);
    }
    let mut collected = ask(suite, std::iter::once(&prepared), settings);
    collected.pop().transpose()
}

/// What every candidate of a suite answers by one plan.
pub(super) fn collected_of(
    suite: &Suite,
    plan: &Plan,
    settings: &Settings,
) -> Vec<Result<Collected, String>> {
    let prepared: Vec<Result<Prepared<'_>, String>> = (0..suite.candidates.len())
        .map(|position| Prepared::new(suite, position, plan.clone(), settings))
        .collect();
    let mut collected = ask(suite, prepared.iter().flatten(), settings).into_iter();
    let each = prepared.iter().map(|prepared| match prepared {
        Err(reason) => Err(reason.clone()),
        Ok(_) => collected.next().expect("one for each that was prepared"),
    });
    each.collect()
}

/// What a candidate bears of these schedules of calls; its base calls outside the lock box are what it is asked.
pub(super) fn load_of(
    suite: &Suite,
    position: usize,
    schedules: &[(String, Vec<Duration>)],
    settings: &Settings,
) -> Result<Vec<LoadRun>, String> {
    let plan = plan(suite, position, [], Lockbox::Closed);
    let prepared = Prepared::new(suite, position, plan, settings)?;
    with_jobs(
        suite,
        std::iter::once(&prepared),
        settings,
        |jobs, environment| {
            let asked = jobs.first().and_then(|job| match &job.source {
                Source::Asked(asking) => Some((job, asking)),
                Source::Recorded(_) => None,
            });
            let (job, asking) = asked.ok_or("a file is not asked")?;
            open_loop(job, asking, environment, schedules)
                .map_err(|error| told(&error, suite, settings))
        },
    )
}

/// A candidate that is ready to be collected from.
struct Prepared<'a> {
    candidate: &'a Candidate,
    plan: Plan,
    resolved: Resolved,
    /// What it is asked as; absent for a file of answers.
    identity: Option<Identity>,
    /// What the baseline may learn from.
    examples: Vec<Example<'a>>,
    /// The suite's folder.
    folder: &'a Path,
    settings: &'a Settings,
}

impl<'a> Prepared<'a> {
    fn new(
        suite: &'a Suite,
        position: usize,
        plan: Plan,
        settings: &'a Settings,
    ) -> Result<Self, String> {
        let candidate = &suite.candidates[position];
        let texts = |mistakes: Vec<SettingError>| ConnectError::Settings(mistakes).to_string();
        let resolved =
            resolve(suite, candidate, &settings.config, &settings.package).map_err(texts)?;
        let mut prepared = Self {
            candidate,
            plan,
            resolved,
            identity: None,
            examples: Vec::new(),
            folder: suite.path.parent().unwrap_or(Path::new("")),
            settings,
        };
        prepared.identity = match &prepared.resolved.who {
            Who::Recorded(_) => None,
            Who::NaiveBayes(own) => {
                prepared.examples = examples(suite, candidate);
                Some(NaiveBayes::identity(own, &prepared.examples).map_err(texts)?)
            }
            Who::Function { .. } => {
                let built = prepared.connect().map_err(|error| error.to_string())?;
                Some(built.identity().clone())
            }
            Who::Service { description, .. } => Some(description.identity.clone()),
        };
        Ok(prepared)
    }

    /// Builds who answers.
    fn connect(&self) -> Connected {
        let settings = self.settings;
        match &self.resolved.who {
            Who::Recorded(_) => Err(ConnectError::Other("a file is not asked".to_owned())),
            Who::NaiveBayes(own) => Ok(Box::new(
                NaiveBayes::train(own, &self.examples).map_err(ConnectError::Settings)?,
            )),
            Who::Function { settings: own, .. } => Ok(Box::new(
                FunctionProvider::from_settings(own, &settings.package)
                    .map_err(|mistake| ConnectError::Settings(vec![mistake]))?,
            )),
            Who::Service {
                service,
                settings: own,
                ..
            } => {
                let variable = |name: &str| (settings.variable)(name);
                let outside = Outside {
                    variable: &variable,
                    clock: settings.clock.clone(),
                    folder: self.folder,
                };
                service.connection(own, &outside)
            }
        }
    }

    /// Whether it may be asked though nobody knows what it costs.
    fn allow_unpriced(&self) -> bool {
        let model = self
            .identity
            .as_ref()
            .and_then(|identity| identity.model.as_deref());
        let name = model.unwrap_or(&self.candidate.name);
        self.settings
            .allow_unpriced
            .iter()
            .any(|known| known == name)
    }
}

/// Collects from all of them together.
fn ask<'p>(
    suite: &Suite,
    prepared: impl Iterator<Item = &'p Prepared<'p>>,
    settings: &Settings,
) -> Vec<Result<Collected, String>> {
    with_jobs(suite, prepared, settings, |jobs, environment| {
        collect_together(jobs, environment)
            .into_iter()
            .map(|collected| collected.map_err(|error| told(&error, suite, settings)))
            .collect()
    })
}

/// What they are to be asked, and by what means, for somebody who does something with it.
fn with_jobs<'p, T>(
    suite: &Suite,
    prepared: impl Iterator<Item = &'p Prepared<'p>>,
    settings: &Settings,
    use_them: impl FnOnce(&[Job<'_>], &Environment<'_>) -> T,
) -> T {
    let prepared: Vec<&Prepared<'_>> = prepared.collect();
    let connects: Vec<_> = prepared
        .iter()
        .map(|prepared| || prepared.connect())
        .collect();
    let jobs: Vec<Job<'_>> = prepared
        .iter()
        .zip(&connects)
        .map(|(prepared, connect)| {
            let source = match (&prepared.resolved.who, &prepared.identity) {
                (Who::Service { description, .. }, Some(identity)) => Source::Asked(Asking {
                    identity,
                    remote: true,
                    host: Some(&description.host),
                    connect,
                }),
                (who, Some(identity)) => Source::Asked(Asking {
                    identity,
                    remote: who.is_remote(),
                    host: None,
                    connect,
                }),
                (Who::Recorded(file), None) => Source::Recorded(file),
                (_, None) => unreachable!("who is asked has an identity"),
            };
            Job {
                suite: &suite.name,
                candidate: &prepared.candidate.name,
                questions: prepared.candidate.questions(suite),
                cases: &suite.cases,
                plan: &prepared.plan,
                source,
                context: prepared.resolved.context.as_ref(),
                skip_missing: prepared.candidate.skip_missing,
                limits: prepared.resolved.limits,
                price: prepared.resolved.price,
                price_from: &prepared.resolved.price_from,
                allow_unpriced: prepared.allow_unpriced(),
            }
        })
        .collect();
    let environment = Environment {
        mode: settings.mode,
        recordings: suite.path.parent().unwrap_or(Path::new("")).join("answers"),
        output: settings.output.clone(),
        run: settings.run.clone(),
        budget_usd: settings.budget_usd,
        confirm_usd: settings.confirm_usd,
        deadline: settings.deadline,
        clock: settings.clock.clone(),
        notice: &*settings.notice,
        progress: &*settings.progress,
    };
    use_them(&jobs, &environment)
}

/// An error for a person, with the line to type where there is one.
fn told(error: &CollectError, suite: &Suite, settings: &Settings) -> String {
    let (CollectError::NoBudget { estimate } | CollectError::BeyondConfirmed { estimate, .. }) =
        error
    else {
        return error.to_string();
    };
    let line = settings
        .confirm
        .replace("{usd}", &estimate.to_confirm())
        .replace("{suite}", suite.judged_name());
    format!("{error}\nconfirm   {line}")
}

pub(super) fn laid_out<'a>(
    suite: &'a Suite,
    candidate: &'a Candidate,
    collected: Result<Collected, String>,
    remote: bool,
    skip: bool,
) -> CandidateRun<'a> {
    let (collected, failed) = match collected {
        Ok(collected) => (collected, None),
        Err(reason) => (Collected::default(), Some(reason)),
    };
    let questions = candidate.questions(suite);
    let mut sheets: Vec<Sheet<'_>> = (0..questions.len())
        .map(|question| {
            Sheet::new(
                question,
                questions,
                &suite.conventions[question],
                &suite.cases,
                &collected.answers,
                skip,
            )
        })
        .collect();
    if let Some(open) = &suite.open {
        let rule = suite.verdict.as_ref().map(|verdict| &verdict.rule);
        for sheet in &mut sheets {
            sheet.grade(
                &open.checks,
                PassRule {
                    success: rule.map_or(SUCCESS, |rule| rule.success),
                    gates: rule.map_or(&[], |rule| &rule.case_gates),
                    local: !remote,
                    judged: open.judging.is_some(),
                },
            );
        }
    }
    let mut notes = collected.notes.clone();
    if !collected.skipped.is_empty() {
        notes.push(format!(
            "{} cases have no recorded answer and are left out (missing: skip)",
            collected.skipped.len()
        ));
    }
    notes.extend(
        collected
            .bad_lines
            .iter()
            .take(MISSES_TOLD)
            .map(ToString::to_string),
    );
    CandidateRun {
        sheets,
        failed,
        refused: None,
        misses: collected
            .misses
            .iter()
            .take(MISSES_TOLD)
            .map(ToString::to_string)
            .collect(),
        missing: collected.misses.len(),
        notes,
        remote,
        recordable: false,
        served: Served::of(&collected.answers),
        requested_model: None,
        failures: Failed::among(&collected.answers),
    }
}

/// What the baseline may learn from, with what it must not know.
fn examples<'a>(suite: &'a Suite, candidate: &'a Candidate) -> Vec<Example<'a>> {
    let questions = candidate.questions(suite);
    let example = |case: &'a crate::decision::Case| Example {
        case: &case.id,
        unit: case.unit,
        lockbox: case.split == crate::decision::Split::Lockbox,
        state: case
            .state
            .as_ref()
            .map_or_else(|| "".into(), crate::decision::State::as_text),
        labels: case
            .questions(questions)
            .iter()
            .enumerate()
            .map(|(at, question)| {
                (
                    question,
                    case.gold
                        .get(at)
                        .and_then(Option::as_ref)
                        .and_then(Gold::single),
                )
            })
            .collect(),
    };
    suite.cases.iter().map(example).collect()
}
