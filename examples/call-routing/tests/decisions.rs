//! Hands the production router to the suites under `tests/suites`.

use call_routing::{Team, keyword_router as production_router};

/// The router that production uses today.
#[decbench::provider]
fn keyword_router(transcript: &str) -> Team {
    production_router(transcript)
}

decbench::main!();
