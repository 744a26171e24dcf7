//! `import`: files that the other tools wrote become suites that pass the check and replay.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::project::{Project, Said, builds};

/// The folder of what the other tools wrote; its scripts say how.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import")
}

fn fixture(path: &str) -> String {
    fixtures().join(path).display().to_string()
}

/// A format, its files and flags, and what comes out.
struct Example {
    format: &'static str,
    files: &'static [&'static str],
    flags: &'static [&'static str],
    /// Cases with gold, a reference, and what production answered.
    cases: [usize; 4],
    /// Candidates, their answers, and how many of these are failures.
    candidates: &'static [(&'static str, usize, usize)],
}

/// One for each format. All hold the same six calls, of which five are answered right.
const EXAMPLES: &[Example] = &[
    Example {
        format: "csv",
        files: &["csv/calls.csv"],
        flags: &[
            "--map=id=number,state=text,gold=team,answer=routed_to,strata.week=week",
            "--candidate=words",
            "--instructions=Which team should take this call?",
        ],
        cases: [6, 6, 0, 0],
        candidates: &[("words", 6, 0)],
    },
    Example {
        format: "inspect",
        files: &["inspect/call-routing.eval"],
        flags: &[],
        cases: [6, 6, 0, 0],
        candidates: &[("mockllm-model", 12, 1)],
    },
    Example {
        format: "jevassert",
        files: &["jevassert/jev.jsonl", "jevassert/call-routing"],
        flags: &[],
        cases: [6, 6, 0, 0],
        candidates: &[("jev", 18, 0)],
    },
    Example {
        format: "jsonl",
        files: &["langfuse/items.jsonl"],
        flags: &["--map=state=input.call,gold=expectedOutput"],
        cases: [7, 7, 0, 0],
        candidates: &[],
    },
    Example {
        format: "langfuse",
        files: &["langfuse/items.json"],
        flags: &[],
        cases: [6, 5, 1, 0],
        candidates: &[],
    },
    Example {
        format: "lm-eval",
        files: &["lm-eval/samples_call_routing.jsonl"],
        flags: &["--candidate=dummy", "--map=state=doc.call"],
        cases: [6, 6, 0, 0],
        candidates: &[("dummy", 6, 0)],
    },
    Example {
        format: "otel",
        files: &["otel/spans.jsonl"],
        flags: &[],
        cases: [7, 0, 0, 6],
        candidates: &[("words-1", 7, 1)],
    },
    Example {
        format: "posthog",
        files: &["posthog/events.json"],
        flags: &["--map=strata.channel=properties.channel", "--references"],
        cases: [6, 0, 6, 6],
        candidates: &[("words-1", 6, 0)],
    },
    Example {
        format: "promptfoo",
        files: &["promptfoo/results.json"],
        flags: &[],
        cases: [6, 6, 0, 0],
        candidates: &[("echo", 6, 6), ("words", 6, 0)],
    },
];

impl Example {
    fn suite(&self) -> String {
        format!("from-{}", self.format)
    }

    fn import(&self, project: &Project, more: &[&str]) -> Said {
        let files: Vec<String> = self.files.iter().map(|file| fixture(file)).collect();
        let to = format!("--to=tests/suites/{}", self.suite());
        let mut arguments = vec!["import", self.format, &to];
        arguments.extend(files.iter().map(String::as_str));
        arguments.extend(self.flags);
        arguments.extend(more);
        project.run(&arguments)
    }
}

fn json(said: &Said) -> Json {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

#[test]
fn every_format_becomes_a_suite_that_passes_the_check() {
    let project = Project::new();
    for example in EXAMPLES {
        let said = example.import(&project, &["--json"]);
        assert_eq!(said.code, Some(0), "{}: {said:?}", example.format);
        let done = json(&said);
        let counted = ["cases", "gold", "references", "production_answers"]
            .map(|part| done[part].as_u64().unwrap() as usize);
        assert_eq!(counted, example.cases, "{}", example.format);
        let candidates: Vec<(&str, usize, usize)> = done["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|candidate| {
                let count = |part: &str| candidate[part].as_u64().unwrap() as usize;
                (
                    candidate["name"].as_str().unwrap(),
                    count("answers"),
                    count("failures"),
                )
            })
            .collect();
        assert_eq!(candidates, example.candidates, "{}", example.format);
        // The provider that repeats its prompt repeats what is personal in it.
        let times = if example.format == "promptfoo" { 2 } else { 1 };
        let replaced = serde_json::json!({ "iban": times, "mail": times, "phone": times });
        assert_eq!(done["redacted"], replaced, "{}: {done:#}", example.format);
        assert_eq!(
            done["redacted_in"].as_array().map(Vec::len),
            Some(3),
            "{done:#}"
        );
    }
    // Options without descriptions are warned of, and the files have none.
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // Nothing personal is in any file, of whatever suite.
    for entry in std::fs::read_dir(project.path().join("tests/suites")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for personal in ["example.com", "DE89", "901820", "caller@"] {
            assert!(!text.contains(personal), "{}: {text}", path.display());
        }
    }
}

/// Every suite as the library reads it: the same calls, options in order, and answers that are there.
#[test]
fn what_is_imported_is_what_the_files_say() {
    let project = Project::new();
    for example in EXAMPLES {
        example.import(&project, &[]);
        let path = project
            .path()
            .join(format!("tests/suites/{}.yaml", example.suite()));
        let suite = decbench_core::suite::load(&path)
            .unwrap_or_else(|mistakes| panic!("{}", mistakes.render()))
            .suite;
        let router = suite.cases.iter().find(|case| {
            let state = case
                .state
                .as_ref()
                .map(|state| state.as_text().into_owned());
            state.is_some_and(|state| state.contains("red light"))
        });
        let router = router.unwrap_or_else(|| panic!("{}", example.format));
        let question = &suite.questions[0];
        let support = question.index_of("support");
        assert!(support.is_some(), "{}: {question:?}", example.format);
        if example.cases[1] > 0 {
            assert_eq!(
                router.gold[0]
                    .as_ref()
                    .and_then(decbench_core::decision::Gold::single),
                support
            );
        } else {
            assert_eq!(router.production_answer[0].as_deref(), Some("support"));
            assert!(
                router.cluster.is_some(),
                "calls of one trace are one piece of evidence"
            );
        }
        for (candidate, answers, _) in example.candidates {
            let name = format!("tests/suites/{}.{candidate}.jsonl", example.suite());
            let file = decbench_core::collect::read_answers(&project.path().join(name)).unwrap();
            assert!(file.bad.is_empty(), "{}: {:?}", example.format, file.bad);
            assert_eq!(file.answers.len(), *answers, "{}", example.format);
        }
    }
}

#[test]
fn the_console_exporter_and_the_file_exporter_say_the_same() {
    let project = Project::new();
    for (name, file) in [("a", "otel/spans.jsonl"), ("b", "otel/console.json")] {
        let said = project.run(&[
            "import",
            "otel",
            &fixture(file),
            &format!("--to=tests/suites/{name}"),
        ]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let states = |name: &str| -> Vec<Json> {
        let text = project.read(&format!("tests/suites/{name}.cases.jsonl"));
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<Json>(line).unwrap());
        lines.map(|case| case["state"].clone()).collect()
    };
    assert_eq!(states("a").len(), 7);
    assert_eq!(states("a"), states("b"));
}

/// What a tool writes about calls without an answer, and answers that are none of the allowed ones.
#[test]
fn calls_that_failed_stay_failures_of_their_kind() {
    let project = Project::new();
    let pack = fixture("jevassert/call-routing");
    for (name, arguments, kind, failures, skips) in [
        (
            "nobody",
            &["jevassert", &pack, &fixture("jevassert/nobody.jsonl")][..],
            "\"kind\":\"http\"",
            3,
            true,
        ),
        (
            "written",
            &[
                "lm-eval",
                &fixture("lm-eval/samples_call_routing_written.jsonl"),
            ],
            "\"kind\":\"invalid_answer\",\"message\":\"`lol` is none of the options\"",
            6,
            false,
        ),
    ] {
        let to = format!("--to=tests/suites/{name}");
        let said = project.run(&[&["import", "--candidate=x", &to], arguments].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
        let answers = project.read(&format!("tests/suites/{name}.x.jsonl"));
        assert_eq!(answers.matches(kind).count(), failures, "{answers}");
        // Cases that were never asked are no reason to fail the others.
        let suite = project.read(&format!("tests/suites/{name}.yaml"));
        assert_eq!(suite.contains("missing: skip"), skips, "{suite}");
    }
    assert_eq!(project.run(&["check"]).code, Some(0));
}

#[test]
fn cases_with_choices_of_their_own_keep_them() {
    let project = Project::new();
    let samples = fixture("lm-eval/samples_call_routing_own.jsonl");
    let said = project.run(&[
        "import",
        "lm-eval",
        &samples,
        "--candidate=x",
        "--to=tests/suites/own",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(project.run(&["check"]).code, Some(0));
    let path = project.path().join("tests/suites/own.yaml");
    let suite = decbench_core::suite::load(&path)
        .unwrap_or_else(|mistakes| panic!("{}", mistakes.render()))
        .suite;
    let router = suite.cases[1].questions(&suite.questions);
    let keys: Vec<&str> = router[0]
        .options
        .iter()
        .map(|option| option.key.as_str())
        .collect();
    assert_eq!(keys, ["support", "billing"]);
    assert_eq!(
        suite.cases[1].gold[0]
            .as_ref()
            .and_then(decbench_core::decision::Gold::single),
        Some(0)
    );
}

#[test]
fn what_production_said_is_never_gold() {
    let project = Project::new();
    for (format, file) in [
        ("otel", "otel/spans.jsonl"),
        ("posthog", "posthog/events.json"),
    ] {
        let to = format!("--to=tests/suites/{format}");
        project.run(&["import", format, &fixture(file), &to, "--references"]);
        let cases = project.read(&format!("tests/suites/{format}.cases.jsonl"));
        assert!(cases.contains("\"reference\":\"billing\""), "{cases}");
        assert!(!cases.contains("\"gold\""), "{cases}");
    }
    // Nor an expected output that came from a trace.
    project.run(&[
        "import",
        "langfuse",
        &fixture("langfuse/items.json"),
        "--to=tests/suites/l",
    ]);
    let cases = project.read("tests/suites/l.cases.jsonl");
    let traced = cases
        .lines()
        .find(|line| line.contains("larger plan"))
        .unwrap();
    assert!(
        traced.contains("\"reference\":\"sales\"") && traced.contains("\"origin\":\"trace\""),
        "{traced}"
    );
    assert!(!cases.contains("Withdrawn"), "{cases}");
}

#[test]
fn a_bad_record_costs_itself_and_says_where() {
    let project = Project::new();
    let calls = project.write(
        "calls.csv",
        "id,text,team\na,Broken,support\nb,,billing\nc,Bill\nd,Buy,sales\na,Other,sales\n",
    );
    let calls = calls.display().to_string();
    let said = project.run(&["import", "csv", &calls, "--map=state=text,gold=team"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    for part in [
        "calls.csv, line 3: nothing stands where `--map` places its state",
        "calls.csv, line 4: it has 2 cells under 3 columns",
        "calls.csv, line 6: another case has the id `a` too: line 2",
        "2 cases (2 with gold) and no answers",
    ] {
        assert!(said.stderr.contains(part), "`{part}` is not in {said:?}");
    }
    assert_eq!(
        project
            .read("tests/suites/calls.cases.jsonl")
            .lines()
            .count(),
        2
    );
    assert_eq!(project.run(&["check"]).code, Some(0));
}

#[test]
fn broken_input_and_wrong_use_write_nothing() {
    let project = Project::new();
    let nothing = project
        .write("nothing.json", "not JSON")
        .display()
        .to_string();
    let bad = project
        .write("bad.csv", "text,team\nBroken,billing\n")
        .display()
        .to_string();
    let free = {
        let lines = (0..50).map(|n| format!("call {n},answer {n}\n"));
        let text = format!("text,team\n{}", lines.collect::<String>());
        project.write("free.csv", &text).display().to_string()
    };
    let calls = fixture("csv/calls.csv");
    for (arguments, says) in [
        (&["import", "csv", "nowhere.csv"][..], "nowhere.csv"),
        (&["import", "xml", &calls], "possible values"),
        (&["import", "csv", &calls], "--map state="),
        (&["import", "csv", &calls, "--map=state=txt"], "`txt`"),
        (
            &[
                "import",
                "csv",
                &bad,
                "--map=state=text,gold=team",
                "--options=a,b",
            ],
            "nothing",
        ),
        (
            &["import", "csv", &free, "--map=state=text,gold=team"],
            "--options",
        ),
        (
            &[
                "import",
                "csv",
                &calls,
                "--map=state=text,gold=team",
                "--to=x/My Suite",
            ],
            "`my-suite`",
        ),
        (&["import", "posthog", &nothing], "no JSON"),
        (&["import", "inspect", &nothing], "no .eval log"),
        (
            &["import", "promptfoo", &fixture("otel/spans.jsonl")],
            "JSON",
        ),
        (
            &["import", "otel", &fixture("posthog/events.json")],
            "no spans",
        ),
        (
            &["import", "jevassert", &fixture("jevassert/jev.jsonl")],
            "the pack",
        ),
    ] {
        let said = project.run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(says), "`{says}` is not in {said:?}");
    }
    assert!(!project.path().join("tests").exists());
}

#[test]
fn nothing_is_overwritten_unless_asked_for() {
    let project = Project::new();
    let calls = fixture("csv/calls.csv");
    let arguments = ["import", "csv", &calls, "--map=state=text,gold=team"];
    assert_eq!(project.run(&arguments).code, Some(0));
    project.write("tests/suites/calls.yaml", "mine\n");
    let again = project.run(&arguments);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.stderr.contains("--force"), "{again:?}");
    assert_eq!(project.read("tests/suites/calls.yaml"), "mine\n");
    let forced = project.run(&[&arguments[..], &["--force"]].concat());
    assert_eq!(forced.code, Some(0), "{forced:?}");
    assert!(
        project
            .read("tests/suites/calls.yaml")
            .contains("question:")
    );
}

#[test]
fn the_rules_of_redaction_stand_in_the_configuration() {
    let project = Project::new();
    let calls = project.write(
        "calls.csv",
        "id,text,team\nada@example.com,\"Ada here, mail ada@example.com or help@example.com\",billing\n2,Buy,sales\n",
    );
    let calls = calls.display().to_string();
    project.write(
        "decbench.toml",
        "[redact]\nnames = [\"ada\"]\nkeep = [\"help@example.com\"]\n",
    );
    let said = project.run(&["import", "csv", &calls, "--map=state=text,gold=team"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stderr.contains("2 mail, 1 name in ") && said.stderr.contains("(cases: 1)"),
        "{said:?}"
    );
    assert!(!said.stderr.contains("ada@"), "{said:?}");
    let cases = project.read("tests/suites/calls.cases.jsonl");
    assert!(
        cases.starts_with(
            "{\"id\":\"[mail]\",\"state\":\"[name] here, mail [mail] or help@example.com\""
        ),
        "{cases}"
    );
    project.write("decbench.toml", "[redact]\nkinds = [\"mails\"]\n");
    let said = project.run(&[
        "import",
        "csv",
        &calls,
        "--map=state=text,gold=team",
        "--force",
    ]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("did you mean `mail`?"), "{said:?}");
}

#[test]
fn groups_stay_apart_whose_names_redaction_makes_the_same() {
    let project = Project::new();
    let calls = project.write(
        "calls.csv",
        "text,team,caller,desk\nMy bill,billing,ada@example.com,ada@example.com\nBuy,sales,bob@example.com,west\nMy bill again,billing,ada@example.com,west\n",
    );
    let calls = calls.display().to_string();
    let map = "--map=state=text,gold=team,cluster=caller,strata.desk=desk";
    let said = project.run(&["import", "csv", &calls, map]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let text = project.read("tests/suites/calls.cases.jsonl");
    let cases: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect();
    let part = |place: &str| -> Vec<&str> {
        let values = cases.iter().map(|case| case.pointer(place));
        values
            .map(|value| value.and_then(Json::as_str).unwrap_or_default())
            .collect()
    };
    assert_eq!(part("/cluster"), ["[mail]-1", "[mail]-2", "[mail]-1"]);
    assert_eq!(part("/strata/desk"), ["[mail]-1", "west", "west"]);
    assert!(!text.contains("@example"), "{text}");
}

/// The page of the guide shows the very files that its command writes.
#[test]
fn the_guide_shows_what_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/guide/import.md")).unwrap();
    let block = |fence: &str| {
        let start = page.find(fence).unwrap_or_else(|| panic!("no `{fence}`")) + fence.len();
        let text = page[start..].split_once('\n').unwrap().1;
        text.split("```").next().unwrap().to_owned()
    };
    let project = Project::new();
    project.write("calls.csv", &block("```csv file=calls.csv"));
    let command = block("```console unchecked=\"run by the tests of the tool");
    let words: Vec<&str> = command.trim().split(' ').skip(3).collect();
    let said = project.run(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    for (language, name) in [
        ("yaml", "calls.yaml"),
        ("jsonl", "calls.cases.jsonl"),
        ("jsonl", "calls.switchboard.jsonl"),
    ] {
        let path = format!("tests/suites/{name}");
        assert_eq!(
            project.read(&path),
            block(&format!("```{language} file={path}")),
            "{name}"
        );
    }
}

/// What the test target of a package without anything else says about suites of every format.
#[test]
fn cargo_test_replays_what_was_imported() {
    let project = Project::with_function();
    for example in EXAMPLES {
        let said = example.import(&project, &[]);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--test", "decisions"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", builds())
        .env_remove("CI")
        .output()
        .expect("Cargo starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let trial = |name: &str| {
        let start = format!("test {name} ");
        let line = said.lines().find(|line| line.starts_with(&start));
        line.unwrap_or_else(|| {
            panic!(
                "no trial {name} in\n{said}\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
        })
    };
    for example in EXAMPLES {
        assert!(
            trial(&format!("{}::loads", example.suite())).ends_with("ok"),
            "{said}"
        );
        for (candidate, answers, failures) in example.candidates {
            // The one promptfoo provider that repeats its prompt never answers; the span of a lost call is one of seven.
            let holds = *failures * 20 <= *answers || example.format == "inspect";
            for name in ["error_rate", "queue.error_rate"] {
                let name = format!("{}::{candidate}::{name}", example.suite());
                if said.contains(&format!("test {name} ")) {
                    let wanted = if holds { "ok" } else { "FAILED" };
                    assert!(trial(&name).ends_with(wanted), "{name}:\n{said}");
                }
            }
        }
    }
    assert!(trial("from-jevassert::jev::queue.error_rate").ends_with("ok"));
    assert!(trial("from-csv::words::error_rate").ends_with("ok"));
    assert!(trial("from-promptfoo::echo::error_rate").ends_with("FAILED"));
}

#[test]
fn a_bare_name_means_the_folder_of_suites_and_a_path_stays_one() {
    let project = Project::new();
    let calls = fixture("csv/calls.csv");
    for (to, place) in [
        ("--to=bare", "tests/suites/bare.yaml"),
        ("--to=./here", "here.yaml"),
        ("--to=ending.yaml", "ending.yaml"),
    ] {
        let map = "--map=state=text,gold=team";
        let said = project.run(&["import", "csv", &calls, map, to]);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(project.path().join(place).exists(), "{place}: {said:?}");
    }
    let map = "--map=state=text,gold=team";
    let flags = ["import", "csv", &calls, map, "--to=bare", "--suites=other"];
    assert_eq!(project.run(&flags).code, Some(0));
    assert!(project.path().join("other/bare.yaml").exists());
}

#[test]
fn a_table_of_semicolons_is_told_so() {
    let project = Project::new();
    let text = "text;team\nMy bill, please.;billing\n";
    let calls = project.write("calls.csv", text).display().to_string();
    let said = project.run(&["import", "csv", &calls, "--map=state=text,gold=team"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("separated by semicolons"), "{said:?}");
}
