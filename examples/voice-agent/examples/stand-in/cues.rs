//! What the stand-ins listen for: a few words per option of each question.
//!
//! `~` marks what only the large model knows, `+` what counts double.

/// An option as a model knows it.
pub(crate) struct Known {
    pub(crate) key: &'static str,
    /// How likely it is before anything is heard.
    pub(crate) prior: f64,
    pub(crate) cues: &'static str,
}

/// What a model knows of a question.
pub(crate) struct Task {
    /// Words of the instructions by which the question is known.
    pub(crate) asks: &'static str,
    pub(crate) options: &'static [Known],
}

const fn known(key: &'static str, prior: f64, cues: &'static str) -> Known {
    Known { key, prior, cues }
}

pub(crate) const TASKS: &[Task] = &[
    Task {
        asks: "Which desk",
        options: &[
            known(
                "orders",
                0.3,
                "\
                 my order, deliver, tracking, driver, parcel, the courier, ~when the, ~wear is, ~turned up, \
                 ~turn up, warehouse, ware house, ~get here, ~still processing, ~did it go through, cancel an \
                 order, ~said friday, ~the new lamp, ~when is the other half, ~where is it, ~+just want to \
                 know if the driver, ~is it coming, brought up to the flat, ~before the weekend, placed an \
                 order, ~when does, due on",
            ),
            known(
                "returns",
                0.2,
                "\
                 send back, return, refund, re fund, swap, exchange, ~back it's, ~changed my mind, ~sent \
                 back, ~sending back, ~send the, ~the other one back, ~hand it in, wrong colour, ~change it \
                 over, ~going back, ~send them, send things back, ~posting it back, money for the, ~the \
                 money, ~picking up, ~send the pans back, ~send them pans, ~it came scratched",
            ),
            known(
                "repairs",
                0.2,
                "\
                 engineer, repair, broken, leak, fix, spare, ~won't drain, ~does not drain, ~stopped, \
                 guarantee, ~fit the, ~fitted, ~connect it, ~connected, ~doesn't close, ~shut the door, child \
                 lock, ~descale, ~just the part, ~not turn, ~noise, ~icing, ~ices, ~freezer, wonky, reset, \
                 ~mended, ~packed in, grinding, ~beeps, ~error, ~+i want the drum fixed, ~+you replaced the \
                 fan, a puddle, ~says e, ~shows e",
            ),
            known(
                "payments",
                0.1,
                "\
                 card, charge, invoice, payment, instalment, voucher, direct debit, finance, ~bill, billed, \
                 amex, receipt, loan, ~from my account, ~owe, gift card, ~twice, ~same a mount, ~same amount, \
                 ~taken two hundred, ~+the charge that came, ~+delivery charge, pay the rest, ~statement",
            ),
            known(
                "safety",
                0e+00,
                "\
                 +smoke, +shock, +burn, +fire, +gas, +spark, ~smell, ~swollen, ~crackling, ~crackles, \
                 +hospital, ~cut her hand, ~hit his head, +melted, ~recall, +carbon monoxide, ~+scorched, \
                 ~tipped over, ~fell down, ~electrics, ~buzz, +dangerous, ~+hair fryer, ~+air fryer, ~latch \
                 just pops, collapsed",
            ),
            known(
                "unclear",
                1e+00,
                "\
                 ~hello, ~speak to, ~someone please, ~hang on, ~bad line, ~real person, ~told to call, \
                 ~information, operator, ~customer services, ~is that, ~what no, ~something i bought, ~a \
                 purchase, ~my thing, ~a return., ~deleted",
            ),
        ],
    },
    Task {
        asks: "take over",
        options: &[
            known(
                "yes",
                0.1,
                "\
                 human, person, operator, manager, speak to, complaint, solicitor, died, ~afford, dementia, \
                 +hospital, ~scammed, +trading standards, smoke, ~round in circles, ~can't breathe, ~somebody \
                 help, ~help me, ~got into my account, ~had enough, ~machine, ~are you listening, ~won't \
                 leave, ~blind, swallowed, ~crying, ~managing director, ~hit my car, ~talk to, ~ordering \
                 things, ~no label, ~ninety one, journalist, ~supervisor, bailiffs, ~isn't a yes, ~have not \
                 got, shock, representative, ~broke my floor",
            ),
            known(
                "no",
                1e+00,
                "\
                 ~no need, ~don't want to make, ~we're all fine, ~first time, ~not going to, ~phone died, \
                 ~that's all i needed, ~no problem, ~changed my address, ~don't cancel, ~thank you, track, \
                 what time, how do i, how much, how long, invoice, ~she said to ring, ~okay put it, ~great, \
                 guarantee, ~swap, part number, ~is there any, ~take your time, do you deliver, ~that one, \
                 height, ~book the fitting, ~new one, review, ~don't bother, ~before he comes, ~was sorted, \
                 ~does the, ~is that normal, manual, ~do i pay, ~like to add, ~the bigger one, recycle, \
                 nineteenth, ~that's what i thought, voucher, ~firm's name, ~screws or glue, change tuesday, \
                 click and collect, ~be in for, ~only checking, ~who to thank, ~+opening times, ~+sofa \
                 delivery, return a lamp, ~pressed the wrong",
            ),
        ],
    },
    Task {
        asks: "refund be issued",
        options: &[
            known(
                "yes",
                0.8,
                "\
                 yes please, go ahead, ~yes do that, ~caller: yes, ~caller: please, ~do it, ~yes i'd, ~yeah, \
                 ~then yes, ~finally yes, ~go on, ~phew, ~okay yes, ~brilliant yes, lost by the courier, \
                 caller verified",
            ),
            known(
                "no",
                0.5,
                "\
                 +not verified, ~+already refunded, +gift card, ~past thirty, ~past the thirty, ~approved, ~a \
                 colleague, ~think, ~ask my wife, ~rather have, ~no leave, ~not that card, not yet delivered, \
                 ~keep it as, ~new bracket, ~the bracket, ~i'll have that, ~engineer, ~fitter, ~want another, \
                 ~send it again, ~good to know, ~want to keep, ~ta, ~40 days, ~45 days, ~61 days, ~38 days",
            ),
        ],
    },
    Task {
        asks: "call end",
        options: &[
            known(
                "resolved",
                0.8,
                "\
                 ~sent, ~done, ~in your inbox, ~moved, ~paid, ~it did, ~closes at, thank, ~that's it, ~we do \
                 deliver, ~it is, ~active, ~for five seconds, ~in the post, ~the right one",
            ),
            known(
                "callback",
                0e+00,
                "\
                 +ring you, +call you back, ~rings you, ~+they call you",
            ),
            known(
                "passed_on",
                0e+00,
                "\
                 +put you through, +putting you through, ~+connect, ~i put you",
            ),
            known(
                "complaint",
                0e+00,
                "\
                 +complaint",
            ),
            known(
                "dropped",
                0e+00,
                "\
                 +hung up, +line lost",
            ),
            known(
                "other",
                0.2,
                "\
                 wrong number, ~dentist, ~survey, ~loading bay, ~jobs",
            ),
        ],
    },
    Task {
        asks: "notice",
        options: &[
            known(
                "yes",
                0e+00,
                "\
                 +recorded, ~+record calls, ~+record our calls",
            ),
            known(
                "no",
                2e+00,
                "\
                 ~date of birth, ~agent: order number, ~full name, ~what's your name",
            ),
        ],
    },
    Task {
        asks: "feel",
        options: &[
            known(
                "0",
                0e+00,
                "\
                 +disgrace, furious, liars, +livid, ~cowboys, ~prison, ~useless, ~damn, ~shove, ~never been \
                 treated, ~ruined, ~unbelievable",
            ),
            known(
                "1",
                0.3,
                "\
                 again, last time, third time, ~not good enough, ~twice, ~at last, ~typical, ~took you long, \
                 ~what for, ~we'll see, ~hope so, ~forget it, ~minutes now, ~driving me mad, ~fourth time, \
                 ~heard that, ~not for the first, ~ask a lot",
            ),
            known(
                "2",
                1e+00,
                "\
                 okay, ~right, ~fine, ~bye, ~no bother, ~sorry",
            ),
            known(
                "3",
                0.2,
                "\
                 thanks, thank you, lovely, great, perfect, cheers, ~nice one, ~smashing, ~oh good, ~quick",
            ),
            known(
                "4",
                0e+00,
                "\
                 +brilliant, +fantastic, wonderful, ~+amazing, ~+star, ~so much, ~made my week",
            ),
        ],
    },
];
