//! An enum whose variants are the answers to a question, read and checked.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Token};

use crate::documentation::first_paragraph;
use crate::emit::plain;
use crate::options::{Known, Mistakes, Options, listed};
use crate::rename::{RULES, renamed};

/// What an enum is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// `#[derive(Options)]`.
    Options,
    /// `#[derive(Levels)]`.
    Levels,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::Options => "Options",
            Self::Levels => "Levels",
        }
    }

    fn one(self) -> &'static str {
        match self {
            Self::Options => "option",
            Self::Levels => "level",
        }
    }
}

/// An enum that is a closed set of answers.
pub(crate) struct ClosedSet {
    pub(crate) ident: Ident,
    pub(crate) answers: Vec<Answer>,
    pub(crate) question: Option<LitStr>,
    pub(crate) version: Option<u32>,
    /// Whether `Display` is written for it.
    pub(crate) display: bool,
    /// Whether `FromStr` is written for it.
    pub(crate) from_str: bool,
    pub(crate) krate: TokenStream,
}

/// One variant.
pub(crate) struct Answer {
    pub(crate) ident: Ident,
    /// The key of an option, or the text of a level.
    pub(crate) key: String,
    /// Further spellings that serde reads.
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) escape: Option<Span>,
    key_span: Span,
}

impl ClosedSet {
    /// Reads an item; every mistake is told, and then there is nothing.
    pub(crate) fn read(item: &DeriveInput, role: Role, mistakes: &mut Mistakes) -> Option<Self> {
        let before = mistakes.count();
        let Data::Enum(data) = &item.data else {
            mistakes.at(
                item.ident.span(),
                format!(
                    "`{}` is derived for an enum whose variants are the {}s",
                    role.name(),
                    role.one()
                ),
            );
            return None;
        };
        if !item.generics.params.is_empty() {
            mistakes.at(
                item.generics.params.span(),
                format!("an enum with parameters has no one set of {}s", role.one()),
            );
        }
        let mut options = own_options(
            &item.attrs,
            &Known {
                values: &[
                    "rename_all",
                    "question",
                    "version",
                    "display",
                    "from_str",
                    "crate",
                ],
                ..Known::default()
            },
            mistakes,
        );
        let rule = options
            .text("rename_all", mistakes)
            .or_else(|| Serde::read(&item.attrs).rename_all);
        let rule = rule.filter(|rule| is_rule(rule, mistakes));
        let rule = rule.map_or_else(|| "PascalCase".to_owned(), |rule| rule.value());
        let question = options.text("question", mistakes);
        let version = options.whole("version", mistakes);
        let display = options.switch_off("display", mistakes);
        let from_str = options.switch_off("from_str", mistakes);
        let krate = options.path("crate", mistakes);
        let answers: Vec<Answer> = data
            .variants
            .iter()
            .filter_map(|variant| Answer::read(variant, role, &rule, mistakes))
            .collect();
        check(&item.ident, &answers, role, data.variants.len(), mistakes);
        (mistakes.count() == before).then(|| Self {
            ident: item.ident.clone(),
            answers,
            question,
            version,
            display,
            from_str,
            krate: krate.map_or_else(|| quote!(::decbench), ToTokens::into_token_stream),
        })
    }
}

impl Answer {
    fn read(
        variant: &syn::Variant,
        role: Role,
        rule: &str,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        if !matches!(variant.fields, Fields::Unit) {
            mistakes.at(
                variant.fields.span(),
                format!(
                    "`{}` holds more than its name: the variants of a closed set are alone what is answered",
                    variant.ident
                ),
            );
            return None;
        }
        let known: Known<'_> = match role {
            Role::Options => Known {
                values: &["rename", "description"],
                flags: &["escape"],
                ..Known::default()
            },
            Role::Levels => Known {
                values: &["rename"],
                ..Known::default()
            },
        };
        let mut options = own_options(&variant.attrs, &known, mistakes);
        let serde = Serde::read(&variant.attrs);
        if let Some(skipped) = serde.skipped {
            mistakes.at(
                skipped,
                format!(
                    "serde passes over `{0}`, so it is no {1} that could be sent or read; remove the variant, or serde's attribute",
                    variant.ident,
                    role.one()
                ),
            );
        }
        let renamed_to = options.text("rename", mistakes).or(serde.rename);
        let description = options.text("description", mistakes);
        let name = plain(&variant.ident);
        Some(Self {
            key_span: renamed_to
                .as_ref()
                .map_or_else(|| variant.ident.span(), LitStr::span),
            key: renamed_to
                .map_or_else(|| renamed(&name, rule).unwrap_or(name), |text| text.value()),
            aliases: serde.aliases,
            description: description
                .map(|text| text.value())
                .or_else(|| first_paragraph(&variant.attrs)),
            escape: options.flag("escape"),
            ident: variant.ident.clone(),
        })
    }
}

fn is_rule(rule: &LitStr, mistakes: &mut Mistakes) -> bool {
    let known = RULES.contains(&rule.value().as_str());
    if !known {
        mistakes.at(
            rule.span(),
            format!(
                "there is no rule `{}`; serde's are {}",
                rule.value(),
                listed(&RULES)
            ),
        );
    }
    known
}

fn check(ident: &Ident, answers: &[Answer], role: Role, variants: usize, mistakes: &mut Mistakes) {
    if variants < 2 {
        mistakes.at(
            ident.span(),
            format!(
                "a question needs at least two {}s, and `{ident}` has {variants}",
                role.one()
            ),
        );
    }
    for (position, answer) in answers.iter().enumerate() {
        if answer.key.trim().is_empty() {
            mistakes.at(
                answer.key_span,
                format!("the {}'s key is empty", role.one()),
            );
        }
        if let Some(first) = answers[..position]
            .iter()
            .find(|other| other.key == answer.key)
        {
            mistakes.at(
                answer.key_span,
                format!(
                    "`{}` and `{}` have the same key `{}`",
                    first.ident, answer.ident, answer.key
                ),
            );
        }
        let numbered = answer.key.parse::<i64>().is_ok() && answer.key != position.to_string();
        if role == Role::Levels && numbered {
            mistakes.at(
                answer.key_span,
                format!(
                    "the text of level {position} is another number, {}; levels count from 0",
                    answer.key
                ),
            );
        }
    }
    let mut escapes = answers
        .iter()
        .filter_map(|answer| answer.escape.map(|span| (answer, span)));
    if let (Some((first, _)), Some((second, span))) = (escapes.next(), escapes.next()) {
        mistakes.at(
            span,
            format!(
                "`{}` is a second escape option; `{}` is the first one",
                second.ident, first.ident
            ),
        );
    }
}

/// What all `#[options(…)]` say.
fn own_options(attributes: &[Attribute], known: &Known<'_>, mistakes: &mut Mistakes) -> Options {
    let mut tokens = TokenStream::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("options"))
    {
        match attribute.meta.require_list() {
            Ok(list) => {
                let inner = &list.tokens;
                tokens.extend(quote!(#inner,));
            }
            Err(_) => mistakes.at(attribute.span(), "expected `#[options(…)]`"),
        }
    }
    Options::read_forms(tokens, known, mistakes)
}

/// What serde's own attributes say of keys; what is wrong with them is serde's to tell.
#[derive(Default)]
struct Serde {
    rename_all: Option<LitStr>,
    rename: Option<LitStr>,
    aliases: Vec<String>,
    skipped: Option<Span>,
}

impl Serde {
    fn read(attributes: &[Attribute]) -> Self {
        let mut read = Self::default();
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
        {
            let _ = attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string);
                let text = wire_text(meta.input)?;
                match (name.as_deref(), text) {
                    (Some("rename_all"), Some(text)) => read.rename_all = Some(text),
                    (Some("rename"), Some(text)) => read.rename = Some(text),
                    (Some("alias"), Some(text)) => read.aliases.push(text.value()),
                    (Some("skip" | "skip_serializing" | "skip_deserializing"), _) => {
                        read.skipped = Some(meta.path.span());
                    }
                    _ => {}
                }
                Ok(())
            });
        }
        read
    }
}

/// The text behind a name: `= "…"`, or what is written where both directions are told apart.
fn wire_text(input: ParseStream<'_>) -> syn::Result<Option<LitStr>> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.peek(LitStr) {
            return input.parse().map(Some);
        }
        input.parse::<syn::Expr>()?;
        return Ok(None);
    }
    if !input.peek(syn::token::Paren) {
        return Ok(None);
    }
    let inner;
    syn::parenthesized!(inner in input);
    let mut written = None;
    while !inner.is_empty() {
        let name: Ident = syn::ext::IdentExt::parse_any(&inner)?;
        let text = wire_text(&inner)?;
        if name == "serialize" || written.is_none() {
            written = text;
        }
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn keys(item: &DeriveInput) -> Vec<String> {
        let mut mistakes = Mistakes::default();
        match ClosedSet::read(item, Role::Options, &mut mistakes) {
            Some(read) => read.answers.into_iter().map(|answer| answer.key).collect(),
            None => panic!("{:?}", mistakes.messages()),
        }
    }

    fn told(item: &DeriveInput, role: Role) -> Vec<String> {
        let mut mistakes = Mistakes::default();
        assert!(ClosedSet::read(item, role, &mut mistakes).is_none());
        mistakes.messages()
    }

    #[test]
    fn a_key_is_what_serde_would_write_unless_the_options_say_otherwise() {
        assert_eq!(
            keys(&parse_quote! {
                enum Team { Billing, r#Else }
            }),
            ["Billing", "Else"]
        );
        assert_eq!(
            keys(&parse_quote! {
                #[serde(tag = "t", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
                enum Team { NoReason, #[serde(alias = "x", rename = "acc")] Billing, #[serde(rename(deserialize = "d", serialize = "s"))] Sales }
            }),
            ["NO_REASON", "acc", "s"]
        );
        assert_eq!(
            keys(&parse_quote! {
                #[serde(rename_all = "UPPERCASE")]
                #[options(rename_all = "kebab-case")]
                #[options(version = 2)]
                enum Team { NoReason, #[serde(rename = "acc")] #[options(rename = "Billing!")] Billing }
            }),
            ["no-reason", "Billing!"]
        );
        assert_eq!(
            keys(&parse_quote! {
                #[serde(rename_all(serialize = "lowercase", deserialize = "UPPERCASE"))]
                enum Team { NoReason, Billing }
            }),
            ["noreason", "billing"]
        );
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let messages = told(
            &parse_quote! {
                #[options(rename_all = "Snake", versoin = 3)]
                enum Team<T> {
                    #[options(escape)]
                    A,
                    #[options(escape, rename = "A")]
                    B,
                    C(T),
                    #[serde(skip)]
                    D,
                }
            },
            Role::Options,
        );
        assert_eq!(messages.len(), 7, "{messages:#?}");
    }

    #[test]
    fn a_level_is_no_other_number_and_no_way_out() {
        let messages = told(
            &parse_quote! {
                enum Stars { #[options(rename = "1")] One, #[options(escape)] Two }
            },
            Role::Levels,
        );
        assert_eq!(messages.len(), 2, "{messages:#?}");
        assert!(
            told(
                &parse_quote!(
                    struct Team;
                ),
                Role::Levels
            )[0]
            .contains("derived for an enum")
        );
        assert_eq!(
            told(
                &parse_quote!(
                    enum Team {
                        A,
                    }
                ),
                Role::Options
            )
            .len(),
            1
        );
    }
}
