//! Models that vote on labels: which cases they let stay.

use std::collections::HashMap;

use super::data_rules::Panel;
use crate::decision::{Case, Gold, Origin, Question, Split};

/// The mean probability on the author's answer from which on a majority carries it.
const CARRIED_FROM: f64 = 0.5;

/// What a panel did to the cases.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct PanelRecord {
    /// Cases that a model of the panel voted on.
    pub voted: usize,
    /// Of these, cases on which all agree.
    pub unanimous: usize,
    /// Cases that two of three carried.
    pub carried: usize,
    /// Cases that are no longer in the suite, in file order.
    pub dropped: Vec<Dropped>,
}

/// A case that is no longer in the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dropped {
    /// Its id.
    pub case: String,
    /// The part of the cases it belonged to.
    pub split: Split,
    /// Why.
    pub why: String,
    /// Whether votes were missing, so that more of them could have kept it.
    pub incomplete: bool,
}

/// What the votes on one case come to.
enum Stands {
    /// All models say the same as the author, or as each other where there is no author's answer.
    Unanimous,
    /// Two of three do, and the three together give it at least half.
    Carried,
    /// Not.
    Falls(String),
    /// Nobody can tell, since votes are missing.
    Incomplete(String),
}

/// Takes out the cases that the panel does not let stay, and both members of a pair where one of them goes.
pub(super) fn apply(
    panel: &Panel,
    questions: &[Question],
    cases: Vec<Case>,
) -> (Vec<Case>, PanelRecord) {
    let mut record = PanelRecord::default();
    let mut falls: Vec<Option<(String, bool)>> = Vec::with_capacity(cases.len());
    for case in &cases {
        falls.push(match on_case(panel, questions, case) {
            None => None,
            Some(stands) => {
                record.voted += 1;
                match stands {
                    Stands::Unanimous => {
                        record.unanimous += 1;
                        None
                    }
                    Stands::Carried => {
                        record.carried += 1;
                        None
                    }
                    Stands::Falls(why) => Some((why, false)),
                    Stands::Incomplete(why) => Some((why, true)),
                }
            }
        });
    }
    let mut broken: HashMap<&str, &str> = HashMap::new();
    for (case, fall) in cases.iter().zip(&falls) {
        if let (Some(pair), Some(_)) = (&case.pair, fall) {
            broken.entry(&pair.id).or_insert(&case.id);
        }
    }
    let partners: Vec<Option<String>> = cases
        .iter()
        .map(|case| {
            let lost = broken.get(case.pair.as_ref()?.id.as_str())?;
            Some(format!("its pair lost `{lost}`"))
        })
        .collect();
    let mut kept = Vec::with_capacity(cases.len());
    for ((case, fall), partner) in cases.into_iter().zip(falls).zip(partners) {
        match fall.or(partner.map(|why| (why, false))) {
            None => kept.push(case),
            Some((why, incomplete)) => record.dropped.push(Dropped {
                case: case.id,
                split: case.split,
                why,
                incomplete,
            }),
        }
    }
    (kept, record)
}

/// The worst of the case's questions; `None` where no model of the panel voted.
fn on_case(panel: &Panel, questions: &[Question], case: &Case) -> Option<Stands> {
    let mut worst: Option<Stands> = None;
    for (at, question) in case.questions(questions).iter().enumerate() {
        let votes: Vec<Option<&str>> = panel
            .models
            .iter()
            .map(|model| case.labels.get(model)?.get(at)?.as_deref())
            .collect();
        if votes.iter().all(Option::is_none) {
            continue;
        }
        let stands = on_question(panel, question, case, at, &votes);
        let rank = |stands: &Stands| match stands {
            Stands::Unanimous => 0,
            Stands::Carried => 1,
            Stands::Incomplete(_) => 2,
            Stands::Falls(_) => 3,
        };
        if worst
            .as_ref()
            .is_none_or(|worst| rank(&stands) > rank(worst))
        {
            worst = Some(stands);
        }
    }
    worst
}

fn on_question(
    panel: &Panel,
    question: &Question,
    case: &Case,
    at: usize,
    votes: &[Option<&str>],
) -> Stands {
    let key = |gold: &Gold| {
        let option = question.options.get(gold.single()?)?;
        Some(option.key.as_str())
    };
    let author = [&case.gold, &case.reference]
        .into_iter()
        .find_map(|answers| key(answers.get(at)?.as_ref()?));
    let given: Vec<&str> = votes.iter().flatten().copied().collect();
    let said = || {
        let pairs = panel.models.iter().zip(votes);
        let said: Vec<String> = pairs
            .map(|(model, vote)| format!("{model} {}", vote.unwrap_or("nothing")))
            .collect();
        let author = author.map_or_else(String::new, |author| format!(", the author {author}"));
        said.join(", ") + &author
    };
    let right = author.unwrap_or(given[0]);
    let agreeing = given.iter().filter(|vote| **vote == right).count();
    if agreeing == votes.len() {
        return Stands::Unanimous;
    }
    if given.len() < votes.len() {
        return Stands::Incomplete(format!("votes are missing: {}", said()));
    }
    if case.origin == Some(Origin::Trace) {
        return Stands::Falls(format!(
            "a real request stays only when all agree: {}",
            said()
        ));
    }
    let (Some(author), 3, 2) = (author, votes.len(), agreeing) else {
        return Stands::Falls(format!("the models do not agree: {}", said()));
    };
    let shares: Option<Vec<f64>> = panel
        .models
        .iter()
        .map(|model| {
            let shares = case.votes.get(model)?.get(at)?.as_ref()?;
            shares.get(question.index_of(author)?).copied()
        })
        .collect();
    match shares {
        None => Stands::Incomplete(format!(
            "two of three agree, and not all gave a probability: {}",
            said()
        )),
        Some(shares) => {
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            if mean >= CARRIED_FROM {
                Stands::Carried
            } else {
                Stands::Falls(format!(
                    "two of three agree, at a mean of {:.0}% on the author's answer: {}",
                    mean * 100.0,
                    said()
                ))
            }
        }
    }
}
