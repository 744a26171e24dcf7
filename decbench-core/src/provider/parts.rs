//! Several calls for one answer: what they took together, and what becomes of it when one fails.

#[cfg(feature = "http")]
use std::future::Future;

use super::contract::{Attempt, Reply, Retry};
#[cfg(feature = "http")]
use super::side_by_side::run_all;
use crate::decision::Measured;
#[cfg(feature = "http")]
use crate::decision::Request;

/// Asks every question of a request by a call of its own, side by side, for services that take one at a time.
#[cfg(feature = "http")]
pub(super) async fn one_by_one<'a, F>(
    request: Request<'a>,
    ask: impl Fn(Request<'a>) -> F,
) -> Result<Reply, Attempt>
where
    F: Future<Output = Result<Reply, Attempt>>,
{
    let each = request.questions.iter().map(|asked| {
        ask(Request {
            questions: std::slice::from_ref(asked),
            ..request
        })
    });
    let replies = all_or_failure(run_all(each.collect()).await)?;
    let measured = together(replies.iter().map(|reply| &reply.measured));
    let answers = replies.into_iter().flat_map(|reply| reply.answers);
    Ok(Reply {
        answers: answers.collect(),
        measured,
    })
}

/// The replies where every call has one. Else the failure that helps least, as one missing part leaves no answer; what
/// the others took was paid for and stays with it.
#[expect(
    clippy::result_large_err,
    reason = "an attempt is what every call gives"
)]
pub(super) fn all_or_failure(given: Vec<Result<Reply, Attempt>>) -> Result<Vec<Reply>, Attempt> {
    if given.iter().all(Result::is_ok) {
        return Ok(given.into_iter().flatten().collect());
    }
    let measured: Vec<Measured> = given
        .iter()
        .map(|part| match part {
            Ok(reply) => reply.measured.clone(),
            Err(attempt) => attempt.measured.clone(),
        })
        .collect();
    let failed = given.into_iter().filter_map(Result::err);
    let worst = failed.reduce(|worst, other| {
        if patience(other.retry) > patience(worst.retry) {
            other
        } else {
            worst
        }
    });
    let worst = worst.expect("one has failed");
    Err(Attempt {
        measured: known_tokens(&measured),
        ..worst
    })
}

/// As [`together`], with the tokens of those parts that tell theirs.
pub(super) fn known_tokens(parts: &[Measured]) -> Measured {
    let known = |count: fn(&Measured) -> Option<u64>| {
        let counts = parts.iter().filter_map(count);
        counts.reduce(|sum, count| sum + count)
    };
    Measured {
        input_tokens: known(|part| part.input_tokens),
        output_tokens: known(|part| part.output_tokens),
        ..together(parts)
    }
}

/// How long to wait for another attempt, for ever coming last.
fn patience(retry: Retry) -> (bool, std::time::Duration) {
    match retry {
        Retry::Never => (true, std::time::Duration::ZERO),
        Retry::Soon => (false, std::time::Duration::ZERO),
        Retry::After(wait) => (false, wait),
    }
}

/// What calls made side by side took: tokens add up where all are known, and the slowest is what was waited for. Where
/// different models answered each is named.
pub(super) fn together<'m>(parts: impl IntoIterator<Item = &'m Measured>) -> Measured {
    let parts: Vec<&Measured> = parts.into_iter().collect();
    let slowest = |time: fn(&Measured) -> Option<f64>| {
        let times = parts.iter().filter_map(|part| time(part));
        times.reduce(f64::max)
    };
    let sum = |count: fn(&Measured) -> Option<u64>| {
        let counts: Option<Vec<u64>> = parts.iter().map(|part| count(part)).collect();
        counts
            .filter(|counts| !counts.is_empty())
            .map(|counts| counts.iter().sum())
    };
    let mut models: Vec<&str> = Vec::new();
    for model in parts.iter().filter_map(|part| part.model.as_deref()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    Measured {
        model: (!models.is_empty()).then(|| models.join(", ")),
        latency_ms: slowest(|part| part.latency_ms),
        connect_ms: slowest(|part| part.connect_ms),
        cold: parts
            .iter()
            .filter_map(|part| part.cold)
            .reduce(|any, cold| any || cold),
        input_tokens: sum(|part| part.input_tokens),
        output_tokens: sum(|part| part.output_tokens),
        ..Measured::default()
    }
}

/// The most probable label, where no other is as probable: what a tie means is the suite's to say.
pub(super) fn top_label(probabilities: &[(String, f64)]) -> Option<String> {
    let top = probabilities.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let tied = probabilities.iter().filter(|(_, p)| *p == top.1).count();
    (tied == 1).then(|| top.0.clone())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::decision::{Failure, FailureKind};

    fn took(latency_ms: f64, input_tokens: Option<u64>) -> Measured {
        Measured {
            model: Some("m".to_owned()),
            latency_ms: Some(latency_ms),
            input_tokens,
            ..Measured::default()
        }
    }

    fn failed(kind: FailureKind, retry: Retry) -> Attempt {
        Attempt {
            failure: Failure::new(kind, "no"),
            retry,
            measured: took(5.0, None),
        }
    }

    #[test]
    fn tokens_add_up_and_the_slowest_counts() {
        let all = together(&[took(10.0, Some(3)), took(30.0, Some(4))]);
        assert_eq!((all.latency_ms, all.input_tokens), (Some(30.0), Some(7)));
        assert_eq!(all.model.as_deref(), Some("m"));
        let unknown = together(&[took(10.0, Some(3)), took(30.0, None)]);
        assert_eq!(unknown.input_tokens, None, "a part is not the whole");
    }

    #[test]
    fn one_failure_fails_all_and_keeps_what_was_paid() {
        let attempt = all_or_failure(vec![
            Ok(Reply {
                answers: Vec::new(),
                measured: took(20.0, Some(3)),
            }),
            Err(failed(
                FailureKind::RateLimited,
                Retry::After(Duration::from_secs(1)),
            )),
            Err(failed(FailureKind::Auth, Retry::Never)),
        ])
        .expect_err("two have failed");
        assert_eq!(attempt.failure.kind, FailureKind::Auth);
        assert_eq!(attempt.retry, Retry::Never);
        assert_eq!(attempt.measured.input_tokens, Some(3));
        assert_eq!(attempt.measured.latency_ms, Some(20.0));
    }
}
