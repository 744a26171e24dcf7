//! Looks at a lock box: who was judged on it, on which answers, in a chain of files.
//!
//! One look is one file. It is named by the digest of its own text and names the looks before it, so that a look that
//! was changed no longer has its name and one that was removed is missed by its successors. Looks taken on two
//! branches name the same predecessors and lie side by side after a merge; the next look names both.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use crate::decision::{Answer, Digest};

/// Ending of the files.
const ENDING: &str = ".json";

/// Version of the files' form.
const SCHEMA: u64 = 1;

/// One look at a lock box.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// The candidate that was judged.
    pub candidate: String,
    /// Digest of the questions in its wording.
    pub question: Digest,
    /// Digest of the cases in the lock box.
    pub data: Digest,
    /// Digest of its answers to them.
    pub answers: Digest,
    /// Cases that nobody had answered by then; their answers may follow without a look of their own.
    pub unanswered: BTreeSet<String>,
    /// How often its wording had been tuned.
    pub tuning_rounds: u32,
    /// When, RFC 3339.
    pub at: String,
    /// Names of the looks before it.
    pub previous: BTreeSet<String>,
}

impl Look {
    /// A look at these answers, at no time yet and after no other one.
    pub fn new(
        candidate: impl Into<String>,
        question: Digest,
        data: Digest,
        answers: &LockboxAnswers,
    ) -> Self {
        Self {
            candidate: candidate.into(),
            question,
            data,
            answers: answers.digest(),
            unanswered: answers.unanswered(),
            tuning_rounds: 0,
            at: String::new(),
            previous: BTreeSet::new(),
        }
    }

    /// What makes it a look of its own: candidate, question, cases and answers.
    pub fn digest(&self) -> Digest {
        Digest::of([
            b"look/1".as_slice(),
            self.candidate.as_bytes(),
            self.question.as_bytes(),
            self.data.as_bytes(),
            self.answers.as_bytes(),
        ])
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let text = json!({
            "schema": SCHEMA,
            "candidate": self.candidate,
            "question": self.question.to_string(),
            "data": self.data.to_string(),
            "answers": self.answers.to_string(),
            "unanswered": self.unanswered,
            "tuning_rounds": self.tuning_rounds,
            "at": self.at,
            "previous": self.previous,
        });
        format!("{text:#}\n")
    }

    /// The name of a file with this text.
    pub fn file_name(text: &str) -> String {
        // Checkouts may write other ends of lines.
        let plain = text.replace('\r', "");
        let digest = Digest::of([b"lockbox look/1".as_slice(), plain.as_bytes()]).to_string();
        format!("{}{ENDING}", digest.trim_start_matches("b3:"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let schema = value["schema"].as_u64();
        if schema != Some(SCHEMA) {
            return Err("it was written by another version of decbench".to_owned());
        }
        let text = |name: &str| {
            value[name]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| format!("it has no `{name}`"))
        };
        let digest = |name: &str| {
            Digest::parse(&text(name)?).ok_or_else(|| format!("its `{name}` is no digest"))
        };
        let texts = |name: &str| -> Result<BTreeSet<String>, String> {
            let list = value[name].as_array();
            let list = list.ok_or_else(|| format!("it has no list `{name}`"))?;
            list.iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect::<Option<_>>()
                .ok_or_else(|| format!("its `{name}` holds more than texts"))
        };
        Ok(Self {
            candidate: text("candidate")?,
            question: digest("question")?,
            data: digest("data")?,
            answers: digest("answers")?,
            unanswered: texts("unanswered")?,
            tuning_rounds: value["tuning_rounds"]
                .as_u64()
                .and_then(|rounds| u32::try_from(rounds).ok())
                .ok_or("it has no `tuning_rounds`")?,
            at: text("at")?,
            previous: texts("previous")?,
        })
    }

    /// Whether these answers are the ones that were looked at, or these and what was still missing then.
    fn is_of(&self, other: &Self, answers: &LockboxAnswers) -> bool {
        self.candidate == other.candidate
            && self.question == other.question
            && self.data == other.data
            && (self.answers == other.answers
                || (!self.unanswered.is_empty()
                    && answers.digest_without(&self.unanswered) == self.answers))
    }
}

/// What a candidate answered in the lock box, by case and question.
#[derive(Debug, Clone, Default)]
pub struct LockboxAnswers(BTreeMap<(String, String), Option<String>>);

impl LockboxAnswers {
    /// Of these, the answers of the base call to cases that `in_lockbox` names; times and costs make no difference.
    pub fn of<'a>(
        answers: impl IntoIterator<Item = &'a Answer>,
        in_lockbox: impl Fn(&str) -> bool,
    ) -> Self {
        let base = answers
            .into_iter()
            .filter(|answer| answer.probe.is_base() && in_lockbox(&answer.case));
        Self(
            base.map(|answer| {
                let key = (answer.case.clone(), answer.question.clone());
                (key, said(answer))
            })
            .collect(),
        )
    }

    /// Whether nobody answered anything.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(Option::is_none)
    }

    /// Cases with a question that nobody answered.
    pub fn unanswered(&self) -> BTreeSet<String> {
        let open = self.0.iter().filter(|(_, said)| said.is_none());
        open.map(|((case, _), _)| case.clone()).collect()
    }

    /// The digest of what was answered.
    pub fn digest(&self) -> Digest {
        self.digest_without(&BTreeSet::new())
    }

    fn digest_without(&self, cases: &BTreeSet<String>) -> Digest {
        // A case that is open in one question is left out whole, as it was when it was looked at.
        let open = self.unanswered();
        let answered = self
            .0
            .iter()
            .filter(|((case, _), _)| !cases.contains(case) && !open.contains(case))
            .flat_map(|((case, question), said)| [case, question, said.as_ref().unwrap_or(case)]);
        Digest::of(
            [b"lockbox answers/1".as_slice()]
                .into_iter()
                .chain(answered.map(String::as_bytes)),
        )
    }
}

/// What was said, in one text; `None` where nobody answered.
fn said(answer: &Answer) -> Option<String> {
    match &answer.outcome {
        Err(failure) if failure.kind.is_models() => Some(format!("!{}", failure.kind.name())),
        Err(_) => None,
        Ok(decided) => {
            let mut shares: Vec<String> = decided
                .probabilities
                .iter()
                .flatten()
                .map(|(key, share)| format!("{key:?} {share}"))
                .collect();
            shares.sort();
            Some(format!("{:?} {}", decided.label, shares.join(" ")))
        }
    }
}

/// All looks at a suite's lock box.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Lookbook {
    /// The looks by the names of their files.
    pub looks: BTreeMap<String, Look>,
    /// What is wrong with the chain, a sentence each.
    pub faults: Vec<String>,
}

impl Lookbook {
    /// Reads files by name and text, and checks the chain. Files that are no looks by their names are passed over.
    pub fn read<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let mut book = Self::default();
        for (name, text) in files {
            if !name.ends_with(ENDING) {
                continue;
            }
            match Look::parse(text) {
                Err(problem) => book
                    .faults
                    .push(format!("{name} cannot be read: {problem}")),
                Ok(look) => {
                    if Look::file_name(text) != name {
                        book.faults.push(format!(
                            "{name} was changed after it was written: look of {} at {}",
                            look.candidate, look.at
                        ));
                    }
                    book.looks.insert(name.to_owned(), look);
                }
            }
        }
        for (name, look) in &book.looks {
            for previous in &look.previous {
                if !book.looks.contains_key(previous) {
                    book.faults.push(format!(
                        "{previous} was removed: {name}, look of {} at {}, follows it",
                        look.candidate, look.at
                    ));
                }
            }
        }
        book.faults.sort();
        book.faults.dedup();
        book
    }

    /// The looks that no other one follows.
    pub fn latest(&self) -> BTreeSet<String> {
        let followed: BTreeSet<&String> = self
            .looks
            .values()
            .flat_map(|look| &look.previous)
            .collect();
        self.looks
            .keys()
            .filter(|name| !followed.contains(name))
            .cloned()
            .collect()
    }

    /// The look that these answers are of, if there was one.
    pub fn find(&self, look: &Look, answers: &LockboxAnswers) -> Option<&Look> {
        self.looks.values().find(|known| known.is_of(look, answers))
    }

    /// The different looks at one candidate; the same one taken on two branches counts once.
    pub fn of_candidate(&self, candidate: &str) -> Vec<&Look> {
        let mut seen = BTreeSet::new();
        let mut looks: Vec<&Look> = self
            .looks
            .values()
            .filter(|look| look.candidate == candidate && seen.insert(look.digest()))
            .collect();
        looks.sort_by(|a, b| (&a.at, a.digest()).cmp(&(&b.at, b.digest())));
        looks
    }

    /// The candidates that were looked at.
    pub fn candidates(&self) -> BTreeSet<&str> {
        self.looks
            .values()
            .map(|look| look.candidate.as_str())
            .collect()
    }

    /// Why a candidate may not be looked at once more, where `granted` looks are.
    pub fn refusal(&self, candidate: &str, granted: u32) -> Option<String> {
        if let Some(fault) = self.faults.first() {
            return Some(format!(
                "the ledger of looks is not whole ({fault}); restore its files from version control"
            ));
        }
        let looks = self.of_candidate(candidate);
        let taken = looks.len();
        (taken >= granted as usize).then(|| {
            let times = if taken == 1 { "once" } else { "as often as granted" };
            let last = looks.last().map_or("", |look| look.at.as_str());
            format!(
                "`{candidate}` was looked at on the lock box {times} already (last {last}), and its answers, its question or the cases are others now; a lock box that is looked at until it pleases is tuning data. Use fresh cases, or grant it: `data: {{ looks: {} }}`",
                taken + 1
            )
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::decision::{Decided, Failure, FailureKind, Measured, Probe};

    fn answer(case: &str, said: Result<&str, FailureKind>) -> Answer {
        Answer {
            case: case.into(),
            question: String::new(),
            probe: Probe::base(2),
            request: None,
            outcome: match said {
                Ok(label) => Ok(Decided {
                    label: Some(label.into()),
                    ..Decided::default()
                }),
                Err(kind) => Err(Failure::new(kind, "no")),
            },
            measured: Measured::default(),
        }
    }

    fn answers(list: &[Answer]) -> LockboxAnswers {
        LockboxAnswers::of(list, |case| case != "dev")
    }

    pub(in super::super) fn look(
        candidate: &str,
        answers: &LockboxAnswers,
        previous: &[&str],
    ) -> (String, String, Look) {
        let look = Look {
            candidate: candidate.into(),
            question: Digest::of([b"q".as_slice()]),
            data: Digest::of([b"d".as_slice()]),
            answers: answers.digest(),
            unanswered: answers.unanswered(),
            tuning_rounds: 2,
            at: "2026-11-02T10:11:12Z".into(),
            previous: previous.iter().map(|name| (*name).to_owned()).collect(),
        };
        let text = look.text();
        (Look::file_name(&text), text, look)
    }

    fn read(files: &[&(String, String, Look)]) -> Lookbook {
        Lookbook::read(files.iter().map(|file| (file.0.as_str(), file.1.as_str())))
    }

    #[test]
    fn a_look_reads_back_under_any_ends_of_lines() {
        let (name, text, look) = look("jev", &LockboxAnswers::default(), &[]);
        assert_eq!(Look::parse(&text), Ok(look));
        assert_eq!(Look::file_name(&text.replace('\n', "\r\n")), name);
        assert!(Look::parse("{\"schema\": 2}").is_err());
    }

    #[test]
    fn answers_count_and_times_dev_cases_and_order_do_not() {
        let one = [
            answer("a", Ok("x")),
            answer("b", Ok("y")),
            answer("dev", Ok("x")),
        ];
        let mut other = [one[1].clone(), one[0].clone(), answer("dev", Ok("y"))];
        other[0].measured.latency_ms = Some(3.0);
        assert_eq!(answers(&one).digest(), answers(&other).digest());
        let changed = [answer("a", Ok("x")), answer("b", Ok("x"))];
        assert_ne!(answers(&one).digest(), answers(&changed).digest());
        let failed = [answer("a", Ok("x")), answer("b", Err(FailureKind::Refused))];
        assert_ne!(answers(&failed).digest(), answers(&changed).digest());
        assert!(answers(&failed).unanswered().is_empty());
    }

    #[test]
    fn answers_that_were_open_may_follow_and_others_may_not() {
        let open = answers(&[
            answer("a", Ok("x")),
            answer("b", Err(FailureKind::RateLimited)),
        ]);
        let taken = look("jev", &open, &[]);
        let book = read(&[&taken]);
        let is_known = |list: &[Answer]| {
            let answers = answers(list);
            book.find(&look("jev", &answers, &[]).2, &answers).is_some()
        };
        assert!(is_known(&[answer("a", Ok("x")), answer("b", Ok("y"))]));
        assert!(!is_known(&[answer("a", Ok("y")), answer("b", Ok("y"))]));
        assert!(!is_known(&[
            answer("a", Ok("x")),
            answer("b", Ok("y")),
            answer("c", Ok("y"))
        ]));
    }

    #[test]
    fn looks_of_two_branches_lie_side_by_side() {
        let none = LockboxAnswers::default();
        let first = look("jev", &none, &[]);
        let left = look("rules", &none, &[&first.0]);
        let right = look("bayes", &none, &[&first.0]);
        let book = read(&[&first, &left, &right]);
        assert!(book.faults.is_empty(), "{:?}", book.faults);
        assert_eq!(book.latest().len(), 2);
        let again = look("jev", &none, &[&left.0]);
        let book = read(&[&first, &left, &right, &again]);
        assert_eq!(
            book.of_candidate("jev").len(),
            1,
            "the same look, taken twice"
        );
    }

    #[test]
    fn a_second_look_is_refused_until_it_is_granted() {
        let first = look("jev", &answers(&[answer("a", Ok("x"))]), &[]);
        let book = read(&[&first]);
        assert!(
            book.refusal("jev", 1)
                .unwrap()
                .contains("data: { looks: 2 }")
        );
        assert_eq!(book.refusal("jev", 2), None);
        assert_eq!(book.refusal("rules", 1), None);
    }

    #[test]
    fn a_changed_and_a_removed_look_are_told_and_stop_further_ones() {
        let first = look("jev", &LockboxAnswers::default(), &[]);
        let mut second = look("rules", &LockboxAnswers::default(), &[&first.0]);
        let book = read(&[&second]);
        assert!(book.faults[0].contains("was removed"), "{:?}", book.faults);
        assert!(book.refusal("bayes", 1).is_some());
        second.1 = second.1.replace("\"rules\"", "\"other\"");
        let book = read(&[&first, &second]);
        assert!(book.faults[0].contains("was changed"), "{:?}", book.faults);
        let torn = Lookbook::read([("x.json", "{\"sche"), (".x.tmp", "{\"sche")]);
        assert_eq!(torn.faults.len(), 1);
    }
}
