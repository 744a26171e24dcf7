//! Hands the three ways of `model_switch` to the suites under `tests/suites`.

fn yes_no(urgent: bool) -> &'static str {
    if urgent { "yes" } else { "no" }
}

/// What production uses today.
#[decbench::provider]
fn by_word(ticket: &str) -> &'static str {
    yes_no(model_switch::by_word(ticket))
}

/// Looks for signs of trouble.
#[decbench::provider]
fn by_signs(ticket: &str) -> &'static str {
    yes_no(model_switch::by_signs(ticket))
}

/// Looks for signs of trouble that is not over.
#[decbench::provider]
fn by_reading(ticket: &str) -> &'static str {
    yes_no(model_switch::by_reading(ticket))
}

decbench::main!();
