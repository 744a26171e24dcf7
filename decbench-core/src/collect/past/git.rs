//! Asking git, as a process, for what it has on this machine.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::error::PastError;
use crate::diagnostic::nearest;

/// A file at a revision.
pub(super) struct Blob {
    /// Its path below the folder that was listed, with `/` between parts.
    pub(super) path: String,
    /// Its object.
    pub(super) object: String,
}

/// git in one folder. It talks to nobody and asks nobody: transports are forbidden, and objects that a partial clone
/// lacks are missing.
pub(super) struct Git<'a> {
    folder: &'a Path,
    revision: &'a str,
}

impl<'a> Git<'a> {
    pub(super) fn new(folder: &'a Path, revision: &'a str) -> Self {
        Self { folder, revision }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "protocol.allow=never", "--no-optional-locks"])
            .args(arguments)
            .current_dir(self.folder)
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, PastError> {
        self.command(arguments)
            .output()
            .map_err(|source| PastError::NoGit {
                revision: self.revision.to_owned(),
                source,
            })
    }

    /// What it writes when it succeeds.
    fn output(&self, arguments: &[&str]) -> Result<Vec<u8>, PastError> {
        let output = self.run(arguments)?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(failed(arguments, &output))
        }
    }

    /// The full name of the revision's commit.
    pub(super) fn commit(&self) -> Result<String, PastError> {
        let inside = self.run(&["rev-parse", "--is-shallow-repository"])?;
        if !inside.status.success() {
            return Err(PastError::NoRepository {
                revision: self.revision.to_owned(),
                folder: self.folder.to_owned(),
                message: first_line(&inside.stderr),
            });
        }
        // What begins like an option is none of the names git gives.
        if !self.revision.starts_with('-') {
            let commit = format!("{}^{{commit}}", self.revision);
            let found = self.run(&["rev-parse", "--verify", "--quiet", &commit])?;
            if found.status.success() {
                return Ok(String::from_utf8_lossy(&found.stdout).trim().to_owned());
            }
        }
        Err(if inside.stdout.trim_ascii() == b"true" {
            PastError::Shallow {
                revision: self.revision.to_owned(),
            }
        } else {
            PastError::UnknownRevision {
                revision: self.revision.to_owned(),
                hint: self.hint(),
            }
        })
    }

    /// What the revision may have meant.
    fn hint(&self) -> String {
        let names = self
            .output(&["for-each-ref", "--format=%(refname:short)"])
            .unwrap_or_default();
        let names = String::from_utf8_lossy(&names);
        let names: Vec<&str> = names.lines().collect();
        match nearest(self.revision, names.iter().copied()) {
            Some(name) => format!("; did you mean `{name}`?"),
            None if names.is_empty() => "; the repository has no branches yet".to_owned(),
            None => {
                let shown: Vec<String> = names.iter().take(6).map(|n| format!("`{n}`")).collect();
                format!("; the repository has {}", shown.join(", "))
            }
        }
    }

    /// The files of the folder at a commit.
    pub(super) fn list(&self, commit: &str) -> Result<Vec<Blob>, PastError> {
        let listed = self.output(&["ls-tree", "-r", "-z", commit])?;
        let entries = listed.split(|byte| *byte == 0);
        Ok(entries
            .filter_map(|entry| {
                let entry = std::str::from_utf8(entry).ok()?;
                let (about, path) = entry.split_once('\t')?;
                let mut about = about.split(' ');
                let (mode, kind, object) = (about.next()?, about.next()?, about.next()?);
                // Links and submodules hold no answers.
                (kind == "blob" && mode.starts_with("100")).then(|| Blob {
                    path: path.to_owned(),
                    object: object.to_owned(),
                })
            })
            .collect())
    }

    /// The contents of these objects, in their order.
    pub(super) fn contents(&self, blobs: &[&Blob]) -> Result<Vec<Vec<u8>>, PastError> {
        let arguments = ["cat-file", "--batch"];
        let mut child = self
            .command(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| PastError::NoGit {
                revision: self.revision.to_owned(),
                source,
            })?;
        let asked: Vec<&str> = blobs.iter().map(|blob| blob.object.as_str()).collect();
        let asked = asked.join("\n") + "\n";
        let stdin = child.stdin.take();
        // Written beside the reading: a pipe holds little, and each side would wait for the other.
        let writer = std::thread::spawn(move || {
            if let Some(mut stdin) = stdin {
                // A git that stops listening has failed, and says so itself.
                let _ = stdin.write_all(asked.as_bytes());
            }
        });
        let output = child.wait_with_output();
        let _ = writer.join();
        let output = output.map_err(|source| PastError::NoGit {
            revision: self.revision.to_owned(),
            source,
        })?;
        if !output.status.success() {
            return Err(failed(&arguments, &output));
        }
        let mut rest = output.stdout.as_slice();
        blobs
            .iter()
            .map(|blob| take_object(&mut rest).ok_or_else(|| missing(blob)))
            .collect()
    }
}

/// The next object of a batch: a line with its size, its bytes, a line feed.
fn take_object(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(&rest[..end]).ok()?;
    let size: usize = head.rsplit(' ').next()?.parse().ok()?;
    let (bytes, after) = rest[end + 1..].split_at_checked(size)?;
    *rest = after.strip_prefix(b"\n")?;
    Some(bytes.to_owned())
}

fn missing(blob: &Blob) -> PastError {
    PastError::Git {
        command: "cat-file".to_owned(),
        message: format!(
            "{} is not in this clone; a partial clone lacks files, which only a fetch can bring",
            blob.path
        ),
    }
}

fn failed(arguments: &[&str], output: &Output) -> PastError {
    PastError::Git {
        command: arguments.first().copied().unwrap_or_default().to_owned(),
        message: first_line(&output.stderr),
    }
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines().next().unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_read_object_by_object_and_never_beyond_its_end() {
        let mut rest: &[u8] = b"0a blob 3\na\nb\n0b blob 0\n\n0c missing\n";
        assert_eq!(take_object(&mut rest).unwrap(), b"a\nb");
        assert_eq!(take_object(&mut rest).unwrap(), b"");
        assert_eq!(take_object(&mut rest), None);
        let mut short: &[u8] = b"0a blob 300\na\n";
        assert_eq!(take_object(&mut short), None);
    }
}
