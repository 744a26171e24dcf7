//! `compare:`: what is claimed of every candidate against another one.

use super::assertion::{Place, named, unfit};
use super::candidate::ReadCandidate;
use super::keys::Section;
use super::model::{Against, Comparison};
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader, suggestion};
use super::tree::{Entry, Node, Value};
use crate::diagnostic::Span;
use crate::metric::{
    Better, Bound, Claim, Metric, MetricArgument, MetricId, Side, Unit, cases_for_margin,
};

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
                    && other.question == comparison.question
                    && other.metric == comparison.metric
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
    let Some(against) = against(reader, &fields, candidates) else {
        return Vec::new();
    };
    let Some((metric, targets)) = what(reader, &fields, questions) else {
        return Vec::new();
    };
    let margin = match fields.get("margin") {
        None => None,
        Some(field) => match margin(reader, &field, &metric) {
            None => return Vec::new(),
            margin => margin,
        },
    };
    let others: Vec<usize> = (0..candidates.len())
        .filter(|at| Against::Candidate(*at) != against && !candidates[*at].candidate.baseline)
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
    let claim = match (margin, against) {
        (Some(_), _) => Claim::NotWorse,
        (None, Against::Baseline) => Claim::Steady,
        (None, Against::Candidate(_)) => Claim::Better,
    };
    let entry = |question| Comparison {
        claim,
        against,
        candidates: others.clone(),
        question,
        metric: metric.clone(),
        margin,
        span: node.span,
    };
    targets.into_iter().map(entry).collect()
}

/// The margin in the metric's unit.
fn margin(reader: &mut Reader, field: &Field<'_>, metric: &Metric) -> Option<f64> {
    let unit = metric.info().unit;
    let text = field.value.text().unwrap_or("");
    let example = match unit {
        Unit::Share | Unit::Difference => "1%",
        Unit::Number => "0.02",
        Unit::Milliseconds => "20ms",
        Unit::Dollars => "$0.05",
    };
    let margin = match Bound::parse_limit(Side::AtMost, text, unit) {
        Ok(bound) => bound.value(),
        Err(error) => {
            reader
                .error(
                    "bad-bound",
                    field.value.span,
                    format!("`{text}` is no margin for `{metric}`: {error}"),
                )
                .help(format!("write it as `{example}`"));
            return None;
        }
    };
    let in_range = margin > 0.0 && (unit != Unit::Share || margin < 1.0);
    if !in_range {
        let range = if unit == Unit::Share {
            "`margin` lies above 0% and below 100%"
        } else {
            "`margin` lies above 0"
        };
        reader
            .error("out-of-range", field.value.span, range)
            .help("without a margin, candidates must be better");
    }
    in_range.then_some(margin)
}

fn against(
    reader: &mut Reader,
    fields: &Fields<'_>,
    candidates: &[ReadCandidate<'_>],
) -> Option<Against> {
    if candidates.is_empty() {
        return None;
    }
    let field = fields.get("against");
    let name = match &field {
        Some(field) => reader.words(field)?,
        None => "today",
    };
    let span = field.map_or(fields.span, |field| field.value.span);
    let found = candidates
        .iter()
        .position(|read| read.candidate.name == name);
    match name {
        "baseline" if found.is_none() => return Some(Against::Baseline),
        "baseline" => {
            reader
                .error(
                    "unknown-candidate",
                    span,
                    "`baseline` means earlier answers, and a candidate has this name too",
                )
                .help("give the candidate another name");
            return None;
        }
        "today" => {
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
            return today.map(Against::Candidate);
        }
        _ => {}
    }
    if found.is_none() {
        let names = candidates.iter().map(|read| read.candidate.name.as_str());
        let names: Vec<&str> = names.chain(["today", "baseline"]).collect();
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
    found.map(Against::Candidate)
}

/// The metric and the questions of which it is compared.
fn what(
    reader: &mut Reader,
    fields: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Option<(Metric, Vec<usize>)> {
    let (question, metric) = match fields.get("metric") {
        None => (None, Metric::plain(MetricId::Accuracy)),
        Some(field) => {
            let text = reader.words(&field)?;
            let entry = Entry::new(text, field.value.span, field.value.clone());
            let (question, metric) = named(reader, &entry, Place::Suite, questions)?;
            if !is_comparable(&metric) {
                not_comparable(reader, &metric, field.value.span);
                return None;
            }
            (question, metric)
        }
    };
    let targets = match question {
        Some(position) => vec![position],
        None => (0..questions.len().max(1))
            .filter(|at| {
                questions
                    .get(*at)
                    .is_none_or(|read| unfit(&metric, read).is_none())
            })
            .collect(),
    };
    Some((metric, targets))
}

fn is_comparable(metric: &Metric) -> bool {
    let probe = matches!(
        metric.argument,
        MetricArgument::ReversedOrder | MetricArgument::Context(_)
    );
    !probe
        && metric.info().better != Better::Neither
        && (metric.id.is_mean_over_cases() || metric.id.is_of_all_cases())
}

fn not_comparable(reader: &mut Reader, metric: &Metric, span: Span) {
    reader
        .error(
            "metric-kind",
            span,
            format!("`{metric}` takes more than one call per case, or is no quality of answers"),
        )
        .help("compare by `accuracy`, `recall[x]`, `macro_f1`, `brier`, `ece`, `error_rate`, `latency.p95`, `cost_per_1000` or another metric of the base call");
}

/// Warns of margins that so many cases could not show even if no answer differed.
pub(super) fn check_margins(reader: &mut Reader, comparisons: &[Comparison], cases: usize) {
    for comparison in comparisons {
        let Some(margin) = comparison.margin else {
            continue;
        };
        if comparison.metric.info().unit != Unit::Share
            || !comparison.metric.id.is_mean_over_cases()
        {
            continue;
        }
        let needed = cases_for_margin(margin);
        if (cases as u64) < needed {
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

    use super::super::{Against, Loaded, check_text};
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
        assert_eq!(
            (first.claim, first.against),
            (Claim::NotWorse, Against::Candidate(0))
        );
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
            ("{ metric: flip_rate }", "more than one call per case"),
            ("{ metric: ece_null }", "no quality of answers"),
            ("{ metric: brier, margin: 3% }", "write it as `0.02`"),
            ("{ metric: latency.p95, margin: 5 }", "write it as `20ms`"),
            ("{ metric: cost_per_1000, margin: $0 }", "lies above 0"),
            ("{ margin: 0% }", "above 0% and below 100%"),
            ("[{ margin: 1% }, { margin: 2% }]", "claimed twice"),
            ("{ agianst: today }", "did you mean `against`?"),
        ] {
            let told = read(compare).unwrap_err();
            assert!(told.contains(said), "{compare}{told}");
        }
    }

    #[test]
    fn earlier_answers_must_not_be_worse_or_within_a_margin() {
        let suite = read("[{ against: baseline }, { against: baseline, margin: 5% }]");
        let suite = suite.unwrap().suite;
        let [steady, margin] = suite.comparisons.as_slice() else {
            panic!("{:?}", suite.comparisons);
        };
        assert_eq!(
            (steady.claim, steady.against),
            (Claim::Steady, Against::Baseline)
        );
        assert_eq!(steady.candidates, [0, 1, 2], "today's too");
        assert_eq!(suite.claim_name(steady), "steady[accuracy.vs.baseline]");
        assert_eq!(suite.claim_name(margin), "not_worse[accuracy.vs.baseline]");
    }

    #[test]
    fn a_margin_is_written_in_its_metrics_unit() {
        let margin = |compare: &str| read(compare).unwrap().suite.comparisons[0].margin;
        assert_eq!(margin("{ metric: brier, margin: 0.02 }"), Some(0.02));
        assert_eq!(margin("{ metric: latency.p95, margin: 20ms }"), Some(20.0));
        assert_eq!(
            margin("{ metric: cost_per_1000, margin: $0.05 }"),
            Some(0.05)
        );
        assert_eq!(margin("{ metric: 'recall[yes]', margin: 2% }"), Some(0.02));
    }
}
