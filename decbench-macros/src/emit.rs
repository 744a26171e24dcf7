//! What the attributes leave beside the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{LitStr, Path};

use crate::options::{Mistakes, Options};
use crate::signature::{Function, Takes};

/// The options that both attributes know.
pub(crate) struct Registration {
    pub(crate) name: Option<LitStr>,
    pub(crate) recorded: bool,
    pub(crate) question: Option<LitStr>,
    /// Where the crate `decbench` is.
    pub(crate) krate: TokenStream,
}

impl Registration {
    pub(crate) const OPTIONS: [&'static str; 4] = ["name", "recorded", "question", "crate"];

    pub(crate) fn read(options: &mut Options, mistakes: &mut Mistakes) -> Self {
        let name = options.text("name", mistakes);
        if let Some(name) = &name
            && (name.value().contains("::") || name.value().contains(char::is_whitespace))
        {
            mistakes.at(
                name.span(),
                "a name holds neither `::` nor spaces; suites put the module before it",
            );
        }
        Self {
            name,
            recorded: options.switch("recorded", mistakes),
            question: options.text("question", mistakes),
            krate: options.path("crate", mistakes).map_or_else(
                || quote!(::decbench),
                |krate: Path| krate.into_token_stream(),
            ),
        }
    }

    /// The name in suites.
    pub(crate) fn name_of(&self, function: &Function) -> LitStr {
        self.name
            .clone()
            .unwrap_or_else(|| LitStr::new(&plain(&function.ident), function.ident.span()))
    }
}

/// The identifier as a person says it, without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// The call that registers `function`.
pub(crate) fn provider(function: &Function, registration: &Registration) -> TokenStream {
    let Registration {
        recorded,
        question,
        krate,
        ..
    } = registration;
    let name = registration.name_of(function);
    let ident = &function.ident;
    let line = line_of(ident.span());
    let question = question.as_ref().map_or_else(
        || quote!(::core::option::Option::None),
        |question| quote!(::core::option::Option::Some(#question)),
    );
    let body = if function.is_async {
        quote!(async)
    } else {
        quote!(sync)
    };
    let takes = match &function.takes {
        Takes::Nothing => quote!(()),
        Takes::Reference(lent) => quote!((&#lent)),
        Takes::Value(given) => quote!((#given)),
    };
    let returns = &function.returns;
    quote! {
        #krate::__provider! {
            name: #name,
            line: #line,
            recorded: #recorded,
            question: #question,
            #body: #ident,
            takes: #takes,
            returns: #returns,
        }
    }
}

/// `content` in an unnamed constant that exists under the conditions of `function`.
pub(crate) fn aside(function: &Function, content: &TokenStream) -> TokenStream {
    let conditions = &function.conditions;
    quote! {
        #(#conditions)*
        const _: () = {
            #content
        };
    }
}

/// The source line; 0 outside of a compilation, where nobody asks.
pub(crate) fn line_of(span: Span) -> u32 {
    if proc_macro::is_available() {
        u32::try_from(span.unwrap().line()).unwrap_or(0)
    } else {
        0
    }
}
