//! Suites as this tool sees them: without the Rust code that their test target is linked with.

use std::path::Path;

use decbench_core::suite::{self, Loaded};

use crate::ending::Unusable;

/// Reads a suite for a task that needs its options.
///
/// # Errors
/// The suite's mistakes; and options that only a Rust type lists, which this tool is not linked with.
pub(crate) fn load(path: &Path) -> Result<Loaded, Unusable> {
    let loaded = suite::load(path).map_err(|mistakes| Unusable::new(mistakes.render()))?;
    let unknown = loaded
        .suite
        .questions
        .iter()
        .any(|question| question.options.is_empty());
    if unknown {
        let types: Vec<String> = loaded
            .named_types
            .iter()
            .map(|named| format!("`{}`", named.name))
            .collect();
        return Err(Unusable::file(
            path,
            format!(
                "only the Rust type {} lists the options, and this tool is not linked with it; list them in the suite too, where they are compared with it",
                types.join(", ")
            ),
        ));
    }
    Ok(loaded)
}

/// Whether the suite writes down all that identifies its questions, so that their digests are known here.
pub(crate) fn says_all(loaded: &Loaded) -> bool {
    loaded.named_types.iter().all(|named| {
        named.options.is_some() && named.instructions.is_some() && named.version.is_some()
    })
}
