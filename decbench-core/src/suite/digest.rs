//! The digest of the data an outcome speaks about.

use super::model::Suite;
use super::open::OpenTask;
use crate::decision::{Case, Context, Digest, Gold, Question, Relation, Split, question_digest};

/// The digest of questions, cases and gold. The order of cases does not count, their ids do.
pub(super) fn suite_digest(
    questions: &[Question],
    open: Option<&OpenTask>,
    cases: &[Case],
) -> Digest {
    digest_of(questions, open, cases)
}

fn digest_of<'a>(
    questions: &[Question],
    open: Option<&OpenTask>,
    cases: impl IntoIterator<Item = &'a Case>,
) -> Digest {
    let mut cases: Vec<Vec<u8>> = cases.into_iter().map(case_bytes).collect();
    cases.sort_unstable();
    let questions = question_digest(questions);
    let expected = open.map(|open| open.document().to_string());
    Digest::of(
        [b"suite/1".as_slice(), questions.as_bytes()]
            .into_iter()
            .chain(expected.iter().map(String::as_bytes))
            .chain(cases.iter().map(Vec::as_slice)),
    )
}

impl Suite {
    /// The digest of the questions and of the cases in the lock box: the data a look into it speaks about.
    pub fn lockbox_digest(&self) -> Digest {
        let locked = self.cases.iter();
        let locked: Vec<&Case> = locked.filter(|case| case.split == Split::Lockbox).collect();
        digest_of(&self.questions, self.open.as_ref(), locked)
    }
}

/// Everything of a case that may change an outcome, each part with its length in front.
fn case_bytes(case: &Case) -> Vec<u8> {
    let mut bytes = Parts(Vec::with_capacity(256));
    bytes.text(&case.id);
    for context in Context::ALL {
        let built = case.built_padding && context == Context::Padded;
        match case.state_digest(context).filter(|_| !built) {
            Some(digest) => bytes.part(b's', digest.as_bytes()),
            None => bytes.part(b'-', b""),
        }
    }
    for gold in case.gold.iter().chain(&case.reference) {
        bytes.gold(gold.as_ref());
    }
    if let Some(expected) = &case.expected {
        bytes.part(b'e', expected.document().to_string().as_bytes());
    }
    for answer in &case.production_answer {
        bytes.optional(answer.as_deref());
    }
    for option in case.stereotype.iter().flatten() {
        bytes.part(b'b', &(*option as u64).to_le_bytes());
    }
    bytes.number(case.weight);
    for text in [&case.cluster, &case.tier, &case.family, &case.language] {
        bytes.optional(text.as_deref());
    }
    for (name, value) in &case.strata {
        bytes.text(name);
        bytes.text(value);
    }
    bytes.text(case.split.name());
    for (rater, answers) in &case.labels {
        bytes.text(rater);
        for answer in answers {
            bytes.optional(answer.as_deref());
        }
    }
    for (rater, shares) in &case.votes {
        bytes.part(b'v', rater.as_bytes());
        for share in shares.iter().flatten().flatten() {
            bytes.number(*share);
        }
    }
    if let Some(pair) = &case.pair {
        bytes.text(&pair.id);
        bytes.text(match pair.relation {
            Relation::Same => "same",
            Relation::Opposite => "opposite",
        });
    }
    if let Some(questions) = &case.questions {
        bytes.part(b'q', question_digest(questions).as_bytes());
    }
    bytes.0
}

struct Parts(Vec<u8>);

impl Parts {
    fn part(&mut self, tag: u8, bytes: &[u8]) {
        self.0.push(tag);
        self.0.extend((bytes.len() as u64).to_le_bytes());
        self.0.extend(bytes);
    }

    fn text(&mut self, text: &str) {
        self.part(b't', text.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.part(b'-', b""),
        }
    }

    fn number(&mut self, number: f64) {
        self.part(b'n', &number.to_le_bytes());
    }

    fn gold(&mut self, gold: Option<&Gold>) {
        match gold {
            None => self.part(b'-', b""),
            Some(Gold::Unknown) => self.part(b'u', b""),
            Some(Gold::Label(label)) => self.part(b'l', &(*label as u64).to_le_bytes()),
            Some(Gold::AnyOf(labels)) => {
                let bytes: Vec<u8> = labels
                    .iter()
                    .flat_map(|label| (*label as u64).to_le_bytes())
                    .collect();
                self.part(b'a', &bytes);
            }
            Some(Gold::Distribution(shares)) => {
                let bytes: Vec<u8> = shares
                    .iter()
                    .flat_map(|share| share.to_le_bytes())
                    .collect();
                self.part(b'd', &bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::State;

    #[test]
    fn gold_and_states_count_and_the_order_of_cases_does_not() {
        let case = |id: &str, state: &str| Case::new(id, State::Text(state.into()));
        let digest = |cases: &[Case]| suite_digest(&[], None, cases);
        let (a, b) = (case("a", "x"), case("b", "y"));
        let base = digest(&[a.clone(), b.clone()]);
        assert_eq!(base, digest(&[b.clone(), a.clone()]));
        let mut labelled = b.clone();
        labelled.gold = vec![Some(Gold::Label(0))];
        assert_ne!(base, digest(&[a.clone(), labelled.clone()]));
        let mut other = labelled.clone();
        other.gold = vec![Some(Gold::Unknown)];
        assert_ne!(digest(&[labelled]), digest(&[other]));
        assert_ne!(base, digest(&[a, case("b", "z")]));
    }
}
