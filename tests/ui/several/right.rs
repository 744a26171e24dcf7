// A slip in the body is the compiler's to tell, and here is none.
#[decbench::provider(name = "x", recorded = true)]
fn router(_: &str) -> bool {
    true
}

pub(crate) fn main() {}
