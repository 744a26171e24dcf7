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

/// What is done with a request for a refund.
#[derive(Debug, Clone, Copy, PartialEq, decbench::Options)]
#[options(rename_all = "snake_case", question = "May this refund be paid?", version = 2)]
pub enum Refund {
    /// Pay it back at once.
    Pay,
    /// Tell the customer why not.
    Refuse,
    /// Unclear or expensive.
    #[options(escape)]
    AskAPerson,
}

decbench::policy! {
    /// From here on nobody looks at the answer before it is sent.
    pub const AUTO_REFUND: Threshold = Threshold::new(0.9);
}

#[decbench::provider]
pub fn refund_shares(request: &str) -> decbench::Distribution<Refund> {
    let (refund, sure) = match refund_policy(request) {
        "pay" => (Refund::Pay, 0.95),
        "refuse" => (Refund::Refuse, 0.92),
        _ => (Refund::AskAPerson, 0.7),
    };
    let others = Refund::ALL.iter().filter(|other| **other != refund);
    let others = others.map(|other| (*other, (1.0 - sure) / 2.0));
    others.chain([(refund, sure)]).collect()
}

#[decbench::provider]
fn desk_words(call: &str) -> &'static str {
    let lists = [
        ("safety", &["smoke", "fire", "shock", "burn"][..]),
        ("returns", &["return", "refund", "swap"]),
        ("payments", &["card", "charge", "invoice"]),
        ("repairs", &["engineer", "broken", "leak"]),
        ("orders", &["order", "deliver", "tracking"]),
    ];
    let says = |words: &[&str]| words.iter().any(|word| call.contains(word));
    let found = lists.iter().find(|(_, words)| says(words));
    found.map_or("unclear", |(desk, _)| desk)
}

#[decbench::provider]
fn form_letter(request: &str) -> String {
    let order = request.split("order ").nth(1).unwrap_or_default();
    let digits: String = order.chars().take_while(char::is_ascii_digit).collect();
    format!("We are sorry about order {digits} and look into it.")
}

#[decbench::provider]
fn curt_letter(_request: &str) -> String {
    "Noted.".to_owned()
}

#[derive(serde::Deserialize)]
struct Material {
    answer: Option<String>,
    first_answer: Option<String>,
    second_answer: Option<String>,
}

#[decbench::provider]
fn judge_by_words(material: Material) -> decbench::Answers {
    let sorry = |answer: Option<&str>| answer.is_some_and(|text| text.contains("sorry"));
    if let Some(answer) = material.answer {
        return decbench::Answers::new()
            .and("sorry", sorry(Some(&answer)))
            .and("order", answer.contains("order"));
    }
    let first = sorry(material.first_answer.as_deref());
    let better = match (first, sorry(material.second_answer.as_deref())) {
        (true, false) => "first",
        (false, true) => "second",
        _ => "tie",
    };
    decbench::Answers::new().and("better", better)
}
