//! Secrets in a line of a text that mistakes point into: they are not shown, as messages end up in logs that more people
//! read than the files.

use std::borrow::Cow;
use std::ops::Range;

/// What stands in place of each byte of a secret, so that marks stay where they are.
const MASK: &str = "*";

/// A line as it may be shown: the values of keys that name secrets, and users and passwords in addresses, are masked.
pub(super) fn masked(line: &str) -> Cow<'_, str> {
    let mut secrets = secrets(line);
    if secrets.is_empty() {
        return Cow::Borrowed(line);
    }
    secrets.sort_by_key(|secret| secret.start);
    let mut shown = String::with_capacity(line.len());
    for secret in secrets {
        let from = secret.start.max(shown.len());
        if from < secret.end {
            shown.push_str(&line[shown.len()..from]);
            shown.push_str(&MASK.repeat(secret.end - from));
        }
    }
    shown.push_str(&line[shown.len()..]);
    Cow::Owned(shown)
}

/// Whether a value of this key is none to show: the key names a secret, or one inside the value does, or an address in it
/// has a user.
pub(crate) fn is_secret(key: &str, value: &serde_json::Value) -> bool {
    names_a_secret(key)
        || match value {
            serde_json::Value::String(text) => !secrets(text).is_empty(),
            serde_json::Value::Array(items) => items.iter().any(|item| is_secret("", item)),
            serde_json::Value::Object(fields) => {
                fields.iter().any(|(key, value)| is_secret(key, value))
            }
            _ => false,
        }
}

/// Whether a setting or header of this name holds a secret, as `api_key`, `X-Auth-Token` and `authorization` do, and
/// `key_env` and `max_tokens` do not.
fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.rsplit(['-', '_', '.']);
    let last = words.next().unwrap_or_default();
    match last {
        "authorization" | "apikey" | "cookie" | "credential" | "credentials" | "password"
        | "passwd" | "secret" | "token" => true,
        // A key alone is anything's name.
        "key" => words.next().is_some_and(|before| {
            matches!(
                before,
                "api" | "access" | "auth" | "private" | "secret" | "subscription"
            )
        }),
        _ => false,
    }
}

/// Where secrets stand in a line.
fn secrets(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = line
        .match_indices("://")
        .filter_map(|(at, mark)| user_info(line, at + mark.len()))
        .collect();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    for (at, _) in line.match_indices([':', '=']) {
        let quoted = line[..at].trim_end().trim_end_matches(['"', '\'']);
        let start = quoted.bytes().rposition(|byte| !is_name(byte));
        let start = start.map_or(0, |before| before + 1);
        let in_a_query = line[..start].ends_with(['?', '&']);
        let name = &quoted[start..];
        if names_a_secret(name) || (in_a_query && name.eq_ignore_ascii_case("key")) {
            found.extend(value(line, at + 1, in_a_query));
        }
    }
    found
}

/// The user and password that begin an address.
fn user_info(line: &str, start: usize) -> Option<Range<usize>> {
    let rest = &line[start..];
    let end = rest
        .find(|letter: char| letter.is_whitespace() || "/?#\"'".contains(letter))
        .unwrap_or(rest.len());
    let at = rest[..end].rfind('@')?;
    (at > 0).then_some(start..start + at)
}

/// The value behind a key: up to the quote that ends it, to the end of a map on one line, or to the end of the line.
fn value(line: &str, after: usize, in_a_query: bool) -> Option<Range<usize>> {
    let rest = &line[after..];
    let start = after + (rest.len() - rest.trim_start().len());
    let rest = &line[start..];
    let quote = rest.chars().next().filter(|first| "\"'".contains(*first));
    let (start, length) = if let Some(quote) = quote {
        let inner = &rest[1..];
        (start + 1, inner.find(quote).unwrap_or(inner.len()))
    } else if in_a_query {
        let ends = |letter: char| letter.is_whitespace() || "&#\"'".contains(letter);
        (start, rest.find(ends).unwrap_or(rest.len()))
    } else if line[..start].contains('{') {
        (start, rest.find([',', '}']).unwrap_or(rest.len()))
    } else {
        (start, rest.len())
    };
    let shown = line[start..start + length].trim_end();
    (!shown.is_empty()).then(|| start..start + shown.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_nothing_else_moves() {
        for (line, shown) in [
            ("  api_key: sk-abc", "  api_key: ******"),
            ("api_key = \"sk-abc\" # mine", "api_key = \"******\" # mine"),
            (
                "{\"api-key\": \"sk-abc\", \"model\": \"m\"}",
                "{\"api-key\": \"******\", \"model\": \"m\"}",
            ),
            (
                "headers: { Authorization: Bearer sk-abc, X-Region: eu }",
                "headers: { Authorization: *************, X-Region: eu }",
            ),
            ("Authorization: Bearer a,b}c", "Authorization: ************"),
            ("X-Auth-Token: 'é b'  ", "X-Auth-Token: '****'  "),
            (
                "base_url: \"http://user:secret@example.org/v1\"",
                "base_url: \"http://***********@example.org/v1\"",
            ),
            ("path: /v1?key=abc&x=1", "path: /v1?key=***&x=1"),
            ("password:", "password:"),
        ] {
            assert_eq!(masked(line), shown);
            assert_eq!(masked(line).len(), line.len());
        }
        for plain in [
            "key_env: OPENAI_API_KEY",
            "max_tokens: 4096",
            "key: billing",
            "base_url: https://api.example.org/v1",
            "text: write to a@example.org",
            "",
        ] {
            assert!(matches!(masked(plain), Cow::Borrowed(_)), "{plain}");
        }
    }

    #[test]
    fn a_setting_is_secret_by_its_name_or_by_what_is_in_it() {
        let secret = |key: &str, value: serde_json::Value| is_secret(key, &value);
        assert!(secret("api_key", "x".into()));
        assert!(secret(
            "headers",
            serde_json::json!({"Authorization": "Bearer x"})
        ));
        assert!(secret("base_url", "https://u:p@example.org".into()));
        assert!(!secret("base_url", "https://example.org".into()));
        assert!(!secret("headers", serde_json::json!({"X-Region": "eu"})));
        assert!(!secret("key_env", "MY_KEY".into()));
    }
}
