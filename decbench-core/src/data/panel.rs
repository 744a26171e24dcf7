//! What a panel of models left of the cases.

use super::finding::{CaseList, Finding, Observations, Quantity, counted};
use super::given::Given;
use crate::suite::{Dropped, Suite};

pub(super) fn applies(suite: &Suite) -> bool {
    suite.data.panel.is_some()
}

pub(super) fn look(given: &Given<'_>) -> Finding {
    let mut seen = Observations::of("panel");
    let suite = given.suite;
    let (Some(panel), Some(record)) = (&suite.data.panel, &suite.panel) else {
        seen.cannot_tell("no case was voted on", CaseList::default());
        return seen.finding("");
    };
    let dropped: Vec<&Dropped> = record
        .dropped
        .iter()
        .filter(|dropped| given.lockbox.admits(dropped.split))
        .collect();
    seen.count("models", panel.models.len());
    seen.count("voted", record.voted);
    seen.count("unanimous", record.unanimous);
    seen.count("carried", record.carried);
    seen.count("dropped", record.dropped.len());
    let kept = record.unanimous + record.carried;
    let listed = |these: Vec<&Dropped>| -> CaseList {
        these
            .iter()
            .map(|dropped| format!("{}: {}", dropped.case, dropped.why))
            .collect()
    };
    let (incomplete, fallen): (Vec<&Dropped>, Vec<&Dropped>) =
        dropped.into_iter().partition(|dropped| dropped.incomplete);
    if record.voted == 0 {
        seen.cannot_tell(
            "no case has `labels` of the panel's models",
            CaseList::default(),
        );
    } else {
        seen.figure("kept", Quantity::Share(kept as f64 / record.voted as f64));
        // A pair that lost a member counts against the panel too, so what is left in the suite is compared.
        let left = record.voted.saturating_sub(record.dropped.len());
        if panel
            .keep
            .compared_by(left as u64, record.voted as u64)
            .is_lt()
        {
            seen.fail(
                format!(
                    "{left} of {} voted cases are left, fewer than {}%: a question on which models differ that often is not clear",
                    record.voted,
                    panel.keep.value() * 100.0
                ),
                CaseList::default(),
            );
        }
    }
    if !incomplete.is_empty() {
        seen.cannot_tell(
            format!(
                "{} left out for want of votes",
                counted(incomplete.len(), "case is", "cases are")
            ),
            listed(incomplete),
        );
    }
    if !fallen.is_empty() {
        seen.note(
            format!("{} dropped", counted(fallen.len(), "case is", "cases are")),
            listed(fallen),
        );
    }
    seen.finding(format!(
        "{} of {} voted cases stay: all models agree on {}, two of three carried {}",
        kept, record.voted, record.unanimous, record.carried
    ))
}

#[cfg(test)]
mod tests {
    use super::super::testing::suite;
    use super::*;
    use crate::metric::Outcome;

    const PANEL: &str = "{ panel: [p, q, r] }";

    fn case(id: &str, votes: [&str; 3], more: &str) -> String {
        let votes: Vec<String> = ["p", "q", "r"]
            .into_iter()
            .zip(votes)
            .filter(|(_, vote)| !vote.is_empty())
            .map(|(model, vote)| format!("{model}: {vote}"))
            .collect();
        format!(
            "{{ id: {id}, state: {id}, gold: billing, labels: {{ {} }}{more} }}",
            votes.join(", ")
        )
    }

    fn found(cases: &[String]) -> (Finding, Vec<String>) {
        let suite = suite(&format!("[{}]", cases.join(", ")), PANEL);
        let left = suite.cases.iter().map(|case| case.id.clone()).collect();
        (look(&Given::new(&suite)), left)
    }

    const ALL: [&str; 3] = ["billing", "billing", "billing"];
    const SURE: [&str; 3] = [
        "{ billing: 0.9 }",
        "{ billing: 0.8 }",
        "{ support: 0.9, billing: 0.1 }",
    ];
    const UNSURE: [&str; 3] = [
        "{ billing: 0.6 }",
        "{ billing: 0.6 }",
        "{ support: 0.9, billing: 0.1 }",
    ];

    #[test]
    fn all_agree_or_two_of_three_carry_it() {
        let (finding, left) = found(&[
            case("all", ALL, ""),
            case("sure", SURE, ""),
            case("unsure", UNSURE, ""),
            case("trace", SURE, ", origin: trace"),
            case("others", ["support", "support", "support"], ""),
        ]);
        assert_eq!(left, ["all", "sure"]);
        assert_eq!(finding.outcome, Outcome::Fail, "two of five are left");
        let dropped = &finding.observations[1].cases.named;
        assert!(dropped[0].contains("a mean of 43%"), "{dropped:?}");
        assert!(
            dropped[1].contains("a real request stays only when all agree"),
            "{dropped:?}"
        );
        assert!(dropped[2].contains("the author billing"), "{dropped:?}");
    }

    #[test]
    fn a_panel_that_keeps_enough_passes_and_cases_without_votes_stay() {
        let (finding, left) = found(&[
            case("all", ALL, ""),
            case("sure", SURE, ""),
            "{ id: own, state: own, gold: billing }".to_owned(),
        ]);
        assert_eq!(left, ["all", "sure", "own"]);
        assert_eq!(finding.outcome, Outcome::Pass, "{finding:?}");
    }

    #[test]
    fn both_members_of_a_pair_go_together() {
        let pair = ", pair: { id: k, relation: opposite }";
        let (finding, left) = found(&[
            case("good", ALL, pair),
            case("bad", UNSURE, pair),
            case("a", ALL, ""),
            case("b", ALL, ""),
        ]);
        assert_eq!(left, ["a", "b"]);
        assert!(
            format!("{finding:?}").contains("good: its pair lost `bad`"),
            "{finding:?}"
        );
        assert_eq!(
            finding.outcome,
            Outcome::Pass,
            "half are left: {}",
            finding.reason
        );
    }

    #[test]
    fn missing_votes_cannot_tell() {
        let (finding, left) = found(&[
            case("all", ALL, ""),
            case("gap", ["billing", "billing", ""], ""),
        ]);
        assert_eq!(left, ["all"]);
        assert_eq!(finding.outcome, Outcome::Inconclusive, "{finding:?}");
        let (finding, _) = found(&[
            case("all", ALL, ""),
            case("plain", ["billing", "billing", "support"], ""),
        ]);
        assert_eq!(finding.outcome, Outcome::Inconclusive, "{finding:?}");
    }
}
