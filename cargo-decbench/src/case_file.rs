//! A suite's case file of which single lines change, everything else byte for byte.

use std::path::PathBuf;

use decbench_core::decision::Case;
use decbench_core::suite::Suite;
use serde_json::{Map, Value as Json, json};

use crate::ending::Unusable;
use crate::suites;

/// Who approved when, and what.
pub(crate) struct Stamp<'a> {
    pub(crate) by: &'a str,
    pub(crate) at: &'a str,
    pub(crate) digest: String,
}

/// The day, as stamps give it.
pub(crate) fn today() -> String {
    // RFC 3339 in UTC begins with the day.
    jiff::Timestamp::now()
        .to_string()
        .chars()
        .take(10)
        .collect()
}

/// Who stamps: the given name, else the one that git knows.
///
/// # Errors
/// A message where nobody is known, and where what is given is no name.
pub(crate) fn signed_by(name: Option<&str>) -> Result<String, Unusable> {
    let name = match name {
        Some(name) => name.trim().to_owned(),
        None => known_to_git()?,
    };
    if name.is_empty() {
        return Err(Unusable::new("`--by` is empty; say who approves"));
    }
    if name.chars().any(char::is_control) {
        return Err(Unusable::new(format!(
            "{name:?} holds characters that are not shown; say with `--by` who approves, in letters"
        )));
    }
    Ok(name)
}

fn known_to_git() -> Result<String, Unusable> {
    let output = std::process::Command::new("git")
        .args(["config", "user.name"])
        .output();
    let name = output
        .ok()
        .filter(|output| output.status.success())
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .filter(|name| !name.is_empty());
    name.ok_or_else(|| Unusable::new("git knows no name of yours; say who approves with `--by`"))
}

/// The lines of a JSONL file.
pub(crate) struct CaseFile {
    path: PathBuf,
    lines: Vec<String>,
    changed: bool,
}

impl CaseFile {
    /// Opens the suite's case file.
    pub(crate) fn open(suite: &Suite) -> Result<Self, Unusable> {
        let path = suites::case_file(suite)?;
        let text = std::fs::read_to_string(&path).map_err(|error| Unusable::file(&path, error))?;
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        Ok(Self {
            path,
            lines,
            changed: false,
        })
    }

    /// Makes `gold` the case's gold, stamped; what stood there as gold and approval goes, and so does the reference, but
    /// for those of its questions that the gold says nothing of.
    ///
    /// # Errors
    /// A message where the case's line has moved.
    pub(crate) fn settle(
        &mut self,
        case: &Case,
        gold: &Json,
        stamp: &Stamp<'_>,
    ) -> Result<(), Unusable> {
        self.change(case, |old| {
            let mut new = Map::new();
            let open = (case.reference.len() > 1)
                .then(|| undecided(old.get("reference"), gold))
                .flatten();
            let at = if old.contains_key("gold") || open.is_some() {
                "gold"
            } else {
                "reference"
            };
            for (key, value) in old {
                match key.as_str() {
                    key if key == at => {
                        new.insert("gold".to_owned(), gold.clone());
                    }
                    "reference" => {
                        if let Some(open) = &open {
                            new.insert(key, open.clone());
                        }
                    }
                    "gold" | "approved" => {}
                    _ => {
                        new.insert(key, value);
                    }
                }
            }
            new.entry("gold").or_insert_with(|| gold.clone());
            let approved = json!({ "by": stamp.by, "at": stamp.at, "digest": stamp.digest });
            new.insert("approved".to_owned(), approved);
            new
        })
    }

    /// Writes a value of the case's line.
    ///
    /// # Errors
    /// A message where the case's line has moved.
    pub(crate) fn set(&mut self, case: &Case, key: &str, value: Json) -> Result<(), Unusable> {
        self.change(case, |mut line| {
            line.insert(key.to_owned(), value);
            line
        })
    }

    /// The case's line as it stands.
    ///
    /// # Errors
    /// A message where the case's line has moved.
    pub(crate) fn line(&self, case: &Case) -> Result<Map<String, Json>, Unusable> {
        let line = self
            .lines
            .iter()
            .filter(|line| !line.trim().is_empty())
            .nth(case.row.saturating_sub(1))
            .filter(|line| is_of(line, case))
            .ok_or_else(|| self.moved(case))?;
        serde_json::from_str(line).map_err(|error| Unusable::file(&self.path, error))
    }

    fn change(
        &mut self,
        case: &Case,
        new: impl FnOnce(Map<String, Json>) -> Map<String, Json>,
    ) -> Result<(), Unusable> {
        let new = Json::Object(new(self.line(case)?));
        let mut lines = self.lines.iter_mut().filter(|line| !line.trim().is_empty());
        if let Some(line) = lines.nth(case.row.saturating_sub(1)) {
            let ending = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
            *line = format!("{new}{ending}");
            self.changed = true;
        }
        Ok(())
    }

    fn moved(&self, case: &Case) -> Unusable {
        Unusable::file(
            &self.path,
            format!(
                "case `{}` is not where it was; run the command again",
                case.id
            ),
        )
    }

    /// Writes the file whole, through a second one beside it.
    pub(crate) fn save(&self) -> Result<(), Unusable> {
        if !self.changed {
            return Ok(());
        }
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let pending = PathBuf::from(name);
        std::fs::write(&pending, self.lines.concat())
            .and_then(|()| std::fs::rename(&pending, &self.path))
            .map_err(|error| Unusable::file(&self.path, error))
    }
}

/// What is left of references by question once the gold decides some of them; none where nothing is left.
fn undecided(reference: Option<&Json>, gold: &Json) -> Option<Json> {
    let (reference, gold) = (reference?.as_object()?, gold.as_object()?);
    let open: Map<String, Json> = reference
        .iter()
        .filter(|(question, label)| {
            !label.is_null() && gold.get(*question).is_none_or(Json::is_null)
        })
        .map(|(question, label)| (question.clone(), label.clone()))
        .collect();
    (!open.is_empty()).then_some(Json::Object(open))
}

/// Whether a line is this case's: by its id, which is the row's number where the line has none.
fn is_of(line: &str, case: &Case) -> bool {
    let id = serde_json::from_str::<Json>(line)
        .ok()
        .map(|line| line.get("id").cloned());
    match id {
        Some(Some(Json::String(id))) => id == case.id,
        Some(Some(Json::Number(id))) => id.to_string() == case.id,
        Some(None) => case.id == case.row.to_string(),
        Some(Some(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_questions_that_are_decided_go_and_the_others_stay() {
        let reference = json!({ "topic": "billing", "urgent": "yes" });
        let left = |gold: Json| undecided(Some(&reference), &gold);
        assert_eq!(
            left(json!({ "topic": "sales" })),
            Some(json!({ "urgent": "yes" }))
        );
        assert_eq!(left(json!({ "topic": "sales", "urgent": "no" })), None);
        assert_eq!(left(json!("sales")), None, "one label decides everything");
        assert_eq!(undecided(Some(&json!("billing")), &json!("sales")), None);
        assert_eq!(undecided(None, &json!({ "topic": "sales" })), None);
    }

    #[test]
    fn only_what_can_be_read_as_a_name_signs() {
        let signed = |name| signed_by(Some(name)).ok();
        assert_eq!(signed(" Ada Łoś "), Some("Ada Łoś".to_owned()));
        for name in ["", "  ", "A\u{1b}[31mda", "Ada\nBob", "\u{7f}"] {
            assert_eq!(signed(name), None, "{name:?}");
        }
    }
}
