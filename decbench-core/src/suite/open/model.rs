//! An open question after every check: what is asked, what must hold of an answer, and who judges it.

use super::super::model::{Candidate, Suite};
use crate::decision::Check;
use crate::diagnostic::{Setting, Span};

/// What a decision model reads at most of a prompt or a task, in characters; longer ones are judged by a chat model.
const LONGEST_FOR_DECISION_MODELS: usize = 8_000;
/// What follows the suite's name where judges' answers are recorded.
pub(super) const JUDGES: &str = ".judges";

/// How the names of a case's own criteria begin; a number follows.
pub(crate) const OF_CASES: &str = "case_";

/// What a suite with `output:` asks, and what it expects of every answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OpenTask {
    /// The system prompt, where there is one.
    pub prompt: Option<String>,
    /// What is asked of every case, where it is not in the prompt.
    pub task: Option<String>,
    /// What must hold of every answer.
    pub checks: Vec<Check>,
    /// Who judges answers and by what, where somebody does.
    pub judging: Option<Judging>,
}

impl OpenTask {
    /// Whether the prompt or the task is too long for a decision model to judge by.
    pub fn is_long(&self) -> bool {
        [&self.prompt, &self.task]
            .into_iter()
            .flatten()
            .any(|text| text.chars().count() > LONGEST_FOR_DECISION_MODELS)
    }

    /// What is expected of every answer as one document: checks, criteria and whom answers are compared with, but not
    /// who judges.
    pub(in super::super) fn document(&self) -> serde_json::Value {
        let judging = self.judging.as_ref();
        let rubric = judging.iter().flat_map(|judging| &judging.rubric);
        serde_json::json!({
            "checks": self.checks.iter().map(Check::document).collect::<Vec<_>>(),
            "rubric": rubric.map(|criterion| &criterion.text).collect::<Vec<_>>(),
            "pairwise": judging.and_then(|judging| judging.pairwise),
        })
    }

    /// What is asked, as a judge is told.
    pub fn asked(&self) -> String {
        let parts = [self.prompt.as_deref(), self.task.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(str::trim).collect();
        parts.join("\n\n")
    }
}

/// Who judges, and by what.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Judging {
    /// What a good answer does; may be empty where answers are compared.
    pub rubric: Vec<Criterion>,
    /// Position of the candidate that every other is compared with.
    pub pairwise: Option<usize>,
    /// The judges, at least one.
    pub jury: Vec<Candidate>,
    /// Who stands in for them.
    pub chat: Option<Candidate>,
    /// Where it is declared.
    pub span: Span,
}

impl Judging {
    /// The judges of this candidate: those of another family, by [`Candidate::family`].
    pub fn jury_of<'j>(
        &'j self,
        candidate: &Candidate,
        family: impl Fn(&Candidate) -> String,
    ) -> Vec<&'j Candidate> {
        let own = family(candidate);
        let judges = self.jury.iter();
        judges.filter(|judge| family(judge) != own).collect()
    }

    /// Who stands in for a judge of this candidate, where somebody of another family does.
    pub fn chat_for(
        &self,
        candidate: &Candidate,
        family: impl Fn(&Candidate) -> String,
    ) -> Option<&Candidate> {
        let chat = self.chat.as_ref()?;
        (family(chat) != family(candidate)).then_some(chat)
    }

    /// What to say where nobody may judge a candidate of a task that is `long` or not, and what to do about it.
    pub(crate) fn without_judge(
        &self,
        candidate: &Candidate,
        long: bool,
        family: impl Fn(&Candidate) -> String,
    ) -> Option<(String, &'static str)> {
        const HELP: &str =
            "add a judge of another family under `jury:`, or say `family:` where the names mislead";
        let alone = self.chat_for(candidate, &family).is_none()
            && (long || self.jury_of(candidate, &family).is_empty());
        alone.then(|| {
            let told = format!(
                "nobody may judge `{}`: every judge is of its own family `{}`",
                candidate.name,
                family(candidate)
            );
            (told, HELP)
        })
    }
}

/// One statement of a rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// Its name.
    pub name: String,
    /// What a good answer does.
    pub text: String,
}

impl Candidate {
    /// The family it belongs to: as declared, else that of its model's name, of its function, or of nobody else.
    /// `defaults` are the settings of its provider that it does not set itself.
    pub fn family(&self, defaults: &[Setting]) -> String {
        if let Some(family) = &self.family {
            return family.to_lowercase();
        }
        let setting = |name: &str| {
            let settings = self.settings.iter().chain(defaults);
            let mut named = settings.filter(|setting| setting.key == name);
            named.find_map(|setting| setting.value.as_str())
        };
        if let Some(model) = setting("model") {
            return family_of(model);
        }
        match setting("function") {
            Some(function) => format!("function {function}"),
            None => format!("candidate {}", self.name),
        }
    }
}

/// The family of a model by its name: the letters it begins with, after what names its maker, the region or the router
/// it is served by, or that it was tuned.
///
/// ```
/// use decbench_core::suite::family_of;
/// assert_eq!(family_of("jev-1.14.0"), "jev");
/// assert_eq!(family_of("openai/gpt-6-mini"), family_of("gpt-4.1-mini-2025-04-14"));
/// assert_eq!(family_of("o3"), "gpt");
/// assert_eq!(family_of("ft:gpt-4.1-mini:acme::7p4lURx"), "gpt");
/// assert_eq!(family_of("eu.anthropic.claude-haiku-5-5-v1:0"), "claude");
/// assert_ne!(family_of("claude-haiku-5-5"), family_of("gpt-6-mini"));
/// ```
pub fn family_of(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let mut name = name.strip_prefix("ft:").unwrap_or(&name);
    // Regions and makers; a version's dot has a digit before it.
    while let Some((before, after)) = name.split_once('.')
        && !after.is_empty()
        && before.chars().all(char::is_alphabetic)
    {
        name = after;
    }
    let letters = name
        .find(|letter: char| !letter.is_alphabetic())
        .unwrap_or(name.len());
    match &name[..letters] {
        "" => name.to_owned(),
        // One maker's models under several names.
        "o" | "chatgpt" | "davinci" => "gpt".to_owned(),
        "gemma" => "gemini".to_owned(),
        family => family.to_owned(),
    }
}

impl Suite {
    /// The folders below `answers` that hold recordings of this suite, each with its files without their `.jsonl`: those
    /// of its candidates, and where answers are judged one for each candidate and judge.
    pub fn recordings(&self) -> Vec<(String, Vec<String>)> {
        let names = self.candidates.iter();
        let names = names.map(|candidate| candidate.name.clone()).collect();
        let mut folders = vec![(self.name.clone(), names)];
        if let Some(judging) = self.open.as_ref().and_then(|open| open.judging.as_ref()) {
            let judges = || judging.jury.iter().chain(&judging.chat);
            let each = self
                .candidates
                .iter()
                .flat_map(|candidate| judges().map(|judge| recording_name(candidate, judge)));
            folders.push((format!("{}{JUDGES}", self.name), each.collect()));
        }
        folders
    }
}

/// What a judge is called where it judges a candidate; no name has a `+` of its own.
pub(crate) fn recording_name(candidate: &Candidate, judge: &Candidate) -> String {
    format!("{}+{}", candidate.name, judge.name)
}
