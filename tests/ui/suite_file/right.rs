#[decbench::test(suite = "suites/urgency.yaml")]
fn rules(_: &str) -> bool {
    true
}

fn main() {}
