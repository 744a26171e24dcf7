//! Whether a refund may be issued in this turn.

/// The most that the agent pays back without a colleague, in pounds; less than this, not this.
const LIMIT: f64 = 100.0;
/// How many days after the delivery something may still be given back.
const DAYS: u32 = 30;

/// Whether the agent may issue the refund now.
///
/// The first line of a transcript is what the systems know: `[order 51802, oven glove set, 18.00, delivered 6 days
/// ago, caller verified]`. A refund is issued when the caller is verified, the sum lies below the limit, the parcel
/// came within thirty days or was lost, it is no gift card, and the last thing the caller said is a yes.
///
/// ```
/// use voice_agent::may_refund;
/// let known = "[order 51802, oven glove set, 18.00, delivered 6 days ago, caller verified]";
/// assert!(may_refund(&format!("{known} caller: it is torn. agent: eighteen pounds back. caller: yes please")));
/// assert!(!may_refund(&format!("{known} caller: it is torn. agent: eighteen pounds back. caller: let me think")));
/// ```
pub fn may_refund(transcript: &str) -> bool {
    let Some((known, said)) = transcript
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    else {
        return false;
    };
    let facts: Vec<&str> = known.split(", ").collect();
    let [_, item, sum, delivery, caller] = facts[..] else {
        return false;
    };
    let days = delivery
        .strip_prefix("delivered ")
        .and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    let in_time = days.is_some_and(|days| days <= DAYS) || delivery == "lost by the courier";
    let allowed = caller == "caller verified"
        && item != "gift card"
        && sum.parse::<f64>().is_ok_and(|sum| sum < LIMIT);
    in_time && allowed && agrees(said)
}

/// Whether the caller's last words agree: a yes, and nothing that takes it back.
fn agrees(said: &str) -> bool {
    let last = said.rsplit("caller: ").next().unwrap_or_default();
    let words: Vec<&str> = last
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .collect();
    let any = |list: &[&str]| list.iter().any(|word| words.contains(word));
    any(&["yes", "yeah", "please", "do", "go"]) && !any(&["no", "not", "don't", "think", "new"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(known: &str) -> bool {
        may_refund(&format!("[order 1, {known}] agent: shall i. caller: yes"))
    }

    #[test]
    fn a_small_sum_in_time_is_paid() {
        assert!(asked("lamp, 99.99, delivered 30 days ago, caller verified"));
        assert!(asked("lamp, 20.00, lost by the courier, caller verified"));
    }

    #[test]
    fn one_fact_is_enough_to_refuse() {
        for known in [
            "lamp, 100.00, delivered 3 days ago, caller verified",
            "lamp, 20.00, delivered 31 days ago, caller verified",
            "lamp, 20.00, already refunded, caller verified",
            "lamp, 20.00, not yet delivered, caller verified",
            "lamp, 20.00, delivered 3 days ago, caller not verified",
            "gift card, 20.00, delivered 3 days ago, caller verified",
        ] {
            assert!(!asked(known), "{known}");
        }
        assert!(!may_refund("caller: yes"));
    }
}
