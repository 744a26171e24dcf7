//! What candidates answered at the baseline: at a git revision, in another checkout, or in a folder of answers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::candidate::{CandidateRun, laid_out, recorded_of};
use super::suite_run::SuiteRun;
use crate::collect::{Collected, files_at, read_answers};
use crate::decision::{Answer, Case, State};
use crate::suite::{self, Suite};

/// What the baseline is.
pub(super) struct Baseline {
    /// As it is called in messages.
    name: String,
    kind: Kind,
}

enum Kind {
    /// The suite as it was; its recordings stand beside it.
    Suite(Box<Suite>),
    /// `<folder>/<suite>/<candidate>.jsonl`, as recordings and the stores of runs are laid out.
    Answers(PathBuf),
    /// The suite is not there.
    Nothing,
}

/// What one candidate answered at the baseline.
pub(super) enum Earlier<'a> {
    /// Its answers, laid out on the suite's cases of today, and where they are from.
    Answers(Box<CandidateRun<'a>>, String),
    /// There are none, and that is nobody's mistake.
    Nothing(String),
    /// The baseline cannot be read.
    Failed(String),
}

impl<'a> SuiteRun<'a> {
    /// What the candidate at this position answered at the baseline.
    pub(super) fn earlier(&self, position: usize) -> &Earlier<'a> {
        self.earlier[position].get_or_init(|| match self.baseline.get_or_init(|| find(self)) {
            Ok(baseline) => answers_at(self, baseline, position),
            Err(reason) => Earlier::Failed(reason.clone()),
        })
    }
}

/// Finds what the run, or else the suite, names as the baseline.
fn find(run: &SuiteRun<'_>) -> Result<Baseline, String> {
    let (suite, settings) = (run.suite(), run.settings());
    let Some(named) = settings.baseline.as_ref().or(suite.baseline.as_ref()) else {
        return Err(
            "no baseline is named; write `baseline = \"origin/main\"` under `[profile.default]` in decbench.toml, `baseline:` in the suite, or set DECBENCH_BASELINE to a git revision or a folder"
                .to_owned(),
        );
    };
    let below = suite.path.strip_prefix(&settings.folder);
    let folder = settings.folder.join(named);
    if folder.is_dir() {
        return in_folder(suite, named, &folder, below.ok());
    }
    let below = below.map_err(|_| {
        format!(
            "{} does not lie in {}, so that it cannot be found at another revision",
            suite.path.display(),
            settings.folder.display()
        )
    })?;
    let files = files_at(&settings.folder, named, &settings.output.join("baseline"))
        .map_err(|error| format!("the baseline cannot be read: {error}"))?;
    let name = format!("{named} ({})", short(&files.commit));
    let path = files.folder.join(below);
    let kind = if path.is_file() {
        Kind::Suite(Box::new(load(&path, &name)?))
    } else {
        Kind::Nothing
    };
    Ok(Baseline { name, kind })
}

/// The first characters of a commit, as people quote it.
fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// A folder is another checkout of the package, a folder of suites, or one of answers.
fn in_folder(
    suite: &Suite,
    named: &str,
    folder: &Path,
    below: Option<&Path>,
) -> Result<Baseline, String> {
    let name = named.to_owned();
    let file = suite.path.file_name().map(Path::new);
    let suites = [below, file].into_iter().flatten();
    if let Some(path) = suites
        .map(|path| folder.join(path))
        .find(|path| path.is_file() && *path != suite.path)
    {
        let kind = Kind::Suite(Box::new(load(&path, named)?));
        return Ok(Baseline { name, kind });
    }
    let answers = [folder.to_owned(), folder.join("answers")];
    let kind = answers
        .into_iter()
        .find(|folder| folder.join(&suite.name).is_dir())
        .map_or(Kind::Nothing, Kind::Answers);
    Ok(Baseline { name, kind })
}

fn load(path: &Path, name: &str) -> Result<Suite, String> {
    match suite::load(path) {
        Ok(loaded) => Ok(loaded.suite),
        Err(mistakes) => Err(format!(
            "the suite of the baseline {name} cannot be read (files outside the package are not part of it):\n{}",
            mistakes.render().trim_end()
        )),
    }
}

fn answers_at<'a>(run: &SuiteRun<'a>, baseline: &Baseline, position: usize) -> Earlier<'a> {
    let (suite, name) = (run.suite(), &baseline.name);
    let candidate = &suite.candidates[position];
    let collected = match &baseline.kind {
        Kind::Nothing => {
            return Earlier::Nothing(format!("{name} has neither this suite nor answers of it"));
        }
        Kind::Suite(then) => {
            let Some(at) = then
                .candidates
                .iter()
                .position(|other| other.name == candidate.name)
            else {
                return Earlier::Nothing(format!(
                    "`{}` is no candidate of the suite at {name}",
                    candidate.name
                ));
            };
            match recorded_of(then, at, &run.settings().replaying()) {
                Err(reason) => return Earlier::Failed(format!("at {name}: {reason}")),
                Ok(None) => {
                    return Earlier::Nothing(format!(
                        "answers of `{}` are not recorded, so {name} has none; `recorded: true` records a function's, and a folder of a run (`target/decbench/runs/…`) may be the baseline",
                        candidate.name
                    ));
                }
                Ok(Some(collected)) => moved(then, suite, collected),
            }
        }
        Kind::Answers(folder) => {
            let path = folder
                .join(&suite.name)
                .join(format!("{}.jsonl", candidate.name));
            match read_answers(&path) {
                Err(error) => return Earlier::Failed(error.to_string()),
                Ok(mut read) => {
                    // Of several answers to one call the latest was in force; answers that name no time come last.
                    read.answers
                        .sort_by(|one, other| other.measured.at.cmp(&one.measured.at));
                    Collected {
                        answers: read.answers,
                        bad_lines: read.bad,
                        ..Collected::default()
                    }
                }
            }
        }
    };
    if collected.answers.is_empty() {
        return Earlier::Nothing(format!("{name} has no answers of `{}`", candidate.name));
    }
    let remote = run.candidate(position).remote;
    let mut answers = laid_out(suite, candidate, Ok(collected), remote, true);
    if let Some(judging) = run.judging() {
        run.have_judged(judging, position, &mut answers);
    }
    Earlier::Answers(Box::new(answers), name.clone())
}

/// Answers to the cases of the suite as it was, as answers to the same cases of today.
fn moved(then: &Suite, now: &Suite, mut collected: Collected) -> Collected {
    let mut by_case: HashMap<&str, Vec<&Answer>> = HashMap::new();
    for answer in &collected.answers {
        by_case.entry(&answer.case).or_default().push(answer);
    }
    let same = SameCases::of(&then.cases);
    let answers = now
        .cases
        .iter()
        .filter_map(|case| Some((case, by_case.get(same.of_case(case)?)?)))
        .flat_map(|(case, answers)| {
            answers.iter().map(|answer| Answer {
                case: case.id.clone(),
                ..(*answer).clone()
            })
        })
        .collect();
    collected.answers = answers;
    collected.misses.clear();
    collected
}

/// The cases of an earlier suite by id and by state.
struct SameCases<'c> {
    by_id: HashMap<&'c str, &'c Case>,
    /// `None` for a state that several cases share.
    by_state: HashMap<String, Option<&'c Case>>,
}

impl<'c> SameCases<'c> {
    fn of(cases: &'c [Case]) -> Self {
        let mut by_state: HashMap<String, Option<&Case>> = HashMap::new();
        for case in cases {
            if let Some(state) = &case.state {
                by_state
                    .entry(state.as_text().into_owned())
                    .and_modify(|found| *found = None)
                    .or_insert(Some(case));
            }
        }
        Self {
            by_id: cases.iter().map(|case| (case.id.as_str(), case)).collect(),
            by_state,
        }
    }

    /// The id that a case had: the same one, unless ids are row numbers and rows have moved.
    fn of_case(&self, case: &Case) -> Option<&'c str> {
        let text = |case: &Case| {
            case.state
                .as_ref()
                .map(|state: &State| state.as_text().into_owned())
        };
        let numbered = case.id.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(same) = self.by_id.get(case.id.as_str())
            && (!numbered || text(same) == text(case))
        {
            return Some(&same.id);
        }
        let same = self.by_state.get(&text(case)?)?.as_ref()?;
        Some(&same.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str, state: &str) -> Case {
        Case::new(id, State::Text(state.to_owned()))
    }

    #[test]
    fn a_case_is_known_by_its_id_or_by_its_state_where_rows_moved() {
        let then = [case("1", "paid?"), case("2", "late?"), case("c-9", "gone?")];
        let same = SameCases::of(&then);
        assert_eq!(same.of_case(&case("2", "late?")), Some("2"));
        assert_eq!(
            same.of_case(&case("3", "late?")),
            Some("2"),
            "a row was put before it"
        );
        assert_eq!(
            same.of_case(&case("1", "new?")),
            None,
            "another row took the number"
        );
        assert_eq!(same.of_case(&case("c-9", "is it gone?")), Some("c-9"));
        assert_eq!(same.of_case(&case("c-10", "gone?")), Some("c-9"));
    }

    #[test]
    fn a_state_of_several_cases_tells_none_of_them() {
        let then = [case("a", "twice"), case("b", "twice")];
        assert_eq!(SameCases::of(&then).of_case(&case("c", "twice")), None);
    }
}
