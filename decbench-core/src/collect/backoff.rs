//! How long to wait before another attempt.

use std::time::Duration;

use crate::provider::Retry;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(8);
/// The longest wait of a service that is waited for.
pub(crate) const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// What to do after an attempt that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing more.
    GiveUp,
    /// The service asks for a longer wait than is waited for.
    TooLong(Duration),
    /// Another attempt after this wait, by our own reckoning.
    Wait(Duration),
    /// Another attempt after the wait that the service asked everybody for.
    Hold(Duration),
}

/// What to do after attempt number `made` (from 1). Half a second, doubled each time up to eight, less up to a quarter:
/// that part is drawn from `seed`, so that calls which failed together do not come back together.
pub(crate) fn next(retry: Retry, made: u32, retries: u32, seed: u64) -> Next {
    match retry {
        Retry::Never => Next::GiveUp,
        Retry::After(wait) if wait > LONGEST_ASKED => Next::TooLong(wait),
        _ if made > retries => Next::GiveUp,
        Retry::After(wait) => Next::Hold(wait),
        _ => {
            let doubled = FIRST.saturating_mul(1 << made.saturating_sub(1).min(10));
            let off = 0.25 * unit(seed ^ (u64::from(made) << 48));
            Next::Wait(doubled.min(LONGEST).mul_f64(1.0 - off))
        }
    }
}

/// A number from 0 to 1 that looks random (`SplitMix64`).
fn unit(seed: u64) -> f64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_eight_seconds_and_lose_at_most_a_quarter() {
        let mut seen = Vec::new();
        for seed in 0..200 {
            for (made, base) in [(1, 500), (2, 1000), (3, 2000), (5, 8000), (40, 8000)] {
                let Next::Wait(wait) = next(Retry::Soon, made, 50, seed) else {
                    panic!("another attempt is due");
                };
                let base = Duration::from_millis(base);
                assert!(wait <= base && wait >= base.mul_f64(0.75), "{wait:?}");
                seen.push(wait);
            }
        }
        seen.sort();
        seen.dedup();
        assert!(seen.len() > 500, "waits are spread");
    }

    #[test]
    fn the_services_wait_comes_first_and_too_long_a_one_ends_it() {
        let asked = |seconds| Retry::After(Duration::from_secs(seconds));
        assert_eq!(
            next(asked(60), 1, 2, 0),
            Next::Hold(Duration::from_secs(60))
        );
        assert_eq!(
            next(asked(61), 1, 2, 0),
            Next::TooLong(Duration::from_secs(61))
        );
        assert_eq!(next(asked(1), 3, 2, 0), Next::GiveUp);
        assert_eq!(next(Retry::Soon, 1, 0, 0), Next::GiveUp);
        assert_eq!(next(Retry::Never, 1, 2, 0), Next::GiveUp);
    }
}
