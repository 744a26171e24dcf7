// Slips in the options and in the signature are told together.
#[decbench::provider(nam = "x", recorded = 1)]
fn router<T>(_: &mut T, _: &str) {}

fn main() {}
