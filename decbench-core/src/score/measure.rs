//! From a metric and a selection to its value: which rows it reads, whether their answers are there, and who computes it.

use super::observed::Observed;
use super::open::Unjudged;
use super::scope::{Scope, VALUE_ALONE};
use super::sheet::{Row, Sheet};
use super::value::{Unmeasurable, Value};
use super::{
    accuracy, bias, calibration, calls, capability, classes, composite, contexts, cost, escape,
    gated, groups, latency, open, orders, pairs, proper, repeats, scales, selective, temperature,
};
use crate::decision::Context;
use crate::metric::{Metric, MetricArgument, MetricId, Needs, Selection};

/// Whether the answers a metric reads are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Availability {
    /// How many cases the metric reads.
    pub expected: usize,
    /// Of how many of them an answer is not there.
    pub missing: usize,
    /// Of how many of them a call was made that nobody answered.
    pub unanswered: usize,
    /// Of a metric that compares two views of a case: how many cases only the first view's call was not answered for,
    /// and how many only the second's.
    pub one_sided: (u64, u64),
    /// How many cases a candidate's recording lacks and the suite allows to leave out.
    pub skipped: usize,
}

/// A metric's value, or why there is none, with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// Whether the answers are there.
    pub availability: Availability,
    /// The value.
    pub value: Result<Value, Unmeasurable>,
}

/// Measures one metric on the selected rows at a two-sided level in (0, 1).
pub fn measure(
    sheet: &Sheet<'_>,
    metric: &Metric,
    selection: &Selection,
    level: f64,
) -> Measurement {
    let mut rows = sheet.select(selection);
    let open = sheet.question.kind.is_open();
    let by_gold = reads_gold(metric.id, open);
    if by_gold {
        rows.retain(|row| row.gold.is_some());
    }
    let before = rows.len();
    rows.retain(|row| counts(row, metric.id));
    let closed = before - rows.len();
    let availability = availability(sheet, metric, selection, &rows);
    let rows_left = rows.len();
    let scope = Scope {
        sheet,
        rows,
        selection,
        metric,
        level,
    };
    let mut value = if rows_left == 0 && closed > 0 {
        Err(Unmeasurable::because("the gate is closed on every case"))
    } else if availability.expected == 0 {
        Err(Unmeasurable::because(if by_gold {
            "no cases with gold"
        } else {
            "no cases"
        }))
    } else {
        compute(&scope)
    };
    if let (Ok(value), Some(gate)) = (&mut value, sheet.gate.filter(|_| closed > 0)) {
        value.notes.push(format!(
            "where `{gate}` says yes: it is closed on {closed} of {before} cases, which do not count"
        ));
    }
    Measurement {
        availability,
        value,
    }
}

/// Whether the metric reads this row: where a closed gate leaves nothing to decide, only calls and what they cost, and
/// how often that is so.
fn counts(row: &Row<'_>, metric: MetricId) -> bool {
    let all = matches!(
        metric.info().needs,
        Needs::Calls | Needs::Latency | Needs::Cost
    );
    all || metric == MetricId::GateClosedRate || !row.base().is_some_and(Observed::is_undecided)
}

/// The value alone on these rows, in which a row may stand several times.
pub(super) fn value_alone(
    sheet: &Sheet<'_>,
    metric: &Metric,
    selection: &Selection,
    mut rows: Vec<&Row<'_>>,
) -> Result<f64, Unmeasurable> {
    if reads_gold(metric.id, sheet.question.kind.is_open()) {
        rows.retain(|row| row.gold.is_some());
    }
    rows.retain(|row| counts(row, metric.id));
    let scope = Scope {
        sheet,
        rows,
        selection,
        metric,
        level: VALUE_ALONE,
    };
    compute(&scope).map(|value| value.value)
}

/// Whether the metric compares with gold, so that cases without it do not count.
pub(super) fn reads_gold(metric: MetricId, open: bool) -> bool {
    match metric.info().needs {
        Needs::Labels
        | Needs::Probabilities
        | Needs::MinimalAndPadded
        | Needs::MinimalAndProduction
        | Needs::CleanAndProduction => {
            !matches!(metric, MetricId::EscapeRate | MetricId::GateClosedRate)
        }
        // Of open answers gold is one thing among others that say what is right.
        Needs::Repeats => metric == MetricId::PassEveryTime && !open,
        Needs::Orders => matches!(metric, MetricId::OrderBothRight | MetricId::FirstSlotGap),
        Needs::Pairs => metric == MetricId::PairBothRight,
        Needs::Calls | Needs::Latency | Needs::Written | Needs::Judges => false,
        Needs::Cost => metric == MetricId::CostPerCorrect,
    }
}

fn availability(
    sheet: &Sheet<'_>,
    metric: &Metric,
    selection: &Selection,
    rows: &[&Row<'_>],
) -> Availability {
    let mut found = Availability {
        expected: rows.len(),
        skipped: sheet.skipped,
        ..Availability::default()
    };
    let repeats = sheet.repeats(selection.repeats);
    let least = sheet.least_view();
    for row in rows {
        let answers: Option<Vec<_>> = match (metric.info().needs, &metric.argument) {
            (Needs::Repeats, _) => row.repeats(repeats),
            (_, MetricArgument::ReversedOrder) => row.orders(2),
            (Needs::Orders, _) if metric.id == MetricId::OrderKappa => row.orders(2),
            (Needs::Orders, _) | (_, MetricArgument::AveragedOrders) => {
                row.orders(selection.orders)
            }
            (_, MetricArgument::Context(name)) => {
                // A case without this view is not asked about it.
                let Some(context) = Context::from_name(name)
                    .filter(|context| row.case.state_in(*context).is_some())
                else {
                    found.expected -= 1;
                    continue;
                };
                row.in_context(context).map(|answer| vec![answer])
            }
            (Needs::MinimalAndPadded, _) => in_both(row, least, Context::Padded, &mut found),
            (Needs::MinimalAndProduction, _) => {
                in_both(row, Context::Minimal, Context::Production, &mut found)
            }
            (Needs::CleanAndProduction, _) => {
                in_both(row, Context::Clean, Context::Production, &mut found)
            }
            _ => row.base().map(|answer| vec![answer]),
        };
        match answers {
            None => found.missing += 1,
            Some(answers) => match judgement_of(metric, row, &answers) {
                Some(Unjudged::Missing) => found.missing += 1,
                Some(_) => found.unanswered += 1,
                None => {
                    note_one_sided(metric, &answers, &mut found);
                    found.unanswered +=
                        usize::from(answers.iter().any(|answer| answer.said.is_none()));
                }
            },
        }
    }
    found
}

/// Counts a case of which only one of two views was answered.
fn note_one_sided(metric: &Metric, answers: &[&Observed], found: &mut Availability) {
    let compares = matches!(
        metric.info().needs,
        Needs::MinimalAndPadded | Needs::MinimalAndProduction | Needs::CleanAndProduction
    );
    if let ([first, second], true) = (answers, compares) {
        let silent = (first.said.is_none(), second.said.is_none());
        found.one_sided.0 += u64::from(silent == (true, false));
        found.one_sided.1 += u64::from(silent == (false, true));
    }
}

/// Why a metric that judges have a part in misses theirs.
fn judgement_of(metric: &Metric, row: &Row<'_>, answers: &[&Observed]) -> Option<Unjudged> {
    if metric.info().needs != Needs::Judges {
        return None;
    }
    let base = answers.first()?;
    open::case_number(metric.id, row, base)?.err()
}

/// The answers in two views, or nothing to expect of a case that lacks one of them.
fn in_both<'r>(
    row: &'r Row<'_>,
    first: Context,
    second: Context,
    found: &mut Availability,
) -> Option<Vec<&'r Observed>> {
    // Recorded answers may exist for views whose text is not in the case file.
    let shown = |context| row.case.state_in(context).is_some() || row.in_context(context).is_some();
    if !(shown(first) && shown(second)) {
        found.expected -= 1;
        return Some(Vec::new());
    }
    Some(vec![row.in_context(first)?, row.in_context(second)?])
}

/// The one place that knows who computes what.
fn compute(scope: &Scope<'_, '_>) -> Result<Value, Unmeasurable> {
    match scope.metric.id {
        MetricId::Accuracy => accuracy::accuracy(scope),
        MetricId::WeightedAccuracy => accuracy::weighted(scope),
        MetricId::MacroAccuracy => accuracy::macro_accuracy(scope),
        MetricId::AccuracyGap => groups::accuracy_gap(scope),
        MetricId::Chance => accuracy::chance(scope),
        MetricId::WithinOne => accuracy::within_one(scope),
        MetricId::MajorityBaseline => accuracy::majority_baseline(scope),
        MetricId::Precision => classes::precision(scope),
        MetricId::Recall => classes::recall(scope),
        MetricId::F1 => classes::f1(scope),
        MetricId::MacroF1 => classes::macro_f1(scope),
        MetricId::BalancedAccuracy => classes::balanced_accuracy(scope),
        MetricId::Kappa => classes::kappa(scope),
        MetricId::Mcc => classes::mcc(scope),
        MetricId::Ece => calibration::ece(scope),
        MetricId::EceNull => calibration::ece_null(scope),
        MetricId::Mce => calibration::mce(scope),
        MetricId::Temperature => temperature::temperature(scope),
        MetricId::EceScaled => temperature::ece_scaled(scope),
        MetricId::LogLossScaled => temperature::log_loss_scaled(scope),
        MetricId::Brier => proper::brier(scope),
        MetricId::LogLoss => proper::log_loss(scope),
        MetricId::Rps => proper::rps(scope),
        MetricId::Mae => proper::mae(scope),
        MetricId::Tvd => proper::tvd(scope),
        MetricId::Auroc => selective::auroc(scope),
        MetricId::Coverage => selective::coverage(scope),
        MetricId::SelectiveAccuracy => selective::selective_accuracy(scope),
        MetricId::Aurc => selective::aurc(scope),
        MetricId::FlipRate => repeats::flip_rate(scope),
        MetricId::ScoreVariance => repeats::score_variance(scope),
        MetricId::PassEveryTime => repeats::pass_every_time(scope),
        MetricId::OrderFlipRate => orders::order_flip_rate(scope),
        MetricId::MaxProbShift => orders::max_prob_shift(scope),
        MetricId::FirstSlotRate => orders::first_slot_rate(scope),
        MetricId::FirstSlotGap => orders::first_slot_gap(scope),
        MetricId::OrderKappa => orders::order_kappa(scope),
        MetricId::OrderBothRight => orders::order_both_right(scope),
        MetricId::DistractorDrop => {
            contexts::drop_between(scope, scope.sheet.least_view(), Context::Padded)
        }
        MetricId::TrimGain => contexts::drop_between(scope, Context::Minimal, Context::Production),
        MetricId::TranscriptGap => {
            contexts::drop_between(scope, Context::Clean, Context::Production)
        }
        MetricId::EscapeRecall => escape::recall(scope),
        MetricId::EscapePrecision => escape::precision(scope),
        MetricId::EscapeRate => escape::rate(scope),
        MetricId::GateClosedRate => gated::closed_rate(scope),
        MetricId::PairAgreement => pairs::agreement(scope),
        MetricId::PairBothRight => pairs::both_right(scope),
        MetricId::BiasScore => bias::bias_score(scope),
        MetricId::ErrorRate => calls::error_rate(scope),
        MetricId::TimeoutRate => calls::timeout_rate(scope),
        MetricId::ThrottleRate => calls::throttle_rate(scope),
        MetricId::TruncationRate => calls::truncation_rate(scope),
        MetricId::RefusalRate => calls::refusal_rate(scope),
        MetricId::FormatErrors => calls::format_errors(scope),
        MetricId::FormatMass => calls::format_mass(scope),
        MetricId::LatencyP50 => latency::latency(scope, 0.5),
        MetricId::LatencyP95 => latency::latency(scope, 0.95),
        MetricId::LatencyP99 => latency::latency(scope, 0.99),
        MetricId::CostPer1000 => cost::per_1000(scope),
        MetricId::CostPerCorrect => cost::per_correct(scope),
        MetricId::Quality => open::quality_mean(scope),
        MetricId::PassRate => open::pass_rate(scope),
        MetricId::Rubric => open::rubric(scope),
        MetricId::PairwiseWinRate => open::pairwise_win_rate(scope),
        MetricId::JudgeAgreement => open::judge_agreement(scope),
        MetricId::AgentTaskSuccess => open::agent_task_success(scope),
        MetricId::ExactMatch
        | MetricId::JsonSchema
        | MetricId::MustInclude
        | MetricId::MustNotInclude
        | MetricId::RequiredTools
        | MetricId::ForbiddenTools
        | MetricId::NumberWithin => open::check_share(scope),
        MetricId::Capability | MetricId::Intelligence | MetricId::Calibration => {
            capability::capability(scope)
        }
        MetricId::SpeedScore => scales::speed(scope),
        MetricId::CostScore => scales::cost(scope),
        MetricId::Composite => composite::composite(scope),
    }
}
