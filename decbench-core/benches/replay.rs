//! Replays and judges 32,400 recorded answers: 900 cases × 12 probes × 3 candidates, 9 assertions each.
//!
//! `cargo bench -p decbench-core --features run --bench replay` for a release build; with `--profile dev` as users run
//! their tests. Prints the median of several runs in milliseconds, by part, and the most memory that reading took.
//!
//! `DECBENCH_BENCH_CASES=27778` makes it a million answers, read once.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Instant, SystemTime};

use decbench_core::collect::{Mode, answer_lines};
use decbench_core::config::Config;
use decbench_core::decision::{
    Answer, Context, Decided, Measured, Probe, RequestDigest, State, orders_of, question_digest,
    state_digest,
};
use decbench_core::provider::{AnsweredBy, Clock, Settings as ProviderSettings, find_provider};
use decbench_core::run::{Settings, SuiteRun, TrialKind, trials_of};

/// How many cases; 900 where it is not set.
const CASES: &str = "DECBENCH_BENCH_CASES";
/// Set where this process only writes the files, into this folder.
const GENERATE: &str = "DECBENCH_BENCH_GENERATE";
const CANDIDATES: [&str; 3] = ["jev-1.13.0", "jev-1.14.0", "jev-1.15.0"];
const RUNS: usize = 7;

fn main() {
    let cases = std::env::var(CASES).map_or(900, |text| text.parse().expect("a number"));
    if let Some(folder) = std::env::var_os(GENERATE) {
        generate(Path::new(&folder), cases);
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    // By another process, so that its memory is not counted.
    let generated = Command::new(std::env::current_exe().expect("this bench"))
        .env(GENERATE, folder.path())
        .status();
    assert!(generated.expect("a process").success());
    let size = |model| fs::metadata(folder.path().join(format!("answers/s/{model}.jsonl")));
    let bytes: u64 = CANDIDATES
        .iter()
        .map(|model| size(model).expect("recordings").len())
        .sum();
    println!(
        "{} answers, {:.1} MB",
        cases * 12 * CANDIDATES.len(),
        bytes as f64 / 1e6
    );
    let runs = if cases > 5000 { 1 } else { RUNS };
    let mut parts: Vec<[f64; 3]> = (0..runs).map(|_| once(folder.path())).collect();
    for (part, name) in ["load", "27 trials", "scorecard"].iter().enumerate() {
        parts.sort_by(|a, b| a[part].total_cmp(&b[part]));
        println!(
            "{name:>10}: median {:.0} ms, best {:.0} ms",
            parts[runs / 2][part],
            parts[0][part]
        );
    }
    println!("{:>10}: {:.0} MB", "peak", peak_mb());
}

/// The most memory this process has had, in MB; 0 where the system does not tell it as Linux does.
fn peak_mb() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or_default() * 1.024e-3
}

/// Milliseconds for loading the suite, for its 27 assertions, and for the scorecard.
fn once(folder: &Path) -> [f64; 3] {
    let settings = Settings {
        mode: Mode::Replay,
        strict: false,
        budget_usd: None,
        confirm_usd: None,
        deadline: None,
        allow_unpriced: Vec::new(),
        baseline: None,
        folder: folder.to_owned(),
        lockbox: false,
        output: folder.join("out"),
        run: "bench".to_owned(),
        config: Config::default(),
        package: "bench".to_owned(),
        rerun: "{}".to_owned(),
        record: "{}".to_owned(),
        confirm: String::new(),
        clock: Clock::new(SystemTime::now),
        variable: Box::new(|_| None),
        notice: Box::new(|_| {}),
        progress: Box::new(|_| {}),
    };
    let start = Instant::now();
    let suite = decbench_core::suite::load(&folder.join("s.yaml"))
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .suite;
    let loaded = start.elapsed();
    let trials = trials_of(&suite);
    let run = SuiteRun::new(&suite, &settings, &trials);
    let judged: usize = trials
        .iter()
        .filter(|trial| matches!(trial.kind, TrialKind::Assertion(_)))
        .map(|trial| {
            std::hint::black_box(run.run(trial));
        })
        .count();
    assert_eq!(judged, 27);
    assert!(
        run.assertion_lines()
            .iter()
            .all(|line| line.judgement.value.is_some()),
        "everything is measured"
    );
    let tried = start.elapsed();
    std::hint::black_box(run.scorecard());
    let done = start.elapsed();
    [
        loaded,
        tried.saturating_sub(loaded),
        done.saturating_sub(tried),
    ]
    .map(|time| time.as_secs_f64() * 1e3)
}

/// Writes the suite, its cases and its recordings.
fn generate(folder: &Path, count: usize) {
    let mut yaml = String::from(
        "question:\n  type: choice\n  instructions: Which team?\n  options: { billing: Money, support: Broken, sales: Buy, none: { description: Unclear, escape: true } }\ncases: s.cases.jsonl\ncandidates:\n",
    );
    for model in CANDIDATES {
        let _ = writeln!(
            yaml,
            "  {model}: {{ provider: system-one, model: {model} }}"
        );
    }
    yaml.push_str("assert:\n  accuracy: '>= 80%'\n  recall[billing]: '>= 80%'\n  macro_f1: '>= 80%'\n  ece: '<= 0.2'\n  brier: '<= 0.6'\n  flip_rate: { at_most: 50%, repeats: 6 }\n  order_flip_rate: { at_most: 60%, orders: 4 }\n  distractor_drop: '<= 20%'\n  latency.p95: '<= 400ms'\nscorecard: off\n");
    // The clean view is read by no metric of the nine but this one's argument.
    let yaml = yaml.replace(
        "  accuracy: '>= 80%'\n",
        "  accuracy[context=clean]: '>= 50%'\n",
    );
    fs::write(folder.join("s.yaml"), yaml).expect("a suite");
    let mut cases = String::new();
    for case in 0..count {
        let text = format!(
            "Caller {case}: I was charged twice and nobody answers, please help me with line {}.",
            case * 7
        );
        let gold = ["billing", "support", "sales"][case % 3];
        let _ = writeln!(
            cases,
            r#"{{"id":"c-{case:04}","state":"{text}","gold":"{gold}","states":{{"minimal":"{text} m","padded":"{text} p","clean":"{text} c"}}}}"#
        );
    }
    fs::write(folder.join("s.cases.jsonl"), cases).expect("cases");
    let suite = decbench_core::suite::load(&folder.join("s.yaml"))
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
        .suite;
    let answers = folder.join("answers/s");
    fs::create_dir_all(&answers).expect("a folder");
    for (number, model) in CANDIDATES.iter().enumerate() {
        let mut lines = Vec::new();
        for (position, case) in suite.cases.iter().enumerate() {
            let views =
                [Context::Clean, Context::Minimal, Context::Padded].map(|context| (0, 0, context));
            let probes = (0..6)
                .map(|repeat| (repeat, 0, Context::Production))
                .chain((1..4).map(|order| (0, order, Context::Production)))
                .chain(views);
            for (at, (repeat, order, context)) in probes.enumerate() {
                let word = (position * 31 + at * 7 + number * 3) % 100;
                let top = 0.6 + word as f64 / 250.0;
                let right = position % 3;
                let said = if word < 12 { (right + 1) % 3 } else { right };
                let keys = ["billing", "support", "sales", "none"];
                let rest = (1.0 - top) / 3.0;
                let probabilities = keys
                    .iter()
                    .enumerate()
                    .map(|(at, key)| ((*key).to_owned(), if at == said { top } else { rest }))
                    .collect();
                let state: &State = case.state_in(context).expect("every view is there");
                lines.push(Answer {
                    case: case.id.clone(),
                    question: String::new(),
                    probe: Probe {
                        repeat,
                        order: orders_of(4, 4)[order].clone(),
                        context,
                    },
                    request: Some(RequestDigest {
                        question: question_digest(&suite.questions),
                        state: state_digest(state),
                        candidate: identity(model),
                    }),
                    outcome: Ok(Decided {
                        label: Some(keys[said].to_owned()),
                        probabilities: Some(probabilities),
                        confidence: Some(top),
                        format_mass: None,
                        written: None,
                    }),
                    measured: Measured {
                        model: Some((*model).to_owned()),
                        latency_ms: Some(180.0 + word as f64),
                        connect_ms: Some(0.0),
                        cold: Some(false),
                        attempts: Some(1),
                        input_tokens: Some(118),
                        output_tokens: Some(4),
                        cost_usd: Some(0.000_005),
                        at: Some("2026-11-02T10:11:12Z".to_owned()),
                    },
                });
            }
        }
        let text = answer_lines(&lines);
        fs::write(answers.join(format!("{model}.jsonl")), text).expect("recordings");
    }
}

fn identity(model: &str) -> decbench_core::decision::Digest {
    let kind = find_provider("system-one").expect("there is one");
    let AnsweredBy::Service(service) = kind.answered_by else {
        panic!("a service")
    };
    let mut settings = ProviderSettings::new();
    settings.insert("model".to_owned(), model.into());
    (service.describe)(&settings)
        .expect("a description")
        .identity
        .digest()
}
