//! Which version of a model answers: names that may mean another one tomorrow, and names that were not told.

/// Whether a model's name follows the vendor's current build, so that the same name may mean another model tomorrow:
/// `jev-latest`, `jev-preview`, `~typesafe/jev-latest`, `pplx-decider-flash-latest`, `model@latest`.
///
/// ```
/// use decbench_core::provider::is_floating;
/// assert!(is_floating("jev-latest") && is_floating("~typesafe/jev-latest") && is_floating("jev-preview"));
/// assert!(!is_floating("jev-1.13.0") && !is_floating("latest-news-classifier-2"));
/// ```
pub fn is_floating(model: &str) -> bool {
    let name = model.to_lowercase();
    let last = name.rsplit(['-', ':', '@', '/', '_']).next();
    name.starts_with('~') || matches!(last, Some("latest" | "preview" | "current" | "stable"))
}

/// How the served model is recorded where a reply does not name it.
#[cfg(feature = "http")]
pub(crate) fn as_requested(model: &str) -> String {
    format!("{model} (as requested)")
}
