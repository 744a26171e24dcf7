//! `cargo decbench approve`: references that a person has read become gold.

use clap::Args;
use decbench_core::decision::{Case, Gold, Question, Split, approval_digest};
use decbench_core::suite::Suite;

use crate::case_file::{CaseFile, Stamp, signed_by, today};
use crate::ending::{Done, Ending, Unusable};
use crate::packages::Where;
use crate::suites;
use crate::terminal;

/// Turns references into gold, one by one at the terminal, or all that a filter keeps.
///
/// Each approval is stamped with who gave it, the day, and a digest of state, question and label: when one of them
/// changes, the approval is void. Cases in the lock box are not shown.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench approve call-routing\n  cargo decbench approve call-routing --case c-0412 --case c-0413 --by Ada --yes"
)]
pub(crate) struct Approve {
    /// The suite's name.
    suite: String,
    #[command(flatten)]
    place: Where,
    /// Only these cases.
    #[arg(long = "case", value_name = "ID")]
    cases: Vec<String>,
    /// Only cases with these words in their text or id.
    #[arg(long, value_name = "WORDS")]
    with: Option<String>,
    /// Who approves; by default the name that git knows.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Ask nothing: approve everything that the filters keep.
    #[arg(short, long)]
    yes: bool,
}

pub(crate) fn run(task: &Approve) -> Done {
    let suite = suites::to_stamp(&task.place, &task.suite)?;
    let mut file = CaseFile::open(&suite)?;
    let waiting: Vec<&Case> = suite
        .cases
        .iter()
        .filter(|case| waits(case) && task.keeps(case))
        .collect();
    if let Some(unknown) = task
        .cases
        .iter()
        .find(|id| suite.cases.iter().all(|case| case.id != **id))
    {
        return Err(Unusable::new(format!(
            "suite `{}` has no case `{unknown}`",
            suite.name
        )));
    }
    if waiting.is_empty() {
        terminal::did(
            "Approved",
            "nothing: no case that is meant has a reference without gold",
        );
        return Ok(Ending::Holds);
    }
    if !task.yes && !terminal::is_attended() {
        return Err(Unusable::new(format!(
            "{} cases wait and nobody is there to read them; say `--yes` to approve them all",
            waiting.len()
        )));
    }
    let by = signed_by(task.by.as_deref())?;
    let at = today();
    let mut approved = 0;
    for (position, case) in waiting.iter().enumerate() {
        let answer = if task.yes {
            Choice::Approve
        } else {
            ask(&suite, case, position + 1, waiting.len())?
        };
        match answer {
            Choice::Approve => {
                let digest = digest_with_gold(case, &suite.questions);
                let reference = file.line(case)?.get("reference").cloned();
                let stamp = Stamp {
                    by: &by,
                    at: &at,
                    digest,
                };
                file.settle(case, &reference.unwrap_or_default(), &stamp)?;
                if !task.yes {
                    // One at a time, so that nothing a person has read is lost.
                    file.save()?;
                }
                approved += 1;
            }
            Choice::Pass => {}
            Choice::Stop => break,
        }
    }
    file.save()?;
    terminal::did(
        "Approved",
        &format!("{approved} of {} cases as {by}", waiting.len()),
    );
    Ok(Ending::Holds)
}

impl Approve {
    fn keeps(&self, case: &Case) -> bool {
        let named = self.cases.is_empty() || self.cases.contains(&case.id);
        let words = self.with.as_ref().is_none_or(|words| {
            let words = words.to_lowercase();
            let state = case
                .state
                .as_ref()
                .map(|state| state.as_text().to_lowercase());
            case.id.to_lowercase().contains(&words)
                || state.is_some_and(|state| state.contains(&words))
        });
        named && words && case.split != Split::Lockbox
    }
}

/// Whether a case has a reference and no gold.
fn waits(case: &Case) -> bool {
    case.gold.iter().all(Option::is_none) && case.reference.iter().any(Option::is_some)
}

fn digest_with_gold(case: &Case, questions: &[Question]) -> String {
    let mut approved = case.clone();
    approved.gold.clone_from(&case.reference);
    approval_digest(&approved, questions)
        .map(|digest| digest.to_string())
        .unwrap_or_default()
}

enum Choice {
    Approve,
    Pass,
    Stop,
}

fn ask(suite: &Suite, case: &Case, position: usize, of: usize) -> Result<Choice, Unusable> {
    let state = case
        .state
        .as_ref()
        .map(|state| state.as_text().into_owned())
        .unwrap_or_default();
    let mut text = format!("\n{position} of {of}  {}\n\n{state}\n\n", case.id);
    for (question, reference) in case.questions(&suite.questions).iter().zip(&case.reference) {
        if let Some(reference) = reference {
            text.push_str(&format_question(question, reference));
        }
    }
    terminal::say(&text);
    loop {
        let answer = terminal::ask("Right? [y]es, [n]o, [q]uit: ")?;
        match answer.as_deref() {
            None | Some("q" | "quit") => return Ok(Choice::Stop),
            Some("y" | "yes") => return Ok(Choice::Approve),
            Some("n" | "no") => return Ok(Choice::Pass),
            Some(_) => {}
        }
    }
}

fn format_question(question: &Question, reference: &Gold) -> String {
    let name = if question.name.is_empty() {
        String::new()
    } else {
        format!("{}: ", question.name)
    };
    let keys: Vec<&str> = question
        .options
        .iter()
        .enumerate()
        .filter(|(position, _)| reference.accepts(*position) == Some(true))
        .map(|(_, option)| option.key.as_str())
        .collect();
    format!(
        "{name}{}\n  → {}\n",
        question.instructions,
        keys.join(" or ")
    )
}
