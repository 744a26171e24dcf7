//! The question of a suite, where a format does not say it.

use decbench_core::decision::{AnswerOption, Question, QuestionKind};
use serde_json::{Map, Value as Json, json};

use super::Import;
use super::harvest::{Found, FoundCase, Given};
use crate::ending::Unusable;
use crate::redact::{Counts, Redactor};

/// More different answers than this are taken for free text.
const MOST_OPTIONS: usize = 40;

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum Asked {
    /// The same of every case.
    Suite(Vec<Question>),
    /// Each case has options of its own.
    PerCase { instructions: String },
}

impl Asked {
    /// The questions of a case.
    pub(super) fn of(&self, case: &Found) -> Vec<Question> {
        match self {
            Self::Suite(questions) => questions.clone(),
            Self::PerCase { instructions } => {
                let options = case.options.clone().unwrap_or_default();
                vec![choice(instructions.clone(), &options)]
            }
        }
    }

    /// The same with its texts redacted.
    ///
    /// # Errors
    /// Where two options would be the same.
    pub(super) fn redacted(&self, redactor: &Redactor) -> Result<Self, Unusable> {
        Ok(match self {
            Self::PerCase { instructions } => Self::PerCase {
                instructions: redactor.text(instructions, &mut Counts::new()),
            },
            Self::Suite(questions) => {
                Self::Suite(redacted(questions, redactor).map_err(Unusable::new)?)
            }
        })
    }
}

/// The questions with their texts redacted.
///
/// # Errors
/// Where two options would be the same.
pub(super) fn redacted(
    questions: &[Question],
    redactor: &Redactor,
) -> Result<Vec<Question>, &'static str> {
    // Labels repeat in every record; only what stands in a case is counted.
    let text = |text: &str| redactor.text(text, &mut Counts::new());
    let mut questions = questions.to_vec();
    for question in &mut questions {
        question.instructions = text(&question.instructions);
        for option in &mut question.options {
            option.key = text(&option.key);
            option.description = option.description.as_deref().map(text);
        }
        let keys = question.options.iter().map(|option| option.key.as_str());
        let mut keys: Vec<&str> = keys.collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "two options are the same once they are redacted; name the one that may stay under `keep` in [redact]",
            );
        }
    }
    Ok(questions)
}

/// The question, or the options that each case brings.
pub(super) fn asked(
    questions: Vec<Question>,
    told: &[String],
    cases: &[FoundCase],
    answers: &[Given],
    task: &Import,
    notes: &mut Vec<String>,
) -> Result<Asked, Unusable> {
    if !questions.is_empty() {
        return Ok(Asked::Suite(questions));
    }
    let instructions = match (&task.instructions, told) {
        (Some(instructions), _) => instructions.clone(),
        (None, [told]) => told.clone(),
        (None, several) => {
            notes.push(match several.len() {
                0 => "The files do not say what was asked: write it under `instructions`.".to_owned(),
                many => format!("Models were told {many} different things: write under `instructions` what is asked."),
            });
            "Which answer is right?".to_owned()
        }
    };
    if !task.options.is_empty() {
        return suite(instructions, &task.options);
    }
    let listed: Vec<&Vec<String>> = cases
        .iter()
        .filter_map(|found| found.case.options.as_ref())
        .collect();
    if let Some(first) = listed.first() {
        return if listed.iter().all(|options| options == first) {
            suite(instructions, first)
        } else {
            Ok(Asked::PerCase { instructions })
        };
    }
    let options = occurring(cases, answers);
    if options.len() > MOST_OPTIONS {
        return Err(Unusable::new(format!(
            "{} different answers occur, which looks like free text; list those that are allowed with `--options`",
            options.len()
        )));
    }
    suite(instructions, &options)
}

/// What is said to be right, in the order in which it first occurs; where nothing is, what was answered.
fn occurring(cases: &[FoundCase], answers: &[Given]) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    let mut add = |label: &str| {
        let label = label.trim();
        if !label.is_empty() && !options.iter().any(|known| known == label) {
            options.push(label.to_owned());
        }
    };
    for found in cases {
        for right in [&found.case.gold, &found.case.reference]
            .into_iter()
            .flatten()
        {
            match right {
                Json::Array(labels) => labels.iter().filter_map(Json::as_str).for_each(&mut add),
                right => right.as_str().into_iter().for_each(&mut add),
            }
        }
    }
    let none_right = cases
        .iter()
        .all(|found| found.case.gold.is_none() && found.case.reference.is_none());
    if none_right {
        for decided in answers.iter().filter_map(|given| given.said.as_ref().ok()) {
            decided.label.as_deref().into_iter().for_each(&mut add);
            let shares = decided.probabilities.iter().flatten();
            shares.for_each(|(label, _)| add(label));
        }
        for found in cases {
            found
                .case
                .production_answer
                .as_deref()
                .into_iter()
                .for_each(&mut add);
        }
    }
    options
}

fn suite(instructions: String, options: &[String]) -> Result<Asked, Unusable> {
    let is_in = |words: [&str; 2]| {
        !options.is_empty()
            && options
                .iter()
                .all(|option| words.iter().any(|word| option.eq_ignore_ascii_case(word)))
    };
    if is_in(["yes", "no"]) || is_in(["true", "false"]) {
        return Ok(Asked::Suite(vec![Question {
            name: String::new(),
            kind: QuestionKind::YesNo,
            version: None,
            instructions,
            options: ["yes", "no"].map(AnswerOption::new).into(),
        }]));
    }
    match options {
        [] => Err(Unusable::new(
            "no record says what was answered or what is right; say where it stands with `--map gold=<field>`",
        )),
        [single] => Err(Unusable::new(format!(
            "`{single}` is the only answer that occurs; list all that are allowed with `--options`"
        ))),
        options => Ok(Asked::Suite(vec![choice(instructions, options)])),
    }
}

fn choice(instructions: String, options: &[String]) -> Question {
    Question {
        name: String::new(),
        kind: QuestionKind::Choice,
        version: None,
        instructions,
        options: options.iter().map(AnswerOption::new).collect(),
    }
}

/// The option that a label means.
pub(super) fn index_of(question: &Question, label: &str) -> Option<usize> {
    let label = label.trim();
    question
        .index_of_label(label)
        .or_else(|| match question.kind {
            QuestionKind::YesNo => question.index_of_label(&label.to_lowercase()),
            _ => None,
        })
}

/// A question as a suite writes it.
pub(super) fn to_json(question: &Question) -> Json {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Json::from(question.kind.name()));
    fields.insert(
        "instructions".to_owned(),
        Json::from(question.instructions.as_str()),
    );
    let described = question
        .options
        .iter()
        .any(|option| option.description.is_some() || option.escape);
    match question.kind {
        QuestionKind::Choice if !described => {
            let keys = question
                .options
                .iter()
                .map(|option| Json::from(option.key.as_str()));
            fields.insert("options".to_owned(), keys.collect());
        }
        QuestionKind::Choice => {
            let options = question.options.iter().map(|option| {
                let value = match (&option.description, option.escape) {
                    (Some(text), false) => Json::from(text.as_str()),
                    (None, false) => Json::Null,
                    (Some(text), true) => json!({ "description": text, "escape": true }),
                    (None, true) => json!({ "escape": true }),
                };
                (option.key.clone(), value)
            });
            fields.insert("options".to_owned(), Json::Object(options.collect()));
        }
        QuestionKind::Score => {
            let levels = question
                .options
                .iter()
                .map(|level| Json::from(level.description.as_deref().unwrap_or(&level.key)));
            fields.insert("levels".to_owned(), levels.collect());
        }
        _ => {}
    }
    Json::Object(fields)
}

#[cfg(test)]
mod tests {
    use decbench_core::config::Redact;

    use super::*;

    #[test]
    fn options_are_redacted_and_stay_apart() {
        let redactor = Redactor::new(&Redact::default());
        let one = choice(
            "Write to ada@example.com?".to_owned(),
            &["bob@example.com".to_owned(), "no".to_owned()],
        );
        let written = redacted(&[one], &redactor).unwrap();
        assert_eq!(written[0].instructions, "Write to [mail]?");
        assert_eq!(written[0].options[0].key, "[mail]");
        let two = choice(
            String::new(),
            &["bob@example.com".to_owned(), "eve@example.com".to_owned()],
        );
        assert!(redacted(&[two], &redactor).is_err());
    }

    #[test]
    fn words_for_yes_and_no_make_a_question_of_that_kind() {
        let asked = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
            match suite(String::new(), &options) {
                Ok(Asked::Suite(questions)) => Some(questions[0].kind),
                _ => None,
            }
        };
        assert_eq!(asked(&["No"]), Some(QuestionKind::YesNo));
        assert_eq!(asked(&["true", "False"]), Some(QuestionKind::YesNo));
        assert_eq!(asked(&["yes", "no", "maybe"]), Some(QuestionKind::Choice));
        assert_eq!(asked(&["billing"]), None);
        assert_eq!(asked(&[]), None);
    }
}
