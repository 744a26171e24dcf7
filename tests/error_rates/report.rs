//! The table as a document.

use std::fmt::Write as _;

use crate::effort::Effort;
use crate::tally::{Cell, PER_SIDE, allowed};

/// What is said before the first table.
pub(crate) fn preface(effort: Effort) -> String {
    let draws = effort.draws;
    let band = 300.0 * (PER_SIDE * (1.0 - PER_SIDE) / f64::from(draws)).sqrt();
    format!(
        "# How often judgements err

Written by `ERROR_RATES=bless cargo test --workspace --test error_rates -- --ignored`; do not edit.

An assertion passes when the whole interval lies on the good side of its bound and fails when it lies on the bad side.
With 95% confidence each side may err in 2.5% of runs. It errs most where the truth lies exactly on the bound, and there
these tables look: answers are drawn from a law whose truth is known, laid out, measured and judged as a suite's answers
are. *Wrong pass* and *wrong fail* are the shares of runs with that outcome. Where every possible draw is counted with
its probability the figures are exact; elsewhere they come from {draws} draws with a fixed seed, and a side that errs in
2.5% of runs may show up to {:.1}%.

What is printed and what is judged are not always the same interval: a printed one is made to be read and is right on
average, a judged one must hold its level where errors are rare. The last columns say how often the truth lies above
or below the *printed* interval.

Comparisons and verdicts start one step later, from which cases each candidate has right. Metrics that are computed alike
err alike and are not listed one by one: every share of cases (precision, flips, pairs, selective accuracy, error rates) is
judged as accuracy is; `rps`, `mae`, `tvd`, `score_variance` and `max_prob_shift` as proper scores are; `f1`, `mcc` and
`macro_accuracy` as averages over classes are; `speed_score` and `cost_score` as the times and costs they are made of. Not
drawn are `aurc`, `cost_per_correct`, `first_slot_gap`, `capability` and `composite`.

An asterisk marks a level that is known not to be held; the reason stands below the table.
",
        2.5 + band
    )
}

/// A heading with its text, and the table of its cells.
pub(crate) fn section(text: &str, cells: &[Cell]) -> String {
    let mut out = format!("\n{text}\n\n");
    out.push_str("| metric | answers | cases | bound | wrong pass | wrong fail | printed interval | truth above | truth below |\n");
    out.push_str("|---|---|--:|---|--:|--:|---|--:|--:|\n");
    let mut reasons: Vec<&str> = Vec::new();
    for cell in cells {
        let mut marked = |rate: Option<f64>| {
            let over = rate.is_some_and(|rate| rate > allowed(PER_SIDE, cell.draws));
            match cell.known.filter(|_| over) {
                Some(known) => {
                    if !reasons.contains(&known.why) {
                        reasons.push(known.why);
                    }
                    format!("{} \\*", percent(rate))
                }
                None => percent(rate),
            }
        };
        let (wrong_pass, wrong_fail) = (marked(cell.wrong_pass()), marked(cell.wrong_fail()));
        let tally = &cell.tally;
        let misses = |rate: f64| (tally.printed > 0.0).then_some(rate);
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | `{}` | {wrong_pass} | {wrong_fail} | {} | {} | {} |",
            cell.metric,
            cell.data,
            cell.n,
            cell.bound,
            if cell.method.is_empty() {
                "–"
            } else {
                &cell.method
            },
            percent(misses(tally.below)),
            percent(misses(tally.above)),
        );
    }
    for reason in reasons {
        let _ = write!(out, "\n\\* {reason}\n");
    }
    out
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| format!("{:.1}%", rate * 100.0))
}

/// The document with this section in place of the one of the same heading; `None` where it has none, as before the
/// first writing of the whole.
pub(crate) fn with_section(document: &str, section: &str) -> Option<String> {
    let heading = section.lines().find(|line| line.starts_with("## "))?;
    let start = document.find(&format!("\n{heading}\n"))?;
    let rest = &document[start + 1 + heading.len()..];
    let end = rest
        .find("\n## ")
        .map_or(document.len(), |at| start + 1 + heading.len() + at);
    Some(format!(
        "{}{section}{}",
        &document[..start],
        &document[end..]
    ))
}

/// The first line in which two texts differ, as they have it.
pub(crate) fn first_difference(written: &str, found: &str) -> Option<String> {
    let mut lines = (written.lines(), found.lines());
    for number in 1.. {
        match (lines.0.next(), lines.1.next()) {
            (None, None) => return None,
            (written, found) if written != found => {
                let shown = |line: Option<&str>| line.unwrap_or("(end)").to_owned();
                return Some(format!(
                    "line {number}\n  document: {}\n  found:    {}",
                    shown(written),
                    shown(found)
                ));
            }
            _ => {}
        }
    }
    None
}
