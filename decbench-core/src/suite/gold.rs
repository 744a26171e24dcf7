//! Answers in case files: gold, references, what production and raters said.

use std::sync::Arc;

use super::json;
use super::read::{Reader, suggestion};
use super::tree::{Entry, Node, Style, Value};
use crate::decision::{Gold, Question, QuestionKind};
use crate::diagnostic::{Source, Span};

/// After this many mistakes in a file no near names are looked for.
const SUGGESTED: usize = 500;

/// A question whose answers are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answered<'q> {
    /// The question.
    pub(super) question: &'q Question,
    /// Whether its options are known; else answers to it are passed over, so that one mistake gives one message.
    pub(super) sound: bool,
}

/// One value per question: the value itself for a single question without a name, else a map by question.
pub(super) fn by_question<T>(
    reader: &mut Reader,
    field: &str,
    node: &Node,
    questions: &[Answered<'_>],
    read: impl Fn(&mut Reader, &Answered<'_>, &Node) -> Option<T>,
) -> Vec<Option<T>> {
    let mut values: Vec<Option<T>> = questions.iter().map(|_| None).collect();
    if node.is_null() || questions.is_empty() {
        return values;
    }
    let parsed = cell_json(node);
    let node = parsed.as_ref().unwrap_or(node);
    if let [single] = questions {
        let named = node
            .entries()
            .is_some_and(|entries| names_a_question(entries, questions));
        if single.question.name.is_empty() || !named {
            values[0] = read(reader, single, node);
            return values;
        }
    }
    if node.entries().is_none() {
        let parts: Vec<String> = questions
            .iter()
            .map(|asked| format!("{}: …", asked.question.name))
            .collect();
        reader
            .unexpected(field, node, "a map by question")
            .help(format!("write `{field}: {{ {} }}`", parts.join(", ")));
        return values;
    }
    for entry in reader.entries(field, node).unwrap_or_default() {
        let names = questions.iter().map(|asked| asked.question.name.as_str());
        match names.clone().position(|name| name == entry.key) {
            Some(_) if entry.value.is_null() => {}
            Some(position) => values[position] = read(reader, &questions[position], &entry.value),
            None => {
                reader
                    .error(
                        "unknown-question",
                        entry.key_span,
                        format!("there is no question `{}`", entry.key),
                    )
                    .help(suggestion("the questions", &entry.key, names));
            }
        }
    }
    values
}

fn names_a_question(entries: &[Entry], questions: &[Answered<'_>]) -> bool {
    entries.iter().any(|entry| {
        questions
            .iter()
            .any(|asked| asked.question.name == entry.key)
    })
}

/// A cell of a table that holds a JSON list or map.
fn cell_json(node: &Node) -> Option<Node> {
    let Value::Scalar(scalar) = &node.value else {
        return None;
    };
    if scalar.style != Style::Cell || !scalar.text.starts_with(['[', '{']) {
        return None;
    }
    let source = Arc::new(Source::new("", scalar.text.as_str()));
    let mut parsed = json::parse(&source, Span::new(0, scalar.text.len())).ok()?;
    // Quotes are doubled in the file, so positions within the cell would be off: all are the cell's own.
    place(&mut parsed, node.span);
    Some(parsed)
}

fn place(node: &mut Node, span: Span) {
    node.span = span;
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::List(items) => items.iter_mut().for_each(|item| place(item, span)),
        Value::Map(entries) => entries.iter_mut().for_each(|entry| {
            entry.key_span = span;
            place(&mut entry.value, span);
        }),
    }
}

/// The option a text names, as a suite and a case file write it.
fn position(question: &Question, text: &str) -> Option<usize> {
    match question.kind {
        QuestionKind::Choice | QuestionKind::Open(_) => question.index_of(text),
        QuestionKind::YesNo => {
            // Tables of other programs write `True` or `1`.
            let is = |words: [&str; 3]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
            if is(["yes", "true", "1"]) {
                Some(0)
            } else if is(["no", "false", "0"]) {
                Some(1)
            } else {
                None
            }
        }
        QuestionKind::Score => question.index_of(text).or_else(|| {
            question
                .options
                .iter()
                .position(|level| level.description.as_deref() == Some(text))
        }),
    }
}

/// What production or a rater answered, as an option's key; texts that are no option are kept as they are and counted,
/// since the options may have changed since.
pub(super) fn said(reader: &mut Reader, asked: &Answered<'_>, node: &Node) -> Option<String> {
    let text = reader.text_of("an answer", node)?;
    if let Some(position) = position(asked.question, text) {
        // Options that only a Rust type lists are not known where that type is not linked.
        let known = asked.question.options.get(position);
        return Some(known.map_or_else(|| text.to_owned(), |option| option.key.clone()));
    }
    if asked.sound {
        reader.strangers.count(text, node.span);
    }
    Some(text.to_owned())
}

/// An answer that must be an option.
pub(super) fn option(reader: &mut Reader, asked: &Answered<'_>, node: &Node) -> Option<usize> {
    let text = reader.text_of("an answer", node)?;
    let position = position(asked.question, text);
    if position.is_none() && asked.sound {
        not_an_option(reader, asked.question, text, node.span);
    }
    position
}

/// A rater's answer: a label, or probabilities by option, whose highest is the label.
pub(super) fn vote(
    reader: &mut Reader,
    asked: &Answered<'_>,
    node: &Node,
) -> Option<(String, Option<Vec<f64>>)> {
    let Value::Map(_) = &node.value else {
        return said(reader, asked, node).map(|label| (label, None));
    };
    if !asked.sound {
        return None;
    }
    let mut shares = vec![0.0; asked.question.options.len()];
    for entry in reader.entries("labels", node)? {
        let Some(position) = position(asked.question, &entry.key) else {
            not_an_option(reader, asked.question, &entry.key, entry.key_span);
            return None;
        };
        let share = entry.value.text().and_then(|text| text.parse::<f64>().ok());
        let Some(share) = share.filter(|share| (0.0..=1.0).contains(share)) else {
            reader
                .error(
                    "out-of-range",
                    entry.value.span,
                    "a rater's probability is a number from 0 to 1",
                )
                .help("write `labels: { model_a: { billing: 0.8, support: 0.2 } }`");
            return None;
        };
        shares[position] = share;
    }
    let top = shares.iter().copied().fold(0.0, f64::max);
    let label = shares.iter().position(|share| *share == top && top > 0.0)?;
    Some((asked.question.options[label].key.clone(), Some(shares)))
}

/// A gold or reference answer.
pub(super) fn gold(reader: &mut Reader, asked: &Answered<'_>, node: &Node) -> Option<Gold> {
    if !asked.sound {
        return None;
    }
    match &node.value {
        Value::Scalar(scalar) if scalar.is_null() => None,
        Value::Scalar(scalar) => match position(asked.question, &scalar.text) {
            Some(position) => Some(Gold::Label(position)),
            None if scalar.text == "unknown" => Some(Gold::Unknown),
            None => {
                not_an_option(reader, asked.question, &scalar.text, node.span);
                None
            }
        },
        Value::List(items) => any_of(reader, asked.question, items, node.span),
        Value::Map(entries) => {
            reader.entries("gold", node)?;
            distribution(reader, asked.question, entries, node.span)
        }
    }
}

fn any_of(reader: &mut Reader, question: &Question, items: &[Node], span: Span) -> Option<Gold> {
    if items.is_empty() {
        reader
            .error("empty-gold", span, "gold is an empty list")
            .help("list the acceptable answers, or write `unknown` where no answer can be right");
        return None;
    }
    let mut positions = Vec::with_capacity(items.len());
    for item in items {
        let text = reader.text_of("gold", item)?;
        let Some(position) = position(question, text) else {
            not_an_option(reader, question, text, item.span);
            return None;
        };
        positions.push(position);
    }
    positions.sort_unstable();
    positions.dedup();
    Some(match positions.as_slice() {
        [single] => Gold::Label(*single),
        _ => Gold::AnyOf(positions),
    })
}

/// Shares by option that sum to 1, or whole counts of votes.
fn distribution(
    reader: &mut Reader,
    question: &Question,
    entries: &[Entry],
    span: Span,
) -> Option<Gold> {
    let mut shares = vec![0.0; question.options.len()];
    let mut whole = true;
    for entry in entries {
        let Some(position) = position(question, &entry.key) else {
            not_an_option(reader, question, &entry.key, entry.key_span);
            return None;
        };
        let text = entry.value.text().unwrap_or("");
        let share = text
            .parse::<f64>()
            .ok()
            .filter(|share| share.is_finite() && *share >= 0.0);
        let Some(share) = share else {
            reader.error(
                "bad-distribution",
                entry.value.span,
                "a share of gold is a finite number of at least 0",
            );
            return None;
        };
        whole &= share.fract() == 0.0;
        shares[position] += share;
    }
    let sum: f64 = shares.iter().sum();
    let rounding = 0.005 * entries.len() as f64 + 1e-9;
    if sum <= 0.0 || (!whole && (sum - 1.0).abs() > rounding) {
        reader
            .error(
                "bad-distribution",
                span,
                format!("the shares of gold sum to {}", short(sum)),
            )
            .help("shares sum to 1; whole numbers are taken as counts of votes");
        return None;
    }
    for share in &mut shares {
        *share /= sum;
    }
    Some(Gold::Distribution(shares))
}

fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn not_an_option(reader: &mut Reader, question: &Question, text: &str, span: Span) {
    let which = if question.name.is_empty() {
        "the question".to_owned()
    } else {
        format!("`{}`", question.name)
    };
    let (code, message, help) = match question.kind {
        // Looking for near names is felt when every case of a large file is at fault, and nobody reads that many.
        QuestionKind::Choice if reader.found.len() > SUGGESTED => (
            "gold-not-an-option",
            format!("`{text}` is no option of {which}"),
            String::new(),
        ),
        QuestionKind::Choice | QuestionKind::Open(_) => {
            let keys = question.options.iter().map(|option| option.key.as_str());
            (
                "gold-not-an-option",
                format!("`{text}` is no option of {which}"),
                suggestion("its options", text, keys),
            )
        }
        QuestionKind::YesNo => (
            "gold-not-an-option",
            format!("`{text}` is no answer to {which}"),
            "write `yes`, `no` or `unknown`".to_owned(),
        ),
        QuestionKind::Score => {
            let last = question.options.len().saturating_sub(1);
            let texts = question
                .options
                .iter()
                .filter_map(|level| level.description.as_deref());
            if text.parse::<f64>().is_ok() {
                (
                    "level-out-of-range",
                    format!("{which} has no level {text}"),
                    format!("levels go from 0 to {last}"),
                )
            } else {
                (
                    "gold-not-an-option",
                    format!("`{text}` is no level of {which}"),
                    suggestion("its levels", text, texts),
                )
            }
        }
    };
    let help = Some(help).filter(|help| !help.is_empty());
    reader.error(code, span, message).maybe_help(help);
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;
    use crate::decision::AnswerOption;

    fn question(kind: QuestionKind) -> Question {
        let options = match kind {
            QuestionKind::Choice => ["billing", "support", "unknown"]
                .map(AnswerOption::new)
                .into(),
            QuestionKind::YesNo => ["yes", "no"].map(AnswerOption::new).into(),
            QuestionKind::Open(_) => Vec::new(),
            QuestionKind::Score => ["calm", "annoyed", "furious"]
                .iter()
                .enumerate()
                .map(|(index, text)| AnswerOption::new(index.to_string()).described(*text))
                .collect(),
        };
        Question {
            name: String::new(),
            kind,
            version: None,
            instructions: "?".into(),
            options,
        }
    }

    fn read(kind: QuestionKind, text: &str) -> Result<Option<Gold>, &'static str> {
        let tree = yaml::parse(&Arc::new(Source::new("a.yaml", text))).unwrap();
        let mut reader = Reader::new(&tree.source);
        let question = question(kind);
        let asked = Answered {
            question: &question,
            sound: true,
        };
        let mut values = by_question(&mut reader, "gold", &tree.root, &[asked], gold);
        match reader.found.iter().next() {
            Some(mistake) => Err(mistake.code),
            None => Ok(values.remove(0)),
        }
    }

    #[test]
    fn gold_is_read_in_all_its_forms() {
        use QuestionKind::{Choice, Score, YesNo};
        assert_eq!(read(Choice, "support"), Ok(Some(Gold::Label(1))));
        assert_eq!(read(Choice, "~"), Ok(None));
        assert_eq!(
            read(Choice, "[support, billing]"),
            Ok(Some(Gold::AnyOf(vec![0, 1])))
        );
        assert_eq!(read(Choice, "[support, support]"), Ok(Some(Gold::Label(1))));
        assert_eq!(read(YesNo, "no"), Ok(Some(Gold::Label(1))));
        assert_eq!(read(YesNo, "true"), Ok(Some(Gold::Label(0))));
        assert_eq!(read(YesNo, "unknown"), Ok(Some(Gold::Unknown)));
        assert_eq!(read(Score, "2"), Ok(Some(Gold::Label(2))));
        assert_eq!(read(Score, "furious"), Ok(Some(Gold::Label(2))));
    }

    #[test]
    fn an_option_called_unknown_is_an_option() {
        assert_eq!(
            read(QuestionKind::Choice, "unknown"),
            Ok(Some(Gold::Label(2)))
        );
    }

    #[test]
    fn distributions_are_shares_or_votes() {
        let choice = |text| read(QuestionKind::Choice, text);
        let half = Ok(Some(Gold::Distribution(vec![0.5, 0.5, 0.0])));
        assert_eq!(choice("{billing: 0.5, support: 0.5}"), half);
        assert_eq!(choice("{billing: 3, support: 3}"), half);
        assert_eq!(
            choice("{billing: 0.5, support: 0.4}"),
            Err("bad-distribution")
        );
        assert_eq!(choice("{billing: 0, support: 0}"), Err("bad-distribution"));
        assert_eq!(choice("{billing: -1, support: 2}"), Err("bad-distribution"));
        assert_eq!(choice("{billing: .nan}"), Err("bad-distribution"));
    }

    #[test]
    fn a_rater_may_answer_a_question_whose_options_only_a_type_lists() {
        let tree = yaml::parse(&Arc::new(Source::new("a.yaml", "no"))).unwrap();
        let mut reader = Reader::new(&tree.source);
        let mut question = question(QuestionKind::YesNo);
        question.options.clear();
        let asked = Answered {
            question: &question,
            sound: false,
        };
        let label = vote(&mut reader, &asked, &tree.root);
        assert_eq!(label, Some(("no".to_owned(), None)));
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        assert_eq!(
            read(QuestionKind::Choice, "biling"),
            Err("gold-not-an-option")
        );
        assert_eq!(read(QuestionKind::YesNo, "2"), Err("gold-not-an-option"));
        assert_eq!(read(QuestionKind::Score, "3"), Err("level-out-of-range"));
        assert_eq!(read(QuestionKind::Score, "-1"), Err("level-out-of-range"));
        assert_eq!(
            read(QuestionKind::Score, "angry"),
            Err("gold-not-an-option")
        );
        assert_eq!(read(QuestionKind::Choice, "[]"), Err("empty-gold"));
    }
}
