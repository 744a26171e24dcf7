//! One row per metric: its name, argument, unit, direction and what it needs asked.

/// The metrics, in the order of scorecards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is documented in its row of the table")]
pub enum MetricId {
    Accuracy,
    WeightedAccuracy,
    BalancedAccuracy,
    MacroF1,
    Precision,
    Recall,
    F1,
    Kappa,
    Mcc,
    WithinOne,
    MacroAccuracy,
    AccuracyGap,
    MajorityBaseline,
    Chance,
    Ece,
    EceNull,
    Mce,
    Brier,
    LogLoss,
    Rps,
    Mae,
    Tvd,
    Temperature,
    EceScaled,
    LogLossScaled,
    Auroc,
    Coverage,
    SelectiveAccuracy,
    Aurc,
    FlipRate,
    ScoreVariance,
    PassEveryTime,
    OrderFlipRate,
    MaxProbShift,
    FirstSlotRate,
    FirstSlotGap,
    OrderBothRight,
    OrderKappa,
    DistractorDrop,
    TrimGain,
    TranscriptGap,
    EscapeRecall,
    EscapePrecision,
    EscapeRate,
    GateClosedRate,
    PairAgreement,
    PairBothRight,
    BiasScore,
    ErrorRate,
    TimeoutRate,
    ThrottleRate,
    TruncationRate,
    RefusalRate,
    FormatErrors,
    FormatMass,
    LatencyP50,
    LatencyP95,
    LatencyP99,
    CostPer1000,
    CostPerCorrect,
    Capability,
    Intelligence,
    Calibration,
    SpeedScore,
    CostScore,
    Composite,
    Quality,
    PassRate,
    Rubric,
    PairwiseWinRate,
    JudgeAgreement,
    AgentTaskSuccess,
    ExactMatch,
    JsonSchema,
    MustInclude,
    MustNotInclude,
    RequiredTools,
    ForbiddenTools,
    NumberWithin,
}

/// What stands between the brackets of a metric's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentKind {
    /// Nothing.
    None,
    /// An option's key, required.
    Option,
    /// `order=reversed`, `order=averaged` or `context=clean`; may be left out.
    Probe,
    /// A field of cases, such as `family` or `strata.channel`, required.
    Field,
    /// `A`, `B`, `balanced`, `accuracy`, `speed` or `cost`, required.
    Composite,
    /// `accuracy >= 98%`, required.
    TargetAccuracy,
    /// `confidence >= 0.9` or `margin >= 0.2`, required.
    Threshold,
}

/// In what a value is measured and a bound is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// A share between 0 and 1; bounds may be written in per cent.
    Share,
    /// A difference of shares between -1 and 1; bounds may be written in per cent.
    Difference,
    /// A plain number.
    Number,
    /// Milliseconds; bounds are written `300ms` or `1.5s`.
    Milliseconds,
    /// US dollars; bounds are written `$0.50`.
    Dollars,
}

/// Which direction is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Better {
    /// More is better; a natural bound is `>=`.
    Higher,
    /// Less is better; a natural bound is `<=`.
    Lower,
    /// Neither; the value describes the cases or the answers.
    Neither,
}

/// What must be asked, or be there, for a metric to be measurable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// The labels of the base probe.
    Labels,
    /// The probabilities of the base probe.
    Probabilities,
    /// Repeats of the same call.
    Repeats,
    /// The same call with options in other orders.
    Orders,
    /// The minimal and the padded view.
    MinimalAndPadded,
    /// The minimal view and production's.
    MinimalAndProduction,
    /// The clean view and production's.
    CleanAndProduction,
    /// Pairs of cases.
    Pairs,
    /// Every call, answered or not.
    Calls,
    /// The time each call took when it was made.
    Latency,
    /// The price of each call.
    Cost,
    /// Open answers, and what checks say of them.
    Written,
    /// Open answers, and what judges say of them.
    Judges,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MetricInfo {
    /// Which metric.
    pub id: MetricId,
    /// Its name in suites and scorecards, without brackets.
    pub name: &'static str,
    /// What stands between the brackets.
    pub argument: ArgumentKind,
    /// In what it is measured.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// What it needs.
    pub needs: Needs,
    /// Whether it only exists for ordered scores.
    pub scores_only: bool,
    /// One sentence for the reference.
    pub summary: &'static str,
}

const fn row(
    id: MetricId,
    name: &'static str,
    argument: ArgumentKind,
    unit: Unit,
    better: Better,
    needs: Needs,
    summary: &'static str,
) -> MetricInfo {
    MetricInfo {
        id,
        name,
        argument,
        unit,
        better,
        needs,
        scores_only: false,
        summary,
    }
}

const fn scores_only(mut info: MetricInfo) -> MetricInfo {
    info.scores_only = true;
    info
}

use ArgumentKind as A;
use Better::{Higher, Lower, Neither};
use MetricId as M;
use Needs as N;
use Unit as U;

impl MetricId {
    /// Whether candidates can be compared by it case by case: its value is the mean of one number per case, from the
    /// base call alone.
    ///
    /// ```
    /// use decbench_core::metric::MetricId;
    ///
    /// assert!(MetricId::Brier.is_mean_over_cases());
    /// assert!(!MetricId::MacroF1.is_mean_over_cases());
    /// ```
    pub fn is_mean_over_cases(self) -> bool {
        matches!(
            self,
            M::Accuracy
                | M::WithinOne
                | M::Recall
                | M::Brier
                | M::LogLoss
                | M::Rps
                | M::Mae
                | M::Tvd
                | M::ErrorRate
                | M::TimeoutRate
                | M::ThrottleRate
                | M::RefusalRate
                | M::FormatErrors
                | M::CostPer1000
        ) || self.is_of_open_answers()
    }

    /// Whether it reads open answers, and closed ones never.
    pub fn is_of_open_answers(self) -> bool {
        matches!(self.info().needs, N::Written | N::Judges)
    }

    /// Whether it can be measured on open answers: what speaks of calls, of their time and cost, and of the answers
    /// themselves.
    pub fn fits_open_answers(self) -> bool {
        self.is_of_open_answers()
            || matches!(self.info().needs, N::Calls | N::Latency) && self != M::FormatMass
            || matches!(self, M::CostPer1000 | M::PassEveryTime)
    }

    /// Whether it is put together from other numbers that a reader wants to see beside it.
    pub fn has_ingredients(self) -> bool {
        matches!(
            self,
            M::Capability
                | M::Intelligence
                | M::Calibration
                | M::SpeedScore
                | M::CostScore
                | M::Composite
        )
    }

    /// Whether candidates can be compared by it as a whole: a number of all cases together, from the base call alone,
    /// that is better the higher or the lower it is.
    pub fn is_of_all_cases(self) -> bool {
        matches!(
            self,
            M::BalancedAccuracy
                | M::MacroAccuracy
                | M::MacroF1
                | M::Precision
                | M::F1
                | M::Kappa
                | M::Mcc
                | M::Ece
                | M::Auroc
                | M::Aurc
                | M::EscapeRecall
                | M::EscapePrecision
                | M::LatencyP50
                | M::LatencyP95
                | M::LatencyP99
                | M::CostPerCorrect
        )
    }
}

/// Every metric, in the order of [`MetricId`].
pub const METRICS: &[MetricInfo] = &[
    row(
        M::Accuracy,
        "accuracy",
        A::Probe,
        U::Share,
        Higher,
        N::Labels,
        "Share of cases with gold that were answered right.",
    ),
    row(
        M::WeightedAccuracy,
        "weighted_accuracy",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Accuracy with every case counted by its sampling weight.",
    ),
    row(
        M::BalancedAccuracy,
        "balanced_accuracy",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Mean recall over the options that occur in gold.",
    ),
    row(
        M::MacroF1,
        "macro_f1",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Mean F1 over the options of the class set in use.",
    ),
    row(
        M::Precision,
        "precision",
        A::Option,
        U::Share,
        Higher,
        N::Labels,
        "Share of the answers with this option that were right.",
    ),
    row(
        M::Recall,
        "recall",
        A::Option,
        U::Share,
        Higher,
        N::Labels,
        "Share of the cases of this option that were answered with it.",
    ),
    row(
        M::F1,
        "f1",
        A::Option,
        U::Share,
        Higher,
        N::Labels,
        "Harmonic mean of the option's precision and recall.",
    ),
    row(
        M::Kappa,
        "kappa",
        A::None,
        U::Number,
        Higher,
        N::Labels,
        "Cohen's kappa between answers and gold.",
    ),
    row(
        M::Mcc,
        "mcc",
        A::None,
        U::Number,
        Higher,
        N::Labels,
        "Matthews correlation between answers and gold.",
    ),
    scores_only(row(
        M::WithinOne,
        "within_one",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Share of answers at most one level away from gold.",
    )),
    row(
        M::MacroAccuracy,
        "macro_accuracy",
        A::Field,
        U::Share,
        Higher,
        N::Labels,
        "Mean over groups of the accuracy within each group.",
    ),
    row(
        M::AccuracyGap,
        "accuracy_gap",
        A::Field,
        U::Share,
        Lower,
        N::Labels,
        "Largest accuracy of a group less the smallest.",
    ),
    row(
        M::MajorityBaseline,
        "majority_baseline",
        A::None,
        U::Share,
        Neither,
        N::Labels,
        "Accuracy of always giving the most frequent gold answer.",
    ),
    row(
        M::Chance,
        "chance",
        A::None,
        U::Share,
        Neither,
        N::Labels,
        "Accuracy of guessing: the mean of one over the number of options.",
    ),
    row(
        M::Ece,
        "ece",
        A::None,
        U::Share,
        Lower,
        N::Probabilities,
        "Expected calibration error over bins of equal width.",
    ),
    row(
        M::EceNull,
        "ece_null",
        A::None,
        U::Share,
        Neither,
        N::Probabilities,
        "The calibration error that a perfectly calibrated model would show on these confidences.",
    ),
    row(
        M::Mce,
        "mce",
        A::None,
        U::Share,
        Lower,
        N::Probabilities,
        "Largest calibration gap of a bin.",
    ),
    row(
        M::Brier,
        "brier",
        A::None,
        U::Number,
        Lower,
        N::Probabilities,
        "Mean squared error of the probabilities.",
    ),
    row(
        M::LogLoss,
        "log_loss",
        A::None,
        U::Number,
        Lower,
        N::Probabilities,
        "Mean negative logarithm of the right answer's probability.",
    ),
    scores_only(row(
        M::Rps,
        "rps",
        A::None,
        U::Number,
        Lower,
        N::Probabilities,
        "Ranked probability score.",
    )),
    scores_only(row(
        M::Mae,
        "mae",
        A::None,
        U::Number,
        Lower,
        N::Probabilities,
        "Mean absolute difference of expected level and gold.",
    )),
    row(
        M::Tvd,
        "tvd",
        A::None,
        U::Share,
        Lower,
        N::Probabilities,
        "Mean total variation distance to gold distributions.",
    ),
    row(
        M::Temperature,
        "temperature",
        A::None,
        U::Number,
        Neither,
        N::Probabilities,
        "Temperature that minimises the log loss; above 1 the candidate is too sure.",
    ),
    row(
        M::EceScaled,
        "ece_scaled",
        A::None,
        U::Share,
        Lower,
        N::Probabilities,
        "Calibration error on the lock box after the temperature that `dev` suggests.",
    ),
    row(
        M::LogLossScaled,
        "log_loss_scaled",
        A::None,
        U::Number,
        Lower,
        N::Probabilities,
        "Log loss on the lock box after the temperature that `dev` suggests.",
    ),
    row(
        M::Auroc,
        "auroc",
        A::None,
        U::Share,
        Higher,
        N::Probabilities,
        "How well the top probability tells right answers from wrong ones; for yes/no, P(yes) against gold.",
    ),
    row(
        M::Coverage,
        "coverage",
        A::TargetAccuracy,
        U::Share,
        Higher,
        N::Probabilities,
        "Share of cases that can be decided automatically at a guaranteed accuracy.",
    ),
    row(
        M::SelectiveAccuracy,
        "selective_accuracy",
        A::Threshold,
        U::Share,
        Higher,
        N::Probabilities,
        "Accuracy of the answers at or above a confidence, or a margin of the top probability over the next.",
    ),
    row(
        M::Aurc,
        "aurc",
        A::None,
        U::Share,
        Lower,
        N::Probabilities,
        "Mean risk over all coverages, most confident answers first.",
    ),
    row(
        M::FlipRate,
        "flip_rate",
        A::None,
        U::Share,
        Lower,
        N::Repeats,
        "Share of cases whose repeats do not all agree.",
    ),
    scores_only(row(
        M::ScoreVariance,
        "score_variance",
        A::None,
        U::Number,
        Lower,
        N::Repeats,
        "Mean variance of the expected level over repeats.",
    )),
    row(
        M::PassEveryTime,
        "pass_every_time",
        A::None,
        U::Share,
        Higher,
        N::Repeats,
        "Share of cases that every repeat answers right.",
    ),
    row(
        M::OrderFlipRate,
        "order_flip_rate",
        A::None,
        U::Share,
        Lower,
        N::Orders,
        "Share of cases whose answer changes with the order of the options.",
    ),
    row(
        M::MaxProbShift,
        "max_prob_shift",
        A::None,
        U::Share,
        Lower,
        N::Orders,
        "Mean over cases of the largest change of an option's probability between orders.",
    ),
    row(
        M::FirstSlotRate,
        "first_slot_rate",
        A::None,
        U::Share,
        Neither,
        N::Orders,
        "Share of answers that name the option shown first.",
    ),
    row(
        M::FirstSlotGap,
        "first_slot_gap",
        A::None,
        U::Difference,
        Lower,
        N::Orders,
        "First-slot answers less the share of gold shown first.",
    ),
    row(
        M::OrderBothRight,
        "order_both_right",
        A::None,
        U::Share,
        Higher,
        N::Orders,
        "Share of cases answered right in the declared and in the reversed order.",
    ),
    row(
        M::OrderKappa,
        "order_kappa",
        A::None,
        U::Number,
        Higher,
        N::Orders,
        "Cohen's kappa between the answers in the declared and in the reversed order.",
    ),
    row(
        M::DistractorDrop,
        "distractor_drop",
        A::None,
        U::Difference,
        Lower,
        N::MinimalAndPadded,
        "Accuracy on the minimal view less accuracy on the padded one. Where no case has a padded view it is built from other cases, and where none has a minimal one production's stands for it.",
    ),
    row(
        M::TrimGain,
        "trim_gain",
        A::None,
        U::Difference,
        Lower,
        N::MinimalAndProduction,
        "Accuracy on the minimal view less accuracy on production's.",
    ),
    row(
        M::TranscriptGap,
        "transcript_gap",
        A::None,
        U::Difference,
        Lower,
        N::CleanAndProduction,
        "Accuracy on the clean view less accuracy on production's: the share of errors that transcription makes.",
    ),
    row(
        M::EscapeRecall,
        "escape_recall",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Share of the cases for the escape option that were answered with it.",
    ),
    row(
        M::EscapePrecision,
        "escape_precision",
        A::None,
        U::Share,
        Higher,
        N::Labels,
        "Share of the escape answers that were right.",
    ),
    row(
        M::EscapeRate,
        "escape_rate",
        A::None,
        U::Share,
        Neither,
        N::Labels,
        "Share of answers that name the escape option.",
    ),
    row(
        M::GateClosedRate,
        "gate_closed_rate",
        A::None,
        U::Share,
        Neither,
        N::Labels,
        "Share of cases on which the gate before the question says no.",
    ),
    row(
        M::PairAgreement,
        "pair_agreement",
        A::None,
        U::Share,
        Higher,
        N::Pairs,
        "Share of pairs and families whose answers stand in the declared relation.",
    ),
    row(
        M::PairBothRight,
        "pair_both_right",
        A::None,
        U::Share,
        Higher,
        N::Pairs,
        "Share of pairs and families with every member answered right.",
    ),
    row(
        M::BiasScore,
        "bias_score",
        A::None,
        U::Difference,
        Neither,
        N::Labels,
        "How much more often than not the answers that name somebody are those of a stereotype.",
    ),
    row(
        M::ErrorRate,
        "error_rate",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of calls without a usable answer, of any kind.",
    ),
    row(
        M::TimeoutRate,
        "timeout_rate",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of calls that ran out of time.",
    ),
    row(
        M::ThrottleRate,
        "throttle_rate",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of calls that ended rate-limited or overloaded.",
    ),
    row(
        M::TruncationRate,
        "truncation_rate",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of calls whose reply was cut off at its longest before the answer was whole.",
    ),
    row(
        M::RefusalRate,
        "refusal_rate",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of calls the model declined.",
    ),
    row(
        M::FormatErrors,
        "format_errors",
        A::None,
        U::Share,
        Lower,
        N::Calls,
        "Share of replies with an unusable distribution or label.",
    ),
    row(
        M::FormatMass,
        "format_mass",
        A::None,
        U::Share,
        Higher,
        N::Calls,
        "Mean share of probability that fell on the options before it was divided among them; an invalid answer counts 0.",
    ),
    row(
        M::LatencyP50,
        "latency.p50",
        A::None,
        U::Milliseconds,
        Lower,
        N::Latency,
        "Median time of a call.",
    ),
    row(
        M::LatencyP95,
        "latency.p95",
        A::None,
        U::Milliseconds,
        Lower,
        N::Latency,
        "Time that 95% of calls stay within.",
    ),
    row(
        M::LatencyP99,
        "latency.p99",
        A::None,
        U::Milliseconds,
        Lower,
        N::Latency,
        "Time that 99% of calls stay within.",
    ),
    row(
        M::CostPer1000,
        "cost_per_1000",
        A::None,
        U::Dollars,
        Lower,
        N::Cost,
        "Cost of 1,000 decisions.",
    ),
    row(
        M::CostPerCorrect,
        "cost_per_correct",
        A::None,
        U::Dollars,
        Lower,
        N::Cost,
        "Total cost over right decisions.",
    ),
    row(
        M::Capability,
        "capability",
        A::None,
        U::Number,
        Higher,
        N::Probabilities,
        "The mean of intelligence and calibration, at most 100; by the rule set in `conventions`. Cases with `strata: { split: sealed }` are the sealed split.",
    ),
    row(
        M::Intelligence,
        "intelligence",
        A::None,
        U::Number,
        Higher,
        N::Labels,
        "Accuracy beyond chance by type and tier, at most 100.",
    ),
    row(
        M::Calibration,
        "calibration",
        A::None,
        U::Number,
        Higher,
        N::Probabilities,
        "Calibration by type, from 0 to 100.",
    ),
    row(
        M::SpeedScore,
        "speed_score",
        A::None,
        U::Number,
        Higher,
        N::Latency,
        "The median and the 95% point of a call's time as a score from 0 to 100: 100 at a tenth of a second, 20 less for each tenfold.",
    ),
    row(
        M::CostScore,
        "cost_score",
        A::None,
        U::Number,
        Higher,
        N::Cost,
        "The cost of 1,000 decisions as a score: 100 at a tenth of a cent, 30 less for each tenfold.",
    ),
    row(
        M::Composite,
        "composite",
        A::Composite,
        U::Number,
        Higher,
        N::Probabilities,
        "A harmonic mean of intelligence, calibration, speed_score and cost_score, at most 100.",
    ),
    row(
        M::Quality,
        "quality",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Mean quality of open answers: rubric and comparison, or else the share of checks that hold; an error counts 0.",
    ),
    row(
        M::PassRate,
        "pass_rate",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Share of open answers that pass: no error, quality of at least 0.8, and every check and limit on one answer kept.",
    ),
    row(
        M::Rubric,
        "rubric",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Mean over open answers of the judges' votes on the rubric.",
    ),
    row(
        M::PairwiseWinRate,
        "pairwise_win_rate",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Mean outcome of comparing answers in both orders: 1 or 0 where all votes agree, else 0.5.",
    ),
    row(
        M::JudgeAgreement,
        "judge_agreement",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Mean share of pairs of judges' votes on the same thing that agree.",
    ),
    row(
        M::AgentTaskSuccess,
        "agent_task_success",
        A::None,
        U::Share,
        Higher,
        N::Judges,
        "Share of the cases with tools whose answer passes.",
    ),
    row(
        M::ExactMatch,
        "exact_match",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers that are the case's gold.",
    ),
    row(
        M::JsonSchema,
        "json_schema",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers that are JSON of the schema.",
    ),
    row(
        M::MustInclude,
        "must_include",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers that hold every text they must.",
    ),
    row(
        M::MustNotInclude,
        "must_not_include",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers that hold no text they must not.",
    ),
    row(
        M::RequiredTools,
        "required_tools",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers for which every required tool was called.",
    ),
    row(
        M::ForbiddenTools,
        "forbidden_tools",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers for which no forbidden tool was called.",
    ),
    row(
        M::NumberWithin,
        "number_within",
        A::None,
        U::Share,
        Higher,
        N::Written,
        "Share of open answers whose number is within its tolerance.",
    ),
];

impl MetricId {
    /// The metric's row.
    pub fn info(self) -> &'static MetricInfo {
        &METRICS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_metric_and_names_are_unique() {
        for (position, info) in METRICS.iter().enumerate() {
            assert_eq!(info.id as usize, position, "{}", info.name);
            assert_eq!(
                METRICS
                    .iter()
                    .filter(|other| other.name == info.name)
                    .count(),
                1
            );
        }
        assert_eq!(MetricId::NumberWithin as usize + 1, METRICS.len());
    }
}
