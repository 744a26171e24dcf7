#[decbench::provider]
struct Router;

#[decbench::provider]
fn generic<T: AsRef<str>, const N: usize>(_: &[T; N]) -> bool {
    true
}

#[decbench::provider]
unsafe fn dangerous(_: &str) -> bool {
    true
}

impl Router {
    #[decbench::provider]
    fn method(&self) -> bool {
        true
    }
}

#[decbench::provider]
fn two(_: &str, _: usize) -> bool {
    true
}

#[decbench::provider]
fn changes(_: &mut String) -> bool {
    true
}

#[decbench::provider]
fn nameless(_: &impl AsRef<str>) -> bool {
    true
}

#[decbench::provider]
fn silent(_: &str) {}

fn main() {
    Router.method();
    silent("");
}
