//! What a test says when Cargo gave it the harness that runs no suites.

/// Fails with the lines that give the target its own `main`.
///
/// # Panics
///
/// Always: it is the body of a `#[test]` that exists only under the built-in harness.
#[track_caller]
pub fn needs_harness_false(file: &'static str, crate_name: &'static str) -> ! {
    panic!("{}", missing_harness(file, crate_name))
}

fn missing_harness(file: &'static str, crate_name: &'static str) -> String {
    let target = super::target_of(file, crate_name);
    format!(
        "no suite ran: Cargo gave this target the built-in test harness. Add to Cargo.toml:\n\n\
         [[test]]\nname = \"{target}\"\nharness = false\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_holds_the_lines_to_paste() {
        let message = missing_harness("tests/my-calls.rs", "my_calls");
        assert!(message.contains("[[test]]\nname = \"my-calls\"\nharness = false\n"));
    }
}
