//! `plan` and `record`: what it takes is told before anybody is asked, and nothing is paid for twice.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::project::{Project, command};
use crate::service::{Service, cases};

const RECORDING: &str = "tests/suites/answers/even/far.jsonl";

fn project(service: &Service, count: usize) -> Project {
    let project = Project::new();
    project.write(
        "tests/suites/even.yaml",
        &service.suite("  accuracy: '>= 50%'\n"),
    );
    project.write("tests/suites/even.cases.jsonl", &cases(count));
    project
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn recorded(project: &Project) -> usize {
    std::fs::read_to_string(project.path().join(RECORDING)).map_or(0, |text| text.lines().count())
}

#[test]
fn a_plan_tells_calls_costs_labels_and_power_and_asks_nobody() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 40);
    let said = project.run(&["plan"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for part in [
        "even: 40 cases, 40 with gold, 40 independent units",
        "accuracy >= 50% (far)",
        "passes 80.0% of the time at a true value of",
        "record far: 40 calls, about $0",
        "how long it takes a first recording will tell",
    ] {
        assert!(said.stdout.contains(part), "`{part}` is not in {said:?}");
    }
    assert_eq!(service.asked(), 0);
    let plan = json(&project.run(&["plan", "--json"]).stdout);
    let suite = &plan["suites"][0];
    assert_eq!(suite["estimate"]["candidates"][0]["calls"], 40, "{plan}");
    assert_eq!(suite["plan"]["assertions"][0]["can_pass"], true, "{plan}");
    assert_eq!(suite["labels"]["without_gold"], 0, "{plan}");
}

#[test]
fn a_plan_that_proves_nothing_does_not_hold() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 40);
    project.write(
        "tests/suites/even.yaml",
        &service.suite("  accuracy: '>= 99%'\n"),
    );
    let said = project.run(&["plan", "--seconds-per-label", "60"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    // Without a mistake 368 cases prove 99%: 0.99^368 is the first power below 2.5%.
    for part in [
        "it takes 368",
        "label 328 more cases",
        "5.5 h at 60 s a label",
    ] {
        let told = part != "5.5 h at 60 s a label" || said.stdout.contains("328 min");
        assert!(
            said.stdout.contains(part) || told,
            "`{part}` is not in {said:?}"
        );
    }
}

#[test]
fn wrong_use_is_told_before_anything_is_asked() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 4);
    for (words, says) in [
        (&["record"][..], "nobody is there to agree"),
        (&["record", "nowhere", "--yes"], "no suite `nowhere`"),
        (&["record", "--candidate", "near", "--yes"], "there are far"),
        (&["plan", "--test", "none"], "no test target `none`"),
        (&["record", "--budget", "much"], "US dollars"),
    ] {
        let said = project.run(words);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(says), "`{says}` is not in {said:?}");
    }
    project.write("decbench.toml", "[models]\ndeny = [\"far-*\"]\n");
    let denied = project.run(&["record", "--yes"]);
    assert_eq!(denied.code, Some(2), "{denied:?}");
    assert!(
        denied.stderr.contains("`far-1.0.0` may not be asked"),
        "{denied:?}"
    );
    project.write("decbench.toml", "");
    project.write("tests/suites/bad.yaml", "question: 3\n");
    let broken = project.run(&["record", "--yes"]);
    assert_eq!(broken.code, Some(2), "{broken:?}");
    assert!(broken.stderr.contains("bad.yaml:1:"), "{broken:?}");
    assert_eq!(service.asked(), 0);
}

#[test]
fn a_smoke_test_asks_a_few_and_the_rest_is_asked_once() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 30);
    let smoke = project.run(&["record", "--limit", "6", "--yes"]);
    assert_eq!(smoke.code, Some(0), "{smoke:?}");
    assert!(smoke.stderr.contains("record far: 6 calls"), "{smoke:?}");
    assert!(smoke.stderr.contains("even::far  6/6 calls"), "{smoke:?}");
    assert_eq!((service.asked(), recorded(&project)), (6, 6));
    let text = project.read(RECORDING);
    assert!(text.contains("c-004") && text.contains("c-029"), "{text}");
    let planned = project.run(&["plan"]);
    assert!(
        planned.stdout.contains("record far: 24 calls")
            && planned.stdout.contains("6 recorded answers"),
        "{planned:?}"
    );
    let rest = project.run(&["record", "--budget", "1", "--json"]);
    assert_eq!(rest.code, Some(0), "{rest:?}");
    let told = json(&rest.stdout);
    assert_eq!(told["calls"][0]["done"], 24, "{told}");
    assert_eq!(told["candidates"][0]["missing"], 0, "{told}");
    assert_eq!((service.asked(), recorded(&project)), (30, 30));
    let again = project.run(&["record"]);
    assert_eq!(again.code, Some(0), "nothing to agree to: {again:?}");
    assert_eq!(service.asked(), 30);
}

#[test]
fn one_candidate_is_recorded_without_the_others() {
    let [near, far] = [
        Service::start(Duration::ZERO),
        Service::start(Duration::ZERO),
    ];
    let project = project(&far, 10);
    let other = near.suite("").lines().find_map(|line| {
        let line = line.strip_prefix("  far: ")?;
        Some(format!(
            "  near: {}\n",
            line.replace("far-1.0.0", "near-1.0.0")
        ))
    });
    let suite = project.read("tests/suites/even.yaml");
    let (head, tail) = suite.split_once("assert:").expect("assertions");
    let both = format!("{head}{}assert:{tail}", other.expect("a candidate"));
    project.write("tests/suites/even.yaml", &both);
    let said = project.run(&["record", "--candidate", "near", "--budget", "1"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!((near.asked(), far.asked()), (10, 0));
}

#[test]
fn a_budget_that_is_used_up_leaves_answers_missing() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 30);
    let said = project.run(&["record", "--budget", "0.0005"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stderr.contains("answers are still missing"),
        "{said:?}"
    );
    assert!(service.asked() < 30, "{}", service.asked());
    assert_eq!(recorded(&project), service.asked());
}

/// Starts recording, and waits until so many requests have come in.
fn under_way(project: &Project, service: &Service, until: usize) -> Child {
    let child = command(project.path(), &["record", "--yes"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tool starts");
    let since = Instant::now();
    while service.asked() < until {
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "nothing is asked"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

/// The interrupted recording is at its end, and the next one asks only what it lacks.
fn goes_on(project: &Project, service: &Service, count: usize) {
    // What was under way comes in; nothing follows it.
    std::thread::sleep(Duration::from_millis(600));
    let stopped = service.asked();
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(service.asked(), stopped, "it goes on asking");
    assert!(stopped < count, "it was not interrupted");
    let kept = recorded(project);
    // At most the two calls in flight are lost.
    assert!(kept + 2 >= stopped, "{kept} of {stopped} answers are kept");
    let rest = project.run(&["record", "--yes"]);
    assert_eq!(rest.code, Some(0), "{rest:?}");
    assert_eq!(recorded(project), count);
    assert_eq!(service.asked(), stopped + count - kept);
}

#[test]
fn a_killed_tool_leaves_no_calls_behind() {
    let service = Service::start(Duration::from_millis(60));
    let project = project(&service, 60);
    let mut child = under_way(&project, &service, 8);
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    goes_on(&project, &service, 60);
}

#[cfg(unix)]
#[test]
fn an_interrupted_tool_keeps_every_answer() {
    let service = Service::start(Duration::from_millis(60));
    let project = project(&service, 60);
    let mut child = under_way(&project, &service, 8);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill starts");
    assert!(sent.success());
    let status = child.wait().expect("it ends");
    assert!(!status.success(), "{status}");
    goes_on(&project, &service, 60);
}

#[test]
fn a_budget_holds_over_all_packages_of_a_workspace() {
    let service = Service::start(Duration::ZERO);
    let project = Project::new();
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n",
    );
    for name in ["a", "b"] {
        project.write(
            &format!("{name}/Cargo.toml"),
            &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        );
        project.write(&format!("{name}/src/lib.rs"), "");
        project.write(
            &format!("{name}/tests/suites/even.yaml"),
            &service.suite("  accuracy: '>= 50%'\n"),
        );
        project.write(&format!("{name}/tests/suites/even.cases.jsonl"), &cases(10));
    }
    // A call takes 22 tokens, which is $0.000022, and is reckoned with some 150 before.
    let said = project.run(&["record", "--budget", "0.0004", "--json"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let told = json(&said.stdout);
    let spent: f64 = told["calls"]
        .as_array()
        .expect("calls")
        .iter()
        .filter_map(|call| call["spent_usd"].as_f64())
        .sum();
    assert!(spent > 0.0 && spent <= 0.0004, "{told:#}");
    let asked = service.asked();
    assert!((5..19).contains(&asked), "{asked} calls: {told:#}");
    // The second package was left what the first one had not spent.
    let rest = project.run(&["record", "--yes"]);
    assert_eq!((rest.code, service.asked()), (Some(0), 20), "{rest:?}");
}

#[test]
fn calls_that_nobody_served_are_told_and_do_not_hold() {
    let service = Service::start(Duration::ZERO);
    let project = project(&service, 3);
    let suite = project.read("tests/suites/even.yaml");
    // Nobody listens at the first port.
    let (before, after) = suite.split_once("127.0.0.1:").expect("an address");
    let port = after.find('/').expect("a path");
    project.write(
        "tests/suites/even.yaml",
        &format!("{before}127.0.0.1:1{}", &after[port..])
            .replace("auth: none", "auth: none, retries: 0"),
    );
    let said = project.run(&["record", "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "even::far: 3 answers did not come",
        "connect: no connection",
    ] {
        assert!(said.stderr.contains(part), "`{part}` is not in {said:?}");
    }
    let said = project.run(&["record", "--yes", "--json"]);
    let failures = &json(&said.stdout)["candidates"][0]["failures"][0];
    assert_eq!(failures["answers"], 3, "{said:?}");
    // What is served the next time is recorded.
    project.write("tests/suites/even.yaml", &suite);
    assert_eq!(project.run(&["record", "--yes"]).code, Some(0));
    assert_eq!(recorded(&project), 3);
}
