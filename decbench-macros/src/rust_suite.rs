//! A suite that an attribute writes.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{LitStr, Path, Token};

use crate::compared::{Said, placed};
use crate::emit::{Registration, plain};
use crate::options::{Mistakes, Options};
use crate::signature::Function;

/// A suite as its attribute writes it.
pub(crate) struct RustSuite {
    answers: Path,
    /// `Options`, `Levels` or `YesNo`.
    kind: &'static str,
    question: Option<LitStr>,
    version: Option<u32>,
    parts: Vec<Part>,
}

/// An option of the attribute with its value.
struct Part {
    /// The name of core's key.
    key: &'static str,
    text: String,
    span: Span,
}

impl RustSuite {
    /// The options that make an attribute one that writes its suite.
    pub(crate) const OWN: [&'static str; 2] = ["cases", "assert"];

    /// The options that name the type of the answers.
    pub(crate) const TYPES: [&'static str; 2] = ["options", "levels"];

    /// Reads the attribute's options; `name` is the suite's where the attribute names it.
    pub(crate) fn read(
        options: &mut Options,
        name: Option<&LitStr>,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let question = options.text("question", mistakes);
        let version = options.whole("version", mistakes);
        let (answers, kind) = answers(options, mistakes)?;
        let cases = options.text("cases", mistakes);
        let scorecard = options.text("scorecard", mistakes);
        let assertions = assertions(options, mistakes);
        if cases.is_none() && mistakes.count() == 0 {
            mistakes.at(
                Span::call_site(),
                "the suite has no cases: write `cases = \"tests/suites/call-routing.cases.jsonl\"`",
            );
        }
        let mut parts = Vec::new();
        let mut push = |key: &'static str, text: &LitStr| {
            parts.push(Part {
                key,
                text: text.value(),
                span: text.span(),
            });
        };
        if let Some(name) = name {
            push("Suite", name);
        }
        if let Some(question) = &question {
            push("Question", question);
        }
        if let Some(cases) = &cases {
            push("Cases", cases);
        }
        for assertion in &assertions {
            push("Assert", assertion);
        }
        if let Some(scorecard) = &scorecard {
            push("Scorecard", scorecard);
        }
        let last = answers.segments.last()?;
        parts.push(Part {
            key: kind,
            text: plain(&last.ident),
            span: answers.span(),
        });
        if let Some(version) = version {
            parts.push(Part {
                key: "Version",
                text: version.to_string(),
                span: question
                    .as_ref()
                    .map_or_else(|| answers.span(), LitStr::span),
            });
        }
        Some(Self {
            answers,
            kind,
            question,
            version,
            parts,
        })
    }

    /// Puts in what comes from the function and the candidate's name, and checks the whole.
    pub(crate) fn complete(
        &mut self,
        function: &Function,
        candidate: &LitStr,
        mistakes: &mut Mistakes,
    ) {
        if self.parts.iter().all(|part| part.key != "Suite") {
            self.parts.push(Part {
                key: "Suite",
                text: plain(&function.ident),
                span: function.ident.span(),
            });
        }
        self.parts.push(Part {
            key: "Candidate",
            text: candidate.value(),
            span: candidate.span(),
        });
        if function.returns.to_string() == "_" {
            mistakes.at(
                function.ident.span(),
                "the function of a suite names the type that it returns",
            );
        }
        if mistakes.count() == 0 {
            self.check(mistakes);
        }
    }

    /// The suite's name.
    pub(crate) fn name(&self) -> &str {
        let mut parts = self.parts.iter();
        parts
            .find(|part| part.key == "Suite")
            .map_or("suite", |part| &part.text)
    }

    /// The mistakes that the checker of suites finds, each at its literal. Cases are not read.
    #[cfg(feature = "check")]
    fn check(&self, mistakes: &mut Mistakes) {
        use std::sync::Arc;

        use decbench_core::diagnostic::{Severity, Source, Span as Numbered};
        use decbench_core::suite::{Part as CorePart, PartKey, Tree, check};

        let key = |key: &str| match key {
            "Suite" => Some(PartKey::Suite),
            "Question" => Some(PartKey::Question),
            "Version" => Some(PartKey::Version),
            "Options" => Some(PartKey::Options),
            "Levels" => Some(PartKey::Levels),
            "YesNo" => Some(PartKey::YesNo),
            "Cases" => Some(PartKey::Cases),
            "Candidate" => Some(PartKey::Candidate),
            "Assert" => Some(PartKey::Assert),
            "Scorecard" => Some(PartKey::Scorecard),
            _ => None,
        };
        let function = CorePart {
            key: PartKey::Function,
            text: "function",
            span: Numbered::new(0, 0),
        };
        // Spans number the parts, and lead back to their tokens.
        let parts: Vec<CorePart<'_>> = self
            .parts
            .iter()
            .enumerate()
            .filter_map(|(number, part)| {
                Some(CorePart {
                    key: key(part.key)?,
                    text: &part.text,
                    span: Numbered::new(number, number),
                })
            })
            .chain([function])
            .collect();
        let source = Arc::new(Source::new("the attribute", ""));
        let tree = Tree::from_rust(&source, &parts);
        let Err(found) = check(&tree, std::path::Path::new("suite.rs"), None) else {
            return;
        };
        for mistake in found
            .iter()
            .filter(|mistake| mistake.severity == Severity::Error)
        {
            let part = self.parts.get(mistake.span.start);
            let help = mistake.help.as_ref().map(|help| format!("\nhelp: {help}"));
            mistakes.at(
                part.map_or_else(Span::call_site, |part| part.span),
                format!(
                    "{} [{}]{}",
                    mistake.message,
                    mistake.code,
                    help.unwrap_or_default()
                ),
            );
        }
    }

    #[cfg(not(feature = "check"))]
    #[expect(clippy::unused_self, reason = "with the feature `check` it is used")]
    fn check(&self, _mistakes: &mut Mistakes) {}

    /// What registers the suite, and what the compiler compares.
    pub(crate) fn emit(
        &self,
        function: &Function,
        registration: &Registration,
        guard: &str,
    ) -> TokenStream {
        let krate = &registration.krate;
        let answers = self.answers.to_token_stream();
        let answers_name = self
            .answers
            .segments
            .last()
            .map(|last| plain(&last.ident))
            .unwrap_or_default();
        let name = registration.name_of(function);
        let item = plain(&function.ident);
        let parts = self.parts.iter().map(|part| {
            let key = format_ident!("{}", part.key);
            let (text, (line, column), length) = (&part.text, place(part.span), length(part));
            quote!(#key #text, #line, #column, #length;)
        });
        let (line, column) = place(function.ident.span());
        let compared = self.compared(krate, &answers, &answers_name);
        let returns = &function.returns;
        let placed_krate = placed(krate, function.returned_at);
        let answering = quote_spanned! {function.returned_at=>
            #placed_krate::__private::answers_with::<#answers, #returns>()
        };
        quote! {
            #compared
            #krate::__tested! { const _: fn() = || #answering; }
            #krate::__written_suite! {
                answers: #answers,
                name: #answers_name,
                line: #line,
                items: [#item, #guard],
                parts: {
                    #(#parts)*
                    Function ::core::concat!(::core::module_path!(), "::", #name), #line, #column, 0usize;
                },
            }
        }
    }

    /// The comparisons of the attribute with its type, each at the literal that could differ.
    fn compared(&self, krate: &TokenStream, answers: &TokenStream, name: &str) -> TokenStream {
        let kind = match self.kind {
            "Levels" => "Score",
            "YesNo" => "YesNo",
            _ => "Choice",
        };
        let of_type = Said {
            kind: Some(kind),
            ..Said::default()
        };
        let mut compared = of_type.compared_with(answers, name, krate, self.answers.span());
        if let Some(question) = &self.question {
            let wording = Said {
                instructions: Some(question.value()),
                version: self.version,
                ..Said::default()
            };
            compared.extend(wording.compared_with(answers, name, krate, question.span()));
        } else {
            let placed_krate = placed(krate, self.answers.span());
            let call = quote_spanned! {self.answers.span()=>
                #placed_krate::__private::check_question::<#answers>(#name)
            };
            compared.extend(quote!(#krate::__tested! { const _: () = #call; }));
        }
        for part in self.parts.iter().filter(|part| part.key == "Assert") {
            if let Some(option) = option_of(&part.text) {
                let placed_krate = placed(krate, part.span);
                let call = quote_spanned! {part.span=>
                    #placed_krate::__private::check_option::<#answers>(#name, #option)
                };
                compared.extend(quote!(#krate::__tested! { const _: () = #call; }));
            }
        }
        compared
    }
}

fn answers(options: &mut Options, mistakes: &mut Mistakes) -> Option<(Path, &'static str)> {
    let of_choice = options.path("options", mistakes);
    let of_score = options.path("levels", mistakes);
    match (of_choice, of_score) {
        (Some(path), None) if path.is_ident("bool") => Some((path, "YesNo")),
        (Some(path), None) => Some((path, "Options")),
        (None, Some(path)) => Some((path, "Levels")),
        (Some(_), Some(path)) => {
            mistakes.at(
                path.span(),
                "`options` and `levels` exclude each other: a choice has options, a score has levels",
            );
            None
        }
        (None, None) => {
            if mistakes.count() == 0 {
                mistakes.at(
                    Span::call_site(),
                    "the suite names no type of answers: write `options = Team`, `levels = Mood` for a score, or `options = bool` for yes and no",
                );
            }
            None
        }
    }
}

fn assertions(options: &mut Options, mistakes: &mut Mistakes) -> Vec<LitStr> {
    let before = mistakes.count();
    let list = options.list("assert", mistakes);
    let assertions: Vec<LitStr> = list
        .map(|list: Punctuated<LitStr, Token![,]>| list.into_iter().collect())
        .unwrap_or_default();
    if assertions.is_empty() && mistakes.count() == before {
        mistakes.at(
            Span::call_site(),
            "the suite asserts nothing: write `assert(\"accuracy >= 90%\")`",
        );
    }
    assertions
}

/// The option that an assertion is about, as in `recall[billing] >= 95%`.
#[cfg(feature = "check")]
fn option_of(assertion: &str) -> Option<String> {
    use decbench_core::metric::{Metric, MetricArgument};

    let metric = &assertion[..=assertion.rfind(']')?];
    match Metric::parse(metric).ok()?.argument {
        MetricArgument::Option(key) => Some(key),
        _ => None,
    }
}

#[cfg(not(feature = "check"))]
fn option_of(_assertion: &str) -> Option<String> {
    None
}

/// Line and column in the source, from 1; 0 outside of a compilation.
fn place(span: Span) -> (u32, u32) {
    if !proc_macro::is_available() {
        return (0, 0);
    }
    let span = span.unwrap().start();
    let number = |number: usize| u32::try_from(number).unwrap_or(0);
    (number(span.line()), number(span.column()))
}

fn length(part: &Part) -> usize {
    part.span
        .source_text()
        .map_or(part.text.len(), |text| text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Known;

    fn read(tokens: TokenStream) -> (Option<RustSuite>, Vec<String>) {
        let mut mistakes = Mistakes::default();
        let known = Known {
            values: &[
                "question",
                "version",
                "options",
                "levels",
                "cases",
                "scorecard",
            ],
            lists: &["assert"],
            ..Known::default()
        };
        let mut options = Options::read_forms(tokens, &known, &mut mistakes);
        let suite = RustSuite::read(&mut options, None, &mut mistakes);
        (suite, mistakes.messages())
    }

    #[test]
    fn every_option_becomes_a_part() {
        let (suite, mistakes) = read(quote!(
            question = "Which?",
            options = my_app::Team,
            version = 3,
            cases = "c.jsonl",
            assert("accuracy >= 90%", "ece <= 0.05",)
        ));
        assert!(mistakes.is_empty(), "{mistakes:?}");
        let parts = suite.expect("it is whole").parts;
        let parts: Vec<(&str, &str)> = parts
            .iter()
            .map(|part| (part.key, part.text.as_str()))
            .collect();
        assert_eq!(
            parts,
            [
                ("Question", "Which?"),
                ("Cases", "c.jsonl"),
                ("Assert", "accuracy >= 90%"),
                ("Assert", "ece <= 0.05"),
                ("Options", "Team"),
                ("Version", "3"),
            ]
        );
        let (suite, _) = read(quote!(
            options = bool,
            cases = "c",
            assert("accuracy >= 1%")
        ));
        assert_eq!(suite.expect("it is whole").kind, "YesNo");
    }

    #[test]
    fn what_is_missing_is_told() {
        let told = |tokens| {
            let (_, mistakes) = read(tokens);
            assert_eq!(mistakes.len(), 1, "{mistakes:?}");
            mistakes[0].clone()
        };
        assert!(told(quote!(cases = "c", assert("x"))).contains("no type of answers"));
        assert!(told(quote!(options = A, levels = B, cases = "c")).contains("exclude"));
        assert!(told(quote!(options = A, cases = "c")).contains("asserts nothing"));
        assert!(told(quote!(options = A, cases = "c", assert())).contains("asserts nothing"));
        assert!(
            told(quote!(options = A, cases = "c", assert(accuracy))).contains("accuracy >= 90%")
        );
    }
}
