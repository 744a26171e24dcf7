//! Cases whose answer changes from one call to the next.

use super::observed::{Observed, Said};
use super::scope::Scope;
use super::sheet::Row;

/// A case whose repeats do not agree.
#[derive(Debug, Clone, PartialEq)]
pub struct FlickeringCase {
    /// Its id.
    pub case: String,
    /// What was said how often, in the order of the options; failures by their kind.
    pub said: Vec<(String, usize)>,
    /// The mean over repeats of the top probability less the second; `None` without probabilities. A small one says that
    /// the candidate wavers, a large one that something else changed.
    pub margin: Option<f64>,
    /// Variance (n - 1) of the expected level over repeats, of scores with probabilities.
    pub variance: Option<f64>,
}

/// The cases that flip among all repeats there are, those with the smallest margin first.
pub(super) fn flickering(scope: &Scope<'_, '_>) -> Vec<FlickeringCase> {
    let repeats = scope.sheet.repeats(scope.selection.repeats);
    if repeats < 2 {
        return Vec::new();
    }
    let mut found: Vec<FlickeringCase> = scope
        .rows
        .iter()
        .filter_map(|row| flicker(row, &row.repeats(repeats)?))
        .collect();
    found.sort_by(|a, b| {
        let order = |margin: Option<f64>| margin.unwrap_or(f64::INFINITY);
        order(a.margin)
            .total_cmp(&order(b.margin))
            .then_with(|| a.case.cmp(&b.case))
    });
    found
}

fn flicker(row: &Row<'_>, repeats: &[&Observed]) -> Option<FlickeringCase> {
    let mut said: Vec<(Said, usize)> = Vec::new();
    for observed in repeats {
        let this = observed.said?;
        match said.iter_mut().find(|(known, _)| *known == this) {
            Some((_, times)) => *times += 1,
            None => said.push((this, 1)),
        }
    }
    if said.len() < 2 {
        return None;
    }
    said.sort_unstable();
    Some(FlickeringCase {
        case: row.case.id.clone(),
        said: said
            .into_iter()
            .map(|(said, times)| (said.told(row.question), times))
            .collect(),
        margin: margin(repeats),
        variance: variance(row, repeats),
    })
}

fn margin(repeats: &[&Observed]) -> Option<f64> {
    let margins: Option<Vec<f64>> = repeats
        .iter()
        .map(|observed| {
            let mut shares = observed.probabilities.clone()?;
            shares.sort_by(|a, b| b.total_cmp(a));
            Some(shares.first()? - shares.get(1)?)
        })
        .collect();
    let margins = margins?;
    Some(margins.iter().sum::<f64>() / margins.len() as f64)
}

fn variance(row: &Row<'_>, repeats: &[&Observed]) -> Option<f64> {
    if row.question.kind != crate::decision::QuestionKind::Score {
        return None;
    }
    let levels: Option<Vec<f64>> = repeats
        .iter()
        .map(|observed| observed.expected_level())
        .collect();
    super::repeats::variance(&levels?)
}
