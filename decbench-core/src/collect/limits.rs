//! How fast and how often a candidate is asked.

use std::time::Duration;

use crate::config::read_duration;
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
    /// The longest that a call may take with all its attempts and the waits between them; not what limits or the
    /// service impose on all calls.
    pub deadline: Option<Duration>,
    /// The longest that one attempt may take, where the candidate says so; the provider keeps it.
    pub timeout: Option<Duration>,
    /// Whether replies are written as they came, without the key, beside the run's answers.
    pub keep_raw: bool,
}

/// No further attempt is begun after so long, unless the attempts themselves may take longer.
const RETRY_WITHIN: Duration = Duration::from_secs(30);

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: 8,
            retries: 2,
            requests: None,
            tokens: None,
            deadline: None,
            timeout: None,
            keep_raw: false,
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

    fn per_second(self) -> f64 {
        self.count / self.per.as_secs_f64()
    }

    /// The time that `count` of them take.
    pub(crate) fn time_for(self, count: f64) -> Duration {
        let seconds = self.per.as_secs_f64() * count / self.count;
        // A day stands for every longer time: the sum stays a time, and nobody waits for it.
        Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0))
    }
}

impl Limits {
    /// The stricter of two limits in everything that candidates of one service share: concurrency and rates.
    pub(crate) fn strictest(self, other: Self) -> Self {
        let stricter = |one: Option<Rate>, other: Option<Rate>| match (one, other) {
            (Some(one), Some(other)) if other.per_second() < one.per_second() => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        };
        Self {
            concurrency: self.concurrency.min(other.concurrency),
            requests: stricter(self.requests, other.requests),
            tokens: stricter(self.tokens, other.tokens),
            ..self
        }
    }

    /// How long after its beginning a call may begin a further attempt: the deadline, else half a minute or what the
    /// attempts may take.
    pub(crate) fn retry_within(&self) -> Duration {
        let attempts = self.timeout.unwrap_or_default() * (self.retries + 1);
        self.deadline.unwrap_or(attempts.max(RETRY_WITHIN))
    }

    /// Takes `concurrency`, `rate`, `retries`, `deadline` and `price` out of a candidate's settings; what is left is the provider's.
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
        limits.deadline = reader.duration("deadline");
        limits.keep_raw = reader.truth("keep_raw").unwrap_or(false);
        // The provider's own to take out and to complain about.
        limits.timeout = reader
            .value("timeout")
            .and_then(serde_json::Value::as_str)
            .and_then(read_duration);
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
            "model": "m", "concurrency": 50, "retries": 0, "deadline": "5s",
            "rate": {"requests": "1200/min", "tokens": "250_000/s"},
            "price": {"input_per_million": 0.042}
        }));
        let (limits, price) = Limits::take_from(&mut given).expect("all can be used");
        assert_eq!(limits.concurrency, 50);
        assert_eq!(limits.retries, 0);
        assert_eq!(limits.deadline, Some(Duration::from_secs(5)));
        let spacing = limits.requests.map(|rate| rate.time_for(1.0));
        assert_eq!(spacing, Some(Duration::from_millis(50)));
        assert_eq!(price.map(|price| price.input_per_million), Some(0.042));
        assert_eq!(given.keys().collect::<Vec<_>>(), ["model"]);
    }

    #[test]
    fn further_attempts_have_half_a_minute_or_what_the_attempts_may_take() {
        let within = |json: &Value| {
            let (limits, _) = Limits::take_from(&mut settings(json)).expect("all can be used");
            limits.retry_within().as_secs()
        };
        assert_eq!(within(&json!({})), 30);
        assert_eq!(within(&json!({"timeout": "60s"})), 180);
        assert_eq!(within(&json!({"timeout": "60s", "deadline": "90s"})), 90);
    }

    #[test]
    fn candidates_of_one_service_share_the_strictest_of_their_limits() {
        let one = Limits {
            concurrency: 4,
            requests: Rate::parse("100/s"),
            ..Limits::default()
        };
        let other = Limits {
            concurrency: 9,
            requests: Rate::parse("1200/min"),
            tokens: Rate::parse("5/s"),
            ..Limits::default()
        };
        let both = one.strictest(other);
        assert_eq!((both.concurrency, both.tokens), (4, other.tokens));
        assert_eq!(both.requests, other.requests);
        assert_eq!(other.strictest(one).requests, other.requests);
    }

    #[test]
    fn every_value_that_cannot_be_used_is_named() {
        let mut given = settings(&json!({
            "concurrency": 0, "retries": -1, "deadline": 5, "rate": {"requests": "12 per minute", "calls": "1/s"},
            "price": {"output_per_million": -1}
        }));
        let errors = Limits::take_from(&mut given).expect_err("none can be used");
        assert_eq!(errors.len(), 7, "{errors:?}");
    }
}
