//! `confidence_from`: whose agreement stands for a candidate's confidence.

use super::candidate::ReadCandidate;
use super::keys::Section;
use super::read::{Fields, Reader, suggestion};
use crate::diagnostic::Span;

/// A candidate named by another, before it is known whether there is one.
pub(super) struct AgreeWith {
    name: String,
    span: Span,
}

/// Reads `confidence_from` of one candidate.
pub(super) fn read(reader: &mut Reader, candidate: &Fields<'_>) -> Option<AgreeWith> {
    let field = candidate.get("confidence_from")?;
    let fields = reader.section(Section::ConfidenceFrom, "confidence_from", field.value)?;
    let Some(agree_with) = fields.get("agree_with") else {
        reader
            .error(
                "missing-key",
                field.value.span,
                "`confidence_from` does not say from whom",
            )
            .help("name another candidate, as in `confidence_from: { agree_with: jev }`");
        return None;
    };
    let name = reader.words(&agree_with)?.to_owned();
    Some(AgreeWith {
        name,
        span: agree_with.value.span,
    })
}

/// Finds the candidates that are named. Nobody agrees with himself, not through others either.
pub(super) fn resolve(reader: &mut Reader, read: &mut [ReadCandidate<'_>]) {
    let names: Vec<String> = read
        .iter()
        .map(|read| read.candidate.name.clone())
        .collect();
    for (position, one) in read.iter_mut().enumerate() {
        let Some(other) = &one.agree_with else {
            continue;
        };
        match names.iter().position(|name| *name == other.name) {
            Some(found) if found == position => {
                reader
                    .error(
                        "own-agreement",
                        other.span,
                        format!("`{}` always agrees with itself", other.name),
                    )
                    .help("name another candidate");
            }
            Some(found) => one.candidate.confidence_from = Some(found),
            None => {
                let others = names.iter().enumerate();
                let others = others
                    .filter(|(at, _)| *at != position)
                    .map(|(_, name)| name.as_str());
                let help = suggestion("the others are", &other.name, others);
                reader
                    .error(
                        "unknown-candidate",
                        other.span,
                        format!("there is no candidate `{}`", other.name),
                    )
                    .help(help);
            }
        }
    }
    circles(reader, read);
}

/// Reports every circle once, at its first candidate, and undoes it.
fn circles(reader: &mut Reader, read: &mut [ReadCandidate<'_>]) {
    for start in 0..read.len() {
        let mut circle = vec![start];
        let mut at = read[start].candidate.confidence_from;
        while let Some(next) = at.filter(|_| circle.len() <= read.len()) {
            if next == start {
                let chain: Vec<String> = circle
                    .iter()
                    .chain([&start])
                    .map(|at| format!("`{}`", read[*at].candidate.name))
                    .collect();
                let span = read[start]
                    .agree_with
                    .as_ref()
                    .map_or(read[start].candidate.span, |other| other.span);
                reader
                    .error(
                        "circular-agreement",
                        span,
                        format!(
                            "confidence goes in a circle: {}",
                            chain.join(" agrees with ")
                        ),
                    )
                    .help("let one of them do without `confidence_from`");
                read[start].candidate.confidence_from = None;
                break;
            }
            circle.push(next);
            at = read[next].candidate.confidence_from;
        }
    }
}
