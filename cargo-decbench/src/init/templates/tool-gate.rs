
/// Whether a refund is paid; call your own code here.
#[decbench::provider]
fn refund_policy(request: &str) -> &'static str {
    let amount = request
        .split(' ')
        .find_map(|word| word.parse::<u32>().ok())
        .unwrap_or(u32::MAX);
    let says = |words: &[&str]| words.iter().any(|word| request.contains(word));
    if amount >= 200 || says(&["lawyer", "journalist", "child", "promised"]) {
        "ask_a_person"
    } else if says(&["ago", "again", "already", "used", "same photo", "another", "brick", "no longer"]) {
        "refuse"
    } else {
        "act"
    }
}
