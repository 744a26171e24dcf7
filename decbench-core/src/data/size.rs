//! Whether models read every request whole, by the estimate that costs are reckoned with.

use std::collections::BTreeMap;

use super::finding::{Finding, Observations, counted};
use super::given::Given;
use crate::decision::{BYTES_PER_TOKEN, Context, ContextLimit, Excess, Fit, RequestSize};
use crate::suite::{Candidate, Suite, plan};

pub(super) fn applies(suite: &Suite) -> bool {
    suite.candidates.iter().any(Candidate::is_service)
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("size");
    let services = given.suite.candidates.iter().enumerate();
    for (position, candidate) in services.filter(|(_, candidate)| candidate.is_service()) {
        let requests = requests(given, position);
        let Some((longest, size)) = requests.iter().max_by_key(|(_, size)| size.bytes()) else {
            continue;
        };
        let name = &candidate.name;
        let most = size.tokens();
        seen.count(format!("tokens[{name}]"), most as usize);
        let longest = longest.clone();
        match given.contexts.get(position).and_then(Option::as_ref) {
            Some(limit) => hold(&mut seen, name, limit, &requests, &longest),
            None => seen.cannot_tell(
                format!(
                    "how much `{name}` reads of a request is not known; its longest here are about {most} tokens. Write `[context.\"{}\"]` with `tokens` into decbench.toml",
                    candidate.model().unwrap_or(name)
                ),
                std::iter::once(longest).collect(),
            ),
        }
    }
    seen.finding(format!(
        "every request is read whole, at {BYTES_PER_TOKEN} bytes to a token"
    ))
}

/// What the candidate at `position` would be asked, once for every case and view, by the case's name.
fn requests(given: &Given<'_>, position: usize) -> Vec<(String, RequestSize)> {
    let suite = given.suite;
    let questions = suite.candidates[position].questions(suite);
    let mut sizes: BTreeMap<(usize, Context), RequestSize> = BTreeMap::new();
    for call in plan(suite, position, &suite.assertions, given.lockbox).calls {
        let case = &suite.cases[call.case];
        if let Some(state) = case.state_in(call.context) {
            let asked = case.questions(questions);
            let asked = call.questions.iter().map(|at| &asked[*at]);
            // In further orders fewer questions are asked: the base call comes first and is the longest.
            sizes
                .entry((call.case, call.context))
                .or_insert_with(|| RequestSize::of(state, asked));
        }
    }
    sizes
        .into_iter()
        .map(|((case, context), size)| {
            let id = &suite.cases[case].id;
            let name = match context {
                Context::Production => id.clone(),
                view => format!("{id} ({})", view.name()),
            };
            (name, size)
        })
        .collect()
}

/// Holds all requests to a limit.
fn hold(
    seen: &mut Observations,
    candidate: &str,
    limit: &ContextLimit,
    requests: &[(String, RequestSize)],
    longest: &str,
) {
    let (mut cut, mut close) = (Vec::new(), Vec::new());
    for (name, size) in requests {
        let told = |excess: Excess| format!("{name}: {excess}");
        match limit.fit(*size) {
            Fit::Cut(excess) => cut.push(told(excess)),
            Fit::Close(excess) => close.push(told(excess)),
            _ => {}
        }
    }
    seen.count(format!("cut[{candidate}]"), cut.len());
    if cut.is_empty() && close.is_empty() {
        seen.note(
            format!("`{candidate}` reads {limit}"),
            std::iter::once(longest).collect(),
        );
    }
    if !cut.is_empty() {
        seen.fail(
            format!(
                "{} cut for `{candidate}`, which reads {limit}; shorten them, or ask another model: they are not sent",
                counted(cut.len(), "request would be", "requests would be")
            ),
            cut.into_iter().collect(),
        );
    }
    if !close.is_empty() {
        seen.cannot_tell(
            format!(
                "{} cut for `{candidate}` at three bytes to a token in place of four, and {limit} are read",
                counted(close.len(), "request would be", "requests would be")
            ),
            close.into_iter().collect(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CHOICE, suite_of};
    use super::*;
    use crate::metric::Outcome;

    fn service(cases: &str, further: &str) -> Suite {
        suite_of(&format!(
            "{CHOICE}cases: [{cases}]\ncandidates: {{ jev: {{ provider: system-one, model: jev-1.13.0 }}, rules: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 80%'{further} }}\n"
        ))
    }

    fn finding(suite: &Suite, tokens: Option<u64>) -> Finding {
        let limit = tokens.map(|tokens| ContextLimit {
            request: tokens,
            state_and_question: None,
            at: Some("2026-11-29".to_owned()),
        });
        look(&Given {
            contexts: &[limit, None],
            ..Given::new(suite)
        })
    }

    #[test]
    fn a_state_that_would_be_cut_fails_with_its_case() {
        let cases = format!(
            "{{ id: short, state: Hi }}, {{ id: long, state: '{}' }}",
            "x".repeat(4_000)
        );
        let suite = service(&cases, "");
        assert_eq!(finding(&suite, Some(4_096)).outcome, Outcome::Pass);
        let found = finding(&suite, Some(1_000));
        assert_eq!(found.outcome, Outcome::Fail);
        assert_eq!(found.observations.len(), 1, "{found:?}");
        let cases = &found.observations[0].cases;
        assert_eq!(cases.len(), 1);
        assert!(cases.named[0].starts_with("long: about 11"), "{cases:?}");
        assert!(cases.named[0].ends_with("of which 1000 are read"));
    }

    #[test]
    fn without_a_known_limit_and_near_one_it_cannot_tell() {
        let suite = service(
            &format!("{{ id: long, state: '{}' }}", "x".repeat(4_000)),
            "",
        );
        let unknown = finding(&suite, None);
        assert_eq!(unknown.outcome, Outcome::Inconclusive);
        assert!(
            unknown.reason.contains("[context.\"jev-1.13.0\"]"),
            "{}",
            unknown.reason
        );
        assert!(
            !unknown.reason.contains("rules"),
            "functions read all they are given"
        );
        assert_eq!(finding(&suite, Some(1_300)).outcome, Outcome::Inconclusive);
    }

    #[test]
    fn views_are_held_to_the_limit_where_an_assertion_asks_for_them() {
        let cases = format!(
            "{{ id: c, state: Hi, states: {{ padded: '{}', minimal: H }} }}",
            "x".repeat(8_000)
        );
        assert_eq!(
            finding(&service(&cases, ""), Some(1_000)).outcome,
            Outcome::Pass
        );
        let found = finding(&service(&cases, ", distractor_drop: '<= 5%'"), Some(1_000));
        assert!(found.observations[0].cases.named[0].starts_with("c (padded): "));
    }

    #[test]
    fn functions_alone_need_no_such_check() {
        assert!(applies(&service("{ state: a }", "")));
        assert!(!applies(&super::super::testing::suite(
            "[{ state: a }]",
            "{}"
        )));
    }
}
