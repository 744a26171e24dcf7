//! Whether the further views of a case are what their names say.

use super::finding::{CaseList, Finding, Observations, counted};
use super::given::Given;
use super::normal::normalised;
use crate::decision::{Case, Context};
use crate::suite::Suite;

pub(super) fn applies(suite: &Suite) -> bool {
    suite.cases.iter().any(|case| !case.states.is_empty())
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("transcripts");
    let mut said = Vec::new();
    for context in [Context::Clean, Context::Minimal, Context::Padded] {
        let with: Vec<&Case> = given
            .cases()
            .filter(|case| case.state_in(context).is_some())
            .collect();
        seen.count(context.name(), with.len());
        if !with.is_empty() {
            said.push(format!("{} {}", with.len(), context.name()));
            view(&mut seen, context, &with);
        }
    }
    let built = given.cases().filter(|case| case.built_padding).count();
    if built > 0 {
        let without = given.cases().count() - built;
        seen.note(
            format!(
                "padded views are built from other cases' states, as no case has one of its own{}",
                if without > 0 {
                    format!("; for {without} there is too little other material")
                } else {
                    String::new()
                }
            ),
            CaseList::default(),
        );
    }
    seen.finding(format!(
        "views beside production's: {}",
        if said.is_empty() {
            "none in `dev`".to_owned()
        } else {
            said.join(", ")
        }
    ))
}

/// A clean view differs from production's somewhere, a minimal one is no longer and a padded one no shorter.
fn view(seen: &mut Observations, context: Context, with: &[&Case]) {
    let texts = |case: &Case| {
        let production = case.state.as_ref()?;
        let view = case.state_in(context)?;
        Some((
            normalised(&production.as_text()),
            normalised(&view.as_text()),
        ))
    };
    let name = context.name();
    let mut same = Vec::new();
    let mut wrong = Vec::new();
    let mut alone = Vec::new();
    for case in with {
        let Some((production, view)) = texts(case) else {
            alone.push(case.id.as_str());
            continue;
        };
        let wrong_way = match context {
            Context::Minimal => view.len() > production.len(),
            Context::Padded => view.len() < production.len(),
            _ => false,
        };
        if wrong_way {
            wrong.push(case.id.as_str());
        } else if view == production {
            same.push(case.id.as_str());
        }
    }
    seen.count(format!("{name}_as_production"), same.len());
    if !wrong.is_empty() {
        let which = if context == Context::Minimal {
            "longer"
        } else {
            "shorter"
        };
        seen.fail(
            format!(
                "{} {which} than production's",
                counted(
                    wrong.len(),
                    &format!("{name} view is"),
                    &format!("{name} views are")
                )
            ),
            wrong.into_iter().collect(),
        );
    }
    if same.len() == with.len() {
        seen.fail(
            format!(
                "every {name} view reads as production's, so that no difference can show; these are copies"
            ),
            same.into_iter().collect(),
        );
    }
    if !alone.is_empty() {
        seen.cannot_tell(
            format!(
                "{} a {name} view and no `state`, so that nothing can be compared",
                counted(alone.len(), "case has", "cases have")
            ),
            alone.into_iter().collect(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::CHOICE;
    use super::super::testing::suite_of;
    use super::*;
    use crate::metric::Outcome;

    fn outcome(cases: &str) -> (Outcome, String) {
        let suite = suite_of(&format!(
            "{CHOICE}cases: [{cases}]\ncandidates: {{ x: {{ provider: recorded, file: x.jsonl }} }}\nassert: {{ accuracy: '>= 80%' }}\n"
        ));
        let finding = look(&Given::new(&suite));
        (finding.outcome, finding.reason)
    }

    #[test]
    fn a_clean_view_that_differs_somewhere_passes_and_copies_fail() {
        let (passes, reason) = outcome(
            "{ state: I want to bye, states: { clean: I want to buy } }, { state: Hi, states: { clean: Hi } }",
        );
        assert_eq!(
            (passes, reason.as_str()),
            (Outcome::Pass, "views beside production's: 2 clean")
        );
        assert_eq!(
            outcome("{ state: Hi, states: { clean: 'hi!' } }").0,
            Outcome::Fail
        );
    }

    #[test]
    fn a_minimal_view_is_no_longer_and_a_padded_one_no_shorter() {
        let of = |view: &str, text: &str| {
            outcome(&format!(
                "{{ state: one two, states: {{ {view}: {text} }} }}"
            ))
            .0
        };
        assert_eq!(of("minimal", "one"), Outcome::Pass);
        assert_eq!(of("minimal", "one two three"), Outcome::Fail);
        assert_eq!(of("padded", "zero one two"), Outcome::Pass);
        assert_eq!(of("padded", "one"), Outcome::Fail);
    }

    #[test]
    fn a_view_without_production_s_cannot_tell() {
        let both = "{ state: a, states: { clean: b } }";
        assert_eq!(
            outcome(&format!("{both}, {{ states: {{ clean: c }} }}")).0,
            Outcome::Inconclusive
        );
    }
}
