//! Attributes of decbench; use the crate `decbench`.
//!
//! Each attribute is parsed, then checked, then emitted, and whatever happens the user's function stays where it
//! is. What is emitted is a call of a `macro_rules` of the crate `decbench`, which knows that crate's features; an
//! attribute never does.

#![forbid(unsafe_code)]

mod closed_set;
mod compared;
mod derive;
mod documentation;
mod emit;
mod options;
mod provider;
mod rename;
mod rust_suite;
mod signature;
mod suite_file;
mod test;

use proc_macro::TokenStream;

/// Makes a function a candidate of suites: `provider: rust, function: keyword_router`.
///
/// The function stays an ordinary function; without the crate's feature `test` the attribute leaves nothing else.
///
/// It takes at most one argument, what it wants to know of a case: `&str` (the state as text), `&State`,
/// `&serde_json::Value`, any type that `serde` can read from the state, by reference or by value, or `&Request`
/// for everything that was asked. It may be `async`.
///
/// It returns a label (`&str`, `String`), `bool` for yes/no, an integer for a level of a score, a `Distribution`,
/// anything that implements `IntoDecision`, a map of these by question name, or a `Result` or `Option` of these. An
/// error is the failure `refused`, a panic the failure `invalid_answer`: wrong answers, both of them.
///
/// | option | |
/// |---|---|
/// | `name = "…"` | the name suites use, in place of the function's own |
/// | `recorded = true` | its answers are recorded and replayed like a remote service's, because it is slow, costs money or is not pure |
/// | `question = "…"` | the one question it answers where a suite has several |
/// | `crate = path` | where the crate `decbench` is, if it was renamed |
///
/// ```ignore
/// #[decbench::provider]
/// fn keyword_router(call: &str) -> &'static str {
///     if call.contains("invoice") { "billing" } else { "support" }
/// }
/// ```
#[proc_macro_attribute]
pub fn provider(options: TokenStream, item: TokenStream) -> TokenStream {
    provider::expand(options.into(), item.into()).into()
}

/// Makes a function a candidate of one suite, without naming it there.
///
/// The function is written as for `#[decbench::provider]` and takes the same options; these are added:
///
/// | option | |
/// |---|---|
/// | `suite = "…"` | the suite's file, relative to the package; required |
/// | `candidate = "…"` | the candidate's name in that suite, in place of the function's own |
///
/// The suite is checked when the test is compiled, its cases are not; a change of the file compiles the test anew.
/// The target needs `harness = false` and `decbench::main!();` as any other. Where it has the built-in harness, an
/// ignored test says so.
///
/// ```ignore
/// #[decbench::test(suite = "tests/suites/call-routing.yaml")]
/// fn keyword_router(call: &str) -> &'static str {
///     if call.contains("invoice") { "billing" } else { "support" }
/// }
///
/// decbench::main!();
/// ```
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(options.into(), item.into()).into()
}

/// Makes an enum a closed set of options: it implements `decbench::Options`, `Display` and `FromStr`.
///
/// A key is what serde would write: the variant's name, or what `rename_all` and `rename` make of it. Where the enum
/// has serde's attributes, these are read too, so that the key on the wire is the key in the suite; what
/// `#[options(…)]` says goes before them. The description is the first paragraph of the variant's doc comment, and
/// the order is that of the enum. What serde reads as an `alias` is read here too.
///
/// | on the enum | |
/// |---|---|
/// | `rename_all = "…"` | one of serde's rules: `snake_case`, `kebab-case`, `lowercase`, … |
/// | `question = "…"` | the text of the question that these options answer |
/// | `version = 3` | the version of the wording, `Team::VERSION` |
/// | `display = false` | writes no `Display`, where the enum has its own |
/// | `from_str = false` | writes no `FromStr` |
/// | `crate = path` | where the crate `decbench` is, if it was renamed |
///
/// | on a variant | |
/// |---|---|
/// | `rename = "…"` | its key |
/// | `description = "…"` | what it means, in place of the doc comment |
/// | `escape` | it is the way out when no other option fits |
///
/// ```ignore
/// #[derive(decbench::Options)]
/// #[options(rename_all = "snake_case", question = "Which team should take this call?", version = 3)]
/// enum Team {
///     /// Invoices, charges and refunds.
///     Billing,
///     /// The caller has not said why they call.
///     #[options(escape)]
///     NoReasonYet,
/// }
/// ```
#[proc_macro_derive(Options, attributes(options))]
pub fn derive_options(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), closed_set::Role::Options).into()
}

/// Makes an enum the levels of a score, lowest first: it implements `decbench::Levels`, `decbench::Options`,
/// `Display` and `FromStr`.
///
/// A level's text is the variant's name, or what `rename_all` and `rename` make of it as for `Options`; its key is its
/// index. The attributes are those of `Options` but for `escape` and `description`.
///
/// ```ignore
/// #[derive(decbench::Levels)]
/// #[options(rename_all = "lowercase")]
/// enum Mood {
///     Calm,
///     Annoyed,
///     Furious,
/// }
/// ```
#[proc_macro_derive(Levels, attributes(options))]
pub fn derive_levels(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), closed_set::Role::Levels).into()
}
