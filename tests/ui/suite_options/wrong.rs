#[decbench::test]
fn no_suite(_: &str) -> bool {
    true
}

#[decbench::test(suit = "tests/ui/suites/urgency.yaml")]
fn unknown(_: &str) -> bool {
    true
}

#[decbench::test(suite = "tests/ui/suites/urgency.yaml", candidate = "Rules 2")]
fn no_candidate(_: &str) -> bool {
    true
}

#[decbench::test(suite = "tests/ui/suites/urgency.yaml")]
#[allow(non_snake_case)]
fn Router(_: &str) -> bool {
    true
}

#[decbench::test(suite = "tests/ui/suites/urgency.yaml")]
const ROUTER: bool = true;

fn main() {}
