//! What the attributes say about mistakes, each beside a twin that compiles.

#![cfg(all(feature = "test", feature = "check"))]

use std::path::Path;

#[test]
fn every_message_has_its_case() -> std::io::Result<()> {
    // The attributes look for suites in the package that is compiled, which is trybuild's own.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/decbench");
    let suites = package.join("suites");
    std::fs::create_dir_all(&suites)?;
    for name in ["urgency.yaml", "waiting.yaml", "broken.yaml"] {
        std::fs::copy(Path::new("tests/ui/suites").join(name), suites.join(name))?;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/*/right.rs");
    cases.compile_fail("tests/ui/*/wrong.rs");
    Ok(())
}
