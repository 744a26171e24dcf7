#[decbench::provider(nam = "router")]
fn unknown(_: &str) -> &'static str {
    "support"
}

#[decbench::provider(recorded = true, recorded = false)]
fn repeated(_: &str) -> bool {
    true
}

#[decbench::provider("router")]
fn no_option(_: &str) -> bool {
    true
}

#[decbench::provider(recorded)]
fn no_value(_: &str) -> bool {
    true
}

#[decbench::provider(name = router)]
fn no_text(_: &str) -> bool {
    true
}

#[decbench::provider(recorded = "yes")]
fn no_switch(_: &str) -> bool {
    true
}

#[decbench::provider(question = "")]
fn no_question(_: &str) -> bool {
    true
}

#[decbench::provider(name = "calls::router")]
fn no_name(_: &str) -> bool {
    true
}

#[decbench::provider(crate = "decbench")]
fn no_path(_: &str) -> bool {
    true
}

fn main() {
    // The functions stay where they are, so that each slip gives one message.
    unknown("");
    let _ = [
        repeated(""),
        no_option(""),
        no_value(""),
        no_text(""),
        no_switch(""),
        no_question(""),
        no_name(""),
        no_path(""),
    ];
}
