// What decides on the pages of this guide. The test of the guide compiles this file; a page quotes from it.

#[decbench::provider]
fn guide_always_yes(_state: &str) -> bool {
    true
}

#[decbench::provider]
fn refund_rule(request: &str) -> &'static str {
    if request.contains("broken") || request.contains("missing") {
        "pay"
    } else {
        "ask_a_person"
    }
}

#[decbench::provider]
fn refund_policy(request: &str) -> &'static str {
    let number_after = |words: &str| -> Option<u32> {
        let (_, rest) = request.split_once(words)?;
        rest.split(' ').next()?.parse().ok()
    };
    let (Some(price), Some(days)) = (number_after(" for "), number_after("delivered ")) else {
        return "ask_a_person";
    };
    let odd = ["neighbour", "not here", "somebody else", "heard nothing"];
    let broken = ["broken", "missing", "stopped", "crushed", "not switch on"];
    let says = |words: &[&str]| words.iter().any(|word| request.contains(word));
    if price >= 200 || says(&odd) {
        "ask_a_person"
    } else if days <= 14 || says(&broken) && days <= 30 {
        "pay"
    } else if says(&broken) {
        "ask_a_person"
    } else {
        "refuse"
    }
}
