//! The suite that an attribute names, read and checked while the user's test is compiled.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::compared::Said;
use crate::options::Mistakes;

/// What was seen of a suite file.
#[derive(Default)]
pub(crate) struct SuiteFile {
    /// The tracked include, which rebuilds the test when the file changes.
    pub(crate) include: TokenStream,
    /// What it says of its questions, one entry each.
    pub(crate) questions: Vec<Said>,
}

/// Reads and checks the suite.
///
/// `candidate` is the name of the function that becomes its candidate.
pub(crate) fn read(path: &LitStr, candidate: &str, mistakes: &mut Mistakes) -> SuiteFile {
    let relative = path.value();
    if Path::new(&relative).is_absolute() {
        mistakes.at(
            path.span(),
            "`suite` is relative to the package's folder, such as \"tests/suites/call-routing.yaml\"",
        );
        return SuiteFile::default();
    }
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        mistakes.at(
            path.span(),
            "the suite cannot be found: this compiler was not started by Cargo",
        );
        return SuiteFile::default();
    };
    let file: PathBuf = Path::new(&package).join(&relative);
    let mut questions = Vec::new();
    match std::fs::read_to_string(&file) {
        Ok(text) => match check(&relative, text, candidate) {
            Ok(said) => questions = said,
            Err(wrong) => {
                for mistake in wrong {
                    mistakes.at(path.span(), mistake);
                }
            }
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            mistakes.at(
                path.span(),
                format!("there is no `{relative}` in the folder of Cargo.toml"),
            );
            return SuiteFile::default();
        }
        Err(error) => mistakes.at(
            path.span(),
            format!("the suite `{relative}` cannot be read: {error}"),
        ),
    }
    let include = quote! {
        const _: &[u8] = ::core::include_bytes!(::core::concat!(
            ::core::env!("CARGO_MANIFEST_DIR"),
            "/",
            #path
        ));
    };
    SuiteFile { include, questions }
}

/// What a suite's text says of its questions, or its mistakes, each with its place. Cases and options in other files
/// are not read.
#[cfg(feature = "check")]
fn check(name: &str, text: String, candidate: &str) -> Result<Vec<Said>, Vec<String>> {
    use decbench_core::diagnostic::{Severity, Source};
    use decbench_core::suite::{ExtraFunction, FromRust, check_text_with};

    let source = std::sync::Arc::new(Source::new(name, text));
    let function = ExtraFunction {
        candidate,
        function: candidate,
    };
    let rust = FromRust {
        functions: &[function],
        ..FromRust::default()
    };
    match check_text_with(&source, &rust) {
        Ok(loaded) => Ok(Said::of_suite(&loaded)),
        Err(found) => Err(found
            .iter()
            .filter(|mistake| mistake.severity == Severity::Error)
            .map(|mistake| {
                // The compiler puts the word "error" in front, which rendering does too.
                let rendered = mistake.render();
                let place = rendered.split_once('\n').map_or("", |(_, place)| place);
                format!("{} [{}]\n{place}", mistake.message, mistake.code)
            })
            .collect()),
    }
}

#[cfg(not(feature = "check"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "with the feature `check` there are mistakes"
)]
fn check(_name: &str, _text: String, _candidate: &str) -> Result<Vec<Said>, Vec<String>> {
    Ok(Vec::new())
}
