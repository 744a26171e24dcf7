//! The scorecard as Markdown, for a pull request.

use std::fmt::Write as _;

use super::number::{format_interval, format_value};
use super::scorecard::{AssertionLine, QuestionCard, Scorecard};
use super::sentence::verdict_sentence;
use super::text::to_text;
use crate::judge::Outcome;
use crate::metric::Unit;

/// The scorecard as Markdown: assertions first, the whole text below.
pub fn to_markdown(card: &Scorecard) -> String {
    let mut out = format!("## {}\n\n", escape(&card.suite));
    let count = |outcome: Outcome| {
        card.assertions
            .iter()
            .filter(|line| line.judgement.outcome == outcome)
            .count()
    };
    let _ = writeln!(
        out,
        "{} pass · {} fail · {} inconclusive · {} could not run — {} cases, {} with gold\n",
        count(Outcome::Pass),
        count(Outcome::Fail),
        count(Outcome::Inconclusive),
        count(Outcome::CouldNotRun),
        card.cases,
        card.with_gold
    );
    if let Some(finding) = &card.verdict {
        let _ = writeln!(out, "**{}**\n", escape(&verdict_sentence(finding)));
    }
    if !card.data.is_empty() {
        out.push_str("| outcome | data | what was found |\n|---|---|---|\n");
        for line in &card.data {
            let finding = &line.finding;
            let _ = writeln!(
                out,
                "| {} | {} | {} |",
                finding.outcome,
                escape(finding.check),
                escape(&finding.reason)
            );
        }
        out.push('\n');
    }
    if !card.assertions.is_empty() {
        out.push_str(
            "| outcome | candidate | required | measured | n | why |\n|---|---|---|---|---|---|\n",
        );
        for line in &card.assertions {
            write_row(&mut out, line);
        }
        out.push('\n');
    }
    for candidate in &card.candidates {
        for question in &candidate.questions {
            write_confused(&mut out, &candidate.name, question);
            write_flickering(&mut out, &candidate.name, question);
        }
    }
    write_changes(&mut out, card);
    let text = to_text(card);
    // A fence longer than any run of backticks in the text cannot be closed by it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(
        out,
        "<details><summary>Scorecard</summary>\n\n{fence}text\n{text}{fence}\n\n</details>"
    );
    out
}

/// Rows of a list of cases; the rest is counted.
const LISTED: usize = 10;

fn heading(candidate: &str, question: &QuestionCard) -> String {
    escape(&format!("{candidate}{}", question.title()))
}

fn write_confused(out: &mut String, candidate: &str, question: &QuestionCard) {
    let pairs = &question.tables.confused;
    if pairs.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<details><summary>Confused by {}</summary>\n\n| right | answered | n | cases |\n|---|---|---|---|",
        heading(candidate, question)
    );
    for pair in pairs.iter().take(LISTED) {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            escape(&pair.gold),
            escape(pair.answered.as_deref().unwrap_or("no option")),
            pair.n,
            escape(&named(&pair.cases, pair.n))
        );
    }
    if pairs.len() > LISTED {
        let _ = writeln!(out, "\nand {} more pairs", pairs.len() - LISTED);
    }
    out.push_str("\n</details>\n\n");
}

/// The first cases, and how many more there are.
fn named(cases: &[String], n: usize) -> String {
    let shown = &cases[..cases.len().min(LISTED)];
    let more = n - shown.len();
    if more > 0 {
        format!("{} and {more} more", shown.join(", "))
    } else {
        shown.join(", ")
    }
}

fn write_flickering(out: &mut String, candidate: &str, question: &QuestionCard) {
    let cases = &question.tables.flickering;
    if cases.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<details><summary>Flickering answers of {}</summary>\n\n| case | said | margin |\n|---|---|---|",
        heading(candidate, question)
    );
    for case in cases.iter().take(LISTED) {
        let said: Vec<String> = case
            .said
            .iter()
            .map(|(said, times)| format!("{said} {times}×"))
            .collect();
        let margin = case.margin.map_or_else(
            || "–".to_owned(),
            |margin| format_value(margin, Unit::Number),
        );
        let _ = writeln!(
            out,
            "| {} | {} | {margin} |",
            escape(&case.case),
            escape(&said.join(", "))
        );
    }
    if cases.len() > LISTED {
        let _ = writeln!(out, "\nand {} more cases", cases.len() - LISTED);
    }
    out.push_str("\n</details>\n\n");
}

/// What changed since the baseline, one row per claim.
fn write_changes(out: &mut String, card: &Scorecard) {
    let mut changes = card.claims.iter().filter(|line| line.earlier).peekable();
    if changes.peek().is_none() {
        return;
    }
    out.push_str(
        "| since the baseline | outcome | newly right | newly wrong | p of the flips | why |\n|---|---|---|---|---|---|\n",
    );
    for line in changes {
        let finding = &line.finding;
        let p = finding.change.as_ref().map_or_else(
            || "–".to_owned(),
            |change| format_value(change.flips_p, Unit::Number),
        );
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {p} | {} |",
            escape(&line.trial),
            if finding.skipped {
                "nothing to compare with"
            } else {
                finding.outcome.name()
            },
            escape(&line.newly_right.join(", ")),
            escape(&line.newly_wrong.join(", ")),
            escape(&finding.reason)
        );
    }
    out.push('\n');
}

fn write_row(out: &mut String, line: &AssertionLine) {
    let judgement = &line.judgement;
    let unit = line.metric.info().unit;
    let question = if line.question.is_empty() {
        String::new()
    } else {
        format!("{}.", line.question)
    };
    let measured = judgement.value.as_ref().map_or_else(String::new, |value| {
        let interval = value.interval.map_or_else(String::new, |interval| {
            format!(" {}", format_interval(interval, unit))
        });
        format!("{}{interval}", format_value(value.value, unit))
    });
    let n = judgement
        .value
        .as_ref()
        .map_or_else(String::new, |value| value.n.to_string());
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {n} | {} |",
        judgement.outcome,
        escape(&line.candidate),
        escape(&format!(
            "{question}{} {}",
            line.metric, line.requirement.bound
        )),
        escape(&measured),
        escape(&judgement.reason)
    );
}

/// Text that means nothing to Markdown or HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' => out.push_str("\\|"),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' => out.push(' '),
            '`' | '*' | '_' | '[' | ']' | '\\' | '#' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}
