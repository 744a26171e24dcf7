//! `#[decbench::test]`.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::LitStr;

use crate::compared::Said;
use crate::emit::{self, Registration};
use crate::options::{Known, Mistakes, Options};
use crate::rust_suite::RustSuite;
use crate::signature::Function;
use crate::suite_file;

/// Every option that the attribute knows.
const KNOWN: Known<'static> = Known {
    values: &[
        "suite",
        "candidate",
        "question",
        "options",
        "levels",
        "cases",
        "version",
        "scorecard",
        "name",
        "recorded",
        "crate",
    ],
    flags: &[],
    lists: &["assert"],
};

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let mut options = Options::read_forms(options, &KNOWN, &mut mistakes);
    let suite = options.text("suite", &mut mistakes);
    let is_file = suite.as_ref().is_some_and(|suite| {
        let path = suite.value();
        let ending = Path::new(&path).extension();
        ending.is_some_and(|ending| ending == "yaml" || ending == "yml")
    });
    let writes = RustSuite::OWN.iter().any(|own| options.has(own))
        || (suite.is_none() && RustSuite::TYPES.iter().any(|own| options.has(own)));
    if writes && !is_file {
        expand_written(options, suite.as_ref(), item, mistakes)
    } else {
        expand_named(options, suite, item, mistakes)
    }
}

/// The candidate's name: as it is given, or the function's.
fn candidate_of(
    options: &mut Options,
    function: Option<&Function>,
    mistakes: &mut Mistakes,
) -> Option<LitStr> {
    let candidate = options.text("candidate", mistakes).or_else(|| {
        let function = function?;
        Some(LitStr::new(
            &emit::plain(&function.ident),
            function.ident.span(),
        ))
    });
    // A name that suites do not allow is told here, at the attribute, and not once more by the suite.
    candidate.filter(|candidate| check_candidate(candidate, mistakes))
}

/// The attribute writes the suite.
fn expand_written(
    mut options: Options,
    name: Option<&LitStr>,
    item: TokenStream,
    mut mistakes: Mistakes,
) -> TokenStream {
    let mut suite = RustSuite::read(&mut options, name, &mut mistakes);
    let registration = Registration::read(&mut options, &mut mistakes);
    let function = Function::read(item.clone(), "decbench::test", &mut mistakes);
    let candidate = candidate_of(&mut options, function.as_ref(), &mut mistakes);
    if let (Some(suite), Some(function), Some(candidate)) = (&mut suite, &function, &candidate) {
        suite.complete(function, candidate, &mut mistakes);
    }
    let mut output = item;
    if let Some(errors) = mistakes.into_tokens() {
        output.extend(errors);
    } else if let (Some(suite), Some(function)) = (suite, function) {
        let guard = guard_name(suite.name(), &function);
        let registered = emit::provider(&function, &registration);
        let written = suite.emit(&function, &registration, &guard);
        output.extend(emit::aside(&function, &quote!(#registered #written)));
        let reason = format!(
            "the suite {} runs where Cargo.toml has `harness = false` for this target and the target has `decbench::main!();`",
            suite.name()
        );
        output.extend(emit_guard(&function, &guard, &reason));
    }
    output
}

/// The attribute names a suite in a file.
fn expand_named(
    mut options: Options,
    suite: Option<LitStr>,
    item: TokenStream,
    mut mistakes: Mistakes,
) -> TokenStream {
    for own in RustSuite::OWN.iter().chain(&["version", "scorecard"]) {
        if let Some(span) = options.refuse(own) {
            mistakes.at(
                span,
                format!("`{own}` stands in the suite's file; leave it out here, or write the whole suite here without `suite`"),
            );
        }
    }
    // A misspelt option is told already.
    if suite.is_none() && mistakes.count() == 0 {
        mistakes.at(
            Span::call_site(),
            "`decbench::test` needs its suite: `#[decbench::test(suite = \"tests/suites/call-routing.yaml\")]`",
        );
    }
    let answers = options
        .path("options", &mut mistakes)
        .or_else(|| options.path("levels", &mut mistakes));
    let registration = Registration::read(&mut options, &mut mistakes);
    let function = Function::read(item.clone(), "decbench::test", &mut mistakes);
    let candidate = candidate_of(&mut options, function.as_ref(), &mut mistakes);
    let file = suite.as_ref().map(|suite| {
        let candidate = candidate.as_ref().map(LitStr::value);
        let candidate = candidate.as_deref().unwrap_or("function");
        suite_file::read(suite, candidate, &mut mistakes)
    });
    let file = file.unwrap_or_default();
    let mut output = item;
    output.extend(file.include);
    if let Some(errors) = mistakes.into_tokens() {
        output.extend(errors);
    } else if let (Some(function), Some(suite), Some(candidate)) = (function, suite, candidate) {
        let compared = compared(
            &file.questions,
            answers.as_ref(),
            &function,
            &registration,
            &suite,
        );
        output.extend(emit_suite(
            &function,
            &registration,
            &suite,
            &candidate,
            &compared,
        ));
    }
    output
}

/// The comparisons of the suite's questions with their types, where the attribute or the function names these.
fn compared(
    questions: &[Said],
    answers: Option<&syn::Path>,
    function: &Function,
    registration: &Registration,
    suite: &LitStr,
) -> TokenStream {
    let krate = &registration.krate;
    let mut compared = TokenStream::new();
    for said in questions {
        let wanted = said.type_name.as_deref().map(last_segment);
        let named = answers
            .filter(|path| {
                let last = path.segments.last().map(|last| emit::plain(&last.ident));
                match wanted {
                    Some(wanted) => last.as_deref() == Some(wanted),
                    // A type in the attribute is that of a suite's only question.
                    None => questions.len() == 1,
                }
            })
            .map(ToTokens::to_token_stream)
            .or_else(|| function.mentions(wanted?));
        if let Some(named) = named {
            let name = named.to_string();
            let name = last_segment(&name).trim().to_owned();
            compared.extend(said.compared_with(&named, &name, krate, suite.span()));
        }
    }
    compared
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
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
    compared: &TokenStream,
) -> TokenStream {
    let krate = &registration.krate;
    let name = registration.name_of(function);
    let line = emit::line_of(function.ident.span());
    let path = suite.value();
    let stem = Path::new(&path).file_stem().unwrap_or_default();
    let guard = guard_name(&stem.to_string_lossy(), function);
    let item = emit::plain(&function.ident);
    let registered = emit::provider(function, registration);
    let aside = emit::aside(
        function,
        &quote! {
            #compared
            #registered
            #krate::__suite! {
                suite: #suite,
                candidate: #candidate,
                function: #name,
                items: [#item, #guard],
                line: #line,
            }
        },
    );
    let reason = format!(
        "{path} runs where Cargo.toml has `harness = false` for this target and the target has `decbench::main!();`"
    );
    let guard = emit_guard(function, &guard, &reason);
    quote!(#aside #guard)
}

/// The name of the ignored test; the suite's name tells two attributes on one function apart.
fn guard_name(suite: &str, function: &Function) -> String {
    let suite: String = suite
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        })
        .collect();
    format!(
        "suite_{suite}_of_{}_needs_harness_false",
        emit::plain(&function.ident)
    )
}

/// The ignored test that a target with the built-in harness shows; without that harness it does not exist.
///
/// It stands where the function's name does, so that editors offer to run it there.
fn emit_guard(function: &Function, name: &str, reason: &str) -> TokenStream {
    let conditions = &function.conditions;
    let name = Ident::new(name, function.ident.span());
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
    fn a_suite_is_in_a_file_or_in_the_attribute() {
        let item = quote!(
            fn f(t: &str) -> Team {
                Team::A
            }
        );
        let written = expanded(
            quote!(
                options = Team,
                question = "Which?",
                cases = "c.jsonl",
                assert("accuracy >= 90%")
            ),
            item.clone(),
        );
        assert!(!written.contains("compile_error"), "{written}");
        assert!(written.contains("__written_suite") && written.contains("suite_f_of_f_needs"));
        let both = expanded(
            quote!(
                suite = "Cargo.yaml",
                cases = "c.jsonl",
                assert("accuracy >= 90%")
            ),
            item,
        );
        assert!(
            both.contains("`cases` stands in the suite's file"),
            "{both}"
        );
        assert!(
            both.contains("`assert` stands in the suite's file"),
            "{both}"
        );
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
