//! `#[derive(decbench::Options)]` and `#[derive(decbench::Levels)]`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::DeriveInput;

use crate::closed_set::{Answer, ClosedSet, Role};
use crate::emit::{line_of, plain};
use crate::options::Mistakes;

pub(crate) fn expand(item: TokenStream, role: Role) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let read = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => ClosedSet::read(&item, role, &mut mistakes),
        Err(error) => {
            mistakes.add(error);
            None
        }
    };
    match (mistakes.into_tokens(), read) {
        (None, Some(read)) => emit(&read, role),
        (errors, _) => errors.unwrap_or_default(),
    }
}

fn emit(read: &ClosedSet, role: Role) -> TokenStream {
    let ClosedSet { ident, krate, .. } = read;
    let options = options(read, role);
    let levels = (role == Role::Levels).then(|| {
        quote! {
            #[automatically_derived]
            impl #krate::Levels for #ident {}
        }
    });
    let display = read.display.then(|| display(read, role));
    let from_str = read.from_str.then(|| from_str(read, role));
    let name = plain(ident);
    let line = line_of(ident.span());
    quote! {
        const _: () = {
            #options
            #levels
            #display
            #from_str
            #krate::__options! {
                name: #name,
                line: #line,
                of: #ident,
            }
        };
    }
}

fn options(read: &ClosedSet, role: Role) -> TokenStream {
    let ClosedSet { ident, krate, .. } = read;
    let kind = match role {
        Role::Options => quote!(Choice),
        Role::Levels => quote!(Score),
    };
    let rows = read
        .answers
        .iter()
        .enumerate()
        .map(|(position, answer)| row(krate, role, position, answer));
    let values: Vec<_> = read.answers.iter().map(|answer| &answer.ident).collect();
    let positions = (0..values.len()).map(Literal::usize_unsuffixed);
    let question = read.question.as_ref().map(|text| {
        quote! {
            const QUESTION: ::core::option::Option<&'static str> = ::core::option::Option::Some(#text);
        }
    });
    let version = read.version.map(|version| {
        quote! {
            const VERSION: ::core::option::Option<u32> = ::core::option::Option::Some(#version);
        }
    });
    let arms = read.answers.iter().enumerate().map(|(position, answer)| {
        let variant = &answer.ident;
        let keys = match role {
            Role::Options => vec![answer.key.clone()],
            Role::Levels => vec![position.to_string()],
        };
        let keys = keys.iter().chain(&answer.aliases);
        quote!(#(#keys)|* => ::core::option::Option::Some(Self::#variant),)
    });
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unreachable_patterns)]
        impl #krate::Options for #ident {
            const KIND: #krate::AnswerKind = #krate::AnswerKind::#kind;
            const OPTIONS: &'static [#krate::AnswerOption] = &[#(#rows),*];
            const ALL: &'static [Self] = &[#(Self::#values),*];
            #question
            #version

            fn index(&self) -> usize {
                match self {
                    #(Self::#values => #positions,)*
                }
            }

            fn from_key(key: &str) -> ::core::option::Option<Self> {
                match key {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// A row of the table of options.
fn row(krate: &TokenStream, role: Role, position: usize, answer: &Answer) -> TokenStream {
    let (key, description) = match role {
        Role::Options => (answer.key.clone(), answer.description.clone()),
        // A level's label is its index; what is sent is its text.
        Role::Levels => (position.to_string(), Some(answer.key.clone())),
    };
    let described = description.map(|text| quote!(.described(#text)));
    let escape = answer.escape.is_some().then(|| quote!(.escape()));
    quote!(#krate::AnswerOption::new(#key)#described #escape)
}

fn display(read: &ClosedSet, role: Role) -> TokenStream {
    let ClosedSet { ident, krate, .. } = read;
    let text = match role {
        Role::Options => quote!(#krate::Options::key(self)),
        Role::Levels => quote!(#krate::Levels::text(self)),
    };
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.pad(#text)
            }
        }
    }
}

fn from_str(read: &ClosedSet, role: Role) -> TokenStream {
    let ClosedSet { ident, krate, .. } = read;
    let by_text = (role == Role::Levels).then(|| {
        let arms = read.answers.iter().map(|answer| {
            let (text, variant) = (&answer.key, &answer.ident);
            quote!(#text => ::core::result::Result::Ok(Self::#variant),)
        });
        quote!(#(#arms)*)
    });
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl ::core::str::FromStr for #ident {
            type Err = #krate::UnknownOption;

            fn from_str(text: &str) -> ::core::result::Result<Self, Self::Err> {
                if let ::core::option::Option::Some(value) = <Self as #krate::Options>::from_key(text) {
                    return ::core::result::Result::Ok(value);
                }
                match text {
                    #by_text
                    _ => ::core::result::Result::Err(#krate::UnknownOption::of::<Self>(text)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_enum_gives_its_mistakes_and_nothing_else() {
        let output = expand(
            quote!(
                enum Team {
                    A(u8),
                    B,
                }
            ),
            Role::Options,
        )
        .to_string();
        assert!(output.contains("compile_error") && !output.contains("impl"));
        let output = expand(
            quote!(
                fn f() {}
            ),
            Role::Options,
        )
        .to_string();
        assert_eq!(output.matches("compile_error").count(), 1);
    }

    #[test]
    fn only_the_named_crate_is_used() {
        let item = quote! {
            #[options(crate = my_bench, question = "Which?", version = 7)]
            enum Team { A, B }
        };
        let output = expand(item, Role::Options).to_string();
        assert!(output.contains("my_bench :: Options") && !output.contains(":: decbench"));
        assert!(output.contains("Some (7u32)") && output.contains("Some (\"Which?\")"));
    }

    #[test]
    fn display_and_parsing_can_be_left_to_the_user() {
        let item = quote! {
            #[options(display = false, from_str = false)]
            enum Mood { Calm, Angry }
        };
        let output = expand(item, Role::Levels).to_string();
        assert!(!output.contains("Display") && !output.contains("FromStr"));
        assert!(output.contains("Levels for Mood"));
    }
}
