//! What one answer says to the ingredients of capability.

use super::{SEALED, SPLIT};
use crate::decision::QuestionKind;
use crate::score::observed::Observed;
use crate::score::sheet::Row;
use crate::stats::calibration::Binning;
use crate::stats::ordinal;
use crate::stats::proper::Truth;

/// What one answer says to the ingredients.
pub(super) struct Item {
    pub(super) kind: usize,
    pub(super) tier: usize,
    pub(super) sealed: bool,
    pub(super) right: f64,
    /// How often a guess is right.
    pub(super) guess: f64,
    /// A score's distance from gold and that of the middle level, each over the number of steps.
    pub(super) error: Option<(f64, f64)>,
    /// The bin of the top answer's chance, or of P(yes), and by how much it was too low.
    pub(super) gap: Option<(usize, f64)>,
    pub(super) rps: Option<f64>,
}

/// An answer to a question of this tier; `None` where there is nothing to judge.
pub(super) fn item(row: &Row<'_>, tier: usize, bins: &Binning) -> Option<Item> {
    let base = row.base()?;
    let right = row.is_right(base)?;
    let options = row.question.options.len();
    let kind = match row.question.kind {
        QuestionKind::Choice => 0,
        QuestionKind::YesNo => 1,
        QuestionKind::Score => 2,
        QuestionKind::Open(_) => return None,
    };
    let gold = row.gold?.single();
    let as_number = |holds: bool| f64::from(u8::from(holds));
    let forecast = if kind == 1 {
        base.probabilities
            .as_ref()
            .and_then(|shares| Some((*shares.first()?, as_number(gold? == 0))))
    } else {
        base.top().map(|top| (top, as_number(right)))
    };
    let scored = (kind == 2 && options > 1).then_some(gold).flatten();
    Some(Item {
        kind,
        tier,
        sealed: row
            .case
            .strata
            .get(SPLIT)
            .is_some_and(|split| split == SEALED),
        right: as_number(right),
        guess: 1.0 / options.max(1) as f64,
        error: scored.map(|gold| errors(base, gold, options)),
        gap: forecast.map(|(chance, came)| (bins.bin_of(chance.min(1.0)), came - chance)),
        rps: scored.and_then(|gold| {
            let shares = base.probabilities.as_ref()?;
            ordinal::rps_normalised(shares, Truth::Option(gold)).ok()
        }),
    })
}

/// A score's normalised distance from gold, the largest possible where nothing was said, and the middle level's.
fn errors(base: &Observed, gold: usize, levels: usize) -> (f64, f64) {
    let steps = (levels - 1) as f64;
    let gold = gold as f64;
    let said = base
        .expected_level()
        .or_else(|| base.option().map(|level| level as f64));
    let error = said.map_or(gold.max(steps - gold), |level| (level - gold).abs());
    (error / steps, (steps / 2.0 - gold).abs() / steps)
}
