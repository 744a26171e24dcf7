//! Asking a candidate that is on this machine and free: one call after another, in the order of the plan.

use std::time::Instant;

use super::error::CollectError;
use super::gather::Gathered;
use super::job::{Asking, Environment, Job};
use super::matching::Known;
use super::run_store::{OpenRun, RunStore};
use super::runtime;
use super::wanted::WantedCall;
use crate::decision::{Answer, Request};
use crate::provider::Provider;

/// How many calls are made before their answers are written; a kill costs only the time of asking them again.
const WRITTEN_TOGETHER: usize = 256;

/// Answers from the run's store, and from the candidate for what is not in it.
///
/// Where the store cannot be written the answers are still given, and a note says so.
pub(crate) fn gather(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
    calls: &[WantedCall<'_>],
) -> Result<Gathered, CollectError> {
    let store = RunStore::of(job, environment);
    let mut gathered = Gathered::default();
    // A store that cannot be read is one that cannot be written either, and the note comes from there.
    let read = store.read().unwrap_or_default();
    gathered.fill_from(Known::new(read.answers), calls);
    if gathered.open_calls(calls).next().is_none() {
        return Ok(gathered);
    }
    let mut open = match store.open(environment.notice) {
        Ok((open, read)) => {
            gathered.fill_from(Known::new(read.answers), calls);
            Some(open)
        }
        Err(error) => {
            gathered.notes.push(format!(
                "answers of `{}` are not kept for other processes: {error}",
                job.candidate
            ));
            None
        }
    };
    let wanted: Vec<&WantedCall<'_>> = gathered.open_calls(calls).collect();
    if !wanted.is_empty() {
        let provider = (asking.connect)()?;
        for part in wanted.chunks(WRITTEN_TOGETHER) {
            ask(
                part,
                provider.as_ref(),
                environment,
                &mut open,
                &mut gathered,
            )?;
        }
    }
    Ok(gathered)
}

fn ask(
    calls: &[&WantedCall<'_>],
    provider: &dyn Provider,
    environment: &Environment<'_>,
    open: &mut Option<OpenRun>,
    gathered: &mut Gathered,
) -> Result<(), CollectError> {
    let answered = runtime::run(async {
        let mut answered: Vec<(usize, Vec<Answer>)> = Vec::with_capacity(calls.len());
        for call in calls {
            if let Some(state) = call.state {
                answered.push((call.first, one(call, state, provider, environment).await));
            }
        }
        answered
    })
    .map_err(CollectError::Runtime)?;
    gathered.calls_made += answered.len() as u64;
    if let Some(store) = open {
        let lines: Vec<Answer> = answered
            .iter()
            .flat_map(|(_, lines)| lines.clone())
            .collect();
        if let Err(error) = store.append(&lines) {
            gathered
                .notes
                .push(format!("answers are not kept for other processes: {error}"));
            *open = None;
        }
    }
    for (first, answers) in answered {
        gathered.put(first, answers);
    }
    Ok(())
}

async fn one(
    call: &WantedCall<'_>,
    state: &crate::decision::State,
    provider: &dyn Provider,
    environment: &Environment<'_>,
) -> Vec<Answer> {
    let asked = call.asked();
    let at = environment.clock.now_text();
    let begun = Instant::now();
    let result = provider
        .ask(Request {
            case: &call.case.id,
            state,
            questions: &asked,
        })
        .await;
    let latency_ms = begun.elapsed().as_secs_f64() * 1000.0;
    let mut answers = call.answers(result);
    for answer in &mut answers {
        answer.measured.latency_ms.get_or_insert(latency_ms);
        answer.measured.attempts = Some(1);
        answer.measured.at = Some(at.clone());
    }
    answers
}
