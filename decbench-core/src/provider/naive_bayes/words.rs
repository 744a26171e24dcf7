//! The words of a text.

/// The words of a text in lower case: runs of letters and digits of any script.
///
/// Scripts that put no blanks between words give long runs; they are cut into overlapping pairs of letters.
pub(super) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut found = Vec::new();
    for word in lower.split(|letter: char| !letter.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        if letters.len() > 2 && letters.iter().any(|letter| is_unspaced(*letter)) {
            found.extend(letters.windows(2).map(|pair| pair.iter().collect()));
        } else {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether the letter belongs to a script that is written without blanks: Thai, Lao, Myanmar, Khmer, kana, Han.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case_letters_and_digits_of_any_script() {
        assert_eq!(words("Straße 12, ÉTÉ!"), ["straße", "12", "été"]);
        assert_eq!(words("로그인이 안 됩니다"), ["로그인이", "안", "됩니다"]);
        assert_eq!(words("請求書が"), ["請求", "求書", "書が"]);
    }
}
