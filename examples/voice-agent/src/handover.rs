//! Whether a person has to take over a call.

use crate::says;

/// Whether a person takes over now: the caller asks for one, is hurt or in need, or threatens.
///
/// It reads words, so it takes "no need for a human" for a wish.
pub fn needs_a_person(transcript: &str) -> bool {
    let asks = [
        "human",
        "person",
        "operator",
        "manager",
        "speak to",
        "talk to someone",
        "representative",
    ];
    let need = [
        "died", "dementia", "blind", "crying", "afford", "hospital", "smoke", "shock",
    ];
    let threat = ["solicitor", "complaint", "trading standards", "scammed"];
    says(transcript, &asks) || says(transcript, &need) || says(transcript, &threat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_needs_and_threats_reach_a_person() {
        assert!(needs_a_person("caller: a human please"));
        assert!(needs_a_person("caller: my husband died"));
        assert!(needs_a_person("caller: my solicitor will write to you"));
        assert!(!needs_a_person("caller: what time do you close"));
    }
}
