//! `load:`: what services are offered, and what must hold under it.

use super::bound::bad_bound;
use super::keys::Section;
use super::read::{Field, Fields, Reader, suggestion};
use super::tree::{Entry, Node};
use crate::metric::{Bound, Decimal, LoadRate, LoadRule, Metric, MetricId, Side};

/// What a load can be judged by.
const MEASURED: [MetricId; 5] = [
    MetricId::LatencyP50,
    MetricId::LatencyP95,
    MetricId::LatencyP99,
    MetricId::ErrorRate,
    MetricId::TimeoutRate,
];
/// More calls a second than this say more about the machine that calls than about the service.
const FASTEST: f64 = 1_000.0;

/// Reads `load:`.
pub(super) fn load(reader: &mut Reader, suite: &Fields<'_>) -> Option<LoadRule> {
    let field = suite.get("load")?;
    let fields = reader.section(Section::Load, "load", field.value)?;
    let base = if let Some(field) = fields.get("base") {
        base(reader, &field)
    } else {
        reader
            .error("missing-key", field.key_span, "`load` has no `base`")
            .help("write how often production calls, as in `base: 7/s`");
        None
    };
    let mut rule = LoadRule::new(base.unwrap_or(1.0));
    let mut sound = base.is_some();
    if let Some(field) = fields.get("rates") {
        match rates(reader, &field) {
            Some(rates) => rule.rates = rates,
            None => sound = false,
        }
    }
    if let Some(field) = fields.get("calls") {
        match reader.whole(&field) {
            Some(calls) => rule.calls = calls,
            None => sound = false,
        }
    }
    if let Some(field) = fields.get("at") {
        rule.at = at(reader, &field, &rule.rates);
        sound &= rule.at.is_some();
    }
    if let Some(field) = fields.get("assert") {
        let entries = reader.entries("assert", field.value)?;
        let read = entries.iter().map(|entry| requirement(reader, entry));
        let read: Vec<_> = read.collect();
        sound &= read.iter().all(Option::is_some);
        rule.requirements = read.into_iter().flatten().collect();
    }
    let most = (0..rule.rates.len()).map(|rate| rule.per_second(rate));
    if sound && most.fold(0.0, f64::max) > FASTEST {
        reader
            .error(
                "out-of-range",
                field.value.span,
                format!("more than {FASTEST} calls a second are offered"),
            )
            .help("one process cannot keep such a schedule: lower `base` or `rates`");
        return None;
    }
    sound.then_some(rule)
}

/// Reads `7/s` or `90/min` as calls a second.
fn base(reader: &mut Reader, field: &Field<'_>) -> Option<f64> {
    let text = reader.words(field)?.trim();
    let read = text.split_once('/').and_then(|(count, unit)| {
        let seconds = match unit.trim() {
            "s" => 1.0,
            "min" => 60.0,
            _ => return None,
        };
        positive(count).map(|count| count / seconds)
    });
    if read.is_none() {
        reader
            .error(
                "bad-bound",
                field.value.span,
                format!("`{text}` is no rate of calls"),
            )
            .help("write it as `7/s` or `90/min`");
    }
    read
}

fn rates(reader: &mut Reader, field: &Field<'_>) -> Option<Vec<LoadRate>> {
    let items = reader.items("rates", field.value)?;
    if items.is_empty() {
        reader
            .error("missing-key", field.value.span, "`rates` is empty")
            .help("write multiples of `base`, as in `[1x, 3x, 10x]`");
        return None;
    }
    let mut all: Vec<LoadRate> = Vec::with_capacity(items.len());
    for item in items {
        let rate = factor(reader, "rates", item)?;
        if all.iter().any(|known| known.factor == rate.factor) {
            reader.error(
                "duplicate",
                item.span,
                format!("`{}` stands in `rates` twice", rate.written),
            );
            return None;
        }
        all.push(rate);
    }
    Some(all)
}

/// Reads `3x`.
fn factor(reader: &mut Reader, name: &str, node: &Node) -> Option<LoadRate> {
    let written = reader.text_of(name, node)?.trim().to_owned();
    let factor = written.strip_suffix('x').and_then(positive);
    if factor.is_none() {
        reader
            .error(
                "bad-bound",
                node.span,
                format!("`{written}` is no multiple of `base`"),
            )
            .help("write it as `3x` or `0.5x`");
    }
    Some(LoadRate {
        factor: factor?,
        written,
    })
}

fn at(reader: &mut Reader, field: &Field<'_>, rates: &[LoadRate]) -> Option<usize> {
    let wanted = factor(reader, "at", field.value)?;
    let found = rates.iter().position(|rate| rate.factor == wanted.factor);
    if found.is_none() {
        let known = rates.iter().map(|rate| rate.written.as_str());
        let help = suggestion("its rates", &wanted.written, known);
        reader
            .error(
                "unknown-rate",
                field.value.span,
                format!("`{}` is not among `rates`", wanted.written),
            )
            .help(help);
    }
    found
}

fn requirement(reader: &mut Reader, entry: &Entry) -> Option<(Metric, Bound)> {
    let known = MEASURED.map(|id| id.info().name);
    let metric = Metric::parse(&entry.key)
        .ok()
        .filter(|metric| MEASURED.contains(&metric.id));
    let Some(metric) = metric else {
        let help = suggestion("a load measures", &entry.key, known);
        reader
            .error(
                "unknown-metric",
                entry.key_span,
                format!("`{}` is not measured under load", entry.key),
            )
            .help(help);
        return None;
    };
    let text = reader.text_of(&entry.key, &entry.value)?;
    let bound = Bound::parse(text, metric.info().unit)
        .map_err(|error| bad_bound(reader, &metric, text, entry.value.span, error))
        .ok()?;
    if bound.side == Side::AtLeast {
        reader
            .error(
                "bad-bound",
                entry.value.span,
                format!("`{metric}` under load is held below a bound"),
            )
            .help(format!("write `\"<= {}\"`", bound.written));
        return None;
    }
    Some((metric, bound))
}

fn positive(text: &str) -> Option<f64> {
    let value = Decimal::parse(text.trim())?.value();
    (value > 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;

    fn read(load: &str) -> Result<Suite, String> {
        let text = format!(
            "question: {{ type: choice, instructions: Which?, options: {{ a: A, b: B }} }}\ncases: [{{ state: x }}]\ncandidates: {{ x: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 1%' }}\nload: {load}\n"
        );
        check_text(&Arc::new(Source::new("load.yaml", text)))
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_load_is_read_with_what_must_hold() {
        let suite = read(
            "{ rates: [1x, 2.5x], base: 90/min, calls: 300, assert: { latency.p95: '<= 0.4s', error_rate: '<= 1%' }, at: 2.5x }",
        )
        .expect("a suite");
        let rule = suite.load.expect("a load");
        assert_eq!((rule.per_second(0), rule.per_second(1)), (1.5, 3.75));
        assert_eq!((rule.calls, rule.at), (300, Some(1)));
        assert!(rule.holds_at(1) && !rule.holds_at(0));
        let bounds: Vec<f64> = rule.requirements.iter().map(|(_, b)| b.value()).collect();
        assert_eq!(bounds, [400.0, 0.01]);
        let rule = read("{ base: 7/s }").expect("a suite").load;
        let rule = rule.expect("a load");
        assert_eq!((rule.rates.len(), rule.calls), (3, 2_000));
        assert!((rule.per_second(2) - 70.0).abs() < 1e-12);
    }

    #[test]
    fn slips_are_told() {
        for (load, says) in [
            ("{ calls: 10 }", "`base: 7/s`"),
            ("{ base: 7 }", "`7/s` or `90/min`"),
            ("{ base: 0/s }", "no rate of calls"),
            ("{ base: 7/s, rates: [] }", "`rates` is empty"),
            ("{ base: 7/s, rates: [3] }", "write it as `3x`"),
            ("{ base: 7/s, rates: [3x, 3.0x] }", "twice"),
            (
                "{ base: 7/s, rates: [1x, 3x], at: 4x }",
                "not among `rates`",
            ),
            ("{ base: 700/s }", "more than 1000 calls a second"),
            ("{ base: 7/s, calls: 0 }", "calls"),
            (
                "{ base: 7/s, assert: { accuracy: '>= 90%' } }",
                "not measured under load",
            ),
            (
                "{ base: 7/s, assert: { latency.p59: '<= 1s' } }",
                "did you mean `latency.p5",
            ),
            (
                "{ base: 7/s, assert: { latency.p95: '>= 1s' } }",
                "write `\"<= 1s\"`",
            ),
            (
                "{ base: 7/s, assert: { latency.p95: '<= 400' } }",
                "no bound for `latency.p95`",
            ),
        ] {
            let mistakes = read(load).expect_err(load);
            assert!(mistakes.contains(says), "{load}: {mistakes}");
        }
    }
}
