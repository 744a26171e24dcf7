//! A case: what a decision is taken on, what is right, and where it comes from.

use std::collections::BTreeMap;

use super::{AgentState, Digest, Expected, Question, state_digest};

/// The material a decision is taken on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum State {
    /// Plain text.
    Text(String),
    /// Structured data; the order of keys is kept.
    Json(serde_json::Value),
    /// What an agent is told, with what its tools will give back.
    Agent(Box<AgentState>),
}

impl State {
    /// Whether nothing stands in it: empty text, null, or an empty list or map.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Json(serde_json::Value::Null) => true,
            Self::Json(serde_json::Value::Array(items)) => items.is_empty(),
            Self::Json(serde_json::Value::Object(fields)) => fields.is_empty(),
            Self::Json(_) => false,
            Self::Agent(agent) => agent.input.is_empty(),
        }
    }

    /// The state as text: as it is, or as compact JSON; of an agent what it is told.
    pub fn as_text(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Json(value) => value.to_string().into(),
            Self::Agent(agent) => agent.input.as_text(),
        }
    }

    /// The state as JSON: text as a text.
    pub fn as_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => serde_json::Value::from(text.as_str()),
            Self::Json(value) => value.clone(),
            Self::Agent(agent) => agent.input.as_json(),
        }
    }
}

/// Which view of a case's material is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Context {
    /// What production sees.
    #[default]
    Production,
    /// Without the errors of earlier stages, such as speech recognition.
    Clean,
    /// Only what the decision needs.
    Minimal,
    /// With irrelevant material around it.
    Padded,
}

impl Context {
    /// Every context, production first.
    pub const ALL: [Self; 4] = [Self::Production, Self::Clean, Self::Minimal, Self::Padded];

    /// The name in suites and answer files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Clean => "clean",
            Self::Minimal => "minimal",
            Self::Padded => "padded",
        }
    }

    /// The context with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }
}

/// What is right for a case; positions are those of the question's options.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Gold {
    /// One right answer.
    Label(usize),
    /// Several acceptable answers, ascending and distinct, at least two.
    AnyOf(Vec<usize>),
    /// An exact distribution over all options; sums to 1.
    Distribution(Vec<f64>),
    /// No answer can be right: left out of accuracy and counted apart.
    Unknown,
}

impl Gold {
    /// The single right option: the label, or the only mode of a distribution.
    pub fn single(&self) -> Option<usize> {
        match self {
            Self::Label(index) => Some(*index),
            Self::Distribution(shares) => {
                let top = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut modes = shares
                    .iter()
                    .enumerate()
                    .filter(|(_, share)| **share == top);
                match (modes.next(), modes.next()) {
                    (Some((index, _)), None) => Some(index),
                    _ => None,
                }
            }
            Self::AnyOf(_) | Self::Unknown => None,
        }
    }

    /// Whether answering `option` is right; `None` where nothing can be right or wrong.
    pub fn accepts(&self, option: usize) -> Option<bool> {
        match self {
            Self::AnyOf(options) => Some(options.contains(&option)),
            Self::Label(_) | Self::Distribution(_) => self.single().map(|gold| gold == option),
            Self::Unknown => None,
        }
    }
}

/// Which part of the cases a case belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Split {
    /// The cases one may tune on.
    #[default]
    Dev,
    /// The cases kept for the final look.
    Lockbox,
}

impl Split {
    /// The name in suites and case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Lockbox => "lockbox",
        }
    }
}

/// How the members of a pair belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relation {
    /// Both members should get the same answer.
    Same,
    /// The members should get opposite answers.
    Opposite,
}

/// Membership of a pair or family of cases.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Shared by the members.
    pub id: String,
    /// What should hold between them.
    pub relation: Relation,
}

/// Where a case comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// A person wrote it.
    Person,
    /// Taken from production.
    Trace,
    /// Taken from a file.
    File,
    /// Written by a model.
    Generated,
    /// Made by an agent.
    Agent,
}

impl Origin {
    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Trace => "trace",
            Self::File => "file",
            Self::Generated => "generated",
            Self::Agent => "agent",
        }
    }
}

/// A person's approval of a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Approval {
    /// Who approved.
    pub by: String,
    /// When, as written.
    pub at: Option<String>,
    /// Digest of state, question and label at that time.
    pub digest: Option<String>,
}

/// One labelled case. Lists by question have one entry per question of the case, in the suite's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Unique within the suite.
    pub id: String,
    /// Row in the case file or list, from 1.
    pub row: usize,
    /// Production's view; may be absent where all candidates are recorded.
    pub state: Option<State>,
    /// Further views.
    pub states: BTreeMap<Context, State>,
    /// Whether the padded view is made of other cases' states, and so no part of what the case is.
    pub built_padding: bool,
    /// The approved answer by question.
    pub gold: Vec<Option<Gold>>,
    /// An answer nobody has approved, by question.
    pub reference: Vec<Option<Gold>>,
    /// What production answered, by question.
    pub production_answer: Vec<Option<String>>,
    /// The answer that a stereotype would give, as a position among the options, by question.
    pub stereotype: Vec<Option<usize>>,
    /// Sampling weight (population share over sample share); finite and not negative, 1 by default.
    pub weight: f64,
    /// Cases of one cluster are one unit of evidence.
    pub cluster: Option<String>,
    /// Named strata, such as `channel: pstn`.
    pub strata: BTreeMap<String, String>,
    /// Difficulty.
    pub tier: Option<String>,
    /// Kind of task.
    pub family: Option<String>,
    /// Language of the state.
    pub language: Option<String>,
    /// Part of the cases it belongs to.
    pub split: Split,
    /// Labels by rater, each by question.
    pub labels: BTreeMap<String, Vec<Option<String>>>,
    /// Probabilities by rater, each by question and by position of the option, where a rater gave them.
    pub votes: BTreeMap<String, Vec<Option<Vec<f64>>>>,
    /// Pair or family it belongs to.
    pub pair: Option<Pair>,
    /// Where it comes from.
    pub origin: Option<Origin>,
    /// A person's approval of the label.
    pub approved: Option<Approval>,
    /// Date of the case, as written.
    pub at: Option<String>,
    /// Questions of this case alone, in place of the suite's.
    pub questions: Option<Vec<Question>>,
    /// What is expected of an open answer, where the suite's question is open.
    pub expected: Option<Box<Expected>>,
    /// Number of the unit of evidence: the cluster, else all cases with equal non-empty states, else the case.
    pub unit: u32,
    /// Digest of each view in the order of [`Context::ALL`], taken once when the case was read; `None` where there is
    /// no such view or nobody took it. Read it through [`Case::state_digest`].
    pub digests: [Option<Digest>; 4],
}

impl Case {
    /// A case with this id and state and nothing else, one question, a unit of its own.
    pub fn new(id: impl Into<String>, state: State) -> Self {
        Self {
            id: id.into(),
            row: 1,
            state: Some(state),
            states: BTreeMap::new(),
            built_padding: false,
            gold: vec![None],
            reference: vec![None],
            production_answer: vec![None],
            stereotype: vec![None],
            weight: 1.0,
            cluster: None,
            strata: BTreeMap::new(),
            tier: None,
            family: None,
            language: None,
            split: Split::Dev,
            labels: BTreeMap::new(),
            votes: BTreeMap::new(),
            pair: None,
            origin: None,
            approved: None,
            at: None,
            questions: None,
            expected: None,
            unit: 0,
            digests: [None; 4],
        }
    }

    /// Whether a person said for this case what a good open answer is: gold, checks or criteria of its own, or an
    /// approval.
    pub fn is_approved_open(&self) -> bool {
        let expected = self.expected.as_deref();
        expected.is_some_and(|expected| expected.says_what_is_right() || self.approved.is_some())
    }

    /// The view of the material in `context`, where the case has one.
    pub fn state_in(&self, context: Context) -> Option<&State> {
        match context {
            Context::Production => self.state.as_ref(),
            other => self.states.get(&other),
        }
    }

    /// The digest of the view in `context`, where the case has one: as taken when the case was read, else taken now.
    pub fn state_digest(&self, context: Context) -> Option<Digest> {
        self.digests[context as usize].or_else(|| self.state_in(context).map(state_digest))
    }

    /// The questions asked about this case: its own, or else the suite's.
    pub fn questions<'a>(&'a self, suite: &'a [Question]) -> &'a [Question] {
        self.questions.as_deref().unwrap_or(suite)
    }
}
