//! How a stand-in reads its cues: loses some in long texts, leans to the first option, and wavers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::cues::{TASKS, Task};

/// A model: the same cues, read well or badly.
pub(crate) struct Model {
    /// Whether it knows the cues that take more than a word.
    subtle: bool,
    /// The number of words after which a cue counts half.
    attention: f64,
    /// What stands first gets so much for nothing.
    first: f64,
    /// How much each call differs from the next.
    wavers: f64,
    /// How sure it sounds.
    gain: f64,
    /// What a call takes, in milliseconds, beside the reading.
    base_ms: u64,
}

const SMALL: Model = Model {
    subtle: false,
    attention: 60.0,
    first: 0.25,
    wavers: 0.8,
    gain: 2.4,
    base_ms: 24,
};

const LARGE: Model = Model {
    subtle: true,
    attention: 900.0,
    first: 0.05,
    wavers: 0.5,
    gain: 1.9,
    base_ms: 95,
};

/// The model of this name.
pub(crate) fn named(name: &str) -> Option<&'static Model> {
    match name {
        "stand-in-small" => Some(&SMALL),
        "stand-in-large" => Some(&LARGE),
        _ => None,
    }
}

impl Model {
    /// How long this call takes: longer texts take longer, and every fortieth call is slow.
    pub(crate) fn time(&self, state: &str, call: u64) -> Duration {
        let reading = state.len() as u64 / 40;
        let spread = hash(&("time", call)) % (self.base_ms / 2 + 1);
        let stalls = if hash(&("stall", call)).is_multiple_of(40) {
            self.base_ms * 3
        } else {
            0
        };
        Duration::from_millis(self.base_ms + reading + spread + stalls)
    }

    /// The answer to one question, as System One spells it.
    pub(crate) fn answer(&self, question: &Value, state: &str, call: u64) -> Value {
        let instructions = question["instructions"].as_str().unwrap_or_default();
        let task = TASKS.iter().find(|task| instructions.contains(task.asks));
        match question["type"].as_str() {
            Some("choice") => {
                let keys: Vec<&str> = question["criteria"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(key, _)| key.as_str())
                    .collect();
                let shares = self.shares(task, &keys, state, call);
                let probabilities: Map<String, Value> = keys
                    .iter()
                    .zip(&shares)
                    .map(|(key, share)| ((*key).to_owned(), json!(share)))
                    .collect();
                let (top, confidence) = top(&shares);
                json!({"type": "choice", "choice": keys.get(top), "confidence": confidence, "probabilities": probabilities})
            }
            Some("score") => {
                let levels = question["criteria"].as_array().map_or(0, Vec::len);
                let keys: Vec<String> = (0..levels).map(|level| level.to_string()).collect();
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                let shares = self.shares(task, &keys, state, call);
                let expected: f64 = shares
                    .iter()
                    .zip(0_u32..)
                    .map(|(p, at)| p * f64::from(at))
                    .sum();
                let probabilities: Map<String, Value> = keys
                    .iter()
                    .zip(&shares)
                    .map(|(key, share)| ((*key).to_owned(), json!(share)))
                    .collect();
                let (_, confidence) = top(&shares);
                json!({"type": "score", "score": expected, "confidence": confidence, "probabilities": probabilities})
            }
            _ => {
                let shares = self.shares(task, &["yes", "no"], state, call);
                json!({"type": "noul", "noul": shares[0]})
            }
        }
    }

    /// A probability for each key, in the order shown.
    fn shares(&self, task: Option<&Task>, keys: &[&str], state: &str, call: u64) -> Vec<f64> {
        let text = state.to_lowercase();
        let words = text.split_whitespace().count() as f64;
        let attention = self.attention / (self.attention + words);
        let leans: Vec<f64> = keys
            .iter()
            .enumerate()
            .map(|(slot, key)| {
                let slot = if slot == 0 { self.first } else { 0.0 };
                let option =
                    task.and_then(|task| task.options.iter().find(|option| option.key == *key));
                let known = option.map_or(0.0, |option| {
                    let cues = option.cues.split(", ").map(Cue);
                    let heard: f64 = cues
                        .filter(|cue| self.subtle || !cue.is_subtle())
                        .filter(|cue| text.contains(cue.words()))
                        .map(|cue| cue.weight())
                        .sum();
                    option.prior + heard * attention
                });
                (known + slot + self.wavering(key, &text, call)) * self.gain
            })
            .collect();
        let highest = leans.iter().copied().fold(f64::MIN, f64::max);
        let raised: Vec<f64> = leans.iter().map(|lean| (lean - highest).exp()).collect();
        let sum: f64 = raised.iter().sum();
        let rounded = |share: f64| (share * 1e4).round() / 1e4;
        raised.iter().map(|share| rounded(share / sum)).collect()
    }

    /// From -`wavers` to `wavers`: half of it belongs to the text, half to the call.
    fn wavering(&self, key: &str, text: &str, call: u64) -> f64 {
        let unit = |number: u64| (number % 2001) as f64 / 1000.0 - 1.0;
        let of_text = unit(hash(&(key, text)));
        let of_call = unit(hash(&(key, text, call)));
        self.wavers * (of_text + of_call) / 2.0
    }
}

/// Position and size of the largest share.
fn top(shares: &[f64]) -> (usize, f64) {
    let mut top = (0, 0.0);
    for (at, share) in shares.iter().enumerate() {
        if *share > top.1 {
            top = (at, *share);
        }
    }
    top
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Words that speak for an option, with their marks.
struct Cue<'a>(&'a str);

impl<'a> Cue<'a> {
    fn words(&self) -> &'a str {
        self.0.trim_start_matches(['~', '+'])
    }

    /// Only the large model knows it.
    fn is_subtle(&self) -> bool {
        self.0.starts_with('~')
    }

    fn weight(&self) -> f64 {
        if self.0.contains('+') { 4.0 } else { 2.0 }
    }
}
