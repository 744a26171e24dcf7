//! `cargo decbench label`: how well people agree on labels, and who decides where they do not.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use clap::Args;
use decbench_core::data::{Given, ceilings};
use decbench_core::decision::{Case, Gold, Question, Split, approval_digest};
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use crate::case_file::{CaseFile, Stamp, signed_by, today};
use crate::ending::{Done, Ending, Unusable};
use crate::packages::Where;
use crate::suites;
use crate::terminal;

/// Shows how well raters agree and on which cases they are split, and lets one person decide those.
///
/// At a terminal split cases without gold are shown one by one; what is decided becomes gold, stamped as an approval, and no
/// other line of the case file changes. Cases in the lock box are not shown. The exit code is 1 while split cases wait.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench label call-routing\n  cargo decbench label call-routing --case c-0412 --gold billing --by Ada"
)]
pub(crate) struct Label {
    /// The suite's name.
    suite: String,
    #[command(flatten)]
    place: Where,
    /// Decide this case without asking, whether it is split or not.
    #[arg(long, value_name = "ID", requires = "gold")]
    case: Option<String>,
    /// What is right for it: an option's key.
    #[arg(long, value_name = "KEY", requires = "case")]
    gold: Option<String>,
    /// Of which question, where the suite has several.
    #[arg(long, value_name = "NAME", default_value = "")]
    question: String,
    /// Who decides; by default the name that git knows.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Print agreement and split cases as JSON, and ask nothing.
    #[arg(long)]
    json: bool,
}

/// A case on which raters differ about one question.
struct SplitCase<'a> {
    case: &'a Case,
    /// Position of the question among the case's.
    at: usize,
    question: &'a Question,
    said: BTreeMap<&'a str, &'a str>,
}

impl SplitCase<'_> {
    fn waits(&self) -> bool {
        self.case.gold.get(self.at).is_none_or(Option::is_none)
    }

    fn said(&self) -> String {
        let said = self
            .said
            .iter()
            .map(|(rater, label)| format!("{rater} {label}"));
        said.collect::<Vec<_>>().join(", ")
    }

    fn name(&self) -> String {
        match self.question.name.as_str() {
            "" => self.case.id.clone(),
            name => format!("{} {name}", self.case.id),
        }
    }
}

pub(crate) fn run(task: &Label) -> Done {
    let suite = suites::to_stamp(&task.place, &task.suite)?;
    if let (Some(id), Some(key)) = (&task.case, &task.gold) {
        return decide_one(task, &suite, id, key);
    }
    let split = split_cases(&suite);
    if task.json {
        terminal::say(&format!("{:#}\n", in_json(&suite, &split)));
    } else {
        terminal::say(&in_words(&suite, &split));
    }
    let waiting: Vec<&SplitCase<'_>> = split.iter().filter(|case| case.waits()).collect();
    let decided = if task.json || waiting.is_empty() || !terminal::is_attended() {
        0
    } else {
        adjudicate(task, &suite, &waiting)?
    };
    Ok(Ending::holds_if(decided == waiting.len()))
}

fn split_cases(suite: &Suite) -> Vec<SplitCase<'_>> {
    let models = suite.data.panel.as_ref().map(|panel| &panel.models);
    let is_person = |rater: &&String| models.is_none_or(|models| !models.contains(rater));
    let shown = suite
        .cases
        .iter()
        .filter(|case| case.split != Split::Lockbox);
    let mut found = Vec::new();
    for case in shown {
        for (at, question) in case.questions(&suite.questions).iter().enumerate() {
            let said: BTreeMap<&str, &str> = case
                .labels
                .iter()
                .filter(|(rater, _)| is_person(rater))
                .filter_map(|(rater, labels)| Some((rater.as_str(), labels.get(at)?.as_deref()?)))
                .collect();
            let mut labels = said.values();
            let first = labels.next();
            if labels.any(|label| Some(label) != first) {
                found.push(SplitCase {
                    case,
                    at,
                    question,
                    said,
                });
            }
        }
    }
    found
}

fn in_words(suite: &Suite, split: &[SplitCase<'_>]) -> String {
    let mut out = String::new();
    let ceilings = ceilings(&Given::new(suite));
    for ceiling in &ceilings {
        let question = suite.questions.get(ceiling.question);
        let name = question.map_or("", |question| question.name.as_str());
        let of = if name.is_empty() {
            String::new()
        } else {
            format!(" on {name}")
        };
        let _ = writeln!(
            out,
            "raters agree{of} at {} {:.2} [{:.2}, {:.2}], which no candidate's agreement with them can be asked to exceed",
            ceiling.name, ceiling.value, ceiling.interval.low, ceiling.interval.high
        );
    }
    if ceilings.is_empty() {
        out.push_str("no agreement can be told: it takes `labels` of at least two raters\n");
    }
    let waiting = split.iter().filter(|case| case.waits()).count();
    let _ = match split.len() {
        0 => writeln!(out, "no case is split"),
        split => writeln!(
            out,
            "{split} cases are split, {waiting} of them without gold"
        ),
    };
    for case in split {
        let gold = if case.waits() { "" } else { "  (has gold)" };
        let _ = writeln!(out, "  {}: {}{gold}", case.name(), case.said());
    }
    out
}

fn in_json(suite: &Suite, split: &[SplitCase<'_>]) -> Json {
    let agreement: Vec<Json> = ceilings(&Given::new(suite))
        .iter()
        .map(|ceiling| {
            json!({
                "question": suite.questions.get(ceiling.question).map(|question| &question.name),
                "statistic": ceiling.name, "value": ceiling.value,
                "interval": [ceiling.interval.low, ceiling.interval.high],
            })
        })
        .collect();
    let split: Vec<Json> = split
        .iter()
        .map(|case| {
            json!({
                "case": case.case.id, "question": case.question.name, "labels": case.said, "has_gold": !case.waits(),
            })
        })
        .collect();
    json!({ "schema": 1, "suite": suite.name, "agreement": agreement, "split": split })
}

/// Asks for one case after the other; how many were decided.
fn adjudicate(task: &Label, suite: &Suite, waiting: &[&SplitCase<'_>]) -> Result<usize, Unusable> {
    let mut sitting = Sitting::begin(suite, task.by.as_deref())?;
    let mut decided = 0;
    for (position, split) in waiting.iter().enumerate() {
        match ask(split, position + 1, waiting.len())? {
            Choice::Option(option) => {
                sitting.decide(split.case, split.at, option)?;
                decided += 1;
            }
            Choice::Skip => {}
            Choice::Stop => break,
        }
    }
    terminal::did(
        "Labelled",
        &format!("{decided} of {} cases as {}", waiting.len(), sitting.by),
    );
    Ok(decided)
}

/// What a person says of a case.
enum Choice {
    /// This option is right.
    Option(usize),
    Skip,
    Stop,
}

fn ask(split: &SplitCase<'_>, position: usize, of: usize) -> Result<Choice, Unusable> {
    let state = split.case.state.as_ref();
    let state = state
        .map(|state| state.as_text().into_owned())
        .unwrap_or_default();
    let mut text = format!(
        "\n{position} of {of}  {}\n\n{state}\n\n{}\n{}\n",
        split.name(),
        split.question.instructions,
        split.said()
    );
    for (at, option) in split.question.options.iter().enumerate() {
        let about = option.description.as_deref().unwrap_or_default();
        let _ = writeln!(text, "  {}  {}  {about}", at + 1, option.key);
    }
    terminal::say(&text);
    loop {
        let answer = terminal::ask("What is right? Number or key, [s]kip, [q]uit: ")?;
        match answer.as_deref() {
            None => return Ok(Choice::Stop),
            Some(answer) => match (option_of(split.question, answer), answer) {
                (Some(option), _) => return Ok(Choice::Option(option)),
                (None, "s" | "skip") => return Ok(Choice::Skip),
                (None, "q" | "quit") => return Ok(Choice::Stop),
                (None, _) => {}
            },
        }
    }
}

/// An option by its key, or by its number from 1 where no key is that number.
fn option_of(question: &Question, answer: &str) -> Option<usize> {
    question.index_of_label(answer).or_else(|| {
        let number: usize = answer.parse().ok()?;
        let at = number.checked_sub(1)?;
        (at < question.options.len()).then_some(at)
    })
}

fn decide_one(task: &Label, suite: &Suite, id: &str, key: &str) -> Done {
    let case = suite.cases.iter().find(|case| case.id == id);
    let case =
        case.ok_or_else(|| Unusable::new(format!("suite `{}` has no case `{id}`", suite.name)))?;
    if case.split == Split::Lockbox {
        return Err(Unusable::new(format!(
            "case `{id}` lies in the lock box, which labelling does not open"
        )));
    }
    let questions = case.questions(&suite.questions);
    let at = questions
        .iter()
        .position(|question| question.name == task.question);
    let at = at.ok_or_else(|| {
        let names: Vec<&str> = questions
            .iter()
            .map(|question| question.name.as_str())
            .collect();
        Unusable::new(format!(
            "case `{id}` has no question `{}`; say which with `--question`: {}",
            task.question,
            names.join(", ")
        ))
    })?;
    let option = questions[at].index_of_label(key).ok_or_else(|| {
        let keys: Vec<&str> = questions[at]
            .options
            .iter()
            .map(|option| option.key.as_str())
            .collect();
        Unusable::new(format!(
            "`{key}` is none of the options: {}",
            keys.join(", ")
        ))
    })?;
    let mut sitting = Sitting::begin(suite, task.by.as_deref())?;
    sitting.decide(case, at, option)?;
    terminal::did(
        "Labelled",
        &format!(
            "{id} as {}: {}",
            sitting.by, questions[at].options[option].key
        ),
    );
    Ok(Ending::Holds)
}

/// The decisions of one person, each written as soon as it is taken, so that none is lost.
struct Sitting<'a> {
    file: CaseFile,
    suite: &'a Suite,
    by: String,
    /// Cases as they are decided so far, by row: a later decision on one is stamped together with the earlier ones.
    settled: HashMap<usize, Case>,
}

impl<'a> Sitting<'a> {
    fn begin(suite: &'a Suite, by: Option<&str>) -> Result<Self, Unusable> {
        Ok(Self {
            file: CaseFile::open(suite)?,
            suite,
            by: signed_by(by)?,
            settled: HashMap::new(),
        })
    }

    /// Writes the option as gold of one question; gold of the others stays.
    fn decide(&mut self, case: &Case, at: usize, option: usize) -> Result<(), Unusable> {
        let questions = case.questions(&self.suite.questions);
        let key = json!(questions[at].options[option].key);
        let line = self.file.line(case)?;
        let gold = match questions {
            [one] if one.name.is_empty() => key,
            several => {
                let mut gold = match line.get("gold") {
                    Some(Json::Object(gold)) => gold.clone(),
                    _ => serde_json::Map::new(),
                };
                gold.insert(several[at].name.clone(), key);
                Json::Object(gold)
            }
        };
        let settled = self.settled.entry(case.row).or_insert_with(|| case.clone());
        settled.gold.resize(questions.len(), None);
        settled.gold[at] = Some(Gold::Label(option));
        let digest = approval_digest(settled, &self.suite.questions);
        let stamp = Stamp {
            by: &self.by,
            at: &today(),
            digest: digest.map(|digest| digest.to_string()).unwrap_or_default(),
        };
        self.file.settle(case, &gold, &stamp)?;
        self.file.save()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decisions_on_a_case_in_one_sitting_are_stamped_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("calls.yaml");
        let suite = "suite: calls\nquestions:\n  topic: { type: choice, instructions: Which?, options: [a, b] }\n  urgent: { type: choice, instructions: Urgent?, options: [c, d] }\n  tone: { type: choice, instructions: How?, options: [e, f] }\ncases: calls.cases.jsonl\ncandidates:\n  rules: { provider: rust, function: rules }\nassert:\n  topic.accuracy: '>= 50%'\n";
        std::fs::write(&path, suite).expect("a suite");
        let cases = "{\"id\":\"x\",\"state\":\"My bill.\",\"reference\":{\"topic\":\"a\",\"urgent\":\"c\",\"tone\":\"e\"}}\n";
        let file = folder.path().join("calls.cases.jsonl");
        std::fs::write(&file, cases).expect("cases");
        let load = || {
            let loaded = decbench_core::suite::load(&path);
            loaded.map_err(|why| why.render()).expect("a suite").suite
        };
        let suite = load();
        let mut sitting = Sitting::begin(&suite, Some("Ada")).expect("a sitting");
        for (at, option) in [(0, 1), (1, 0)] {
            sitting
                .decide(&suite.cases[0], at, option)
                .expect("a decision");
            let now = load();
            let stamped = now.cases[0]
                .approved
                .as_ref()
                .and_then(|stamp| stamp.digest.clone());
            let digest = approval_digest(&now.cases[0], &now.questions);
            assert_eq!(stamped, digest.map(|digest| digest.to_string()));
        }
        let line: Json =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("cases")).expect("a line");
        assert_eq!(line["gold"], json!({ "topic": "b", "urgent": "c" }));
        assert_eq!(
            line["reference"],
            json!({ "tone": "e" }),
            "of what nobody decided the reference stays"
        );
    }
}
