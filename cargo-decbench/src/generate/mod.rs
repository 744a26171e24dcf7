//! `cargo decbench generate`: a chat model drafts cases, for people to read and approve.

mod drafts;
mod spend;

use std::collections::HashSet;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use clap::Args;
use decbench_core::decision::{Case, Question, Split};
use decbench_core::provider::{Attempt, Clock, Outside, Retry, Settings, Writer, Written};
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::Where;
use crate::suites;
use crate::terminal;
use drafts::Sheet;
use spend::Purse;

/// How many cases one call is asked for.
const AT_ONCE: usize = 10;
/// Calls in a row that bring nothing new, after which no more are made.
const FRUITLESS: usize = 3;
/// How often a call is made again whose failure may pass.
const AGAIN: u32 = 2;
/// The longest wait that a service may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Has a chat model draft cases for a suite and adds them to its case file.
///
/// What a model says of its own drafts is a reference, never gold: read them, correct them, and approve them. A
/// draft whose text is there already is left out. Cases in the lock box are neither shown to the model nor written.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench generate call-routing --model gpt-4.1-mini-2025-04-14 --count 30 --budget 0.20\n  cargo decbench generate call-routing --model qwen3 --base-url http://127.0.0.1:11434/v1 --path /chat/completions --auth none --yes"
)]
pub(crate) struct Generate {
    /// The suite's name.
    suite: String,
    #[command(flatten)]
    place: Where,
    /// The model that drafts.
    #[arg(long)]
    model: String,
    /// How many cases.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
    /// How many cases of the suite are shown to the model as examples.
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    examples: usize,
    /// What the drafts should be about, in words for the model.
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
    /// Where the service is; by default `api.openai.com`.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The route at that address; by default `/v1/chat/completions`.
    #[arg(long, value_name = "ROUTE")]
    path: Option<String>,
    /// The variable that holds the key.
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// How the key is sent: bearer, api-key, or none.
    #[arg(long, value_name = "WAY")]
    auth: Option<String>,
    /// The most that may be spent, in US dollars, at the price in decbench.toml.
    #[arg(long, value_name = "USD")]
    budget: Option<f64>,
    /// Ask nothing: agree to the estimate, of which 1.2 times as much may be spent, or to a price that nobody knows.
    #[arg(short, long)]
    yes: bool,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(task: &Generate) -> Done {
    let (package, loaded) = suites::find(&task.place, &task.suite)?;
    let suite = loaded.suite;
    if suite.questions.is_empty() || suite.cases.iter().any(|case| case.questions.is_some()) {
        return Err(Unusable::new(format!(
            "suite `{}` asks each case questions of its own, and drafts are made for the suite's",
            suite.name
        )));
    }
    let path = suites::case_file(&suite)?;
    let config = package.config()?;
    let variable = |name: &str| std::env::var(name).ok();
    let outside = Outside {
        variable: &variable,
        clock: Clock::new(SystemTime::now),
        folder: &package.folder,
    };
    let writer = Writer::connect(&task.settings(), &outside)
        .map_err(|error| Unusable::new(error.to_string()))?;
    let mut purse = Purse::new(config.price(&task.model), task.budget, writer.most_tokens())?;
    let order = Order {
        task,
        suite: &suite,
        examples: examples(&suite, task.examples),
    };
    agree(task, &mut purse, &order)?;
    let made = draft(&writer, &order, &mut purse, &mut Sheet::new(&path, &suite))?;
    report(task, &path, &made, &purse);
    match made.stopped {
        Some(why) if made.written == 0 => Err(Unusable::new(why)),
        Some(why) => {
            terminal::complain(&why);
            Ok(Ending::DoesNotHold)
        }
        None => Ok(Ending::holds_if(made.written >= usize::from(task.count))),
    }
}

impl Generate {
    /// The settings of the model, as a suite would write them.
    fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        settings.insert("model".to_owned(), Json::from(self.model.as_str()));
        for (key, value) in [
            ("base_url", &self.base_url),
            ("path", &self.path),
            ("key_env", &self.key_env),
            ("auth", &self.auth),
        ] {
            if let Some(value) = value {
                settings.insert(key.to_owned(), Json::from(value.as_str()));
            }
        }
        // A list of cases takes longer than an answer.
        settings.insert("timeout".to_owned(), Json::from("120s"));
        settings
    }
}

/// What is ordered of the model.
struct Order<'a> {
    task: &'a Generate,
    suite: &'a Suite,
    examples: Vec<&'a Case>,
}

impl Order<'_> {
    /// The words for one call.
    fn material(&self, wanted: usize, round: usize) -> String {
        drafts::material(
            &self.suite.questions,
            &self.examples,
            self.task.about.as_deref(),
            wanted,
            round,
        )
    }
}

/// Cases with a state, spread over the file; never those of the lock box.
fn examples(suite: &Suite, count: usize) -> Vec<&Case> {
    let shown: Vec<&Case> = suite
        .cases
        .iter()
        .filter(|case| case.split != Split::Lockbox && case.state.is_some())
        .collect();
    let count = count.min(shown.len());
    (0..count)
        .map(|nth| shown[nth * shown.len() / count])
        .collect()
}

/// Whether somebody has agreed to what this is going to cost; what was agreed to is not left far behind.
fn agree(task: &Generate, purse: &mut Purse, order: &Order<'_>) -> Result<(), Unusable> {
    let calls = usize::from(task.count).div_ceil(AT_ONCE);
    let estimate = purse.estimate(calls, bytes(&order.material(AT_ONCE, 0)));
    let Some(usd) = estimate else {
        if task.yes {
            return Ok(());
        }
        return Err(Unusable::new(format!(
            "nobody knows what `{model}` costs; write its price into decbench.toml as [prices.\"{model}\"], or say `--yes`",
            model = task.model
        )));
    };
    if task.yes || task.budget.is_some() || usd == 0.0 {
        purse.agree_to(usd);
        return Ok(());
    }
    let question = format!(
        "About {calls} calls of `{}` for at most ${usd:.4}. Go on? [y/N] ",
        task.model
    );
    if !std::io::stdin().is_terminal() {
        return Err(Unusable::new(format!(
            "about {calls} calls for at most ${usd:.4} are to be made, and nobody is there to agree; say `--yes` or `--budget {usd:.4}`"
        )));
    }
    terminal::say(&question);
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Unusable::new(format!("standard input: {error}")))?;
    if matches!(line.trim(), "y" | "yes") {
        purse.agree_to(usd);
        Ok(())
    } else {
        Err(Unusable::new("nothing was asked"))
    }
}

/// What the calls brought.
#[derive(Default)]
struct Made {
    written: usize,
    calls: usize,
    /// Drafts that were there already, and those that are no case.
    known: usize,
    unusable: usize,
    /// Why no further call is made.
    stopped: Option<String>,
}

fn draft(
    writer: &Writer,
    order: &Order<'_>,
    purse: &mut Purse,
    sheet: &mut Sheet<'_>,
) -> Result<Made, Unusable> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Unusable::new(format!("no calls can be made: {error}")))?;
    let count = usize::from(order.task.count);
    let questions = &order.suite.questions;
    let mut made = Made::default();
    let mut known: HashSet<String> = order
        .suite
        .cases
        .iter()
        .filter_map(|case| Some(drafts::gist(&case.state.as_ref()?.as_text())))
        .collect();
    let mut fruitless = 0;
    while made.written < count && fruitless < FRUITLESS {
        let wanted = (count - made.written).min(AT_ONCE);
        let material = order.material(wanted, made.calls);
        if !purse.reaches(bytes(&material)) {
            made.stopped = Some(format!("the budget is spent: ${:.4}", purse.spent()));
            break;
        }
        made.calls += 1;
        let schema = drafts::schema(questions);
        let written = match runtime.block_on(write(writer, &material, schema, purse)) {
            Ok(written) => written,
            Err(attempt) => {
                made.stopped = Some(format!("`{}`: {}", order.task.model, attempt.failure));
                break;
            }
        };
        let read = match drafts::read(&written.text, questions) {
            Ok(read) => read,
            Err(why) => {
                let cut = if written.cut_off {
                    "; it was cut off"
                } else {
                    ""
                };
                terminal::complain(&format!("a reply is no list of cases: {why}{cut}"));
                fruitless += 1;
                continue;
            }
        };
        made.unusable += read.unusable;
        let mut new = Vec::new();
        for draft in read.drafts {
            if made.written + new.len() == count {
                break;
            }
            if known.insert(drafts::gist(&draft.state)) {
                new.push(draft);
            } else {
                made.known += 1;
            }
        }
        sheet.append(&new)?;
        made.written += new.len();
        fruitless = if new.is_empty() { fruitless + 1 } else { 0 };
    }
    Ok(made)
}

/// How much a call sends, but for its schema.
fn bytes(material: &str) -> usize {
    drafts::TASK.len() + material.len()
}

/// One call, made again where its failure may pass and the budget reaches; every attempt is booked.
async fn write(
    writer: &Writer,
    material: &str,
    schema: Json,
    purse: &mut Purse,
) -> Result<Written, Attempt> {
    let mut tried = 0;
    loop {
        let attempt = match writer.write(drafts::TASK, material, schema.clone()).await {
            Ok(written) => {
                purse.book(&written.measured, bytes(material));
                return Ok(written);
            }
            Err(attempt) => attempt,
        };
        purse.book_failed(&attempt, bytes(material));
        let wait = match attempt.retry {
            Retry::Soon => Duration::from_millis(500) * 2_u32.pow(tried),
            Retry::After(wait) if wait <= LONGEST_WAIT => wait,
            _ => return Err(attempt),
        };
        if tried == AGAIN || !purse.reaches(bytes(material)) {
            return Err(attempt);
        }
        tried += 1;
        tokio::time::sleep(wait).await;
    }
}

fn report(task: &Generate, path: &Path, made: &Made, purse: &Purse) {
    if task.json {
        let all = json!({
            "schema": 1, "suite": task.suite, "file": path, "written": made.written, "calls": made.calls,
            "known": made.known, "unusable": made.unusable, "usd": purse.known_spent(),
        });
        terminal::say(&format!("{all:#}\n"));
        return;
    }
    let cost = match purse.known_spent() {
        Some(usd) => format!(" for ${usd:.4}"),
        None => String::new(),
    };
    terminal::did(
        "Drafted",
        &format!(
            "{} cases into {} with {} calls{cost}; {} were there already, {} were no cases",
            made.written,
            path.display(),
            made.calls,
            made.known,
            made.unusable
        ),
    );
    if made.written > 0 {
        terminal::say(&format!(
            "\nThey are references until somebody has read them:\n\n  cargo decbench approve {}\n",
            task.suite
        ));
    }
}

/// The answer keys of a question, by which a draft is checked.
fn keys(question: &Question) -> Vec<&str> {
    question
        .options
        .iter()
        .map(|option| option.key.as_str())
        .collect()
}
