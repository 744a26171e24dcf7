//! The command line, as the built-in harness takes it.

use std::ffi::OsString;

use libtest_mimic::{Arguments, FormatSetting};

/// Options of the built-in harness that take a value in the next argument.
const WITH_VALUE: [&str; 8] = [
    "--test-threads",
    "--logfile",
    "--skip",
    "--color",
    "--format",
    "-Z",
    "--shuffle-seed",
    "--report-time",
];

/// Options of the built-in harness without a meaning here: our order and output never depend on them.
const PASSED_OVER: [&str; 5] = [
    "--shuffle",
    "--ensure-time",
    "--exclude-should-panic",
    "--force-run-in-process",
    "--show-output",
];

/// A parsed command line.
#[derive(Debug)]
pub(super) struct CommandLine {
    pub(super) arguments: Arguments,
    filters: Vec<String>,
    /// How the names of trials start that a filter means by the function they test.
    by_function: Vec<String>,
}

impl CommandLine {
    /// Reads the arguments behind the program's name. Several filters are kept, which the library below does not know.
    ///
    /// # Errors
    /// A message for a number of threads that is none. Other mistakes print usage and end the process with code 2.
    pub(super) fn parse(
        arguments: impl IntoIterator<Item = OsString>,
        threads_variable: Option<&str>,
    ) -> Result<Self, String> {
        let mut filters = Vec::new();
        let mut options: Vec<OsString> = vec!["test".into()];
        let mut arguments = arguments.into_iter();
        let mut only_filters = false;
        while let Some(argument) = arguments.next() {
            let Some(text) = argument.to_str() else {
                options.push(argument);
                continue;
            };
            if only_filters || !text.starts_with('-') || text == "-" {
                filters.push(text.to_owned());
            } else if text == "--" {
                only_filters = true;
            } else if text == "--no-capture" {
                options.push("--nocapture".into());
            } else if PASSED_OVER.contains(&text) {
            } else if text.starts_with("--shuffle-seed") || text.starts_with("--report-time") {
                if text == "--shuffle-seed" {
                    arguments.next();
                }
            } else if WITH_VALUE.contains(&text) {
                options.push(argument);
                options.extend(arguments.next());
            } else {
                options.push(argument);
            }
        }
        let mut parsed = Arguments::from_iter(options);
        if parsed.test_threads.is_none() {
            parsed.test_threads = threads_variable
                .map(|text| {
                    text.parse().map_err(|_| {
                        format!("RUST_TEST_THREADS is `{text}`, which is no positive whole number")
                    })
                })
                .transpose()?;
        }
        if parsed.test_threads == Some(0) {
            return Err("the number of test threads must be at least 1".to_owned());
        }
        Ok(Self {
            arguments: parsed,
            filters,
            by_function: Vec::new(),
        })
    }

    /// Lets the exact name of an item stand for all trials whose names start with `prefix`: an editor that runs a
    /// function knows no other name. Items are named without their crate there.
    pub(super) fn admit(&mut self, items: &[&str], prefix: &str) {
        let is_item = |filter: &String| {
            let mut paths = items.iter().filter_map(|item| item.split_once("::"));
            paths.any(|(_, path)| path == filter)
        };
        if self.arguments.exact && self.filters.iter().any(is_item) {
            self.by_function.push(prefix.to_owned());
        }
    }

    /// Whether a trial is to run; names are compared as the built-in harness does.
    pub(super) fn keeps(&self, name: &str) -> bool {
        let matches = |filter: &String| {
            if self.arguments.exact {
                name == filter
            } else {
                name.contains(filter.as_str())
            }
        };
        // No trial of ours is ignored before it runs, so `--ignored` alone keeps none.
        let tested = |prefix: &String| name.starts_with(prefix.as_str());
        (self.filters.is_empty()
            || self.filters.iter().any(matches)
            || self.by_function.iter().any(tested))
            && !self.arguments.skip.iter().any(matches)
            && !self.arguments.ignored
    }

    /// Whether a program reads what is printed, and nobody waits at a screen.
    pub(super) fn is_for_machines(&self) -> bool {
        matches!(self.arguments.format, Some(FormatSetting::Json))
    }

    /// Arguments that make the library below run just the kept trials and count the others as filtered out.
    pub(super) fn for_kept<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Arguments {
        let mut arguments = self.arguments.clone();
        arguments.filter = None;
        arguments.exact = true;
        arguments.skip = names
            .into_iter()
            .filter(|name| !self.keeps(name))
            .map(str::to_owned)
            .collect();
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> CommandLine {
        CommandLine::parse(arguments.iter().map(OsString::from), None).unwrap()
    }

    #[test]
    fn several_filters_keep_what_any_of_them_matches() {
        let line = parse(&["accuracy", "recall", "--skip", "bayes"]);
        assert!(line.keeps("s::rules::accuracy"));
        assert!(line.keeps("s::rules::recall[a]"));
        assert!(!line.keeps("s::rules::ece"));
        assert!(!line.keeps("s::bayes::accuracy"));
    }

    #[test]
    fn an_exact_group_name_keeps_nothing() {
        let line = parse(&["--exact", "s::rules"]);
        assert!(!line.keeps("s::rules::accuracy"));
        assert!(parse(&["s::rules", "--exact", "s::rules::accuracy"]).keeps("s::rules::accuracy"));
    }

    #[test]
    fn options_of_the_built_in_harness_are_understood() {
        let line = parse(&[
            "--no-capture",
            "--test-threads",
            "3",
            "--format",
            "terse",
            "--shuffle",
            "--shuffle-seed",
            "5",
            "x",
        ]);
        assert_eq!(line.arguments.test_threads, Some(3));
        assert!(line.keeps("x") && !line.keeps("5"));
        assert!(CommandLine::parse(["--test-threads=0".into()], None).is_err());
        assert!(CommandLine::parse([], Some("many")).is_err());
        assert_eq!(
            CommandLine::parse([], Some("2"))
                .unwrap()
                .arguments
                .test_threads,
            Some(2)
        );
    }
}
