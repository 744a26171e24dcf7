//! Whether a state tells its answer, or stands where it may not.

use std::collections::{HashMap, HashSet};

use super::finding::{CaseList, Finding, Observations, counted};
use super::given::{Given, Overlap};
use super::normal::{has_words, normal_digest, normalised};
use crate::decision::{Case, Context, Digest, Origin, Split, State};
use crate::suite::{OtherState, Suite};

pub(super) fn applies(suite: &Suite) -> bool {
    let rules = &suite.data;
    rules.decided_at.is_some()
        || !rules.giveaways.is_empty()
        || !rules.overlap.is_empty()
        || suite.cases.iter().any(|case| case.split == Split::Lockbox)
        || suite.cases.iter().any(is_unapproved_trace)
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("leakage");
    seen.count("cases", given.cases().count());
    future(&mut seen, given);
    giveaways(&mut seen, given);
    production(&mut seen, given);
    let states = Places::of(given);
    states.across_splits(&mut seen, given);
    states.within(&mut seen, given);
    for other in given.overlap {
        states.overlap(&mut seen, given, other);
    }
    seen.finding(format!(
        "no state of {} tells its answer or stands elsewhere",
        counted(given.cases().count(), "case", "cases")
    ))
}

/// States that go on after the decision.
fn future(seen: &mut Observations, given: &Given<'_>) {
    let Some(marker) = given.suite.data.decided_at.as_deref() else {
        return;
    };
    let mut unmarked = Vec::new();
    let mut marked = 0;
    let mut late = Vec::new();
    for case in given.cases() {
        let mut has_marker = false;
        let goes_on = views(case).any(|state| match after(state, marker) {
            None => false,
            Some(goes_on) => {
                has_marker = true;
                goes_on
            }
        });
        marked += usize::from(has_marker);
        if !has_marker {
            unmarked.push(case.id.as_str());
        }
        if goes_on {
            late.push(case.id.as_str());
        }
    }
    seen.count("marked", marked);
    seen.count("late", late.len());
    if !late.is_empty() {
        seen.fail(
            format!(
                "{} on after the decision at `{marker}`; end the state there",
                counted(late.len(), "state goes", "states go")
            ),
            late.into_iter().collect(),
        );
    } else if marked == 0 {
        seen.cannot_tell(
            format!("no state holds `{marker}`, so nobody can tell where the decision was taken"),
            CaseList::default(),
        );
    } else if !unmarked.is_empty() {
        seen.cannot_tell(
            format!(
                "{} not hold `{marker}`, so nobody can tell where the decision was taken",
                counted(unmarked.len(), "state does", "states do")
            ),
            unmarked.into_iter().collect(),
        );
    }
}

/// The views that are a case's own: what is padded from other cases speaks of those.
fn views(case: &Case) -> impl Iterator<Item = &State> {
    Context::ALL
        .into_iter()
        .filter(|context| !(case.built_padding && *context == Context::Padded))
        .filter_map(|context| case.state_in(context))
}

/// Whether anything stands after the marker; `None` where there is no marker.
fn after(state: &State, marker: &str) -> Option<bool> {
    match state {
        State::Text(text) => text
            .split_once(marker)
            .map(|(_, rest)| !rest.trim().is_empty()),
        State::Json(value) => {
            let mut walk = Walk {
                marker,
                found: false,
                goes_on: false,
            };
            walk.value(value);
            walk.found.then_some(walk.goes_on)
        }
        State::Agent(agent) => after(&agent.input, marker),
    }
}

/// Goes through a JSON state in its order; what comes after the marker is the future.
struct Walk<'m> {
    marker: &'m str,
    found: bool,
    goes_on: bool,
}

impl Walk<'_> {
    fn value(&mut self, value: &serde_json::Value) {
        use serde_json::Value as Json;
        match value {
            Json::Null => {}
            Json::Bool(_) | Json::Number(_) => self.goes_on |= self.found,
            Json::String(text) => {
                if self.found {
                    self.goes_on |= !text.trim().is_empty();
                } else if let Some((_, rest)) = text.split_once(self.marker) {
                    self.found = true;
                    self.goes_on |= !rest.trim().is_empty();
                }
            }
            Json::Array(items) => items.iter().for_each(|item| self.value(item)),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if !self.found && key == self.marker {
                        // The field says when, and its own value is not yet the future.
                        self.found = true;
                    } else {
                        self.value(value);
                    }
                }
            }
        }
    }
}

/// States in which a phrase stands that gives the answer away.
fn giveaways(seen: &mut Observations, given: &Given<'_>) {
    const GOLD: &str = "{gold}";
    let phrases = &given.suite.data.giveaways;
    if phrases.is_empty() {
        return;
    }
    let mut hits: Vec<Vec<&str>> = vec![Vec::new(); phrases.len()];
    for case in given.cases() {
        let texts: Vec<String> = views(case)
            .map(|state| normalised(&state.as_text()))
            .collect();
        for (phrase, hits) in phrases.iter().zip(&mut hits) {
            let wanted: Vec<String> = if phrase.contains(GOLD) {
                answers(case, given.suite)
                    .map(|answer| normalised(&phrase.replace(GOLD, answer)))
                    .collect()
            } else {
                vec![normalised(phrase)]
            };
            let stands = |text: &String| wanted.iter().any(|phrase| has_words(text, phrase));
            if texts.iter().any(stands) {
                hits.push(&case.id);
            }
        }
    }
    seen.count("giveaways", hits.iter().map(Vec::len).sum());
    for (phrase, hits) in phrases.iter().zip(hits) {
        if !hits.is_empty() {
            seen.fail(
                format!(
                    "`{phrase}` gives the answer away in {}",
                    counted(hits.len(), "state", "states")
                ),
                hits.into_iter().collect(),
            );
        }
    }
}

/// The keys of a case's right answers.
fn answers<'a>(case: &'a Case, suite: &'a Suite) -> impl Iterator<Item = &'a str> {
    let questions = case.questions(&suite.questions);
    questions
        .iter()
        .zip(&case.gold)
        .filter_map(|(question, gold)| {
            let single = gold.as_ref()?.single()?;
            Some(question.options.get(single)?.key.as_str())
        })
}

/// Whether it is a case of production that has an answer of production's beside gold which nobody approved.
fn is_unapproved_trace(case: &Case) -> bool {
    let mut answered = case.gold.iter().zip(&case.production_answer);
    case.origin == Some(Origin::Trace)
        && case.approved.is_none()
        && answered.any(|(gold, answer)| gold.is_some() && answer.is_some())
}

/// Gold that was taken over from production instead of being written by a person.
fn production(seen: &mut Observations, given: &Given<'_>) {
    let unapproved: Vec<&Case> = given
        .cases()
        .filter(|case| is_unapproved_trace(case))
        .collect();
    if unapproved.is_empty() {
        return;
    }
    let same = |case: &&&Case| {
        let questions = case.questions(&given.suite.questions);
        questions
            .iter()
            .zip(&case.gold)
            .zip(&case.production_answer)
            .filter_map(|((question, gold), answer)| {
                Some((gold.as_ref()?, question.index_of(answer.as_deref()?)))
            })
            .all(|(gold, answer)| answer.is_some() && gold.single() == answer)
    };
    let equal: Vec<&str> = unapproved
        .iter()
        .filter(same)
        .map(|case| case.id.as_str())
        .collect();
    seen.count("traces", unapproved.len());
    seen.count("gold_is_production", equal.len());
    if equal.len() == unapproved.len() {
        seen.fail(
            format!(
                "gold equals production's answer in every production case that nobody approved ({}); production would judge itself, so let a person label them, and stamp each with `approved`",
                equal.len()
            ),
            equal.into_iter().collect(),
        );
    }
}

/// Where each normalised state stands.
struct Places<'a> {
    /// Positions of the cases by the digest of their normalised state, in the order of the suite.
    cases: Vec<(Digest, &'a Case)>,
}

impl<'a> Places<'a> {
    /// Of all cases, those of a closed lock box too: they are compared, and never named.
    fn of(given: &Given<'a>) -> Self {
        let cases = given.suite.cases.iter();
        Self {
            cases: cases
                .filter_map(|case| Some((normal_digest(&case.state.as_ref()?.as_text())?, case)))
                .collect(),
        }
    }

    fn firsts(&self, split: Split) -> HashMap<Digest, &'a Case> {
        let mut firsts = HashMap::with_capacity(self.cases.len());
        for (digest, case) in &self.cases {
            if case.split == split {
                firsts.entry(*digest).or_insert(*case);
            }
        }
        firsts
    }

    /// The same state in both splits.
    fn across_splits(&self, seen: &mut Observations, given: &Given<'a>) {
        let dev = self.firsts(Split::Dev);
        let pairs: Vec<(&Case, &Case)> = self
            .cases
            .iter()
            .filter(|(_, case)| case.split == Split::Lockbox)
            .filter_map(|(digest, case)| Some((*dev.get(digest)?, *case)))
            .collect();
        let exactly = pairs
            .iter()
            .filter(|(first, second)| first.state == second.state)
            .count();
        if self
            .cases
            .iter()
            .any(|(_, case)| case.split == Split::Lockbox)
        {
            seen.count("in_both_splits", pairs.len());
        }
        if !pairs.is_empty() {
            let near = pairs.len() - exactly;
            seen.fail(
                format!(
                    "{} of the lock box also in `dev` ({exactly} word for word, {near} but for case, blanks, marks and punctuation); give them one `cluster`, or remove one of each",
                    counted(pairs.len(), "state stands", "states stand")
                ),
                pairs
                    .into_iter()
                    .map(|(dev, lockbox)| format!("{} = {}", dev.id, given.name(lockbox)))
                    .collect(),
            );
        }
    }

    /// Cases that differ in spelling alone and count as independent.
    fn within(&self, seen: &mut Observations, given: &Given<'a>) {
        let mut firsts: HashMap<(Split, Digest), &Case> = HashMap::new();
        let mut pairs = Vec::new();
        for (digest, case) in &self.cases {
            if !given.lockbox.admits(case.split) {
                continue;
            }
            let first = *firsts.entry((case.split, *digest)).or_insert(*case);
            if first.unit != case.unit {
                pairs.push(format!("{} = {}", first.id, case.id));
            }
        }
        if !pairs.is_empty() {
            seen.note(
                format!(
                    "{} an earlier one but for case, blanks, marks and punctuation, and counts as independent evidence; give them one `cluster`",
                    counted(pairs.len(), "state repeats", "states repeat")
                ),
                pairs.into_iter().collect(),
            );
        }
    }

    /// States that stand in another file.
    fn overlap(&self, seen: &mut Observations, given: &Given<'a>, other: &Overlap) {
        let states = match &other.states {
            Ok(states) => states,
            Err(reason) => {
                seen.could_not_look(format!("`{}` cannot be read: {reason}", other.file));
                return;
            }
        };
        let wanted: HashSet<Digest> = self.cases.iter().map(|(digest, _)| *digest).collect();
        let mut theirs: HashMap<Digest, &OtherState> = HashMap::with_capacity(wanted.len());
        for state in states {
            if let Some(digest) = normal_digest(&state.text)
                && wanted.contains(&digest)
            {
                theirs.entry(digest).or_insert(state);
            }
        }
        let pairs: Vec<String> = self
            .cases
            .iter()
            .filter_map(|(digest, case)| {
                let theirs = theirs.get(digest)?;
                Some(format!("{} = {}", given.name(case), theirs.id))
            })
            .collect();
        seen.count(format!("overlap[{}]", other.file), pairs.len());
        if !pairs.is_empty() {
            seen.fail(
                format!(
                    "{} also in `{}`; whoever learnt from it knows the answer",
                    counted(pairs.len(), "state stands", "states stand"),
                    other.file
                ),
                pairs.into_iter().collect(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::suite;
    use super::*;
    use crate::metric::Outcome;
    use crate::suite::Lockbox;

    fn outcome(suite: &Suite) -> (Outcome, String) {
        let finding = look(&Given::new(suite));
        (finding.outcome, format!("{finding:?}"))
    }

    #[test]
    fn a_state_that_goes_on_after_the_decision_fails() {
        let data = "{ decided_at: '[transfer]' }";
        let ends = suite(
            "[{ id: a, state: 'Hello [transfer] ' }, { id: b, state: 'Hi [transfer]' }]",
            data,
        );
        assert_eq!(outcome(&ends).0, Outcome::Pass);
        let some = suite(
            "[{ id: a, state: 'Hello [transfer] ' }, { id: b, state: Hi }]",
            data,
        );
        let (outcome_of_some, text) = outcome(&some);
        assert_eq!(outcome_of_some, Outcome::Inconclusive);
        assert!(
            text.contains("1 state does not hold") && text.contains("\"b\""),
            "{text}"
        );
        let late = suite("[{ id: a, state: 'Hello [transfer] to billing' }]", data);
        let (outcome_of_late, text) = outcome(&late);
        assert_eq!(outcome_of_late, Outcome::Fail);
        assert!(text.contains("\"a\""), "{text}");
        let nowhere = suite("[{ id: a, state: Hello }]", data);
        assert_eq!(outcome(&nowhere).0, Outcome::Inconclusive);
    }

    #[test]
    fn fields_of_a_state_after_the_decision_are_the_future() {
        let data = "{ decided_at: decided }";
        let of = |state: &str| outcome(&suite(&format!("[{{ id: a, state: {state} }}]"), data)).0;
        assert_eq!(
            of("{ text: Hello, decided: '10:02', team: null }"),
            Outcome::Pass
        );
        assert_eq!(
            of("{ text: Hello, decided: '10:02', team: billing }"),
            Outcome::Fail
        );
        assert_eq!(of("{ turns: [Hello, { decided: x }, Bye] }"), Outcome::Fail);
        assert_eq!(of("{ text: Hello, deci: 1 }"), Outcome::Inconclusive);
    }

    #[test]
    fn phrases_give_the_answer_away_in_any_spelling() {
        let data = "{ giveaways: ['transferred to {gold}', case closed] }";
        let of = |state: &str| {
            outcome(&suite(
                &format!("[{{ id: a, state: '{state}', gold: billing }}]"),
                data,
            ))
            .0
        };
        assert_eq!(of("TRANSFERRED  to Billing."), Outcome::Fail);
        assert_eq!(of("transferred to support"), Outcome::Pass);
        assert_eq!(of("Case - closed"), Outcome::Fail);
    }

    #[test]
    fn gold_that_repeats_production_everywhere_fails_until_somebody_approves() {
        let case = |gold: &str, more: &str| {
            format!(
                "{{ state: '{gold} {more}', origin: trace, production_answer: billing, gold: {gold}{more} }}"
            )
        };
        let of = |cases: &[String]| outcome(&suite(&format!("[{}]", cases.join(", ")), "{}")).0;
        assert_eq!(
            of(&[case("billing", ""), case("support", "")]),
            Outcome::Pass
        );
        assert_eq!(of(&[case("billing", "")]), Outcome::Fail);
        let approved = case("billing", ", approved: { by: ann }");
        assert!(!applies(&suite(&format!("[{approved}]"), "{}")));
    }

    #[test]
    fn near_duplicates_across_splits_fail_and_a_closed_lock_box_is_not_named() {
        let suite = suite(
            "[{ id: a, state: 'I was charged twice' }, { id: secret, state: 'i was CHARGED twice!', split: lockbox }, { id: c, state: Other }]",
            "{}",
        );
        let closed = look(&Given::new(&suite));
        assert_eq!(closed.outcome, Outcome::Fail);
        assert_eq!(
            closed.observations[0].cases.named,
            ["a = a case of the lock box"]
        );
        assert!(!format!("{closed:?}").contains("secret"));
        let open = look(&Given {
            lockbox: Lockbox::Open,
            ..Given::new(&suite)
        });
        assert_eq!(open.observations[0].cases.named, ["a = secret"]);
    }

    #[test]
    fn states_of_other_files_are_found_and_an_unreadable_one_is_said() {
        let suite = suite(
            "[{ id: a, state: 'I was charged twice' }, { id: b, state: Hi }]",
            "{}",
        );
        let with = |states: Result<Vec<OtherState>, String>| {
            let overlap = [Overlap {
                file: "train.csv".into(),
                states,
            }];
            look(&Given {
                overlap: &overlap,
                ..Given::new(&suite)
            })
        };
        let state = |text: &str| OtherState {
            id: "7".into(),
            text: text.into(),
        };
        let hit = with(Ok(vec![state("Bye"), state("I was charged, twice.")]));
        assert_eq!(hit.outcome, Outcome::Fail);
        assert_eq!(hit.observations[0].cases.named, ["a = 7"]);
        assert_eq!(with(Ok(vec![state("Bye")])).outcome, Outcome::Pass);
        assert_eq!(with(Err("no".into())).outcome, Outcome::CouldNotRun);
    }

    /// Comparing each state with each other would take hours here.
    #[test]
    fn a_hundred_thousand_states_take_seconds_however_alike_they_are() {
        const CASES: usize = 100_000;
        let mut suite = suite(
            "[{ state: x }, { state: y, split: lockbox }]",
            "{ giveaways: ['moved to {gold}'] }",
        );
        let model = suite.cases[0].clone();
        for alike in [false, true] {
            suite.cases = (0..CASES)
                .map(|at| {
                    // Every thousandth repeats the one before it but for case, on the other side.
                    let number = if at % 1_000 == 999 { at - 1 } else { at };
                    let word = if at == number { "Caller" } else { "CALLER" };
                    let text = if alike {
                        "Caller is charged twice".to_owned()
                    } else {
                        format!("{word} {number} was charged twice, and says so for the third time today")
                    };
                    let mut case = Case { id: at.to_string(), unit: at as u32, ..model.clone() };
                    case.state = Some(State::Text(text));
                    case.split = if at % 2 == 0 { Split::Dev } else { Split::Lockbox };
                    case
                })
                .collect();
            let begun = std::time::Instant::now();
            let finding = look(&Given::new(&suite));
            let took = begun.elapsed();
            assert_eq!(finding.outcome, Outcome::Fail);
            let pairs = if alike { CASES / 2 } else { CASES / 1_000 };
            assert_eq!(finding.observations[0].cases.len(), pairs);
            assert!(took.as_secs() < 30, "{took:?}");
        }
    }

    #[test]
    fn repeats_within_a_split_are_told_and_fail_nothing() {
        let suite = suite(
            "[{ id: a, state: Hello }, { id: b, state: 'hello!' }]",
            "{}",
        );
        let finding = look(&Given::new(&suite));
        assert_eq!(finding.outcome, Outcome::Pass);
        assert_eq!(finding.observations[0].cases.named, ["a = b"]);
    }
}
