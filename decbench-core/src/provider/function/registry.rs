//! The functions that are linked into this test, and looking one up.

use std::fmt;

use crate::decision::Request;
use crate::provider::{BoxFuture, SettingError};

use super::Answers;

/// How a registered function is called.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Body {
    /// An ordinary function; it runs where blocking is allowed.
    Sync(fn(Request<'_>) -> Answers),
    /// An `async` function; it runs on the runtime that collects answers.
    Async(for<'a> fn(Request<'a>) -> BoxFuture<'a, Answers>),
}

/// A registered function; `#[decbench::provider]` makes one.
pub struct RustFunction {
    name: &'static str,
    module: &'static str,
    file: &'static str,
    line: u32,
    recorded: bool,
    question: Option<&'static str>,
    body: Body,
}

impl RustFunction {
    /// A function named `name` in the module `module` (as `module_path!()` gives it).
    pub const fn new(name: &'static str, module: &'static str, body: Body) -> Self {
        Self {
            name,
            module,
            file: "",
            line: 0,
            recorded: false,
            question: None,
            body,
        }
    }

    /// The same function, written here.
    #[must_use]
    pub const fn at(mut self, file: &'static str, line: u32) -> Self {
        self.file = file;
        self.line = line;
        self
    }

    /// The same function; whether its answers are recorded and replayed like a remote service's.
    #[must_use]
    pub const fn recorded(mut self, recorded: bool) -> Self {
        self.recorded = recorded;
        self
    }

    /// The same function; the one question it answers where a suite has several.
    #[must_use]
    pub const fn answering(mut self, question: Option<&'static str>) -> Self {
        self.question = question;
        self
    }

    /// The name suites use.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name with the module it is in: `my_app::routing::keyword_router`.
    pub fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }

    /// Where it is written, as `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Whether its answers are recorded and replayed like a remote service's.
    pub fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// The one question it answers, where it said so.
    pub fn question(&self) -> Option<&'static str> {
        self.question
    }

    /// How it is called.
    pub fn body(&self) -> Body {
        self.body
    }

    /// Whether `wanted` means this function: its name, or its name behind the end of its module's path.
    fn is_called(&self, wanted: &str) -> bool {
        match wanted
            .strip_suffix(self.name)
            .map(|path| path.strip_suffix("::"))
        {
            Some(Some(path)) => {
                self.module == path
                    || self
                        .module
                        .strip_suffix(path)
                        .is_some_and(|before| before.ends_with("::"))
            }
            Some(None) => wanted == self.name,
            None => false,
        }
    }
}

impl fmt::Debug for RustFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RustFunction")
            .field("path", &self.path())
            .field("place", &self.place())
            .field("recorded", &self.recorded)
            .field("question", &self.question)
            .finish_non_exhaustive()
    }
}

inventory::collect!(RustFunction);

/// The functions that are linked into this program, by path.
///
/// A function with several attributes is registered by each; it is here once, as recorded if one says so.
pub fn linked_functions() -> Vec<&'static RustFunction> {
    let mut functions: Vec<&'static RustFunction> =
        inventory::iter::<RustFunction>.into_iter().collect();
    let place = |function: &&'static RustFunction| (function.path(), function.file, function.line);
    functions.sort_by_key(|function| (place(function), !function.recorded));
    functions.dedup_by_key(|function| place(function));
    functions
}

/// The function among `linked` that a suite calls `wanted`: by its name, or with its module's path where several
/// share a name. `own_crate` is the crate that the test belongs to, for the line that links it.
///
/// # Errors
///
/// When there is no such function, or more than one; the help says what to type.
pub fn find_function<'a>(
    linked: &[&'a RustFunction],
    wanted: &str,
    own_crate: &str,
) -> Result<&'a RustFunction, SettingError> {
    let found: Vec<&'a RustFunction> = linked
        .iter()
        .copied()
        .filter(|function| function.is_called(wanted))
        .collect();
    let (message, help) = match found.as_slice() {
        [function] => return Ok(function),
        [] => (
            format!("no Rust function `{wanted}` is linked into this test"),
            format!(
                "{}; mark the function with `#[decbench::provider]`, and link its crate by adding {} to the test",
                known(linked),
                line_that_links(linked, own_crate)
            ),
        ),
        several => (
            format!(
                "{} linked Rust functions are called `{wanted}`",
                several.len()
            ),
            format!("write one of {}", places(several)),
        ),
    };
    Err(SettingError {
        key: Some("function".to_owned()),
        message,
        help: Some(help),
    })
}

/// The line that links the test's own crate, unless functions of it are linked and the missing one is elsewhere.
fn line_that_links(linked: &[&RustFunction], own_crate: &str) -> String {
    let is_own = |function: &&RustFunction| function.module.split("::").next() == Some(own_crate);
    if linked.iter().any(is_own) {
        "a line such as `use other_crate as _;`".to_owned()
    } else {
        format!("`use {own_crate} as _;`")
    }
}

fn known(linked: &[&RustFunction]) -> String {
    if linked.is_empty() {
        "no Rust function is linked".to_owned()
    } else {
        format!("linked are {}", places(linked))
    }
}

fn places(functions: &[&RustFunction]) -> String {
    let places: Vec<String> = functions
        .iter()
        .map(|function| format!("`{}` ({})", function.path(), function.place()))
        .collect();
    places.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::function::IntoAnswers;

    const BODY: Body = Body::Sync(|_| "a".into_answers());
    const ROUTER: RustFunction =
        RustFunction::new("router", "my_app::calls", BODY).at("src/calls.rs", 7);
    const OTHER: RustFunction =
        RustFunction::new("router", "my_app::mails", BODY).at("src/mails.rs", 9);
    const RULES: RustFunction =
        RustFunction::new("rules", "decisions", BODY).at("tests/decisions.rs", 3);

    fn find(wanted: &str) -> Result<String, SettingError> {
        find_function(&[&ROUTER, &OTHER, &RULES], wanted, "my_crate").map(RustFunction::path)
    }

    #[test]
    fn a_unique_name_is_enough() {
        assert_eq!(find("rules").as_deref(), Ok("decisions::rules"));
    }

    #[test]
    fn a_shared_name_needs_as_much_of_the_path_as_tells_them_apart() {
        let error = find("router").expect_err("two are called so");
        assert_eq!(error.message, "2 linked Rust functions are called `router`");
        assert_eq!(
            error.help.as_deref(),
            Some(
                "write one of `my_app::calls::router` (src/calls.rs:7), `my_app::mails::router` (src/mails.rs:9)"
            )
        );
        assert_eq!(
            find("mails::router").as_deref(),
            Ok("my_app::mails::router")
        );
        assert_eq!(
            find("my_app::calls::router").as_deref(),
            Ok("my_app::calls::router")
        );
        // Only whole segments count.
        assert!(find("ails::router").is_err());
        assert!(find("outer").is_err());
    }

    #[test]
    fn an_unlinked_function_names_the_linked_ones_and_the_line_to_add() {
        let error = find("triage").expect_err("nothing is called so");
        assert_eq!(error.key.as_deref(), Some("function"));
        let help = error.help.expect("there is always something to do");
        assert!(help.contains("`decisions::rules` (tests/decisions.rs:3)"));
        assert!(help.contains("`use my_crate as _;`"));
        // That line does nothing where the crate's functions are linked already.
        let elsewhere = find_function(&[&ROUTER], "triage", "my_app").expect_err("not linked");
        assert!(
            elsewhere
                .help
                .is_some_and(|help| help.contains("`use other_crate as _;`"))
        );
        let alone = find_function(&[], "triage", "my_app").expect_err("nothing is linked");
        assert!(
            alone
                .help
                .is_some_and(|help| help.starts_with("no Rust function is linked"))
        );
    }
}
