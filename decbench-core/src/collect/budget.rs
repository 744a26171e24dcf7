//! What calls are going to cost, and whether somebody has agreed to it.

use std::fmt;

use super::errand::Errand;
use super::error::CollectError;
use super::estimate::{OUTPUT_TOKENS, Size};
use super::file::read_answers;
use super::gather::Gathered;
use super::job::Environment;
use super::limits::Limits;
use super::progress::dollars;
use super::recordings::recordings_path;
use super::wanted::WantedCall;
use crate::decision::BYTES_PER_TOKEN;
use crate::provider::Provider;

/// A run may spend so many times what was agreed to.
const HEADROOM: f64 = 1.2;

/// What the calls of one suite are likely to cost, reckoned without making any.
///
/// Its text names every candidate's part and what it was reckoned from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// By candidate.
    pub parts: Vec<Part>,
}

/// What the calls of one candidate are likely to cost.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The candidate.
    pub candidate: String,
    /// How many calls are to be made.
    pub calls: usize,
    /// Tokens that are sent, over all calls.
    pub input_tokens: f64,
    /// Tokens that come back, over all calls.
    pub output_tokens: f64,
    /// What that costs, in US dollars; `None` at an unknown price.
    pub usd: Option<f64>,
    /// What the tokens were reckoned from.
    pub tokens_from: String,
    /// Where the price was found.
    pub price_from: String,
    /// How long the calls are likely to take, in seconds, at the candidate's concurrency and rate; `None` where no
    /// recorded answer tells how long one takes.
    pub seconds: Option<f64>,
}

impl Estimate {
    /// What all calls together are likely to cost, in US dollars; those at an unknown price are no part of it.
    pub fn usd(&self) -> f64 {
        self.parts.iter().filter_map(|part| part.usd).sum()
    }

    /// How many calls there are.
    pub fn calls(&self) -> usize {
        self.parts.iter().map(|part| part.calls).sum()
    }

    /// The sum to agree to: the estimate in dollars, rounded up to a whole cent.
    pub fn to_confirm(&self) -> String {
        // What is a cent but for the noise of binary fractions is a cent.
        let cents = (self.usd() * 100.0 - 1e-9).max(0.0).ceil();
        format!("{:.2}", cents / 100.0)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} calls are to be made for about ${}",
            self.calls(),
            dollars(self.usd())
        )?;
        for (position, part) in self.parts.iter().enumerate() {
            f.write_str(if position == 0 { " (" } else { "; " })?;
            write!(
                f,
                "{}: {} calls, {:.0} tokens sent and {:.0} received by {}, ",
                part.candidate, part.calls, part.input_tokens, part.output_tokens, part.tokens_from
            )?;
            match part.usd {
                Some(usd) => write!(f, "${} at {}", dollars(usd), part.price_from)?,
                None => f.write_str("at an unknown price")?,
            }
        }
        f.write_str(if self.parts.is_empty() { "" } else { ")" })
    }
}

impl Environment<'_> {
    /// What the run may spend: the budget, or 1.2 times what was agreed to, whichever is less.
    pub(crate) fn budget(&self) -> Option<f64> {
        let usable = |usd: &f64| usd.is_finite() && *usd >= 0.0;
        let confirmed = self.confirm_usd.filter(usable).map(|usd| usd * HEADROOM);
        match (self.budget_usd.filter(usable), confirmed) {
            (Some(budget), Some(confirmed)) => Some(budget.min(confirmed)),
            (budget, confirmed) => budget.or(confirmed),
        }
    }
}

/// Why calls must not be made.
#[derive(Debug)]
pub(crate) struct Refused {
    estimate: Estimate,
    confirmed_usd: Option<f64>,
}

impl Refused {
    pub(crate) fn error(&self) -> CollectError {
        let estimate = Box::new(self.estimate.clone());
        match self.confirmed_usd {
            Some(confirmed_usd) => CollectError::BeyondConfirmed {
                estimate,
                confirmed_usd,
            },
            None => CollectError::NoBudget { estimate },
        }
    }
}

/// Whether somebody has agreed to what calls are likely to cost: by a budget, or by agreeing to an estimate that is not far
/// below this one.
pub(crate) fn agreed(
    environment: &Environment<'_>,
    estimate: impl FnOnce() -> Estimate,
) -> Result<(), Refused> {
    if environment.budget().is_none() {
        return Err(Refused {
            estimate: estimate(),
            confirmed_usd: None,
        });
    }
    let Some(confirmed) = environment.confirm_usd else {
        return Ok(());
    };
    let estimate = estimate();
    if estimate.usd() <= confirmed * HEADROOM {
        return Ok(());
    }
    Err(Refused {
        estimate,
        confirmed_usd: Some(confirmed),
    })
}

/// What the open calls of these candidates are likely to cost.
pub(crate) fn estimates<'e>(
    open: impl Iterator<Item = (&'e Errand<'e>, &'e Gathered, Option<&'e dyn Provider>)>,
    environment: &Environment<'_>,
) -> Estimate {
    Estimate {
        parts: open
            .map(|(errand, gathered, provider)| part(errand, gathered, provider, environment))
            .collect(),
    }
}

fn part(
    errand: &Errand<'_>,
    gathered: &Gathered,
    provider: Option<&dyn Provider>,
    environment: &Environment<'_>,
) -> Part {
    let size = |call: &WantedCall<'_>| {
        let state = call.state?;
        let demand = provider.map(|provider| provider.demand(state, call.questions.len()));
        Some(Size::of(call, state, demand.unwrap_or_default()))
    };
    let sizes: Vec<Size> = gathered.open_calls(errand.calls).filter_map(size).collect();
    let calls = sizes.len();
    let recorded = Recorded::of(errand, environment);
    let (input_tokens, output_tokens, tokens_from) = match &recorded.usage {
        Some(mean) => (
            mean.input * calls as f64,
            mean.output * calls as f64,
            format!("the usage of {} recorded answers", mean.answers),
        ),
        None => (
            sizes.iter().map(|size| size.input_tokens()).sum(),
            sizes.iter().map(|size| size.output_tokens()).sum(),
            format!(
                "rule of thumb: {BYTES_PER_TOKEN} bytes to a token sent, {OUTPUT_TOKENS} tokens to an answer"
            ),
        ),
    };
    Part {
        candidate: errand.job.candidate.to_owned(),
        calls,
        input_tokens,
        output_tokens,
        usd: errand
            .job
            .price
            .map(|price| price.of_mean(input_tokens, output_tokens)),
        tokens_from,
        price_from: errand.job.price_from.to_owned(),
        seconds: recorded
            .latency_ms
            .map(|latency| seconds(calls, latency, &errand.job.limits)),
    }
}

/// How long so many calls take where one takes so many milliseconds; a limit on requests may make it longer.
fn seconds(calls: usize, latency_ms: f64, limits: &Limits) -> f64 {
    let calls = calls as f64;
    let in_flight = calls * latency_ms / 1000.0 / limits.concurrency.max(1) as f64;
    let allowed = limits
        .requests
        .map_or(0.0, |rate| rate.time_for(calls).as_secs_f64());
    in_flight.max(allowed)
}

/// What recorded answers of a candidate tell of its next calls.
struct Recorded {
    usage: Option<MeanUsage>,
    /// The mean time of a call.
    latency_ms: Option<f64>,
}

/// The tokens that a call of this candidate took on average, by its recordings.
struct MeanUsage {
    input: f64,
    output: f64,
    answers: usize,
}

impl Recorded {
    fn of(errand: &Errand<'_>, environment: &Environment<'_>) -> Self {
        let candidate = errand.asking.identity.digest();
        // A file that cannot be read is told elsewhere; here it says nothing.
        let answers = read_answers(&recordings_path(errand.job, environment))
            .map(|read| read.answers)
            .unwrap_or_default();
        let own = || {
            answers.iter().filter(|answer| {
                answer
                    .request
                    .is_some_and(|request| request.candidate == candidate)
            })
        };
        let tokens: Vec<(f64, f64)> = own()
            .filter_map(|answer| {
                let output = answer.measured.output_tokens.unwrap_or(0) as f64;
                Some((answer.measured.input_tokens? as f64, output))
            })
            .collect();
        let times: Vec<f64> = own()
            .filter_map(|answer| answer.measured.latency_ms)
            .collect();
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        let usage = |answers: usize| {
            Some(MeanUsage {
                input: mean(tokens.iter().map(|(input, _)| input).sum(), answers)?,
                output: mean(tokens.iter().map(|(_, output)| output).sum(), answers)?,
                answers,
            })
        };
        Self {
            usage: usage(tokens.len()),
            latency_ms: mean(times.iter().sum(), times.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Rate;

    fn estimate(usd: f64) -> Estimate {
        Estimate {
            parts: vec![Part {
                candidate: "jev".to_owned(),
                calls: 300,
                input_tokens: 35_400.0,
                output_tokens: 1200.0,
                usd: Some(usd),
                tokens_from: "the usage of 40 recorded answers".to_owned(),
                price_from: "the price of 2026-11-01 in decbench.toml".to_owned(),
                seconds: None,
            }],
        }
    }

    #[test]
    fn the_sum_to_agree_to_is_rounded_up_to_a_cent() {
        let sums = [0.0, 0.000_1, 0.07, 0.841, 12.0].map(|usd| estimate(usd).to_confirm());
        assert_eq!(sums, ["0.00", "0.01", "0.07", "0.85", "12.00"]);
    }

    #[test]
    fn time_is_bounded_by_calls_in_flight_and_by_the_rate() {
        let mut limits = Limits {
            concurrency: 4,
            ..Limits::default()
        };
        assert!((seconds(100, 200.0, &limits) - 5.0).abs() < 1e-9);
        limits.requests = Rate::parse("600/min");
        assert!((seconds(100, 200.0, &limits) - 10.0).abs() < 1e-9);
        assert_eq!(seconds(0, 200.0, &limits), 0.0);
    }

    #[test]
    fn an_estimate_says_what_it_was_reckoned_from() {
        assert_eq!(
            estimate(0.001_49).to_string(),
            "300 calls are to be made for about $0.0015 (jev: 300 calls, 35400 tokens sent and 1200 received by the usage of 40 recorded answers, $0.0015 at the price of 2026-11-01 in decbench.toml)"
        );
    }
}
