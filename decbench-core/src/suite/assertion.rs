//! `assert:` of suites, questions and candidates, merged into one list.

use super::bound::{Mentioned, requirements};
use super::candidate::ReadCandidate;
use super::keys::Section;
use super::merge::{merge, trial_clashes};
use super::model::{Assertion, GoldFloor};
use super::published;
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader, did_you_mean, listed, suggestion};
use super::tree::Entry;
use crate::decision::QuestionKind;
use crate::diagnostic::Span;
use crate::metric::{Decimal, METRICS, Metric, MetricArgument, MetricError, MetricId, Requirement};

/// One key of an `assert:`.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The question it names; without one it holds for each it fits.
    pub(super) question: Option<usize>,
    pub(super) metric: Metric,
    /// What must hold; `None` removes the assertion.
    pub(super) requirements: Option<Vec<Requirement>>,
    pub(super) span: Span,
}

/// Where an `assert:` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Suite,
    Question(usize),
    Candidate,
}

/// What all `assert:` of a suite say.
#[derive(Debug, Default)]
pub(super) struct ReadAssertions {
    pub(super) assertions: Vec<Assertion>,
    pub(super) gold: Option<GoldFloor>,
    pub(super) mentioned: Vec<Mentioned>,
}

/// Reads and merges every `assert:`.
pub(super) fn assertions(
    reader: &mut Reader,
    suite: &Fields<'_>,
    suite_span: Span,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
) -> ReadAssertions {
    let mut read = ReadAssertions::default();
    let errors_before = reader.found.len();
    let mut general = Vec::new();
    if let Some(field) = suite.get("assert") {
        general = items(reader, &field, Place::Suite, questions, &mut read);
    }
    for (position, question) in questions.iter().enumerate() {
        if let Some(field) = &question.assert {
            let own = items(
                reader,
                field,
                Place::Question(position),
                questions,
                &mut read,
            );
            for item in own {
                if let Some(first) = general
                    .iter()
                    .find(|other| other.question == item.question && other.metric == item.metric)
                {
                    twice(reader, &item, first.span);
                } else {
                    general.push(item);
                }
            }
        }
    }
    for (position, candidate) in candidates.iter().enumerate() {
        let own = match &candidate.assert {
            Some(field) if candidate.candidate.baseline => {
                reader
                    .error(
                        "gated-baseline",
                        field.key_span,
                        format!(
                            "`{}` is a baseline, which is shown and never gated",
                            candidate.candidate.name
                        ),
                    )
                    .help("remove its `assert:`");
                continue;
            }
            Some(field) => items(reader, field, Place::Candidate, questions, &mut read),
            None if candidate.candidate.baseline => continue,
            None => Vec::new(),
        };
        let merged = merge(position, &general, &own, questions);
        if merged.is_empty() && !general.is_empty() && reader.found.len() == errors_before {
            let name = &candidate.candidate.name;
            reader
                .error(
                    "no-assertions",
                    candidate.candidate.span,
                    format!("nothing is asserted of `{name}`"),
                )
                .help("keep one assertion, or write `baseline: true`");
        }
        trial_clashes(reader, &merged, questions);
        read.assertions.extend(merged);
    }
    // Verdicts, comparisons and published figures test something too.
    if read.assertions.is_empty()
        && suite.get("verdict").is_none()
        && suite.get("compare").is_none()
        && !published::is_tested(suite)
        && reader.found.len() == errors_before
    {
        let span = suite
            .get("assert")
            .map_or(suite_span, |field| field.key_span);
        let gated = candidates.iter().any(|read| !read.candidate.baseline);
        let (message, help) = if gated || candidates.is_empty() {
            (
                "the suite asserts nothing about answers",
                "write what must hold, as in `accuracy: \">= 90%\"` under `assert:`",
            )
        } else {
            (
                "every candidate is a baseline, so that nothing is tested",
                "add a candidate without `baseline: true`",
            )
        };
        reader.error("no-assertions", span, message).help(help);
    }
    read
}

fn twice(reader: &mut Reader, item: &Item, first: Span) {
    reader
        .error(
            "duplicate-key",
            item.span,
            format!("`{}` is asserted twice", item.metric),
        )
        .also(first, "first here")
        .help("several bounds of one metric are a list, as in `[\">= 90%\", \"<= 99%\"]`");
}

pub(super) fn items(
    reader: &mut Reader,
    field: &Field<'_>,
    place: Place,
    questions: &[ReadQuestion<'_>],
    read: &mut ReadAssertions,
) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for entry in reader.entries("assert", field.value).unwrap_or_default() {
        if entry.key == "gold" {
            let floor = gold_floor(reader, entry, place);
            read.gold = floor.or(read.gold.take());
            continue;
        }
        let Some((question, metric)) = named(reader, entry, place, questions) else {
            continue;
        };
        mention(&metric, entry.key_span, &mut read.mentioned);
        let removed = place == Place::Candidate && entry.value.text() == Some("off");
        let requirements = if removed {
            None
        } else {
            match requirements(reader, &metric, &entry.value, &mut read.mentioned) {
                Some(requirements) => Some(requirements),
                None => continue,
            }
        };
        let item = Item {
            question,
            metric,
            requirements,
            span: entry.key_span,
        };
        let same = items
            .iter()
            .find(|other| other.question == item.question && other.metric == item.metric);
        match same.map(|other| other.span) {
            // Keys of the same spelling are reported where the map is read.
            Some(first)
                if reader.source.text.get(first.start..first.end)
                    == reader.source.text.get(item.span.start..item.span.end) => {}
            Some(first) => twice(reader, &item, first),
            None => items.push(item),
        }
    }
    items
}

fn mention(metric: &Metric, span: Span, mentioned: &mut Vec<Mentioned>) {
    if let MetricArgument::Field(field) = &metric.argument {
        mentioned.push(Mentioned {
            field: field.clone(),
            value: None,
            span,
        });
    }
}

fn gold_floor(reader: &mut Reader, entry: &Entry, place: Place) -> Option<GoldFloor> {
    if place != Place::Suite {
        reader
            .error(
                "foreign-key",
                entry.key_span,
                "`gold` is asserted of the suite's cases",
            )
            .help("write it under the suite's own `assert:`");
        return None;
    }
    let fields = reader.section(Section::GoldFloor, "gold", &entry.value)?;
    if fields.get("cases").is_none() && fields.get("share").is_none() {
        reader
            .error("no-bound", entry.value.span, "`gold` requires nothing")
            .help("write `gold: { cases: 30, share: 50% }`");
    }
    let cases = fields.get("cases").and_then(|field| reader.whole(&field));
    let share = fields.get("share").and_then(|field| reader.share(&field));
    Some(GoldFloor {
        cases: cases.map_or(0, u64::from),
        share: share.unwrap_or(Decimal {
            digits: 0,
            scale: 0,
        }),
        span: entry.key_span,
    })
}

/// The question and the metric that a key names.
pub(super) fn named(
    reader: &mut Reader,
    entry: &Entry,
    place: Place,
    questions: &[ReadQuestion<'_>],
) -> Option<(Option<usize>, Metric)> {
    let names = || {
        questions
            .iter()
            .enumerate()
            .filter(|(_, read)| !read.question.name.is_empty())
            .map(|(position, read)| (position, read.question.name.as_str()))
    };
    let prefixed = names()
        .filter(|_| !matches!(place, Place::Question(_)))
        .filter_map(|(position, name)| {
            let rest = entry.key.strip_prefix(name)?.strip_prefix('.')?;
            Some((name.len(), position, rest))
        })
        .max_by_key(|(length, ..)| *length);
    let (question, text) = match (prefixed, place) {
        (Some((_, position, rest)), _) => (Some(position), rest),
        (None, Place::Question(position)) => (Some(position), entry.key.as_str()),
        (None, _) => (None, entry.key.as_str()),
    };
    let metric = match Metric::parse(text) {
        Ok(metric) => metric,
        Err(error) => {
            let names: Vec<&str> = names().map(|(_, name)| name).collect();
            bad_metric(reader, entry, text, &error, &names);
            return None;
        }
    };
    let fitting = |position: &usize| unfit(&metric, &questions[*position]);
    let problem = if let Some(position) = question {
        fitting(&position)
    } else {
        // A key without a question holds for each it fits, and must fit one.
        let problems: Option<Vec<Unfit>> = (0..questions.len())
            .map(|position| fitting(&position))
            .collect();
        problems.and_then(|problems| problems.into_iter().next())
    };
    if let Some(problem) = problem {
        reader
            .error(problem.code, entry.key_span, problem.message)
            .maybe_help(problem.help);
        return None;
    }
    Some((question, metric))
}

fn bad_metric(
    reader: &mut Reader,
    entry: &Entry,
    text: &str,
    error: &MetricError,
    questions: &[&str],
) {
    let MetricError::UnknownName { name } = error else {
        reader.error("metric-argument", entry.key_span, error.to_string());
        return;
    };
    let metrics = METRICS.iter().map(|info| info.name);
    // `quue.accuracy`: what follows the point is a metric, so that the slip is in the question's name.
    if let Some((prefix, rest)) = text.split_once('.')
        && Metric::parse(rest).is_ok()
    {
        let help = if questions.is_empty() {
            "the suite has a single question without a name, so write the metric alone".to_owned()
        } else {
            suggestion("its questions", prefix, questions.iter().copied())
        };
        reader
            .error(
                "unknown-question",
                entry.key_span,
                format!("the suite has no question `{prefix}`"),
            )
            .help(help);
        return;
    }
    let help = did_you_mean(name, metrics.clone())
        .unwrap_or_else(|| format!("metrics are {}", listed(metrics)));
    reader
        .error(
            "unknown-metric",
            entry.key_span,
            format!("there is no metric `{name}`"),
        )
        .help(help);
}

/// Why a metric does not exist for a question.
pub(super) struct Unfit {
    code: &'static str,
    message: String,
    help: Option<String>,
}

/// Why a metric does not exist for a question, if it does not.
pub(super) fn unfit(metric: &Metric, read: &ReadQuestion<'_>) -> Option<Unfit> {
    let info = metric.info();
    let question = &read.question;
    let kind = question.kind.name();
    if !read.sound {
        return None;
    }
    if question.kind.is_open() != info.id.is_of_open_answers()
        && !(question.kind.is_open() && info.id.fits_open_answers())
    {
        let (message, help) = if question.kind.is_open() {
            (
                format!("`{metric}` reads answers among options, and `output: {kind}` has none"),
                "metrics of open answers are quality, pass_rate, the checks by their names, rubric, pairwise_win_rate, judge_agreement and agent_task_success",
            )
        } else {
            (
                format!("`{metric}` reads open answers, and the question has options"),
                "a suite of open answers has `output: text` or `output: json` in place of the question",
            )
        };
        return Some(Unfit {
            code: "metric-kind",
            message,
            help: Some(help.to_owned()),
        });
    }
    if info.scores_only && question.kind != QuestionKind::Score {
        return Some(Unfit {
            code: "metric-kind",
            message: format!(
                "`{}` exists for scores, and the question is of type `{kind}`",
                info.name
            ),
            help: None,
        });
    }
    if metric.reads_orders() && question.kind == QuestionKind::Score {
        return Some(Unfit {
            code: "metric-kind",
            message: format!("`{metric}` shows options in other orders, and levels have one"),
            help: Some("remove it, or ask the question as a choice".into()),
        });
    }
    let escape = matches!(
        info.id,
        MetricId::EscapeRecall | MetricId::EscapePrecision | MetricId::EscapeRate
    );
    if escape && question.escape().is_none() {
        return Some(Unfit {
            code: "no-escape-option",
            message: format!(
                "`{}` speaks of the escape option, and the question has none",
                info.name
            ),
            help: Some(
                "mark it, as in `none: { description: None of these, escape: true }`".into(),
            ),
        });
    }
    if info.id == MetricId::GateClosedRate && read.gate.is_none() {
        return Some(Unfit {
            code: "no-gate",
            message: format!(
                "`{}` speaks of a gate, and the question has no gate",
                info.name
            ),
            help: Some(
                "name a yes/no question that has to say yes first, as in `gate: enough_evidence`"
                    .into(),
            ),
        });
    }
    let MetricArgument::Option(key) = &metric.argument else {
        return None;
    };
    if question.index_of(key).is_some() {
        return None;
    }
    let keys = question.options.iter().map(|option| option.key.as_str());
    let level = question
        .options
        .iter()
        .find(|option| option.description.as_deref() == Some(key))
        .filter(|_| question.kind == QuestionKind::Score);
    let help = match level {
        Some(level) => format!(
            "levels are named by their index: `{}[{}]`",
            info.name, level.key
        ),
        None => suggestion("its options", key, keys),
    };
    Some(Unfit {
        code: "unknown-option",
        message: format!("`{metric}`: the question has no option `{key}`"),
        help: Some(help),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;
    use crate::metric::{OnInconclusive, Reading, Sample, Side};

    fn suite(text: &str) -> Suite {
        check_text(&Arc::new(Source::new("assert.yaml", text)))
            .map_err(|mistakes| mistakes.render())
            .unwrap()
            .suite
    }

    fn bounds(suite: &Suite, candidate: usize) -> Vec<String> {
        suite
            .assertions
            .iter()
            .filter(|assertion| assertion.candidate == candidate)
            .map(|assertion| {
                let bound = &assertion.requirements[0].bound;
                format!("{} {bound}", suite.metric_name(assertion))
            })
            .collect()
    }

    const TWO: &str = "
questions:
  team: { type: choice, instructions: Which?, options: { a: A, b: { description: B, escape: true } }, assert: { ece: '<= 0.2' } }
  paid: { type: yes_no, instructions: Paid? }
cases: [{ state: x }]
";

    #[test]
    fn the_nearer_assertion_wins_and_off_removes() {
        let suite = suite(&format!(
            "{TWO}
candidates:
  plain: {{ provider: rust }}
  own: {{ provider: rust, assert: {{ accuracy: '>= 70%', team.ece: off, flip_rate: '<= 2%' }} }}
  none: {{ provider: rust, assert: {{ accuracy: off }} }}
  floor: {{ provider: naive-bayes }}
assert: {{ accuracy: '>= 90%', paid.accuracy: '>= 95%', ece: '<= 0.1' }}
"
        ));
        assert_eq!(
            bounds(&suite, 0),
            [
                "team.accuracy >= 90%",
                "paid.accuracy >= 95%",
                "team.ece <= 0.2",
                "paid.ece <= 0.1"
            ]
        );
        assert_eq!(
            bounds(&suite, 1),
            [
                "team.accuracy >= 70%",
                "paid.accuracy >= 70%",
                "paid.ece <= 0.1",
                "team.flip_rate <= 2%",
                "paid.flip_rate <= 2%"
            ]
        );
        assert_eq!(bounds(&suite, 2), ["team.ece <= 0.2", "paid.ece <= 0.1"]);
        assert!(bounds(&suite, 3).is_empty());
    }

    #[test]
    fn an_unprefixed_key_holds_for_the_questions_it_fits() {
        let suite = suite(&format!(
            "{TWO}candidates: {{ x: {{ provider: rust }} }}\nassert: {{ 'recall[a]': '>= 1%', 'recall[yes]': '>= 1%', escape_rate: '<= 5%' }}\n"
        ));
        assert_eq!(
            bounds(&suite, 0),
            [
                "team.recall[a] >= 1%",
                "paid.recall[yes] >= 1%",
                "team.escape_rate <= 5%",
                "team.ece <= 0.2"
            ]
        );
    }

    #[test]
    fn every_option_of_a_bound_is_read() {
        let suite = suite(
            "
question: { type: yes_no, instructions: Paid? }
cases: [{ state: x, tier: hard, strata: { channel: pstn }, split: lockbox }]
candidates: { x: { provider: rust } }
assert:
  gold: { cases: 30, share: 50% }
  accuracy: ['>= 90%', { at_least: 80%, at_most: 99%, confidence: 99%, reading: anytime, on_inconclusive: fail, sample: population, split: lockbox, where: { strata.channel: pstn, tier: hard }, unmeasurable: skip, max_unanswered: 0.5% }]
  flip_rate: { at_most: 1%, repeats: 9 }
  order_flip_rate: { at_most: 1%, orders: 2 }
",
        );
        let gold = suite.gold.unwrap();
        assert_eq!((gold.cases, gold.share.value()), (30, 0.5));
        let all = &suite.assertions[0].requirements;
        assert_eq!(all.len(), 3);
        assert_eq!(all[0].confidence, 0.95);
        assert_eq!(
            (all[1].bound.side, all[2].bound.side),
            (Side::AtLeast, Side::AtMost)
        );
        let told = &all[2];
        assert_eq!(told.confidence, 0.99);
        assert_eq!(told.reading, Reading::Anytime);
        assert_eq!(told.on_inconclusive, OnInconclusive::Fail);
        assert_eq!(told.selection.sample, Sample::Population);
        assert!(told.selection.lockbox && told.skip_unmeasurable);
        assert_eq!(told.max_unanswered, 0.005);
        assert_eq!(told.selection.filter.len(), 2);
        assert_eq!(suite.assertions[1].requirements[0].selection.repeats, 9);
        assert_eq!(suite.assertions[2].requirements[0].selection.orders, 2);
    }
}
