//! Whether a slot is liked whatever stands in it, and what averaging over orders would give.

use super::orders::{averaged, orders};
use super::scope::Scope;
use super::sheet::Row;
use crate::stats::slot_prior::{item_prior, slot_prior};

/// What option orders show beyond flips.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrderTable {
    /// The estimated prior of every slot, first slot first (Zheng et al. 2024); `None` unless every option stood in every
    /// slot equally often, and there are probabilities. Without a liking for a slot all are one over their number.
    pub prior: Option<Vec<f64>>,
    /// How many cases the prior is the mean of.
    pub prior_cases: usize,
    /// Accuracy in the declared order, on the cases that were asked in all orders.
    pub declared_accuracy: Option<f64>,
    /// Accuracy of the mean of the probabilities over orders, on the same cases.
    pub averaged_accuracy: Option<f64>,
    /// How many cases both are of.
    pub cases: usize,
}

/// `None` where options were shown in one order only.
pub(super) fn slots(scope: &Scope<'_, '_>) -> Option<OrderTable> {
    let asked: Vec<(&Row<'_>, Vec<&super::Observed>)> = scope
        .rows
        .iter()
        .filter_map(|row| Some((*row, orders(scope, row)?)))
        .collect();
    if asked.is_empty() {
        return None;
    }
    let mut table = OrderTable::default();
    let mut priors = Vec::new();
    let (mut declared, mut mean) = (0_usize, 0_usize);
    for (row, orders) in &asked {
        priors.extend(prior_of(orders));
        let both = || {
            let base = row.is_right(row.base()?)?;
            Some((base, row.is_right(&averaged(scope, row)?)?))
        };
        if let Some((base, averaged)) = both() {
            table.cases += 1;
            declared += usize::from(base);
            mean += usize::from(averaged);
        }
    }
    let slots = priors.first().map_or(0, Vec::len);
    if priors.iter().all(|prior| prior.len() == slots) {
        table.prior_cases = priors.len();
        table.prior = slot_prior(&priors).ok();
    }
    if table.cases > 0 {
        table.declared_accuracy = Some(declared as f64 / table.cases as f64);
        table.averaged_accuracy = Some(mean as f64 / table.cases as f64);
    }
    Some(table)
}

/// The prior of one case, over as many orders as are balanced: all of them, or the declared and the reversed one of two
/// options.
fn prior_of(orders: &[&super::Observed]) -> Option<Vec<f64>> {
    let shown: Vec<Vec<usize>> = orders
        .iter()
        .map(|observed| {
            observed
                .probe
                .order
                .iter()
                .map(|at| usize::from(*at))
                .collect()
        })
        .collect();
    let by_slot: Option<Vec<Vec<f64>>> = orders
        .iter()
        .zip(&shown)
        .map(|(observed, order)| {
            let shares = observed.probabilities.as_ref()?;
            order
                .iter()
                .map(|option| shares.get(*option).copied())
                .collect()
        })
        .collect();
    item_prior(&shown, &by_slot?).ok()
}
