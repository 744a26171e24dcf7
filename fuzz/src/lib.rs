//! What is fuzzed: every function takes any bytes and must come to its end without a panic, and with what it promises.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use decbench_core::collect::{RecordedFile, answer_lines, read_answers};
use decbench_core::config::Config;
use decbench_core::decision::{AnswerOption, Asked, Question, QuestionKind, Request, State};
use decbench_core::diagnostic::{Diagnostics, Source};
use decbench_core::provider::{AnsweredBy, Clock, Outside, PROVIDERS, Provider, Settings};
use decbench_core::suite::{check_text, load};

/// Mistakes must be such that they can be shown.
fn shown(mistakes: &Diagnostics) {
    assert!(!mistakes.is_empty(), "refused without a word");
    assert!(!mistakes.render().is_empty());
    // A text may hold thousands; people are shown the first of each kind.
    for mistake in mistakes.into_iter().take(50) {
        assert!(mistake.position().line >= 1);
        assert!(!mistake.render().is_empty());
    }
}

/// The text of a suite.
pub fn suite(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Err(mistakes) = check_text(&Arc::new(Source::new("suite.yaml", text))) {
        shown(&mistakes);
    }
}

/// The text of a `decbench.toml`.
pub fn config(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Err(mistakes) = Config::parse(&Arc::new(Source::new("decbench.toml", text))) {
        shown(&mistakes);
    }
}

/// Gives a folder that is made once: making one for every text takes longer than reading it.
fn in_folder(read: impl FnOnce(&Path)) {
    thread_local! {
        static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder");
    }
    FOLDER.with(|folder| read(folder.path()));
}

/// A file of cases, read as each of the formats.
pub fn cases(data: &[u8]) {
    in_folder(|folder| cases_in(folder, data));
}

fn cases_in(folder: &Path, data: &[u8]) {
    for ending in ["jsonl", "json", "csv", "yaml"] {
        let name = format!("c.cases.{ending}");
        std::fs::write(folder.join(&name), data).expect("a file");
        let text = format!(
            "question: {{ type: choice, instructions: Which?, options: [a, b] }}\ncases: {name}\ncandidates: {{ x: {{ provider: recorded, file: x.jsonl }} }}\nassert: {{ accuracy: '>= 1%' }}\n"
        );
        let path = folder.join("suite.yaml");
        std::fs::write(&path, text).expect("a file");
        if let Err(mistakes) = load(&path) {
            shown(&mistakes);
        }
    }
}

/// A file of answers: the store's, and one that was made elsewhere.
pub fn answers(data: &[u8]) {
    in_folder(|folder| answers_in(folder, data));
}

fn answers_in(folder: &Path, data: &[u8]) {
    let written = |name: &str, data: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, data).expect("a file");
        path
    };
    let read = |path: &Path| read_answers(path).expect("a file that is there");
    let first = read(&written("a.jsonl", data));
    for bad in &first.bad {
        assert!(bad.line >= 1 && !bad.message.is_empty());
    }
    // What reads is written such that it reads again as the same.
    let lines = answer_lines(&first.answers);
    let second = read(&written("b.jsonl", lines.as_bytes()));
    // Answers that contradict each other still do.
    let contradicts = |message: &str| message.starts_with("two answers to one request");
    assert!(second.bad.iter().all(|bad| contradicts(&bad.message)));
    assert_eq!(answer_lines(&second.answers), lines);
    for ending in ["jsonl", "json", "csv"] {
        let name = format!("c.{ending}");
        written(&name, data);
        let mut settings = Settings::new();
        settings.insert("file".to_owned(), name.into());
        if let Err(mistakes) = RecordedFile::from_settings(&settings, folder) {
            assert!(!mistakes.is_empty());
        }
    }
}

/// The body of a successful reply, and of one that is none, to every service on the network.
pub fn replies(data: &[u8]) {
    thread_local! {
        static SERVICES: Services = Services::start();
    }
    SERVICES.with(|services| services.ask_all(data));
}

/// Every service, pointed at a socket that replies with whatever it is told.
struct Services {
    runtime: tokio::runtime::Runtime,
    providers: Vec<Box<dyn Provider>>,
    reply: Arc<Mutex<Vec<u8>>>,
}

impl Services {
    fn start() -> Self {
        let reply: Arc<Mutex<Vec<u8>>> = Arc::default();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let told = Arc::clone(&reply);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let told = Arc::clone(&told);
                std::thread::spawn(move || serve(stream, &told));
            }
        });
        let outside = Outside {
            variable: &|_| Some("apikey_fuzz".to_owned()),
            clock: Clock::new(SystemTime::now),
            folder: Path::new("."),
        };
        let mut settings = Settings::new();
        settings.insert("model".to_owned(), "a-1.0.0".into());
        settings.insert("base_url".to_owned(), format!("http://{address}").into());
        let mut providers = Vec::new();
        for kind in PROVIDERS {
            // A service that wants other settings is tested elsewhere.
            if let AnsweredBy::Service(service) = kind.answered_by
                && service.usual.is_some()
                && let Ok(provider) = (service.connect)(&settings, &outside)
            {
                providers.push(provider);
            }
        }
        assert!(providers.len() >= 4, "services are there");
        Self {
            runtime: tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime"),
            providers,
            reply,
        }
    }

    fn ask_all(&self, body: &[u8]) {
        let questions = questions();
        let orders: Vec<Vec<u16>> = questions
            .iter()
            .map(|question| (0..question.options.len() as u16).collect())
            .collect();
        let asked: Vec<Asked<'_>> = questions
            .iter()
            .zip(&orders)
            .map(|(question, order)| Asked { question, order })
            .collect();
        let state = State::Text("the material".to_owned());
        let request = Request {
            case: "c",
            state: &state,
            questions: &asked,
        };
        for status in ["200 OK", "422 Unprocessable Content"] {
            let mut reply = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            )
            .into_bytes();
            reply.extend_from_slice(body);
            *self.reply.lock().expect("no panic") = reply;
            for provider in &self.providers {
                match self.runtime.block_on(provider.ask(request)) {
                    Ok(reply) => assert!(reply.answers.len() <= asked.len()),
                    Err(attempt) => assert!(!attempt.failure.message.is_empty()),
                }
            }
        }
    }
}

/// One question of each kind.
fn questions() -> Vec<Question> {
    let question = |name: &str, kind, options: &[&str]| Question {
        name: name.to_owned(),
        kind,
        version: None,
        instructions: "Which is it?".to_owned(),
        options: options.iter().map(|key| AnswerOption::new(*key)).collect(),
    };
    let mut level = question("level", QuestionKind::Score, &["0", "1", "2"]);
    for option in &mut level.options {
        option.description = Some(format!("as bad as {}", option.key));
    }
    vec![
        question("team", QuestionKind::Choice, &["billing", "support"]),
        question("urgent", QuestionKind::YesNo, &["yes", "no"]),
        level,
    ]
}

/// Reads requests and replies to each with what there is to reply.
fn serve(mut stream: TcpStream, reply: &Mutex<Vec<u8>>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let whole = loop {
            if let Some(whole) = whole_request(&bytes) {
                break whole;
            }
            match stream.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            }
        };
        bytes.drain(..whole);
        let reply = reply.lock().expect("no panic").clone();
        if stream.write_all(&reply).is_err() {
            return;
        }
    }
}

/// The length of the request that the bytes begin with, once all of it is there.
fn whole_request(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    (bytes.len() >= end + length).then_some(end + length)
}
