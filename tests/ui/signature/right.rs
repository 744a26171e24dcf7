struct Router;

#[decbench::provider]
fn plain(_: &[String]) -> bool {
    true
}

#[decbench::provider]
async fn waits<'call>(call: &'call str) -> &'call str {
    std::future::ready(call).await
}

impl Router {
    fn method(&self) -> bool {
        true
    }
}

#[decbench::provider]
fn of_method(_: &str) -> bool {
    Router.method()
}

#[decbench::provider]
fn everything(request: &decbench::Request<'_>) -> usize {
    request.questions.len()
}

#[decbench::provider]
fn nothing() -> bool {
    true
}

#[cfg(any())]
#[decbench::provider]
fn absent(_: &str) -> bool {
    missing!()
}

#[decbench::provider]
#[cfg(any())]
fn absent_too(_: &str) -> bool {
    missing!()
}

pub(crate) fn main() {
    #[decbench::provider]
    fn inside(_: &str) -> bool {
        true
    }

    let names: Vec<&str> = decbench::__private::linked_functions()
        .into_iter()
        .filter(|function| function.place().contains("ui/signature/"))
        .map(|function| function.name())
        .collect();
    assert_eq!(
        names,
        ["everything", "inside", "nothing", "of_method", "plain", "waits"]
    );
}
