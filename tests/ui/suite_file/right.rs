#[decbench::test(suite = "tests/ui/suites/urgency.yaml")]
fn rules(_: &str) -> bool {
    true
}

pub(crate) fn main() {}
