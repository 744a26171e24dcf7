//! A metric's name with its argument: `recall[billing]`, `coverage[accuracy >= 98%]`.

use std::fmt;

use super::{ArgumentKind, Composite, Decimal, Field, METRICS, MetricId, MetricInfo, Needs};

/// A metric with its argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Metric {
    /// Which metric.
    pub id: MetricId,
    /// What stands between the brackets.
    pub argument: MetricArgument,
}

/// The argument of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MetricArgument {
    /// None.
    None,
    /// An option's key.
    Option(String),
    /// The options in reverse order.
    ReversedOrder,
    /// The mean of the probabilities over orders.
    AveragedOrders,
    /// A view of the case: `clean`, `minimal` or `padded`.
    Context(&'static str),
    /// A field of cases.
    Field(Field),
    /// A mix of scores.
    Composite(Composite),
    /// A share, as in `accuracy >= 98%`, or a confidence, as in `confidence >= 0.9`; with its text.
    AtLeast(Decimal, String),
    /// A lead of the top probability over the next, as in `margin >= 0.2`; with its text.
    Margin(Decimal, String),
}

/// Why a text is no metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// No metric has this name.
    #[error("unknown metric `{name}`")]
    UnknownName {
        /// The name without brackets.
        name: String,
    },
    /// The argument is missing, superfluous or of the wrong form.
    #[error("{message}")]
    Argument {
        /// What is wrong and what to write.
        message: String,
    },
}

impl Metric {
    /// A metric without an argument.
    pub fn plain(id: MetricId) -> Self {
        Self {
            id,
            argument: MetricArgument::None,
        }
    }

    /// The metric's row of the table.
    pub fn info(&self) -> &'static MetricInfo {
        self.id.info()
    }

    /// Whether it reads answers in several option orders.
    pub fn reads_orders(&self) -> bool {
        self.info().needs == Needs::Orders
            || matches!(
                self.argument,
                MetricArgument::ReversedOrder | MetricArgument::AveragedOrders
            )
    }

    /// Reads a metric as a suite writes it. Whether an option of that name exists is not checked here.
    ///
    /// # Errors
    /// A [`MetricError`] for an unknown name, or an argument that is missing, superfluous or of the wrong form.
    ///
    /// ```
    /// use decbench_core::metric::Metric;
    /// assert_eq!(Metric::parse("recall[billing]").unwrap().to_string(), "recall[billing]");
    /// assert!(Metric::parse("recall").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, MetricError> {
        let text = text.trim();
        let (name, argument) = match text.split_once('[') {
            Some((name, rest)) => {
                let inner = rest
                    .strip_suffix(']')
                    .ok_or_else(|| MetricError::Argument {
                        message: format!("`{text}` opens a bracket and does not close it"),
                    })?;
                (name.trim(), Some(inner.trim()))
            }
            None => (text, None),
        };
        let info = METRICS
            .iter()
            .find(|info| info.name == name)
            .ok_or_else(|| MetricError::UnknownName {
                name: name.to_owned(),
            })?;
        Ok(Self {
            id: info.id,
            argument: parse_argument(info, argument)?,
        })
    }
}

fn parse_argument(
    info: &MetricInfo,
    argument: Option<&str>,
) -> Result<MetricArgument, MetricError> {
    let wrong = |form: &str| {
        let name = info.name;
        MetricError::Argument {
            message: format!("`{name}` is written `{name}{form}`"),
        }
    };
    match (info.argument, argument) {
        (ArgumentKind::None | ArgumentKind::Probe, None) => Ok(MetricArgument::None),
        (ArgumentKind::None, Some(_)) => Err(MetricError::Argument {
            message: format!("`{0}` takes no argument, write `{0}` alone", info.name),
        }),
        (ArgumentKind::Probe, Some("order=reversed")) => Ok(MetricArgument::ReversedOrder),
        (ArgumentKind::Probe, Some("order=averaged")) => Ok(MetricArgument::AveragedOrders),
        (ArgumentKind::Probe, Some("context=clean")) => Ok(MetricArgument::Context("clean")),
        (ArgumentKind::Probe, Some("context=minimal")) => Ok(MetricArgument::Context("minimal")),
        (ArgumentKind::Probe, Some("context=padded")) => Ok(MetricArgument::Context("padded")),
        (ArgumentKind::Probe, Some(_)) => Err(wrong(
            "[order=reversed|averaged]` or `accuracy[context=clean|minimal|padded]",
        )),
        (ArgumentKind::Option, Some(key)) if !key.is_empty() => {
            Ok(MetricArgument::Option(key.to_owned()))
        }
        (ArgumentKind::Option, _) => Err(wrong("[option]")),
        (ArgumentKind::Field, field) => field
            .and_then(Field::parse)
            .map(MetricArgument::Field)
            .ok_or_else(|| wrong("[tier|family|language|type|origin|strata.<name>]")),
        (ArgumentKind::Composite, name) => name
            .and_then(Composite::from_name)
            .map(MetricArgument::Composite)
            .ok_or_else(|| wrong("[A|B|balanced|accuracy|speed|cost]")),
        (ArgumentKind::TargetAccuracy, text) => text
            .and_then(|text| at_least(text, "accuracy"))
            .ok_or_else(|| wrong("[accuracy >= 98%]")),
        (ArgumentKind::Threshold, text) => text
            .and_then(|text| {
                at_least(text, "confidence").or_else(|| match at_least(text, "margin")? {
                    MetricArgument::AtLeast(least, text) => {
                        Some(MetricArgument::Margin(least, text))
                    }
                    other => Some(other),
                })
            })
            .ok_or_else(|| wrong("[confidence >= 0.9]` or `[margin >= 0.2]")),
    }
}

fn at_least(text: &str, quantity: &str) -> Option<MetricArgument> {
    let limit = text
        .strip_prefix(quantity)?
        .trim_start()
        .strip_prefix(">=")?
        .trim();
    let decimal = match limit.strip_suffix('%') {
        Some(percent) => Decimal::parse(percent.trim())?.shifted(2),
        None => Decimal::parse(limit)?,
    };
    (0.0..=1.0)
        .contains(&decimal.value())
        .then(|| MetricArgument::AtLeast(decimal, format!("{quantity} >= {limit}")))
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)?;
        match &self.argument {
            MetricArgument::None => Ok(()),
            MetricArgument::Option(key) => write!(f, "[{key}]"),
            MetricArgument::ReversedOrder => f.write_str("[order=reversed]"),
            MetricArgument::AveragedOrders => f.write_str("[order=averaged]"),
            MetricArgument::Context(name) => write!(f, "[context={name}]"),
            MetricArgument::Field(field) => write!(f, "[{field}]"),
            MetricArgument::Composite(mix) => write!(f, "[{}]", mix.name()),
            MetricArgument::AtLeast(_, text) | MetricArgument::Margin(_, text) => {
                write!(f, "[{text}]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_argument_reads_back() {
        for text in [
            "accuracy",
            "accuracy[order=reversed]",
            "accuracy[order=averaged]",
            "accuracy[context=clean]",
            "recall[no_reason_yet]",
            "macro_accuracy[strata.channel]",
            "composite[A]",
            "composite[balanced]",
            "coverage[accuracy >= 98%]",
            "selective_accuracy[confidence >= 0.9]",
            "latency.p95",
        ] {
            assert_eq!(Metric::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_missing_or_superfluous_argument_is_refused() {
        for text in [
            "recall",
            "ece[x]",
            "coverage",
            "coverage[accuracy >= 120%]",
            "accuracy[order=random]",
            "recall[a",
            "recal[a]",
        ] {
            assert!(Metric::parse(text).is_err(), "{text}");
        }
    }
}
