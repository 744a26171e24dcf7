//! What the attributes say about mistakes, each beside a twin that compiles.

#![cfg(all(feature = "test", feature = "check"))]

use std::path::Path;

#[test]
fn every_message_has_its_case() -> std::io::Result<()> {
    // The attributes look for suites in the package that is compiled, which is trybuild's own.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/decbench");
    let suites = package.join("suites");
    std::fs::create_dir_all(&suites)?;
    for suite in std::fs::read_dir("tests/ui/suites")? {
        let suite = suite?;
        std::fs::copy(suite.path(), suites.join(suite.file_name()))?;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/*/right.rs");
    cases.compile_fail("tests/ui/*/wrong.rs");
    Ok(())
}
