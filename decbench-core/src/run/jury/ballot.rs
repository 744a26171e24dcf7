//! One judge's votes on every matter, as it answered them.

use std::collections::HashMap;

use super::material::{Docket, FIRST, SECOND};
use crate::collect::{Collected, MissReason};
use crate::decision::{Answer, Question};
use crate::metric::Conventions;
use crate::score::{Observed, Preference, Said, Unjudged, Vote};

/// The votes of one judge, by matter and question.
pub(super) struct Ballot(Vec<Vec<Spoken>>);

/// What was said to one question: how far yes is true, or which option was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spoken {
    Share(f64),
    First,
    Second,
    Neither,
    Nothing(Unjudged),
    /// Nobody was to be asked.
    Unasked,
}

impl Ballot {
    /// Reads a judge's answers; with none, nothing was heard of it.
    pub(super) fn read(docket: &Docket, collected: Option<&Collected>) -> Self {
        let answers: HashMap<(&str, &str), &Answer> = collected
            .into_iter()
            .flat_map(|collected| &collected.answers)
            .map(|answer| ((answer.case.as_str(), answer.question.as_str()), answer))
            .collect();
        let missed: HashMap<&str, Unjudged> = collected
            .into_iter()
            .flat_map(|collected| &collected.misses)
            .map(|miss| {
                let why = match miss.reason {
                    // No recording will ever hold it.
                    MissReason::TooLong(..) => Unjudged::TooLong,
                    _ => Unjudged::Missing,
                };
                (miss.case.as_str(), why)
            })
            .collect();
        let unheard = match collected {
            // A judge that could not be asked at all leaves everything missing.
            None => Spoken::Nothing(Unjudged::Missing),
            Some(_) => Spoken::Unasked,
        };
        let votes = docket.matters.iter().map(|matter| {
            let id = matter.case.id.as_str();
            let questions = matter.case.questions.iter().flatten();
            let spoken =
                questions.map(
                    |question| match answers.get(&(id, question.name.as_str())) {
                        Some(answer) => spoken(answer, question),
                        None => missed.get(id).map_or(unheard, |why| Spoken::Nothing(*why)),
                    },
                );
            spoken.collect()
        });
        Self(votes.collect())
    }

    /// The matters in which somebody else has to stand in.
    pub(super) fn open_matters(&self, missing_too: bool) -> Vec<usize> {
        self.matters_with(|spoken| is_open(spoken, missing_too))
    }

    /// The matters that nobody has recorded a judgement of.
    pub(super) fn missing_matters(&self) -> Vec<usize> {
        self.matters_with(|spoken| {
            matches!(spoken, Spoken::Nothing(Unjudged::Missing) | Spoken::Unasked)
        })
    }

    fn matters_with(&self, holds: impl Fn(Spoken) -> bool) -> Vec<usize> {
        let matters = self.0.iter().enumerate();
        matters
            .filter(|(_, spoken)| spoken.iter().any(|spoken| holds(*spoken)))
            .map(|(matter, _)| matter)
            .collect()
    }

    /// Takes another judge's votes where this one has none; gives the matters in which it did.
    pub(super) fn take_from(&mut self, other: &Self, missing_too: bool) -> Vec<usize> {
        let mut taken = Vec::new();
        for (matter, (own, theirs)) in self.0.iter_mut().zip(&other.0).enumerate() {
            for (own, theirs) in own.iter_mut().zip(theirs) {
                let says = !matches!(theirs, Spoken::Nothing(_) | Spoken::Unasked);
                if is_open(*own, missing_too) && says {
                    *own = *theirs;
                    taken.push(matter);
                }
            }
        }
        taken
    }

    /// The votes on the criteria of a matter.
    pub(super) fn votes(&self, matter: usize) -> Vec<Vote> {
        let vote = |spoken: &Spoken| match *spoken {
            Spoken::Share(share) => Vote::Says(share),
            Spoken::Nothing(why) => Vote::None(why),
            _ => Vote::None(Unjudged::Missing),
        };
        self.0[matter].iter().map(vote).collect()
    }

    /// Whom a comparison prefers, in which the candidate's own answer stood first or second.
    pub(super) fn preference(&self, matter: usize, own_is_second: bool) -> Preference {
        match self.0[matter].first() {
            Some(Spoken::First) if own_is_second => Preference::Other,
            Some(Spoken::First) => Preference::Own,
            Some(Spoken::Second) if own_is_second => Preference::Own,
            Some(Spoken::Second) => Preference::Other,
            Some(Spoken::Neither) => Preference::Tie,
            Some(Spoken::Nothing(why)) => Preference::None(*why),
            _ => Preference::None(Unjudged::Missing),
        }
    }
}

/// Whether a vote is to be replaced by a stand-in's.
fn is_open(spoken: Spoken, missing_too: bool) -> bool {
    match spoken {
        Spoken::Nothing(Unjudged::Missing) => missing_too,
        Spoken::Nothing(_) => true,
        _ => false,
    }
}

fn spoken(answer: &Answer, question: &Question) -> Spoken {
    let observed = Observed::read(answer, question, &Conventions::default());
    if let Some(kind) = observed.failure {
        return Spoken::Nothing(Unjudged::Failed(kind));
    }
    let Some(Said::Option(option)) = observed.said else {
        // Yes at exactly one half says neither.
        return Spoken::Nothing(Unjudged::Abstained);
    };
    let key = question
        .options
        .get(option)
        .map(|option| option.key.as_str());
    match key {
        Some(FIRST) => Spoken::First,
        Some(SECOND) => Spoken::Second,
        Some("yes" | "no") => Spoken::Share(match &observed.probabilities {
            Some(shares) => shares[0],
            None => f64::from(u8::from(option == 0)),
        }),
        _ => Spoken::Neither,
    }
}
