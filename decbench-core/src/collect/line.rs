//! One answer as one JSON line.
//!
//! Fields are written by hand in a fixed order, absent ones left out, so that files diff well. Reading accepts any
//! order, unknown fields, and lines without `probe`, `request` or what the call took.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};

use crate::decision::{
    Answer, Context, Decided, Digest, Failure, FailureKind, Measured, Probe, RequestDigest,
    ToolCall, Written, complement,
};

/// Reads one line.
///
/// A probe without `order` reads as an empty order, which stands for the suite's.
///
/// # Errors
///
/// Says what is wrong with the line.
pub(crate) fn read_line(text: &[u8]) -> Result<Answer, String> {
    // Checked once and whole: the parser would check every short text anew.
    let text = std::str::from_utf8(text).map_err(|_| "it is no UTF-8".to_owned())?;
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| {
        // Every line is parsed alone, so the parser's own line number would mislead.
        let message = error.to_string();
        match message.rsplit_once(" at line ") {
            Some((what, place)) => match place.rsplit_once(" column ") {
                Some((_, column)) => format!("{what} (column {column})"),
                None => what.to_owned(),
            },
            None => message,
        }
    })?;
    line.into_answer()
}

/// Appends one line, its line feed included.
pub(crate) fn write_line(answer: &Answer, out: &mut String) {
    out.push_str("{\"case\":");
    push_text(out, &answer.case);
    out.push_str(",\"question\":");
    push_text(out, &answer.question);
    push_probe(out, &answer.probe);
    if let Some(request) = &answer.request {
        push(
            out,
            format_args!(
                ",\"request\":{{\"question\":\"{}\",\"state\":\"{}\",\"candidate\":\"{}\"}}",
                request.question, request.state, request.candidate
            ),
        );
    }
    match &answer.outcome {
        Ok(decided) => push_decided(out, decided),
        Err(failure) => {
            push(
                out,
                format_args!(
                    ",\"error\":{{\"kind\":\"{}\",\"message\":",
                    failure.kind.name()
                ),
            );
            push_text(out, &failure.message);
            if failure.truncated {
                out.push_str(",\"truncated\":true");
            }
            out.push('}');
        }
    }
    push_measured(out, &answer.measured);
    out.push_str("}\n");
}

fn push(out: &mut String, arguments: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(arguments);
}

fn push_text(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

fn push_probe(out: &mut String, probe: &Probe) {
    push(
        out,
        format_args!(",\"probe\":{{\"repeat\":{},\"order\":[", probe.repeat),
    );
    for (slot, option) in probe.order.iter().enumerate() {
        if slot > 0 {
            out.push(',');
        }
        push(out, format_args!("{option}"));
    }
    push(
        out,
        format_args!("],\"context\":\"{}\"}}", probe.context.name()),
    );
}

fn push_decided(out: &mut String, decided: &Decided) {
    if let Some(label) = &decided.label {
        out.push_str(",\"label\":");
        push_text(out, label);
    }
    if let Some(probabilities) = &decided.probabilities {
        out.push_str(",\"probabilities\":{");
        for (slot, (key, probability)) in probabilities.iter().enumerate() {
            if slot > 0 {
                out.push(',');
            }
            push_text(out, key);
            out.push(':');
            push_number(out, *probability);
        }
        out.push('}');
    }
    if let Some(written) = &decided.written {
        out.push_str(",\"output\":");
        out.push_str(&written.output.to_string());
        if !written.tool_calls.is_empty() {
            push_tool_calls(out, &written.tool_calls);
        }
    }
    if let Some(confidence) = decided.confidence {
        out.push_str(",\"confidence\":");
        push_number(out, confidence);
    }
    if let Some(mass) = decided.format_mass {
        out.push_str(",\"format_mass\":");
        push_number(out, mass);
    }
}

fn push_tool_calls(out: &mut String, calls: &[ToolCall]) {
    out.push_str(",\"tool_calls\":[");
    for (slot, call) in calls.iter().enumerate() {
        if slot > 0 {
            out.push(',');
        }
        out.push_str("{\"name\":");
        push_text(out, &call.name);
        push(out, format_args!(",\"arguments\":{}}}", call.arguments));
    }
    out.push(']');
}

/// The shortest text that reads back as the same double; what JSON has no number for is null.
fn push_number(out: &mut String, number: f64) {
    if number.is_finite() {
        push(out, format_args!("{number:?}"));
    } else {
        out.push_str("null");
    }
}

fn push_measured(out: &mut String, measured: &Measured) {
    // Dollars and milliseconds are written without an exponent, for the people who read the diff.
    let plain = |out: &mut String, name: &str, number: Option<f64>| {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            push(out, format_args!(",\"{name}\":{number}"));
        }
    };
    let whole = |out: &mut String, name: &str, number: Option<u64>| {
        if let Some(number) = number {
            push(out, format_args!(",\"{name}\":{number}"));
        }
    };
    if let Some(model) = &measured.model {
        out.push_str(",\"model\":");
        push_text(out, model);
    }
    plain(out, "latency_ms", measured.latency_ms);
    plain(out, "connect_ms", measured.connect_ms);
    if let Some(cold) = measured.cold {
        push(out, format_args!(",\"cold\":{cold}"));
    }
    whole(out, "attempts", measured.attempts.map(u64::from));
    whole(out, "input_tokens", measured.input_tokens);
    whole(out, "output_tokens", measured.output_tokens);
    plain(out, "cost_usd", measured.cost_usd);
    if let Some(at) = &measured.at {
        out.push_str(",\"at\":");
        push_text(out, at);
    }
}

/// What a call took, in time or money.
///
/// # Errors
///
/// Where it is less than nothing, or no number: one such line would leave a whole file without a latency or a cost.
pub(super) fn amount_taken(name: &str, amount: f64) -> Result<f64, String> {
    if amount.is_finite() && amount >= 0.0 {
        Ok(amount)
    } else {
        Err(format!(
            "`{name}` is {amount}, and no call takes less than nothing"
        ))
    }
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    case: Cow<'a, str>,
    #[serde(borrow, default)]
    question: Cow<'a, str>,
    #[serde(borrow, default)]
    probe: ProbeFields<'a>,
    #[serde(borrow, default)]
    request: Option<RequestFields<'a>>,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    output: Option<serde_json::Value>,
    #[serde(default)]
    tool_calls: Option<serde_json::Value>,
    #[serde(default)]
    probabilities: Option<Probabilities>,
    #[serde(default)]
    p_yes: Option<f64>,
    #[serde(default)]
    confidence: Option<f64>,
    #[serde(default)]
    format_mass: Option<f64>,
    #[serde(borrow, default)]
    error: Option<ErrorFields<'a>>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    latency_ms: Option<f64>,
    #[serde(default)]
    connect_ms: Option<f64>,
    #[serde(default)]
    cold: Option<bool>,
    #[serde(default)]
    attempts: Option<u32>,
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    cost_usd: Option<f64>,
    #[serde(default)]
    at: Option<String>,
}

#[derive(Deserialize, Default)]
struct ProbeFields<'a> {
    #[serde(default)]
    repeat: u32,
    #[serde(default)]
    order: Vec<u16>,
    #[serde(borrow, default)]
    context: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct RequestFields<'a> {
    #[serde(borrow)]
    question: Cow<'a, str>,
    #[serde(borrow)]
    state: Cow<'a, str>,
    #[serde(borrow)]
    candidate: Cow<'a, str>,
}

#[derive(Deserialize)]
struct ErrorFields<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default)]
    message: String,
    #[serde(default)]
    truncated: bool,
}

/// Probabilities in the order of the line; null stands for what is no number.
struct Probabilities(Vec<(String, f64)>);

impl<'de> Deserialize<'de> for Probabilities {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Probabilities;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of probabilities")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::with_capacity(8);
                while let Some((key, value)) = map.next_entry::<String, Option<f64>>()? {
                    pairs.push((key, value.unwrap_or(f64::NAN)));
                }
                Ok(Probabilities(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl Line<'_> {
    fn into_answer(self) -> Result<Answer, String> {
        let context = match self.probe.context {
            None => Context::Production,
            Some(name) => {
                Context::from_name(&name).ok_or_else(|| format!("unknown context `{name}`"))?
            }
        };
        let request = self.request.map(RequestFields::digests).transpose()?;
        let amount = |name, given: Option<f64>| match given {
            Some(amount) => amount_taken(name, amount).map(Some),
            None => Ok(None),
        };
        let written = self.output.map(|output| {
            let tool_calls = match &self.tool_calls {
                None => Some(Vec::new()),
                Some(calls) => ToolCall::list(calls),
            };
            let tool_calls = tool_calls.ok_or("`tool_calls` is no list of maps with a name")?;
            Ok::<_, &str>(Written { output, tool_calls })
        });
        let written = written.transpose()?;
        let outcome = match self.error {
            Some(error) => {
                let kind = FailureKind::from_name(&error.kind)
                    .ok_or_else(|| format!("unknown kind of error `{}`", error.kind))?;
                Err(Failure {
                    truncated: error.truncated,
                    ..Failure::new(kind, error.message)
                })
            }
            None => Ok(Decided {
                label: self.label,
                probabilities: self.probabilities.map(|pairs| pairs.0).or_else(|| {
                    let yes = self.p_yes?;
                    Some(vec![
                        ("yes".to_owned(), yes),
                        ("no".to_owned(), complement(yes)),
                    ])
                }),
                confidence: self.confidence,
                format_mass: self.format_mass,
                written,
            }),
        };
        if let Ok(decided) = &outcome
            && decided.label.is_none()
            && decided.probabilities.is_none()
            && decided.written.is_none()
        {
            return Err(
                "neither `label`, `probabilities`, `output` nor `error` stands in it".to_owned(),
            );
        }
        Ok(Answer {
            case: self.case.into_owned(),
            question: self.question.into_owned(),
            probe: Probe {
                repeat: self.probe.repeat,
                order: self.probe.order,
                context,
            },
            request,
            outcome,
            measured: Measured {
                model: self.model,
                latency_ms: amount("latency_ms", self.latency_ms)?,
                connect_ms: amount("connect_ms", self.connect_ms)?,
                cold: self.cold,
                attempts: self.attempts,
                input_tokens: self.input_tokens,
                output_tokens: self.output_tokens,
                cost_usd: amount("cost_usd", self.cost_usd)?,
                at: self.at,
            },
        })
    }
}

impl RequestFields<'_> {
    fn digests(self) -> Result<RequestDigest, String> {
        let read = |name: &str, text: &str| {
            Digest::parse(text).ok_or_else(|| format!("`request.{name}` is no digest"))
        };
        Ok(RequestDigest {
            question: read("question", &self.question)?,
            state: read("state", &self.state)?,
            candidate: read("candidate", &self.candidate)?,
        })
    }
}
