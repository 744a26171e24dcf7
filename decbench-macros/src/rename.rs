//! The rules by which serde makes a key of a variant's name.

/// The rules' names, as `rename_all` takes them.
pub(crate) const RULES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

/// The key that `rule` makes of a variant's name; `None` where there is no such rule.
pub(crate) fn renamed(variant: &str, rule: &str) -> Option<String> {
    Some(match rule {
        "PascalCase" => variant.to_owned(),
        "lowercase" => variant.to_ascii_lowercase(),
        "UPPERCASE" => variant.to_ascii_uppercase(),
        "camelCase" => {
            let first = variant.chars().next().map_or(0, char::len_utf8);
            variant[..first].to_ascii_lowercase() + &variant[first..]
        }
        "snake_case" => words(variant, '_'),
        "SCREAMING_SNAKE_CASE" => words(variant, '_').to_ascii_uppercase(),
        "kebab-case" => words(variant, '-'),
        "SCREAMING-KEBAB-CASE" => words(variant, '-').to_ascii_uppercase(),
        _ => return None,
    })
}

/// Small letters, with a sign before each letter that was a capital, but for the first.
fn words(variant: &str, sign: char) -> String {
    let mut words = String::with_capacity(variant.len() + 4);
    for (index, letter) in variant.char_indices() {
        if index > 0 && letter.is_uppercase() {
            words.push(sign);
        }
        // An underscore in the name is one in the key too, or a hyphen.
        words.push(if letter == '_' {
            sign
        } else {
            letter.to_ascii_lowercase()
        });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_serde() {
        let of = |variant: &str| RULES.map(|rule| renamed(variant, rule).expect("it is a rule"));
        assert_eq!(
            of("NoReasonYet"),
            [
                "noreasonyet",
                "NOREASONYET",
                "NoReasonYet",
                "noReasonYet",
                "no_reason_yet",
                "NO_REASON_YET",
                "no-reason-yet",
                "NO-REASON-YET",
            ]
        );
        assert_eq!(of("A")[3..5], ["a", "a"]);
        assert_eq!(of("Http2Error")[4], "http2_error");
        assert_eq!(of("URL")[4], "u_r_l");
        assert_eq!(of("Über_uns")[6], "Über-uns");
        assert_eq!(renamed("A", "Snake_Case"), None);
    }
}
