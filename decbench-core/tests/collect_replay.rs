//! Replay, recorded files and local candidates: everything that calls nobody.
#![cfg(feature = "run")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use decbench_core::collect::{
    Asking, Collected, Environment, Job, Limits, MissReason, Mode, RecordedFile, Source, collect,
};
use decbench_core::decision::{
    AnswerOption, Call, Case, Context, FailureKind, Plan, Question, QuestionKind, State,
};
use decbench_core::provider::naive_bayes::{Example, NaiveBayes};
use decbench_core::provider::{Clock, ConnectError, Identity, Provider, Settings};

fn question(name: &str, kind: QuestionKind, options: &[&str]) -> Question {
    Question {
        name: name.to_owned(),
        kind,
        version: Some(1),
        instructions: "Which?".to_owned(),
        options: options.iter().map(|key| AnswerOption::new(*key)).collect(),
    }
}

fn levels(name: &str, texts: &[&str]) -> Question {
    let mut question = question(name, QuestionKind::Score, &[]);
    question.options = texts
        .iter()
        .zip(0..)
        .map(|(text, level)| AnswerOption::new(level.to_string()).described(*text))
        .collect();
    question
}

fn cases(ids: &[&str]) -> Vec<Case> {
    ids.iter()
        .map(|id| Case::new(*id, State::Text(format!("state of {id}"))))
        .collect()
}

/// Every case under these (repeat, order), all questions together.
fn plan(cases: usize, questions: usize, probes: &[(u32, u32)]) -> Plan {
    let calls = (0..cases).flat_map(|case| {
        probes.iter().map(move |(repeat, order)| Call {
            case,
            repeat: *repeat,
            order: *order,
            context: Context::Production,
            questions: (0..questions).collect(),
        })
    });
    Plan {
        calls: calls.collect(),
    }
}

fn environment(folder: &Path) -> Environment<'static> {
    Environment {
        mode: Mode::Replay,
        recordings: folder.join("answers"),
        output: folder.join("out"),
        run: "run-1".to_owned(),
        budget_usd: None,
        confirm_usd: None,
        deadline: None,
        clock: Clock::new(|| SystemTime::UNIX_EPOCH),
        notice: &|_| {},
        progress: &|_| {},
    }
}

fn settings(json: &str) -> Settings {
    serde_json::from_str(json).expect("a map")
}

fn identity(model: &str) -> Identity {
    Identity {
        provider: "system-one".to_owned(),
        model: Some(model.to_owned()),
        parameters: Settings::new(),
    }
}

fn nobody() -> Result<Box<dyn Provider>, ConnectError> {
    panic!("a replay connects to nobody")
}

fn job<'a>(
    questions: &'a [Question],
    cases: &'a [Case],
    plan: &'a Plan,
    source: Source<'a>,
) -> Job<'a> {
    Job {
        suite: "s",
        candidate: "c",
        questions,
        cases,
        plan,
        source,
        context: None,
        skip_missing: false,
        limits: Limits::default(),
        price: None,
        price_from: "",
        allow_unpriced: false,
    }
}

fn remote(identity: &Identity) -> Source<'_> {
    Source::Asked(Asking {
        identity,
        remote: true,
        host: None,
        connect: &nobody,
    })
}

fn recorded(folder: &Path, name: &str, text: &str, fields: &str) -> RecordedFile {
    fs::write(folder.join(name), text).expect("a file");
    let settings = settings(&format!(r#"{{"file": "{name}", "fields": {fields}}}"#));
    RecordedFile::from_settings(&settings, folder).expect("settings that can be used")
}

fn labels(collected: &Collected) -> Vec<&str> {
    collected
        .answers
        .iter()
        .map(|answer| match &answer.outcome {
            Ok(decided) => decided.label.as_deref().unwrap_or("-"),
            Err(failure) => failure.kind.name(),
        })
        .collect()
}

#[test]
fn passes_in_columns_are_repeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(
        folder.path(),
        "t.csv",
        "item,gold,pass1,pass2\nx,ham,0.92,0.50\ny,spam,0.09,\n",
        r#"{"case": "item", "p_yes": ["pass1", "pass2"]}"#,
    );
    let questions = [question("", QuestionKind::YesNo, &["yes", "no"])];
    let cases = cases(&["x", "y"]);
    let plan = plan(2, 1, &[(0, 0), (1, 0)]);
    let job = job(&questions, &cases, &plan, Source::Recorded(&file));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    let yes: Vec<f64> = collected
        .answers
        .iter()
        .filter_map(|answer| answer.outcome.as_ref().ok()?.probabilities.as_ref())
        .map(|probabilities| probabilities[0].1)
        .collect();
    assert_eq!(yes, [0.92, 0.50, 0.09]);
    assert_eq!(collected.misses.len(), 1);
    assert_eq!(
        collected.misses[0].to_string(),
        "case `y`, repeat 1: no recording; the nearest one differs in the repeat"
    );
}

#[test]
fn labels_may_be_written_as_people_write_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = concat!(
        r#"{"id":"a","question":"angry","label":true}"#,
        "\n",
        r#"{"id":"a","question":"mood","label":"furious","probabilities":{"calm":0.1,"annoyed":0.2,"2":0.7}}"#,
        "\n",
        r#"{"id":"b","question":"angry","answer":{"value":"no"},"label":"NO"}"#,
        "\n",
        r#"{"id":"b","question":"mood","label":7}"#,
        "\n",
        r#"{"id":"b","question":"other","label":"x"}"#,
        "\n",
        r#"{"id":"c","label":"x"}"#,
        "\n",
        "nonsense\n",
    );
    let file = recorded(folder.path(), "a.jsonl", lines, "{}");
    let questions = [
        question("angry", QuestionKind::YesNo, &["yes", "no"]),
        levels("mood", &["calm", "annoyed", "furious"]),
    ];
    let cases = cases(&["a", "b"]);
    let plan = plan(2, 2, &[(0, 0)]);
    let job = job(&questions, &cases, &plan, Source::Recorded(&file));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(labels(&collected), ["yes", "2", "no", "invalid_answer"]);
    let mood = collected.answers[1].outcome.as_ref().expect("an answer");
    let keys: Vec<_> = mood
        .probabilities
        .iter()
        .flatten()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["0", "1", "2"]);
    let failure = collected.answers[3]
        .outcome
        .as_ref()
        .expect_err("no option");
    assert!(failure.message.contains('7'), "the text is kept");
    assert_eq!(collected.bad_lines.len(), 1);
    assert_eq!(collected.bad_lines[0].line, 7);
    assert_eq!(collected.notes.len(), 2, "{:?}", collected.notes);
}

#[test]
fn columns_per_label_and_paths_with_dots_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = "id,p_a,p_b,pass\nx,0.25,0.75,1\nx,0.5,0.5,2\n";
    let file = recorded(
        folder.path(),
        "a.csv",
        csv,
        r#"{"probabilities": {"a": "p_a", "b": "p_b"}, "repeat": "pass"}"#,
    );
    let questions = [question("", QuestionKind::Choice, &["a", "b"])];
    let all = cases(&["x"]);
    let two = plan(1, 1, &[(0, 0), (1, 0)]);
    let first = job(&questions, &all, &two, Source::Recorded(&file));
    let collected = collect(&first, &environment(folder.path())).expect("answers");
    assert_eq!(
        collected.answers.len(),
        2,
        "passes from 1 are repeats from 0"
    );
    let nested = recorded(
        folder.path(),
        "b.jsonl",
        r#"{"meta":{"case":"x"},"out":"{\"probs\":{\"a\":1.0,\"b\":0.0}}"}"#,
        r#"{"case": "meta.case", "probabilities": "out.probs"}"#,
    );
    let once = plan(1, 1, &[(0, 0)]);
    let second = job(&questions, &all, &once, Source::Recorded(&nested));
    let collected = collect(&second, &environment(folder.path())).expect("answers");
    assert_eq!(collected.answers.len(), 1);
}

#[test]
fn a_column_that_no_row_has_is_a_slip() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(
        folder.path(),
        "a.csv",
        "item,p_yes_pass1\nx,0.5\n",
        r#"{"case": "item", "p_yes": ["p_yes_pas1"]}"#,
    );
    let questions = [question("", QuestionKind::YesNo, &["yes", "no"])];
    let cases = cases(&["x"]);
    let plan = plan(1, 1, &[(0, 0)]);
    let job = job(&questions, &cases, &plan, Source::Recorded(&file));
    let error = collect(&job, &environment(folder.path())).expect_err("a slip");
    assert!(
        format!("{error:?}").contains("did you mean `p_yes_pass1`?"),
        "{error:?}"
    );
}

#[test]
fn cases_without_answers_can_be_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(folder.path(), "a.jsonl", r#"{"id":"a","label":"x"}"#, "{}");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let cases = cases(&["a", "b", "c"]);
    let plan = plan(3, 1, &[(0, 0), (0, 1)]);
    let mut job = job(&questions, &cases, &plan, Source::Recorded(&file));
    let missing = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(missing.misses.len(), 5);
    job.skip_missing = true;
    let skipped = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(skipped.misses, []);
    assert_eq!(skipped.skipped, ["a", "b", "c"]);
}

fn write_recordings(folder: &Path, lines: &str) {
    fs::create_dir_all(folder.join("answers/s")).expect("a folder");
    fs::write(folder.join("answers/s/c.jsonl"), lines).expect("a file");
}

fn line(case: &str, request: &str, label: &str) -> String {
    format!(
        r#"{{"case":"{case}","question":"","probe":{{"repeat":0,"order":[0,1],"context":"production"}},{request}"label":"{label}"}}"#
    ) + "\n"
}

fn request(question: &[Question], state: &State, identity: &Identity) -> String {
    format!(
        r#""request":{{"question":"{}","state":"{}","candidate":"{}"}},"#,
        decbench_core::decision::question_digest(question),
        decbench_core::decision::state_digest(state),
        identity.digest(),
    )
}

#[test]
fn a_recording_answers_exactly_its_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let mut reworded = questions.clone();
    reworded[0].instructions = "Which one?".to_owned();
    let all = cases(&["a", "b", "c", "d", "e"]);
    let model = identity("m-1");
    let state = |index: usize| all[index].state.as_ref().expect("a state");
    let lines = [
        line("a", &request(&questions, state(0), &model), "x"),
        line("a", &request(&questions, state(0), &model), "y"),
        line("b", &request(&reworded, state(1), &model), "x"),
        line("c", &request(&questions, state(0), &model), "x"),
        line("d", &request(&questions, state(3), &identity("m-2")), "x"),
    ];
    write_recordings(folder.path(), &lines.concat());
    let plan = plan(5, 1, &[(0, 0)]);
    let job = job(&questions, &all, &plan, remote(&model));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(labels(&collected), ["x"], "of duplicates the first wins");
    let misses: Vec<_> = collected.misses.iter().map(ToString::to_string).collect();
    assert_eq!(
        misses,
        [
            "case `b`: no recording; the nearest one differs in the question (type, version, instructions or options)",
            "case `c`: no recording; the nearest one differs in the state",
            "case `d`: no recording; the nearest one differs in the candidate (provider, model or parameters)",
            "case `e`: no recording",
        ]
    );
    assert!(
        !folder.path().join("out").exists(),
        "a replay writes nothing"
    );
}

#[test]
fn a_row_put_in_costs_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let model = identity("m-1");
    let old = [State::Text("one".into()), State::Text("two".into())];
    let lines = [
        line("1", &request(&questions, &old[0], &model), "x"),
        line("2", &request(&questions, &old[1], &model), "y"),
    ];
    write_recordings(folder.path(), &lines.concat());
    let shifted = [
        Case::new("1", State::Text("new".into())),
        Case::new("2", old[0].clone()),
        Case::new("3", old[1].clone()),
    ];
    let plan = plan(3, 1, &[(0, 0)]);
    let job = job(&questions, &shifted, &plan, remote(&model));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    let ids: Vec<_> = collected
        .answers
        .iter()
        .map(|answer| answer.case.as_str())
        .collect();
    assert_eq!((ids, labels(&collected)), (vec!["2", "3"], vec!["x", "y"]));
    assert_eq!(collected.misses.len(), 1);
}

#[test]
fn a_case_without_the_view_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let all = cases(&["a"]);
    let model = identity("m-1");
    let mut plan = plan(1, 1, &[(0, 0)]);
    plan.calls[0].context = Context::Padded;
    let job = job(&questions, &all, &plan, remote(&model));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(
        collected.misses[0].reason,
        MissReason::NoState(Context::Padded)
    );
}

#[test]
fn a_local_candidate_runs_in_replay_and_its_run_remembers_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let all = cases(&["a", "b", "c"]);
    let examples: Vec<_> = all
        .iter()
        .zip(0..)
        .map(|(case, unit)| Example {
            case: &case.id,
            unit,
            lockbox: false,
            state: case.state.as_ref().expect("a state").as_text(),
            labels: vec![(&questions[0], Some(0))],
        })
        .collect();
    let identity = NaiveBayes::identity(&Settings::new(), &examples).expect("no settings");
    let built = AtomicUsize::new(0);
    let connect = || -> Result<Box<dyn Provider>, ConnectError> {
        built.fetch_add(1, Ordering::SeqCst);
        let trained = NaiveBayes::train(&Settings::new(), &examples);
        Ok(Box::new(trained.map_err(ConnectError::Settings)?))
    };
    let plan = plan(3, 1, &[(0, 0)]);
    let source = Source::Asked(Asking {
        identity: &identity,
        remote: false,
        host: None,
        connect: &connect,
    });
    let job = job(&questions, &all, &plan, source);
    let first = collect(&job, &environment(folder.path())).expect("answers");
    let again = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(first.calls_made, 3);
    assert_eq!((again.calls_made, built.load(Ordering::SeqCst)), (0, 1));
    assert_eq!(first.answers, again.answers);
    let mut other_run = environment(folder.path());
    other_run.run = "run-2".to_owned();
    let anew = collect(&job, &other_run).expect("answers");
    assert_eq!(anew.calls_made, 3, "another run asks anew");
    assert!(!folder.path().join("answers").exists());
}

#[test]
fn a_local_candidate_answers_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    // A file in the place of the output folder: nothing can be written below it.
    fs::write(folder.path().join("out"), "").expect("a file");
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let all = cases(&["a"]);
    let identity = identity("local");
    let connect = || -> Result<Box<dyn Provider>, ConnectError> {
        let example = Example {
            case: "a",
            unit: 0,
            lockbox: false,
            state: "s".into(),
            labels: Vec::new(),
        };
        let trained = NaiveBayes::train(&Settings::new(), &[example]);
        Ok(Box::new(trained.map_err(ConnectError::Settings)?))
    };
    let plan = plan(1, 1, &[(0, 0)]);
    let source = Source::Asked(Asking {
        identity: &identity,
        remote: false,
        host: None,
        connect: &connect,
    });
    let job = job(&questions, &all, &plan, source);
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(collected.answers.len(), 1);
    assert_eq!(collected.notes.len(), 1, "{:?}", collected.notes);
}

#[test]
fn an_error_that_is_no_answer_gives_way_to_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = recorded(
        folder.path(),
        "a.jsonl",
        "{\"id\":\"a\",\"error\":\"connect\"}\n{\"id\":\"a\",\"label\":\"y\"}\n{\"id\":\"b\",\"error\":{\"kind\":\"refused\",\"message\":\"no\"}}\n",
        "{}",
    );
    let questions = [question("", QuestionKind::Choice, &["x", "y"])];
    let all = cases(&["a", "b"]);
    let plan = plan(2, 1, &[(0, 0)]);
    let job = job(&questions, &all, &plan, Source::Recorded(&file));
    let collected = collect(&job, &environment(folder.path())).expect("answers");
    assert_eq!(labels(&collected), ["y", FailureKind::Refused.name()]);
}
