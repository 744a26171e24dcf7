//! The other files of a suite: where they lie and how they are read.

use std::path::Path;
use std::sync::Arc;

use super::read::{Field, Reader, did_you_mean};
use super::tree::Tree;
use super::{json, yaml};
use crate::diagnostic::{Diagnostics, Source, Span};

/// The format of a file, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    JsonLines,
    Json,
    Csv,
    Yaml,
}

impl Format {
    pub(super) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "jsonl" | "ndjson" => Self::JsonLines,
            "json" => Self::Json,
            "csv" => Self::Csv,
            "yaml" | "yml" => Self::Yaml,
            _ => return None,
        })
    }
}

/// Reads a file that the suite names; a path is relative to the suite's folder.
///
/// A file that cannot be read is reported where it is named, one that is no text in itself.
pub(super) fn read(
    reader: &mut Reader,
    folder: &Path,
    named: &Field<'_>,
) -> Option<(Format, Arc<Source>)> {
    let name = reader.words(named)?;
    read_named(reader, folder, name, named.value.span)
}

/// As [`read`], for a name that stands at `span`.
pub(super) fn read_named(
    reader: &mut Reader,
    folder: &Path,
    name: &str,
    span: Span,
) -> Option<(Format, Arc<Source>)> {
    let format = format_of(reader, name, span)?;
    let path = folder.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => match Source::from_bytes(path.display().to_string(), bytes) {
            Ok(source) => Some((format, Arc::new(source))),
            Err(mistake) => {
                reader.found.push(*mistake);
                None
            }
        },
        Err(error) => {
            unreadable(reader, folder, name, span, &error);
            None
        }
    }
}

/// Reports a file that is not there or of no known format, without reading it.
pub(super) fn look_for(reader: &mut Reader, folder: &Path, name: &str, span: Span) {
    if format_of(reader, name, span).is_none() {
        return;
    }
    if let Err(error) = std::fs::metadata(folder.join(name)) {
        unreadable(reader, folder, name, span, &error);
    }
}

fn format_of(reader: &mut Reader, name: &str, span: Span) -> Option<Format> {
    let format = Format::of(Path::new(name));
    if format.is_none() {
        reader
            .error(
                "file-format",
                span,
                format!("the format of `{name}` is not known by its ending"),
            )
            .help("use .jsonl, .json, .csv or .yaml");
    }
    format
}

fn unreadable(reader: &mut Reader, folder: &Path, name: &str, span: Span, error: &std::io::Error) {
    let path = folder.join(name);
    let near = std::fs::read_dir(path.parent().unwrap_or(folder))
        .map(|entries| {
            entries
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .collect::<Vec<_>>()
        })
        .unwrap_or_default();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let help = did_you_mean(&wanted, near.iter().map(String::as_str))
        .unwrap_or_else(|| "paths are relative to the suite file".into());
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    };
    reader
        .error(
            "unreadable-file",
            span,
            format!("cannot read `{name}`: {reason}"),
        )
        .help(help);
}

/// One value in JSON or YAML.
pub(super) fn tree(format: Format, source: &Arc<Source>) -> Result<Tree, Diagnostics> {
    if format == Format::Yaml {
        return yaml::parse(source);
    }
    Ok(Tree {
        source: Arc::clone(source),
        root: json::parse(source, Span::new(0, source.text.len()))?,
    })
}
