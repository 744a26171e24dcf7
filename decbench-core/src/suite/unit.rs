//! Units of evidence, and which of them lie in the lock box.

use std::collections::HashMap;

use crate::decision::{Case, Context, Digest};

/// What makes cases one unit of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Unit<'a> {
    /// The user's cluster.
    Cluster(&'a str),
    /// Equal non-empty states.
    State(Digest),
    /// The case alone.
    Case(&'a str),
}

impl<'a> Unit<'a> {
    fn of(case: &'a Case) -> Self {
        if let Some(cluster) = &case.cluster {
            return Self::Cluster(cluster);
        }
        match &case.state {
            Some(state) if !state.is_empty() => case
                .state_digest(Context::Production)
                .map_or(Self::Case(&case.id), Self::State),
            _ => Self::Case(&case.id),
        }
    }
}

/// Numbers the units in the order of their first cases.
pub(super) fn number_units(cases: &mut [Case]) {
    let mut seen: HashMap<Unit<'_>, u32> = HashMap::with_capacity(cases.len());
    let mut next = 0;
    let numbers: Vec<u32> = cases
        .iter()
        .map(|case| {
            *seen.entry(Unit::of(case)).or_insert_with(|| {
                next += 1;
                next - 1
            })
        })
        .collect();
    for (case, number) in cases.iter_mut().zip(numbers) {
        case.unit = number;
    }
}

/// Whether a case falls into a lock box that takes `share` of the units.
///
/// The unit's own hash decides, so that a case never moves when others come or go.
pub fn in_lockbox(case: &Case, share: f64, seed: u32) -> bool {
    let unit = Unit::of(case);
    let (kind, key): (&str, &[u8]) = match &unit {
        Unit::Cluster(cluster) => ("cluster", cluster.as_bytes()),
        Unit::State(digest) => ("state", digest.as_bytes()),
        Unit::Case(id) => ("case", id.as_bytes()),
    };
    let digest = Digest::of([
        b"lockbox/1".as_slice(),
        &seed.to_le_bytes(),
        kind.as_bytes(),
        key,
    ]);
    // 48 bits, as a fraction that a double holds exactly.
    let fraction = digest.as_bytes()[..6]
        .iter()
        .rev()
        .fold(0.0, |fraction, byte| (fraction + f64::from(*byte)) / 256.0);
    fraction < share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::State;

    fn case(id: &str, state: &str, cluster: Option<&str>) -> Case {
        let mut case = Case::new(id, State::Text(state.into()));
        case.cluster = cluster.map(str::to_owned);
        case
    }

    #[test]
    fn equal_states_and_clusters_are_one_unit_and_empty_states_are_not() {
        let mut cases = vec![
            case("a", "x", None),
            case("b", "y", None),
            case("c", "x", None),
            case("d", "x", Some("k")),
            case("e", "z", Some("k")),
            case("f", "", None),
            case("g", "", None),
        ];
        number_units(&mut cases);
        let units: Vec<u32> = cases.iter().map(|case| case.unit).collect();
        assert_eq!(units, [0, 1, 0, 2, 2, 3, 4]);
    }

    #[test]
    fn the_lock_box_takes_about_its_share_and_whole_units() {
        let taken = |seed| {
            (0..10_000)
                .filter(|number| in_lockbox(&case("x", &number.to_string(), None), 0.3, seed))
                .count()
        };
        assert!((2_850..3_150).contains(&taken(0)), "{}", taken(0));
        assert!((2_850..3_150).contains(&taken(1)), "{}", taken(1));
        for number in 0..100 {
            let state = number.to_string();
            assert_eq!(
                in_lockbox(&case("a", &state, None), 0.3, 0),
                in_lockbox(&case("b", &state, None), 0.3, 0)
            );
        }
    }

    #[test]
    fn the_lock_box_of_today_is_that_of_the_first_release() {
        let taken: String = (0..12)
            .map(|number| in_lockbox(&case("x", &number.to_string(), None), 0.5, 0))
            .map(|taken| if taken { '1' } else { '0' })
            .collect();
        assert_eq!(taken, "001101010000");
    }
}
