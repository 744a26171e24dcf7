//! `published:`: figures that others published of the candidates, and how well this suite must agree with them.

use super::assertion::{Place, named, unfit};
use super::candidate::ReadCandidate;
use super::keys::Section;
use super::model::{Published, PublishedFigures};
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader, suggestion};
use super::tree::Entry;
use crate::diagnostic::Span;
use crate::metric::{Better, Bound, Metric, MetricArgument, Side, Unit};

/// Two models are always in order or in reverse, and a line through two leaves nobody out.
const FEWEST_MODELS: usize = 3;

/// Reads `published:`.
pub(super) fn published(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
) -> Option<Published> {
    let field = suite.get("published")?;
    let fields = reader.section(Section::Published, "published", field.value)?;
    let source = fields
        .get("source")
        .and_then(|field| reader.words(&field))
        .map(str::to_owned);
    let Some(models) = fields.get("models") else {
        reader
            .error("missing-key", field.key_span, "`published` has no `models`")
            .help("write who has which figure, as in `models: { jev: { capability: 78.6 } }`");
        return None;
    };
    let mut figures = figures(reader, &models, questions, candidates);
    let left_out = fields
        .get("leave_out")
        .map(|field| left_out(reader, &field, candidates))
        .unwrap_or_default();
    let spearman = fields
        .get("spearman")
        .and_then(|field| correlation(reader, &field));
    let mut errors: Vec<(Unit, Option<Bound>)> = Vec::new();
    for column in &mut figures {
        column.spearman.clone_from(&spearman);
        column.left_out = column
            .models
            .iter()
            .map(|(candidate, _)| left_out.contains(candidate))
            .collect();
        if let Some(field) = fields.get("error") {
            // A bound that does not fit a unit is told once, not for each metric of it.
            let unit = column.metric.info().unit;
            if errors.iter().all(|(known, _)| *known != unit) {
                let read = bound(reader, &field, Side::AtMost, unit, example(unit));
                errors.push((unit, read));
            }
            let known = errors.iter().find(|(known, _)| *known == unit);
            column.error = known.and_then(|(_, bound)| bound.clone());
        }
        check_enough(reader, &field, column);
    }
    Some(Published {
        source,
        figures,
        span: field.key_span,
    })
}

/// Whether agreement is required and not only shown.
pub(super) fn is_tested(suite: &Fields<'_>) -> bool {
    let required = |field: Field<'_>| {
        let has = |key| field.value.get(key).is_some();
        has("spearman") || has("error")
    };
    suite.get("published").is_some_and(required)
}

fn check_enough(reader: &mut Reader, field: &Field<'_>, column: &PublishedFigures) {
    let models = column.models.len();
    let fitted = column.left_out.iter().filter(|left| !**left).count();
    if models < FEWEST_MODELS {
        reader
            .error(
                "too-few-models",
                field.key_span,
                format!(
                    "only {models} of the candidates have a published `{}`",
                    column.metric
                ),
            )
            .help(format!(
                "give figures of at least {FEWEST_MODELS}: fewer are no ranking"
            ));
    } else if fitted < 2 {
        reader
            .error(
                "too-few-models",
                field.key_span,
                format!(
                    "all but {fitted} of the models with a published `{}` are left out",
                    column.metric
                ),
            )
            .help("a line goes through two models at least: leave out fewer");
    }
}

/// One column per metric and question, in the order of first mention.
fn figures(
    reader: &mut Reader,
    models: &Field<'_>,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
) -> Vec<PublishedFigures> {
    let mut columns: Vec<PublishedFigures> = Vec::new();
    for model in reader.entries("models", models.value).unwrap_or_default() {
        let Some(candidate) = candidate(reader, &model.key, model.key_span, candidates) else {
            continue;
        };
        for entry in reader.entries(&model.key, &model.value).unwrap_or_default() {
            let Some((question, metric)) = named(reader, entry, Place::Suite, questions) else {
                continue;
            };
            if !is_of_base_call(&metric) {
                reader
                    .error(
                        "metric-kind",
                        entry.key_span,
                        format!("`{metric}` takes more than one call per case, or is no quality of answers"),
                    )
                    .help("compare `capability`, `accuracy`, `ece` or another metric of the base call");
                continue;
            }
            let Some(figure) = figure(reader, entry, &metric) else {
                continue;
            };
            let fits = |at: &usize| {
                questions
                    .get(*at)
                    .is_none_or(|read| unfit(&metric, read).is_none())
            };
            let targets: Vec<usize> = match question {
                Some(position) => vec![position],
                None => (0..questions.len().max(1)).filter(fits).collect(),
            };
            for question in targets {
                let same = |column: &&mut PublishedFigures| {
                    column.question == question && column.metric == metric
                };
                match columns.iter_mut().find(same) {
                    Some(column) => column.models.push((candidate, figure)),
                    None => columns.push(PublishedFigures {
                        question,
                        metric: metric.clone(),
                        models: vec![(candidate, figure)],
                        left_out: Vec::new(),
                        spearman: None,
                        error: None,
                    }),
                }
            }
        }
    }
    columns
}

fn is_of_base_call(metric: &Metric) -> bool {
    let probe = matches!(
        metric.argument,
        MetricArgument::ReversedOrder | MetricArgument::AveragedOrders | MetricArgument::Context(_)
    );
    let id = metric.id;
    !probe
        && metric.info().better != Better::Neither
        && (id.is_mean_over_cases() || id.is_of_all_cases() || id.has_ingredients())
}

fn figure(reader: &mut Reader, entry: &Entry, metric: &Metric) -> Option<f64> {
    let unit = metric.info().unit;
    let text = entry.value.text().unwrap_or("");
    match Bound::parse_limit(Side::AtLeast, text, unit) {
        Ok(bound) => Some(bound.value()),
        Err(error) => {
            reader
                .error(
                    "bad-bound",
                    entry.value.span,
                    format!("`{text}` is no figure of `{metric}`: {error}"),
                )
                .help(
                    "write it in the metric's unit, as in `capability: 78.6` or `accuracy: 84.9%`",
                );
            None
        }
    }
}

fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Share | Unit::Difference => "`<= 3%`",
        Unit::Number => "`<= 3`",
        Unit::Milliseconds => "`<= 50ms`",
        Unit::Dollars => "`<= $0.05`",
    }
}

fn bound(
    reader: &mut Reader,
    field: &Field<'_>,
    side: Side,
    unit: Unit,
    example: &str,
) -> Option<Bound> {
    let text = field.value.text().unwrap_or("");
    let parsed = Bound::parse(text, unit);
    let name = field.key.name;
    let message = match parsed {
        Ok(bound) if bound.side == side => return Some(bound),
        Ok(_) => format!("`{name}: {text}` would be good on the wrong side"),
        Err(error) => format!("`{text}` is no bound of `{name}`: {error}"),
    };
    reader
        .error("bad-bound", field.value.span, message)
        .help(format!("write it as {example}"));
    None
}

/// The bound of the rank correlation.
fn correlation(reader: &mut Reader, field: &Field<'_>) -> Option<Bound> {
    let bound = bound(reader, field, Side::AtLeast, Unit::Number, "`>= 0.8`")?;
    if (-1.0..=1.0).contains(&bound.value()) {
        return Some(bound);
    }
    reader
        .error(
            "out-of-range",
            field.value.span,
            "a rank correlation lies from -1 to 1",
        )
        .help("write it as `>= 0.8`");
    None
}

fn left_out(
    reader: &mut Reader,
    field: &Field<'_>,
    candidates: &[ReadCandidate<'_>],
) -> Vec<usize> {
    let mut found = Vec::new();
    for node in reader.items("leave_out", field.value).unwrap_or_default() {
        let Some(name) = reader.text_of("leave_out", node) else {
            continue;
        };
        found.extend(candidate(reader, name, node.span, candidates));
    }
    found
}

fn candidate(
    reader: &mut Reader,
    name: &str,
    span: Span,
    candidates: &[ReadCandidate<'_>],
) -> Option<usize> {
    let found = candidates
        .iter()
        .position(|read| read.candidate.name == name);
    if found.is_none() && !candidates.is_empty() {
        let names: Vec<&str> = candidates
            .iter()
            .map(|read| read.candidate.name.as_str())
            .collect();
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;
    use crate::metric::Bound;

    fn read(published: &str) -> Result<Suite, String> {
        let text = format!(
            "
question: {{ type: yes_no, instructions: Paid? }}
cases: [{{ state: x }}]
assert: {{ accuracy: '>= 1%' }}
candidates:
  sage: {{ provider: rust }}
  iris: {{ provider: rust }}
  mint: {{ provider: rust }}
  rose: {{ provider: rust }}
published: {published}
"
        );
        check_text(&Arc::new(Source::new("published.yaml", text)))
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_table_is_read_by_metric() {
        let suite = read(
            "{ source: a leaderboard, models: { sage: { capability: 78.6, accuracy: 80% }, iris: { capability: 70, accuracy: 0.75 }, mint: { capability: 65, accuracy: 71% }, rose: { capability: -3 } }, leave_out: [rose], spearman: '>= 0.8' }",
        )
        .unwrap();
        let published = suite.published.expect("a table");
        assert_eq!(published.source.as_deref(), Some("a leaderboard"));
        let [capability, accuracy] = published.figures.as_slice() else {
            panic!("{:?}", published.figures);
        };
        assert_eq!(
            capability.models,
            [(0, 78.6), (1, 70.0), (2, 65.0), (3, -3.0)]
        );
        assert_eq!(capability.left_out, [false, false, false, true]);
        assert_eq!(accuracy.models, [(0, 0.8), (1, 0.75), (2, 0.71)]);
        assert_eq!(accuracy.spearman.as_ref().map(Bound::value), Some(0.8));
        assert_eq!(accuracy.error, None);
    }

    #[test]
    fn slips_are_shown_where_they_stand() {
        let three =
            "models: { sage: { capability: 1 }, iris: { capability: 2 }, mint: { capability: 3 } }";
        for (published, said) in [
            ("{ source: x }".to_owned(), "has no `models`"),
            (
                "{ models: { sag: { capability: 1 } } }".to_owned(),
                "did you mean `sage`?",
            ),
            (
                "{ models: { sage: { capabilty: 1 } } }".to_owned(),
                "did you mean `capability`?",
            ),
            (
                "{ models: { sage: { flip_rate: 1% } } }".to_owned(),
                "more than one call per case",
            ),
            (
                "{ models: { sage: { accuracy: 101% } } }".to_owned(),
                "no figure of `accuracy`",
            ),
            (
                "{ models: { sage: { capability: 1 }, iris: { capability: 2 } } }".to_owned(),
                "only 2 of the candidates",
            ),
            (
                format!("{{ {three}, leave_out: [sage, iris] }}"),
                "all but 1",
            ),
            (
                format!("{{ {three}, spearman: '<= 0.8' }}"),
                "on the wrong side",
            ),
            (format!("{{ {three}, spearman: '>= 1.5' }}"), "from -1 to 1"),
            (
                format!("{{ {three}, error: '<= 3%' }}"),
                "write it as `<= 3`",
            ),
            (
                format!("{{ {three}, eror: '<= 3' }}"),
                "did you mean `error`?",
            ),
        ] {
            let told = read(&published).unwrap_err();
            assert!(told.contains(said), "{published}{told}");
        }
    }
}
