//! What every metric gets.

use super::sheet::{Row, Sheet};
use super::value::Unmeasurable;
use crate::metric::{Metric, MetricArgument, Selection};

/// What every metric gets: the rows selected and how to read them.
pub(super) struct Scope<'s, 'a> {
    pub(super) sheet: &'s Sheet<'a>,
    pub(super) rows: Vec<&'s Row<'a>>,
    pub(super) selection: &'s Selection,
    pub(super) metric: &'s Metric,
    pub(super) level: f64,
}

/// The level of a value alone: no interval is computed. Resampling whole metrics asks for thousands of these.
pub(super) const VALUE_ALONE: f64 = 0.0;

impl Scope<'_, '_> {
    /// The metric's name with its argument: the name of its random stream.
    pub(super) fn name(&self) -> String {
        self.metric.to_string()
    }

    /// Refuses where cases ask questions of their own, whose options cannot be told by position.
    pub(super) fn common_options(&self) -> Result<(), Unmeasurable> {
        if self.sheet.has_common_options() {
            Ok(())
        } else {
            Err(Unmeasurable::because(
                "cases ask questions with different options",
            ))
        }
    }

    /// The option that the metric's argument names.
    pub(super) fn option(&self) -> Result<usize, Unmeasurable> {
        self.common_options()?;
        match &self.metric.argument {
            MetricArgument::Option(key) => self
                .sheet
                .question
                .index_of(key)
                .ok_or_else(|| Unmeasurable::because(format!("no option `{key}`"))),
            _ => Err(Unmeasurable::because("no option named")),
        }
    }
}
