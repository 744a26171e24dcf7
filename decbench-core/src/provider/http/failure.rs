//! An unsuccessful reply to a failure: which kind, whether another attempt could help, and what a person reads.

use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value;

use super::wait::asked_wait;
use crate::config::read_duration;
use crate::decision::{Failure, FailureKind};
use crate::provider::contract::Retry;
use crate::provider::quotation::{WITHHELD, repeats};
use crate::provider::secret::Secret;

/// The longest text of a service that is shown.
const LONGEST_TEXT: usize = 300;

/// Reads an unsuccessful reply.
pub(super) fn unsuccessful(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    sent: &[u8],
    key: Option<&Secret>,
    now: SystemTime,
) -> (Failure, Retry) {
    let said = Said::read(body);
    let kind = kind(status, &said);
    let mut again = may_help(status, kind);
    match headers.get("x-should-retry").map(HeaderValue::as_bytes) {
        Some(b"true") => again = true,
        Some(b"false") => again = false,
        _ => {}
    }
    let retry = match (again, asked_wait(headers, now).or(said.wait)) {
        (false, _) => Retry::Never,
        (true, Some(wait)) => Retry::After(wait),
        (true, None) => Retry::Soon,
    };
    let mut message = named(status);
    if let Some(hint) = hint(status, kind) {
        message = format!("{message} ({hint})");
    }
    if let Some(words) = said.words() {
        if repeats(&words, sent) || key.is_some_and(|key| key.is_shown_in(&words)) {
            message = format!("{message}; {WITHHELD}");
        } else {
            message = format!("{message}: {words}");
        }
    }
    (Failure::new(kind, message), retry)
}

/// The number of a status, with its name where it has one.
pub(super) fn named(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(name) => format!("{} {name}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}

fn kind(status: StatusCode, said: &Said) -> FailureKind {
    const PAYMENT: &[&str] = &[
        "insufficient_quota",
        "customer_verification_required",
        "3036",
        "4006",
    ];
    if said
        .codes
        .iter()
        .any(|code| PAYMENT.contains(&code.as_str()))
    {
        return FailureKind::Payment;
    }
    match status.as_u16() {
        401 | 403 => FailureKind::Auth,
        402 => FailureKind::Payment,
        429 => FailureKind::RateLimited,
        503 | 529 => FailureKind::Overloaded,
        _ if said.codes.iter().any(|code| code == "3040") => FailureKind::RateLimited,
        _ if said.codes.iter().any(|code| code == "overloaded_error") => FailureKind::Overloaded,
        _ => FailureKind::Http,
    }
}

fn may_help(status: StatusCode, kind: FailureKind) -> bool {
    match kind {
        FailureKind::RateLimited | FailureKind::Overloaded => true,
        FailureKind::Http => matches!(status.as_u16(), 408 | 409 | 424 | 500 | 502..=599),
        _ => false,
    }
}

fn hint(status: StatusCode, kind: FailureKind) -> Option<&'static str> {
    match kind {
        FailureKind::Auth => {
            Some("the key is missing or not accepted, or an edge refused the call")
        }
        FailureKind::Payment => Some("out of credit or quota"),
        _ if status.is_redirection() => {
            Some("redirects are not followed: the key would go to another place")
        }
        _ => None,
    }
}

/// What a body says, in any of the shapes that services use.
#[derive(Debug, Default)]
struct Said {
    texts: Vec<String>,
    /// Types, codes and places: words of machines.
    codes: Vec<String>,
    /// The wait that Google states among an error's details.
    wait: Option<Duration>,
}

impl Said {
    fn read(body: &[u8]) -> Self {
        let mut said = Self::default();
        let Ok(Value::Object(body)) = serde_json::from_slice::<Value>(body) else {
            return said;
        };
        said.code(body.get("id"));
        for part in ["error", "message", "detail", "errors"] {
            if let Some(value) = body.get(part) {
                said.part(value);
            }
        }
        said
    }

    fn part(&mut self, value: &Value) {
        match value {
            Value::String(text) if !text.trim().is_empty() => {
                let words: Vec<&str> = text.split_whitespace().collect();
                self.texts.push(words.join(" "));
            }
            Value::Array(items) => items.iter().take(5).for_each(|item| self.part(item)),
            Value::Object(fields) => {
                for name in ["type", "error_type", "code", "status", "param"] {
                    self.code(fields.get(name));
                }
                if let Some(Value::Array(path)) = fields.get("loc") {
                    let path: Option<Vec<String>> = path.iter().map(code).collect();
                    self.codes.extend(path.map(|path| path.join(".")));
                }
                if let Some(Value::Array(details)) = fields.get("details") {
                    let delay = |detail: &Value| read_duration(detail.get("retryDelay")?.as_str()?);
                    self.wait = details.iter().find_map(delay);
                }
                for name in ["message", "msg"] {
                    if let Some(text) = fields.get(name) {
                        self.part(text);
                    }
                }
            }
            _ => {}
        }
    }

    fn code(&mut self, value: Option<&Value>) {
        self.codes.extend(value.and_then(code));
    }

    /// Codes, then texts; one line, not too long.
    fn words(&self) -> Option<String> {
        let mut codes = self.codes.clone();
        codes.dedup();
        let mut words = codes.join(" ");
        for text in &self.texts {
            if !words.is_empty() {
                words.push_str("; ");
            }
            words.push_str(text);
        }
        (!words.is_empty()).then(|| shortened(&words, LONGEST_TEXT))
    }
}

/// A word of a machine: short and of plain letters.
fn code(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (!text.is_empty() && text.len() <= 64 && text.bytes().all(plain)).then_some(text)
}

/// At most so many letters, with a mark where some are left out; control characters show as blanks.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    let text: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    match text.char_indices().nth(longest) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &[u8] = br#"{"state":"my secret state","questions":{}}"#;

    fn read(status: u16, body: &str) -> (Failure, Retry) {
        let status = StatusCode::from_u16(status).expect("a status");
        let key = Secret::new("apikey_canary");
        unsuccessful(
            status,
            &HeaderMap::new(),
            body.as_bytes(),
            SENT,
            Some(&key),
            SystemTime::UNIX_EPOCH,
        )
    }

    /// Status, body, kind, whether another attempt could help, and words of the message.
    const SHAPES: &[(u16, &str, FailureKind, bool, &str)] = &[
        (
            401,
            r#"{"detail":{"error_type":"authentication_error","message":"bad key"}}"#,
            FailureKind::Auth,
            false,
            "authentication_error; bad key",
        ),
        (
            400,
            r#"{"detail":{"error_type":"max_tokens_exceeded"}}"#,
            FailureKind::Http,
            false,
            "max_tokens_exceeded",
        ),
        (
            400,
            r#"{"detail":"question q1 needs instructions"}"#,
            FailureKind::Http,
            false,
            "question q1 needs instructions",
        ),
        (
            422,
            r#"{"detail":[{"loc":["body","questions","q1"],"msg":"field required","type":"missing","input":{"type":"choice"}}]}"#,
            FailureKind::Http,
            false,
            "missing body.questions.q1; field required",
        ),
        (
            400,
            r#"{"error":{"message":"bad question","type":"invalid_request_error","param":"questions","code":null}}"#,
            FailureKind::Http,
            false,
            "bad question",
        ),
        (
            429,
            r#"{"error":{"message":"no credit","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            FailureKind::Payment,
            false,
            "insufficient_quota; no credit",
        ),
        (
            402,
            r#"{"error":{"code":402,"message":"no credit"}}"#,
            FailureKind::Payment,
            false,
            "402; no credit",
        ),
        (
            403,
            r#"{"error":{"message":"add a card","type":"customer_verification_required"}}"#,
            FailureKind::Payment,
            false,
            "add a card",
        ),
        (
            422,
            r#"{"id":"unprocessable_entity","message":"bad body","request_id":"r1"}"#,
            FailureKind::Http,
            false,
            "unprocessable_entity; bad body",
        ),
        (
            429,
            r#"{"result":null,"success":false,"errors":[{"code":3040,"message":"no capacity"}],"messages":[]}"#,
            FailureKind::RateLimited,
            true,
            "3040; no capacity",
        ),
        (
            429,
            r#"{"errors":[{"code":4006,"message":"daily allocation"}]}"#,
            FailureKind::Payment,
            false,
            "4006",
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"bad argument","status":"INVALID_ARGUMENT","details":[]}}"#,
            FailureKind::Http,
            false,
            "INVALID_ARGUMENT",
        ),
        (
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_1"}"#,
            FailureKind::Overloaded,
            true,
            "busy",
        ),
        (
            403,
            "<html>not JSON at all</html>",
            FailureKind::Auth,
            false,
            "403",
        ),
        (
            504,
            "<html>not JSON at all</html>",
            FailureKind::Http,
            true,
            "504",
        ),
        (500, "", FailureKind::Http, true, "500"),
        (501, "", FailureKind::Http, false, "501"),
        (408, "", FailureKind::Http, true, "408"),
        (
            404,
            r#"{"error":"no such route"}"#,
            FailureKind::Http,
            false,
            "no such route",
        ),
        (
            302,
            "",
            FailureKind::Http,
            false,
            "redirects are not followed",
        ),
    ];

    #[test]
    fn every_published_shape_is_classified() {
        for (status, body, kind, again, words) in SHAPES {
            let (failure, retry) = read(*status, body);
            assert_eq!(failure.kind, *kind, "{status} {body}");
            assert_eq!(retry != Retry::Never, *again, "{status} {body}");
            assert!(
                failure.message.contains(words),
                "{} lacks {words}",
                failure.message
            );
        }
    }

    #[test]
    fn a_status_without_a_name_is_its_number() {
        let busy = r#"{"message":"busy"}"#;
        assert_eq!(read(529, busy).0.message, "529: busy");
        assert_eq!(read(503, busy).0.message, "503 Service Unavailable: busy");
    }

    #[test]
    fn echoed_input_and_keys_are_not_shown() {
        for body in [
            r#"{"detail":[{"msg":"cannot read 'my secret state'","type":"bad","input":"my secret state"}]}"#,
            r#"{"error":"key apikey_canary is unknown"}"#,
            r#"{"error":{"code":"apikey_canary","message":"no"}}"#,
            "my secret state, as plain text",
        ] {
            let (failure, _) = read(422, body);
            assert!(!failure.message.contains("secret"), "{}", failure.message);
            assert!(!failure.message.contains("canary"), "{}", failure.message);
        }
    }

    #[test]
    fn the_service_may_say_whether_to_come_back_and_when() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "2".parse().expect("a value"));
        let with = |headers: &HeaderMap, status| {
            unsuccessful(status, headers, b"", b"", None, SystemTime::UNIX_EPOCH).1
        };
        let wait = Retry::After(Duration::from_secs(2));
        assert_eq!(with(&headers, StatusCode::TOO_MANY_REQUESTS), wait);
        assert_eq!(with(&headers, StatusCode::BAD_REQUEST), Retry::Never);
        headers.insert("x-should-retry", "false".parse().expect("a value"));
        assert_eq!(with(&headers, StatusCode::TOO_MANY_REQUESTS), Retry::Never);
        headers.insert("x-should-retry", "true".parse().expect("a value"));
        assert_eq!(with(&headers, StatusCode::BAD_REQUEST), wait);
    }

    #[test]
    fn texts_are_cut_at_letters() {
        assert_eq!(shortened("ééé\n", 2), "éé…");
        assert_eq!(shortened("a\tb", 5), "a b");
    }
}
