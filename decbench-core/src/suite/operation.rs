//! `turn:`: a candidate in operation.

use super::gold::{self, Answered};
use super::keys::Section;
use super::question::ReadQuestion;
use super::read::{Fields, Reader};
use crate::metric::{Bound, Side, TurnRule, Unit};

/// Reads `turn:`.
pub(super) fn turn(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Option<TurnRule> {
    let field = suite.get("turn")?;
    let fields = reader.section(Section::Turn, "turn", field.value)?;
    let Some(budget) = fields.get("budget") else {
        reader
            .error("missing-key", field.key_span, "`turn` has no `budget`")
            .help("write what a turn may take, as in `budget: 400ms`");
        return None;
    };
    let text = reader.words(&budget)?.trim().to_owned();
    let parsed = Bound::parse_limit(Side::AtMost, &text, Unit::Milliseconds)
        .ok()
        .map(|bound| bound.value())
        .filter(|ms| *ms > 0.0);
    let Some(ms) = parsed else {
        reader
            .error(
                "bad-bound",
                budget.value.span,
                format!("`{text}` is no budget of time"),
            )
            .help("write it as `400ms` or `1.5s`");
        return None;
    };
    let mut rule = TurnRule::new(ms, text);
    if let Some(field) = fields.get("parallel") {
        rule.parallel = reader.whole(&field)?;
    }
    if let Some(field) = fields.get("turns") {
        rule.turns = reader.whole(&field)?;
    }
    if let Some(field) = fields.get("at_least") {
        let share = reader.share(&field)?.value();
        if share <= 0.0 || share >= 1.0 {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`at_least` lies above 0% and below 100%",
                )
                .help("no number of calls proves that every turn stays within the budget");
            return None;
        }
        rule.at_least = share;
    }
    if let Some(field) = fields.get("default") {
        let answered: Vec<Answered<'_>> = questions
            .iter()
            .map(|read| Answered {
                question: &read.question,
                sound: read.sound,
            })
            .collect();
        rule.default = gold::by_question(reader, "default", field.value, &answered, gold::option);
    }
    Some(rule)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Suite, check_text};
    use crate::diagnostic::Source;

    fn read(operation: &str) -> Result<Suite, String> {
        let text = format!(
            "question: {{ type: choice, instructions: Which?, options: {{ a: A, wait: {{ description: W, escape: true }} }} }}\ncases: [{{ state: x }}]\ncandidates: {{ x: {{ provider: rust }} }}\nassert: {{ accuracy: '>= 1%' }}\n{operation}\n"
        );
        check_text(&Arc::new(Source::new("operation.yaml", text)))
            .map(|loaded| loaded.suite)
            .map_err(|mistakes| mistakes.render())
    }

    #[test]
    fn a_turn_is_read_with_its_default_action() {
        let suite =
            read("turn: { budget: 0.4s, parallel: 3, turns: 10, at_least: 90%, default: wait }")
                .expect("a suite");
        let rule = suite.turn.expect("a turn");
        assert_eq!(
            (rule.budget_ms, rule.parallel, rule.turns, rule.at_least),
            (400.0, 3, 10, 0.9)
        );
        assert_eq!(rule.default, [Some(1)]);
    }

    #[test]
    fn slips_are_told() {
        for (operation, says) in [
            ("turn: { parallel: 3 }", "`budget: 400ms`"),
            ("turn: { budget: 400 }", "no budget of time"),
            ("turn: { budget: 1s, at_least: 100% }", "below 100%"),
            (
                "turn: { budget: 1s, default: weit }",
                "did you mean `wait`?",
            ),
        ] {
            let mistakes = read(operation).expect_err(operation);
            assert!(mistakes.contains(says), "{operation}: {mistakes}");
        }
    }
}
