#![deny(warnings, missing_docs)]
//! Policies.

use decbench::Distribution;

decbench::policy! {
    /// From here on a refund is paid without a person.
    pub const AUTO_REFUND: Threshold = Threshold::new(0.9);
    /// Below this two answers are too near to each other.
    const CLEAR_LEAD: Margin = Margin::new(0.2);
    /// A customer waits no longer.
    pub(crate) const REFUND_WITHIN: Timeout = Timeout::millis(1_500).or("no");
}

pub(crate) fn main() {
    let sure = Distribution::of([(true, 0.95)]);
    assert_eq!(AUTO_REFUND.decide(&sure), Some(&true));
    assert_eq!(CLEAR_LEAD.decide(&sure), Some(&true));
    assert_eq!(REFUND_WITHIN.default::<bool>(), Some(false));
}
