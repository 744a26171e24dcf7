//! What a model is told, and what of its reply is a case.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use decbench_core::decision::{Case, Question, QuestionKind};
use decbench_core::suite::Suite;
use serde_json::{Map, Value as Json, json};

use super::keys;
use crate::ending::Unusable;

/// What the model is told to do.
pub(super) const TASK: &str = "You write test cases for a system that takes decisions. Each case has a state, which is the \
    text that the decision is taken on, and for every question the one right answer. Write states as they come in \
    practice: of different lengths, tones and difficulty, some with typing mistakes, none that names its answer. Use no \
    real names, addresses or numbers of people.";

/// A case that a model has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) state: String,
    /// The answer key to each question.
    pub(super) answers: Vec<String>,
}

/// The drafts of a reply.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) drafts: Vec<Draft>,
    /// How many entries are no case: an empty state, or an answer that is none.
    pub(super) unusable: usize,
}

/// The questions, some cases, and how many are wanted.
pub(super) fn material(
    questions: &[Question],
    examples: &[&Case],
    about: Option<&str>,
    wanted: usize,
    round: usize,
) -> String {
    let mut text = String::new();
    for question in questions {
        let _ = writeln!(
            text,
            "Question {}: {}",
            name(question),
            question.instructions
        );
        for option in &question.options {
            let _ = match &option.description {
                Some(description) => writeln!(text, "- {}: {description}", option.key),
                None => writeln!(text, "- {}", option.key),
            };
        }
    }
    for case in examples {
        if let Some(state) = &case.state {
            let _ = writeln!(text, "\nExample of a state:\n{}", state.as_text());
        }
    }
    if let Some(about) = about {
        let _ = writeln!(text, "\nThe cases are about: {about}");
    }
    let _ = writeln!(text, "\nWrite {wanted} new cases.");
    // Left alone, models write the easy answers first and the same cases again.
    if let [question] = questions
        && !question.options.is_empty()
    {
        let key = &question.options[round % question.options.len()].key;
        let _ = writeln!(
            text,
            "Spread them over all answers; begin with `{key}`. This is set {}.",
            round + 1
        );
    }
    text
}

/// What a question is called in a draft.
fn name(question: &Question) -> &str {
    if question.name.is_empty() {
        "answer"
    } else {
        &question.name
    }
}

/// The JSON Schema of a reply.
pub(super) fn schema(questions: &[Question]) -> Json {
    let mut fields = Map::new();
    fields.insert("state".to_owned(), json!({ "type": "string" }));
    for question in questions {
        fields.insert(
            name(question).to_owned(),
            json!({ "type": "string", "enum": keys(question) }),
        );
    }
    let required: Vec<&String> = fields.keys().collect();
    let case = json!({
        "type": "object", "properties": fields, "required": required, "additionalProperties": false,
    });
    json!({
        "type": "object", "properties": { "cases": { "type": "array", "items": case } },
        "required": ["cases"], "additionalProperties": false,
    })
}

/// Reads a reply: the JSON of the schema, perhaps fenced, as models without schemas write it.
pub(super) fn read(text: &str, questions: &[Question]) -> Result<Read, String> {
    let text = text.trim();
    let inner = text
        .strip_prefix("```json")
        .or_else(|| text.strip_prefix("```"))
        .and_then(|text| text.strip_suffix("```"))
        .unwrap_or(text);
    let reply: Json = serde_json::from_str(inner).map_err(|error| format!("no JSON ({error})"))?;
    let cases = reply
        .get("cases")
        .and_then(Json::as_array)
        .ok_or("it has no `cases`")?;
    let mut read = Read::default();
    for case in cases {
        match draft(case, questions) {
            Some(draft) => read.drafts.push(draft),
            None => read.unusable += 1,
        }
    }
    Ok(read)
}

fn draft(case: &Json, questions: &[Question]) -> Option<Draft> {
    let state = case.get("state")?.as_str()?.trim();
    if state.is_empty() {
        return None;
    }
    let answers = questions.iter().map(|question| {
        let label = case.get(name(question))?.as_str()?;
        let index = question.index_of_label(label)?;
        Some(question.options[index].key.clone())
    });
    Some(Draft {
        state: state.to_owned(),
        answers: answers.collect::<Option<_>>()?,
    })
}

/// What two texts have in common that differ in case, spaces and punctuation alone.
pub(super) fn gist(text: &str) -> String {
    let words: Vec<String> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// The case file that drafts are added to, reply by reply, so that an interruption loses none that was paid for.
pub(super) struct Sheet<'a> {
    path: &'a Path,
    questions: &'a [Question],
    taken: HashSet<String>,
    /// The number of the last draft.
    last: usize,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(path: &'a Path, suite: &'a Suite) -> Self {
        Self {
            path,
            questions: &suite.questions,
            taken: suite.cases.iter().map(|case| case.id.clone()).collect(),
            last: 0,
        }
    }

    /// An id that no case has, from then on taken.
    fn free_id(&mut self) -> String {
        loop {
            self.last += 1;
            let id = format!("g-{:04}", self.last);
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    /// Adds the drafts to the end of the file.
    ///
    /// # Errors
    /// A message where the file cannot be read or written.
    pub(super) fn append(&mut self, drafts: &[Draft]) -> Result<(), Unusable> {
        if drafts.is_empty() {
            return Ok(());
        }
        let mut text =
            std::fs::read_to_string(self.path).map_err(|error| Unusable::file(self.path, error))?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        for draft in drafts {
            let id = self.free_id();
            let case = json!({
                "id": id, "state": draft.state, "reference": reference(draft, self.questions),
                "origin": "generated",
                // A share of the cases may go into the lock box, where nobody could read and approve a draft.
                "split": "dev",
            });
            let _ = writeln!(text, "{case}");
        }
        let pending = self
            .path
            .with_extension(format!("jsonl.{}.tmp", std::process::id()));
        std::fs::write(&pending, text)
            .and_then(|()| std::fs::rename(&pending, self.path))
            .map_err(|error| Unusable::file(self.path, error))
    }
}

/// The answer, or a map of answers by question.
fn reference(draft: &Draft, questions: &[Question]) -> Json {
    match (questions, &draft.answers[..]) {
        ([single], [answer]) if single.name.is_empty() => Json::from(written(single, answer)),
        _ => Json::Object(
            questions
                .iter()
                .zip(&draft.answers)
                .map(|(question, answer)| {
                    (question.name.clone(), Json::from(written(question, answer)))
                })
                .collect(),
        ),
    }
}

/// A level by its text, which people read, anything else by its key.
fn written(question: &Question, key: &str) -> String {
    let level = question
        .options
        .iter()
        .find(|option| question.kind == QuestionKind::Score && option.key == key)
        .and_then(|level| level.description.clone());
    level.unwrap_or_else(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use decbench_core::decision::AnswerOption;

    use super::*;

    fn question() -> Question {
        Question {
            name: String::new(),
            kind: QuestionKind::Choice,
            version: None,
            instructions: "Which team?".to_owned(),
            options: ["billing", "sales"].map(AnswerOption::new).into(),
        }
    }

    #[test]
    fn only_cases_with_an_answer_that_is_one_are_read() {
        let reply = r#"{"cases":[{"state":" My bill. ","answer":"billing"},{"state":"Buy","answer":"support"},{"state":" ","answer":"sales"},{"answer":"sales"}]}"#;
        let fenced = format!("```json\n{reply}\n```");
        for reply in [reply, &fenced] {
            let read = read(reply, &[question()]).unwrap();
            let expected = Draft {
                state: "My bill.".to_owned(),
                answers: vec!["billing".to_owned()],
            };
            assert_eq!((read.drafts, read.unusable), (vec![expected], 3));
        }
        for broken in ["I cannot", "{}", "{\"cases\":3}"] {
            assert!(read(broken, &[question()]).is_err());
        }
    }

    #[test]
    fn texts_that_differ_in_writing_alone_are_one() {
        assert_eq!(gist("My  BILL, please!"), gist("my bill please"));
        assert_ne!(gist("my bill"), gist("my bills"));
    }

    #[test]
    fn the_model_is_told_what_may_be_answered() {
        let text = material(&[question()], &[], Some("invoices"), 4, 3);
        for part in [
            "Which team?",
            "- billing",
            "about: invoices",
            "Write 4 new",
            "begin with `sales`",
        ] {
            assert!(text.contains(part), "`{part}` is not in {text}");
        }
        let schema = schema(&[question()]);
        let case = &schema["properties"]["cases"]["items"];
        assert_eq!(
            case["properties"]["answer"]["enum"],
            json!(["billing", "sales"])
        );
        assert_eq!(case["required"], json!(["state", "answer"]));
    }
}
