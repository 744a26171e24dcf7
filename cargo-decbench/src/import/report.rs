//! What an import says it has done.

use std::path::PathBuf;

use super::assemble::Imported;
use super::harvest::LeftOut;
use crate::redact::Counts;
use crate::terminal;

/// Says what was left out, one line a record.
pub(super) fn left_out(left_out: &[LeftOut]) {
    for left in left_out {
        terminal::complain(&format!(
            "{}, {}: {}",
            left.place.file, left.place.record, left.why
        ));
    }
}

/// Says what was written, what was replaced in it, and what was left out.
pub(super) fn print(imported: &Imported, files: &[PathBuf], json: bool) {
    left_out(&imported.left_out);
    if json {
        terminal::say(&format!("{:#}\n", imported.to_json(files)));
        return;
    }
    for file in files {
        terminal::did("Wrote", &file.display().to_string());
    }
    let mut cases = vec![format!("{} with gold", imported.with("gold"))];
    for (field, what) in [
        ("reference", "with a reference"),
        ("production_answer", "with what production answered"),
    ] {
        match imported.with(field) {
            0 => {}
            count => cases.push(format!("{count} {what}")),
        }
    }
    let answers: usize = imported.answers.values().map(Vec::len).sum();
    let by: Vec<&str> = imported.answers.keys().map(String::as_str).collect();
    let answers = match &by[..] {
        [] => "no answers".to_owned(),
        by => format!("{answers} answers of {}", by.join(", ")),
    };
    terminal::did(
        "Imported",
        &format!(
            "{} cases ({}) and {answers}",
            imported.cases.len(),
            cases.join(", ")
        ),
    );
    for (file, counts, cases) in replaced_by_file(imported) {
        let counts: Vec<String> = counts
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        terminal::did(
            "Redacted",
            &format!("{} in {file} (cases: {cases})", counts.join(", ")),
        );
    }
    terminal::say(
        "\nRead the cases, say under `assert` what must hold, and run\n\n  cargo decbench check\n  cargo test --test decisions\n",
    );
}

/// What was replaced in each file, and in how many of its cases.
fn replaced_by_file(imported: &Imported) -> Vec<(&str, Counts, usize)> {
    let mut files: Vec<(&str, Counts, usize)> = Vec::new();
    for ((file, _), counts) in &imported.redacted {
        if files.last().is_none_or(|(last, _, _)| last != file) {
            files.push((file, Counts::new(), 0));
        }
        if let Some((_, total, cases)) = files.last_mut() {
            *cases += 1;
            for (kind, count) in counts {
                *total.entry(kind).or_default() += count;
            }
        }
    }
    files
}
