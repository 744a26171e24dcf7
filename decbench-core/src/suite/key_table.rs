//! The table itself: one row per key, in the order of the reference.

use super::keys::{Key, Kind, Section};

pub(super) const fn key(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key {
        name,
        kind,
        doc,
        default: None,
    }
}

pub(super) const fn or(mut key: Key, default: &'static str) -> Key {
    key.default = Some(default);
    key
}

use Kind::{Flag, Free, Number, OneOf, Section as Map, Share, Text, Whole};

pub(super) const SUITE: &[Key] = &[
    or(
        key("suite", Text, "The suite's name."),
        "the file's name without its ending",
    ),
    key("question", Map(Section::Question), "The question."),
    key(
        "questions",
        Free("a map of questions by name"),
        "Several questions, all put in one request per state.",
    ),
    key(
        "output",
        OneOf(&["text", "json"]),
        "In place of a closed question: answers are in the candidate's own words, a text or a JSON document.",
    ),
    key(
        "prompt",
        Text,
        "The system prompt of an open suite; candidates are told it before `task`.",
    ),
    key(
        "task",
        Text,
        "What candidates of an open suite do with a case's state.",
    ),
    key(
        "checks",
        Map(Section::Checks),
        "What must hold of every answer of an open suite.",
    ),
    key(
        "judge",
        Map(Section::Judge),
        "Who judges the answers of an open suite, and by what.",
    ),
    key(
        "cases",
        Free("a file, a list of cases, or a map with `file`"),
        "The cases.",
    ),
    key(
        "candidates",
        Free("a map of candidates by name"),
        "Who could take the decision.",
    ),
    key(
        "assert",
        Free("a map from metrics to bounds"),
        "What must hold for every candidate that is no baseline.",
    ),
    key(
        "verdict",
        Free("what is expected, or a map with `expect`"),
        "Whether to switch, to keep today's candidate or to test more, and what is expected of it.",
    ),
    key(
        "compare",
        Free("a map with `against`, or a list of these"),
        "What is claimed of every candidate that is no baseline against another one.",
    ),
    key(
        "published",
        Map(Section::Published),
        "What others published of the candidates, and how well this suite must agree with it.",
    ),
    key(
        "baseline",
        Text,
        "The git revision or folder whose recorded answers `against: baseline` means, unless the profile or DECBENCH_BASELINE names another.",
    ),
    key(
        "gates",
        Free("a map from metrics to bounds"),
        "Hard limits: who breaks one is not ranked, unless today's candidate breaks it too.",
    ),
    key(
        "data",
        Map(Section::Data),
        "What must hold of the cases themselves.",
    ),
    key(
        "recording",
        Map(Section::Recording),
        "What must hold of the recorded answers of every service.",
    ),
    key(
        "turn",
        Map(Section::Turn),
        "Several calls at a time, turn after turn, each turn within a budget of time.",
    ),
    key(
        "load",
        Map(Section::Load),
        "Calls that arrive at production's rate and multiples of it, whether earlier ones were answered or not; in live mode only.",
    ),
    key(
        "conventions",
        Map(Section::Conventions),
        "What authors do differently, for all questions.",
    ),
    key(
        "by",
        Free("a list of fields, or of lists of fields"),
        "Prints every metric per group too.",
    ),
    or(
        key(
            "scorecard",
            OneOf(&["snapshot", "print", "off"]),
            "Whether the scorecard is compared with its reviewed snapshot.",
        ),
        "snapshot",
    ),
];

pub(super) const QUESTION: &[Key] = &[
    key(
        "type",
        OneOf(&["choice", "yes_no", "score"]),
        "What kind of answer is wanted.",
    ),
    key(
        "version",
        Whole(0, u32::MAX),
        "The wording's version, part of every recording's identity.",
    ),
    key("instructions", Text, "The text of the question."),
    key(
        "options",
        Free(
            "a map of options to descriptions, a list of options, `{file: options.json}`, or `{rust: Team}`",
        ),
        "The options of a choice, in the order sent.",
    ),
    key("yes", Text, "What yes means; yes_no only."),
    key("no", Text, "What no means; yes_no only."),
    key(
        "levels",
        Free("a list of texts, level 0 first, or `{rust: Mood}`"),
        "The levels of a score.",
    ),
    key(
        "rust",
        Text,
        "The Rust type whose values are the answers: what the question says beside it must be what the type says.",
    ),
    key(
        "assert",
        Free("a map from metrics to bounds"),
        "What must hold for this question.",
    ),
    key(
        "gate",
        Free(
            "the name of a yes/no question of the suite, or a map with `question` and `otherwise`",
        ),
        "The question that has to say yes first: where it does not, this one is not scored, or decided by `otherwise`.",
    ),
    key(
        "conventions",
        Map(Section::Conventions),
        "What authors do differently, for this question.",
    ),
];

pub(super) const WORDING: &[Key] = &[
    key(
        "type",
        OneOf(&["choice", "yes_no", "score"]),
        "The suite's own type, repeated.",
    ),
    key("version", Whole(0, u32::MAX), "The wording's version."),
    key(
        "instructions",
        Text,
        "The candidate's text of the question.",
    ),
    key(
        "options",
        Free("a map of the suite's options to other descriptions"),
        "Other descriptions of the same options.",
    ),
    key("yes", Text, "What yes means."),
    key("no", Text, "What no means."),
    key(
        "levels",
        Free("a list of texts"),
        "Other texts of the same levels.",
    ),
];

pub(super) const OPTION: &[Key] = &[
    key("description", Text, "What the option means."),
    or(
        key(
            "escape",
            Flag,
            "Whether this is the way out when no other option fits.",
        ),
        "false",
    ),
];

pub(super) const CASES: &[Key] = &[
    key(
        "file",
        Text,
        "A file of cases: .jsonl, .json, .csv or .yaml.",
    ),
    key(
        "fields",
        Free("a map from keys of a case to columns of the file"),
        "Reads a file with other people's columns; columns that are not named here or known are passed over.",
    ),
    key(
        "lockbox",
        Free("a share, as in `30%`, or `true` for 30%"),
        "The share of cases that is put into the lock box, chosen by a hash of their cluster.",
    ),
    or(
        key(
            "seed",
            Whole(0, u32::MAX),
            "Another seed chooses another lock box.",
        ),
        "0",
    ),
    or(
        key(
            "split",
            OneOf(&["dev", "lockbox"]),
            "The part that cases of this file belong to, unless they say otherwise.",
        ),
        "dev",
    ),
];

pub(super) const CASE: &[Key] = &[
    or(
        key("id", Text, "Its name, unique in the suite."),
        "the row's number",
    ),
    key(
        "state",
        Free("text or JSON"),
        "What production sees: the material the decision is taken on.",
    ),
    key(
        "states",
        Free("a map with `clean`, `minimal` or `padded`"),
        "Further views of the same material.",
    ),
    key(
        "gold",
        Free(
            "an answer, a list of acceptable answers, a distribution, `unknown`, or a map of these by question",
        ),
        "The answer that a person wrote or approved.",
    ),
    key(
        "reference",
        Free("as `gold`"),
        "An answer that nobody has approved.",
    ),
    key(
        "production_answer",
        Free("an answer, or a map of answers by question"),
        "What production answered.",
    ),
    key(
        "production_tool_calls",
        Free("a list of maps with `name` and `arguments`"),
        "The tools that production called for its answer; open suites only.",
    ),
    key(
        "expect",
        Map(Section::Checks),
        "What must hold of the answer to this case; open suites only.",
    ),
    key(
        "rubric",
        Free("a criterion, or a list of criteria"),
        "What a good answer to this case does, beside the suite's rubric; open suites only.",
    ),
    key(
        "tools",
        Free("a list of maps with `name`, `arguments` and `result`"),
        "What the tools of an agent give back in this case; open suites only.",
    ),
    key(
        "stereotype",
        Free("an answer, or a map of answers by question"),
        "The answer that a stereotype would give; `bias_score` counts how often it is given.",
    ),
    or(
        key(
            "weight",
            Number(0.0, f64::MAX),
            "Share of the population over share of the sample.",
        ),
        "1",
    ),
    key(
        "cluster",
        Text,
        "Cases of one cluster are one unit of evidence.",
    ),
    key(
        "strata",
        Free("a map of names to values"),
        "Where the case was sampled from.",
    ),
    key("tier", Text, "How hard it is."),
    key("family", Text, "What kind of task it is."),
    key("language", Text, "The language of the state."),
    or(
        key(
            "split",
            OneOf(&["dev", "lockbox"]),
            "The part of the cases it belongs to.",
        ),
        "that of `cases:`",
    ),
    key(
        "labels",
        Free("a map of raters to answers, or to probabilities by option"),
        "What each rater answered.",
    ),
    key("pair", Map(Section::Pair), "The pair it belongs to."),
    key(
        "origin",
        OneOf(&["person", "trace", "file", "generated", "agent"]),
        "Where it comes from.",
    ),
    key(
        "approved",
        Map(Section::Approved),
        "Who approved the label.",
    ),
    key("at", Text, "The date of the case."),
    key(
        "question",
        Map(Section::Question),
        "A question of this case alone, in place of the suite's.",
    ),
    key(
        "questions",
        Free("a map of questions by name"),
        "Questions of this case alone, in place of the suite's.",
    ),
];

pub(super) const GATE: &[Key] = &[
    key(
        "question",
        Text,
        "The name of a yes/no question of the suite.",
    ),
    or(
        key(
            "otherwise",
            Text,
            "The option that is decided for where the gate is closed.",
        ),
        "nothing is decided there, and nothing scored",
    ),
];

pub(super) const PAIR: &[Key] = &[
    key("id", Text, "Shared by the members."),
    key(
        "relation",
        OneOf(&["same", "opposite"]),
        "How the members' answers should stand to each other.",
    ),
];

pub(super) const APPROVED: &[Key] = &[
    key("by", Text, "Who."),
    key("at", Text, "When."),
    key(
        "digest",
        Text,
        "Digest of state, question and label at that time.",
    ),
];

pub(super) const CANDIDATE: &[Key] = &[
    key("provider", Text, "Which provider answers."),
    or(
        key("today", Flag, "Whether production uses it now."),
        "false",
    ),
    or(
        key(
            "baseline",
            Flag,
            "Whether it is only shown and compared with, and never gated.",
        ),
        "false; true for naive-bayes",
    ),
    or(
        key(
            "missing",
            OneOf(&["fail", "skip"]),
            "What happens to cases without a recorded answer.",
        ),
        "fail",
    ),
    key(
        "question",
        Map(Section::Wording),
        "The question in the candidate's own wording; labels are the suite's.",
    ),
    key(
        "questions",
        Free("a map of wordings by question"),
        "Several questions in the candidate's own wording.",
    ),
    key(
        "tuning_rounds",
        Whole(0, u32::MAX),
        "How often the wording was tuned.",
    ),
    or(
        key(
            "family",
            Text,
            "The line of models it belongs to; no judge of the same one judges its answers.",
        ),
        "the letters that its model's name begins with",
    ),
    key(
        "recording",
        Map(Section::Recording),
        "What must hold of this candidate's recorded answers; comes before the suite's.",
    ),
    key(
        "confidence_from",
        Map(Section::ConfidenceFrom),
        "Whose agreement stands for the confidence of a candidate that gives no probabilities.",
    ),
    key(
        "assert",
        Free("a map from metrics to bounds or `off`"),
        "Replaces, adds or removes assertions for this candidate.",
    ),
];

pub(super) const RECORDING: &[Key] = &[
    key(
        "max_age",
        Free("a time, as in `90d`, `8w` or `12h`"),
        "The greatest age of a recorded answer, counted to today's date.",
    ),
    or(
        key(
            "model",
            OneOf(&["one", "exact", "any"]),
            "Which models may have answered: only one, the very one that was asked for, or any.",
        ),
        "one",
    ),
    key(
        "escape_change",
        Share,
        "By how much the share of escape answers may differ from that of the baseline's recording, either way.",
    ),
];

pub(super) const CONFIDENCE_FROM: &[Key] = &[key(
    "agree_with",
    Text,
    "Another candidate: the confidence is the probability that it gives to the answer, or where it gives none, 1 if it answers the same and 0 if not.",
)];

pub(super) const GOLD_FLOOR: &[Key] = &[
    or(
        key("cases", Whole(0, u32::MAX), "Fewest cases with gold."),
        "0",
    ),
    or(
        key("share", Share, "Smallest share of cases with gold."),
        "0%",
    ),
];

pub(super) const BOUND: &[Key] = &[
    key(
        "at_least",
        Free("a limit, as in `90%`"),
        "The smallest good value.",
    ),
    key(
        "at_most",
        Free("a limit, as in `2%`"),
        "The largest good value.",
    ),
    key(
        "policy",
        Text,
        "The policy of production code that gives the threshold, the margin or the time.",
    ),
    or(
        key(
            "confidence",
            Share,
            "Two-sided level of the interval; each side is judged at half of what is left.",
        ),
        "95%",
    ),
    or(
        key(
            "reading",
            OneOf(&["proven", "point", "anytime"]),
            "Whether the evidence must prove the bound.",
        ),
        "proven",
    ),
    or(
        key(
            "on_inconclusive",
            OneOf(&["ignore", "fail", "pass"]),
            "What an undecided outcome counts as.",
        ),
        "ignore",
    ),
    or(
        key(
            "sample",
            OneOf(&["as_taken", "population"]),
            "Whether cases count once or by their weight.",
        ),
        "as_taken",
    ),
    or(
        key(
            "split",
            OneOf(&["dev", "lockbox"]),
            "Which part of the cases is read.",
        ),
        "dev",
    ),
    key(
        "where",
        Free("a map of fields to values"),
        "Reads only the cases with these values.",
    ),
    or(
        key(
            "repeats",
            Whole(2, 1000),
            "How often the same call is made, for metrics of repeats.",
        ),
        "5",
    ),
    or(
        key(
            "orders",
            Whole(2, 1000),
            "How many orders of the options are shown, for metrics of orders.",
        ),
        "4",
    ),
    or(
        key(
            "unmeasurable",
            OneOf(&["fail", "skip"]),
            "What happens when there is nothing to measure.",
        ),
        "fail",
    ),
    or(
        key(
            "max_unanswered",
            Share,
            "Largest share of unanswered calls up to which it is judged.",
        ),
        "2%",
    ),
    key(
        "good",
        Free("a value, as in `95%`"),
        "A true value that should pass: the plan tells how often it would.",
    ),
    key(
        "bad",
        Free("a value, as in `80%`"),
        "A true value that should fail: the plan tells how often it would pass.",
    ),
];

pub(super) const CONVENTIONS: &[Key] = &[
    key("ece", Map(Section::Ece), "Calibration error."),
    key("brier", Map(Section::Brier), "Brier score."),
    key("log_loss", Map(Section::LogLoss), "Log loss."),
    or(
        key(
            "ties",
            OneOf(&["first", "lexicographic"]),
            "Which option counts as named when several share the top probability.",
        ),
        "first",
    ),
    or(
        key(
            "half",
            OneOf(&["wrong", "yes", "no"]),
            "How P(yes) of exactly one half reads; yes_no only.",
        ),
        "wrong",
    ),
    or(
        key(
            "sum_tolerance",
            Free("`auto`, or a number from 0 to 1"),
            "How far from 1 a distribution may sum and still be rescaled.",
        ),
        "auto",
    ),
    key("macro_f1", Map(Section::MacroF1), "Macro average of F1."),
    key("rps", Map(Section::Rps), "Ranked probability score."),
    or(
        key(
            "capability",
            OneOf(&["jevbench-v1.6", "page"]),
            "The rule set of capability, intelligence and calibration.",
        ),
        "jevbench-v1.6",
    ),
    or(
        key(
            "median_gap",
            Number(-100.0, 100.0),
            "How much more intelligence the median model shows on open cases than on sealed ones; what a model shows beyond it and 8 more is a penalty.",
        ),
        "2.573387642438244, of the leaderboard v1.6.2",
    ),
];

pub(super) const ECE: &[Key] = &[
    or(
        key("bins", Whole(1, 400), "Number of bins of equal width."),
        "10",
    ),
    or(
        key(
            "closed",
            OneOf(&["left", "right"]),
            "Which end belongs to a bin.",
        ),
        "left",
    ),
    or(
        key(
            "of",
            OneOf(&["top", "yes"]),
            "What is binned: the top probability, or P(yes); the latter for yes_no only.",
        ),
        "top",
    ),
    or(
        key(
            "edges",
            OneOf(&["binary", "decimal"]),
            "Whether edges are multiples of the width as doubles, or exact decimals.",
        ),
        "binary",
    ),
];

pub(super) const BRIER: &[Key] = &[or(
    key(
        "scale",
        OneOf(&["labels", "binary"]),
        "Sum over labels from 0 to 2, or squared error of P(yes) from 0 to 1; the latter for yes_no only.",
    ),
    "labels",
)];

pub(super) const LOG_LOSS: &[Key] = &[or(
    key(
        "floor",
        Number(0.0, 1.0),
        "Probabilities are raised to this before taking logarithms.",
    ),
    "1e-6",
)];

pub(super) const MACRO_F1: &[Key] = &[or(
    key(
        "classes",
        OneOf(&["gold", "seen", "declared"]),
        "Over which options F1 is averaged.",
    ),
    "gold",
)];

pub(super) const RPS: &[Key] = &[or(
    key(
        "normalised",
        Flag,
        "Whether it is divided by the number of boundaries between levels.",
    ),
    "true",
)];
