//! The suite that an attribute names, read and checked while the user's test is compiled.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::options::Mistakes;

/// Reads and checks the suite; gives the tracked include, which rebuilds the test when the file changes.
///
/// `candidate` is the name of the function that becomes its candidate.
pub(crate) fn tracked(path: &LitStr, candidate: &str, mistakes: &mut Mistakes) -> TokenStream {
    let relative = path.value();
    if Path::new(&relative).is_absolute() {
        mistakes.at(
            path.span(),
            "`suite` is relative to the package's folder, such as \"tests/suites/call-routing.yaml\"",
        );
        return TokenStream::new();
    }
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        mistakes.at(
            path.span(),
            "the suite cannot be found: this compiler was not started by Cargo",
        );
        return TokenStream::new();
    };
    let file: PathBuf = Path::new(&package).join(&relative);
    match std::fs::read_to_string(&file) {
        Ok(text) => {
            for mistake in check(&relative, text, candidate) {
                mistakes.at(path.span(), mistake);
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            mistakes.at(
                path.span(),
                format!("there is no `{relative}` in the folder of Cargo.toml"),
            );
            return TokenStream::new();
        }
        Err(error) => mistakes.at(
            path.span(),
            format!("the suite `{relative}` cannot be read: {error}"),
        ),
    }
    quote! {
        const _: &[u8] = ::core::include_bytes!(::core::concat!(
            ::core::env!("CARGO_MANIFEST_DIR"),
            "/",
            #path
        ));
    }
}

/// The mistakes in a suite's text, each with its place. Cases and options in other files are not read.
#[cfg(feature = "check")]
fn check(name: &str, text: String, candidate: &str) -> Vec<String> {
    use decbench_core::diagnostic::{Severity, Source};
    use decbench_core::suite::{ExtraFunction, check_text_with};

    let source = std::sync::Arc::new(Source::new(name, text));
    let function = ExtraFunction {
        candidate,
        function: candidate,
    };
    match check_text_with(&source, &[function]) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .iter()
            .filter(|mistake| mistake.severity == Severity::Error)
            .map(|mistake| {
                // The compiler puts the word "error" in front, which rendering does too.
                let rendered = mistake.render();
                let place = rendered.split_once('\n').map_or("", |(_, place)| place);
                format!("{} [{}]\n{place}", mistake.message, mistake.code)
            })
            .collect(),
    }
}

#[cfg(not(feature = "check"))]
fn check(_name: &str, _text: String, _candidate: &str) -> Vec<String> {
    Vec::new()
}
