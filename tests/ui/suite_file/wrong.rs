#[decbench::test(suite = "tests/ui/suites/absent.yaml")]
fn absent(_: &str) -> bool {
    true
}

#[decbench::test(suite = "/suites/urgency.yaml")]
fn absolute(_: &str) -> bool {
    true
}

#[decbench::test(suite = "tests/ui/suites/broken.yaml")]
fn broken(_: &str) -> bool {
    true
}

fn main() {}
