//! Judges' votes on one answer to what they say together.

use super::grade::{Judged, Unjudged};

/// One judge's vote on one criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Vote {
    /// How far the answer meets the criterion, from 0 to 1: the judge's probability of yes where it gives one.
    Says(f64),
    /// There is no vote.
    None(Unjudged),
}

/// Whom one vote on two answers prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// The candidate's answer.
    Own,
    /// The other one.
    Other,
    /// Neither.
    Tie,
    /// There is no vote.
    None(Unjudged),
}

/// What the judges of one answer say together.
///
/// `rubric` holds one list of votes per judge, on the same criteria in the same order; the rubric is the mean of the
/// judges' means. `preferences` holds every judge's vote on both orders of the two answers. A vote that is missing
/// leaves its part missing.
pub fn judged(rubric: &[Vec<Vote>], preferences: Option<&[Preference]>) -> Judged {
    let criteria = rubric.first().map_or(0, Vec::len);
    let mut agreement = (0, 0);
    for at in 0..criteria {
        let says: Vec<bool> = rubric
            .iter()
            .filter_map(|votes| match votes.get(at) {
                Some(Vote::Says(share)) => Some(*share > 0.5),
                _ => None,
            })
            .collect();
        count_pairs(&says, &mut agreement);
    }
    let known: Vec<Preference> = preferences
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(|preference| !matches!(preference, Preference::None(_)))
        .collect();
    count_pairs(&known, &mut agreement);
    Judged {
        rubric: (criteria > 0).then(|| mean(rubric)),
        pairwise: preferences.map(preferred),
        agreement,
    }
}

/// Counts the pairs of equal votes, and all pairs.
fn count_pairs<T: PartialEq>(votes: &[T], (agreeing, all): &mut (u32, u32)) {
    for (at, vote) in votes.iter().enumerate() {
        for other in &votes[..at] {
            *all += 1;
            *agreeing += u32::from(vote == other);
        }
    }
}

fn mean(rubric: &[Vec<Vote>]) -> Result<f64, Unjudged> {
    let mut sum = 0.0;
    for votes in rubric {
        let mut own = 0.0;
        for vote in votes {
            match vote {
                Vote::Says(share) => own += share,
                Vote::None(why) => return Err(*why),
            }
        }
        sum += own / votes.len() as f64;
    }
    Ok(sum / rubric.len() as f64)
}

fn preferred(preferences: &[Preference]) -> Result<f64, Unjudged> {
    for preference in preferences {
        if let Preference::None(why) = preference {
            return Err(*why);
        }
    }
    let all = |wanted: Preference| preferences.iter().all(|preference| *preference == wanted);
    Ok(match preferences {
        [] => return Err(Unjudged::Missing),
        _ if all(Preference::Own) => 1.0,
        _ if all(Preference::Other) => 0.0,
        _ => 0.5,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::FailureKind;
    use Preference::{Other, Own, Tie};

    #[test]
    fn a_rubric_is_the_mean_of_the_votes() {
        let votes = [
            vec![Vote::Says(1.0), Vote::Says(0.5)],
            vec![Vote::Says(0.9), Vote::Says(0.2)],
        ];
        let found = judged(&votes, None);
        assert!((found.rubric.unwrap().unwrap() - 0.65).abs() < 1e-12);
        assert_eq!(found.pairwise, None);
        // On the first criterion both say yes, on the second both no: one half is no yes.
        assert_eq!(found.agreement, (2, 2));
    }

    #[test]
    fn a_comparison_is_won_or_lost_only_where_all_agree() {
        let of = |preferences: &[Preference]| judged(&[], Some(preferences)).pairwise.unwrap();
        assert_eq!(of(&[Own, Own]), Ok(1.0));
        assert_eq!(of(&[Other, Other]), Ok(0.0));
        for split in [[Own, Other], [Own, Tie], [Tie, Tie], [Other, Tie]] {
            assert_eq!(of(&split), Ok(0.5), "{split:?}");
        }
    }

    #[test]
    fn agreement_counts_pairs_of_votes_on_the_same_thing() {
        let votes = [
            vec![Vote::Says(1.0)],
            vec![Vote::Says(0.9)],
            vec![Vote::Says(0.1)],
        ];
        assert_eq!(judged(&votes, None).agreement, (1, 3));
        let both = judged(&votes, Some(&[Own, Own, Other, Own]));
        assert_eq!(both.agreement, (1 + 3, 3 + 6));
    }

    #[test]
    fn a_missing_vote_leaves_its_part_missing() {
        let failed = Unjudged::Failed(FailureKind::Timeout);
        let votes = [vec![Vote::Says(1.0)], vec![Vote::None(failed)]];
        let found = judged(&votes, Some(&[Own, Preference::None(Unjudged::Abstained)]));
        assert_eq!(found.rubric, Some(Err(failed)));
        assert_eq!(found.pairwise, Some(Err(Unjudged::Abstained)));
        assert_eq!(found.agreement, (0, 0));
    }
}
