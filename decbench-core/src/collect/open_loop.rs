//! Calls that go out on a schedule, whether earlier ones were answered or not: how a service bears a load.
//!
//! They pass no gate, wait for no pace and are not tried again. What they answer is nobody's answer: only how long each
//! took is kept, counted from when it was due, so that a service that makes callers wait cannot hide it.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use super::budget::{Estimate, Part, agreed};
use super::deadline::Deadline;
use super::error::CollectError;
use super::estimate::{OUTPUT_TOKENS, Size, Usage};
use super::job::{Asking, Environment, Job};
use super::ledger::{Ledger, Reserve};
use super::progress::dollars;
use super::remote::host_turn;
use super::run_store::RunStore;
use super::runtime;
use super::wanted::{WantedCall, spell_out};
use crate::decision::{BYTES_PER_TOKEN, Digest, FailureKind, LoadCall, LoadRun, Request, State};
use crate::provider::side_by_side::run_all;
use crate::provider::{Attempt, Provider, Reply};

/// With so many calls unanswered the schedule ends: more would say something of this machine.
const MOST_IN_FLIGHT: usize = 1_000;
/// From the making of a schedule to its beginning.
const LEAD: Duration = Duration::from_millis(20);

/// Offers a service the calls of each schedule, one schedule after the other, and tells how long they took. What one
/// process of a run has measured its others read.
///
/// `schedules` tells for each rate its name and when calls are due, from its beginning on and in order. Cases take turns
/// in an order drawn from the suite's name. After a schedule that was not kept to its end there is none.
///
/// # Errors
///
/// When nobody has agreed to the costs or they are more than is left, the price or a key is unknown, or the run's files
/// cannot be written.
pub fn open_loop(
    job: &Job<'_>,
    asking: &Asking<'_>,
    environment: &Environment<'_>,
    schedules: &[(String, Vec<Duration>)],
) -> Result<Vec<LoadRun>, CollectError> {
    let store = RunStore::of(job, environment);
    let _turn = store.turn_to_keep(environment.notice)?;
    let kept = fs::read_to_string(store.mark("load")).ok();
    if let Some(made) = kept.and_then(|text| read(&text)) {
        return Ok(made);
    }
    let identity = Some(asking.identity.digest());
    let mut wanted = spell_out(job.plan, job.cases, job.questions, identity);
    if let Some(limit) = job.context {
        for call in &mut wanted {
            call.hold_to(limit);
        }
    }
    let mut calls: Vec<(&WantedCall<'_>, &State)> = wanted
        .iter()
        .filter(|call| call.too_long.is_none())
        .filter_map(|call| Some((call, call.state?)))
        .collect();
    calls
        .sort_by_key(|(call, _)| Digest::of(["load", job.suite, &call.case.id].map(str::as_bytes)));
    let count = schedules.iter().map(|(_, due)| due.len()).sum();
    if calls.is_empty() || count == 0 {
        let none = LoadRun {
            stopped: Some("there is no case to ask about".to_owned()),
            ..LoadRun::default()
        };
        return Ok(vec![none; schedules.len()]);
    }
    if job.price.is_none() && !job.allow_unpriced {
        let model = asking.identity.model.clone();
        return Err(CollectError::NoPrice {
            calls: count,
            model,
        });
    }
    let provider = (asking.connect)();
    let sizes: Vec<Size> = calls
        .iter()
        .map(|(call, state)| {
            let questions = call.questions.len();
            let demand = provider
                .as_ref()
                .map(|provider| provider.demand(state, questions));
            Size::of(call, state, demand.unwrap_or_default())
        })
        .collect();
    let all = sizes.iter().cycle().take(count).copied();
    agreed(environment, || estimate(job, all)).map_err(|refused| refused.error())?;
    let provider = provider?;
    let ledger = store.ledger(environment.budget().unwrap_or_default())?;
    let name = format!("{}::{}", job.suite, job.candidate);
    let _host = asking
        .host
        .map(|host| host_turn(host, &name, environment))
        .transpose()?;
    let run = environment.output.join("runs").join(&environment.run);
    let deadline = environment
        .deadline
        .map(|limit| Deadline::of_run(&run, limit, &environment.clock))
        .transpose()
        .map_err(|error| CollectError::not_kept(&run, error))?;
    let caller = Caller {
        name,
        provider: &*provider,
        calls,
        sizes,
        patience: job.limits.deadline,
        deadline,
        usage: Usage::new(job.price),
    };
    let mut made: Vec<LoadRun> = Vec::with_capacity(schedules.len());
    for (rate, due) in schedules {
        let before = made.last().and_then(|one| one.stopped.clone());
        if before.is_some() {
            made.push(LoadRun {
                stopped: before,
                ..LoadRun::default()
            });
            continue;
        }
        let seconds = due.last().map_or(0.0, Duration::as_secs_f64);
        (environment.notice)(&format!(
            "{} is offered {} calls in {seconds:.0} s, {rate} its usual rate",
            caller.name,
            due.len()
        ));
        made.push(caller.offer(&ledger, rate, due)?);
    }
    store.write_mark("load", &written(&made))?;
    Ok(made)
}

fn estimate(job: &Job<'_>, sizes: impl Iterator<Item = Size>) -> Estimate {
    let mut part = Part {
        candidate: format!("{} under load", job.candidate),
        calls: 0,
        input_tokens: 0.0,
        output_tokens: 0.0,
        usd: None,
        tokens_from: format!(
            "rule of thumb: {BYTES_PER_TOKEN} bytes to a token sent, {OUTPUT_TOKENS} tokens to an answer"
        ),
        price_from: job.price_from.to_owned(),
        seconds: None,
    };
    for size in sizes {
        part.calls += 1;
        part.input_tokens += size.input_tokens();
        part.output_tokens += size.output_tokens();
    }
    part.usd = job
        .price
        .map(|price| price.of_mean(part.input_tokens, part.output_tokens));
    Estimate { parts: vec![part] }
}

/// Who calls, and what for.
struct Caller<'a> {
    name: String,
    provider: &'a dyn Provider,
    calls: Vec<(&'a WantedCall<'a>, &'a State)>,
    /// How large each of them is.
    sizes: Vec<Size>,
    /// How long a call may take, where the candidate has a limit of its own.
    patience: Option<Duration>,
    deadline: Option<Deadline>,
    usage: Usage,
}

impl Caller<'_> {
    /// Makes the calls of one schedule within the budget: the most that they can cost is put aside before the first.
    fn offer(
        &self,
        ledger: &Ledger,
        rate: &str,
        due: &[Duration],
    ) -> Result<LoadRun, CollectError> {
        let sizes = self.sizes.iter().cycle().take(due.len());
        let most: f64 = sizes.map(|size| self.usage.most(*size)).sum();
        let told = (self.name.as_str(), format!("the load at {rate}"));
        let Reserve::Granted(reservation) = ledger.reserve(most, most, told)? else {
            return Ok(LoadRun {
                stopped: Some(format!(
                    "its {} calls can cost ${}, which is more than is left of the run's budget of ${}",
                    due.len(),
                    dollars(most),
                    ledger.budget_usd()
                )),
                ..LoadRun::default()
            });
        };
        let offered = runtime::run(self.in_flight(due)).map_err(CollectError::Runtime);
        let billed = offered.as_ref().map_or(0.0, |(_, usd)| *usd);
        ledger.settle(reservation, billed)?;
        offered.map(|(one, _)| one)
    }

    async fn in_flight(&self, due: &[Duration]) -> (LoadRun, f64) {
        let begun = Instant::now() + LEAD;
        let flight = Flight::default();
        let flight = &flight;
        let each = due.iter().enumerate().map(|(number, due)| async move {
            let due = begun + *due;
            // Closed when the schedule ends early, which wakes all that wait for their time.
            if timeout_at(due, flight.over.acquire()).await.is_ok() || !self.may_begin(flight) {
                return None;
            }
            let failure = self.call(number, flight).await;
            flight.flying.fetch_sub(1, Ordering::Relaxed);
            let took_ms = (due.elapsed().as_secs_f64() * 1e6).round() / 1000.0;
            Some(LoadCall { took_ms, failure })
        });
        let calls = run_all(each.collect()).await;
        let one = LoadRun {
            calls: calls.into_iter().flatten().collect(),
            seconds: begun.elapsed().as_secs_f64(),
            most_in_flight: flight.most.load(Ordering::Relaxed),
            stopped: flight.stopped.get().cloned(),
        };
        let usd = *flight.usd.lock().unwrap_or_else(PoisonError::into_inner);
        (one, usd)
    }

    /// Whether another call may go out now; it counts as in flight then.
    fn may_begin(&self, flight: &Flight) -> bool {
        if let Some(deadline) = &self.deadline
            && deadline.at <= Instant::now()
        {
            flight.stop(deadline.reason());
        }
        if flight.flying.load(Ordering::Relaxed) >= MOST_IN_FLIGHT {
            flight.stop(format!(
                "{MOST_IN_FLIGHT} calls were unanswered at a time, and no more are sent then"
            ));
        }
        if flight.stopped.get().is_some() {
            return false;
        }
        let flying = flight.flying.fetch_add(1, Ordering::Relaxed) + 1;
        flight.most.fetch_max(flying, Ordering::Relaxed);
        true
    }

    /// Makes one attempt and says how it failed, where it did.
    async fn call(&self, number: usize, flight: &Flight) -> Option<FailureKind> {
        let position = number % self.calls.len();
        let (call, state) = self.calls[position];
        let questions = call.asked();
        let attempt = self.provider.ask(Request {
            case: &call.case.id,
            state,
            questions: &questions,
        });
        let put_aside = self.usage.most(self.sizes[position]);
        let given = match self.patience {
            None => Ok(attempt.await),
            Some(patience) => timeout(patience, attempt).await,
        };
        let Ok(given) = given else {
            // It may have been answered, and billed, after nobody listened any more.
            flight.bill(put_aside);
            return Some(FailureKind::Timeout);
        };
        let measured = match &given {
            Ok(reply) => &reply.measured,
            Err(attempt) => &attempt.measured,
        };
        flight.bill(self.usage.cost(&given, measured, put_aside).0);
        if let Err(attempt) = &given
            && matches!(
                attempt.failure.kind,
                FailureKind::Auth | FailureKind::Payment
            )
        {
            flight.stop(attempt.failure.to_string());
        }
        failure_of(&given, questions.len())
    }
}

fn failure_of(given: &Result<Reply, Attempt>, questions: usize) -> Option<FailureKind> {
    match given {
        Err(attempt) => Some(attempt.failure.kind),
        Ok(reply) if reply.answers.len() != questions => Some(FailureKind::InvalidAnswer),
        Ok(reply) => {
            let mut failures = reply.answers.iter().filter_map(|one| one.as_ref().err());
            failures.next().map(|failure| failure.kind)
        }
    }
}

/// What is in flight.
struct Flight {
    flying: AtomicUsize,
    most: AtomicUsize,
    usd: Mutex<f64>,
    stopped: OnceLock<String>,
    /// Never has a permit; closed when the schedule ends early.
    over: Semaphore,
}

impl Default for Flight {
    fn default() -> Self {
        Self {
            flying: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            usd: Mutex::new(0.0),
            stopped: OnceLock::new(),
            over: Semaphore::new(0),
        }
    }
}

impl Flight {
    /// Ends the schedule; the first reason counts.
    fn stop(&self, reason: String) {
        let _ = self.stopped.set(reason);
        self.over.close();
    }

    fn bill(&self, usd: f64) {
        *self.usd.lock().unwrap_or_else(PoisonError::into_inner) += usd;
    }
}

fn written(made: &[LoadRun]) -> String {
    let made = made.iter().map(|one| {
        let calls = one.calls.iter();
        json!({
            "calls": calls.map(|call| json!([call.took_ms, call.failure.map(FailureKind::name)])).collect::<Vec<_>>(),
            "seconds": one.seconds,
            "most_in_flight": one.most_in_flight,
            "stopped": one.stopped,
        })
    });
    format!("{}\n", Json::Array(made.collect()))
}

/// `None` for what was cut off by a kill: the load is offered again.
fn read(text: &str) -> Option<Vec<LoadRun>> {
    let made: Vec<Json> = serde_json::from_str(text).ok()?;
    let call = |call: &Json| {
        Some(LoadCall {
            took_ms: call[0].as_f64()?,
            failure: call[1].as_str().and_then(FailureKind::from_name),
        })
    };
    let one = |one: &Json| {
        Some(LoadRun {
            calls: one["calls"]
                .as_array()?
                .iter()
                .map(call)
                .collect::<Option<_>>()?,
            seconds: one["seconds"].as_f64()?,
            most_in_flight: usize::try_from(one["most_in_flight"].as_u64()?).ok()?,
            stopped: one["stopped"].as_str().map(str::to_owned),
        })
    };
    made.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_read_again_and_half_a_file_is_not() {
        let call = |took_ms, failure| LoadCall { took_ms, failure };
        let made = vec![
            LoadRun {
                calls: vec![
                    call(50.125, None),
                    call(400.0, Some(FailureKind::Timeout)),
                    call(1.0, Some(FailureKind::RateLimited)),
                ],
                seconds: 1.5,
                most_in_flight: 2,
                stopped: None,
            },
            LoadRun {
                stopped: Some("over".to_owned()),
                ..LoadRun::default()
            },
        ];
        let text = written(&made);
        assert_eq!(read(&text), Some(made));
        assert_eq!(read(&text[..text.len() / 2]), None);
    }
}
