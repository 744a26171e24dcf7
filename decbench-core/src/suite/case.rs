//! One row to one case.

use std::collections::BTreeMap;

use super::gold::{self, Answered};
use super::keys::Section;
use super::open;
use super::question::{self, ReadQuestion};
use super::read::{Field, Fields, Reader, suggestion};
use super::rust_type::Outside;
use super::tree::{DUPLICATE_KEY, Node, Style, Value};
use crate::decision::{
    Approval, Case, Context, Origin, Output, Pair, Question, QuestionKind, Relation, Split, State,
    state_digest,
};
use crate::diagnostic::{Severity, Span};

/// What reading a case needs to know of its suite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    /// The suite's questions.
    pub(super) questions: &'a [ReadQuestion<'a>],
    /// Whether the suite declares no question, so that each case must.
    pub(super) own_questions: bool,
    /// Whether a case may do without a state, because every candidate's answers are recorded.
    pub(super) stateless: bool,
    /// The suite's folder, without which no files are read, and the types that questions may name.
    pub(super) outside: Outside<'a>,
}

impl Surroundings<'_> {
    /// What the suite's question is answered with, where it is open.
    fn output(&self) -> Option<Output> {
        match self.questions {
            [read] => match read.question.kind {
                QuestionKind::Open(output) => Some(output),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A case, and what later checks need to know of its row.
#[derive(Debug)]
pub(super) struct ReadCase {
    /// The case; unit and split by share are still to come.
    pub(super) case: Case,
    /// Where its id stands, or else its row.
    pub(super) id_span: Span,
    /// The part it says it belongs to.
    pub(super) own_split: Option<Split>,
    /// Whether it has a question to be asked: its own or the suite's.
    pub(super) asked: bool,
}

/// Reads one row.
pub(super) fn case(
    reader: &mut Reader,
    fields: &Fields<'_>,
    row: usize,
    around: &Surroundings<'_>,
) -> ReadCase {
    let own = own_questions(reader, fields, around);
    let read: &[ReadQuestion<'_>] = own.as_deref().unwrap_or(around.questions);
    // Open questions have no answers to choose from; what a case expects of them is read apart.
    let answered: Vec<Answered<'_>> = read
        .iter()
        .filter(|read| !read.question.kind.is_open())
        .map(|read| Answered {
            question: &read.question,
            sound: read.sound,
        })
        .collect();
    let open = around.output();
    open::foreign(reader, fields, open.is_some());
    let mut state = state(reader, fields);
    if open.is_some() {
        state = open::with_tools(reader, fields, state);
    }
    let states = states(reader, fields);
    let mut digests = [None; 4];
    digests[Context::Production as usize] = state.as_ref().map(state_digest);
    for (context, state) in &states {
        digests[*context as usize] = Some(state_digest(state));
    }
    let id = optional_text(reader, fields, "id");
    let golds = |reader: &mut Reader, name: &str| match fields.get(name) {
        Some(field) => gold::by_question(reader, name, field.value, &answered, gold::gold),
        None => vec![None; answered.len()],
    };
    let gold = golds(reader, "gold");
    let reference = golds(reader, "reference");
    let production_answer = match fields.get("production_answer") {
        Some(field) => gold::by_question(
            reader,
            "production_answer",
            field.value,
            &answered,
            gold::said,
        ),
        None => vec![None; answered.len()],
    };
    let stereotype = match fields.get("stereotype") {
        Some(field) => {
            gold::by_question(reader, "stereotype", field.value, &answered, gold::option)
        }
        None => vec![None; answered.len()],
    };
    let (labels, votes) = labels(reader, fields, &answered);
    let own_split = present(fields, "split")
        .and_then(|field| reader.one_of(&field))
        .map(split_named);
    let expected = open.map(|output| {
        Box::new(open::expected(
            reader,
            fields,
            output,
            around.outside.folder,
        ))
    });
    let case = Case {
        row,
        state,
        states,
        built_padding: false,
        gold,
        reference,
        production_answer,
        stereotype,
        weight: present(fields, "weight")
            .and_then(|field| reader.number(&field))
            .unwrap_or(1.0),
        cluster: optional_text(reader, fields, "cluster"),
        strata: strata(reader, fields),
        tier: optional_text(reader, fields, "tier"),
        family: optional_text(reader, fields, "family"),
        language: optional_text(reader, fields, "language"),
        split: own_split.unwrap_or_default(),
        labels,
        votes,
        pair: pair(reader, fields),
        origin: origin(reader, fields),
        approved: approved(reader, fields),
        at: optional_text(reader, fields, "at"),
        questions: own.as_ref().map(|own| {
            own.iter()
                .map(|read| read.question.clone())
                .collect::<Vec<Question>>()
        }),
        expected,
        unit: 0,
        digests,
        id: id.unwrap_or_else(|| row.to_string()),
    };
    ReadCase {
        case,
        id_span: fields
            .get("id")
            .map_or(fields.span, |field| field.value.span),
        own_split,
        asked: !read.is_empty() || !around.own_questions,
    }
}

/// The split of a word from the table.
pub(super) fn split_named(name: &str) -> Split {
    if name == Split::Lockbox.name() {
        Split::Lockbox
    } else {
        Split::Dev
    }
}

fn present<'n>(fields: &Fields<'n>, name: &str) -> Option<Field<'n>> {
    fields.get(name).filter(|field| !field.value.is_null())
}

fn optional_text(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<String> {
    let field = present(fields, name)?;
    reader
        .text(&field)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

fn own_questions<'n>(
    reader: &mut Reader,
    fields: &Fields<'n>,
    around: &Surroundings<'_>,
) -> Option<Vec<ReadQuestion<'n>>> {
    // What a suite is warned of once would come here for every case.
    let mut inner = Reader::new(&reader.source);
    let own = question::questions(&mut inner, fields, around.outside);
    let errors = inner
        .found
        .into_iter()
        .filter(|mistake| mistake.severity == Severity::Error);
    reader.found.extend(errors.collect());
    for read in &own {
        for field in [&read.assert, &read.conventions, &read.gate]
            .into_iter()
            .flatten()
        {
            reader
                .error(
                    "foreign-key",
                    field.key_span,
                    format!("a case's question has no `{}`", field.key.name),
                )
                .help("write it in the suite, where it holds for all cases");
        }
        let names = around
            .questions
            .iter()
            .map(|read| read.question.name.as_str());
        if !around.own_questions
            && around.questions.len() > 1
            && !names.clone().any(|name| name == read.question.name)
        {
            reader
                .error(
                    "unknown-question",
                    read.span,
                    format!("the suite has no question `{}`", read.question.name),
                )
                .help(suggestion(
                    "a case's questions are named as the suite's",
                    &read.question.name,
                    names,
                ));
        }
    }
    (!own.is_empty()).then_some(own)
}

fn to_state(reader: &mut Reader, node: &Node) -> Option<State> {
    if let Value::Scalar(scalar) = &node.value
        && scalar.style != Style::Plain
    {
        return Some(State::Text(scalar.text.clone()));
    }
    match node.to_json() {
        Ok(serde_json::Value::String(text)) => Some(State::Text(text)),
        Ok(value) => Some(State::Json(value)),
        Err((span, problem)) => {
            reader
                .error(
                    "bad-state",
                    span,
                    format!("the state cannot be sent as JSON: {problem}"),
                )
                .help(if problem == DUPLICATE_KEY {
                    "remove one of the two"
                } else {
                    "put a number that is meant as text in quotes"
                });
            None
        }
    }
}

fn state(reader: &mut Reader, fields: &Fields<'_>) -> Option<State> {
    to_state(reader, present(fields, "state")?.value)
}

fn states(reader: &mut Reader, fields: &Fields<'_>) -> BTreeMap<Context, State> {
    let mut states = BTreeMap::new();
    let Some(field) = present(fields, "states") else {
        return states;
    };
    for entry in reader.entries("states", field.value).unwrap_or_default() {
        let known =
            Context::from_name(&entry.key).filter(|context| *context != Context::Production);
        let Some(context) = known else {
            let names = Context::ALL[1..].iter().map(|context| context.name());
            let help = if entry.key == Context::Production.name() {
                "production's view is `state`".to_owned()
            } else {
                suggestion("views are", &entry.key, names)
            };
            reader
                .error(
                    "unknown-key",
                    entry.key_span,
                    format!("there is no view `{}`", entry.key),
                )
                .help(help);
            continue;
        };
        if !entry.value.is_null()
            && let Some(state) = to_state(reader, &entry.value)
        {
            states.insert(context, state);
        }
    }
    states
}

fn strata(reader: &mut Reader, fields: &Fields<'_>) -> BTreeMap<String, String> {
    let mut strata = BTreeMap::new();
    let Some(field) = present(fields, "strata") else {
        return strata;
    };
    for entry in reader.entries("strata", field.value).unwrap_or_default() {
        if !entry.value.is_null()
            && let Some(text) = reader.text_of(&entry.key, &entry.value)
        {
            strata.insert(entry.key.clone(), text.to_owned());
        }
    }
    strata
}

/// What raters answered, and the probabilities of those who gave them.
type Labels = (
    BTreeMap<String, Vec<Option<String>>>,
    BTreeMap<String, Vec<Option<Vec<f64>>>>,
);

fn labels(reader: &mut Reader, fields: &Fields<'_>, answered: &[Answered<'_>]) -> Labels {
    let mut labels = Labels::default();
    let Some(field) = present(fields, "labels") else {
        return labels;
    };
    for entry in reader.entries("labels", field.value).unwrap_or_default() {
        let votes = gold::by_question(reader, &entry.key, &entry.value, answered, gold::vote);
        let (said, shares): (Vec<_>, Vec<_>) = votes
            .into_iter()
            .map(|vote| vote.map_or((None, None), |(label, shares)| (Some(label), shares)))
            .unzip();
        if shares.iter().any(Option::is_some) {
            labels.1.insert(entry.key.clone(), shares);
        }
        labels.0.insert(entry.key.clone(), said);
    }
    labels
}

fn pair(reader: &mut Reader, fields: &Fields<'_>) -> Option<Pair> {
    let field = present(fields, "pair")?;
    let pair = reader.section(Section::Pair, "pair", field.value)?;
    let id = required_text(reader, &pair, "id", "`pair`", field.key_span)?;
    let Some(relation) = present(&pair, "relation") else {
        reader
            .error("missing-key", field.key_span, "`pair` has no `relation`")
            .help("write `relation: same` or `relation: opposite`");
        return None;
    };
    let relation = match reader.one_of(&relation)? {
        "same" => Relation::Same,
        _ => Relation::Opposite,
    };
    Some(Pair { id, relation })
}

fn origin(reader: &mut Reader, fields: &Fields<'_>) -> Option<Origin> {
    let field = present(fields, "origin")?;
    Some(match reader.one_of(&field)? {
        "person" => Origin::Person,
        "trace" => Origin::Trace,
        "file" => Origin::File,
        "generated" => Origin::Generated,
        _ => Origin::Agent,
    })
}

fn approved(reader: &mut Reader, fields: &Fields<'_>) -> Option<Approval> {
    let field = present(fields, "approved")?;
    let approved = reader.section(Section::Approved, "approved", field.value)?;
    let by = required_text(reader, &approved, "by", "`approved`", field.key_span)?;
    Some(Approval {
        by,
        at: optional_text(reader, &approved, "at"),
        digest: optional_text(reader, &approved, "digest"),
    })
}

fn required_text(
    reader: &mut Reader,
    fields: &Fields<'_>,
    name: &str,
    owner: &str,
    span: Span,
) -> Option<String> {
    let text = optional_text(reader, fields, name);
    if text.is_none() && present(fields, name).is_none() {
        reader.error("missing-key", span, format!("{owner} has no `{name}`"));
    }
    text
}
