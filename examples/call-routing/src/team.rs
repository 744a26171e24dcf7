//! The teams that calls are passed to.

/// A team that can take a call, or the state of a call that cannot be passed on yet.
///
/// The options of the question, in the order of the switchboard's menu; the suite is held against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, decbench::Options)]
#[options(rename_all = "snake_case", version = 1)]
pub enum Team {
    /// Invoices, charges, payments, refunds and debts
    Billing,
    /// Something is broken, slow or needs explaining; appointments with engineers
    Support,
    /// Wants to buy, change plan or move with the service
    Sales,
    /// Wants to end a contract, withdraw from an order or take a number elsewhere
    Cancellation,
    /// Somebody else may be using the account, the number, the phone or the customer's name, or claims to be us
    Fraud,
    /// Has not said what they want; ask them
    #[options(escape)]
    NoReasonYet,
}
