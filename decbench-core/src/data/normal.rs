//! Texts that differ in spelling alone, told by one form.

use crate::decision::Digest;

/// Letters with marks, by the letter without: composed and decomposed spellings read alike.
const MARKED: [(char, &str); 21] = [
    ('a', "àáâãäåāăąǎ"),
    ('c', "çćĉċč"),
    ('d', "ďđ"),
    ('e', "èéêëēĕėęě"),
    ('g', "ĝğġģ"),
    ('h', "ĥħ"),
    ('i', "ìíîïĩīĭįı"),
    ('j', "ĵ"),
    ('k', "ķ"),
    ('l', "ĺļľŀł"),
    ('n', "ñńņňŋ"),
    ('o', "òóôõöøōŏőǒ"),
    ('r', "ŕŗř"),
    ('s', "śŝşšș"),
    ('t', "ţťŧț"),
    ('u', "ùúûüũūŭůűųǔ"),
    ('w', "ŵ"),
    ('y', "ýÿŷ"),
    ('z', "źżž"),
    ('ё', "ё"),
    ('и', "й"),
];

/// The text with only its words: lower case, without marks on letters, invisible characters and punctuation, a single
/// blank between words, full-width letters as plain ones.
///
/// Marks are taken off the Latin letters of European languages and wherever they are written apart; apostrophes within
/// words vanish. An empty text is one without any letter or digit.
pub(super) fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if is_passed_over(c) {
            continue;
        }
        let c = narrow(c);
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && !out.is_empty() {
            out.push(' ');
        }
        gap = false;
        match c {
            'ß' => out.push_str("ss"),
            'ﬁ' => out.push_str("fi"),
            'ﬂ' => out.push_str("fl"),
            c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            c => c
                .to_lowercase()
                .filter(|c| !is_passed_over(*c))
                .for_each(|c| out.push(unmarked(c))),
        }
    }
    out
}

/// The digest of the normalised text; `None` where no word is in it.
pub(super) fn normal_digest(text: &str) -> Option<Digest> {
    let normal = normalised(text);
    (!normal.is_empty()).then(|| Digest::of([normal.as_bytes()]))
}

/// Whether a phrase stands in a text, both normalised, as whole words.
pub(super) fn has_words(text: &str, phrase: &str) -> bool {
    if phrase.is_empty() {
        return false;
    }
    text.match_indices(phrase).any(|(start, _)| {
        let end = start + phrase.len();
        let opens = start == 0 || text.as_bytes()[start - 1] == b' ';
        let closes = end == text.len() || text.as_bytes()[end] == b' ';
        // Scripts without blanks between words have no such edges.
        let is_word = |c: Option<char>| c.is_some_and(|c| c < '\u{2E80}');
        (opens || !is_word(phrase.chars().next())) && (closes || !is_word(phrase.chars().last()))
    })
}

/// Combining marks, apostrophes, soft hyphens and what has no width.
fn is_passed_over(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\'' | '’' | '‘' | '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// Full-width forms of ASCII as ASCII.
fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        other => other,
    }
}

fn unmarked(c: char) -> char {
    MARKED
        .iter()
        .find(|(_, marked)| marked.contains(c))
        .map_or(c, |(plain, _)| *plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_punctuation_and_marks_make_no_difference() {
        let plain = normalised("I was charged twice, in Zurich");
        for other in [
            "i WAS charged   twice in zurich!",
            "  I was\ncharged — twice; in Zürich.",
            "I was charged twice, in Zu\u{0308}rich",
            "\u{FEFF}I was char\u{00AD}ged twice in Zurich",
            "Ｉ ｗａｓ charged twice in Zurich",
        ] {
            assert_eq!(normalised(other), plain, "{other}");
        }
        assert_eq!(normalised("Don’t"), normalised("dont"));
        assert_eq!(normalised("STRASSE"), normalised("Straße"));
    }

    #[test]
    fn words_and_numbers_make_a_difference() {
        assert_ne!(normalised("charged 2 times"), normalised("charged 3 times"));
        assert_ne!(normalised("now here"), normalised("nowhere"));
        assert_eq!(normal_digest("— … !"), None);
    }

    #[test]
    fn phrases_are_found_as_whole_words() {
        let text = normalised("Agent: transferred to billing.");
        assert!(has_words(&text, &normalised("Transferred to BILLING")));
        assert!(!has_words(&text, &normalised("red to bill")));
        assert!(!has_words(&text, ""));
        assert!(has_words(&normalised("转接账单部门"), &normalised("账单")));
    }
}
