//! The formats there are.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;

use super::harvest::Harvest;
use super::{csv, inspect, jevassert, jsonl, langfuse, lm_eval, otel, posthog, promptfoo};
use crate::ending::Unusable;

/// A format of another tool.
pub(super) struct Format {
    pub(super) name: &'static str,
    /// What of it is read, in a few words.
    pub(super) reads: &'static str,
    /// In which order its files are read.
    pub(super) order: fn(&[PathBuf]) -> Vec<PathBuf>,
    /// Reads one file.
    pub(super) read: fn(&Path, &mut Harvest<'_>) -> Result<(), Unusable>,
}

/// Every format, sorted by its name.
pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "csv",
        reads: "a table of cases, perhaps with answers; `--map` says what its columns are",
        order: as_given,
        read: csv::read,
    },
    Format {
        name: "inspect",
        reads: "Inspect's .eval logs: samples, targets and scored answers, epochs as repeats",
        order: as_given,
        read: inspect::read,
    },
    Format {
        name: "jevassert",
        reads: "a pack (its folder or pack.yaml) and recordings of it (.jsonl)",
        order: jevassert::packs_first,
        read: jevassert::read,
    },
    Format {
        name: "jsonl",
        reads: "JSON maps, one a line; `--map` says what their fields are",
        order: as_given,
        read: jsonl::read,
    },
    Format {
        name: "langfuse",
        reads: "items of a Langfuse dataset, as its interface or SDK gives them",
        order: as_given,
        read: langfuse::read,
    },
    Format {
        name: "lm-eval",
        reads: "samples_<task>.jsonl of the lm-evaluation-harness",
        order: as_given,
        read: lm_eval::read,
    },
    Format {
        name: "otel",
        reads: "OpenTelemetry spans of chat calls (OTLP JSON or the console exporter's)",
        order: as_given,
        read: otel::read,
    },
    Format {
        name: "posthog",
        reads: "PostHog's $ai_generation events",
        order: as_given,
        read: posthog::read,
    },
    Format {
        name: "promptfoo",
        reads: "promptfoo's results.json; `equals` assertions are the gold",
        order: as_given,
        read: promptfoo::read,
    },
];

fn as_given(files: &[PathBuf]) -> Vec<PathBuf> {
    files.to_vec()
}

/// What the command line accepts.
pub(super) fn values() -> Vec<PossibleValue> {
    FORMATS
        .iter()
        .map(|format| PossibleValue::new(format.name).help(format.reads))
        .collect()
}

/// The format of this name.
pub(super) fn find(name: &str) -> Result<&'static Format, Unusable> {
    FORMATS
        .iter()
        .find(|format| format.name == name)
        .ok_or_else(|| Unusable::new(format!("there is no format `{name}`")))
}
