//! `compare:`: what is claimed of every candidate against another one.

use super::assertion::{Place, named};
use super::candidate::ReadCandidate;
use super::keys::Section;
use super::model::Comparison;
use super::question::ReadQuestion;
use super::read::{Fields, Reader, suggestion};
use super::tree::{Entry, Node, Value};
use super::verdict::of_one_answer;
use crate::diagnostic::Span;
use crate::metric::{Claim, Decimal, MetricId, QualityPart};

/// The square of the normal quantile of 97.5%.
const Z_SQUARED: f64 = 3.841_458_820_694_124;

/// Reads every comparison.
pub(super) fn comparisons(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
) -> Vec<Comparison> {
    let Some(field) = suite.get("compare") else {
        return Vec::new();
    };
    let items = match &field.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(field.value),
    };
    let mut found: Vec<Comparison> = Vec::new();
    for item in items {
        for comparison in comparison(reader, item, questions, candidates) {
            let same = found.iter().find(|other| {
                other.claim == comparison.claim
                    && other.against == comparison.against
                    && other.part.question == comparison.part.question
                    && other.part.metric == comparison.part.metric
            });
            match same.map(|other| other.span) {
                Some(first) => {
                    reader
                        .error("duplicate-key", item.span, "this is claimed twice")
                        .also(first, "first here")
                        .help("remove one of them");
                }
                None => found.push(comparison),
            }
        }
    }
    found
}

/// One entry, for each question that its metric fits.
fn comparison(
    reader: &mut Reader,
    node: &Node,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
) -> Vec<Comparison> {
    let Some(fields) = reader.section(Section::Compare, "compare", node) else {
        return Vec::new();
    };
    let margin = fields
        .get("margin")
        .and_then(|field| Some((reader.share(&field).map(Decimal::value)?, field)));
    if let Some((margin, field)) = &margin
        && (*margin <= 0.0 || *margin >= 1.0)
    {
        reader
            .error(
                "out-of-range",
                field.value.span,
                "`margin` lies above 0% and below 100%",
            )
            .help("without a margin, candidates must be better");
        return Vec::new();
    }
    let Some(against) = against(reader, &fields, candidates) else {
        return Vec::new();
    };
    let Some(parts) = parts(reader, &fields, questions) else {
        return Vec::new();
    };
    let others: Vec<usize> = (0..candidates.len())
        .filter(|at| *at != against && !candidates[*at].candidate.baseline)
        .collect();
    if others.is_empty() {
        reader
            .error(
                "nobody-to-compare",
                node.span,
                "there is no other candidate to compare, baselines aside",
            )
            .help("add one under `candidates:`, or remove `compare`");
    }
    let margin = margin.map(|(margin, _)| margin);
    parts
        .into_iter()
        .map(|part| Comparison {
            claim: if margin.is_some() {
                Claim::NotWorse
            } else {
                Claim::Better
            },
            against,
            candidates: others.clone(),
            part,
            margin,
            span: node.span,
        })
        .collect()
}

fn against(
    reader: &mut Reader,
    fields: &Fields<'_>,
    candidates: &[ReadCandidate<'_>],
) -> Option<usize> {
    if candidates.is_empty() {
        return None;
    }
    let field = fields.get("against");
    let name = match &field {
        Some(field) => reader.words(field)?,
        None => "today",
    };
    let span = field.map_or(fields.span, |field| field.value.span);
    if name == "today" {
        let today = candidates.iter().position(|read| read.candidate.today);
        if today.is_none() {
            reader
                .error(
                    "no-today",
                    span,
                    "no candidate is marked as what production uses",
                )
                .help("write `today: true` on one, or `against:` with a candidate's name");
        }
        return today;
    }
    let found = candidates
        .iter()
        .position(|read| read.candidate.name == name);
    if found.is_none() {
        let names = candidates.iter().map(|read| read.candidate.name.as_str());
        let names: Vec<&str> = names.chain(["today"]).collect();
        reader
            .error(
                "unknown-candidate",
                span,
                format!("there is no candidate `{name}`"),
            )
            .help(suggestion(
                "the candidates are",
                name,
                names.iter().copied(),
            ));
    }
    found
}

fn parts(
    reader: &mut Reader,
    fields: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Option<Vec<QualityPart>> {
    let (question, metric, span) = match fields.get("metric") {
        None => (None, Some(MetricId::Accuracy), fields.span),
        Some(field) => {
            let text = reader.words(&field)?;
            let entry = Entry::new(text, field.value.span, field.value.clone());
            let (question, metric) = named(reader, &entry, Place::Suite, questions)?;
            (question, of_one_answer(&metric), field.value.span)
        }
    };
    let Some(metric) = metric else {
        not_of_one_answer(reader, span);
        return None;
    };
    let targets = match question {
        Some(position) => position..position + 1,
        None => 0..questions.len().max(1),
    };
    let part = |question| QualityPart {
        question,
        metric,
        weight: 1.0,
    };
    Some(targets.map(part).collect())
}

fn not_of_one_answer(reader: &mut Reader, span: Span) {
    reader
        .error(
            "metric-kind",
            span,
            "this metric does not say of one answer whether it is right",
        )
        .help("answers are compared case by case, by `accuracy` or `within_one`");
}

/// Warns of margins that so many cases could not show even if no answer differed.
pub(super) fn check_margins(reader: &mut Reader, comparisons: &[Comparison], cases: usize) {
    for comparison in comparisons {
        let Some(margin) = comparison.margin else {
            continue;
        };
        // Without any difference the lower limit of the score interval is -z²/(n + z²).
        let needed = (Z_SQUARED * (1.0 / margin - 1.0)).ceil();
        if (cases as f64) < needed {
            reader
                .warning(
                    "margin-too-small",
                    comparison.span,
                    format!(
                        "a margin of {}% cannot be shown on {cases} cases: it takes {needed} even if no answer differs",
                        (margin * 1e6).round() / 1e4
                    ),
                )
                .help("add cases, or allow a larger margin");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Loaded, check_text};
    use crate::diagnostic::Source;
    use crate::metric::Claim;

    fn read(compare: &str) -> Result<Loaded, String> {
        let text = format!(
            "
question: {{ type: yes_no, instructions: Paid? }}
cases: [{{ state: x }}]
candidates:
  old: {{ provider: rust, today: true }}
  new: {{ provider: rust }}
  other: {{ provider: rust }}
  floor: {{ provider: naive-bayes }}
compare: {compare}
"
        );
        check_text(&Arc::new(Source::new("compare.yaml", text)))
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_margin_makes_it_not_worse_and_none_makes_it_better() {
        let loaded = read("[{ against: today, metric: accuracy, margin: 1% }, { against: new }]");
        let loaded = loaded.unwrap();
        let suite = &loaded.suite;
        let [first, second] = suite.comparisons.as_slice() else {
            panic!("{:?}", suite.comparisons);
        };
        assert_eq!((first.claim, first.against), (Claim::NotWorse, 0));
        assert_eq!(first.candidates, [1, 2], "baselines are left out");
        assert_eq!(suite.claim_name(first), "not_worse[accuracy]");
        assert_eq!(second.candidates, [0, 2]);
        assert_eq!(suite.claim_name(second), "better[accuracy.vs.new]");
        let warned = loaded.warnings.render();
        assert!(warned.contains("it takes 381 even if"), "{warned}");
    }

    #[test]
    fn slips_are_shown_where_they_stand() {
        for (compare, said) in [
            ("{ against: nwe }", "did you mean `new`?"),
            ("{ metric: ece }", "by `accuracy` or `within_one`"),
            ("{ margin: 0% }", "above 0% and below 100%"),
            ("[{ margin: 1% }, { margin: 2% }]", "claimed twice"),
            ("{ agianst: today }", "did you mean `against`?"),
        ] {
            let told = read(compare).unwrap_err();
            assert!(told.contains(said), "{compare}{told}");
        }
    }
}
