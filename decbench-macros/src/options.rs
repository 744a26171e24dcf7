//! `name = value, …` inside an attribute.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::{Parse, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitBool, LitInt, LitStr, Path, Token};

/// Mistakes, all of them.
#[derive(Default)]
pub(crate) struct Mistakes(Option<Error>);

impl Mistakes {
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(Error::new(span, message));
    }

    pub(crate) fn count(&self) -> usize {
        self.0.clone().into_iter().flatten().count()
    }

    #[cfg(test)]
    pub(crate) fn messages(self) -> Vec<String> {
        self.0
            .into_iter()
            .flatten()
            .map(|error| error.to_string())
            .collect()
    }

    /// The mistakes as `compile_error!`s; nothing where there are none.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}

/// The options of one attribute, each given at most once and known.
pub(crate) struct Options {
    given: Vec<(Ident, TokenStream)>,
}

/// The options an attribute knows.
#[derive(Default)]
pub(crate) struct Known<'a> {
    /// Written `name = value`.
    pub(crate) values: &'a [&'a str],
    /// Written `name` alone.
    pub(crate) flags: &'a [&'a str],
    /// Written `name(…)`.
    pub(crate) lists: &'a [&'a str],
}

impl Known<'_> {
    fn names(&self) -> Vec<&str> {
        [self.values, self.flags, self.lists].concat()
    }

    fn form(&self, name: &str) -> &'static str {
        if self.flags.contains(&name) {
            ""
        } else if self.lists.contains(&name) {
            "(…)"
        } else {
            " = …"
        }
    }
}

impl Options {
    /// Reads them; what is unknown, repeated or malformed is told with the list of `known` ones.
    pub(crate) fn read(tokens: TokenStream, known: &[&str], mistakes: &mut Mistakes) -> Self {
        let known = Known {
            values: known,
            ..Known::default()
        };
        Self::read_forms(tokens, &known, mistakes)
    }

    /// Reads options of several forms.
    pub(crate) fn read_forms(
        tokens: TokenStream,
        forms: &Known<'_>,
        mistakes: &mut Mistakes,
    ) -> Self {
        let names = forms.names();
        let known = names.as_slice();
        let mut given: Vec<(Ident, TokenStream)> = Vec::new();
        for piece in split_at_commas(tokens) {
            let mut tokens = piece.into_iter();
            let name = match tokens.next() {
                Some(TokenTree::Ident(name)) if known.contains(&name.to_string().as_str()) => name,
                Some(TokenTree::Ident(name)) => {
                    mistakes.at(
                        name.span(),
                        format!("unknown option `{name}`; known are {}", listed(known)),
                    );
                    continue;
                }
                Some(other) => {
                    mistakes.at(
                        other.span(),
                        format!("expected an option; known are {}", listed(known)),
                    );
                    continue;
                }
                None => continue,
            };
            if given.iter().any(|(earlier, _)| *earlier == name) {
                mistakes.at(
                    name.span(),
                    format!(
                        "`{name}` is given twice; each of {} may be given once",
                        listed(known)
                    ),
                );
                continue;
            }
            let form = forms.form(&name.to_string());
            match (form, tokens.next()) {
                ("", None) => given.push((name, TokenStream::new())),
                ("(…)", Some(TokenTree::Group(list)))
                    if list.delimiter() == Delimiter::Parenthesis && tokens.next().is_none() =>
                {
                    given.push((name, list.stream()));
                }
                (" = …", Some(TokenTree::Punct(sign))) if sign.as_char() == '=' => {
                    given.push((name, tokens.collect()));
                }
                _ => mistakes.at(name.span(), format!("expected `{name}{form}`")),
            }
        }
        Self { given }
    }

    fn take<T: Parse>(&mut self, name: &str, what: &str, mistakes: &mut Mistakes) -> Option<T> {
        let index = self.given.iter().position(|(given, _)| given == name)?;
        let (ident, value) = self.given.swap_remove(index);
        let span = value
            .clone()
            .into_iter()
            .next()
            .map_or_else(|| ident.span(), |token| token.span());
        syn::parse2(value)
            .map_err(|_| mistakes.at(span, format!("expected `{name} = {what}`")))
            .ok()
    }

    pub(crate) fn text(&mut self, name: &str, mistakes: &mut Mistakes) -> Option<LitStr> {
        let text: LitStr = self.take(name, "\"…\"", mistakes)?;
        if text.value().trim().is_empty() {
            mistakes.at(text.span(), format!("`{name}` is empty"));
            return None;
        }
        Some(text)
    }

    pub(crate) fn switch(&mut self, name: &str, mistakes: &mut Mistakes) -> bool {
        self.take(name, "true", mistakes)
            .is_some_and(|value: LitBool| value.value)
    }

    /// Where an option without a value stands.
    pub(crate) fn flag(&mut self, name: &str) -> Option<Span> {
        let index = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.swap_remove(index).0.span())
    }

    /// Whether an option is on that is on unless it says otherwise.
    pub(crate) fn switch_off(&mut self, name: &str, mistakes: &mut Mistakes) -> bool {
        self.take(name, "false", mistakes)
            .is_none_or(|value: LitBool| value.value)
    }

    /// Whether an option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| given == name)
    }

    /// Takes an option out and gives its place, where it was given.
    pub(crate) fn refuse(&mut self, name: &str) -> Option<Span> {
        self.flag(name)
    }

    /// Texts in parentheses.
    pub(crate) fn list(
        &mut self,
        name: &str,
        mistakes: &mut Mistakes,
    ) -> Option<Punctuated<LitStr, Token![,]>> {
        let index = self.given.iter().position(|(given, _)| given == name)?;
        let (_, list) = self.given.swap_remove(index);
        Punctuated::parse_terminated
            .parse2(list)
            .map_err(|error| {
                mistakes.at(
                    error.span(),
                    format!("expected texts, as in `{name}(\"accuracy >= 90%\", \"ece <= 0.05\")`"),
                );
            })
            .ok()
    }

    /// A whole number.
    pub(crate) fn whole(&mut self, name: &str, mistakes: &mut Mistakes) -> Option<u32> {
        let number: LitInt = self.take(name, "3", mistakes)?;
        number
            .base10_parse()
            .map_err(|_| {
                mistakes.at(
                    number.span(),
                    format!("`{name}` wants a whole number from 0, and below 2^32"),
                );
            })
            .ok()
    }

    pub(crate) fn path(&mut self, name: &str, mistakes: &mut Mistakes) -> Option<Path> {
        self.take(name, "path", mistakes)
    }
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut pieces = vec![TokenStream::new()];
    for token in tokens {
        match (&token, pieces.last_mut()) {
            (TokenTree::Punct(sign), _) if sign.as_char() == ',' => pieces.push(TokenStream::new()),
            (_, Some(piece)) => piece.extend([token]),
            (_, None) => {}
        }
    }
    pieces
}

pub(crate) fn listed(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn every_mistake_is_told_and_the_rest_is_read() {
        let mut mistakes = Mistakes::default();
        let mut options = Options::read(
            quote!(
                nam = "x",
                recorded = true,
                recorded = false,
                3,
                name = "router"
            ),
            &["name", "recorded"],
            &mut mistakes,
        );
        assert!(options.switch("recorded", &mut mistakes));
        let name = options.text("name", &mut mistakes);
        assert_eq!(name.map(|name| name.value()).as_deref(), Some("router"));
        assert_eq!(
            mistakes.messages(),
            [
                "unknown option `nam`; known are `name` and `recorded`",
                "`recorded` is given twice; each of `name` and `recorded` may be given once",
                "expected an option; known are `name` and `recorded`",
            ]
        );
    }

    #[test]
    fn a_value_of_the_wrong_kind_shows_the_right_one() {
        let mut mistakes = Mistakes::default();
        let mut options = Options::read(
            quote!(name = 3, recorded, question = " "),
            &["name", "recorded", "question"],
            &mut mistakes,
        );
        assert!(options.text("name", &mut mistakes).is_none());
        assert!(options.text("question", &mut mistakes).is_none());
        assert!(!options.switch("recorded", &mut mistakes));
        assert_eq!(
            mistakes.messages(),
            [
                "expected `recorded = …`",
                "expected `name = \"…\"`",
                "`question` is empty"
            ]
        );
    }

    #[test]
    fn a_trailing_comma_and_a_keyword_are_fine() {
        let mut mistakes = Mistakes::default();
        let mut options =
            Options::read(quote!(crate = ::renamed::inner,), &["crate"], &mut mistakes);
        assert!(options.path("crate", &mut mistakes).is_some());
        assert!(mistakes.messages().is_empty());
    }
}
