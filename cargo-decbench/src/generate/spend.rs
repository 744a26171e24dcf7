//! What drafting costs, reckoned before and booked after each call.

use decbench_core::config;
use decbench_core::decision::{BYTES_PER_TOKEN, FailureKind, Measured};
use decbench_core::provider::{Attempt, Price};

use crate::ending::Unusable;

/// So many times an estimate may be spent that somebody agreed to, as in a run.
const HEADROOM: f64 = 1.2;

/// A price, a budget, and what is spent of it.
#[derive(Debug)]
pub(super) struct Purse {
    price: Option<Price>,
    budget: Option<f64>,
    most_tokens: u64,
    spent: f64,
}

impl Purse {
    /// # Errors
    /// A budget that is no amount, or that no price lets anybody keep to.
    pub(super) fn new(
        price: Option<&config::Price>,
        budget: Option<f64>,
        most_tokens: u64,
    ) -> Result<Self, Unusable> {
        if budget.is_some_and(|usd| !usd.is_finite() || usd < 0.0) {
            return Err(Unusable::new("`--budget` wants an amount of at least 0"));
        }
        if budget.is_some() && price.is_none() {
            return Err(Unusable::new(
                "a budget can only be kept to where the model's price is known; write it into decbench.toml under [prices]",
            ));
        }
        Ok(Self {
            price: price.map(|price| Price {
                input_per_million: price.input_per_million,
                output_per_million: price.output_per_million,
            }),
            budget,
            most_tokens,
            spent: 0.0,
        })
    }

    /// The most that so many calls cost, each sending so many bytes; none at an unknown price.
    pub(super) fn estimate(&self, calls: usize, bytes: usize) -> Option<f64> {
        Some(self.most(bytes)? * calls as f64)
    }

    /// Somebody agrees to this estimate: where no budget is set, no more than a fifth beyond it is spent.
    pub(super) fn agree_to(&mut self, usd: f64) {
        self.budget.get_or_insert(usd * HEADROOM);
    }

    /// Whether the budget reaches for another call.
    pub(super) fn reaches(&self, bytes: usize) -> bool {
        match (self.budget, self.most(bytes)) {
            (Some(budget), Some(most)) => self.spent + most <= budget * (1.0 + 1e-12),
            _ => true,
        }
    }

    /// Books a call: what the service counted, else the most that it can have been.
    pub(super) fn book(&mut self, measured: &Measured, bytes: usize) {
        let counted = measured.input_tokens.zip(measured.output_tokens);
        let usd = match (self.price, counted) {
            (Some(price), Some((input, output))) => Some(price.of(input, output)),
            _ => self.most(bytes),
        };
        self.spent += usd.unwrap_or(0.0);
    }

    /// Books an attempt that failed: what the service counted; else the most where it may have been answered, and billed,
    /// without our hearing of it.
    pub(super) fn book_failed(&mut self, attempt: &Attempt, bytes: usize) {
        let may_be_billed = match attempt.failure.kind {
            FailureKind::Timeout | FailureKind::InvalidAnswer | FailureKind::Refused => true,
            FailureKind::Connect => attempt.measured.connect_ms.is_some(),
            _ => attempt.measured.input_tokens.is_some(),
        };
        if may_be_billed {
            self.book(&attempt.measured, bytes);
        }
    }

    /// What is spent, in US dollars.
    pub(super) fn spent(&self) -> f64 {
        self.spent
    }

    /// The same where the price is known.
    pub(super) fn known_spent(&self) -> Option<f64> {
        self.price.map(|_| self.spent)
    }

    fn most(&self, bytes: usize) -> Option<f64> {
        // A schema goes along, and rules of thumb are off.
        let input = bytes as u64 / BYTES_PER_TOKEN * 2 + 500;
        Some(self.price?.of(input, self.most_tokens))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use decbench_core::config::Config;
    use decbench_core::decision::Failure;
    use decbench_core::diagnostic::Source;
    use decbench_core::provider::Retry;

    use super::*;

    fn purse(budget: f64) -> Purse {
        let text = "[prices.m]\ninput_per_million = 1.0\noutput_per_million = 2.0\n";
        let config = Config::parse(&Arc::new(Source::new("decbench.toml", text))).unwrap();
        Purse::new(config.price("m"), Some(budget), 1000).unwrap()
    }

    #[test]
    fn a_call_is_made_only_where_its_most_fits() {
        // 4,000 bytes are at most 2,500 tokens; with 1,000 received that is $0.0045.
        let mut purse = purse(0.006);
        assert!((purse.estimate(2, 4000).unwrap() - 0.009).abs() < 1e-12);
        assert!(purse.reaches(4000));
        let counted = Measured {
            input_tokens: Some(1000),
            output_tokens: Some(500),
            ..Measured::default()
        };
        purse.book(&counted, 4000);
        assert!((purse.spent() - 0.002).abs() < 1e-12);
        assert!(!purse.reaches(4000));
        // Without a count it may have been the most.
        purse.book(&Measured::default(), 4000);
        assert!((purse.spent() - 0.0065).abs() < 1e-12);
    }

    #[test]
    fn an_attempt_that_may_be_billed_is_booked_and_a_refused_one_is_not() {
        let mut purse = purse(1.0);
        let attempt = |kind| Attempt {
            failure: Failure::new(kind, "it failed"),
            retry: Retry::Never,
            measured: Measured::default(),
        };
        purse.book_failed(&attempt(FailureKind::Overloaded), 4000);
        purse.book_failed(&attempt(FailureKind::Connect), 4000);
        assert!(purse.spent().abs() < 1e-12);
        purse.book_failed(&attempt(FailureKind::Timeout), 4000);
        assert!((purse.spent() - 0.0045).abs() < 1e-12);
    }

    #[test]
    fn what_was_agreed_to_bounds_the_spending_where_no_budget_does() {
        let mut open = purse(1.0);
        open.agree_to(0.0001);
        assert!(open.reaches(4000), "a budget comes before an estimate");
        open.budget = None;
        assert!(open.reaches(4000));
        // 1.2 times $0.004 is $0.0048, which holds one call of at most $0.0045.
        open.agree_to(0.004);
        assert!(open.reaches(4000));
        open.book(&Measured::default(), 4000);
        assert!(!open.reaches(4000));
    }

    #[test]
    fn a_budget_needs_a_price() {
        assert!(Purse::new(None, Some(1.0), 10).is_err());
        assert!(Purse::new(None, Some(f64::NAN), 10).is_err());
        let unknown = Purse::new(None, None, 10).unwrap();
        assert_eq!(
            (unknown.estimate(3, 100), unknown.known_spent()),
            (None, None)
        );
        assert!(unknown.reaches(1 << 20));
    }
}
