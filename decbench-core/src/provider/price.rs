//! What tokens cost.

/// US dollars for a million tokens; finite and not negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// For a million tokens sent.
    pub input_per_million: f64,
    /// For a million tokens received.
    pub output_per_million: f64,
}

impl Price {
    /// What this many tokens cost, in US dollars.
    ///
    /// ```
    /// use decbench_core::provider::Price;
    /// let price = Price { input_per_million: 0.042, output_per_million: 0.0 };
    /// assert!((price.of(1_000_000, 500) - 0.042).abs() < 1e-12);
    /// ```
    pub fn of(self, input_tokens: u64, output_tokens: u64) -> f64 {
        self.of_mean(input_tokens as f64, output_tokens as f64)
    }

    /// As [`Price::of`] for a mean or an estimate, which need not be whole.
    pub fn of_mean(self, input_tokens: f64, output_tokens: f64) -> f64 {
        (self.input_per_million * input_tokens + self.output_per_million * output_tokens) / 1e6
    }
}
