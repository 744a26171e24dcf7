use decbench::test;

#[test(suite = "tests/ui/suites/urgency.yaml")]
fn rules(_: &str) -> bool {
    true
}

#[decbench::test(suite = "tests/ui/suites/urgency.yaml", candidate = "rules-2", name = "second", recorded = true)]
#[decbench::test(suite = "tests/ui/suites/waiting.yaml", candidate = "rules-2", name = "second")]
fn again(_: &str) -> bool {
    true
}

pub(crate) fn main() {
    let mut suites: Vec<String> = decbench::__private::inventory::iter::<decbench::__private::EmbeddedSuite>
        .into_iter()
        .filter(|suite| suite.file.contains("ui/suite_options/"))
        .map(|suite| {
            let function = suite.function.rsplit("::").next().unwrap_or_default();
            format!("{} {} {function}", suite.path, suite.candidate)
        })
        .collect();
    suites.sort();
    assert_eq!(
        suites,
        [
            "tests/ui/suites/urgency.yaml rules rules",
            "tests/ui/suites/urgency.yaml rules-2 second",
            "tests/ui/suites/waiting.yaml rules-2 second",
        ]
    );
    let functions: Vec<(&str, bool)> = decbench::__private::linked_functions()
        .into_iter()
        .filter(|function| function.place().contains("ui/suite_options/"))
        .map(|function| (function.name(), function.is_recorded()))
        .collect();
    // Two attributes on one function register it once, as recorded if one of them says so.
    assert_eq!(functions, [("rules", false), ("second", true)]);
}
