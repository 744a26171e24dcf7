
/// Where a call goes; call your own code here.
#[decbench::provider]
fn keyword_router(call: &str) -> &'static str {
    let call = call.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| call.contains(word));
    if says(&["charge", "invoice", "bill", "debit", "fee", "paid", "refund"]) {
        "billing"
    } else if says(&["order", "plan", "upgrade", "buy", "offer", "package"]) {
        "sales"
    } else if says(&["hello", "morning", "hi,", "hotline"]) {
        "no_reason_yet"
    } else {
        "support"
    }
}
