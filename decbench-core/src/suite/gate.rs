//! `gate:` of a question: a yes/no question of the same request that has to say yes first.

use super::keys::Section;
use super::question::ReadQuestion;
use super::read::{Field, Reader, suggestion};
use super::tree::Value;
use crate::decision::QuestionKind;
use crate::metric::{Conventions, Gate};

/// Puts each question's gate among its conventions, which are those of the questions in the same order.
pub(super) fn gates(
    reader: &mut Reader,
    questions: &[ReadQuestion<'_>],
    conventions: &mut [Conventions],
) {
    for (position, asked) in questions.iter().enumerate() {
        let gate = asked
            .gate
            .and_then(|field| gate(reader, &field, questions, position));
        if let Some((question, otherwise)) = gate {
            let half = conventions.get(question).map(|of_gate| of_gate.half);
            if let (Some(half), Some(own)) = (half, conventions.get_mut(position)) {
                own.gate = Some(Gate {
                    question,
                    otherwise,
                    half,
                });
            }
        }
    }
}

/// The gate's position among the questions, and that of the option that is decided for where it is closed.
fn gate(
    reader: &mut Reader,
    field: &Field<'_>,
    questions: &[ReadQuestion<'_>],
    position: usize,
) -> Option<(usize, Option<usize>)> {
    let (named, otherwise) = if let Value::Map(_) = field.value.value {
        let fields = reader.section(Section::Gate, "gate", field.value)?;
        let Some(named) = fields.get("question") else {
            reader
                .error("missing-key", field.key_span, "`gate` names no `question`")
                .help(
                    "write `gate: { question: enough_evidence }`, by the name of a yes/no question",
                );
            return None;
        };
        (named, fields.get("otherwise"))
    } else {
        (*field, None)
    };
    let name = reader.text_of("gate", named.value)?.to_owned();
    let own = &questions[position].question;
    let span = named.value.span;
    let others = questions
        .iter()
        .map(|read| read.question.name.as_str())
        .filter(|other| *other != own.name);
    let Some(at) = questions.iter().position(|read| read.question.name == name) else {
        let help = if questions.len() == 1 {
            "a gate is another question of the same request: write both under `questions:`"
                .to_owned()
        } else {
            suggestion("the other questions are", &name, others)
        };
        reader
            .error(
                "unknown-question",
                span,
                format!("there is no question `{name}`"),
            )
            .help(help);
        return None;
    };
    let of_gate = &questions[at];
    let problem = if at == position {
        Some("a question is not its own gate".to_owned())
    } else if of_gate.question.kind != QuestionKind::YesNo {
        let kind = of_gate.question.kind.name();
        Some(format!(
            "a gate is of type `yes_no`, and `{name}` is of type `{kind}`"
        ))
    } else if of_gate.gate.is_some() {
        Some(format!("`{name}` stands behind a gate itself"))
    } else {
        None
    };
    if let Some(problem) = problem {
        reader
            .error("bad-gate", span, problem)
            .help("name a yes/no question without a gate");
        return None;
    }
    let Some(field) = otherwise else {
        return Some((at, None));
    };
    let key = reader.text_of("otherwise", field.value)?.to_owned();
    if !questions[position].sound {
        return None;
    }
    let option = own.index_of(&key);
    if option.is_none() {
        let keys = own.options.iter().map(|option| option.key.as_str());
        reader
            .error(
                "unknown-option",
                field.value.span,
                format!("the question has no option `{key}`"),
            )
            .help(suggestion("its options", &key, keys));
    }
    option.map(|option| (at, Some(option)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::check_text;
    use crate::diagnostic::Source;
    use crate::metric::{Gate, HalfReading};

    fn gate(gate: &str) -> Result<Option<Gate>, String> {
        let text = format!(
            "questions:
  evidence: {{ type: yes_no, instructions: Enough?, conventions: {{ half: yes }} }}
  team: {{ type: choice, instructions: Which?, options: {{ billing: B, other: O }}, gate: {gate} }}
  mood: {{ type: score, instructions: How?, levels: [calm, angry] }}
cases: [{{ state: x, gold: {{ evidence: yes, team: billing }} }}]
candidates: {{ x: {{ provider: rust }} }}
assert: {{ accuracy: '>= 1%' }}
"
        );
        check_text(&Arc::new(Source::new("gate.yaml", text)))
            .map(|loaded| loaded.suite.conventions[1].gate)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_gate_is_named_alone_or_with_what_is_decided_where_it_is_closed() {
        let half = HalfReading::Yes;
        let expected = |otherwise| {
            Ok(Some(Gate {
                question: 0,
                otherwise,
                half,
            }))
        };
        assert_eq!(gate("evidence"), expected(None));
        assert_eq!(gate("{ question: evidence }"), expected(None));
        assert_eq!(
            gate("{ question: evidence, otherwise: other }"),
            expected(Some(1))
        );
    }

    #[test]
    fn slips_are_told() {
        for (written, says) in [
            ("evidense", "did you mean `evidence`?"),
            ("mood", "`mood` is of type `score`"),
            ("team", "not its own gate"),
            ("{ otherwise: other }", "names no `question`"),
            (
                "{ question: evidence, otherwise: othre }",
                "did you mean `other`?",
            ),
            (
                "{ question: evidence, closed: other }",
                "unknown key `closed`",
            ),
        ] {
            let mistakes = gate(written).expect_err(written);
            assert!(mistakes.contains(says), "{written}: {mistakes}");
        }
    }

    #[test]
    fn a_gate_stands_in_the_suite_and_its_rate_needs_one() {
        let mistakes = |text: &str| {
            check_text(&Arc::new(Source::new("gate.yaml", text)))
                .expect_err("mistakes")
                .render()
        };
        let own = "question: { type: yes_no, instructions: Paid? }
cases: [{ state: x, question: { type: yes_no, instructions: Really?, gate: paid } }]
candidates: { x: { provider: rust } }
assert: { accuracy: '>= 1%' }
";
        assert!(mistakes(own).contains("a case's question has no `gate`"));
        let without = "question: { type: yes_no, instructions: Paid? }
cases: [{ state: x }]
candidates: { x: { provider: rust } }
assert: { gate_closed_rate: '<= 10%' }
";
        assert!(
            mistakes(without).contains("no gate"),
            "{}",
            mistakes(without)
        );
    }
}
