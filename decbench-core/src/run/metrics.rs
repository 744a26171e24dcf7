//! Which metrics a scorecard shows: every one that the data allow, and every asserted one.

use crate::decision::{Context, QuestionKind};
use crate::metric::{
    ArgumentKind, Composite, Decimal, Field, METRICS, Metric, MetricArgument, Needs,
};
use crate::score::Sheet;

/// The metrics of one candidate and question, in the order of the table; `asserted` ones are among them.
pub(super) fn metrics_of(sheet: &Sheet<'_>, asserted: &[Metric]) -> Vec<Metric> {
    let mut metrics = Vec::new();
    for info in METRICS {
        let has_scores = || {
            sheet
                .rows
                .iter()
                .any(|row| row.question.kind == QuestionKind::Score)
        };
        if info.scores_only && !has_scores() {
            continue;
        }
        let open = sheet.question.kind.is_open();
        if open != info.id.is_of_open_answers() && !(open && info.id.fits_open_answers()) {
            continue;
        }
        if matches!(info.needs, Needs::Repeats) && sheet.repeats(crate::score::ALL_THERE_ARE) < 2 {
            continue;
        }
        if !is_there(sheet, info.needs) || !sheet.speaks_of(info.id) {
            continue;
        }
        let with = |argument| Metric {
            id: info.id,
            argument,
        };
        match info.argument {
            ArgumentKind::None => metrics.push(with(MetricArgument::None)),
            ArgumentKind::Probe => {
                metrics.push(with(MetricArgument::None));
                if is_there(sheet, Needs::Orders) {
                    metrics.push(with(MetricArgument::ReversedOrder));
                    metrics.push(with(MetricArgument::AveragedOrders));
                }
                for context in Context::ALL
                    .into_iter()
                    .filter(|context| *context != Context::Production)
                {
                    if sheet
                        .rows
                        .iter()
                        .any(|row| row.in_context(context).is_some())
                    {
                        metrics.push(with(MetricArgument::Context(context.name())));
                    }
                }
            }
            ArgumentKind::Option if sheet.has_common_options() => {
                metrics.extend(
                    sheet
                        .question
                        .options
                        .iter()
                        .map(|option| with(MetricArgument::Option(option.key.clone()))),
                );
            }
            ArgumentKind::Field => {
                let fields = [Field::Tier, Field::Family, Field::Language];
                let present = fields
                    .into_iter()
                    .filter(|field| sheet.rows.iter().any(|row| row.field(field).is_some()));
                metrics.extend(present.map(|field| with(MetricArgument::Field(field))));
            }
            // Views are for those who ask for them; without tiers there is no intelligence to mix.
            ArgumentKind::Composite if sheet.rows.iter().any(|row| row.case.tier.is_some()) => {
                let mixes = [Composite::A, Composite::B].map(MetricArgument::Composite);
                metrics.extend(mixes.map(with));
            }
            ArgumentKind::Option | ArgumentKind::Composite => {}
            ArgumentKind::TargetAccuracy => metrics.extend(
                ["95%", "98%"]
                    .into_iter()
                    .filter_map(|text| at_least(info.id, "accuracy", text)),
            ),
            ArgumentKind::Threshold => metrics.extend(at_least(info.id, "confidence", "0.9")),
        }
    }
    metrics.extend(
        asserted
            .iter()
            .filter(|metric| !metrics.contains(metric))
            .cloned()
            .collect::<Vec<_>>(),
    );
    metrics.sort_by_key(|metric| metric.id);
    metrics.dedup();
    metrics
}

fn at_least(id: crate::metric::MetricId, quantity: &str, limit: &str) -> Option<Metric> {
    let decimal = match limit.strip_suffix('%') {
        Some(percent) => Decimal::parse(percent)?.shifted(2),
        None => Decimal::parse(limit)?,
    };
    Some(Metric {
        id,
        argument: MetricArgument::AtLeast(decimal, format!("{quantity} >= {limit}")),
    })
}

/// Whether anything was asked that such metrics need; what every base call gives is always there.
fn is_there(sheet: &Sheet<'_>, needs: Needs) -> bool {
    let any = |holds: &dyn Fn(&crate::score::Row<'_>) -> bool| sheet.rows.iter().any(holds);
    match needs {
        Needs::Orders => any(&|row| {
            row.observed
                .iter()
                .any(|observed| !observed.probe.in_suite_order())
        }),
        Needs::MinimalAndPadded => any(&|row| {
            row.in_context(sheet.least_view()).is_some()
                && row.in_context(Context::Padded).is_some()
        }),
        Needs::MinimalAndProduction => any(&|row| row.in_context(Context::Minimal).is_some()),
        Needs::CleanAndProduction => any(&|row| row.in_context(Context::Clean).is_some()),
        Needs::Pairs => any(&|row| row.case.pair.is_some()),
        Needs::Labels
        | Needs::Probabilities
        | Needs::Repeats
        | Needs::Calls
        | Needs::Latency
        | Needs::Cost
        | Needs::Written
        | Needs::Judges => true,
    }
}
