//! Whether a slot is liked whatever stands in it, and what averaging over orders would give.

use std::collections::HashMap;

use super::orders::{averaged, orders};
use super::scope::Scope;
use super::sheet::Row;
use crate::stats::slot_prior::{OrderDesign, item_prior, slot_prior};

/// Designs of the orders that were met; `None` where they are too few to tell slots from options.
type Designs = HashMap<Vec<Vec<usize>>, Option<OrderDesign>>;

/// What option orders show beyond flips.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OrderTable {
    /// The estimated prior of every slot, first slot first (Zheng et al. 2024, and by least squares where not every option
    /// stood in every slot equally often); `None` without probabilities, and where there are too few orders to tell
    /// slots from options, as with the declared and the reversed order of more than two. Without a liking for a slot all are one over their number.
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
    let mut designs = Designs::new();
    let (mut declared, mut mean) = (0_usize, 0_usize);
    for (row, orders) in &asked {
        priors.extend(prior_of(orders, &mut designs));
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

/// The prior of one case: as it is where every option stood in every slot equally often, else by least squares.
fn prior_of(orders: &[&super::Observed], designs: &mut Designs) -> Option<Vec<f64>> {
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
    let by_slot = by_slot?;
    if let Ok(prior) = item_prior(&shown, &by_slot) {
        return Some(prior);
    }
    let design = designs
        .entry(shown)
        .or_insert_with_key(|shown| OrderDesign::of(shown).ok());
    design.as_ref()?.prior(&by_slot).ok()
}
