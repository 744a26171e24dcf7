//! The page in a real browser: what a person sees, clicks and types, and what a hostile text may not do.
//!
//! It needs `chromedriver` with Chromium, and axe-core under `node_modules` of the folder that `DECBENCH_AXE` names; with
//! `DECBENCH_REQUIRE_TOOLS=1` missing ones fail. This binary is both: started with [`project::FIXTURE`] it is a user's
//! test target, and else the tests.

mod driver;
mod project;

use std::process::ExitCode;

use driver::Driver;
use fantoccini::{Client, Locator};
use libtest_mimic::{Arguments, Failed, Trial};
use project::Project;
use serde_json::Value as Json;

/// One test; it panics when something does not hold.
type Test = fn(&Driver);

fn main() -> ExitCode {
    if std::env::var_os(project::FIXTURE).is_some() {
        return project::target();
    }
    let arguments = Arguments::from_args();
    let tests: [(&str, Test); 4] = [
        ("filters_find_the_cases_they_name", |driver| {
            run(filters(driver));
        }),
        ("a_hostile_state_does_not_run", |driver| {
            run(hostile(driver));
        }),
        (
            "it_fits_and_is_accessible_at_both_widths_and_schemes",
            |driver| run(looks(driver)),
        ),
        ("ten_thousand_cases_open_in_a_second", |driver| {
            run(opens(driver));
        }),
    ];
    let available =
        std::env::var("DECBENCH_REQUIRE_TOOLS").is_ok_and(|value| value == "1") || Driver::exists();
    let trials = tests.into_iter().map(|(name, test)| {
        let name = if available {
            name.to_owned()
        } else {
            format!("{name} (no chromedriver)")
        };
        Trial::test(name, move || {
            test(&Driver::start());
            Ok::<(), Failed>(())
        })
        .with_ignored_flag(!available)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}

async fn open(driver: &Driver, project: &Project, width: u32, scheme: &str) -> Client {
    let window = driver.window(width, scheme).await;
    let page = format!("file://{}", project.page().display());
    window.goto(&page).await.expect("the page opens");
    window
}

/// What the line above the list of cases says.
async fn counted(window: &Client) -> String {
    let line = window
        .find(Locator::Css(".count-line"))
        .await
        .expect("a line");
    line.text().await.expect("text")
}

async fn choose(window: &Client, field: &str, value: &str) {
    let field = window.find(Locator::Css(field)).await.expect(field);
    field.select_by_value(value).await.expect(value);
}

async fn click(window: &Client, what: &str) {
    let button = window.find(Locator::Css(what)).await.expect(what);
    button.click().await.expect(what);
}

async fn filters(driver: &Driver) {
    let project = Project::with_cases(60);
    let window = open(driver, &project, 1280, "light").await;
    // It begins with what is wrong: the first in every tenth case, the second in every fifth.
    assert_eq!(counted(&window).await, "12 of 60 cases");
    choose(&window, "select[name=of]", "first").await;
    assert_eq!(counted(&window).await, "6 of 60 cases");
    choose(&window, "select[name=of]", "second").await;
    assert_eq!(counted(&window).await, "12 of 60 cases");
    choose(&window, "select[name=show]", "sure").await;
    assert_eq!(
        counted(&window).await,
        "12 of 60 cases",
        "all are said at 97%"
    );
    choose(&window, "select[name=show]", "differ").await;
    assert_eq!(
        counted(&window).await,
        "6 of 60 cases",
        "where one is wrong alone"
    );
    choose(&window, "select[name=of]", "first").await;
    choose(&window, "select[name=show]", "flicker").await;
    assert_eq!(counted(&window).await, "2 of 60 cases");
    click(&window, "button[name=clear]").await;
    assert_eq!(counted(&window).await, "60 of 60 cases");
    let words = window
        .find(Locator::Css("input[name=text]"))
        .await
        .expect("a field");
    words.send_keys("Caller 17 ").await.expect("typing");
    assert_eq!(counted(&window).await, "1 of 60 cases");
    // A cell of the confusion matrix opens its cases.
    click(&window, ".confusion td.wrong button").await;
    let line = counted(&window).await;
    assert!(line.contains("of 60 cases, gold "), "{line}");
    assert!(line.ends_with("by first"), "{line}");
    // And a flickering case opens itself.
    window
        .execute(
            "for (const one of document.querySelectorAll('details')) one.open = true",
            Vec::new(),
        )
        .await
        .expect("script");
    click(&window, ".open-case").await;
    let id = window
        .find(Locator::Css(".cases .case .id strong"))
        .await
        .expect("a case");
    assert!(id.text().await.expect("text").starts_with("case-"));
    window.close().await.expect("it closes");
}

async fn hostile(driver: &Driver) {
    let project = Project::with_cases(6);
    let window = open(driver, &project, 1280, "light").await;
    let states = window
        .find_all(Locator::Css(".case .state"))
        .await
        .expect("states");
    let first = states.first().expect("a state").text().await.expect("text");
    assert_eq!(first, project::HOSTILE, "it is shown as it is");
    assert_eq!(window.title().await.expect("a title"), "decbench: 2 suites");
    for made in ["main img", "main b", ".case script"] {
        let found = window.find_all(Locator::Css(made)).await.expect("elements");
        assert!(found.is_empty(), "`{made}` was made of a text");
    }
    window.close().await.expect("it closes");
}

async fn looks(driver: &Driver) {
    let project = Project::with_cases(60);
    let axe = axe();
    for (width, scheme) in [
        (360, "light"),
        (360, "dark"),
        (1280, "light"),
        (1280, "dark"),
    ] {
        let window = open(driver, &project, width, scheme).await;
        let dark = window
            .execute(
                "return matchMedia('(prefers-color-scheme: dark)').matches",
                Vec::new(),
            )
            .await
            .expect("script");
        assert_eq!(
            dark,
            Json::Bool(scheme == "dark"),
            "the scheme is the one asked for"
        );
        window
            .execute(
                "for (const one of document.querySelectorAll('details')) one.open = true",
                Vec::new(),
            )
            .await
            .expect("script");
        let beyond = window.execute(BEYOND, Vec::new()).await.expect("script");
        assert_eq!(
            beyond,
            Json::Array(Vec::new()),
            "beyond the page at {width} in {scheme}"
        );
        for (what, shown) in [
            (
                ".assertions th[scope=row]",
                &["team.accuracy", "ending.accuracy"][..],
            ),
            (".candidate .note", &["team.kappa", "ending.kappa"]),
            (
                "section th[scope=row]",
                &["second not worse than first in ending.accuracy"],
            ),
        ] {
            let script =
                "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText)";
            let found = window.execute(script, vec![what.into()]).await;
            let found = found.expect("script").to_string();
            for text in shown {
                assert!(found.contains(text), "`{text}` is not in {found}");
            }
        }
        let twice = window.execute(TWICE, Vec::new()).await.expect("script");
        assert_eq!(twice, Json::Array(Vec::new()), "names of several regions");
        if let Some(axe) = &axe {
            window.execute(axe, Vec::new()).await.expect("axe loads");
            let found = window
                .execute_async("axe.run().then(found => arguments[0](found.violations.map(one => one.id + ' ' + one.nodes[0].html)))", Vec::new())
                .await
                .expect("axe runs");
            assert_eq!(found, Json::Array(Vec::new()), "at {width} in {scheme}");
        }
        if let Some(folder) = std::env::var_os("DECBENCH_SCREENSHOTS") {
            let picture = window.screenshot().await.expect("a picture");
            let name = format!("page-{width}-{scheme}.png");
            std::fs::write(std::path::Path::new(&folder).join(name), picture).expect("a file");
        }
        window.close().await.expect("it closes");
    }
}

/// What sticks out of the window and does not scroll within it.
const BEYOND: &str = "
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll('body *')]
  .filter(one => !one.closest('.scroll, svg, script, noscript, .skip, thead'))
  .filter(one => one.getBoundingClientRect().right > width + 1)
  .map(one => one.outerHTML.slice(0, 80));";

/// What regions and pictures are called alike, so that readers of the screen cannot tell them apart.
const TWICE: &str = "
const names = [...document.querySelectorAll('[role=region], [role=img], nav')].map(one => one.getAttribute('aria-label'));
return names.filter((name, at) => names.indexOf(name) !== at);";

/// The script of axe-core; none where it is not there.
fn axe() -> Option<String> {
    let folder = std::env::var_os("DECBENCH_AXE");
    let required = std::env::var("DECBENCH_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(
        folder.is_some() || !required,
        "DECBENCH_AXE names no folder"
    );
    let path = std::path::Path::new(&folder?).join("node_modules/axe-core/axe.min.js");
    Some(
        std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}

async fn opens(driver: &Driver) {
    let project = Project::with_cases(10_000);
    let window = driver.window(1280, "light").await;
    let page = format!("file://{}", project.page().display());
    let mut fastest = f64::INFINITY;
    // Other programs may slow one opening down, hardly five.
    for _ in 0..5 {
        window.goto(&page).await.expect("the page opens");
        let took = window
            .execute(
                "return performance.getEntriesByType('navigation')[0].loadEventEnd",
                Vec::new(),
            )
            .await
            .expect("script");
        fastest = fastest.min(took.as_f64().expect("a number"));
    }
    assert_eq!(
        counted(&window).await,
        "2000 of 10000 cases",
        "the wrong ones"
    );
    let bytes = std::fs::metadata(project.page()).expect("a file").len();
    assert!(
        fastest < 1000.0,
        "open after {fastest:.0} ms, {bytes} bytes"
    );
    window.close().await.expect("it closes");
}
