//! The teams that calls are passed to.

use std::fmt;

/// A team that can take a call, or the state of a call that cannot be passed on yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Team {
    /// Invoices, charges, payments and refunds.
    Billing,
    /// Something is broken, slow or needs explaining.
    Support,
    /// Wants to buy, change plan or move with the service.
    Sales,
    /// Wants to end a contract or take a number elsewhere.
    Cancellation,
    /// Somebody else may be using the account, the number or the customer's name.
    Fraud,
    /// The caller has not said what they want.
    NoReasonYet,
}

impl Team {
    /// Every team, in the order of the switchboard's menu.
    pub const ALL: [Self; 6] = [
        Self::Billing,
        Self::Support,
        Self::Sales,
        Self::Cancellation,
        Self::Fraud,
        Self::NoReasonYet,
    ];

    /// The name the switchboard knows the team by.
    pub fn key(self) -> &'static str {
        match self {
            Self::Billing => "billing",
            Self::Support => "support",
            Self::Sales => "sales",
            Self::Cancellation => "cancellation",
            Self::Fraud => "fraud",
            Self::NoReasonYet => "no_reason_yet",
        }
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_teams_share_a_key() {
        let keys: HashSet<_> = Team::ALL.into_iter().map(Team::key).collect();
        assert_eq!(keys.len(), Team::ALL.len());
    }
}
