//! The words that callers are known by, separated by commas; each is looked for as whole words.
//!
//! The lists grew with the switchboard. Whoever adds a word runs the suite: a word that helps one team often
//! takes calls from another.

/// What speaks for fraud.
pub(crate) const FRAUD: &str = "\
    fraud, fraudulent, scam, scammer, scammed, hacked, hacker, phishing, stolen, stole, sim swap, identity \
    theft, impersonating, pretending to be, someone else is using, someone is using, somebody is using, \
    unauthorised, suspicious, victim, wasn't me, isn't mine, didn't order, never ordered, never signed";

/// What speaks for leaving.
pub(crate) const CANCELLATION: &str = "\
    cancel, cancelling, cancellation, terminate, terminated, termination, end my contract, end the contract, \
    end of my contract, out of my contract, out of the contract, close my account, leave you, leaving you, \
    leaving larkfield, another provider, other provider, new provider, switch provider, switching to, give \
    notice, notice period, not renew, don't want it anymore, no longer need, no longer want, take my number, \
    porting code, pac";

/// What speaks for billing.
pub(crate) const BILLING: &str = "\
    bill, bills, billed, billing, invoice, invoices, charge, charges, charged, charging, overcharged, \
    payment, payments, paid, pay, paying, refund, refunded, money, pounds, direct debit, debited, late fee, \
    fee, credit, credited, card, balance, owe, receipt, statement, instalment, instalments, reminder, \
    roaming, bank, vat, discount, price increase";

/// What speaks for support.
pub(crate) const SUPPORT: &str = "\
    not working, isn't working, doesn't work, does not work, stopped working, can't get, can't connect, \
    won't, broken, fault, faulty, problem, slow, speed, outage, offline, router, modem, wifi, wi-fi, \
    password, log in, login, reset, restart, restarted, error, signal, no service, drop, drops, dropping, \
    cuts out, cut off, crackling, noise, frozen, engineer, technician, appointment, dial tone, voicemail, \
    connect, connection, disconnected, lights, light, set up, settings, install, activate, app, down, block";

/// What speaks for sales.
pub(crate) const SALES: &str = "\
    upgrade, upgrading, buy, buying, purchase, order, offer, offers, deal, deals, price, prices, package, \
    packages, tariff, tariffs, plan, plans, sign up, join, new customer, become a customer, new contract, \
    new line, second line, quote, brochure, available, availability, cover, add, faster, interested in, \
    looking for, how much, moving, move house, recommend";

/// What we sell; says nothing about what somebody wants.
pub(crate) const PRODUCTS: &str = "\
    internet, broadband, fibre, phone, handset, mobile, sim, esim, line, landline, tv, telly, box, socket, \
    cable, calls";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_word_speaks_for_two_teams() {
        let lists = [FRAUD, CANCELLATION, BILLING, SUPPORT, SALES, PRODUCTS];
        let mut seen = HashSet::new();
        for keyword in lists.into_iter().flat_map(|list| list.split(", ")) {
            assert!(seen.insert(keyword), "{keyword} is listed twice");
        }
    }

    #[test]
    fn keywords_are_written_as_transcripts_are_read() {
        let lists = [FRAUD, CANCELLATION, BILLING, SUPPORT, SALES, PRODUCTS];
        for keyword in lists.into_iter().flat_map(|list| list.split(", ")) {
            assert_eq!(keyword, keyword.trim().to_lowercase());
            assert!(!keyword.is_empty() && !keyword.contains(','));
        }
    }
}
