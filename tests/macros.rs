//! What the attributes say about mistakes, each beside a twin that is right.

#![cfg(all(feature = "test", feature = "check"))]

use std::path::Path;

/// The twins are a part of this test, so that only what is wrong is compiled apart, and nothing is linked for it.
macro_rules! twins {
    ($($name:ident $path:literal)*) => {
        $(
            #[path = $path]
            #[allow(dead_code, unreachable_pub, missing_docs, clippy::all, clippy::pedantic)]
            mod $name;
        )*

        #[test]
        fn twins_that_are_right_compile_and_hold() {
            $($name::main();)*
            let folders = std::fs::read_dir("tests/ui").expect("a folder");
            let twins = folders
                .flatten()
                .filter(|folder| folder.path().join("right.rs").exists());
            assert_eq!(twins.count(), [$($path),*].len(), "a twin is not listed");
        }
    };
}

twins! {
    arguments "ui/arguments/right.rs"
    compared "ui/compared/right.rs"
    derive "ui/derive/right.rs"
    options "ui/options/right.rs"
    policies "ui/policies/right.rs"
    returns "ui/returns/right.rs"
    rust_suite "ui/rust_suite/right.rs"
    rust_suite_types "ui/rust_suite_types/right.rs"
    several "ui/several/right.rs"
    signature "ui/signature/right.rs"
    suite_file "ui/suite_file/right.rs"
    suite_options "ui/suite_options/right.rs"
}

#[test]
fn every_message_has_its_case() -> std::io::Result<()> {
    // The attributes look for suites in the package that is compiled, which is trybuild's own.
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild/decbench");
    let suites = package.join("tests/ui/suites");
    std::fs::create_dir_all(&suites)?;
    for suite in std::fs::read_dir("tests/ui/suites")? {
        let suite = suite?;
        std::fs::copy(suite.path(), suites.join(suite.file_name()))?;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*/wrong.rs");
    Ok(())
}
