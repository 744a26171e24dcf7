//! `case_gates:` of `verdict:`: what each decision must keep to for its case to be a success.

use super::assertion::{Place, named};
use super::question::ReadQuestion;
use super::read::{Field, Reader};
use super::tree::{Entry, Value};
use super::verdict::of_one_answer;
use crate::metric::{Bound, CaseGate, CaseSubject, Unit};

/// Reads every limit; a metric without a question's name limits each question.
pub(super) fn case_gates(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
) -> Vec<CaseGate> {
    let mut gates = Vec::new();
    for entry in reader
        .entries("case_gates", field.value)
        .unwrap_or_default()
    {
        let (subjects, unit) = match entry.key.as_str() {
            "latency" => (vec![CaseSubject::Latency], Unit::Milliseconds),
            "cost" => (vec![CaseSubject::Cost], Unit::Dollars),
            _ => match rights(reader, entry, questions) {
                Some(subjects) => (subjects, Unit::Share),
                None => continue,
            },
        };
        if let Some(bound) = bound(reader, entry, unit) {
            gates.extend(subjects.into_iter().map(|subject| CaseGate {
                subject,
                bound: bound.clone(),
                name: entry.key.clone(),
            }));
        }
    }
    gates
}

/// A metric that says of one answer whether it is right, for each question it means.
fn rights(
    reader: &mut Reader,
    entry: &Entry,
    questions: &[ReadQuestion<'_>],
) -> Option<Vec<CaseSubject>> {
    let (question, metric) = named(reader, entry, Place::Suite, questions)?;
    let Some(id) = of_one_answer(&metric) else {
        reader
            .error(
                "metric-kind",
                entry.key_span,
                format!("`{metric}` is nothing that one decision keeps to"),
            )
            .help("a decision is limited by `latency`, `cost`, `accuracy` and `within_one`; limits on all cases stand under `gates`");
        return None;
    };
    let targets = match question {
        Some(position) => position..position + 1,
        None => 0..questions.len().max(1),
    };
    Some(
        targets
            .map(|question| CaseSubject::Right(question, id))
            .collect(),
    )
}

fn bound(reader: &mut Reader, entry: &Entry, unit: Unit) -> Option<Bound> {
    let example = match unit {
        Unit::Milliseconds => "<= 2s",
        Unit::Dollars => "<= $0.01",
        _ => ">= 100%",
    };
    let Value::Scalar(scalar) = &entry.value.value else {
        reader
            .unexpected(&entry.key, &entry.value, "a bound")
            .help(format!("write `{}: \"{example}\"`", entry.key));
        return None;
    };
    match Bound::parse(&scalar.text, unit) {
        Ok(bound) => Some(bound),
        Err(error) => {
            reader
                .error(
                    "bad-bound",
                    entry.value.span,
                    format!("`{}` is no bound for `{}`: {error}", scalar.text, entry.key),
                )
                .help(format!("write `{}: \"{example}\"`", entry.key));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::check_text;
    use crate::diagnostic::Source;
    use crate::metric::{CaseGate, CaseSubject, MetricId};

    fn read(gates: &str) -> Result<Vec<CaseGate>, String> {
        let text = format!(
            "
questions:
  queue: {{ type: yes_no, instructions: Paid? }}
  urgent: {{ type: yes_no, instructions: Urgent? }}
cases: [{{ state: x }}]
candidates:
  old: {{ provider: rust, today: true }}
  new: {{ provider: rust }}
verdict: {{ expect: any, case_gates: {gates} }}
"
        );
        check_text(&Arc::new(Source::new("gates.yaml", text)))
            .map(|loaded| loaded.suite.verdict.unwrap().rule.case_gates)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn times_costs_and_questions_are_limited() {
        let gates = read("{ latency: '<= 2s', cost: '<= $0.01', queue.accuracy: '>= 100%' }");
        let gates = gates.unwrap();
        let subjects: Vec<CaseSubject> = gates.iter().map(|gate| gate.subject).collect();
        assert_eq!(
            subjects,
            [
                CaseSubject::Latency,
                CaseSubject::Cost,
                CaseSubject::Right(0, MetricId::Accuracy)
            ]
        );
        assert_eq!(gates[0].to_string(), "latency <= 2s");
        assert_eq!(read("{ accuracy: '>= 100%' }").unwrap().len(), 2);
    }

    #[test]
    fn slips_are_shown_where_they_stand() {
        for (gates, said) in [
            ("{ latency: '<= 5' }", "write `latency: \"<= 2s\"`"),
            ("{ cost: 3 }", "starts with >= or <="),
            (
                "{ macro_f1: '>= 90%' }",
                "limits on all cases stand under `gates`",
            ),
            ("{ latency: { at_most: 2s } }", "wants a bound"),
        ] {
            let told = read(gates).unwrap_err();
            assert!(told.contains(said), "{gates}{told}");
        }
    }
}
