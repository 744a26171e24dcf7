//! Checks of the data as a person and a build see them.

use std::fmt::Write as _;

use crate::Test;
use crate::project::{Project, suite};

pub(crate) const TESTS: &[Test] = &[
    (
        "leaks_are_red_with_the_cases_in_all_three_scorecards",
        leaks_are_red_with_the_cases_in_all_three_scorecards,
    ),
    (
        "void_approvals_are_red_and_their_gold_does_not_count",
        void_approvals_are_red_and_their_gold_does_not_count,
    ),
    (
        "the_population_stands_beside_the_sample",
        the_population_stands_beside_the_sample,
    ),
    (
        "raters_stand_beside_a_candidate_and_bound_what_may_be_asked",
        raters_stand_beside_a_candidate_and_bound_what_may_be_asked,
    ),
    (
        "a_panel_takes_cases_out_and_says_so",
        a_panel_takes_cases_out_and_says_so,
    ),
    (
        "clean_transcripts_show_the_share_of_errors_they_make",
        clean_transcripts_show_the_share_of_errors_they_make,
    ),
    (
        "padding_is_built_from_other_cases_and_stays_what_it_was",
        padding_is_built_from_other_cases_and_stays_what_it_was,
    ),
    (
        "a_choice_behind_a_gate_counts_where_there_is_evidence",
        a_choice_behind_a_gate_counts_where_there_is_evidence,
    ),
    (
        "a_closed_lock_box_is_not_asked_scored_or_printed",
        a_closed_lock_box_is_not_asked_scored_or_printed,
    ),
    (
        "a_look_is_written_down_once_and_a_second_one_is_refused_until_granted",
        a_look_is_written_down_once_and_a_second_one_is_refused_until_granted,
    ),
    (
        "processes_at_once_take_one_look",
        processes_at_once_take_one_look,
    ),
    (
        "a_look_that_cannot_be_written_down_is_none",
        a_look_that_cannot_be_written_down_is_none,
    ),
];

/// A project of these lines of cases and of `data:`; its scorecard is printed.
fn project(cases: &[&str], data: &str) -> Project {
    let project = Project::new();
    let text = suite("parrot", "  accuracy: '>= 10%'")
        .replace("candidates:", &format!("data: {data}\ncandidates:"))
        .replace("scorecard: off", "scorecard: print");
    project.write("suites/s.yaml", text);
    project.write("suites/s.cases.jsonl", cases.join("\n"));
    project
}

fn json(project: &Project) -> serde_json::Value {
    serde_json::from_str(&project.read("out/s/scorecard.json")).expect("JSON")
}

fn leaks_are_red_with_the_cases_in_all_three_scorecards() {
    let cases = [
        r#"{"id":"one","state":"a 1, moved to A","gold":"a"}"#,
        r#"{"id":"two","state":"a 2 [end] thanks","gold":"a"}"#,
        r#"{"id":"three","state":"a 3 in Zürich","gold":"a"}"#,
        r#"{"id":"four","state":"a 4 [end]","gold":"a"}"#,
    ];
    let project = project(
        &cases,
        "{ decided_at: '[end]', giveaways: ['moved to {gold}'], overlap: { file: train.csv, state: text } }",
    );
    project.write(
        "suites/train.csv",
        "id,text\n17,A 3  in ZURICH!\n18,nothing\n",
    );
    let said = project.run(&[]);
    said.assert_code(101);
    assert_eq!(said.outcome("s::data::leakage"), "FAILED");
    for part in [
        "1 state goes on after the decision at `[end]`",
        "cases     two",
        "`moved to {gold}` gives the answer away in 1 state",
        "cases     one",
        "1 state stands also in `train.csv`",
        "cases     three = 17",
        r#"rerun     cargo test -p my-app --test decisions -- --exact "s::data::leakage""#,
    ] {
        said.assert_says(part);
    }
    let json = json(&project);
    let leakage = &json["data"]["leakage"];
    assert_eq!(leakage["outcome"], "fail");
    assert_eq!(leakage["trial"], "s::data::leakage");
    assert_eq!(leakage["figures"]["overlap[train.csv]"], 1);
    assert_eq!(leakage["observations"][0]["cases"][0], "two");
    assert!(
        project
            .read("out/s/scorecard.md")
            .contains("| fail | leakage | 1 state goes on")
    );
    assert!(
        said.stderr
            .contains("data checks\n  fail           leakage")
    );
}

/// A project of these many cases, each as `case` writes it.
fn project_of(cases: usize, data: &str, case: impl Fn(usize) -> String) -> Project {
    let lines: Vec<String> = (0..cases).map(case).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    project(&lines, data)
}

fn assert_with(project: &Project, assertions: &str) {
    let text = project
        .read("suites/s.yaml")
        .replace("  accuracy: '>= 10%'", assertions);
    project.write("suites/s.yaml", text);
}

fn the_population_stands_beside_the_sample() {
    // Half of the sample is gold `b`, which is a tenth of the population; `b` is always answered wrongly.
    let data = "{ population: { gold: { a: 90%, b: 10% } }, class_floor: 20 }";
    let project = project_of(100, data, |at| {
        let (gold, weight) = if at % 2 == 0 { ("a", 1.8) } else { ("b", 0.2) };
        format!(r#"{{"id":"c-{at}","state":"a {at}","gold":"{gold}","weight":{weight}}}"#)
    });
    assert_with(
        &project,
        "  accuracy: '<= 70%'\n  balanced_accuracy: { at_least: 20%, sample: population }",
    );
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("of the population, each case by its weight");
    assert_eq!(said.outcome("s::data::strata"), "ok");
    let json = json(&project);
    let question = &json["candidates"][0]["questions"][0];
    let value =
        |metrics: &serde_json::Value| metrics["accuracy"]["value"].as_f64().expect("a number");
    assert!((value(&question["metrics"]) - 0.5).abs() < 1e-9);
    assert!((value(&question["population"]) - 0.9).abs() < 1e-9);
    assert!(
        question["population"]["accuracy"]["notes"][0]
            .as_str()
            .is_some_and(|note| note.contains("effective n"))
    );
}

fn raters_stand_beside_a_candidate_and_bound_what_may_be_asked() {
    let project = project_of(200, "{}", |at| {
        let gold = if at % 2 == 0 { "a" } else { "b" };
        let other = match (at % 20, gold) {
            (0, _) => "b",
            (1, _) => "a",
            (_, gold) => gold,
        };
        format!(
            r#"{{"id":"c-{at}","state":"{gold} {at}","gold":"{gold}","labels":{{"ann":"{gold}","bob":"{other}"}}}}"#
        )
    });
    assert_with(&project, "  accuracy: '>= 50%'\n  kappa: '>= 0.95'");
    let said = project.run(&[]);
    said.assert_code(101)
        .assert_says("0.95 lies above the human ceiling")
        .assert_says("20 split cases to adjudicate")
        .assert_says(
            "kappa 1.0000 with gold, Cohen's kappa of the raters with each other is 0.8000",
        );
    assert_eq!(said.outcome("s::data::agreement"), "FAILED");
    assert_eq!(said.outcome("s::rules::kappa"), "FAILED");
    let modest = project.read("suites/s.yaml").replace("0.95", "0.6");
    project.write("suites/s.yaml", modest);
    let said = project.run(&[]);
    said.assert_code(0);
    let json = json(&project);
    let kappa = &json["data"]["agreement"]["figures"]["kappa"];
    assert!((kappa["value"].as_f64().expect("a number") - 0.8).abs() < 1e-9);
    assert!(kappa["interval"][0].as_f64().expect("a number") > 0.7);
}

fn a_panel_takes_cases_out_and_says_so() {
    let project = project_of(40, "{ panel: [p, q, r] }", |at| {
        let third = if at == 7 { "b" } else { "a" };
        format!(
            r#"{{"id":"c-{at}","state":"a {at}","gold":"a","origin":"trace","labels":{{"p":"a","q":"a","r":"{third}"}}}}"#
        )
    });
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("39 of 40 voted cases stay")
        .assert_says("c-7: a real request stays only when all agree");
    let json = json(&project);
    let metrics = &json["candidates"][0]["questions"][0]["metrics"];
    assert_eq!(metrics["accuracy"]["n"], 39);
    assert_eq!(json["data"]["panel"]["figures"]["dropped"], 1);
    assert!(json["data"]["agreement"].is_null(), "models are no raters");
}

fn clean_transcripts_show_the_share_of_errors_they_make() {
    let project = project_of(100, "{}", |at| {
        let heard = if at < 10 { "b" } else { "a" };
        format!(
            r#"{{"id":"c-{at}","state":"{heard} {at}","states":{{"clean":"a {at}"}},"gold":"a"}}"#
        )
    });
    assert_with(
        &project,
        "  transcript_gap: '<= 25%'\n  accuracy[context=clean]: '>= 90%'",
    );
    let said = project.run(&[]);
    said.assert_code(0);
    assert_eq!(said.outcome("s::data::transcripts"), "ok");
    assert_eq!(said.outcome("s::rules::transcript_gap"), "ok");
    let json = json(&project);
    let metrics = &json["candidates"][0]["questions"][0]["metrics"];
    let value = |name: &str| metrics[name]["value"].as_f64().expect("a number");
    assert!((value("transcript_gap") - 0.1).abs() < 1e-9);
    assert!((value("accuracy") - 0.9).abs() < 1e-9);
    assert!((value("accuracy[context=clean]") - 1.0).abs() < 1e-9);
}

/// A suite about distraction whose cases bring no views of their own.
fn distracted(cases: usize, candidate: &str) -> Project {
    let project = project_of(cases, "{}", |at| {
        format!(r#"{{"id":"c-{at:03}","state":"a call number {at:03}","gold":"a"}}"#)
    });
    let text = project
        .read("suites/s.yaml")
        .replace(
            "rules: { provider: rust, function: parrot",
            &format!("rules: {{ provider: rust, {candidate}"),
        )
        .replace("  accuracy: '>= 10%'", "  distractor_drop: '<= 5%'");
    project.write("suites/s.yaml", text);
    project
}

fn padding_is_built_from_other_cases_and_stays_what_it_was() {
    const DROP: &str = "s::rules::distractor_drop";
    // Whoever takes what stands first for the case is distracted by all that stands around it.
    let said = distracted(100, "function: parrot").run(&[]);
    said.assert_code(101)
        .assert_says("no case has a minimal view; production's stands for it")
        .assert_says("padding is built from other cases' states");
    assert_eq!(said.outcome(DROP), "FAILED");
    assert_eq!(said.outcome("s::data::transcripts"), "ok");
    let few = distracted(20, "function: careful_parrot").run(&[]);
    assert_eq!(few.outcome(DROP), "ignored");
    let project = distracted(100, "function: careful_parrot, recorded: true");
    let config = "[profile.default]\nallow_unpriced = ['rules']\nbudget_usd = 1\n";
    project.write("decbench.toml", config);
    let fill = [("DECBENCH_MODE", "fill")];
    assert_eq!(project.run_with(&[], &fill).outcome(DROP), "ok");
    let lines = || project.read("suites/answers/s/rules.jsonl").lines().count();
    assert_eq!(lines(), 200);
    let cases = project.read("suites/s.cases.jsonl");
    project.write(
        "suites/s.cases.jsonl",
        format!("{{\"id\":\"new\",\"state\":\"a call number 999\",\"gold\":\"a\"}}\n{cases}"),
    );
    assert_eq!(project.run_with(&[], &fill).outcome(DROP), "ok");
    let fresh = lines() - 200;
    assert!(
        (2..=12).contains(&fresh),
        "{fresh} answers for one case more"
    );
}

/// Of 100 cases 60 have evidence by gold, and the model finds it in 58 of these; it knows the letter of 55.
fn behind_a_gate(gate: &str, closed: &str) -> Project {
    let project = Project::new();
    project.write(
        "suites/s.yaml",
        format!(
            "questions:
  evidence: {{ type: yes_no, instructions: Is there a letter? }}
  letter:
    type: choice
    instructions: Which letter?
    options: {{ a: The first, b: {{ description: None, escape: true }} }}
    gate: {gate}
    assert: {{ accuracy: '>= 80%', gate_closed_rate: '{closed}' }}
cases: s.cases.jsonl
candidates:
  jev: {{ provider: recorded, file: jev.jsonl }}
assert: {{ error_rate: '<= 5%' }}
scorecard: print
"
        ),
    );
    let (mut cases, mut answers) = (String::new(), String::new());
    for at in 0..100 {
        let (evidence, letter) = if at < 60 { ("yes", "a") } else { ("no", "b") };
        let _ = writeln!(
            cases,
            "{{\"id\":\"c-{at:03}\",\"state\":\"s {at}\",\"gold\":{{\"evidence\":\"{evidence}\",\"letter\":\"{letter}\"}}}}"
        );
        let said = [
            ("evidence", if at < 58 { "yes" } else { "no" }),
            // What is said of the letter where there is no evidence is worth nothing.
            ("letter", if at < 55 || at % 2 == 0 { "a" } else { "b" }),
        ];
        for (question, label) in said {
            let _ = writeln!(
                answers,
                "{{\"case\":\"c-{at:03}\",\"question\":\"{question}\",\"label\":\"{label}\"}}"
            );
        }
    }
    project.write("suites/s.cases.jsonl", cases);
    project.write("suites/jev.jsonl", answers);
    project
}

fn a_choice_behind_a_gate_counts_where_there_is_evidence() {
    let value = |json: &serde_json::Value, question: usize, metric: &str| {
        let metric = &json["candidates"][0]["questions"][question]["metrics"][metric];
        (
            metric["n"].as_u64(),
            metric["value"].as_f64().expect("a number"),
        )
    };
    let near = |(n, value): (Option<u64>, f64), wanted: (u64, f64)| {
        assert_eq!(n, Some(wanted.0));
        assert!((value - wanted.1).abs() < 1e-9, "{value} {wanted:?}");
    };
    let project = behind_a_gate("evidence", "<= 60%");
    let said = project.run(&[]);
    said.assert_code(0);
    assert_eq!(said.outcome("s::jev::letter.gate_closed_rate"), "ok");
    let card = json(&project);
    near(value(&card, 0, "accuracy"), (100, 0.98));
    let notes = &card["candidates"][0]["questions"][1]["metrics"]["accuracy"]["notes"];
    assert_eq!(
        notes[0],
        "where `evidence` says yes: it is closed on 42 of 100 cases, which do not count"
    );
    // Cases 55 and 57 are wrong; 56 is even and right.
    near(value(&card, 1, "accuracy"), (58, 56.0 / 58.0));
    near(value(&card, 1, "gate_closed_rate"), (100, 0.42));

    let project = behind_a_gate("{ question: evidence, otherwise: b }", "<= 20%");
    let said = project.run(&[]);
    said.assert_code(101);
    assert_eq!(said.outcome("s::jev::letter.gate_closed_rate"), "FAILED");
    assert_eq!(said.outcome("s::jev::letter.accuracy"), "ok");
    // Closed where it should not be on two, which are then `b` in place of `a`.
    near(value(&json(&project), 1, "accuracy"), (100, 0.96));

    let said = behind_a_gate("evidence", "<= 45%").run(&[]);
    assert_eq!(said.outcome("s::jev::letter.gate_closed_rate"), "ignored");
}

const OPEN: &[(&str, &str)] = &[("DECBENCH_LOCKBOX", "1")];

/// 40 cases to tune on and 40 in the lock box, all answered right, judged on both.
fn locked() -> Project {
    let lines: Vec<String> = (0..80)
        .map(|at| {
            let (id, split) = if at < 40 {
                ("dev", "dev")
            } else {
                ("secret", "lockbox")
            };
            format!(r#"{{"id":"{id}-{at}","state":"a {at}","gold":"a","split":"{split}"}}"#)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let project = project(&lines, "{ looks: 1 }");
    let text = project.read("suites/s.yaml").replace(
        "  accuracy: '>= 10%'",
        "  accuracy: '>= 80%'\n  recall[a]: { at_least: 80%, split: lockbox }",
    );
    project.write("suites/s.yaml", text);
    project
}

fn looks(project: &Project) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(project.path().join("suites/answers/s/lockbox")) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

/// Other words are another question: the same candidate, tuned.
fn tune(project: &Project, words: &str) {
    let text = project.read("suites/s.yaml");
    let (before, rest) = text.split_once("instructions: ").expect("instructions");
    let (_, after) = rest.split_once('\n').expect("a line");
    project.write(
        "suites/s.yaml",
        format!("{before}instructions: {words}\n{after}"),
    );
}

fn a_closed_lock_box_is_not_asked_scored_or_printed() {
    let project = locked();
    let said = project.run(&[]);
    said.assert_code(0)
        .assert_says("DECBENCH_LOCKBOX=1 opens it");
    assert_eq!(said.outcome("s::rules::recall[a]"), "ignored");
    assert_eq!(said.outcome("s::rules::accuracy"), "ok");
    assert_eq!(said.outcome("s::data::lockbox"), "ok");
    assert!(looks(&project).is_empty(), "nobody looked");
    for text in [
        said.stdout,
        said.stderr,
        project.read("out/s/scorecard.json"),
        project.read("out/s/scorecard.md"),
    ] {
        assert!(!text.contains("secret"), "{text}");
    }
    let json = json(&project);
    let accuracy = &json["candidates"][0]["questions"][0]["metrics"]["accuracy"];
    assert_eq!(accuracy["n"], 40);
}

fn a_look_is_written_down_once_and_a_second_one_is_refused_until_granted() {
    let project = locked();
    project.run_with(&[], OPEN).assert_code(0);
    let first = looks(&project);
    assert_eq!(first.len(), 1);
    let again = project.run_with(&[], OPEN);
    assert_eq!(again.outcome("s::rules::recall[a]"), "ok");
    assert_eq!(looks(&project), first, "the same answers are the same look");
    project.run(&[]).assert_code(0).assert_says("1 look so far");

    tune(&project, "Which one?");
    let refused = project.run_with(&[], OPEN);
    refused
        .assert_code(101)
        .assert_says("`rules` was looked at on the lock box once already")
        .assert_says("data: { looks: 2 }");
    assert_eq!(refused.outcome("s::rules::recall[a]"), "FAILED");
    assert_eq!(refused.outcome("s::rules::accuracy"), "ok", "dev is free");
    assert_eq!(refused.outcome("s::data::lockbox"), "FAILED");
    assert!(!refused.stdout.contains("secret"), "{}", refused.stdout);
    assert_eq!(looks(&project), first);

    let granted = project
        .read("suites/s.yaml")
        .replace("looks: 1", "looks: 2");
    project.write("suites/s.yaml", granted);
    project.run_with(&[], OPEN).assert_code(0);
    let both = looks(&project);
    assert_eq!(both.len(), 2);
    let second = both.iter().find(|name| **name != first[0]).expect("one");
    let path = format!("suites/answers/s/lockbox/{second}");
    let text = project.read(&path);
    assert!(text.contains(&first[0]), "it names the look before: {text}");

    // Whoever edits or removes a look is told, with the box closed too.
    project.write(&path, text.replace("rules", "someone"));
    project
        .run(&["s::data::lockbox"])
        .assert_code(101)
        .assert_says("was changed after it was written");
    project.write(&path, text);
    project.run(&["s::data::lockbox"]).assert_code(0);
    let gone = project
        .path()
        .join("suites/answers/s/lockbox")
        .join(&first[0]);
    std::fs::remove_file(gone).expect("removed");
    project
        .run(&["s::data::lockbox"])
        .assert_code(101)
        .assert_says("was removed");
}

fn processes_at_once_take_one_look() {
    let project = locked();
    std::thread::scope(|scope| {
        for trial in [
            "s::rules::recall[a]",
            "s::rules::accuracy",
            "s::data::lockbox",
            "s::scorecard",
        ] {
            let project = &project;
            scope.spawn(move || {
                let said = project.run_with(&["--exact", trial], OPEN);
                said.assert_code(0);
            });
        }
    });
    assert_eq!(looks(&project).len(), 1);
}

fn a_look_that_cannot_be_written_down_is_none() {
    let project = locked();
    // A folder in the place of the lock file: as on a read-only checkout, nothing can be written.
    std::fs::create_dir_all(project.path().join("suites/answers/s/.lock")).expect("a folder");
    let said = project.run_with(&[], OPEN);
    said.assert_code(101)
        .assert_says("a look into the lock box that is not written down is none");
    assert_eq!(said.outcome("s::rules::recall[a]"), "FAILED");
    assert_eq!(said.outcome("s::rules::accuracy"), "ok");
    // A look that stands in the repository already needs nothing to be written.
    std::fs::remove_dir(project.path().join("suites/answers/s/.lock")).expect("removed");
    project.run_with(&[], OPEN).assert_code(0);
    let lock = project.path().join("suites/answers/s/.lock");
    std::fs::remove_file(&lock).expect("removed");
    std::fs::create_dir(&lock).expect("a folder");
    project.run_with(&[], OPEN).assert_code(0);
}

fn void_approvals_are_red_and_their_gold_does_not_count() {
    let case = |digest: &str| {
        format!(
            r#"{{"id":"one","state":"a 1","gold":"a","approved":{{"by":"ann","digest":"{digest}"}}}}"#
        )
    };
    let other = "b3:00000000000000000000000000000000";
    let stamped = project(&[&case(other)], "{}");
    let said = stamped.run(&["s::data::gold"]);
    said.assert_code(101).assert_says("1 approval is void");
    let now = said
        .stdout
        .split_once("(now ")
        .and_then(|(_, rest)| rest.split_once(')'))
        .expect("the digest to stamp")
        .0
        .to_owned();
    stamped.write("suites/s.cases.jsonl", case(&now));
    assert_eq!(stamped.run(&[]).outcome("s::data::gold"), "ok");
    let reworded = stamped
        .read("suites/s.yaml")
        .replace("Which letter?", "Which letter is it?");
    stamped.write("suites/s.yaml", reworded);
    let said = stamped.run(&[]);
    assert_eq!(said.outcome("s::data::gold"), "FAILED");
    assert_eq!(json(&stamped)["data"]["gold"]["figures"]["gold"], 0);
}
