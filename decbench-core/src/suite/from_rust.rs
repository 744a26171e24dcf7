//! What Rust code brings to a suite: functions, types and policies.

use std::fmt;
use std::time::Duration;

use super::read::listed;
use crate::decision::{AnswerOption, QuestionKind};

/// What Rust code brings to a suite.
#[derive(Debug, Clone, Copy, Default)]
pub struct FromRust<'a> {
    /// Candidates that the suite does not name.
    pub functions: &'a [ExtraFunction<'a>],
    /// Types that a question may name for its options. `None` outside the test target that is linked with them: they
    /// are not judged, and options that only a type lists stay unknown.
    pub types: Option<&'a [&'a RustType]>,
    /// Policies that assertions may name; `None` as for types, and any number stands for them.
    pub policies: Option<&'a [&'a RustPolicy]>,
}

/// A Rust function that is a candidate of a suite which does not name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtraFunction<'a> {
    /// The candidate's name.
    pub candidate: &'a str,
    /// The function, as `function:` names it.
    pub function: &'a str,
}

/// A Rust type whose values are the answers to a question; `#[derive(decbench::Options)]` makes one.
#[derive(Clone, Copy)]
pub struct RustType {
    name: &'static str,
    module: &'static str,
    file: &'static str,
    line: u32,
    kind: QuestionKind,
    question: Option<&'static str>,
    version: Option<u32>,
    options: fn() -> Vec<AnswerOption>,
}

impl RustType {
    /// A type named `name` in the module `module` (as `module_path!()` gives it).
    pub const fn new(
        name: &'static str,
        module: &'static str,
        kind: QuestionKind,
        options: fn() -> Vec<AnswerOption>,
    ) -> Self {
        Self {
            name,
            module,
            file: "",
            line: 0,
            kind,
            question: None,
            version: None,
            options,
        }
    }

    /// The same type, written here.
    #[must_use]
    pub const fn at(mut self, file: &'static str, line: u32) -> Self {
        self.file = file;
        self.line = line;
        self
    }

    /// The same type with the wording and the version that stand beside it.
    #[must_use]
    pub const fn asking(mut self, question: Option<&'static str>, version: Option<u32>) -> Self {
        self.question = question;
        self.version = version;
        self
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The kind of question that it answers.
    pub fn kind(&self) -> QuestionKind {
        self.kind
    }

    /// The wording beside it.
    pub fn question(&self) -> Option<&'static str> {
        self.question
    }

    /// The wording's version.
    pub fn version(&self) -> Option<u32> {
        self.version
    }

    /// Its options in order, as a question of its kind has them.
    pub fn options(&self) -> Vec<AnswerOption> {
        (self.options)()
    }

    /// The name with where it is written, for messages.
    pub fn place(&self) -> String {
        place(self.name, self.file, self.line)
    }
}

impl fmt::Debug for RustType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RustType")
            .field("name", &self.name)
            .field("module", &self.module)
            .field("kind", &self.kind)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// A number by which production decides; `decbench::policy!` makes one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RustPolicy {
    name: &'static str,
    module: &'static str,
    file: &'static str,
    line: u32,
    number: PolicyNumber,
}

/// What a policy's number is for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PolicyNumber {
    /// The least probability of the top answer from which it is taken, from 0 to 1.
    Threshold(f64),
    /// The least lead of the top answer over the next from which it is taken, from 0 to 1.
    Margin(f64),
    /// How long an answer is waited for.
    Timeout {
        /// How long.
        duration: Duration,
        /// The key of the option that is taken in its place.
        default: Option<&'static str>,
    },
}

impl RustPolicy {
    /// A policy named `name` in the module `module`.
    pub const fn new(name: &'static str, module: &'static str, number: PolicyNumber) -> Self {
        Self {
            name,
            module,
            file: "",
            line: 0,
            number,
        }
    }

    /// The same policy, written here.
    #[must_use]
    pub const fn at(mut self, file: &'static str, line: u32) -> Self {
        self.file = file;
        self.line = line;
        self
    }

    /// Its number.
    pub fn number(&self) -> PolicyNumber {
        self.number
    }

    /// The name with where it is written, for messages.
    pub fn place(&self) -> String {
        place(self.name, self.file, self.line)
    }
}

fn place(name: &str, file: &str, line: u32) -> String {
    if file.is_empty() {
        format!("`{name}`")
    } else {
        format!("`{name}` ({file}:{line})")
    }
}

/// Something that suites call by its name, perhaps with some of its path.
pub(super) trait Named {
    /// The path of its module and its name.
    fn path(&self) -> (&'static str, &'static str);

    /// Where it is written.
    fn written(&self) -> String;
}

impl Named for RustType {
    fn path(&self) -> (&'static str, &'static str) {
        (self.module, self.name)
    }

    fn written(&self) -> String {
        format!(
            "`{}::{}` ({}:{})",
            self.module, self.name, self.file, self.line
        )
    }
}

impl Named for RustPolicy {
    fn path(&self) -> (&'static str, &'static str) {
        (self.module, self.name)
    }

    fn written(&self) -> String {
        format!(
            "`{}::{}` ({}:{})",
            self.module, self.name, self.file, self.line
        )
    }
}

/// Why a name stands for nothing, or for too much: a message and what to type.
pub(super) struct NotFound {
    pub(super) message: String,
    pub(super) help: String,
}

/// The one that a suite calls `wanted`; `what` is it in words, and `mark` what makes one.
///
/// Segments of a path may be left out, as a type is often exported from further up than where it is written.
pub(super) fn find<'a, T: Named>(
    linked: &[&'a T],
    wanted: &str,
    what: &str,
    mark: &str,
) -> Result<&'a T, NotFound> {
    let found: Vec<&'a T> = linked
        .iter()
        .copied()
        .filter(|item| is_called(item.path(), wanted))
        .collect();
    let places = |items: &[&'a T]| {
        let places: Vec<String> = items.iter().map(|item| item.written()).collect();
        places.join(", ")
    };
    match found.as_slice() {
        [item] => Ok(item),
        [] => {
            let names = linked.iter().map(|item| item.path().1);
            let known = match super::read::did_you_mean(wanted, names.clone()) {
                Some(meant) => meant,
                None if linked.is_empty() => format!("no Rust {what} is linked"),
                None => format!("linked are {}", listed(names)),
            };
            Err(NotFound {
                message: format!("no Rust {what} `{wanted}` is linked into this test"),
                help: format!(
                    "{known}; {mark}, and link its crate by a line such as `use my_app as _;` in the test"
                ),
            })
        }
        several => Err(NotFound {
            message: format!(
                "{} linked Rust {what}s are called `{wanted}`",
                several.len()
            ),
            help: format!("write one of {}", places(several)),
        }),
    }
}

fn is_called((module, name): (&str, &str), wanted: &str) -> bool {
    let (path, last) = wanted.rsplit_once("::").unwrap_or(("", wanted));
    let mut segments = module.split("::");
    last == name
        && path
            .split("::")
            .filter(|segment| !segment.is_empty() && *segment != "crate")
            .all(|segment| segments.any(|other| other == segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGH: RustPolicy =
        RustPolicy::new("AUTO", "my_app::calls::rules", PolicyNumber::Threshold(0.9))
            .at("src/calls/rules.rs", 7);
    const LOW: RustPolicy =
        RustPolicy::new("AUTO", "my_app::mails", PolicyNumber::Margin(0.1)).at("src/mails.rs", 9);

    fn of(wanted: &str) -> Result<PolicyNumber, String> {
        find(&[&HIGH, &LOW], wanted, "policy", "write it")
            .map(RustPolicy::number)
            .map_err(|error| format!("{}; {}", error.message, error.help))
    }

    #[test]
    fn a_path_may_leave_segments_out() {
        for wanted in ["my_app::calls::AUTO", "rules::AUTO", "crate::calls::AUTO"] {
            assert_eq!(of(wanted), Ok(PolicyNumber::Threshold(0.9)), "{wanted}");
        }
        assert_eq!(of("mails::AUTO"), Ok(PolicyNumber::Margin(0.1)));
        assert!(of("rules::calls::AUTO").is_err());
    }

    #[test]
    fn a_name_of_two_lists_them_and_an_unknown_one_says_what_to_do() {
        let error = of("AUTO").expect_err("two are called so");
        assert!(
            error.contains("`my_app::mails::AUTO` (src/mails.rs:9)"),
            "{error}"
        );
        let error = of("AUTOO").expect_err("none is called so");
        assert!(error.contains("did you mean `AUTO`?"), "{error}");
        assert!(error.contains("use my_app as _;"), "{error}");
    }
}
