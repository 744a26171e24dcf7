//! A verdict in one sentence that somebody can act on.

use super::number::{format_interval, format_value};
use crate::judge::{Finding, Standing, VerdictOutcome};
use crate::metric::Unit;

/// One-sided level over all candidates at which one is shown to be better.
const SHOWN: f64 = 0.025;

/// The verdict in one sentence: what to do, why, and what is missing where nothing can be done yet.
pub fn verdict_sentence(finding: &Finding) -> String {
    let named: Vec<String> = finding.named.iter().map(|name| quoted(name)).collect();
    let first = named.first().map_or("nobody", String::as_str);
    let today = finding
        .candidates
        .iter()
        .find(|standing| standing.today)
        .map_or_else(String::new, |standing| quoted(&standing.name));
    let cases = finding.cases;
    let sentence = match finding.outcome {
        VerdictOutcome::Switch => format!(
            "switch to {first}: its quality is higher than that of {today} on {cases} cases{}{}",
            lead(finding),
            costs(finding)
        ),
        VerdictOutcome::SwitchCheaper => format!(
            "switch to {first}: its quality is not lower than that of {today} by more than {}, and it is {}, on {cases} cases{}{}",
            format_value(finding.margin.unwrap_or(f64::NAN), Unit::Share),
            gain(finding),
            lead(finding),
            costs(finding)
        ),
        VerdictOutcome::Keep => format!(
            "keep {first}: no candidate is shown to be better on {cases} cases{}",
            barred(finding).unwrap_or_else(|| sensitivity(finding))
        ),
        VerdictOutcome::Use => format!(
            "use {first}: its quality is shown to reach 80% on {cases} cases, at the lowest cost per success{}",
            named_standing(finding)
                .and_then(|standing| standing.cost_per_success)
                .filter(|cost| *cost > 0.0)
                .map_or_else(String::new, |cost| format!(
                    " ({})",
                    format_value(cost, Unit::Dollars)
                ))
        ),
        VerdictOutcome::TestMore => {
            let why = finding.reasons.first();
            let why = why.map_or_else(String::new, |why| format!("{why}; "));
            format!("test more: {why}{}", needed(finding))
        }
        VerdictOutcome::Shortlist if named.is_empty() => format!(
            "shortlist nobody: no candidate keeps every gate and is cheaper, faster or better; {}",
            needed(finding)
        ),
        VerdictOutcome::Shortlist => {
            format!("shortlist {}: {}", named.join(", "), needed(finding))
        }
        VerdictOutcome::NothingYet => format!(
            "nothing is worth testing yet: {}; improve a candidate or add another",
            finding
                .reasons
                .first()
                .map_or("nobody is left", String::as_str)
        ),
        VerdictOutcome::CouldNotRun => format!("no verdict: {}", finding.reasons.join("; ")),
    };
    if finding.on_tuning_data {
        return format!("On tuning data, no decision: {sentence}.");
    }
    let mut letters = sentence.chars();
    let capital = letters.next().map(|first| first.to_ascii_uppercase());
    capital.into_iter().chain(letters).collect::<String>() + "."
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

fn named_standing(finding: &Finding) -> Option<&Standing> {
    let name = finding.named.first()?;
    finding
        .candidates
        .iter()
        .find(|standing| standing.name == *name)
}

/// The named candidate's lead with its interval and its p.
fn lead(finding: &Finding) -> String {
    let Some((standing, found)) = named_standing(finding)
        .and_then(|standing| Some((standing, standing.comparison.as_ref()?)))
    else {
        return String::new();
    };
    let difference = format_value(found.difference, Unit::Difference);
    // The interval is two-sided and by another method than the test of a margin, so that it may reach beyond the margin.
    if finding.outcome == VerdictOutcome::SwitchCheaper {
        let p = found.saving.as_ref().map_or_else(String::new, |saving| {
            format!(", p {}", format_value(saving.p_not_worse, Unit::Number))
        });
        return format!(" ({difference}{p})");
    }
    let interval = found.interval.map_or_else(String::new, |interval| {
        format!(" {}", format_interval(interval, Unit::Difference))
    });
    let p = standing.p_adjusted.map_or_else(String::new, |p| {
        format!(", p {} after Holm", format_value(p, Unit::Number))
    });
    format!(" ({difference}{interval}{p})")
}

/// What a success costs with the named candidate and with today's, where both are known and one is not free.
fn costs(finding: &Finding) -> String {
    let today = finding.candidates.iter().find(|standing| standing.today);
    let cost = |standing: Option<&Standing>| standing?.cost_per_success;
    match (cost(named_standing(finding)), cost(today)) {
        (Some(own), Some(today)) if own > 0.0 || today > 0.0 => format!(
            ", at {} per success where today's takes {}",
            format_value(own, Unit::Dollars),
            format_value(today, Unit::Dollars)
        ),
        _ => String::new(),
    }
}

/// What the named candidate saves.
fn gain(finding: &Finding) -> &'static str {
    let saving = named_standing(finding)
        .and_then(|standing| standing.comparison.as_ref())
        .and_then(|found| found.saving.as_ref());
    let shown = |p: Option<f64>| p.is_some_and(|p| p <= SHOWN / 2.0);
    match saving.map(|saving| (shown(saving.p_cheaper), shown(saving.p_faster))) {
        Some((true, true)) => "cheaper and faster",
        Some((false, true)) => "faster",
        _ => "cheaper",
    }
}

/// Who is shown to be better and breaks a gate: what a lead would ask next.
fn barred(finding: &Finding) -> Option<String> {
    let standing = finding.candidates.iter().find(|standing| {
        !standing.gates.is_empty() && standing.p_adjusted.is_some_and(|p| p <= SHOWN)
    })?;
    Some(format!(
        " and to keep every gate; {} is better and breaks {}",
        quoted(&standing.name),
        standing.gates.join(", ")
    ))
}

/// Which lead these cases would have shown.
fn sensitivity(finding: &Finding) -> String {
    finding.detectable.map_or_else(String::new, |difference| {
        format!(
            "; a lead of {} would have shown four times in five",
            format_value(difference, Unit::Share)
        )
    })
}

/// How much is missing for a decision.
fn needed(finding: &Finding) -> String {
    let counted = |n: u64, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    let mut parts = Vec::new();
    if finding.more_cases > 0 {
        let cases = counted(finding.more_cases, "more case", "more cases");
        parts.push(format!("about {cases}"));
    }
    if finding.more_approvals > 0 {
        let n = finding.more_approvals;
        parts.push(counted(n, "more approved answer", "more approved answers"));
    }
    if parts.is_empty() {
        return match finding.outcome {
            _ if finding.on_tuning_data => {
                "a decision takes the lock box, which DECBENCH_LOCKBOX=1 opens".to_owned()
            }
            _ => "the evidence does not decide".to_owned(),
        };
    }
    let what = match finding.outcome {
        // What a decision takes has been said.
        VerdictOutcome::TestMore => "that",
        _ => "a decision",
    };
    format!(
        "{what} takes {}; there are {}, {} with gold",
        parts.join(" and "),
        counted(finding.cases, "case", "cases"),
        finding.gold
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Contest, Entrant, GateLine, Judgement, Latencies, Outcome, verdict};
    use crate::metric::{Expect, VerdictRule};
    use crate::score::{CaseQuality, Qualities};

    /// A candidate with `wrong` of `n` cases wrong, from the case `from` on, at a price a decision.
    fn entrant(name: &str, n: usize, from: usize, wrong: usize, cost: f64) -> Entrant {
        let case = |at: usize| CaseQuality {
            position: at,
            unit: at as u32,
            quality: f64::from(u8::from(!(from..from + wrong).contains(&at))),
            within_limits: true,
            chance_of_right: None,
            approved: true,
            unanswered: false,
            cost_usd: Some(cost),
            latency_ms: None,
        };
        Entrant {
            name: name.to_owned(),
            today: name == "old",
            qualities: Qualities {
                cases: (0..n).map(case).collect(),
                missing: 0,
                unjudged: 0,
            },
            gates: Vec::new(),
            latencies: None,
            failed: None,
            skipped: 0,
            tuning_rounds: 0,
        }
    }

    fn contest(entrants: Vec<Entrant>) -> Contest {
        Contest {
            rule: VerdictRule::new(Expect::Any, 1),
            entrants,
            made_of: "accuracy".to_owned(),
            shares: true,
            lockbox: false,
            on_tuning_data: false,
        }
    }

    fn breaks_a_gate(entrant: Entrant) -> Entrant {
        Entrant {
            gates: vec![GateLine {
                gate: "cost_per_1000 <= $5.00".to_owned(),
                judgement: Judgement {
                    outcome: Outcome::Fail,
                    ..Judgement::could_not_run("made up")
                },
            }],
            ..entrant
        }
    }

    fn timed(entrant: Entrant, ms: f64) -> Entrant {
        Entrant {
            latencies: Some(Latencies { p50: ms, p95: ms }),
            ..entrant
        }
    }

    /// The same with the answers of the first cases alone approved.
    fn approved(mut entrant: Entrant, approved: usize) -> Entrant {
        for case in &mut entrant.qualities.cases[approved..] {
            case.approved = false;
        }
        entrant
    }

    /// All that is not as the table says, in one go.
    fn check(table: Vec<(VerdictOutcome, Contest, &str)>) {
        let mut wrong = Vec::new();
        for (outcome, contest, sentence) in table {
            let found = verdict(&contest);
            let said = verdict_sentence(&found);
            if found.outcome != outcome || said != sentence {
                wrong.push(format!(
                    "{outcome:?} is {:?}\n  {said}\n  {sentence}",
                    found.outcome
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Every kind of verdict with the sentence that a lead reads.
    #[test]
    fn every_verdict_says_what_to_do() {
        let old = |wrong| entrant("old", 100, 0, wrong, 0.01);
        let new = |from, wrong, cost| entrant("new", 100, from, wrong, cost);
        let mut cheaper = contest(vec![
            entrant("old", 400, 0, 8, 0.01),
            entrant("new", 400, 4, 8, 0.001),
        ]);
        cheaper.rule.margin = Some(0.05);
        let mut lockbox = contest(vec![old(40), new(0, 10, 0.01)]);
        lockbox.on_tuning_data = true;
        let missing = Entrant {
            qualities: Qualities {
                missing: 3,
                ..new(0, 10, 0.01).qualities
            },
            ..new(0, 10, 0.01)
        };
        let table: Vec<(VerdictOutcome, Contest, &str)> = vec![
            (
                VerdictOutcome::Switch,
                contest(vec![old(40), new(0, 10, 0.002)]),
                "Switch to `new`: its quality is higher than that of `old` on 100 cases (+30.0% [+20.7%, +39.1%], p 0.0005 after Holm), at $0.002222 per success where today's takes $0.016667.",
            ),
            (
                VerdictOutcome::SwitchCheaper,
                cheaper,
                "Switch to `new`: its quality is not lower than that of `old` by more than 5.0%, and it is cheaper, on 400 cases (0.0%, p 0.0005), at $0.001020 per success where today's takes $0.010204.",
            ),
            (
                VerdictOutcome::Keep,
                contest(vec![old(10), new(4, 20, 0.01)]),
                "Keep `old`: no candidate is shown to be better on 100 cases; a lead of 11.6% would have shown four times in five.",
            ),
            (
                VerdictOutcome::Keep,
                contest(vec![old(40), breaks_a_gate(new(0, 10, 0.02))]),
                "Keep `old`: no candidate is shown to be better on 100 cases and to keep every gate; `new` is better and breaks cost_per_1000 <= $5.00.",
            ),
            (
                VerdictOutcome::Use,
                contest(vec![new(0, 8, 0.002), entrant("dear", 100, 0, 8, 0.01)]),
                "Use `new`: its quality is shown to reach 80% on 100 cases, at the lowest cost per success ($0.002174).",
            ),
            (
                VerdictOutcome::TestMore,
                contest(vec![old(20), new(2, 18, 0.01)]),
                "Test more: `new` differs from today's on 2 units, and a decision takes 6 (min_discordant); that takes about 200 more cases; there are 100 cases, 100 with gold.",
            ),
            (
                VerdictOutcome::Shortlist,
                contest(vec![
                    entrant("old", 20, 0, 8, 0.01),
                    entrant("new", 20, 0, 2, 0.01),
                ]),
                "Shortlist `new`: a decision takes about 10 more cases; there are 20 cases, 20 with gold.",
            ),
            (
                VerdictOutcome::Shortlist,
                contest(vec![approved(old(40), 49), approved(new(0, 10, 0.01), 49)]),
                "Shortlist `new`: a decision takes 1 more approved answer; there are 100 cases, 49 with gold.",
            ),
            (
                VerdictOutcome::Shortlist,
                contest(vec![
                    timed(entrant("old", 20, 0, 8, 0.01), 100.0),
                    timed(entrant("new", 20, 0, 8, 0.02), 200.0),
                ]),
                "Shortlist nobody: no candidate keeps every gate and is cheaper, faster or better; a decision takes about 10 more cases; there are 20 cases, 20 with gold.",
            ),
            (
                VerdictOutcome::Shortlist,
                contest(vec![new(0, 16, 0.01)]),
                "Shortlist `new`: a decision takes about 295 more cases; there are 100 cases, 100 with gold.",
            ),
            (
                VerdictOutcome::Shortlist,
                lockbox,
                "On tuning data, no decision: shortlist `new`: a decision takes the lock box, which DECBENCH_LOCKBOX=1 opens.",
            ),
            (
                VerdictOutcome::NothingYet,
                contest(vec![new(0, 50, 0.01)]),
                "Nothing is worth testing yet: every candidate fails a gate or is shown to lie below a quality of 80%; improve a candidate or add another.",
            ),
            (
                VerdictOutcome::CouldNotRun,
                contest(vec![old(10), missing]),
                "No verdict: `new`: 3 answers are missing.",
            ),
        ];
        check(table);
    }
}
