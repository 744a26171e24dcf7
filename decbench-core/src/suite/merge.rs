//! The `assert:` of a suite, its questions and a candidate as one list.

use super::assertion::{Item, unfit};
use super::model::Assertion;
use super::name::trial_part;
use super::question::ReadQuestion;
use super::read::Reader;
use crate::metric::Metric;

/// The assertions of one candidate: what names a question goes before what holds for each, the candidate's own before
/// the suite's.
pub(super) fn merge(
    candidate: usize,
    general: &[Item],
    own: &[Item],
    questions: &[ReadQuestion<'_>],
) -> Vec<Assertion> {
    let count = questions.len().max(1);
    let mut merged: Vec<(Assertion, u8, bool)> = Vec::new();
    let layers = [(general, 0_u8), (own, 2)];
    for (items, layer) in layers {
        for item in items {
            let rank = layer + u8::from(item.question.is_some());
            let targets = match item.question {
                Some(position) => position..position + 1,
                None => 0..count,
            };
            for question in targets {
                let fits = questions
                    .get(question)
                    .is_none_or(|read| unfit(&item.metric, read).is_none());
                if !fits {
                    continue;
                }
                let assertion = Assertion {
                    candidate,
                    question,
                    metric: item.metric.clone(),
                    requirements: item.requirements.clone().unwrap_or_default(),
                    span: item.span,
                };
                let kept = item.requirements.is_some();
                let existing = merged
                    .iter_mut()
                    .find(|(other, ..)| other.question == question && other.metric == item.metric);
                match existing {
                    Some(existing) if existing.1 <= rank => *existing = (assertion, rank, kept),
                    Some(_) => {}
                    None => merged.push((assertion, rank, kept)),
                }
            }
        }
    }
    merged
        .into_iter()
        .filter(|(.., kept)| *kept)
        .map(|(assertion, ..)| assertion)
        .collect()
}

/// A metric with its question, as a trial and a scorecard name it.
pub(super) fn qualified(question: &str, metric: &Metric) -> String {
    if question.is_empty() {
        metric.to_string()
    } else {
        format!("{question}.{metric}")
    }
}

pub(super) fn trial_clashes(
    reader: &mut Reader,
    merged: &[Assertion],
    questions: &[ReadQuestion<'_>],
) {
    let name = |assertion: &Assertion| {
        let question = questions
            .get(assertion.question)
            .map_or("", |read| read.question.name.as_str());
        qualified(question, &assertion.metric)
    };
    for (position, assertion) in merged.iter().enumerate() {
        let own = name(assertion);
        let clash = merged[..position]
            .iter()
            .find(|other| trial_part(&name(other)) == trial_part(&own));
        if let Some(other) = clash {
            // Each candidate repeats the suite's assertions; the same two keys are reported once.
            let known = reader
                .found
                .iter()
                .any(|mistake| mistake.code == "trial-clash" && mistake.span == assertion.span);
            if !known {
                reader
                    .error(
                        "trial-clash",
                        assertion.span,
                        format!(
                            "`{own}` and `{}` are both `{}` in the name of their trial",
                            name(other),
                            trial_part(&own)
                        ),
                    )
                    .also(other.span, "the other one")
                    .help("rename one of the two; other characters than letters, digits and `_.[]-` become `_`");
            }
        }
    }
}
