//! JSON text to nodes with positions.

use std::sync::Arc;

use super::tree::{DEPTH_LIMIT, Entry, Node, Style, Value};
use crate::diagnostic::{Diagnostic, Source, Span};

/// Reads the one JSON value in `range`, a part of the source such as a line.
///
/// # Errors
/// The first thing that is no JSON, with its place.
pub(super) fn parse(source: &Arc<Source>, range: Span) -> Result<Node, Box<Diagnostic>> {
    let mut parser = Parser {
        text: &source.text[..range.end],
        at: range.start,
        depth: 0,
    };
    let result = parser.value().and_then(|node| {
        parser.blanks();
        if parser.at < range.end {
            return parser.fail("something follows the value");
        }
        Ok(node)
    });
    result.map_err(|(at, message)| {
        let code = if message.starts_with("nested") {
            "too-deep"
        } else {
            "json-syntax"
        };
        Box::new(Diagnostic::error(
            code,
            Arc::clone(source),
            Span::new(at, at),
            message,
        ))
    })
}

type Parsed<T> = Result<T, (usize, String)>;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err((self.at, format!("not valid JSON: {}", message.into())))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
    }

    /// The character here, for messages.
    fn shown(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(letter) => format!("`{}`", letter.escape_debug()),
            None => "the end".into(),
        }
    }

    fn value(&mut self) -> Parsed<Node> {
        self.blanks();
        let start = self.at;
        let value = match self.byte() {
            Some(b'{') => self.nested(Self::map)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => {
                let text = self.string()?;
                return Ok(Node::scalar(text, Style::Quoted, Span::new(start, self.at)));
            }
            Some(b'-' | b'0'..=b'9') => return self.number(),
            Some(b'a'..=b'z' | b'A'..=b'Z') => return self.word(),
            Some(b'\'') => return self.fail("text stands in double quotes"),
            _ => return self.fail(format!("a value is missing before {}", self.shown())),
        };
        Ok(Node {
            span: Span::new(start, self.at),
            value,
        })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Parsed<Value>) -> Parsed<Value> {
        if self.depth == DEPTH_LIMIT {
            return Err((
                self.at,
                format!("nested more than {DEPTH_LIMIT} levels deep"),
            ));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn map(&mut self) -> Parsed<Value> {
        let mut entries = Vec::new();
        self.blanks();
        if self.byte() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Map(entries));
        }
        loop {
            self.blanks();
            if self.byte() != Some(b'"') {
                return self.fail(format!(
                    "a key in double quotes is missing before {}",
                    self.shown()
                ));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.blanks();
            if self.byte() != Some(b':') {
                return self.fail(format!("`:` is missing before {}", self.shown()));
            }
            self.at += 1;
            let value = self.value()?;
            entries.push(Entry {
                key,
                key_span,
                value,
            });
            self.blanks();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Map(entries));
                }
                _ => return self.fail(format!("`,` or `}}` is missing before {}", self.shown())),
            }
        }
    }

    fn list(&mut self) -> Parsed<Value> {
        let mut items = Vec::new();
        self.blanks();
        if self.byte() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            match self.byte() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(items));
                }
                _ => return self.fail(format!("`,` or `]` is missing before {}", self.shown())),
            }
        }
    }

    fn word(&mut self) -> Parsed<Node> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        if matches!(word, "true" | "false" | "null") {
            return Ok(Node::scalar(word, Style::Plain, Span::new(start, self.at)));
        }
        self.at = start;
        self.fail(match word {
            "NaN" | "nan" | "Infinity" | "inf" => {
                "JSON has no NaN and no infinite number".to_owned()
            }
            _ => format!("`{word}` is no value; text stands in double quotes"),
        })
    }

    fn digits(&mut self) -> Parsed<()> {
        if !self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.fail(format!("a digit is missing before {}", self.shown()));
        }
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Parsed<Node> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
            if self.byte() == Some(b'I') {
                return self.word();
            }
        }
        let whole = self.at;
        self.digits()?;
        if self.at - whole > 1 && self.text.as_bytes()[whole] == b'0' {
            self.at = whole;
            return self.fail("a number starts with a superfluous zero");
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Node::scalar(
            &self.text[start..self.at],
            Style::Plain,
            Span::new(start, self.at),
        ))
    }

    fn string(&mut self) -> Parsed<String> {
        let opened = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
                .unwrap_or(rest.len());
            text.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n' | b'\r') | None => {
                    self.at = opened;
                    return self.fail("the quote that opens here is not closed");
                }
                Some(_) => return self.fail(format!("write {} as an escape", self.shown())),
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.byte();
        self.at += 1;
        let plain = match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => {
                self.at = start;
                return self.fail("a backslash stands before a letter that needs none");
            }
        };
        Ok(plain)
    }

    fn unicode(&mut self, start: usize) -> Parsed<char> {
        let mut unit = self.hex();
        if let Some(high @ 0xd800..=0xdbff) = unit {
            let follows = self.text.as_bytes().get(self.at..self.at + 2) == Some(br"\u".as_slice());
            self.at += 2;
            unit = self
                .hex()
                .filter(|low| follows && (0xdc00..=0xdfff).contains(low))
                .map(|low| 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        }
        unit.and_then(char::from_u32).ok_or_else(|| {
            let message = "not valid JSON: `\\u` is followed by no character";
            (start, message.to_owned())
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(digits, 16).ok())?
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn node(text: &str) -> Result<Node, Box<Diagnostic>> {
        let source = Arc::new(Source {
            name: "a.json".into(),
            text: text.into(),
        });
        parse(&source, Span::new(0, text.len()))
    }

    #[test]
    fn a_mistake_is_shown_where_it_is() {
        for (text, at, part) in [
            ("{\"a\": 1,}", 8, "a key in double quotes"),
            ("{\"a\" 1}", 5, "`:` is missing before `1`"),
            ("{\"a\": }", 6, "a value is missing"),
            ("[1 2]", 3, "`,` or `]`"),
            ("{'a': 1}", 1, "a key in double quotes"),
            ("{\"a\": NaN}", 6, "no NaN"),
            ("{\"a\": -Infinity}", 7, "no infinite"),
            ("{\"a\": nope}", 6, "`nope` is no value"),
            ("{\"a\": \"x", 6, "not closed"),
            ("{\"a\": 01}", 6, "superfluous zero"),
            ("{} {}", 3, "something follows"),
            ("\"\\ud800\"", 1, "no character"),
            ("\"\\x\"", 1, "backslash"),
            ("", 0, "a value is missing before the end"),
        ] {
            let error = node(text).unwrap_err();
            assert_eq!(error.span.start, at, "{text}: {}", error.message);
            assert!(error.message.contains(part), "{text}: {}", error.message);
        }
    }

    #[test]
    fn depth_is_refused_and_not_eaten() {
        let error = node(&"[".repeat(100_000)).unwrap_err();
        assert!(error.message.contains("nested more than"));
    }

    #[test]
    fn duplicate_keys_are_kept() {
        assert_eq!(
            node("{\"a\":1,\"a\":2}").unwrap().entries().unwrap().len(),
            2
        );
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            (-1e9..1e9_f64).prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_reads_back(value in json()) {
            for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
                prop_assert_eq!(node(&text).unwrap().to_json().unwrap(), value.clone());
            }
        }

        #[test]
        fn broken_text_is_refused_exactly_when_serde_json_refuses_it(
            value in json(), at in any::<prop::sample::Index>(), with in "[\\[\\]{}\",:0-9a-z\\\\\\. -]?"
        ) {
            let mut letters: Vec<String> = value.to_string().chars().map(String::from).collect();
            let index = at.index(letters.len());
            letters[index] = with;
            let text = letters.concat();
            let accepted = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            // Numbers out of range are judged later, where it is known what they are for.
            let ours = node(&text).is_ok_and(|node| {
                !matches!(node.to_json(), Err((_, reason)) if reason.contains("too large"))
            });
            let large = node(&text).is_ok_and(|node| node.to_json().is_err());
            prop_assert!(ours == accepted || large, "{}", text);
        }
    }
}
