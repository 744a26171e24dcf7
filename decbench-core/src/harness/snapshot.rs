//! A text and its reviewed snapshot, compared by insta.
//!
//! insta decides what is equal, what is written where and when (`INSTA_UPDATE`, `CI`, `insta.yaml`), so that
//! `cargo insta` works as everywhere else. It also prints to the standard output of the process it runs in, which
//! belongs to the harness here, and is told not to by an environment variable alone. A comparison that may fail
//! therefore runs in a child of this very test binary, and its words come from here.

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde::{Deserialize, Serialize};

use super::Setup;
use super::line_diff::line_diff;

/// The argument of the child that compares.
const CHILD: &str = "--decbench=snapshot";

/// The child's exit code for a text that is not the reviewed one.
const DIFFERS: u8 = 1;

/// A text to be compared with its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotRequest<'a> {
    /// The folder of snapshots, absolute.
    pub folder: &'a Path,
    /// The snapshot's name without `.snap`.
    pub name: &'a str,
    /// The new text.
    pub text: &'a str,
    /// The suite file, which reviewers are shown.
    pub input: Option<&'a Path>,
}

impl SnapshotRequest<'_> {
    /// Where the reviewed text is.
    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.snap", self.name))
    }

    /// Runs `assertion` on name and text, under the settings that make insta look at [`path`](Self::path).
    ///
    /// # Errors
    ///
    /// The message that the assertion panicked with.
    pub fn compare_with(&self, assertion: impl FnOnce(&str, &str)) -> Result<(), String> {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(self.folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        if let Some(input) = self.input {
            settings.set_input_file(input);
        }
        catch_unwind(AssertUnwindSafe(|| {
            settings.bind(|| assertion(self.name, self.text));
        }))
        .map_err(|payload| {
            payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref::<&str>().copied())
                .unwrap_or("the comparison panicked")
                .to_owned()
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Message {
    folder: PathBuf,
    name: String,
    text: String,
    input: Option<PathBuf>,
}

/// Compares a text with its reviewed snapshot and prints nothing.
///
/// # Errors
///
/// What a person should read: that there is no snapshot yet, or which lines differ, and how to review them.
pub fn check_snapshot(setup: &Setup, request: &SnapshotRequest<'_>) -> Result<(), String> {
    let reviewed = text_of(&request.path());
    if reviewed
        .as_deref()
        .is_some_and(|text| same(text, request.text))
    {
        // insta starts Cargo to find the workspace, which takes longer than a whole replay, so it is asked only where
        // it has something to do: tidy up what is pending, or heed a variable.
        return if is_settled(request) {
            Ok(())
        } else {
            (setup.compare_snapshot)(request)
        };
    }
    match compare_in_child(request) {
        Ok(true) => Ok(()),
        Ok(false) => Err(difference(request, reviewed.as_deref())),
        // No child can be had here, so insta speaks for itself.
        Err(Unavailable::NotStarted) => {
            (setup.compare_snapshot)(request).map_err(|_| difference(request, reviewed.as_deref()))
        }
        Err(Unavailable::Broke(words)) => Err(format!(
            "the snapshot {} could not be compared: {words}",
            request.path().display()
        )),
    }
}

/// Compares what the parent sent, where this process is the child of [`check_snapshot`]; a `main` asks first.
pub fn serve_snapshot(setup: &Setup) -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != CHILD || arguments.next().is_some() {
        return None;
    }
    Some(match compare_for_parent(setup) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(_)) => ExitCode::from(DIFFERS),
        Err(error) => {
            // The parent repeats it.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(DIFFERS + 1)
        }
    })
}

fn compare_for_parent(setup: &Setup) -> io::Result<Result<(), String>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let message: Message = serde_json::from_str(&text)?;
    Ok((setup.compare_snapshot)(&SnapshotRequest {
        folder: &message.folder,
        name: &message.name,
        text: &message.text,
        input: message.input.as_deref(),
    }))
}

enum Unavailable {
    NotStarted,
    Broke(String),
}

/// Whether insta took the text as equal, or was told to accept it.
fn compare_in_child(request: &SnapshotRequest<'_>) -> Result<bool, Unavailable> {
    let broke = |error: &dyn std::fmt::Display| Unavailable::Broke(error.to_string());
    let message = serde_json::to_vec(&Message {
        folder: request.folder.to_owned(),
        name: request.name.to_owned(),
        text: request.text.to_owned(),
        input: request.input.map(Path::to_owned),
    })
    .map_err(|error| broke(&error))?;
    let program = std::env::current_exe().map_err(|_| Unavailable::NotStarted)?;
    let mut child = Command::new(program)
        .arg(CHILD)
        .env("INSTA_OUTPUT", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|_| Unavailable::NotStarted)?;
    if let Some(mut input) = child.stdin.take() {
        // A child that ended early says why by its exit code.
        let _ = input.write_all(&message);
    }
    let output = child.wait_with_output().map_err(|error| broke(&error))?;
    match output.status.code() {
        Some(0) => Ok(true),
        Some(code) if code == i32::from(DIFFERS) => Ok(false),
        _ => Err(broke(&format_args!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}

/// Whether an equal text leaves insta nothing to do.
fn is_settled(request: &SnapshotRequest<'_>) -> bool {
    let is_told = std::env::vars_os().any(|(name, _)| name.to_string_lossy().starts_with("INSTA_"));
    !is_told && !request.path().with_extension("snap.new").exists()
}

fn text_of(path: &Path) -> Option<String> {
    if !path.exists() {
        return None;
    }
    let snapshot = insta::Snapshot::from_file(path).ok()?;
    snapshot.as_text().map(ToString::to_string)
}

fn same(reviewed: &str, new: &str) -> bool {
    reviewed.trim_end().lines().eq(new.trim_end().lines())
}

fn difference(request: &SnapshotRequest<'_>, reviewed: Option<&str>) -> String {
    let path = request.path();
    let what = match reviewed {
        Some(_) => format!("differs from the reviewed one in {}", path.display()),
        None => format!("has not been reviewed: there is no {}", path.display()),
    };
    let pending_elsewhere = std::env::var_os("INSTA_PENDING_DIR").is_some();
    let is_pending = text_of(&path.with_extension("snap.new"))
        .is_some_and(|pending| same(&pending, request.text));
    let next = if pending_elsewhere || is_pending {
        "review it with `cargo insta review`, or take it as it is with `cargo insta accept`"
    } else {
        "nothing was written for review, as insta does in CI and with `INSTA_UPDATE=no`: run this test on your own machine, then `cargo insta review`"
    };
    format!(
        "{} {what}\n\n{}\n{next}",
        request.name,
        line_diff(reviewed.unwrap_or_default(), request.text)
    )
}
