//! One candidate's answers: the plan is collected and laid out.

use std::path::Path;

use super::settings::Settings;
use super::who::{Resolved, Who, resolve};
use crate::collect::{Asking, Collected, Environment, Job, Source, collect};
use crate::decision::Gold;
use crate::provider::function::FunctionProvider;
use crate::provider::naive_bayes::{Example, NaiveBayes};
use crate::provider::{ConnectError, Identity, Outside, Provider};
use crate::score::Sheet;
use crate::suite::{Assertion, Candidate, Lockbox, Suite, plan};

/// Missing answers told one by one; the rest is counted.
const MISSES_TOLD: usize = 3;

/// What came of collecting one candidate's answers.
pub(super) struct CandidateRun<'a> {
    /// One sheet per question.
    pub(super) sheets: Vec<Sheet<'a>>,
    /// Why nothing could be collected.
    pub(super) failed: Option<String>,
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
}

/// Collects what these assertions of one candidate need.
pub(super) fn answers_of<'a>(
    suite: &'a Suite,
    position: usize,
    assertions: &[&Assertion],
    settings: &Settings,
) -> CandidateRun<'a> {
    let candidate = &suite.candidates[position];
    let resolved = match resolve(suite, candidate, &settings.config, &settings.package) {
        Ok(resolved) => resolved,
        Err(mistakes) => {
            let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            return laid_out(suite, candidate, Err(texts.join("; ")), true);
        }
    };
    let remote = !matches!(
        resolved.who,
        Who::NaiveBayes(_)
            | Who::Function {
                recorded: false,
                ..
            }
    );
    let collected = ask(suite, position, assertions, &resolved, settings);
    let mut run = laid_out(suite, candidate, collected, remote);
    run.recordable = matches!(
        resolved.who,
        Who::Service { .. } | Who::Function { recorded: true, .. }
    );
    run
}

fn laid_out<'a>(
    suite: &'a Suite,
    candidate: &'a Candidate,
    collected: Result<Collected, String>,
    remote: bool,
) -> CandidateRun<'a> {
    let (collected, failed) = match collected {
        Ok(collected) => (collected, None),
        Err(reason) => (Collected::default(), Some(reason)),
    };
    let questions = candidate.questions(suite);
    let sheets = (0..questions.len())
        .map(|question| {
            Sheet::new(
                question,
                questions,
                &suite.conventions[question],
                &suite.cases,
                &collected.answers,
                candidate.skip_missing,
            )
        })
        .collect();
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
    }
}

fn ask(
    suite: &Suite,
    position: usize,
    assertions: &[&Assertion],
    resolved: &Resolved,
    settings: &Settings,
) -> Result<Collected, String> {
    let candidate = &suite.candidates[position];
    let lockbox = if settings.lockbox {
        Lockbox::Open
    } else {
        Lockbox::Closed
    };
    let plan = plan(suite, position, assertions.iter().copied(), lockbox);
    let variable = |name: &str| (settings.variable)(name);
    let outside = || Outside {
        variable: &variable,
        clock: settings.clock.clone(),
        folder: suite.path.parent().unwrap_or(Path::new("")),
    };
    let collect_from = |source: Source<'_>| {
        let job = Job {
            suite: &suite.name,
            candidate: &candidate.name,
            questions: candidate.questions(suite),
            cases: &suite.cases,
            plan: &plan,
            source,
            skip_missing: candidate.skip_missing,
            limits: resolved.limits,
            price: resolved.price,
        };
        let environment = Environment {
            mode: settings.mode,
            recordings: suite.path.parent().unwrap_or(Path::new("")).join("answers"),
            output: settings.output.clone(),
            run: settings.run.clone(),
            budget_usd: settings.budget_usd,
            clock: settings.clock.clone(),
            notice: &*settings.notice,
        };
        collect(&job, &environment).map_err(|error| error.to_string())
    };
    let asking =
        |identity: &Identity,
         remote: bool,
         host: Option<&str>,
         connect: &(dyn Fn() -> Result<Box<dyn Provider>, ConnectError> + Sync)| {
            collect_from(Source::Asked(Asking {
                identity,
                remote,
                host,
                connect,
            }))
        };
    let settings_wrong = ConnectError::Settings;
    match &resolved.who {
        Who::Recorded(file) => collect_from(Source::Recorded(file)),
        Who::NaiveBayes(own) => {
            let examples = examples(suite, candidate);
            let identity = NaiveBayes::identity(own, &examples)
                .map_err(|mistakes| settings_wrong(mistakes).to_string())?;
            asking(&identity, false, None, &|| {
                Ok(Box::new(
                    NaiveBayes::train(own, &examples).map_err(settings_wrong)?,
                ))
            })
        }
        Who::Function {
            settings: own,
            recorded,
        } => {
            let package = &settings.package;
            let build = || {
                FunctionProvider::from_settings(own, package)
                    .map_err(|mistake| settings_wrong(vec![mistake]))
            };
            let identity = build()
                .map_err(|error| error.to_string())?
                .identity()
                .clone();
            asking(&identity, *recorded, None, &|| Ok(Box::new(build()?)))
        }
        Who::Service {
            service,
            settings: own,
            description,
        } => asking(
            &description.identity,
            true,
            Some(&description.host),
            &|| (service.connect)(own, &outside()),
        ),
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
