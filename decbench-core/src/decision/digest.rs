//! What a recording is keyed by: three digests and the probe.

use std::fmt;

use super::{Question, State};

/// A 128-bit BLAKE3 digest, written `b3:` and 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The digest of these parts; each part's length is hashed too, so that moving a boundary changes it.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        Self(bytes)
    }

    /// The bytes themselves.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Reads `b3:` and 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("b3:")?.as_bytes();
        if digits.len() != 32 {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Self(bytes))
    }
}

/// The value of a hexadecimal digit.
fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("b3:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What exactly was asked; kept apart so that a miss can say what changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestDigest {
    /// Types, versions, wording and options of all questions of the call; see [`question_digest`].
    pub question: Digest,
    /// The material; see [`state_digest`].
    pub state: Digest,
    /// Provider, model and parameters; not time limits, prices or concurrency.
    pub candidate: Digest,
}

/// The digest of all questions of one call, in the suite's order of questions and options.
pub fn question_digest<'a>(questions: impl IntoIterator<Item = &'a Question>) -> Digest {
    let mut parts: Vec<Vec<u8>> = vec![b"questions/1".to_vec()];
    for question in questions {
        parts.push(question.name.clone().into_bytes());
        parts.push(question.kind.name().into());
        parts.push(
            question
                .version
                .map_or_else(Vec::new, |version| version.to_string().into_bytes()),
        );
        parts.push(question.instructions.clone().into_bytes());
        parts.push(question.options.len().to_string().into_bytes());
        for option in &question.options {
            parts.push(option.key.clone().into_bytes());
            // An absent description and an empty one are sent differently, so they are told apart here.
            parts.push(
                option
                    .description
                    .as_ref()
                    .map_or_else(|| vec![0], |text| [&[1], text.as_bytes()].concat()),
            );
        }
    }
    Digest::of(parts.iter().map(Vec::as_slice))
}

/// The digest of a state. Text and JSON of the same spelling differ; the order of JSON keys counts.
pub fn state_digest(state: &State) -> Digest {
    match state {
        State::Text(text) => Digest::of([b"state/1".as_slice(), b"text", text.as_bytes()]),
        State::Json(value) => {
            Digest::of([b"state/1".as_slice(), b"json", value.to_string().as_bytes()])
        }
        State::Agent(agent) => {
            let whole = agent.document().to_string();
            Digest::of([b"state/1".as_slice(), b"agent", whole.as_bytes()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_reads_back_what_it_wrote() {
        let digest = Digest::of([b"a".as_slice(), b"b"]);
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("b3:12"), None);
        assert_eq!(Digest::parse("b3:zz000000000000000000000000000000"), None);
    }

    #[test]
    fn moving_a_boundary_between_parts_changes_the_digest() {
        assert_ne!(
            Digest::of([b"ab".as_slice(), b"c"]),
            Digest::of([b"a".as_slice(), b"bc"])
        );
    }
}
