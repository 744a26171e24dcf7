//! What fill and live have in common: what must be there before the first call, and making the calls.

use super::budget::{agreed, estimates};
use super::deadline::Deadline;
use super::engine::Engine;
use super::errand::{Errand, Keeper, Stage};
use super::error::CollectError;
use super::gather::Gathered;
use super::job::Environment;
use super::lane::{Made, Wish};
use super::ledger::Ledger;
use super::lock::Turn;
use super::mode::Mode;
use super::part_file::PartFile;
use super::raw_replies::RawReplies;
use super::run_store::RunStore;
use super::under_way;
use super::wanted::WantedCall;
use crate::decision::Answer;
use crate::provider::{Price, Provider};

/// How one mode goes about asking.
pub(crate) trait Round {
    /// Held while its stores are written.
    type Turn;

    /// Waits for the turn on the stores of the suite, the same for all its candidates.
    ///
    /// # Errors
    ///
    /// When it cannot be taken: nothing that was asked could be kept.
    fn turn(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
    ) -> Result<Self::Turn, CollectError>;

    /// Opens a candidate's stores, and takes what has come into them since.
    ///
    /// # Errors
    ///
    /// When answers could not be kept.
    fn open(
        &self,
        errand: &Errand<'_>,
        environment: &Environment<'_>,
        gathered: &mut Gathered,
    ) -> Result<Box<dyn Keeper>, CollectError>;

    /// Takes what a killed run had asked.
    ///
    /// # Errors
    ///
    /// When it cannot be kept as this run's.
    fn go_on(
        &self,
        _errand: &Errand<'_>,
        _environment: &Environment<'_>,
        _gathered: &mut Gathered,
        _ledger: &Ledger,
        _keeper: &mut dyn Keeper,
    ) -> Result<(), CollectError> {
        Ok(())
    }

    /// Notes that calls are about to be made.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    fn begin(
        &self,
        _errand: &Errand<'_>,
        _environment: &Environment<'_>,
    ) -> Result<(), CollectError> {
        Ok(())
    }
}

/// A candidate that can be called and paid for.
struct Ready {
    provider: Box<dyn Provider>,
    price: Option<Price>,
}

/// A candidate whose stores are open.
struct Opened {
    ready: Ready,
    keeper: Box<dyn Keeper>,
    raw: Option<RawReplies>,
    parts: Option<PartFile>,
}

/// Whether something is to be asked.
pub(crate) fn to_ask(
    mut gathered: Gathered,
    errand: &Errand<'_>,
    environment: &Environment<'_>,
) -> Stage<()> {
    if gathered.open_calls(errand.calls).next().is_none() {
        return Stage::Done(gathered);
    }
    if let Some(reason) = RunStore::of(errand.job, environment).stopped() {
        gathered.not_asked = Some(reason);
        return Stage::Done(gathered);
    }
    Stage::Open(gathered, ())
}

/// Asks what is open: everything that must be there is looked for before the first call, and stores are open before it.
pub(crate) fn ask(
    errands: &[Errand<'_>],
    environment: &Environment<'_>,
    stages: Vec<Stage<()>>,
    round: &impl Round,
) -> Vec<Result<Gathered, CollectError>> {
    let stages = get_ready(errands, environment, stages);
    let Some(first) = stages.iter().position(Stage::is_open) else {
        return stages.into_iter().map(Stage::result).collect();
    };
    // Declared before what is opened under it, so that it is given up after that.
    let turn = round.turn(&errands[first], environment);
    let budget = environment.budget().unwrap_or_default();
    let ledger = turn.and_then(|turn| {
        let store = RunStore::of(errands[first].job, environment);
        Ok((turn, store.ledger(budget)?))
    });
    let (_turn, ledger) = match ledger {
        Ok(taken) => taken,
        Err(error) => return failed(stages, &error),
    };
    let stages = each(errands, stages, |errand, gathered, ready| {
        open(errand, environment, round, &ledger, gathered, ready)
    });
    if !stages.iter().any(Stage::is_open) {
        return stages.into_iter().map(Stage::result).collect();
    }
    let means = host_turns(errands, environment, &stages).and_then(|turns| {
        let run = environment.output.join("runs").join(&environment.run);
        let deadline = environment
            .deadline
            .map(|limit| Deadline::of_run(&run, limit, &environment.clock))
            .transpose()
            .map_err(|error| CollectError::not_kept(&run, error))?;
        Ok((turns, deadline))
    });
    match means {
        Ok((_turns, deadline)) => {
            let engine = Engine {
                suite: errands[first].job.suite,
                ledger: &ledger,
                clock: &environment.clock,
                deadline,
                notice: environment.notice,
                progress: environment.progress,
            };
            make_calls(errands, stages, &engine)
        }
        Err(error) => failed(stages, &error),
    }
}

/// Finds out before anything is asked whether all is there: prices, consent to the costs, keys.
fn get_ready(
    errands: &[Errand<'_>],
    environment: &Environment<'_>,
    stages: Vec<Stage<()>>,
) -> Vec<Stage<Ready>> {
    let stages = each(errands, stages, |errand, gathered, ()| {
        let job = errand.job;
        if job.price.is_none() && !job.allow_unpriced {
            let calls = gathered.open_calls(errand.calls).count();
            let model = errand.asking.identity.model.clone();
            return Stage::Failed(CollectError::NoPrice { calls, model });
        }
        Stage::Open(gathered, ())
    });
    // What it takes to call is looked at first, as some candidates send several requests for one answer; that a key is
    // missing is told only to those who have agreed to the costs.
    let stages = each(errands, stages, |errand, gathered, ()| {
        Stage::Open(gathered, (errand.asking.connect)())
    });
    let open = errands.iter().zip(&stages).filter_map(|(errand, stage)| {
        let Stage::Open(gathered, connected) = stage else {
            return None;
        };
        Some((errand, gathered, connected.as_deref().ok()))
    });
    let agreed = agreed(environment, || estimates(open, environment));
    each(errands, stages, |errand, gathered, connected| {
        let ready = match (&agreed, connected) {
            (Err(refused), _) => Err(refused.error()),
            (Ok(()), connected) => connected
                .map(|provider| Ready {
                    provider,
                    price: errand.job.price,
                })
                .map_err(CollectError::from),
        };
        match ready {
            Ok(ready) => Stage::Open(gathered, ready),
            Err(error) => Stage::Failed(error),
        }
    })
}

fn open(
    errand: &Errand<'_>,
    environment: &Environment<'_>,
    round: &impl Round,
    ledger: &Ledger,
    mut gathered: Gathered,
    ready: Ready,
) -> Stage<Opened> {
    let opened = round
        .open(errand, environment, &mut gathered)
        .and_then(|mut keeper| {
            round.go_on(errand, environment, &mut gathered, ledger, &mut *keeper)?;
            Ok(keeper)
        });
    let keeper = match opened {
        Ok(keeper) => keeper,
        Err(error) => return Stage::Failed(error),
    };
    match to_ask(gathered, errand, environment) {
        Stage::Open(mut gathered, ()) => {
            let begun = under_way::tell(errand, environment, ledger, &mut gathered)
                .and_then(|()| round.begin(errand, environment))
                .and_then(|()| {
                    let raw = RunStore::of(errand.job, environment).raw_replies(errand.job)?;
                    Ok((raw, parts(errand, environment, &*ready.provider)?))
                });
            match begun {
                Ok((raw, parts)) => {
                    let opened = Opened {
                        ready,
                        keeper,
                        raw,
                        parts,
                    };
                    Stage::Open(gathered, opened)
                }
                Err(error) => Stage::Failed(error),
            }
        }
        Stage::Done(gathered) => {
            let ended = if gathered.not_asked.is_some() {
                Ok(())
            } else {
                keeper.finish(None)
            };
            match ended {
                Ok(()) => Stage::Done(gathered),
                Err(error) => Stage::Failed(error),
            }
        }
        Stage::Failed(error) => Stage::Failed(error),
    }
}

/// Where parts of answers wait, for a candidate that sends several requests for one.
fn parts(
    errand: &Errand<'_>,
    environment: &Environment<'_>,
    provider: &dyn Provider,
) -> Result<Option<PartFile>, CollectError> {
    let has_parts = |call: &WantedCall<'_>| {
        let state = call.state;
        state.is_some_and(|state| provider.demand(state, call.questions.len()).has_parts())
    };
    if !errand.calls.iter().any(has_parts) {
        return Ok(None);
    }
    let path = match environment.mode {
        Mode::Live => RunStore::of(errand.job, environment).parts(),
        _ => environment
            .output
            .join("parts")
            .join(errand.job.suite)
            .join(format!("{}.jsonl", errand.job.candidate)),
    };
    PartFile::open(&path, &environment.run, &environment.clock).map(Some)
}

/// Makes the calls of all open candidates together.
fn make_calls(
    errands: &[Errand<'_>],
    stages: Vec<Stage<Opened>>,
    engine: &Engine<'_>,
) -> Vec<Result<Gathered, CollectError>> {
    let mut stages = stages;
    let wishes = errands
        .iter()
        .zip(&mut stages)
        .filter_map(|(errand, stage)| {
            let Stage::Open(gathered, opened) = stage else {
                return None;
            };
            Some(wish(errand, gathered, opened))
        })
        .collect();
    let mut made = engine.make(wishes).into_iter();
    stages
        .into_iter()
        .map(|stage| {
            let (mut gathered, opened) = match stage {
                Stage::Open(gathered, opened) => (gathered, opened),
                ended => return ended.result(),
            };
            let Made {
                calls,
                usd,
                stopped,
            } = made.next().expect("one for each that was open")?;
            gathered.calls_made += calls;
            gathered.spent_usd += usd;
            gathered.not_asked = stopped;
            opened.keeper.finish(gathered.not_asked.as_deref())?;
            if let Some(parts) = opened.parts {
                parts.finish();
            }
            Ok(gathered)
        })
        .collect()
}

fn wish<'w>(
    errand: &'w Errand<'w>,
    gathered: &'w mut Gathered,
    opened: &'w mut Opened,
) -> Wish<'w> {
    let calls: Vec<&WantedCall<'_>> = gathered.open_calls(errand.calls).collect();
    let Opened {
        ready,
        keeper,
        raw,
        parts,
    } = opened;
    Wish {
        name: errand.name(),
        host: errand.asking.host,
        provider: ready.provider.as_ref(),
        limits: errand.job.limits,
        price: ready.price,
        calls,
        raw: raw.clone(),
        parts: parts.clone(),
        keep: Box::new(|call, answers| {
            // Of a call that was recorded in part only the missing answers are new: what is there wins.
            let fresh: Vec<Answer> = gathered
                .open_answers(call)
                .zip(&answers)
                .filter(|(open, _)| *open)
                .map(|(_, answer)| answer.clone())
                .collect();
            let kept = keeper.keep(&fresh);
            gathered.put(call.first, answers);
            kept
        }),
    }
}

/// Processes that call the same host take turns, so that they do not multiply its rate. Hosts are taken in the order of
/// their names, so that no two processes wait for each other.
fn host_turns<T>(
    errands: &[Errand<'_>],
    environment: &Environment<'_>,
    stages: &[Stage<T>],
) -> Result<Vec<Turn>, CollectError> {
    let mut hosts: Vec<(&str, String)> = errands
        .iter()
        .zip(stages)
        .filter(|(_, stage)| stage.is_open())
        .filter_map(|(errand, _)| Some((errand.asking.host?, errand.name())))
        .collect();
    hosts.sort();
    hosts.dedup_by_key(|(host, _)| *host);
    let take = |(host, holder): (&str, String)| host_turn(host, &holder, environment);
    hosts.into_iter().map(take).collect()
}

/// Waits for the turn to call a host.
pub(super) fn host_turn(
    host: &str,
    holder: &str,
    environment: &Environment<'_>,
) -> Result<Turn, CollectError> {
    let name: String = host
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '.' || letter == '-' {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let path = environment
        .output
        .join("hosts")
        .join(format!("{name}.lock"));
    Turn::take(&path, holder, environment.notice)
        .map_err(|error| CollectError::not_kept(&path, error))
}

/// Takes every open stage one step further.
fn each<A, B>(
    errands: &[Errand<'_>],
    stages: Vec<Stage<A>>,
    mut step: impl FnMut(&Errand<'_>, Gathered, A) -> Stage<B>,
) -> Vec<Stage<B>> {
    errands
        .iter()
        .zip(stages)
        .map(|(errand, stage)| match stage {
            Stage::Open(gathered, with) => step(errand, gathered, with),
            Stage::Done(gathered) => Stage::Done(gathered),
            Stage::Failed(error) => Stage::Failed(error),
        })
        .collect()
}

/// What stands in the way of all that are open.
fn failed<T>(stages: Vec<Stage<T>>, error: &CollectError) -> Vec<Result<Gathered, CollectError>> {
    stages
        .into_iter()
        .map(|stage| match stage {
            Stage::Open(..) => Err(error.again()),
            ended => ended.result(),
        })
        .collect()
}
