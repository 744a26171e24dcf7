//! `verdict:` and `gates:`.

use super::assertion::{Place, ReadAssertions, items, named};
use super::bound::Mentioned;
use super::candidate::ReadCandidate;
use super::case_gates::case_gates;
use super::keys::Section;
use super::merge::merge;
use super::model::{Assertion, Verdict};
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader};
use super::tree::{Entry, Node, Value};
use crate::diagnostic::Span;
use crate::metric::{
    Decimal, Expect, Metric, MetricArgument, MetricId, QualityPart, Reading, UtilityWeights,
    VerdictRule,
};

/// The margin of `expect: switch_cheaper` where none is written.
const DEFAULT_MARGIN: f64 = 0.01;

/// Reads what the suite says of its verdict.
pub(super) fn verdict(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
    mentioned: &mut Vec<Mentioned>,
) -> Option<Verdict> {
    let gates = suite
        .get("gates")
        .map(|field| gates(reader, &field, questions, candidates, mentioned));
    let Some(field) = suite.get("verdict") else {
        if let Some(gates) = suite.get("gates") {
            reader
                .error(
                    "gates-without-verdict",
                    gates.key_span,
                    "`gates` decide who may win a verdict, and the suite has none",
                )
                .help("add `verdict: any`, or write the bounds under `assert:`");
        }
        return None;
    };
    let rule = rule(reader, &field, questions)?;
    check_candidates(reader, &rule, field.key_span, candidates);
    let fallback = match field.value.get("fallback") {
        Some(node) => reader.text_of("fallback", node).map(str::to_owned),
        None => None,
    };
    Some(Verdict {
        rule,
        fallback,
        gates: gates.unwrap_or_default(),
        span: field.key_span,
    })
}

fn rule(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
) -> Option<VerdictRule> {
    let count = questions.len().max(1);
    if let Value::Scalar(_) = &field.value.value {
        // `verdict: keep` is short for `verdict: { expect: keep }`.
        let short = Field {
            key: Section::Verdict.key("expect")?,
            ..*field
        };
        let expect = Expect::from_name(reader.one_of(&short)?)?;
        return Some(with_default_margin(VerdictRule::new(expect, count)));
    }
    let fields = reader.section(Section::Verdict, "verdict", field.value)?;
    let expect = match fields.get("expect") {
        Some(field) => Expect::from_name(reader.one_of(&field)?)?,
        None => Expect::Any,
    };
    let mut rule = VerdictRule::new(expect, count);
    if let Some(field) = fields.get("margin") {
        let margin = reader.share(&field).map(Decimal::value);
        if margin.is_some_and(|margin| margin <= 0.0 || margin >= 1.0) {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`margin` lies above 0% and below 100%",
                )
                .help("no finite number of cases proves that quality does not fall at all");
        }
        rule.margin = margin;
    }
    if let Some(field) = fields.get("success") {
        rule.success = reader.number(&field).unwrap_or(rule.success);
    }
    if let Some(field) = fields.get("case_gates") {
        rule.case_gates = case_gates(reader, &field, questions);
    }
    if let Some(field) = fields.get("utility") {
        rule.utility = utility(reader, &field).unwrap_or_default();
    }
    if let Some(field) = fields.get("min_discordant") {
        rule.min_discordant = reader.whole(&field).unwrap_or(rule.min_discordant);
    }
    if let Some(field) = fields.get("repeats") {
        rule.repeats = reader.whole(&field).unwrap_or(rule.repeats);
    }
    if let Some(field) = fields.get("quality") {
        let parts = quality(reader, &field, questions);
        if !parts.is_empty() {
            rule.quality = parts;
        }
    }
    Some(with_default_margin(rule))
}

fn utility(reader: &mut Reader, field: &Field<'_>) -> Option<UtilityWeights> {
    let fields = reader.section(Section::Utility, "utility", field.value)?;
    let mut weights = UtilityWeights::default();
    for (name, weight) in [
        ("quality", &mut weights.quality),
        ("speed", &mut weights.speed),
        ("cost", &mut weights.cost),
    ] {
        if let Some(field) = fields.get(name) {
            *weight = reader.number(&field)?;
        }
    }
    if weights.quality + weights.speed + weights.cost <= 0.0 {
        reader
            .error(
                "out-of-range",
                field.value.span,
                "all weights of `utility` are 0",
            )
            .help("give one of them a weight, as in `{ quality: 60, speed: 20, cost: 20 }`");
        return None;
    }
    Some(weights)
}

fn with_default_margin(mut rule: VerdictRule) -> VerdictRule {
    if rule.expect == Expect::SwitchCheaper {
        rule.margin.get_or_insert(DEFAULT_MARGIN);
    }
    rule
}

fn quality(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
) -> Vec<QualityPart> {
    let mut parts: Vec<QualityPart> = Vec::new();
    let entries = reader.entries("quality", field.value).unwrap_or_default();
    if entries.is_empty() && field.value.entries().is_some() {
        reader
            .error("empty-map", field.value.span, "`quality` is empty")
            .help("remove it, or write `quality: { accuracy: 1 }`");
    }
    for entry in entries {
        let Some((question, metric)) = named(reader, entry, Place::Suite, questions) else {
            continue;
        };
        let Some(id) = of_one_answer(&metric) else {
            reader
                .error(
                    "metric-kind",
                    entry.key_span,
                    format!("`{metric}` does not say of one answer whether it is right"),
                )
                .help("a case's quality is made of `accuracy` and `within_one`");
            continue;
        };
        let Some(weight) = weight(reader, entry) else {
            continue;
        };
        let targets = match question {
            Some(position) => position..position + 1,
            None => 0..questions.len().max(1),
        };
        for question in targets {
            if parts
                .iter()
                .any(|part| part.question == question && part.metric == id)
            {
                reader.error(
                    "duplicate-key",
                    entry.key_span,
                    format!("`{metric}` of this question has a weight already"),
                );
            } else {
                parts.push(QualityPart {
                    question,
                    metric: id,
                    weight,
                });
            }
        }
    }
    parts
}

/// The metric, where it says of one answer whether it is right.
pub(super) fn of_one_answer(metric: &Metric) -> Option<MetricId> {
    (metric.argument == MetricArgument::None
        && matches!(metric.id, MetricId::Accuracy | MetricId::WithinOne))
    .then_some(metric.id)
}

fn weight(reader: &mut Reader, entry: &Entry) -> Option<f64> {
    let weight = entry
        .value
        .text()
        .and_then(|text| text.trim().parse::<f64>().ok())
        .filter(|weight| weight.is_finite() && *weight > 0.0);
    if weight.is_none() {
        reader
            .error(
                "out-of-range",
                entry.value.span,
                "a weight is a number above 0",
            )
            .help("only the ratio of the weights counts, as in `{ queue.accuracy: 2, urgent.accuracy: 1 }`");
    }
    weight
}

fn gates(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
    candidates: &[ReadCandidate<'_>],
    mentioned: &mut Vec<Mentioned>,
) -> Vec<Assertion> {
    let mut read = ReadAssertions::default();
    let mut general = items(reader, field, Place::Suite, questions, &mut read);
    mentioned.append(&mut read.mentioned);
    if let Some(floor) = read.gold {
        reader
            .error("foreign-key", floor.span, "`gold` is no metric")
            .help("the floors of a verdict are fixed; write `gold` under `assert:` to test it");
    }
    for item in &mut general {
        let proven = field
            .value
            .entries()
            .into_iter()
            .flatten()
            .find(|entry| entry.key_span == item.span)
            .is_some_and(|entry| names_a_reading(&entry.value));
        // A gate is a limit on what was observed, unless its author wants proof.
        if !proven {
            for requirement in item.requirements.iter_mut().flatten() {
                requirement.reading = Reading::Point;
            }
        }
    }
    candidates
        .iter()
        .enumerate()
        .filter(|(_, read)| !read.candidate.baseline || read.candidate.today)
        .flat_map(|(position, _)| merge(position, &general, &[], questions))
        .collect()
}

fn names_a_reading(node: &Node) -> bool {
    match &node.value {
        Value::List(items) => items.iter().any(names_a_reading),
        _ => node.get("reading").is_some(),
    }
}

/// A verdict needs somebody to compare, and `keep` and `switch` somebody to compare with.
fn check_candidates(
    reader: &mut Reader,
    rule: &VerdictRule,
    span: Span,
    candidates: &[ReadCandidate<'_>],
) {
    if candidates.is_empty() {
        return;
    }
    let today = candidates.iter().any(|read| read.candidate.today);
    let others = candidates
        .iter()
        .any(|read| !read.candidate.today && !read.candidate.baseline);
    if !others {
        reader
            .error(
                "nobody-to-compare",
                span,
                "a verdict needs a candidate that is neither today's nor a baseline",
            )
            .help("add one under `candidates:`, or remove `verdict`");
    } else if !today
        && matches!(
            rule.expect,
            Expect::Keep | Expect::Switch | Expect::SwitchCheaper
        )
    {
        reader
            .error(
                "no-today",
                span,
                format!(
                    "`{}` compares with what production uses, and no candidate is marked",
                    rule.expect.name()
                ),
            )
            .help("write `today: true` on one, or `verdict: decision` before launch");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;
    use crate::metric::{Expect, MetricId, Reading};

    const HEAD: &str = "
questions:
  queue: { type: choice, instructions: Which?, options: { a: A, b: { description: B, escape: true } } }
  anger: { type: score, instructions: How angry?, levels: [calm, cross, furious] }
cases: [{ state: x }]
candidates:
  old: { provider: rust, today: true }
  new: { provider: rust }
  floor: { provider: naive-bayes }
";

    fn read(tail: &str) -> Result<Suite, String> {
        let text = format!("{HEAD}{tail}");
        check_text(&Arc::new(Source::new("verdict.yaml", text)))
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_word_is_a_whole_verdict() {
        let suite = read("verdict: keep\n").unwrap();
        let rule = suite.verdict.unwrap().rule;
        assert_eq!(rule.expect, Expect::Keep);
        assert_eq!(
            (rule.success, rule.min_discordant, rule.repeats),
            (0.8, 6, 1)
        );
        assert_eq!(rule.margin, None);
        assert_eq!(rule.quality.len(), 2);
        let cheaper = read("verdict: switch_cheaper\n").unwrap();
        assert_eq!(cheaper.verdict.unwrap().rule.margin, Some(0.01));
    }

    #[test]
    fn every_option_is_read() {
        let suite = read(
            "verdict: { expect: decision, margin: 2%, success: 0.5, min_discordant: 3, repeats: 4, quality: { queue.accuracy: 2, anger.within_one: 1 } }\n",
        )
        .unwrap();
        let rule = suite.verdict.unwrap().rule;
        assert_eq!((rule.margin, rule.success), (Some(0.02), 0.5));
        assert_eq!((rule.min_discordant, rule.repeats), (3, 4));
        let parts: Vec<_> = rule
            .quality
            .iter()
            .map(|part| (part.question, part.metric, part.weight))
            .collect();
        assert_eq!(
            parts,
            [(0, MetricId::Accuracy, 2.0), (1, MetricId::WithinOne, 1.0)]
        );
    }

    #[test]
    fn weights_of_the_ranking_are_read_and_not_all_0() {
        let suite = read("verdict: { utility: { quality: 1, speed: 0, cost: 3 } }\n").unwrap();
        let shares = suite.verdict.unwrap().rule.utility.shares();
        assert_eq!(shares, [0.25, 0.0, 0.75]);
        let usual = read("verdict: any\n").unwrap().verdict.unwrap();
        assert_eq!(usual.rule.utility.shares(), [0.6, 0.2, 0.2]);
        let none = read("verdict: { utility: { quality: 0, speed: 0, cost: 0 } }\n");
        assert!(none.unwrap_err().contains("all weights"));
    }

    #[test]
    fn gates_hold_for_all_but_baselines_and_read_points() {
        let suite = read(
            "verdict: any\ngates: { error_rate: '<= 1%', 'queue.recall[a]': { at_least: 95%, reading: proven } }\n",
        )
        .unwrap();
        let gates = suite.verdict.as_ref().unwrap().gates.clone();
        let names: Vec<_> = gates
            .iter()
            .map(|gate| {
                (
                    gate.candidate,
                    suite.metric_name(gate),
                    gate.requirements[0].reading,
                )
            })
            .collect();
        assert_eq!(names.len(), 6, "{names:?}");
        assert!(names.iter().all(|(candidate, ..)| *candidate < 2));
        assert!(names.iter().all(|(_, name, reading)| {
            (*reading == Reading::Proven) == name.contains("recall")
        }));
    }

    #[test]
    fn slips_are_shown_where_they_stand() {
        for (tail, said) in [
            ("verdict: kep\n", "did you mean `keep`?"),
            ("verdict: { expects: keep }\n", "did you mean `expect`?"),
            ("verdict: { margin: 0% }\n", "above 0% and below 100%"),
            (
                "verdict: { quality: { ece: 1 } }\n",
                "`accuracy` and `within_one`",
            ),
            (
                "verdict: { quality: { accuracy: -1 } }\n",
                "a number above 0",
            ),
            ("gates: { accuracy: '>= 90%' }\n", "add `verdict: any`"),
        ] {
            let told = read(tail).unwrap_err();
            assert!(told.contains(said), "{tail}{told}");
        }
    }

    #[test]
    fn a_verdict_needs_somebody_to_compare() {
        let head = HEAD.replace(", today: true", "");
        let check = |text: String| {
            check_text(&Arc::new(Source::new("verdict.yaml", text)))
                .map(|_| ())
                .map_err(|mistakes| mistakes.render())
        };
        assert!(
            check(format!("{head}verdict: keep\n"))
                .unwrap_err()
                .contains("today: true")
        );
        assert!(check(format!("{head}verdict: decision\n")).is_ok());
        let alone = HEAD.replace("  new: { provider: rust }\n", "");
        assert!(
            check(format!("{alone}verdict: any\n"))
                .unwrap_err()
                .contains("neither today's nor a baseline")
        );
    }
}
