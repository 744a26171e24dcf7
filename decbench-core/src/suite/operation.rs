//! `turn:` and `load:`: a candidate in operation.

use super::bound::{Mentioned, requirements};
use super::gold::{self, Answered};
use super::keys::Section;
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader};
use super::tree::Value;
use crate::metric::{Bound, Decimal, LoadRule, Metric, MetricId, Side, TurnRule, Unit};

/// The metrics that a load trial measures.
const UNDER_LOAD: [MetricId; 6] = [
    MetricId::LatencyP50,
    MetricId::LatencyP95,
    MetricId::LatencyP99,
    MetricId::ErrorRate,
    MetricId::TimeoutRate,
    MetricId::ThrottleRate,
];

/// Reads `turn:`.
pub(super) fn turn(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Option<TurnRule> {
    let field = suite.get("turn")?;
    let fields = reader.section(Section::Turn, "turn", field.value)?;
    let Some(budget) = fields.get("budget") else {
        reader
            .error("missing-key", field.key_span, "`turn` has no `budget`")
            .help("write what a turn may take, as in `budget: 400ms`");
        return None;
    };
    let text = reader.words(&budget)?.trim().to_owned();
    let parsed = Bound::parse_limit(Side::AtMost, &text, Unit::Milliseconds)
        .ok()
        .map(|bound| bound.value())
        .filter(|ms| *ms > 0.0);
    let Some(ms) = parsed else {
        reader
            .error(
                "bad-bound",
                budget.value.span,
                format!("`{text}` is no budget of time"),
            )
            .help("write it as `400ms` or `1.5s`");
        return None;
    };
    let mut rule = TurnRule::new(ms, text);
    if let Some(field) = fields.get("parallel") {
        rule.parallel = reader.whole(&field)?;
    }
    if let Some(field) = fields.get("turns") {
        rule.turns = reader.whole(&field)?;
    }
    if let Some(field) = fields.get("at_least") {
        let share = reader.share(&field)?.value();
        if share <= 0.0 || share >= 1.0 {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`at_least` lies above 0% and below 100%",
                )
                .help("no number of calls proves that every turn stays within the budget");
            return None;
        }
        rule.at_least = share;
    }
    if let Some(field) = fields.get("default") {
        let answered: Vec<Answered<'_>> = questions
            .iter()
            .map(|read| Answered {
                question: &read.question,
                sound: read.sound,
            })
            .collect();
        rule.default = gold::by_question(reader, "default", field.value, &answered, gold::option);
    }
    Some(rule)
}

/// Reads `load:`.
pub(super) fn load(
    reader: &mut Reader,
    suite: &Fields<'_>,
    mentioned: &mut Vec<Mentioned>,
) -> Option<LoadRule> {
    let field = suite.get("load")?;
    let fields = reader.section(Section::Load, "load", field.value)?;
    let Some(base) = fields.get("base") else {
        reader
            .error("missing-key", field.key_span, "`load` has no `base`")
            .help("write how many calls production makes, as in `base: 7/s`");
        return None;
    };
    let text = reader.words(&base)?;
    let Some(per_second) = pace(text) else {
        reader
            .error(
                "bad-rate",
                base.value.span,
                format!("`{text}` is no number of calls in a time"),
            )
            .help("write it as `7/s` or `420/min`");
        return None;
    };
    let calls = match fields.get("calls") {
        Some(field) => reader.whole(&field)?,
        None => 2_000,
    };
    let mut rule = LoadRule::new(per_second, calls);
    if let Some(field) = fields.get("rates") {
        rule.rates = multiples(reader, &field)?;
    }
    if let Some(field) = fields.get("assert") {
        for entry in reader.entries("assert", field.value)? {
            let metric = Metric::parse(&entry.key)
                .ok()
                .filter(|metric| UNDER_LOAD.contains(&metric.id));
            let Some(metric) = metric else {
                let known: Vec<String> = UNDER_LOAD
                    .iter()
                    .map(|id| format!("`{}`", id.info().name))
                    .collect();
                reader
                    .error(
                        "unknown-metric",
                        entry.key_span,
                        format!("`{}` is not measured under load", entry.key),
                    )
                    .help(format!("it can be: {}", known.join(", ")));
                continue;
            };
            if let Some(requirements) = requirements(reader, &metric, &entry.value, mentioned) {
                rule.assert.push((metric, requirements));
            }
        }
    }
    Some(rule)
}

/// `7/s`, `420/min` or `1000/h` as calls a second.
fn pace(text: &str) -> Option<f64> {
    let (count, unit) = text.split_once('/')?;
    let count = Decimal::parse(count.trim())?.value();
    let seconds = match unit.trim() {
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    (count > 0.0).then_some(count / seconds)
}

/// `[1x, 3x, 10x]`, ascending.
fn multiples(reader: &mut Reader, field: &Field<'_>) -> Option<Vec<f64>> {
    let items = match &field.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(field.value),
    };
    let mut rates: Vec<f64> = Vec::with_capacity(items.len());
    for item in items {
        let text = reader.text_of("rates", item)?;
        let multiple = Decimal::parse(text.trim().trim_end_matches('x'))
            .map(Decimal::value)
            .filter(|multiple| *multiple > 0.0);
        let Some(multiple) = multiple else {
            reader
                .error(
                    "bad-rate",
                    item.span,
                    format!("`{text}` is no multiple of `base`"),
                )
                .help("write it as `3x`");
            return None;
        };
        rates.push(multiple);
    }
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    if rates.is_empty() {
        reader
            .error("empty-list", field.value.span, "`rates` is empty")
            .help("write at least one, as in `[1x]`");
        return None;
    }
    Some(rates)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;

    fn read(operation: &str) -> Result<Suite, String> {
        let text = format!(
            "question: {{ type: choice, instructions: Which?, options: {{ a: A, wait: {{ description: W, escape: true }} }} }}\ncases: [{{ state: x }}]\ncandidates: {{ x: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 1%' }}\n{operation}\n"
        );
        check_text(&Arc::new(Source::new("operation.yaml", text)))
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_turn_is_read_with_its_default_action() {
        let suite =
            read("turn: { budget: 0.4s, parallel: 3, turns: 10, at_least: 90%, default: wait }")
                .expect("a suite");
        let rule = suite.turn.expect("a turn");
        assert_eq!(
            (rule.budget_ms, rule.parallel, rule.turns, rule.at_least),
            (400.0, 3, 10, 0.9)
        );
        assert_eq!(rule.default, [Some(1)]);
    }

    #[test]
    fn a_load_is_read_in_calls_a_second() {
        let suite = read(
            "load: { base: 420/min, rates: [10x, 1x, 3], calls: 50, assert: { latency.p95: '<= 1s' } }",
        )
        .expect("a suite");
        let rule = suite.load.expect("a load");
        assert_eq!((rule.base, rule.calls), (7.0, 50));
        assert_eq!(rule.rates, [1.0, 3.0, 10.0]);
        assert_eq!(rule.assert.len(), 1);
    }

    #[test]
    fn slips_are_told() {
        for (operation, says) in [
            ("turn: { parallel: 3 }", "`budget: 400ms`"),
            ("turn: { budget: 400 }", "no budget of time"),
            ("turn: { budget: 1s, at_least: 100% }", "below 100%"),
            (
                "turn: { budget: 1s, default: weit }",
                "did you mean `wait`?",
            ),
            ("load: { rates: [1x] }", "`base: 7/s`"),
            ("load: { base: 7 }", "`420/min`"),
            ("load: { base: 7/s, rates: [fast] }", "`3x`"),
            (
                "load: { base: 7/s, assert: { accuracy: '>= 1%' } }",
                "not measured under load",
            ),
        ] {
            let mistakes = read(operation).expect_err(operation);
            assert!(mistakes.contains(says), "{operation}: {mistakes}");
        }
    }
}
