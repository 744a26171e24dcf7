//! How fast and how often a candidate is asked.

use std::time::Duration;

use crate::provider::setting::{Reader, amount};
use crate::provider::{Price, SettingError, Settings};

/// How fast and how often a candidate is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Calls in flight at a time; at least 1.
    pub concurrency: usize,
    /// Further attempts after one that may succeed later.
    pub retries: u32,
    /// Most requests in a time.
    pub requests: Option<Rate>,
    /// Most tokens sent in a time.
    pub tokens: Option<Rate>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: 8,
            retries: 2,
            requests: None,
            tokens: None,
        }
    }
}

/// So many in a time, evenly spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many; more than 0.
    pub count: f64,
    /// In which time; more than 0.
    pub per: Duration,
}

impl Rate {
    /// Reads `1200/min`, `250000/s` or `5000/h`.
    pub fn parse(text: &str) -> Option<Self> {
        let (count, unit) = text.split_once('/')?;
        let count: f64 = count.trim().replace('_', "").parse().ok()?;
        let per = match unit.trim() {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            _ => return None,
        };
        (count.is_finite() && count > 0.0).then_some(Self {
            count,
            per: Duration::from_secs(per),
        })
    }

    /// The time that `count` of them take.
    pub(crate) fn time_for(self, count: f64) -> Duration {
        let seconds = self.per.as_secs_f64() * count / self.count;
        // A day stands for every longer time: the sum stays a time, and nobody waits for it.
        Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0))
    }
}

impl Limits {
    /// Takes `concurrency`, `rate`, `retries` and `price` out of a candidate's settings; what is left is the provider's.
    ///
    /// # Errors
    ///
    /// Every value that cannot be used.
    pub fn take_from(settings: &mut Settings) -> Result<(Self, Option<Price>), Vec<SettingError>> {
        let mut limits = Self::default();
        let mut reader = Reader::new(settings);
        if let Some(concurrency) = reader.whole("concurrency", 1, 1000) {
            limits.concurrency = concurrency as usize;
        }
        if let Some(retries) = reader.whole("retries", 0, 20) {
            limits.retries = retries as u32;
        }
        limits.read_rate(&mut reader);
        let price = read_price(&mut reader);
        let errors = reader.errors;
        for key in crate::provider::COLLECTOR_SETTINGS {
            settings.shift_remove(key.name);
        }
        if errors.is_empty() {
            Ok((limits, price))
        } else {
            Err(errors)
        }
    }

    fn read_rate(&mut self, reader: &mut Reader<'_>) {
        const HELP: &str = "rate: {requests: 1200/min, tokens: 250000/s}";
        let Some(value) = reader.value("rate") else {
            return;
        };
        let Some(fields) = value.as_object() else {
            reader.wrong("rate", "`rate` wants a map", HELP);
            return;
        };
        for (key, value) in fields {
            let rate = value.as_str().and_then(Rate::parse);
            match key.as_str() {
                "requests" | "tokens" if rate.is_none() => reader.wrong(
                    "rate",
                    format!("`rate.{key}` wants a number in a time"),
                    HELP,
                ),
                "requests" => self.requests = rate,
                "tokens" => self.tokens = rate,
                _ => reader.wrong("rate", format!("unknown setting `rate.{key}`"), HELP),
            }
        }
    }
}

fn read_price(reader: &mut Reader<'_>) -> Option<Price> {
    const HELP: &str = "price: {input_per_million: 0.042, output_per_million: 0}";
    let value = reader.value("price")?;
    let Some(fields) = value.as_object() else {
        reader.wrong("price", "`price` wants a map", HELP);
        return None;
    };
    let mut price = Price {
        input_per_million: 0.0,
        output_per_million: 0.0,
    };
    let mut input = false;
    for (key, value) in fields {
        let Some(dollars) = amount(value) else {
            reader.wrong(
                "price",
                format!("`price.{key}` wants a number of US dollars that is not negative"),
                HELP,
            );
            continue;
        };
        match key.as_str() {
            "input_per_million" => {
                price.input_per_million = dollars;
                input = true;
            }
            "output_per_million" => price.output_per_million = dollars,
            _ => reader.wrong("price", format!("unknown setting `price.{key}`"), HELP),
        }
    }
    if !input {
        reader.wrong("price", "`price` lacks `input_per_million`", HELP);
    }
    Some(price)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn settings(json: &Value) -> Settings {
        json.as_object().expect("a map").clone()
    }

    #[test]
    fn the_collectors_settings_are_taken_and_the_providers_are_left() {
        let mut given = settings(&json!({
            "model": "m", "concurrency": 50, "retries": 0,
            "rate": {"requests": "1200/min", "tokens": "250_000/s"},
            "price": {"input_per_million": 0.042}
        }));
        let (limits, price) = Limits::take_from(&mut given).expect("all can be used");
        assert_eq!(limits.concurrency, 50);
        assert_eq!(limits.retries, 0);
        let spacing = limits.requests.map(|rate| rate.time_for(1.0));
        assert_eq!(spacing, Some(Duration::from_millis(50)));
        assert_eq!(price.map(|price| price.input_per_million), Some(0.042));
        assert_eq!(given.keys().collect::<Vec<_>>(), ["model"]);
    }

    #[test]
    fn every_value_that_cannot_be_used_is_named() {
        let mut given = settings(&json!({
            "concurrency": 0, "retries": -1, "rate": {"requests": "12 per minute", "calls": "1/s"},
            "price": {"output_per_million": -1}
        }));
        let errors = Limits::take_from(&mut given).expect_err("none can be used");
        assert_eq!(errors.len(), 6, "{errors:?}");
    }
}
