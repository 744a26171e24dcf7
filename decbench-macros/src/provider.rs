//! `#[decbench::provider]`.

use proc_macro2::TokenStream;

use crate::emit::{self, Registration};
use crate::options::{Mistakes, Options};
use crate::signature::Function;

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let mut options = Options::read(options, &Registration::OPTIONS, &mut mistakes);
    let registration = Registration::read(&mut options, &mut mistakes);
    let function = Function::read(item.clone(), "decbench::provider", &mut mistakes);
    let mut output = item;
    if let Some(errors) = mistakes.into_tokens() {
        output.extend(errors);
    } else if let Some(function) = function {
        let registered = emit::provider(&function, &registration);
        output.extend(emit::aside(&function, &registered));
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn the_function_stays_whatever_happens() {
        let function = quote!(
            fn f(text: &str) -> bool {
                true
            }
        );
        for options in [quote!(), quote!(nonsense), quote!(name = 3)] {
            let output = expand(options, function.clone()).to_string();
            assert!(output.starts_with(&function.to_string()));
        }
        let broken = quote!(
            struct Router;
        );
        let output = expand(quote!(), broken.clone()).to_string();
        assert!(output.starts_with(&broken.to_string()));
        assert!(output.contains("compile_error"));
    }

    #[test]
    fn the_call_names_the_renamed_crate() {
        let output = expand(
            quote!(crate = my_bench, recorded = true),
            quote!(
                async fn r#match(text: &str) -> bool {
                    true
                }
            ),
        )
        .to_string();
        assert!(output.contains("my_bench :: __provider !"));
        assert!(output.contains("name : \"match\""));
        assert!(output.contains("recorded : true"));
        assert!(output.contains("async : r#match"));
        assert!(!output.contains(":: decbench"));
    }
}
