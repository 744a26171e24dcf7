//! What to do next, the cheapest first.

use crate::report::card::Assertion;
use crate::terminal::duration;

/// What a person takes for one label; reading a reference takes less.
const LABEL: f64 = 30.0;
const APPROVAL: f64 = 10.0;

/// Labels that people could still give to the cases there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Waiting {
    /// Cases with a reference that nobody has approved.
    pub(super) references: u64,
    /// Cases with neither.
    pub(super) unlabelled: u64,
}

/// The steps, cheapest first; none for a trial that holds.
pub(super) fn next(line: &Assertion, waiting: &Waiting, suite: &str, wrong: usize) -> Vec<String> {
    match line.outcome() {
        "inconclusive" => settle(line, waiting, suite),
        "fail" => mend(line, suite, wrong),
        "could_not_run" => vec![
            format!(
                "where answers are missing: `cargo decbench record {suite} --candidate {} --limit 20` tries it on a few cases, and without `--limit` asks the rest",
                line.candidate
            ),
            format!("`cargo decbench plan {suite}` says what the assertion needs"),
        ],
        _ => Vec::new(),
    }
}

fn settle(line: &Assertion, waiting: &Waiting, suite: &str) -> Vec<String> {
    let Some(more) = line.more_cases else {
        return vec![
            "no number of cases settles it: the value lies on the bound, so move the bound or improve the candidate"
                .to_owned(),
        ];
    };
    let mut steps = Vec::new();
    let mut left = more;
    let time = |labels: u64, each: f64| duration(labels as f64 * each);
    if waiting.references > 0 {
        let read = waiting.references.min(left);
        left -= read;
        steps.push(format!(
            "read {read} references, about {}: `cargo decbench approve {suite}`{}",
            time(read, APPROVAL),
            rest(left)
        ));
    }
    if left > 0 && waiting.unlabelled > 0 {
        let label = waiting.unlabelled.min(left);
        left -= label;
        steps.push(format!(
            "label {label} cases that have no gold, about {}{}",
            time(label, LABEL),
            rest(left)
        ));
    }
    if left > 0 {
        steps.push(format!(
            "collect and label {left} more cases like these, about {}",
            time(left, LABEL)
        ));
    }
    steps
}

fn rest(left: u64) -> String {
    match left {
        0 => "; that settles it if they are like those there are".to_owned(),
        left => format!("; {left} more are wanted after that"),
    }
}

fn mend(line: &Assertion, suite: &str, wrong: usize) -> Vec<String> {
    let mut steps = Vec::new();
    if wrong > 0 {
        steps.push(format!(
            "read the {} cases below of which `{}` was most sure: a wrong label there is the cheapest to mend",
            wrong.min(10),
            line.candidate
        ));
    }
    steps.push(format!(
        "improve `{}` and run `cargo test {suite}::{}::` again",
        line.candidate, line.candidate
    ));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(outcome: &str, more_cases: Option<u64>) -> Assertion {
        serde_json::from_value(serde_json::json!({
            "trial": "s::jev::accuracy", "candidate": "jev", "metric": "accuracy", "bound": ">= 90%",
            "outcome": outcome, "more_cases": more_cases,
        }))
        .expect("a line")
    }

    fn steps(outcome: &str, more: Option<u64>, references: u64, unlabelled: u64) -> Vec<String> {
        let waiting = Waiting {
            references,
            unlabelled,
        };
        next(&line(outcome, more), &waiting, "s", 3)
    }

    #[test]
    fn reading_comes_before_labelling_and_labelling_before_collecting() {
        let all = steps("inconclusive", Some(100), 30, 20);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(
            all[0].starts_with("read 30 references, about 5 min"),
            "{all:?}"
        );
        assert!(all[1].starts_with("label 20 cases"), "{all:?}");
        assert!(
            all[2].starts_with("collect and label 50 more cases"),
            "{all:?}"
        );
        let enough = steps("inconclusive", Some(12), 30, 20);
        assert_eq!(enough.len(), 1, "{enough:?}");
        assert!(enough[0].contains("that settles it"), "{enough:?}");
    }

    #[test]
    fn every_other_outcome_has_its_step() {
        assert!(steps("pass", None, 9, 9).is_empty());
        assert!(steps("fail", None, 0, 0)[0].contains("most sure"));
        assert!(steps("could_not_run", None, 0, 0)[0].contains("--limit 20"));
        assert!(steps("inconclusive", None, 0, 0)[0].contains("no number of cases"));
    }
}
