//! What a function takes and returns, as far as its tokens tell.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, PathArguments, ReturnType, Safety, Signature,
    Type, Visibility,
};

use crate::options::Mistakes;

/// A function that can be registered.
pub(crate) struct Function {
    pub(crate) ident: Ident,
    /// The attributes that decide whether it exists.
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) is_async: bool,
    pub(crate) takes: Takes,
    /// The type it returns, lifetimes elided; `_` where it has no name.
    pub(crate) returns: TokenStream,
    /// Where that type stands.
    pub(crate) returned_at: Span,
}

/// The type of the argument, lifetimes elided.
pub(crate) enum Takes {
    Nothing,
    Reference(TokenStream),
    Value(TokenStream),
}

impl Function {
    /// Reads an item's head; what cannot be registered is told and gives nothing.
    ///
    /// The body is not looked at: slips in it are the compiler's to tell.
    pub(crate) fn read(
        item: TokenStream,
        attribute: &str,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let first = item
            .clone()
            .into_iter()
            .find(|token| !matches!(token, TokenTree::Punct(_)))
            .map_or_else(Span::call_site, |token| token.span());
        let Ok((attributes, signature)) = read_head.parse2(item) else {
            mistakes.at(first, format!("`{attribute}` goes on a function"));
            return None;
        };
        let before = mistakes.count();
        check_modifiers(&signature, attribute, mistakes);
        let takes = read_argument(&signature, mistakes);
        let returns = read_return(&signature, mistakes);
        let returned_at = match &signature.output {
            ReturnType::Default => signature.ident.span(),
            ReturnType::Type(_, returned) => returned.span(),
        };
        if mistakes.count() > before {
            return None;
        }
        Some(Self {
            ident: signature.ident,
            conditions: attributes
                .into_iter()
                .filter(|attribute| {
                    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
                })
                .collect(),
            is_async: signature.asyncness.is_some(),
            takes,
            returns,
            returned_at,
        })
    }
}

impl Function {
    /// The part of the returned type whose name is `wanted`, as in `Result<Distribution<Team>, E>`.
    pub(crate) fn mentions(&self, wanted: &str) -> Option<TokenStream> {
        mentioned(&syn::parse2(self.returns.clone()).ok()?, wanted)
    }
}

fn mentioned(returned: &Type, wanted: &str) -> Option<TokenStream> {
    let Type::Path(path) = returned else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident == wanted {
        return Some(returned.to_token_stream());
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => mentioned(inner, wanted),
        _ => None,
    })
}

fn read_head(input: ParseStream<'_>) -> syn::Result<(Vec<Attribute>, Signature)> {
    let attributes = input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    let signature = input.parse()?;
    input.parse::<TokenStream>()?;
    Ok((attributes, signature))
}

fn check_modifiers(signature: &Signature, attribute: &str, mistakes: &mut Mistakes) {
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            mistakes.at(
                parameter.span(),
                format!("`{attribute}` calls one function, and this one is generic; call it from a function with plain types"),
            );
        }
    }
    if let Safety::Unsafe(keyword) = signature.safety {
        mistakes.at(
            keyword.span(),
            format!("`{attribute}` cannot call an unsafe function; call it from a safe one"),
        );
    }
}

fn read_argument(signature: &Signature, mistakes: &mut Mistakes) -> Takes {
    let mut arguments = signature.inputs.iter();
    let takes = match arguments.next() {
        None => Takes::Nothing,
        Some(FnArg::Receiver(receiver)) => {
            mistakes.at(
                receiver.span(),
                "a provider is a function without `self`; call the method from one",
            );
            Takes::Nothing
        }
        Some(FnArg::Typed(argument)) => read_type(&argument.ty, mistakes),
    };
    if let Some(second) = arguments.next() {
        mistakes.at(
            second.span(),
            "a provider takes one argument: the state, or `&decbench::Request` for everything that is asked",
        );
    }
    takes
}

fn read_type(taken: &Type, mistakes: &mut Mistakes) -> Takes {
    match taken {
        Type::Paren(inner) => read_type(&inner.elem, mistakes),
        Type::Group(inner) => read_type(&inner.elem, mistakes),
        Type::Reference(reference) => {
            if let Some(keyword) = &reference.mutability {
                mistakes.at(
                    keyword.span(),
                    "a provider takes the state by shared reference; write `&`",
                );
            }
            tell_nameless(&reference.elem, mistakes);
            Takes::Reference(elided(reference.elem.to_token_stream()))
        }
        other => {
            tell_nameless(other, mistakes);
            Takes::Value(elided(other.to_token_stream()))
        }
    }
}

fn tell_nameless(taken: &Type, mistakes: &mut Mistakes) {
    if let Type::ImplTrait(nameless) = taken {
        mistakes.at(
            nameless.span(),
            "a provider takes a type with a name, such as `&str`",
        );
    }
}

fn read_return(signature: &Signature, mistakes: &mut Mistakes) -> TokenStream {
    match &signature.output {
        ReturnType::Default => {
            mistakes.at(
                signature.ident.span(),
                "a provider returns what it decided: a label (`&str`, `String`), `bool`, a level, a `Distribution`, or a `Result` of these",
            );
            TokenStream::new()
        }
        ReturnType::Type(_, returned) if matches!(**returned, Type::ImplTrait(_)) => quote!(_),
        ReturnType::Type(_, returned) => elided(returned.to_token_stream()),
    }
}

/// The tokens with every named lifetime but `'static` replaced by `'_`: the function's own names mean nothing
/// outside of it.
fn elided(tokens: TokenStream) -> TokenStream {
    let mut after_quote = false;
    tokens
        .into_iter()
        .map(|token| {
            let was_after_quote = std::mem::take(&mut after_quote);
            match token {
                TokenTree::Punct(sign) => {
                    after_quote = sign.as_char() == '\'';
                    TokenTree::Punct(sign)
                }
                TokenTree::Ident(name) if was_after_quote && name != "static" => {
                    TokenTree::Ident(Ident::new("_", name.span()))
                }
                TokenTree::Group(group) => {
                    let mut inner =
                        proc_macro2::Group::new(group.delimiter(), elided(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(item: TokenStream) -> Result<Function, Vec<String>> {
        let mut mistakes = Mistakes::default();
        let function = Function::read(item, "decbench::provider", &mut mistakes);
        function.ok_or_else(|| mistakes.messages())
    }

    fn takes(item: TokenStream) -> String {
        match read(item).map(|function| function.takes) {
            Ok(Takes::Nothing) => "nothing".into(),
            Ok(Takes::Reference(lent)) => format!("& {lent}"),
            Ok(Takes::Value(given)) => given.to_string(),
            Err(mistakes) => panic!("{mistakes:?}"),
        }
    }

    #[test]
    fn the_shape_of_the_argument_is_seen() {
        assert_eq!(
            takes(quote!(
                fn f() -> bool {
                    true
                }
            )),
            "nothing"
        );
        assert_eq!(
            takes(quote!(
                pub fn f(text: &str) -> bool {
                    true
                }
            )),
            "& str"
        );
        assert_eq!(
            takes(quote!(
                async fn f<'a>(r: &'a Request<'a>) -> &'static str {
                    ""
                }
            )),
            "& Request < '_ >"
        );
        assert_eq!(
            takes(quote!(
                fn f(c: Cow<'static, str>) -> bool {
                    true
                }
            )),
            "Cow < 'static , str >"
        );
    }

    #[test]
    fn a_type_is_found_within_the_returned_one() {
        let mentions = |item: TokenStream| {
            let function = read(item).expect("it can be registered");
            function.mentions("Team").map(|found| found.to_string())
        };
        let found = mentions(quote!(
            fn f(s: &State) -> Result<Distribution<my_app::Team>, E> {}
        ));
        assert_eq!(found.as_deref(), Some("my_app :: Team"));
        assert_eq!(
            mentions(quote!(
                fn f() -> Teams {}
            )),
            None
        );
    }

    #[test]
    fn a_slip_in_the_body_is_not_ours_to_tell() {
        assert!(
            read(quote!(#[doc = "x"] #[cfg(unix)] fn f(t: &str) -> bool { let = ; }))
                .is_ok_and(|function| function.conditions.len() == 1 && !function.is_async)
        );
    }

    #[test]
    fn what_cannot_be_registered_is_told_all_at_once() {
        let told = |item| read(item).err().expect("none of these can be registered");
        assert_eq!(
            told(quote!(
                struct Router;
            )),
            ["`decbench::provider` goes on a function"]
        );
        assert_eq!(
            told(quote!(
                unsafe fn f<T>(state: &mut T, other: u8) {}
            ))
            .len(),
            5
        );
        assert_eq!(
            told(quote!(
                fn f(&self) -> bool {
                    true
                }
            ))
            .len(),
            1
        );
        assert_eq!(
            told(quote!(
                fn f(s: &impl AsRef<str>) -> bool {
                    true
                }
            ))
            .len(),
            1
        );
    }
}
