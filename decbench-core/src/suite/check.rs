//! A tree to a checked suite: all mistakes in one go.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::assertion::{self, ReadAssertions};
use super::bound::{Mentioned, case_field};
use super::candidate::{self, check_name};
use super::case::Surroundings;
use super::cases;
use super::compare;
use super::conventions;
use super::data;
use super::data_rules::Panel;
use super::digest::suite_digest;
use super::from_rust::{FromRust, RustPolicy};
use super::keys::Section;
use super::load_rule;
use super::model::{ScorecardMode, Suite};
use super::open::{self, OpenTask};
use super::operation;
use super::padding;
use super::panel::{self, PanelRecord};
use super::policy;
use super::published;
use super::question::{self, ReadQuestion};
use super::read::{Fields, Reader, suggestion};
use super::recording;
use super::rust_type::{NamedType, Outside};
use super::tree::{Node, Tree, Value};
use super::verdict;
use crate::decision::{Case, Origin, Question, Split};
use crate::diagnostic::{Diagnostics, Span};
use crate::metric::{Conventions, Field as CaseField, Grouping};

/// A suite without errors, and what somebody should look at.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded {
    /// The suite.
    pub suite: Suite,
    /// What it was warned of.
    pub warnings: Diagnostics,
    /// The Rust types that its questions name.
    pub named_types: Vec<NamedType>,
}

/// Checks a suite's tree.
///
/// `path` is the suite file, which names a suite that does not name itself. Files that the suite names are looked for
/// in `folder`; with `None` no file is read, so that cases and options that stand in files are missing from the
/// result and nothing is checked against them.
///
/// # Errors
/// Every mistake found, with the warnings, in the order of files and positions.
pub fn check(tree: &Tree, path: &Path, folder: Option<&Path>) -> Result<Loaded, Diagnostics> {
    check_with(tree, path, folder, &FromRust::default())
}

/// As [`check`], with the types and policies that the tree may name.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    tree: &Tree,
    path: &Path,
    folder: Option<&Path>,
    rust: &FromRust<'_>,
) -> Result<Loaded, Diagnostics> {
    let mut reader = Reader::new(&tree.source);
    let outside = Outside {
        folder,
        types: rust.types,
    };
    let suite = read(&mut reader, tree, path, outside, rust.policies);
    let mut found = reader.found;
    found.sort();
    match suite {
        Some((suite, named_types)) if !found.has_errors() => Ok(Loaded {
            suite,
            warnings: found,
            named_types,
        }),
        _ => Err(found),
    }
}

fn read(
    reader: &mut Reader,
    tree: &Tree,
    path: &Path,
    outside: Outside<'_>,
    policies: Option<&[&RustPolicy]>,
) -> Option<(Suite, Vec<NamedType>)> {
    if !is_map(reader, tree) {
        return None;
    }
    let (root, defaults) = policy::resolved(reader, &tree.root, policies);
    let fields = reader.section(Section::Suite, "a suite", &root)?;
    // What is missing altogether is shown where the suite starts.
    let start = fields
        .iter()
        .next()
        .map_or(tree.root.span, |field| field.key_span);
    let name = name(reader, &fields, path, start);
    let open = open::task(reader, &fields, outside.folder);
    let questions = match &open {
        Some(open) => vec![open.as_read()],
        None => question::questions(reader, &fields, outside),
    };
    policy::check_defaults(reader, &defaults, &questions);
    let declared = fields.get("question").or(fields.get("questions"));
    let own_questions = declared.is_none() && open.is_none();
    let candidates = candidate::candidates(reader, &fields, start, &questions);
    let open = open.map(|read| OpenTask {
        judging: open::judging(reader, &fields, &read.task, &candidates),
        ..read.task
    });
    let ReadAssertions {
        assertions,
        gold,
        mut mentioned,
    } = assertion::assertions(reader, &fields, start, &questions, &candidates);
    let verdict = verdict::verdict(reader, &fields, &questions, &candidates, &mut mentioned);
    let comparisons = compare::comparisons(reader, &fields, &questions, &candidates);
    let published = published::published(reader, &fields, &questions, &candidates);
    let recording = recording::recording(reader, &fields);
    let turn = operation::turn(reader, &fields, &questions);
    let load = load_rule::load(reader, &fields);
    let by = groupings(reader, &fields, &mut mentioned);
    let data = data::rules(reader, &fields, &questions, outside.folder, &mut mentioned);
    let conventions = conventions_of(reader, &fields, &questions);
    let scorecard = scorecard_mode(reader, &fields);
    let stateless = !candidates.is_empty()
        && candidates
            .iter()
            .all(|read| read.candidate.provider == "recorded");
    let errors_before = reader.found.len();
    let cases = cases::cases(
        reader,
        fields.get("cases").as_ref(),
        start,
        Surroundings {
            questions: &questions,
            own_questions,
            stateless,
            outside,
        },
    );
    if !cases.is_empty() && reader.found.len() == errors_before {
        check_mentioned(reader, &mentioned, &questions, &cases);
        check_lockbox(reader, &assertions, &cases);
        let gates = verdict.iter().flat_map(|verdict| &verdict.gates);
        check_lockbox(reader, gates, &cases);
        compare::check_margins(reader, &comparisons, cases.len());
    }
    let has_cases = fields.get("cases").is_some();
    let named_types = questions
        .iter()
        .filter_map(|read| read.named_type.clone())
        .collect();
    let questions = suite_questions(reader, &questions, &cases, own_questions, has_cases, start);
    let (cases, panel) = kept_by_panel(reader, data.panel.as_ref(), &questions, cases);
    let candidates: Vec<_> = candidates.into_iter().map(|read| read.candidate).collect();
    let gates = verdict.iter().flat_map(|verdict| &verdict.gates);
    let cases = padding::padded(assertions.iter().chain(gates), &candidates, cases);
    let suite = Suite {
        name,
        path: path.to_owned(),
        digest: suite_digest(&questions, open.as_ref(), &cases),
        questions,
        open,
        conventions,
        cases,
        candidates,
        assertions,
        verdict,
        comparisons,
        published,
        data,
        baseline: fields
            .get("baseline")
            .and_then(|field| reader.words(&field))
            .map(str::to_owned),
        panel,
        turn,
        load,
        gold,
        recording,
        by,
        scorecard,
        source: Arc::clone(&tree.source),
    };
    Some((suite, named_types))
}

/// The cases that a panel of models keeps, and what it dropped; all of them where there is none.
fn kept_by_panel(
    reader: &mut Reader,
    rules: Option<&Panel>,
    questions: &[Question],
    cases: Vec<Case>,
) -> (Vec<Case>, Option<PanelRecord>) {
    let Some(rules) = rules else {
        return (cases, None);
    };
    check_models(reader, rules, &cases);
    let (kept, record) = panel::apply(rules, questions, cases);
    (kept, Some(record))
}

fn scorecard_mode(reader: &mut Reader, fields: &Fields<'_>) -> ScorecardMode {
    let mode = fields
        .get("scorecard")
        .and_then(|field| reader.one_of(&field));
    match mode {
        Some("print") => ScorecardMode::Print,
        Some("off") => ScorecardMode::Off,
        _ => ScorecardMode::Snapshot,
    }
}

/// A model of the panel that voted on no case is a slip of the fingers.
fn check_models(reader: &mut Reader, panel: &Panel, cases: &[Case]) {
    let raters: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| case.labels.keys().map(String::as_str))
        .collect();
    for model in &panel.models {
        if !cases.is_empty() && !raters.contains(model.as_str()) {
            let help = if raters.is_empty() {
                "give cases `labels`, or remove `panel`".to_owned()
            } else {
                suggestion("their raters are", model, raters.iter().copied())
            };
            reader
                .error(
                    "unused-field",
                    panel.span,
                    format!("no case has a label of `{model}`"),
                )
                .help(help);
        }
    }
}

/// Whether something stands in the file, and can be a suite.
fn is_map(reader: &mut Reader, tree: &Tree) -> bool {
    if tree.root.is_null() {
        reader
            .error("empty-suite", tree.root.span, "the suite is empty")
            .help("a suite has a question, cases, candidates and what must hold");
        return false;
    }
    if tree.root.entries().is_none() {
        reader
            .unexpected("a suite", &tree.root, "a map")
            .help("start with `question:`, `cases:`, `candidates:` and `assert:`");
        return false;
    }
    true
}

fn name(reader: &mut Reader, fields: &Fields<'_>, path: &Path, start: Span) -> String {
    if let Some(field) = fields.get("suite") {
        let name = reader.words(&field).unwrap_or_default();
        if !name.is_empty() {
            check_name(reader, "suite", name, field.value.span);
        }
        return name.to_owned();
    }
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if let Some(problem) = super::name::name_problem(&name) {
        let proposed = super::name::proposed_name(&name).unwrap_or_else(|| "my-suite".into());
        reader
            .error(
                "bad-name",
                start,
                format!("the file's name `{name}` cannot name a suite: {problem}"),
            )
            .help(format!("add `suite: {proposed}`, or rename the file"));
    }
    name
}

fn conventions_of(
    reader: &mut Reader,
    fields: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Vec<Conventions> {
    if questions.is_empty() {
        vec![conventions::of_suite(reader, fields)]
    } else {
        conventions::by_question(reader, fields, questions)
    }
}

/// The suite's questions. Where each case brings its own, the first case's stands for them, under no name.
fn suite_questions(
    reader: &mut Reader,
    questions: &[ReadQuestion<'_>],
    cases: &[Case],
    own_questions: bool,
    has_cases: bool,
    start: Span,
) -> Vec<Question> {
    if !own_questions {
        return questions.iter().map(|read| read.question.clone()).collect();
    }
    let first = cases
        .iter()
        .find_map(|case| case.questions.as_deref()?.first());
    // Cases that could not be read may have questions of their own.
    if first.is_none() && (!cases.is_empty() || !has_cases) {
        reader
            .error("no-question", start, "the suite has no `question`")
            .help("write what is asked, as in `question: { type: yes_no, instructions: … }`");
    }
    let unnamed = |question: &Question| Question {
        name: String::new(),
        ..question.clone()
    };
    first.map(unnamed).into_iter().collect()
}

fn groupings(
    reader: &mut Reader,
    fields: &Fields<'_>,
    mentioned: &mut Vec<Mentioned>,
) -> Vec<Grouping> {
    let Some(by) = fields.get("by") else {
        return Vec::new();
    };
    let mut field = |reader: &mut Reader, node: &Node| {
        let text = reader.text_of("by", node)?;
        let field = case_field(reader, text, node.span)?;
        mentioned.push(Mentioned {
            field: field.clone(),
            value: None,
            span: node.span,
        });
        Some(field)
    };
    let items = match &by.value.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(by.value),
    };
    let mut groupings = Vec::with_capacity(items.len());
    for item in items {
        let grouping: Option<Vec<CaseField>> = match &item.value {
            Value::List(inner) if inner.is_empty() => {
                reader.error("empty-list", item.span, "a group without fields");
                None
            }
            Value::List(inner) => inner.iter().map(|node| field(reader, node)).collect(),
            _ => field(reader, item).map(|field| vec![field]),
        };
        let Some(grouping) = grouping.map(Grouping) else {
            continue;
        };
        if groupings.contains(&grouping) {
            reader.error(
                "duplicate-key",
                item.span,
                format!("duplicate grouping `{grouping}`"),
            );
        } else {
            groupings.push(grouping);
        }
    }
    groupings
}

/// Fields and values that no case has are slips of the fingers more often than not.
fn check_mentioned(
    reader: &mut Reader,
    mentioned: &[Mentioned],
    questions: &[ReadQuestion<'_>],
    cases: &[Case],
) {
    for mention in mentioned {
        let values: BTreeSet<&str> = cases
            .iter()
            .flat_map(|case| field_values(&mention.field, case, questions))
            .collect();
        if values.is_empty() {
            let strata: BTreeSet<&str> = cases
                .iter()
                .flat_map(|case| case.strata.keys().map(String::as_str))
                .collect();
            let help = match &mention.field {
                CaseField::Stratum(name) if !strata.is_empty() => {
                    suggestion("strata of the cases are", name, strata.iter().copied())
                }
                _ => format!("give cases a `{}`, or remove this", mention.field),
            };
            reader
                .error(
                    "unused-field",
                    mention.span,
                    format!("no case has a `{}`", mention.field),
                )
                .help(help);
        } else if let Some(value) = &mention.value
            && !values.contains(value.as_str())
        {
            reader
                .error(
                    "unused-field",
                    mention.span,
                    format!("no case has `{}: {value}`", mention.field),
                )
                .help(suggestion("its values are", value, values.iter().copied()));
        }
    }
}

fn field_values<'c>(
    field: &CaseField,
    case: &'c Case,
    questions: &'c [ReadQuestion<'_>],
) -> Vec<&'c str> {
    match field {
        CaseField::Tier => case.tier.as_deref().into_iter().collect(),
        CaseField::Family => case.family.as_deref().into_iter().collect(),
        CaseField::Language => case.language.as_deref().into_iter().collect(),
        CaseField::Origin => case.origin.map(Origin::name).into_iter().collect(),
        CaseField::Stratum(name) => case
            .strata
            .get(name)
            .map(String::as_str)
            .into_iter()
            .collect(),
        CaseField::Type => match &case.questions {
            Some(own) => own.iter().map(|question| question.kind.name()).collect(),
            None => questions
                .iter()
                .map(|read| read.question.kind.name())
                .collect(),
        },
    }
}

fn check_lockbox<'a>(
    reader: &mut Reader,
    assertions: impl IntoIterator<Item = &'a super::Assertion>,
    cases: &[Case],
) {
    if cases.iter().any(|case| case.split == Split::Lockbox) {
        return;
    }
    let mut reported = BTreeSet::new();
    for assertion in assertions {
        let wants = assertion
            .requirements
            .iter()
            .any(|requirement| requirement.selection.lockbox);
        if wants && reported.insert(assertion.span.start) {
            reader
                .error(
                    "no-lockbox",
                    assertion.span,
                    format!(
                        "`{}` reads the lock box, and no case lies in it",
                        assertion.metric
                    ),
                )
                .help("write `cases: { file: …, lockbox: 30% }`, or `split: lockbox` on cases");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Entry, Style};
    use super::super::yaml;
    use super::*;
    use crate::diagnostic::Source;

    /// A tree as tokens give it: no text, and spans that only number the tokens.
    struct Tokens {
        next: usize,
    }

    impl Tokens {
        fn span(&mut self) -> Span {
            self.next += 1;
            Span::new(self.next, self.next)
        }

        fn text(&mut self, text: &str) -> Node {
            let span = self.span();
            Node::scalar(text, Style::Quoted, span)
        }

        fn map(&mut self, entries: Vec<(&str, Node)>) -> Node {
            let entries = entries
                .into_iter()
                .map(|(key, value)| Entry::new(key, self.span(), value))
                .collect();
            let span = self.span();
            Node::map(entries, span)
        }
    }

    fn from_tokens(metric: &str) -> Tree {
        let mut tokens = Tokens { next: 0 };
        let kind = tokens.text("yes_no");
        let instructions = tokens.text("May this refund be paid out?");
        let question = tokens.map(vec![("type", kind), ("instructions", instructions)]);
        let (state, gold) = (tokens.text("I was charged twice"), tokens.text("yes"));
        let case = tokens.map(vec![("state", state), ("gold", gold)]);
        let cases = Node::list(vec![case], tokens.span());
        let provider = tokens.text("rust");
        let candidate = tokens.map(vec![("provider", provider)]);
        let candidates = tokens.map(vec![("rules", candidate)]);
        let bound = tokens.text(">= 90%");
        let assert = tokens.map(vec![(metric, bound)]);
        let root = tokens.map(vec![
            ("question", question),
            ("cases", cases),
            ("candidates", candidates),
            ("assert", assert),
        ]);
        Tree {
            source: Arc::new(Source::new("tests/decisions.rs", "")),
            root,
        }
    }

    #[test]
    fn a_tree_from_elsewhere_reads_as_the_same_text_does() {
        let text = "
question: { type: yes_no, instructions: May this refund be paid out? }
cases: [{ state: I was charged twice, gold: yes }]
candidates: { rules: { provider: rust } }
assert: { accuracy: '>= 90%' }
";
        let path = Path::new("refund.yaml");
        let written = yaml::parse(&Arc::new(Source::new("refund.yaml", text))).unwrap();
        let written = check(&written, path, None).unwrap().suite;
        let built = check(&from_tokens("accuracy"), path, None).unwrap().suite;
        assert_eq!(built.digest, written.digest);
        assert_eq!(built.questions, written.questions);
        assert_eq!(
            built.assertions[0].requirements,
            written.assertions[0].requirements
        );
    }

    #[test]
    fn mistakes_keep_the_spans_they_were_given() {
        let tree = from_tokens("acuracy");
        let key_span = tree.root.get("assert").unwrap().entries().unwrap()[0].key_span;
        let mistakes = check(&tree, Path::new("refund.yaml"), None).unwrap_err();
        assert_eq!(mistakes.len(), 1);
        let mistake = mistakes.iter().next().unwrap();
        assert_eq!(mistake.span, key_span);
        assert_eq!(mistake.help.as_deref(), Some("did you mean `accuracy`?"));
        assert!(mistake.render().contains("tests/decisions.rs"), "{mistake}");
    }
}
