//! `cargo decbench suggest models`: which services could take the decision, by what is published of them.

use std::fmt::Write as _;

use clap::Args;
use decbench_core::config::Config;
use decbench_core::decision::{BYTES_PER_TOKEN, ContextLimit, Excess, Fit, Question, RequestSize};
use decbench_core::metric::Unit;
use decbench_core::provider::{AnsweredBy, CONTEXTS, Caps, PLACES, PROVIDERS, Price, Settings};
use decbench_core::report::format_value;
use decbench_core::suite::Suite;
use serde_json::{Value as Json, json};

use crate::ending::{Done, Ending, Unusable};
use crate::packages::{Package, Where};
use crate::suites;
use crate::terminal;

/// Tokens of an answer where nothing is known.
const OUTPUT_TOKENS: f64 = 64.0;

/// Lists the services that could take a suite's decision, the cheapest first, and why others could not.
///
/// Compared are question types and numbers of options, the length of the longest case with a published limit of context,
/// `[prices]` of decbench.toml before published prices, and the lists of `[models]` there. Nothing is asked, and nothing is
/// said of how good a model is: that is what the suite is for. The exit code is 1 where none could.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  cargo decbench suggest models call-routing\n  cargo decbench suggest models call-routing --json"
)]
pub(crate) struct Models {
    /// The suite's name.
    suite: String,
    #[command(flatten)]
    place: Where,
    /// Show those that could not, too.
    #[arg(long)]
    all: bool,
    /// Print the list as JSON, those that could not included.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(task: &Models) -> Done {
    let (package, loaded) = suites::find(&task.place, &task.suite)?;
    let loaded = suites::load(&loaded.suite.path)?;
    let need = Need::of(&loaded.suite);
    let mut offers = offers(&config(&package)?, &loaded.suite.questions, &need);
    offers.sort_by(|a, b| {
        let rank = |offer: &Offer| (!offer.against.is_empty(), offer.cost_per_1000.is_none());
        let cost = |offer: &Offer| offer.cost_per_1000.unwrap_or(f64::INFINITY);
        rank(a)
            .cmp(&rank(b))
            .then(cost(a).total_cmp(&cost(b)))
            .then_with(|| a.name().cmp(&b.name()))
    });
    let could = offers
        .iter()
        .filter(|offer| offer.against.is_empty())
        .count();
    if task.json {
        let list: Vec<Json> = offers.iter().map(Offer::in_json).collect();
        let all = json!({
            "schema": 1, "suite": loaded.suite.name, "longest_tokens": need.longest, "mean_tokens": need.mean,
            "models": list,
        });
        terminal::say(&format!("{all:#}\n"));
    } else {
        let mut out = format!(
            "{}: about {:.0} tokens sent a case, {} at most\n",
            loaded.suite.name, need.mean, need.longest
        );
        for offer in &offers {
            if task.all || offer.against.is_empty() {
                out.push_str(&offer.in_words());
            }
        }
        let _ = writeln!(out, "{could} of {} could take the decision", offers.len());
        terminal::say(&out);
    }
    Ok(Ending::holds_if(could > 0))
}

fn config(package: &Package) -> Result<Config, Unusable> {
    let found = package
        .folder
        .ancestors()
        .map(|folder| folder.join("decbench.toml"))
        .find(|path| path.is_file());
    match found {
        Some(path) => Config::load(&path).map_err(|mistakes| Unusable::new(mistakes.render())),
        None => Ok(Config::default()),
    }
}

/// What calls take, by the rule of thumb that recording goes by too.
struct Need {
    /// Every state with all its questions.
    sizes: Vec<RequestSize>,
    /// The longest of them, in tokens.
    longest: u64,
    /// One of them on average, in tokens.
    mean: f64,
}

impl Need {
    fn of(suite: &Suite) -> Self {
        let sizes: Vec<RequestSize> = suite
            .cases
            .iter()
            .filter_map(|case| {
                let state = case.state.as_ref()?;
                Some(RequestSize::of(state, case.questions(&suite.questions)))
            })
            .collect();
        let bytes: u64 = sizes.iter().map(|size| size.bytes()).sum();
        let count = sizes.len().max(1) as u64;
        Self {
            longest: sizes.iter().map(|size| size.tokens()).max().unwrap_or(0),
            mean: bytes as f64 / (count * BYTES_PER_TOKEN) as f64,
            sizes,
        }
    }

    /// What of it is longer than what is read, where anything is.
    fn beyond(&self, limit: &ContextLimit) -> Option<Excess> {
        let cut = self.sizes.iter().filter_map(|size| match limit.fit(*size) {
            Fit::Cut(excess) => Some(excess),
            _ => None,
        });
        cut.max_by_key(|excess| excess.tokens)
    }
}

/// A service with a model of its.
struct Offer {
    provider: &'static str,
    /// What people call the place, where a provider is at several.
    place: Option<&'static str>,
    /// Empty where the place names its own.
    model: String,
    base_url: &'static str,
    cost_per_1000: Option<f64>,
    probabilities: Option<bool>,
    context: Option<ContextLimit>,
    /// Why it could not.
    against: Vec<String>,
}

fn offers(config: &Config, questions: &[Question], need: &Need) -> Vec<Offer> {
    let mut found = Vec::new();
    for kind in PROVIDERS {
        let AnsweredBy::Service(service) = kind.answered_by else {
            continue;
        };
        let Some(usual) = service.usual else {
            continue;
        };
        let mut settings = Settings::new();
        settings.insert("model".to_owned(), json!(usual.model));
        // A dialect that cannot be described without more than a model is that of whoever says the rest.
        let Ok(description) = (service.describe)(&settings) else {
            continue;
        };
        found.push(offer(
            config,
            questions,
            need,
            Known {
                provider: kind.name,
                place: None,
                model: usual.model,
                base_url: usual.base_url,
                caps: description.caps,
                price: description.price,
                context: description.context,
                probabilities: description.probabilities,
            },
        ));
    }
    let usual = found.iter().find(|offer| offer.provider == "system-one");
    let (address, probabilities) = usual
        .map(|offer| (offer.base_url, offer.probabilities))
        .unwrap_or_default();
    for place in PLACES.iter().filter(|place| place.base_url != address) {
        // Where prices differ by model, the name of none is known here.
        let price = match place.prices {
            [("", input)] => Some(Price {
                input_per_million: *input,
                output_per_million: 0.0,
            }),
            _ => None,
        };
        found.push(offer(
            config,
            questions,
            need,
            Known {
                provider: "system-one",
                place: Some(place.name),
                model: "",
                base_url: place.base_url,
                caps: place.caps,
                price,
                context: published(place.name),
                probabilities,
            },
        ));
    }
    // Some have several addresses.
    found.dedup_by(|next, one| one.place.is_some() && next.place == one.place);
    found
}

/// What is published about how much a service of many reads.
fn published(place: &str) -> Option<ContextLimit> {
    let row = CONTEXTS
        .iter()
        .find(|row| row.provider == "system-one" && row.place == place)?;
    Some(ContextLimit {
        request: row.request,
        state_and_question: row.state_and_question,
        at: Some(row.at.to_owned()),
    })
}

/// What is published of a service.
struct Known {
    provider: &'static str,
    place: Option<&'static str>,
    model: &'static str,
    base_url: &'static str,
    caps: Caps,
    price: Option<Price>,
    context: Option<ContextLimit>,
    probabilities: Option<bool>,
}

fn offer(config: &Config, questions: &[Question], need: &Need, known: Known) -> Offer {
    let declared = config.price(known.model).map(|price| Price {
        input_per_million: price.input_per_million,
        output_per_million: price.output_per_million,
    });
    let mistakes = known.caps.mistakes(known.provider, questions);
    let mut against: Vec<String> = mistakes
        .into_iter()
        .map(|mistake| mistake.message)
        .collect();
    let context = config.context(known.model).cloned().or(known.context);
    let beyond = context.as_ref().and_then(|limit| need.beyond(limit));
    if let Some(excess) = beyond {
        against.push(format!("the longest case takes {excess}"));
    }
    if !known.model.is_empty() {
        against.extend(config.models.refusal(known.model));
    }
    let output = OUTPUT_TOKENS * questions.len() as f64;
    Offer {
        provider: known.provider,
        place: known.place,
        model: known.model.to_owned(),
        base_url: known.base_url,
        cost_per_1000: declared
            .or(known.price)
            .map(|price| 1000.0 * price.of_mean(need.mean, output)),
        probabilities: known.probabilities,
        context,
        against,
    }
}

impl Offer {
    fn name(&self) -> String {
        match (self.place, self.model.as_str()) {
            (Some(place), _) => format!("{} at {place}", self.provider),
            (None, "") => self.provider.to_owned(),
            (None, model) => format!("{} {model}", self.provider),
        }
    }

    fn in_words(&self) -> String {
        let cost = self.cost_per_1000.map_or_else(
            || "price not published".to_owned(),
            |usd| format!("about {} per 1,000", format_value(usd, Unit::Dollars)),
        );
        let probabilities = match self.probabilities {
            Some(true) => ", with probabilities",
            Some(false) => ", without probabilities",
            None => "",
        };
        let context = self
            .context
            .as_ref()
            .map_or_else(String::new, |limit| format!(", reads {limit}"));
        let mut out = format!("  {}: {cost}{probabilities}{context}\n", self.name());
        for reason in &self.against {
            let _ = writeln!(out, "    not: {reason}");
        }
        out
    }

    fn in_json(&self) -> Json {
        json!({
            "provider": self.provider, "place": self.place, "model": self.model, "base_url": self.base_url,
            "cost_per_1000": self.cost_per_1000, "probabilities": self.probabilities,
            "context_tokens": self.context.as_ref().map(|limit| limit.request),
            "state_and_question_tokens": self.context.as_ref().and_then(|limit| limit.state_and_question),
            "fits": self.against.is_empty(), "against": self.against,
        })
    }
}
