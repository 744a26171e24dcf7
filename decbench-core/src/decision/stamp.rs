//! What a person's approval of a label is bound to.

use super::{Case, Context, Digest, Gold, Question, question_digest};

/// The digest of a case's state, its questions and its gold: what an approval stamp was given for.
///
/// It changes when any of the three does, and with nothing else of the case. `None` where there is no gold to approve;
/// of an open answer everything that is expected can be approved, and the case as it is where nothing is. Labels
/// enter by their keys, so that adding an option changes it through the question alone.
pub fn approval_digest(case: &Case, suite: &[Question]) -> Option<Digest> {
    let expected = case.expected.as_deref();
    if case.gold.iter().all(Option::is_none) && expected.is_none() {
        return None;
    }
    let questions = case.questions(suite);
    let asked = question_digest(questions);
    let state = case.state_digest(Context::Production);
    let mut labels: Vec<String> = questions
        .iter()
        .zip(&case.gold)
        .map(|(question, gold)| label(question, gold.as_ref()))
        .collect();
    labels.extend(expected.map(|expected| expected.document().to_string()));
    let parts = [
        b"approval/1".as_slice(),
        state.as_ref().map_or(&[], |digest| digest.as_bytes()),
        asked.as_bytes(),
    ];
    Some(Digest::of(
        parts.into_iter().chain(labels.iter().map(String::as_bytes)),
    ))
}

fn label(question: &Question, gold: Option<&Gold>) -> String {
    let key = |position: usize| {
        question.options.get(position).map_or_else(
            || position.to_string(),
            |option| format!("{:?}", option.key),
        )
    };
    match gold {
        None => String::new(),
        Some(Gold::Unknown) => "unknown".to_owned(),
        Some(Gold::Label(position)) => key(*position),
        Some(Gold::AnyOf(positions)) => {
            let keys: Vec<String> = positions.iter().map(|position| key(*position)).collect();
            format!("any {}", keys.join(" "))
        }
        Some(Gold::Distribution(shares)) => {
            let shares: Vec<String> = shares
                .iter()
                .enumerate()
                .map(|(position, share)| format!("{} {share}", key(position)))
                .collect();
            format!("shares {}", shares.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{AnswerOption, QuestionKind, State};

    fn question(instructions: &str) -> Question {
        Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: instructions.into(),
            options: vec![AnswerOption::new("a"), AnswerOption::new("b")],
        }
    }

    #[test]
    fn state_question_and_label_change_it_and_nothing_else_does() {
        let digest = |case: &Case, text: &str| approval_digest(case, &[question(text)]);
        let mut case = Case::new("c", State::Text("x".into()));
        assert_eq!(digest(&case, "?"), None);
        case.gold = vec![Some(Gold::Label(0))];
        let stamp = digest(&case, "?");
        let mut moved = case.clone();
        moved.weight = 3.0;
        moved.id = "other".into();
        assert_eq!(digest(&moved, "?"), stamp);
        assert_ne!(digest(&case, "Which?"), stamp);
        let mut relabelled = case.clone();
        relabelled.gold = vec![Some(Gold::Label(1))];
        assert_ne!(digest(&relabelled, "?"), stamp);
        let mut reworded = Case::new("c", State::Text("y".into()));
        reworded.gold = case.gold;
        assert_ne!(digest(&reworded, "?"), stamp);
    }

    #[test]
    fn an_option_named_as_a_word_of_ours_is_told_apart() {
        let mut odd = question("?");
        odd.options[0] = AnswerOption::new("unknown");
        assert_ne!(
            label(&odd, Some(&Gold::Label(0))),
            label(&odd, Some(&Gold::Unknown))
        );
    }
}
