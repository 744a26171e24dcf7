//! The suite that stands over imported cases and answers.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use decbench_core::decision::Answer;
use serde_json::{Map, Value as Json, json};

use super::question::{Asked, to_json};
use super::write::{answers_name, cases_name};
use crate::ending::Unusable;

/// What goes into the suite.
pub(super) struct Suite<'a> {
    pub(super) name: &'a str,
    pub(super) format: &'a str,
    pub(super) written: &'a Asked,
    pub(super) cases: &'a [Map<String, Json>],
    pub(super) answers: &'a BTreeMap<String, Vec<Answer>>,
    pub(super) assertions: Vec<(String, Json)>,
    pub(super) notes: Vec<String>,
}

impl Suite<'_> {
    /// The text of the suite.
    pub(super) fn yaml(mut self) -> Result<String, Unusable> {
        let mut fields = Map::new();
        let mut asked = 1;
        match self.written {
            Asked::PerCase { .. } => {}
            Asked::Suite(questions) => match &questions[..] {
                [single] if single.name.is_empty() => {
                    fields.insert("question".to_owned(), to_json(single));
                }
                questions => {
                    asked = questions.len();
                    let questions = questions
                        .iter()
                        .map(|question| (question.name.clone(), to_json(question)));
                    fields.insert("questions".to_owned(), Json::Object(questions.collect()));
                }
            },
        }
        fields.insert("cases".to_owned(), Json::from(cases_name(self.name)));
        let candidates: Map<String, Json> = if self.answers.is_empty() {
            let note = "The files hold no answers: register the function that decides as `decide`, or name a service.";
            self.notes.push(note.to_owned());
            let decide = json!({ "provider": "rust", "function": "decide" });
            let bayes = json!({ "provider": "naive-bayes" });
            [("decide".to_owned(), decide), ("bayes".to_owned(), bayes)]
                .into_iter()
                .collect()
        } else {
            let all = self.answers.iter();
            all.map(|(name, answers)| (name.clone(), self.candidate(name, answers, asked)))
                .collect()
        };
        fields.insert("candidates".to_owned(), Json::Object(candidates));
        fields.insert("assert".to_owned(), Json::Object(self.assertions()));
        fields.insert("scorecard".to_owned(), Json::from("print"));
        let yaml = serde_yaml::to_string(&fields)
            .map_err(|error| Unusable::new(format!("the suite cannot be written: {error}")))?;
        let mut text = format!(
            "# Imported from {} by cargo decbench. Read the cases, then say under `assert` what must hold.\n",
            self.format
        );
        for note in &self.notes {
            let note = note.replace(['\n', '\r'], " ");
            let _ = writeln!(text, "# {note}");
        }
        Ok(text + &yaml)
    }

    fn candidate(&self, name: &str, answers: &[Answer], asked: usize) -> Json {
        let file = answers_name(self.name, name);
        let answered: HashSet<(&str, &str)> = answers
            .iter()
            .filter(|answer| answer.probe.repeat == 0)
            .map(|answer| (answer.case.as_str(), answer.question.as_str()))
            .collect();
        if answered.len() == self.cases.len() * asked {
            json!({ "provider": "recorded", "file": file })
        } else {
            json!({ "provider": "recorded", "file": file, "missing": "skip" })
        }
    }

    /// What the other tool demanded, and that answers are there at all. A floor drawn from the answers themselves
    /// would prove nothing.
    fn assertions(&mut self) -> Map<String, Json> {
        let mut all = Map::new();
        all.insert(
            "error_rate".to_owned(),
            json!({ "at_most": "5%", "reading": "point" }),
        );
        for (metric, bound) in self.assertions.drain(..) {
            match all.get_mut(&metric) {
                None => {
                    all.insert(metric, bound);
                }
                Some(Json::Array(bounds)) => bounds.push(bound),
                Some(first) => *first = json!([first.take(), bound]),
            }
        }
        all
    }
}
