//! Verdicts on made-up qualities: each rule from both sides.

use super::*;
use crate::judge::{Judgement, Outcome};
use crate::metric::Claim::{Better, NotWorse, Steady};
use crate::metric::{Expect, Metric, MetricId, VerdictRule};
use crate::score::{CaseQuality, Qualities};

/// Qualities of cases in units of their own: the first `wrong` from `from` on are wrong, at this cost each.
pub(super) fn qualities(n: usize, wrong: std::ops::Range<usize>, cost: f64) -> Qualities {
    Qualities {
        cases: (0..n)
            .map(|at| CaseQuality {
                position: at,
                unit: at as u32,
                quality: f64::from(u8::from(!wrong.contains(&at))),
                within_limits: true,
                chance_of_right: None,
                approved: true,
                unanswered: false,
                cost_usd: Some(cost),
                latency_ms: None,
            })
            .collect(),
        missing: 0,
        unjudged: 0,
    }
}

pub(super) fn entrant(name: &str, qualities: Qualities) -> Entrant {
    Entrant {
        name: name.to_owned(),
        today: name == "today",
        qualities,
        gates: Vec::new(),
        latencies: None,
        failed: None,
        skipped: 0,
        tuning_rounds: 0,
    }
}

pub(super) fn contest(expect: Expect, entrants: Vec<Entrant>) -> Contest {
    Contest {
        rule: VerdictRule::new(expect, 1),
        entrants,
        made_of: "accuracy".to_owned(),
        shares: true,
        lockbox: false,
        on_tuning_data: false,
    }
}

fn gate(outcome: Outcome) -> GateLine {
    GateLine {
        gate: "error_rate <= 1%".to_owned(),
        judgement: Judgement {
            outcome,
            ..Judgement::could_not_run("made up")
        },
    }
}

/// Today's 60 of 100 right, and somebody with 90.
fn clear() -> Vec<Entrant> {
    vec![
        entrant("today", qualities(100, 0..40, 0.01)),
        entrant("a", qualities(100, 0..10, 0.02)),
    ]
}

#[test]
fn a_clearly_better_candidate_is_switched_to() {
    let found = verdict(&contest(Expect::Switch, clear()));
    assert_eq!(found.outcome, VerdictOutcome::Switch, "{found:?}");
    assert_eq!(
        (found.judged, found.named[0].as_str()),
        (Outcome::Pass, "a")
    );
    let against = found.candidates[1].comparison.as_ref().unwrap();
    assert_eq!((against.better, against.worse), (30, 0));
    assert!(against.mcnemar_p < 1e-6 && against.p < 0.001 && against.p_share == 0.0);
    assert!(found.selection_effect.unwrap() < 0.001);
    let kept = verdict(&contest(Expect::Keep, clear()));
    assert_eq!(kept.judged, Outcome::Fail);
}

#[test]
fn a_case_succeeds_within_its_limits_only() {
    let mut entrants = clear();
    for case in &mut entrants[1].qualities.cases[50..60] {
        case.within_limits = false;
    }
    let found = verdict(&contest(Expect::Any, entrants));
    let a = &found.candidates[1];
    assert_eq!(a.successes, 80);
    assert!((a.cost_per_success.unwrap() - 100.0 * 0.02 / 80.0).abs() < 1e-12);
    assert_eq!(found.success, "quality >= 0.8");
}

#[test]
fn the_ranking_follows_its_weights() {
    let rank_of_dear = |cost: f64| {
        let mut contest = contest(
            Expect::Any,
            vec![
                entrant("today", qualities(100, 0..40, 0.000_001)),
                entrant("a", qualities(100, 0..10, 1.0)),
            ],
        );
        contest.rule.utility.cost = cost;
        let found = verdict(&contest);
        (found.candidates[1].rank.unwrap(), found.separated)
    };
    assert_eq!(rank_of_dear(0.0), ((1, 1, 1), Some(true)));
    assert_eq!(rank_of_dear(1000.0), ((2, 2, 2), Some(true)));
}

#[test]
fn nobody_better_keeps_what_is_there_and_says_what_would_have_shown() {
    let found = verdict(&contest(
        Expect::Keep,
        vec![
            entrant("today", qualities(100, 0..20, 0.01)),
            entrant("a", qualities(100, 10..30, 0.01)),
        ],
    ));
    assert_eq!(found.outcome, VerdictOutcome::Keep);
    assert_eq!(found.judged, Outcome::Pass);
    let detectable = found.detectable.unwrap();
    // Twenty discordant cases: a deviation of 0.449, times 2.80 over the root of 100.
    assert!((detectable - 0.1260).abs() < 0.001, "{detectable}");
}

#[test]
fn too_few_differences_are_no_decision_either_way() {
    let alike = || {
        vec![
            entrant("today", qualities(100, 0..20, 0.01)),
            entrant("a", qualities(100, 2..20, 0.01)),
        ]
    };
    let found = verdict(&contest(Expect::Keep, alike()));
    assert_eq!(found.outcome, VerdictOutcome::TestMore);
    assert_eq!(found.judged, Outcome::Inconclusive);
    assert_eq!(
        found.more_cases, 200,
        "2 differences on 100 cases, and it takes 6"
    );
    let mut lenient = contest(Expect::Keep, alike());
    lenient.rule.min_discordant = 2;
    assert_eq!(verdict(&lenient).outcome, VerdictOutcome::Keep);
}

#[test]
fn thirty_cases_in_few_clusters_are_no_decision() {
    let mut entrants = clear();
    for entrant in &mut entrants {
        for case in &mut entrant.qualities.cases {
            case.unit /= 4;
        }
    }
    let found = verdict(&contest(Expect::Switch, entrants));
    assert_eq!(found.outcome, VerdictOutcome::TestMore);
    assert_eq!((found.units, found.more_cases), (25, 5));
}

#[test]
fn the_floors_give_a_shortlist_with_what_is_missing() {
    let mut entrants = vec![
        entrant("today", qualities(24, 0..12, 0.01)),
        entrant("a", qualities(24, 0..2, 0.01)),
    ];
    for entrant in &mut entrants {
        for case in &mut entrant.qualities.cases {
            case.approved = case.position < 5;
        }
    }
    let found = verdict(&contest(Expect::Decision, entrants));
    assert_eq!(found.outcome, VerdictOutcome::Shortlist);
    assert_eq!((found.more_cases, found.more_approvals), (6, 7));
    assert_eq!(
        (found.named, found.judged),
        (vec!["a".to_owned()], Outcome::Fail)
    );
}

#[test]
fn a_hard_gate_blocks_and_one_that_todays_fails_too_does_not() {
    let mut entrants = clear();
    entrants[1].gates = vec![gate(Outcome::Fail)];
    entrants[0].gates = vec![gate(Outcome::Pass)];
    let found = verdict(&contest(Expect::Any, entrants.clone()));
    assert_eq!(found.outcome, VerdictOutcome::Keep);
    assert_eq!(found.candidates[1].gates, ["error_rate <= 1%"]);
    assert_eq!(found.candidates[1].rank, None, "not ranked");
    assert!(found.candidates[0].rank.is_some());
    entrants[0].gates = vec![gate(Outcome::Fail)];
    let soft = verdict(&contest(Expect::Any, entrants));
    assert_eq!(soft.outcome, VerdictOutcome::Switch);
    assert_eq!(soft.candidates[1].soft_gates, ["error_rate <= 1%"]);
}

#[test]
fn the_cheapest_per_success_wins_and_ranks_know_who_is_apart() {
    let mut entrants = clear();
    entrants.push(entrant("b", qualities(100, 0..11, 0.001)));
    let found = verdict(&contest(Expect::Switch, entrants));
    assert_eq!(found.named, ["b"]);
    let cost = found.candidates[2].cost_per_success.unwrap();
    assert!((cost - 0.1 / 89.0).abs() < 1e-12);
    let interval = found.candidates[2].cost_interval.unwrap();
    assert!(interval.low < cost && cost < interval.high);
    assert_eq!(found.separated, Some(true));
    let equal = verdict(&contest(
        Expect::Any,
        vec![
            entrant("today", qualities(100, 0..20, 0.01)),
            entrant("a", qualities(100, 20..40, 0.01)),
        ],
    ));
    assert_eq!(equal.separated, Some(false));
    assert_eq!(equal.candidates[0].rank, Some((1, 1, 2)));
}

#[test]
fn a_cheaper_equal_is_taken_only_within_a_margin_that_is_shown() {
    let with = |n: usize, cost: f64, expect| {
        let mut contest = contest(
            expect,
            vec![
                entrant("today", qualities(n, 0..4, 0.01)),
                entrant("a", qualities(n, 4..8, cost)),
            ],
        );
        contest.rule.margin = Some(0.05);
        verdict(&contest)
    };
    let shown = with(400, 0.001, Expect::SwitchCheaper);
    assert_eq!(shown.outcome, VerdictOutcome::SwitchCheaper, "{shown:?}");
    assert_eq!(shown.judged, Outcome::Pass);
    let dearer = with(400, 0.02, Expect::SwitchCheaper);
    assert_eq!(dearer.outcome, VerdictOutcome::Keep);
    assert_eq!(dearer.judged, Outcome::Fail, "it cannot become cheaper");
    let few = with(60, 0.001, Expect::SwitchCheaper);
    assert_eq!(few.outcome, VerdictOutcome::Keep);
    assert_eq!(few.judged, Outcome::Inconclusive, "it may yet be shown");
}

#[test]
fn a_faster_equal_is_taken_where_the_price_is_the_same() {
    let with = |ms: f64| {
        let mut contest = contest(
            Expect::SwitchCheaper,
            vec![
                entrant("today", qualities(400, 0..4, 0.01)),
                entrant("a", qualities(400, 4..8, 0.01)),
            ],
        );
        contest.rule.margin = Some(0.05);
        for (entrant, ms) in contest.entrants.iter_mut().zip([300.0, ms]) {
            entrant.latencies = Some(Latencies { p50: ms, p95: ms });
            for case in &mut entrant.qualities.cases {
                case.latency_ms = Some(ms + f64::from(case.unit % 7));
            }
        }
        verdict(&contest)
    };
    let faster = with(200.0);
    assert_eq!(faster.outcome, VerdictOutcome::SwitchCheaper);
    let saving = faster.candidates[1].comparison.as_ref().unwrap();
    let saving = saving.saving.as_ref().unwrap();
    assert!(saving.p_faster.unwrap() < 0.001 && saving.p_cheaper.is_none_or(|p| p > 0.5));
    assert_eq!(with(400.0).outcome, VerdictOutcome::Keep, "slower");
}

#[test]
fn the_best_of_many_equals_leads_by_chance() {
    // Three that differ from today's on about sixteen cases, one of them luckily: fourteen gains and three losses.
    let mut entrants = vec![entrant("today", qualities(120, 0..16, 0.01))];
    for number in 0..3 {
        let lucky = if number == 0 { 1..3 } else { 8..24 };
        let mut own = qualities(120, lucky, 0.01);
        if number == 0 {
            for case in &mut own.cases[60..63] {
                case.quality = 0.0;
            }
        }
        entrants.push(entrant(&format!("c-{number}"), own));
    }
    let alone = verdict(&contest(Expect::Any, entrants[..2].to_vec()));
    let many = verdict(&contest(Expect::Any, entrants));
    assert_eq!(alone.outcome, VerdictOutcome::Switch);
    assert_eq!(many.outcome, VerdictOutcome::Switch);
    let chance = |found: &Finding| found.selection_effect.unwrap();
    assert!(
        chance(&alone) < chance(&many),
        "{} {}",
        chance(&alone),
        chance(&many)
    );
}

#[test]
fn before_launch_a_mean_of_parts_has_bca_limits() {
    let graded = |good: f64| {
        let mut qualities = qualities(100, 0..0, 0.01);
        for case in &mut qualities.cases {
            case.quality = if case.position % 10 == 0 { 0.5 } else { good };
        }
        verdict(&contest(Expect::Decision, vec![entrant("a", qualities)]))
    };
    let good = graded(1.0);
    assert_eq!(good.outcome, VerdictOutcome::Use);
    let quality = good.candidates[0].quality.as_ref().unwrap();
    assert!(quality.method.starts_with("bca"), "{}", quality.method);
    // 0.8 of 0.83 and 0.5: the mean is 0.797, which no limit leaves above the bar and none proves below it.
    assert_eq!(graded(0.83).outcome, VerdictOutcome::Shortlist);
    assert_eq!(graded(0.6).outcome, VerdictOutcome::NothingYet);
    let right = verdict(&contest(
        Expect::Decision,
        vec![entrant("a", qualities(100, 0..5, 0.01))],
    ));
    let quality = right.candidates[0].quality.as_ref().unwrap();
    assert_eq!(quality.method, "exact");
}

#[test]
fn identical_answers_on_few_cases_do_not_prove_a_margin() {
    let mut contest = contest(
        Expect::SwitchCheaper,
        vec![
            entrant("today", qualities(60, 0..0, 0.01)),
            entrant("a", qualities(60, 0..0, 0.001)),
        ],
    );
    contest.rule.margin = Some(0.01);
    assert_eq!(verdict(&contest).outcome, VerdictOutcome::TestMore);
}

#[test]
fn missing_and_unequal_answers_stop_everything() {
    let mut missing = clear();
    missing[1].qualities.missing = 3;
    let found = verdict(&contest(Expect::Any, missing));
    assert_eq!(found.judged, Outcome::CouldNotRun);
    assert_eq!(found.reasons, ["`a`: 3 answers are missing"]);
    let silent = |share: usize| {
        let mut entrants = vec![
            entrant("today", qualities(500, 0..200, 0.01)),
            entrant("a", qualities(500, 0..50, 0.01)),
        ];
        for case in entrants[1].qualities.cases.iter_mut().take(share) {
            case.unanswered = true;
        }
        verdict(&contest(Expect::Any, entrants))
    };
    assert_eq!(silent(4).outcome, VerdictOutcome::Switch);
    // Below 2%, but eight that only one of them lacks: an exact p of 0.008.
    let unequal = silent(8);
    assert_eq!(unequal.outcome, VerdictOutcome::CouldNotRun);
    assert!(unequal.reasons[0].contains("differ in unanswered calls"));
    assert!(silent(11).reasons[0].contains("more than 2%"));
}

#[test]
fn tuning_data_never_decide() {
    let mut tuned = contest(Expect::Decision, clear());
    tuned.on_tuning_data = true;
    let found = verdict(&tuned);
    assert_eq!(found.outcome, VerdictOutcome::Shortlist);
    assert_eq!(
        (found.named, found.judged),
        (vec!["a".to_owned()], Outcome::Fail)
    );
}

#[test]
fn before_launch_quality_must_be_shown() {
    let launch = |wrong: usize, n: usize| {
        verdict(&contest(
            Expect::Decision,
            vec![
                entrant("a", qualities(n, 0..wrong, 0.02)),
                entrant("b", qualities(n, 0..wrong, 0.01)),
            ],
        ))
    };
    let good = launch(8, 100);
    assert_eq!(
        (good.outcome, good.named[0].as_str()),
        (VerdictOutcome::Use, "b")
    );
    assert_eq!(good.judged, Outcome::Pass);
    let open = launch(15, 100);
    assert_eq!(
        open.outcome,
        VerdictOutcome::Shortlist,
        "85%, from 76.5% on"
    );
    assert!(
        open.more_cases > 50 && open.more_cases < 400,
        "{}",
        open.more_cases
    );
    assert_eq!(launch(50, 100).outcome, VerdictOutcome::NothingYet);
    assert_eq!(launch(0, 20).outcome, VerdictOutcome::Shortlist);
}

#[test]
fn the_order_of_cases_changes_nothing() {
    let forward = verdict(&contest(Expect::Any, clear()));
    let mut entrants = clear();
    for entrant in &mut entrants {
        entrant.qualities.cases.reverse();
    }
    let backward = verdict(&contest(Expect::Any, entrants));
    let p = |found: &Finding| found.candidates[1].comparison.as_ref().unwrap().p;
    assert_eq!(p(&forward), p(&backward));
    assert_eq!(forward.outcome, backward.outcome);
}

fn claims(pairs: &[ClaimPair], claim: crate::metric::Claim) -> Vec<ClaimFinding> {
    super::claims(pairs, claim, &Metric::plain(MetricId::Accuracy))
}

fn pair(contest: Contest) -> ClaimPair {
    ClaimPair {
        contest,
        whole: None,
        skipped: None,
    }
}

/// The same candidate before and after, with so many cases wrong.
pub(super) fn before_and_after(
    before: std::ops::Range<usize>,
    after: std::ops::Range<usize>,
    n: usize,
) -> Contest {
    contest(
        Expect::Any,
        vec![
            entrant("today", qualities(n, before, 0.01)),
            entrant("a", qualities(n, after, 0.02)),
        ],
    )
}

#[test]
fn earlier_answers_are_steady_until_a_loss_is_shown() {
    let steady =
        |before, after, n| claims(&[pair(before_and_after(before, after, n))], Steady).remove(0);
    let same = steady(0..20, 0..20, 200);
    assert_eq!((same.outcome, same.p), (Outcome::Pass, Some(1.0)));
    // Five losses and no gain: 1/32 one-sided, and six make 1/64.
    assert_eq!(steady(0..20, 0..25, 200).outcome, Outcome::Pass);
    let lost = steady(0..20, 0..26, 200);
    assert_eq!(lost.outcome, Outcome::Fail, "{lost:?}");
    assert!((lost.p.unwrap() - 1.0 / 64.0).abs() < 1e-12);
    assert_eq!(steady(0..2, 0..12, 20).outcome, Outcome::Inconclusive);
}

#[test]
fn losses_of_several_candidates_are_corrected_for_each_other() {
    let lost = || pair(before_and_after(0..20, 0..26, 200));
    let same = || pair(before_and_after(0..20, 0..20, 200));
    let found = claims(&[lost(), same()], Steady);
    assert_eq!(found[0].outcome, Outcome::Pass, "1/64 is above 2.5%/2");
    assert!((found[0].p_adjusted.unwrap() - 1.0 / 32.0).abs() < 1e-12);
}

#[test]
fn a_skipped_pair_is_told_and_takes_part_in_nothing() {
    let mut nothing = pair(before_and_after(0..0, 0..0, 200));
    nothing.skipped = Some("new here".to_owned());
    let found = claims(&[nothing], Steady).remove(0);
    assert!(found.skipped && found.comparison.is_none() && found.p.is_none());
    assert_eq!(found.reason, "new here");
}

#[test]
fn flips_and_shifts_are_counted_and_tested() {
    let mut contest = before_and_after(0..10, 5..25, 100);
    for (entrant, (chance, time)) in contest
        .entrants
        .iter_mut()
        .zip([(0.9, 200.0), (0.7, 350.0)])
    {
        for case in &mut entrant.qualities.cases {
            case.chance_of_right = Some(chance);
            case.latency_ms = Some(time + case.position as f64);
        }
    }
    let found = change(&contest).unwrap();
    assert_eq!(found.newly_right, (0..5).collect::<Vec<_>>());
    assert_eq!(found.newly_wrong, (10..25).collect::<Vec<_>>());
    // Five against fifteen: 2·P(Bin(20, ½) ≤ 5).
    assert!((found.flips_p - 0.041_389_465_332_031_25).abs() < 1e-12);
    let chance = found.chance_of_right.unwrap();
    assert!((chance.before - 0.9).abs() < 1e-12 && chance.p < 1e-6);
    let cost = found.cost_per_1000.unwrap();
    assert!((cost.after - 20.0).abs() < 1e-9 && cost.p < 1e-6);
    let latency = found.latency.unwrap();
    assert_eq!((latency.before, latency.after), (249.5, 399.5));
    let same = change(&before_and_after(0..10, 0..10, 100)).unwrap();
    assert_eq!((same.flips_p, same.chance_of_right), (1.0, None));
}

#[test]
fn cases_that_a_candidate_skips_are_calls_that_nobody_answered() {
    let skipping = |own: usize, today: usize| {
        let mut contest = before_and_after(0..300, 0..100, 1000);
        contest.entrants[1].skipped = own;
        contest.entrants[0].skipped = today;
        let found = verdict(&contest);
        (found.outcome, found.reasons.join("; "))
    };
    assert_eq!(skipping(0, 0).0, VerdictOutcome::Switch);
    assert_eq!(skipping(4, 2).0, VerdictOutcome::Switch);
    let (many, why) = skipping(400, 400);
    assert_eq!(many, VerdictOutcome::CouldNotRun);
    assert!(why.contains("400 of 1400 cases have no answer"), "{why}");
    let (unequal, why) = skipping(12, 0);
    assert_eq!(unequal, VerdictOutcome::CouldNotRun);
    assert!(
        why.contains("differ in cases without an answer: 12 and 0"),
        "{why}"
    );
}

#[test]
fn unequal_missing_answers_refuse() {
    let mut contest = before_and_after(0..20, 0..20, 1000);
    for case in &mut contest.entrants[1].qualities.cases[..8] {
        case.unanswered = true;
    }
    let found = claims(&[pair(contest.clone())], Steady).remove(0);
    assert_eq!(found.outcome, Outcome::CouldNotRun);
    assert!(
        found.reason.contains("differ in unanswered calls"),
        "{}",
        found.reason
    );
    assert_eq!(change(&contest), None);
    for case in &mut contest.entrants[1].qualities.cases[..8] {
        case.unanswered = case.position < 2;
    }
    assert_eq!(
        claims(&[pair(contest)], Steady).remove(0).outcome,
        Outcome::Pass
    );
}

#[test]
fn numbers_that_are_no_shares_are_claimed_by_their_means() {
    let claimed = |gain: f64, margin: Option<f64>| {
        let mut contest = before_and_after(0..0, 0..0, 60);
        contest.shares = false;
        contest.rule.margin = margin;
        for (entrant, gain) in contest.entrants.iter_mut().zip([0.0, gain]) {
            for case in &mut entrant.qualities.cases {
                // A score of which more is better, and less than 0.
                let noise = (case.position * 7 % 11) as f64 / 100.0;
                case.quality = -1.0 - noise + gain + gain * noise;
            }
        }
        let claim = if margin.is_some() { NotWorse } else { Better };
        claims(&[pair(contest)], claim).remove(0).outcome
    };
    assert_eq!(claimed(0.1, None), Outcome::Pass);
    assert_eq!(claimed(-0.1, None), Outcome::Fail);
    assert_eq!(claimed(-0.1, Some(0.2)), Outcome::Pass);
    assert_eq!(claimed(-0.1, Some(0.05)), Outcome::Fail);
    assert_eq!(claimed(0.0, None), Outcome::Inconclusive);
}

#[test]
fn a_metric_of_all_cases_is_claimed_by_its_resamples() {
    let claimed = |observed: f64, spread: f64, claim| {
        let drawn = (0..1000).map(|at| observed + spread * (f64::from(at) - 499.5) / 500.0);
        let mut one = pair(before_and_after(0..0, 0..0, 100));
        one.contest.rule.margin = (claim == NotWorse).then_some(0.05);
        one.whole = Some(Ok(crate::score::WholeDifference {
            observed,
            drawn: drawn.collect(),
            cases: 100,
            units: 100,
        }));
        claims(&[one], claim).remove(0).outcome
    };
    assert_eq!(claimed(0.1, 0.08, Better), Outcome::Pass);
    assert_eq!(claimed(-0.1, 0.08, Better), Outcome::Fail);
    assert_eq!(claimed(0.1, 0.2, Better), Outcome::Inconclusive);
    assert_eq!(claimed(0.0, 0.04, NotWorse), Outcome::Pass);
    assert_eq!(claimed(-0.1, 0.04, NotWorse), Outcome::Fail);
    assert_eq!(claimed(-0.1, 0.04, Steady), Outcome::Fail);
    assert_eq!(claimed(-0.1, 0.2, Steady), Outcome::Pass);
}

#[test]
fn a_claim_is_shown_refuted_or_open() {
    let claimed = |claim, margin, wrong: std::ops::Range<usize>, n: usize| {
        let mut contest = contest(
            Expect::Any,
            vec![
                entrant("today", qualities(n, 0..20, 0.01)),
                entrant("a", qualities(n, wrong, 0.01)),
            ],
        );
        contest.rule.margin = margin;
        claims(&[pair(contest)], claim).remove(0)
    };
    assert_eq!(claimed(Better, None, 0..5, 200).outcome, Outcome::Pass);
    assert_eq!(claimed(Better, None, 0..40, 200).outcome, Outcome::Fail);
    let open = claimed(Better, None, 1..20, 200);
    assert_eq!(open.outcome, Outcome::Inconclusive);
    assert!(open.more_cases.unwrap() > 400, "{open:?}");
    assert_eq!(
        claimed(NotWorse, Some(0.05), 0..20, 200).outcome,
        Outcome::Pass
    );
    assert_eq!(
        claimed(NotWorse, Some(0.05), 0..50, 200).outcome,
        Outcome::Fail
    );
    let same = claimed(NotWorse, Some(0.01), 0..20, 200);
    assert_eq!(
        same.outcome,
        Outcome::Inconclusive,
        "equal answers, too few for 1%"
    );
    assert_eq!(same.more_cases, Some(181));
    assert_eq!(
        claimed(NotWorse, Some(0.05), 0..0, 20).outcome,
        Outcome::Inconclusive
    );
}
