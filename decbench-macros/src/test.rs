//! `#[decbench::test]`.

use std::path::Path;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::LitStr;

use crate::emit::{self, Registration};
use crate::options::{Mistakes, Options};
use crate::signature::Function;
use crate::suite_file;

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let known: Vec<&str> = ["suite", "candidate"]
        .into_iter()
        .chain(Registration::OPTIONS)
        .collect();
    let mut options = Options::read(options, &known, &mut mistakes);
    let suite = options.text("suite", &mut mistakes);
    // A misspelt option is told already.
    if suite.is_none() && mistakes.count() == 0 {
        mistakes.at(
            Span::call_site(),
            "`decbench::test` needs its suite: `#[decbench::test(suite = \"tests/suites/call-routing.yaml\")]`",
        );
    }
    let candidate = options.text("candidate", &mut mistakes);
    let registration = Registration::read(&mut options, &mut mistakes);
    let function = Function::read(item.clone(), "decbench::test", &mut mistakes);
    let candidate = candidate.or_else(|| {
        let function = function.as_ref()?;
        Some(LitStr::new(
            &emit::plain(&function.ident),
            function.ident.span(),
        ))
    });
    // A name that suites do not allow is told here, at the attribute, and not once more by the suite.
    let candidate = candidate.filter(|candidate| check_candidate(candidate, &mut mistakes));
    let tracked = suite.as_ref().map(|suite| {
        let candidate = candidate.as_ref().map(LitStr::value);
        suite_file::tracked(
            suite,
            candidate.as_deref().unwrap_or("function"),
            &mut mistakes,
        )
    });

    let mut output = item;
    output.extend(tracked);
    if let Some(errors) = mistakes.into_tokens() {
        output.extend(errors);
    } else if let (Some(function), Some(suite), Some(candidate)) = (function, suite, candidate) {
        output.extend(emit_suite(&function, &registration, &suite, &candidate));
    }
    output
}

fn check_candidate(candidate: &LitStr, mistakes: &mut Mistakes) -> bool {
    let name = candidate.value();
    let fits = name.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
        && name.chars().all(|character| {
            character.is_ascii_lowercase()
                || character.is_ascii_digit()
                || matches!(character, '_' | '.' | '-')
        });
    if !fits {
        mistakes.at(
            candidate.span(),
            format!(
                "`{name}` is no name of a candidate: a lowercase letter or digit, then these and `_`, `.`, `-`; say `candidate = \"…\"`"
            ),
        );
    }
    fits
}

fn emit_suite(
    function: &Function,
    registration: &Registration,
    suite: &LitStr,
    candidate: &LitStr,
) -> TokenStream {
    let krate = &registration.krate;
    let name = registration.name_of(function);
    let line = emit::line_of(function.ident.span());
    let registered = emit::provider(function, registration);
    let aside = emit::aside(
        function,
        &quote! {
            #registered
            #krate::__suite! {
                suite: #suite,
                candidate: #candidate,
                function: #name,
                line: #line,
            }
        },
    );
    let guard = guard(function, suite);
    quote!(#aside #guard)
}

/// The ignored test that a target with the built-in harness shows; without that harness it does not exist.
fn guard(function: &Function, suite: &LitStr) -> TokenStream {
    let conditions = &function.conditions;
    let path = suite.value();
    let stem = Path::new(&path).file_stem().unwrap_or_default();
    let stem: String = stem
        .to_string_lossy()
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        })
        .collect();
    // The suite's name tells two attributes on one function apart.
    let name = format_ident!(
        "suite_{stem}_of_{}_needs_harness_false",
        emit::plain(&function.ident),
        span = Span::call_site()
    );
    let reason = format!(
        "{path} runs where Cargo.toml has `harness = false` for this target and the target has `decbench::main!();`"
    );
    quote! {
        #(#conditions)*
        #[::core::prelude::v1::test]
        #[ignore = #reason]
        fn #name() {
            ::core::panic!(#reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(options: TokenStream, item: TokenStream) -> String {
        expand(options, item).to_string()
    }

    #[test]
    fn a_missing_suite_is_told_once() {
        let item = quote!(
            fn f(t: &str) -> bool {
                true
            }
        );
        let output = expanded(quote!(), item.clone());
        assert!(output.starts_with(&item.to_string()));
        assert_eq!(output.matches("compile_error").count(), 1);
        assert!(output.contains("needs its suite"));
        assert_eq!(
            expanded(quote!(suite = 3), item)
                .matches("compile_error")
                .count(),
            1
        );
    }

    #[test]
    fn a_candidate_has_a_name_that_suites_allow() {
        let mut mistakes = Mistakes::default();
        for name in ["rules", "gpt-4.1_mini", "4o"] {
            check_candidate(&LitStr::new(name, Span::call_site()), &mut mistakes);
        }
        assert_eq!(mistakes.count(), 0);
        for name in ["Rules", "-x", "a b", "é"] {
            check_candidate(&LitStr::new(name, Span::call_site()), &mut mistakes);
        }
        assert_eq!(mistakes.count(), 4);
    }

    #[test]
    fn a_file_is_included_even_where_the_function_is_wrong() {
        // Any file of this package will do; without the feature `check` nobody reads it as a suite.
        let output = expanded(
            quote!(suite = "Cargo.toml", nonsense = 1),
            quote!(
                struct F;
            ),
        );
        assert!(output.contains("include_bytes"));
        let absent = expanded(
            quote!(suite = "absent.yaml"),
            quote!(
                fn f() -> bool {
                    true
                }
            ),
        );
        assert!(!absent.contains("include_bytes"));
        assert!(absent.contains("there is no `absent.yaml`"));
    }
}
