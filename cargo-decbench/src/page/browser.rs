//! The cases, to be filtered: data for the script, and the controls.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value as Json, json};

use super::Chapter;
use crate::report::rows::Said;

pub(super) fn browser(position: usize, chapter: &Chapter) -> Markup {
    if chapter.rows.cases.is_empty() {
        return html! {};
    }
    let id = |name: &str| format!("s{position}-{name}");
    html! {
        section class="browser" data-suite=(position) {
            h2 id=(id("cases")) { "Cases" }
            form class="filters" onsubmit="return false" {
                label for=(id("show")) { "Show" }
                select id=(id("show")) name="show" {
                    option value="all" { "all" }
                    option value="wrong" selected { "wrong" }
                    option value="sure" { "confident and wrong" }
                    option value="flicker" { "flickering" }
                    option value="differ" { "candidates disagree" }
                }
                label for=(id("of")) { "of" }
                select id=(id("of")) name="of" {
                    option value="" { "any candidate" }
                    @for candidate in &chapter.card.candidates { option value=(candidate.name) { (candidate.name) } }
                }
                label for=(id("text")) { "with" }
                input id=(id("text")) name="text" type="search" placeholder="words in the text or id";
                button type="button" name="clear" { "Clear" }
            }
            p class="count-line" role="status" aria-live="polite" {}
            ol class="cases" {}
            button type="button" class="more" hidden { "Show more" }
            noscript { p { "The list of cases needs the script of this page." } }
            script type="application/json" { (PreEscaped(embedded(&data(chapter)))) }
        }
    }
}

/// Names of candidates once, then a row per case, short because there may be many.
fn data(chapter: &Chapter) -> Json {
    let names: Vec<&str> = chapter
        .card
        .candidates
        .iter()
        .map(|candidate| candidate.name.as_str())
        .collect();
    let cases: Vec<Json> = chapter
        .rows
        .cases
        .iter()
        .map(|case| {
            let said: Vec<Json> = case.said.iter().map(|one| said(one.as_ref())).collect();
            json!([case.id, case.question, case.state, case.gold, said])
        })
        .collect();
    json!({ "candidates": names, "cases": cases })
}

fn said(said: Option<&Said>) -> Json {
    said.map_or(Json::Null, |said| {
        json!([
            said.label,
            said.right,
            said.confidence
                .map(|share| (share * 1000.0).round() / 1000.0),
            said.flickers
        ])
    })
}

/// JSON that cannot end the element it stands in.
fn embedded(data: &Json) -> String {
    data.to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_case_ends_the_script() {
        let text = embedded(&json!("</script><script>alert(1)</script><!--"));
        assert!(!text.contains('<'), "{text}");
        assert_eq!(
            serde_json::from_str::<String>(&text).unwrap(),
            "</script><script>alert(1)</script><!--"
        );
    }
}
