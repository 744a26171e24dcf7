//! `http`: any other service, described by a template of its requests and by where its replies hold the answer.
//!
//! One request goes out per question. `body` is any JSON; its texts may hold placeholders in double braces. Where a text
//! is nothing but a placeholder, the value stands there as JSON; inside a longer text it stands as text.
//!
//! | placeholder | alone | inside a text |
//! |---|---|---|
//! | `{{state}}` | the case's material, a text or JSON | the same as text |
//! | `{{instructions}}` | the question's text | the same |
//! | `{{options}}` | the list of keys in the order shown | numbered lines of keys and descriptions |
//! | `{{descriptions}}` | a map from key to description or null, in the order shown | the same as JSON |
//! | `{{question}}` | a map of name, type, instructions and options | instructions and numbered options |
//! | `{{name}}`, `{{type}}`, `{{model}}` | the question's name and type, the candidate's model | the same |
//!
//! `reply` says by JSON pointers (RFC 6901) where things stand: `label`, `probabilities` (a map from label to number, a
//! list of numbers in the order of the options or of the list at `labels`, or a list of maps), `p_yes`, `confidence`,
//! `format_mass`, `model`, `usage` (or `input_tokens` and `output_tokens`), and `finish`, how the reply ended: `length`
//! or `max_tokens` mark one that was cut off, `refusal` or `content_filter` one that was refused.
//!
//! ```yaml
//! mine:
//!   provider: http
//!   url: https://models.example/classify
//!   key_env: MY_KEY
//!   headers: { X-Team: support }
//!   body:
//!     text: "{{state}}"
//!     candidate_labels: "{{options}}"
//!   reply: { labels: /labels, probabilities: /scores, model: /model }
//! ```

#[cfg(feature = "http")]
mod answer;
mod body;
mod pointers;
#[cfg(feature = "http")]
mod service;
mod settings;

pub(crate) use settings::HTTP;
