//! What a suite says of a question, to be compared with the type of its answers by the compiler.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// What a suite says of one question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// The type that it names, as it is written.
    pub(crate) type_name: Option<String>,
    /// The question's type: `Choice`, `YesNo` or `Score`.
    pub(crate) kind: Option<&'static str>,
    pub(crate) instructions: Option<String>,
    pub(crate) version: Option<u32>,
    pub(crate) options: Option<Vec<SaidOption>>,
}

/// One option as a suite lists it.
#[derive(Debug, Clone)]
pub(crate) struct SaidOption {
    pub(crate) key: String,
    pub(crate) description: Option<String>,
    pub(crate) escape: bool,
}

impl Said {
    /// The questions of a checked suite: what stands beside a type that is named, and else everything.
    #[cfg(feature = "check")]
    pub(crate) fn of_suite(loaded: &decbench_core::suite::Loaded) -> Vec<Self> {
        use decbench_core::decision::{AnswerOption, QuestionKind};

        let options = |options: &[AnswerOption]| -> Vec<SaidOption> {
            options
                .iter()
                .map(|option| SaidOption {
                    key: option.key.clone(),
                    description: option.description.clone(),
                    escape: option.escape,
                })
                .collect()
        };
        let kind = |kind: QuestionKind| match kind {
            QuestionKind::Choice => Some("Choice"),
            QuestionKind::YesNo => Some("YesNo"),
            QuestionKind::Score => Some("Score"),
            _ => None,
        };
        let of_question = |question: &decbench_core::decision::Question| {
            let named = loaded
                .named_types
                .iter()
                .find(|named| named.question == question.name);
            match named {
                Some(named) => Self {
                    type_name: Some(named.name.clone()),
                    kind: None,
                    instructions: named.instructions.clone(),
                    version: named.version,
                    options: named.options.as_deref().map(options),
                },
                None => Self {
                    type_name: None,
                    kind: kind(question.kind),
                    instructions: Some(question.instructions.clone()),
                    version: question.version,
                    // Options in a file are not read here.
                    options: Some(options(&question.options)).filter(|options| {
                        !options.is_empty() && question.kind != QuestionKind::YesNo
                    }),
                },
            }
        };
        loaded.suite.questions.iter().map(of_question).collect()
    }

    /// The comparison with `answers`, whose mistakes are shown at `span`.
    pub(crate) fn compared_with(
        &self,
        answers: &TokenStream,
        name: &str,
        krate: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let kind = optional(self.kind.map(|kind| {
            let kind = quote::format_ident!("{kind}");
            quote!(#krate::AnswerKind::#kind)
        }));
        let instructions = optional(self.instructions.as_ref().map(|text| quote!(#text)));
        let version = optional(self.version.map(|version| quote!(#version)));
        let options = optional(self.options.as_ref().map(|options| {
            let rows = options.iter().map(|option| {
                let key = &option.key;
                let described = option
                    .description
                    .as_ref()
                    .map(|text| quote!(.described(#text)));
                let escape = option.escape.then(|| quote!(.escape()));
                quote!(#krate::AnswerOption::new(#key)#described #escape)
            });
            quote!(&[#(#rows),*])
        }));
        // The whole call stands at the place, which is what the compiler shows.
        let (outer, krate) = (krate, &placed(krate, span));
        let call = quote_spanned! {span=>
            #krate::__private::check_type::<#answers>(&#krate::__private::Said {
                name: #name,
                kind: #kind,
                question: #instructions,
                version: #version,
                options: #options,
            })
        };
        quote!(#outer::__tested! { const _: () = #call; })
    }
}

/// The tokens as if they were written at `span`.
pub(crate) fn placed(tokens: &TokenStream, span: Span) -> TokenStream {
    let place = |mut token: proc_macro2::TokenTree| {
        token.set_span(span);
        token
    };
    tokens.clone().into_iter().map(place).collect()
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}
