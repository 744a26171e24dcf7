//! Making calls: so many at a time, at the agreed pace, tried again where that helps, within budget and deadline, and
//! every answer handed over as it arrives.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::backoff::{LONGEST_ASKED, Next, next};
use super::deadline::Deadline;
use super::error::CollectError;
use super::estimate::Size;
use super::gate::{Gate, Pass};
use super::lane::{Lane, Made, Wish};
use super::ledger::{Ledger, Reservation, Reserve};
use super::order::interleaved;
use super::part_file::PartFile;
use super::progress::Progress;
use super::runtime;
use super::wanted::WantedCall;
use super::watch::{PATIENCE, Watch};
use crate::decision::{Failure, FailureKind, Measured, Request, State};
use crate::provider::raw::heard_by;
use crate::provider::shelf::Shelf;
use crate::provider::side_by_side::run_all;
use crate::provider::{Attempt, Clock, Reply, Retry};

/// How often people hear of progress, and calls that hang are looked for.
const TICK: Duration = Duration::from_millis(250);
/// How long money that others have put aside is waited for at a time.
const MONEY_WAIT: Duration = Duration::from_millis(20);
/// A wait that a service asks for is told from here on.
const WAIT_TOLD: Duration = Duration::from_secs(5);

/// What it takes to make calls.
pub(crate) struct Engine<'a> {
    /// The suite's name, from which the order of calls is drawn.
    pub(crate) suite: &'a str,
    pub(crate) ledger: &'a Ledger,
    pub(crate) clock: &'a Clock,
    /// When the run's time is over.
    pub(crate) deadline: Option<Deadline>,
    pub(crate) notice: &'a (dyn Fn(&str) + Sync),
    pub(crate) progress: &'a (dyn Fn(&Progress) + Sync),
}

/// The candidates of one host, whose calls pass one gate.
struct Group<'f, 'a> {
    gate: Gate,
    host: Option<&'a str>,
    lanes: Vec<&'f Lane<'a>>,
    /// Whose call, by position in `lanes`.
    line: Vec<(usize, &'a WantedCall<'a>)>,
    taken: AtomicUsize,
}

impl Engine<'_> {
    /// Makes the candidates' calls and hands their answers over; gives what became of each candidate's.
    ///
    /// Calls of different hosts go side by side; those of one host share what it allows, in the order of
    /// [`interleaved`].
    pub(crate) fn make(&self, wishes: Vec<Wish<'_>>) -> Vec<Result<Made, CollectError>> {
        let count = wishes.len();
        let made = runtime::run(async {
            let hosts: Vec<Option<&str>> = wishes.iter().map(|wish| wish.host).collect();
            let mut calls: Vec<Vec<&WantedCall<'_>>> =
                wishes.iter().map(|wish| wish.calls.clone()).collect();
            let lanes: Vec<Lane<'_>> = wishes.into_iter().map(Lane::begin).collect();
            let groups = self.groups(&lanes, &hosts, &mut calls);
            self.run(&lanes, &groups).await;
            drop(groups);
            lanes.into_iter().map(Lane::made).collect()
        });
        made.unwrap_or_else(|error| {
            let again = || std::io::Error::new(error.kind(), error.to_string());
            (0..count)
                .map(|_| Err(CollectError::Runtime(again())))
                .collect()
        })
    }

    /// Puts candidates of the same host together; one without a host stands alone.
    fn groups<'f, 'a>(
        &self,
        lanes: &'f [Lane<'a>],
        hosts: &[Option<&'a str>],
        calls: &mut [Vec<&'a WantedCall<'a>>],
    ) -> Vec<Group<'f, 'a>> {
        let mut grouped: Vec<(Option<&'a str>, Vec<usize>)> = Vec::new();
        for (position, host) in hosts.iter().enumerate() {
            let known = grouped
                .iter_mut()
                .find(|(known, _)| known.is_some() && known == host);
            match known {
                Some((_, positions)) => positions.push(position),
                None => grouped.push((*host, vec![position])),
            }
        }
        let group = |(host, positions): (Option<&'a str>, Vec<usize>)| {
            let lanes: Vec<&Lane<'a>> = positions.iter().map(|at| &lanes[*at]).collect();
            let calls: Vec<_> = positions
                .iter()
                .map(|at| std::mem::take(&mut calls[*at]))
                .collect();
            Group {
                gate: Gate::new(lanes.iter().map(|lane| &lane.limits)),
                host,
                lanes,
                line: interleaved(self.suite, &calls),
                taken: AtomicUsize::new(0),
            }
        };
        grouped.into_iter().map(group).collect()
    }

    async fn run(&self, lanes: &[Lane<'_>], groups: &[Group<'_, '_>]) {
        // A call that waits for its next attempt leaves its place in flight to another; hence twice as many workers.
        let each: Vec<usize> = groups
            .iter()
            .map(|group| group.line.len().min(2 * group.gate.most()))
            .collect();
        let watch = Watch::new(each.iter().sum(), PATIENCE);
        let watch = &watch;
        let mut number = 0;
        let mut workers = Vec::new();
        for (group, count) in groups.iter().zip(each) {
            for _ in 0..count {
                workers.push(self.work(group, watch, number));
                number += 1;
            }
        }
        let mut working = pin!(run_all(workers));
        let tell = |all_ended| {
            for progress in lanes.iter().filter_map(|lane| lane.progress(all_ended)) {
                (self.progress)(&progress);
            }
        };
        while timeout(TICK, &mut working).await.is_err() {
            watch.stuck().iter().for_each(|text| (self.notice)(text));
            tell(false);
        }
        tell(true);
    }

    /// Makes one call after the other until there are none.
    async fn work(&self, group: &Group<'_, '_>, watch: &Watch, number: usize) {
        while let Some((lane, call)) = group.line.get(group.taken.fetch_add(1, Ordering::Relaxed)) {
            let lane = group.lanes[*lane];
            if let Some(state) = call.state
                && !lane.is_over()
                && let Err(error) = self.call(group, lane, call, state, (watch, number)).await
            {
                lane.fail(error);
            }
        }
    }

    /// Makes one call with its retries and keeps its answers, unless it is stopped before its last attempt.
    async fn call(
        &self,
        group: &Group<'_, '_>,
        lane: &Lane<'_>,
        call: &WantedCall<'_>,
        state: &State,
        (watch, worker): (&Watch, usize),
    ) -> Result<(), CollectError> {
        let demand = lane.provider.demand(state, call.questions.len());
        let size = Size::of(call, state, demand);
        let shelf = lane.parts.as_ref().filter(|_| demand.has_parts());
        let shelf = shelf.map(|parts| parts.shelf(call));
        let asked = call.asked();
        let request = Request {
            case: &call.case.id,
            state,
            questions: &asked,
        };
        let mut made = 0;
        // Parts that an earlier run has paid for are a part of what the answer costs.
        let mut cost_usd = shelf.as_ref().and_then(|shelf| {
            let paid = shelf.paid();
            let known = paid
                .iter()
                .filter_map(|part| lane.usage(|usage| usage.of_known(part)));
            known.reduce(|sum, usd| sum + usd)
        });
        // In attempts and our own waits; what the limits or the service impose on everybody is not the call's.
        let mut spent = Duration::ZERO;
        loop {
            let missing = match &shelf {
                Some(shelf) if demand.further_requests == 0 => {
                    demand.requests.saturating_sub(shelf.count())
                }
                _ => demand.requests,
            };
            let to_send = size.share(f64::from(missing) / f64::from(demand.requests.max(1)));
            let tokens = to_send.input_tokens();
            let entered = self.in_time(lane, group.gate.enter(missing, tokens)).await;
            let Some(pass) = entered else {
                return Ok(());
            };
            let Some(reservation) = self.reserve(lane, call, to_send).await? else {
                return Ok(());
            };
            made += 1;
            watch.begin(worker, format!("{}, {}", lane.name, call.name()));
            let at = self.clock.now_text();
            let begun = Instant::now();
            let attempt = ask(lane, request, spent, shelf.as_ref());
            let mut given = match &lane.raw {
                Some(raw) => heard_by(raw.listener(call.name(), made), attempt).await,
                None => attempt.await,
            };
            spent += begun.elapsed();
            watch.end(worker);
            let sent = shelf.as_ref().map_or(1, |shelf| shelf.sent());
            lane.sent(made, sent);
            group.gate.pace.followed(sent.saturating_sub(missing));
            if let Some(error) = lane.parts.as_ref().and_then(PartFile::broken) {
                lane.fail(error);
            }
            // What this attempt took; of an answer that is whole now, earlier ones may have brought parts.
            let measured = match (&shelf, &given) {
                (Some(shelf), given) => shelf.took(given.is_ok()),
                (None, Ok(reply)) => reply.measured.clone(),
                (None, Err(attempt)) => attempt.measured.clone(),
            };
            let (billed, known) = lane.usage(|usage| {
                if let Ok(reply) = &given {
                    usage.learn(size, &reply.measured);
                }
                usage.cost(&given, &measured, reservation.usd())
            });
            lane.spent(billed);
            if let Some(known) = known {
                *cost_usd.get_or_insert(0.0) += known;
            }
            if let Some(counted) = measured.input_tokens {
                group.gate.pace.counted(tokens, counted as f64);
            }
            let todo = self.after(group, lane, &pass, &mut given, (made, spent, call.first));
            let wait = match todo {
                Next::GiveUp | Next::TooLong(_) => {
                    let mut answers = call.answers(given);
                    for answer in &mut answers {
                        answer.measured.attempts = Some(made);
                        answer.measured.cost_usd = cost_usd;
                        answer.measured.at = Some(at.clone());
                    }
                    // Kept before it is booked: were it the other way round, a kill between the two would lose what was paid.
                    lane.end(call, answers);
                    return self.ledger.settle(reservation, billed);
                }
                Next::Wait(wait) => wait,
                Next::Hold(_) => Duration::ZERO,
            };
            self.ledger.settle(reservation, billed)?;
            drop(pass);
            spent += wait;
            if self.in_time(lane, sleep(wait)).await.is_none() {
                return Ok(());
            }
        }
    }

    /// What to do after an attempt, with what it means for everybody at the gate.
    fn after(
        &self,
        group: &Group<'_, '_>,
        lane: &Lane<'_>,
        pass: &Pass<'_>,
        given: &mut Result<Reply, Attempt>,
        (made, spent, seed): (u32, Duration, usize),
    ) -> Next {
        let Err(attempt) = given else {
            pass.heard(false);
            return Next::GiveUp;
        };
        let kind = attempt.failure.kind;
        pass.heard(matches!(
            kind,
            FailureKind::RateLimited | FailureKind::Overloaded
        ));
        let todo = next(attempt.retry, made, lane.limits.retries, seed as u64);
        match todo {
            Next::Wait(wait) if spent + wait > lane.limits.retry_within() => return Next::GiveUp,
            Next::Hold(wait) => {
                if wait >= WAIT_TOLD {
                    let seconds = wait.as_secs();
                    (self.notice)(&format!("{} waits {seconds} s as asked", lane.name));
                }
                group.gate.hold(wait);
            }
            Next::TooLong(wait) => {
                let message = &mut attempt.failure.message;
                let until = self.clock.text_after(wait);
                *message = format!(
                    "{message}; it asks to wait {} s, until {until}, and no more than {} s is waited for",
                    wait.as_secs(),
                    LONGEST_ASKED.as_secs()
                );
                let host = group.host.unwrap_or(&lane.name);
                let reason = format!(
                    "{host} may be asked again after {until}: {}",
                    attempt.failure
                );
                group.lanes.iter().for_each(|lane| lane.stop(&reason));
            }
            _ => {}
        }
        todo
    }

    /// Puts money aside for a call; `None` where it is not to be made.
    async fn reserve(
        &self,
        lane: &Lane<'_>,
        call: &WantedCall<'_>,
        size: Size,
    ) -> Result<Option<Reservation>, CollectError> {
        let (most, about) = lane.usage(|usage| (usage.most(size), usage.about(size)));
        while !lane.is_over() {
            let told = (lane.name.as_str(), call.name());
            match self.ledger.reserve(most, about, told)? {
                Reserve::Granted(reservation) => return Ok(Some(reservation)),
                // Others of ours have put aside more than they will need.
                Reserve::NotYet => {
                    if self.in_time(lane, sleep(MONEY_WAIT)).await.is_none() {
                        return Ok(None);
                    }
                }
                Reserve::Spent => {
                    let budget = self.ledger.budget_usd();
                    lane.stop(&format!("the run's budget of ${budget} is used up"));
                }
            }
        }
        Ok(None)
    }

    /// Waits for something until the run's time is over, which ends the candidate's calls.
    async fn in_time<T>(&self, lane: &Lane<'_>, wait: impl Future<Output = T>) -> Option<T> {
        let Some(deadline) = &self.deadline else {
            return Some(wait.await);
        };
        let done = if deadline.at <= Instant::now() {
            None
        } else {
            timeout_at(deadline.at, wait).await.ok()
        };
        if done.is_none() {
            lane.stop(&deadline.reason());
        }
        done
    }
}

/// Makes one attempt within the call's own deadline.
async fn ask(
    lane: &Lane<'_>,
    request: Request<'_>,
    spent: Duration,
    shelf: Option<&Arc<Shelf>>,
) -> Result<Reply, Attempt> {
    let attempt = async {
        match shelf {
            Some(shelf) => shelf.beside(lane.provider.ask(request)).await,
            None => lane.provider.ask(request).await,
        }
    };
    let Some(deadline) = lane.limits.deadline else {
        return attempt.await;
    };
    let begun = Instant::now();
    let left = deadline.saturating_sub(spent);
    match timeout(left, attempt).await {
        Ok(given) => given,
        Err(_) => Err(Attempt {
            failure: Failure::new(
                FailureKind::Timeout,
                format!("no answer within the call's deadline of {deadline:?}"),
            ),
            retry: Retry::Never,
            measured: Measured {
                latency_ms: Some((begun.elapsed().as_secs_f64() * 1e6).round() / 1000.0),
                ..Measured::default()
            },
        }),
    }
}
