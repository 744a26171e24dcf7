//! Sentences of the run, with the names in them set as code.

use maud::{Markup, html};

/// A text with what stands between backticks as code; a last backtick without its partner stays as it is.
pub(super) fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    let paired = parts.len() % 2 == 1;
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at % 2 == 1 && (paired || at + 1 < parts.len()) { code { (part) } }
            @else if at % 2 == 1 { "`" (part) }
            @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn names_are_code_and_nothing_is_lost() {
        for (text, markup) in [
            ("keep `a`: no", "keep <code>a</code>: no"),
            ("`a` and `b`", "<code>a</code> and <code>b</code>"),
            ("a ` alone", "a ` alone"),
            ("`a` ` alone", "<code>a</code> ` alone"),
            ("`<b>`", "<code>&lt;b&gt;</code>"),
            ("", ""),
        ] {
            assert_eq!(prose(text).into_string(), markup);
        }
    }
}
