//! Bounds: one value of `assert:` to what it requires.

use super::keys::Section;
use super::read::{Field, Fields, Reader, suggestion};
use super::tree::{Node, Value};
use crate::diagnostic::Span;
use crate::metric::{
    Better, Bound, BoundError, Decimal, Field as CaseField, Metric, MetricArgument, Needs,
    OnInconclusive, Reading, Requirement, Sample, Selection, Side, Unit,
};

/// A field of cases that a suite speaks of, to be compared with the cases once they are read.
#[derive(Debug, Clone)]
pub(super) struct Mentioned {
    /// The field.
    pub(super) field: CaseField,
    /// The value, where one is named.
    pub(super) value: Option<String>,
    /// Where.
    pub(super) span: Span,
}

/// Reads a bound: a text, a map, or a list of these; `None` after a mistake.
pub(super) fn requirements(
    reader: &mut Reader,
    metric: &Metric,
    node: &Node,
    mentioned: &mut Vec<Mentioned>,
) -> Option<Vec<Requirement>> {
    match &node.value {
        Value::List(items) if items.is_empty() => {
            reader
                .error("no-bound", node.span, format!("`{metric}` has no bound"))
                .help(example(metric));
            None
        }
        Value::List(items) => {
            let mut all = Vec::with_capacity(items.len());
            for item in items {
                if let Value::List(_) = item.value {
                    reader.unexpected(&metric.to_string(), item, "a bound");
                    return None;
                }
                all.extend(requirements(reader, metric, item, mentioned)?);
            }
            Some(all)
        }
        Value::Map(_) => described(reader, metric, node, mentioned),
        Value::Scalar(scalar) if scalar.is_null() => {
            reader
                .error("no-bound", node.span, format!("`{metric}` has no bound"))
                .help(example(metric));
            None
        }
        Value::Scalar(scalar) => {
            let bound = Bound::parse(&scalar.text, metric.info().unit)
                .map_err(|error| bad_bound(reader, metric, &scalar.text, node.span, error))
                .ok()?;
            Some(vec![Requirement::new(bound)])
        }
    }
}

fn example(metric: &Metric) -> String {
    let info = metric.info();
    let side = if info.better == Better::Lower {
        "<="
    } else {
        ">="
    };
    let limit = match info.unit {
        Unit::Share => "90%",
        Unit::Difference => "2%",
        Unit::Number => "0.25",
        Unit::Milliseconds => "300ms",
        Unit::Dollars => "$0.50",
    };
    let limit = if info.unit == Unit::Share && info.better == Better::Lower {
        "5%"
    } else {
        limit
    };
    format!("write a bound, as in `{metric}: \"{side} {limit}\"`")
}

pub(super) fn bad_bound(
    reader: &mut Reader,
    metric: &Metric,
    text: &str,
    span: Span,
    error: BoundError,
) {
    let help = match error {
        BoundError::NoSide if text == "off" => {
            "`off` removes an assertion in a candidate's own `assert:`".to_owned()
        }
        BoundError::NoSide if text.trim().starts_with(['<', '>', '=']) => {
            "the bound itself is always good: write `>=` or `<=`".to_owned()
        }
        BoundError::NoSide => {
            let side = if metric.info().better == Better::Lower {
                "<="
            } else {
                ">="
            };
            if Bound::parse(&format!("{side}{text}"), metric.info().unit).is_ok() {
                format!("write `\"{side} {}\"`", text.trim())
            } else {
                example(metric)
            }
        }
        BoundError::OutOfRange { .. } if !text.contains('%') => {
            let digits = text.trim_start_matches(['<', '>', '=', ' ']);
            format!("write a percentage, as in `{}%`", digits.trim())
        }
        _ => example(metric),
    };
    reader
        .error(
            "bad-bound",
            span,
            format!("`{text}` is no bound for `{metric}`: {error}"),
        )
        .help(help);
}

fn described(
    reader: &mut Reader,
    metric: &Metric,
    node: &Node,
    mentioned: &mut Vec<Mentioned>,
) -> Option<Vec<Requirement>> {
    let fields = reader.section(Section::Bound, &metric.to_string(), node)?;
    let mut bounds = Vec::new();
    for (name, side) in [("at_least", Side::AtLeast), ("at_most", Side::AtMost)] {
        if let Some(field) = fields.get(name) {
            let text = reader.text(&field)?;
            match Bound::parse_limit(side, text, metric.info().unit) {
                Ok(bound) => bounds.push(bound),
                Err(error) => {
                    bad_bound(reader, metric, text, field.value.span, error);
                    return None;
                }
            }
        }
    }
    let template = options(reader, metric, &fields, mentioned);
    if bounds.is_empty() {
        reader
            .error("no-bound", node.span, format!("`{metric}` has no bound"))
            .help("write `at_least` or `at_most`");
        return None;
    }
    if let [low, high] = bounds.as_slice()
        && low.value() > high.value()
    {
        reader.error(
            "bad-bound",
            node.span,
            format!(
                "no value is at least {} and at most {}",
                low.written, high.written
            ),
        );
        return None;
    }
    let good = assumed(reader, metric, &fields, "good", &bounds);
    let bad = assumed(reader, metric, &fields, "bad", &bounds);
    let requirement = |bound: Bound| {
        let mut requirement = Requirement {
            bound,
            ..template.clone()
        };
        requirement.assumed.good = good;
        // Of two bounds a bad value breaks one.
        requirement.assumed.bad = bad.filter(|bad| !holds(&requirement.bound, *bad));
        requirement
    };
    Some(bounds.into_iter().map(requirement).collect())
}

fn holds(bound: &Bound, value: f64) -> bool {
    match bound.side {
        Side::AtLeast => value >= bound.value(),
        Side::AtMost => value <= bound.value(),
    }
}

/// A true value that the suite states, on its side of the bounds; `None` without one, and after a mistake.
fn assumed(
    reader: &mut Reader,
    metric: &Metric,
    fields: &Fields<'_>,
    name: &str,
    bounds: &[Bound],
) -> Option<f64> {
    let field = fields.get(name)?;
    let text = reader.text(&field)?;
    let value = match Bound::parse_limit(Side::AtLeast, text, metric.info().unit) {
        Ok(limit) => limit.value(),
        Err(error) => {
            bad_bound(reader, metric, text, field.value.span, error);
            return None;
        }
    };
    let is_good = bounds.iter().all(|bound| holds(bound, value));
    if is_good != (name == "good") {
        let (side, other) = if is_good {
            ("holds", "does not")
        } else {
            ("does not hold", "does")
        };
        reader
            .error(
                "wrong-side",
                field.value.span,
                format!("`{name}` is a true value at which the bound {side}"),
            )
            .help(format!(
                "write a value at which it {other}, or remove `{name}`"
            ));
        return None;
    }
    Some(value)
}

/// Everything of a requirement but its bound.
fn options(
    reader: &mut Reader,
    metric: &Metric,
    fields: &Fields<'_>,
    mentioned: &mut Vec<Mentioned>,
) -> Requirement {
    let mut selection = Selection::default();
    let word =
        |reader: &mut Reader, name: &str| fields.get(name).and_then(|field| reader.one_of(&field));
    let reading = match word(reader, "reading") {
        Some("point") => Reading::Point,
        Some("anytime") => Reading::Anytime,
        _ => Reading::Proven,
    };
    let on_inconclusive = match word(reader, "on_inconclusive") {
        Some("fail") => OnInconclusive::Fail,
        Some("pass") => OnInconclusive::Pass,
        _ => OnInconclusive::Ignore,
    };
    if word(reader, "sample") == Some("population") {
        selection.sample = Sample::Population;
    }
    selection.lockbox = word(reader, "split") == Some("lockbox");
    let skip_unmeasurable = word(reader, "unmeasurable") == Some("skip");
    if let Some(field) = fields.get("where") {
        selection.filter = filter(reader, &field, mentioned);
    }
    let needs = metric.info().needs;
    selection.repeats = counted(reader, metric, fields, "repeats", needs == Needs::Repeats)
        .unwrap_or(selection.repeats);
    let several_orders = metric.reads_orders() && metric.argument != MetricArgument::ReversedOrder;
    selection.orders =
        counted(reader, metric, fields, "orders", several_orders).unwrap_or(selection.orders);
    let confidence = fields.get("confidence").and_then(|field| {
        let share = reader.share(&field)?.value();
        if share <= 0.0 || share >= 1.0 {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`confidence` lies above 0% and below 100%",
                )
                .help("the usual level is 95%");
        }
        Some(share)
    });
    let max_unanswered = fields
        .get("max_unanswered")
        .and_then(|field| reader.share(&field))
        .map(Decimal::value);
    // The bound is put in by the caller; there is one requirement per bound.
    let unbounded = Bound {
        side: Side::AtLeast,
        limit: Decimal {
            digits: 0,
            scale: 0,
        },
        written: String::new(),
    };
    let defaults = Requirement::new(unbounded);
    Requirement {
        confidence: confidence.unwrap_or(defaults.confidence),
        max_unanswered: max_unanswered.unwrap_or(defaults.max_unanswered),
        reading,
        on_inconclusive,
        skip_unmeasurable,
        selection,
        ..defaults
    }
}

fn counted(
    reader: &mut Reader,
    metric: &Metric,
    fields: &Fields<'_>,
    name: &str,
    depends: bool,
) -> Option<u32> {
    let field = fields.get(name)?;
    if !depends {
        reader
            .error(
                "foreign-key",
                field.key_span,
                format!("`{metric}` does not depend on `{name}`"),
            )
            .help(format!("remove `{name}`"));
        return None;
    }
    reader.whole(&field)
}

fn filter(
    reader: &mut Reader,
    field: &Field<'_>,
    mentioned: &mut Vec<Mentioned>,
) -> Vec<(CaseField, String)> {
    let mut filter = Vec::new();
    for entry in reader.entries("where", field.value).unwrap_or_default() {
        let Some(field) = case_field(reader, &entry.key, entry.key_span) else {
            continue;
        };
        if let Some(text) = reader.text_of(&entry.key, &entry.value) {
            mentioned.push(Mentioned {
                field: field.clone(),
                value: Some(text.to_owned()),
                span: entry.value.span,
            });
            filter.push((field, text.to_owned()));
        }
    }
    filter
}

/// A field by which cases are grouped or selected.
pub(super) fn case_field(reader: &mut Reader, text: &str, span: Span) -> Option<CaseField> {
    let field = CaseField::parse(text);
    if field.is_none() {
        let known = [
            "tier",
            "family",
            "language",
            "type",
            "origin",
            "strata.<name>",
        ];
        reader
            .error(
                "unknown-field",
                span,
                format!("cases have no field `{text}`"),
            )
            .help(suggestion("the fields are", text, known));
    }
    field
}
