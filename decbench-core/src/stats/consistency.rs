//! The same question asked again: labels and scores of repeated runs.

use crate::stats::many_raters::fleiss_kappa;
use crate::stats::proper::mean;
use crate::stats::proportion::wilson;
use crate::stats::sum::{finite, sum};
use crate::stats::{Interval, Undefined};

/// How stable labels are over runs.
///
/// A label is an option's place; an answer that failed is `None`, which is a label of its own: an error
/// beside a label is a flip, errors alone are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelRuns {
    /// The number of items.
    pub items: u64,
    /// How many of them did not get one label throughout.
    pub flips: u64,
    /// The fewest and the most runs of an item. The flip rate rises with runs, so print them.
    pub runs: (u64, u64),
    /// The mean share of pairs of runs that agree; `None` when some item has a single run.
    pub pairwise_agreement: Option<f64>,
    /// The mean share of an item's most frequent label.
    pub modal_share: f64,
    /// Fleiss' κ between runs; `None` with a single run, unequal runs or one label only.
    pub fleiss_kappa: Option<f64>,
}

impl LabelRuns {
    /// The share of items that flip. It is 0 by definition where no item was asked twice; see
    /// [`Self::is_measured`].
    pub fn flip_rate(&self) -> f64 {
        self.flips as f64 / self.items as f64
    }

    /// Wilson's interval for the flip rate.
    ///
    /// # Errors
    ///
    /// A level outside (0, 1).
    pub fn flip_interval(&self, level: f64) -> Result<Interval, Undefined> {
        wilson(self.flips, self.items, level)
    }

    /// Whether some item was asked more than once; a report shows "not measured" otherwise.
    pub fn is_measured(&self) -> bool {
        self.runs.1 > 1
    }
}

/// Stability of labels over the runs of each item.
///
/// ```
/// use decbench_core::stats::consistency::label_runs;
///
/// let found = label_runs(&[vec![Some(0), Some(0)], vec![Some(1), None]])?;
/// assert_eq!((found.flips, found.flip_rate()), (1, 0.5));
/// # Ok::<(), decbench_core::stats::Undefined>(())
/// ```
///
/// # Errors
///
/// No items, or an item without runs.
pub fn label_runs<L: AsRef<[Option<usize>]>>(items: &[L]) -> Result<LabelRuns, Undefined> {
    let rows = || items.iter().map(AsRef::as_ref);
    let fewest = rows().map(<[_]>::len).min().ok_or(Undefined::NoItems)?;
    let most = rows().map(<[_]>::len).max().ok_or(Undefined::NoItems)?;
    if fewest == 0 {
        return Err(Undefined::TooFew {
            needed: 1,
            what: "runs",
        });
    }
    let counts: Vec<Vec<u64>> = rows().map(label_counts).collect();
    let flips = counts.iter().filter(|labels| labels.len() > 1).count();
    let modal: Vec<f64> = counts
        .iter()
        .map(|labels| {
            let most = labels.iter().copied().max().unwrap_or(0);
            most as f64 / labels.iter().sum::<u64>() as f64
        })
        .collect();
    let agreeing = |labels: &Vec<u64>| {
        let runs: u64 = labels.iter().sum();
        let pairs = labels.iter().map(|count| (count * (count - 1)) as f64);
        sum(pairs) / (runs * (runs - 1)) as f64
    };
    let pairwise = (fewest > 1).then(|| mean(&counts.iter().map(agreeing).collect::<Vec<_>>()));
    Ok(LabelRuns {
        items: items.len() as u64,
        flips: flips as u64,
        runs: (fewest as u64, most as u64),
        pairwise_agreement: pairwise.transpose()?,
        modal_share: mean(&modal)?,
        fleiss_kappa: kappa(items),
    })
}

/// κ with failed answers as one more class.
fn kappa<L: AsRef<[Option<usize>]>>(items: &[L]) -> Option<f64> {
    let labels = items.iter().flat_map(|row| row.as_ref().iter().flatten());
    let mut classes: Vec<usize> = labels.copied().collect();
    classes.sort_unstable();
    classes.dedup();
    let class = |label: &Option<usize>| {
        label.map_or(Some(classes.len()), |label| {
            classes.binary_search(&label).ok()
        })
    };
    let rows: Vec<Vec<Option<usize>>> = items
        .iter()
        .map(|row| row.as_ref().iter().map(class).collect())
        .collect();
    fleiss_kappa(&rows, classes.len() + 1).ok()
}

/// How often each label of a row occurs.
fn label_counts(labels: &[Option<usize>]) -> Vec<u64> {
    let mut sorted = labels.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .map(|same| same.len() as u64)
        .collect()
}

/// How much scores of one item vary between runs, over items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreRuns {
    /// The mean over items of the variance between runs (n − 1), which does not depend on their number.
    pub mean_variance: f64,
    /// The same with n in the denominator.
    pub mean_variance_population: f64,
    /// The largest variance (n − 1) of an item.
    pub max_variance: f64,
}

/// Variance between the runs of each item.
///
/// # Errors
///
/// No items, an item with a single run, a score that is not finite, or scores whose squares exceed the
/// range of doubles.
pub fn score_runs<S: AsRef<[f64]>>(items: &[S]) -> Result<ScoreRuns, Undefined> {
    let mut variances = Vec::with_capacity(items.len());
    let mut population = Vec::with_capacity(items.len());
    for scores in items {
        let scores = scores.as_ref();
        if scores.len() < 2 {
            return Err(Undefined::TooFew {
                needed: 2,
                what: "runs",
            });
        }
        finite(scores)?;
        let runs = scores.len() as f64;
        let centre = mean(scores)?;
        let squares = sum(scores.iter().map(|score| (score - centre).powi(2)));
        if !squares.is_finite() {
            return Err(Undefined::OutOfRange { what: "score" });
        }
        variances.push(squares / (runs - 1.0));
        population.push(squares / runs);
    }
    Ok(ScoreRuns {
        mean_variance: mean(&variances)?,
        mean_variance_population: mean(&population)?,
        max_variance: variances.iter().copied().fold(0.0, f64::max),
    })
}

/// Chances over k of the runs of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassK {
    /// The chance that k runs drawn without replacement all pass, pass^k (Yao et al. 2024).
    pub all: f64,
    /// The chance that at least one does, pass@k (Chen et al. 2021).
    pub any: f64,
}

/// pass^k = C(c, k)/C(n, k) and pass@k = 1 − C(n − c, k)/C(n, k) for c passes in n runs.
///
/// # Errors
///
/// More passes than runs, k = 0, or [`Undefined::TooFew`] when k exceeds the runs.
pub fn pass_k(passes: u64, runs: u64, k: u64) -> Result<PassK, Undefined> {
    if passes > runs {
        return Err(Undefined::OutOfRange {
            what: "number of passes",
        });
    }
    if k == 0 {
        return Err(Undefined::OutOfRange { what: "k" });
    }
    if k > runs {
        return Err(Undefined::TooFew {
            needed: k,
            what: "runs",
        });
    }
    // The product of the shares left after each draw; it ends at 0 where too few are left.
    let all_of = |good: u64| -> f64 {
        (0..k)
            .map(|drawn| good.saturating_sub(drawn) as f64 / (runs - drawn) as f64)
            .take_while(|share| *share > 0.0)
            .product::<f64>()
            * f64::from(u8::from(good >= k))
    };
    Ok(PassK {
        all: all_of(passes),
        any: 1.0 - all_of(runs - passes),
    })
}

/// The mean of [`pass_k`] over items, given as (passes, runs).
///
/// # Errors
///
/// No items, and as [`pass_k`] for any of them.
pub fn mean_pass_k(items: &[(u64, u64)], k: u64) -> Result<PassK, Undefined> {
    let each = items
        .iter()
        .map(|&(passes, runs)| pass_k(passes, runs, k))
        .collect::<Result<Vec<_>, _>>()?;
    let all: Vec<f64> = each.iter().map(|item| item.all).collect();
    let any: Vec<f64> = each.iter().map(|item| item.any).collect();
    Ok(PassK {
        all: mean(&all)?,
        any: mean(&any)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_a_label_of_its_own() {
        let found = label_runs(&[[Some(0), Some(0), None], [Some(1); 3], [None; 3]]).unwrap();
        assert_eq!((found.flips, found.items), (1, 3));
    }

    #[test]
    fn one_run_measures_no_flips() {
        let found = label_runs(&[[Some(0)], [Some(1)]]).unwrap();
        assert!(!found.is_measured());
        assert_eq!((found.flip_rate(), found.pairwise_agreement), (0.0, None));
    }

    #[test]
    fn unequal_runs_have_no_fleiss_kappa() {
        let found = label_runs(&[vec![Some(0); 2], vec![Some(1); 3]]).unwrap();
        assert_eq!((found.runs, found.fleiss_kappa), ((2, 3), None));
        assert_eq!(found.pairwise_agreement, Some(1.0));
    }

    #[test]
    fn what_was_never_run_is_refused() {
        assert_eq!(
            label_runs::<[Option<usize>; 1]>(&[]),
            Err(Undefined::NoItems)
        );
        assert!(label_runs(&[Vec::new()]).is_err());
        assert!(score_runs(&[[1.0]]).is_err());
        assert!(score_runs(&[[1.0, f64::NAN]]).is_err());
        assert!(score_runs(&[[1e200, -1e200]]).is_err());
    }

    #[test]
    fn more_runs_than_there_are_cannot_be_estimated() {
        assert_eq!(
            pass_k(3, 4, 5),
            Err(Undefined::TooFew {
                needed: 5,
                what: "runs"
            })
        );
        assert!(pass_k(5, 4, 1).is_err() && pass_k(1, 4, 0).is_err());
    }
}
