//! The lines that a test target needs in `Cargo.toml`.

use std::path::PathBuf;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::ending::Unusable;
use crate::packages::Package;

/// What a replay spends its time in.
const OPTIMISED: [&str; 5] = [
    "decbench-core",
    "serde_json",
    "serde_core",
    "memchr",
    "blake3",
];

/// The package's manifest with the target, the dependency and the profile; none where all is there already.
pub(super) fn with_test_target(package: &Package) -> Result<Option<(PathBuf, String)>, Unusable> {
    let path = package.folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| Unusable::file(&path, error))?;
    let mut document: DocumentMut = text.parse().map_err(|error| Unusable::file(&path, error))?;
    add(&mut document).map_err(|what| Unusable::file(&path, what))?;
    let changed = document.to_string();
    Ok((changed != text).then_some((path, changed)))
}

fn add(document: &mut DocumentMut) -> Result<(), String> {
    let dependencies = table(document, "dev-dependencies")?;
    if !dependencies.contains_key("decbench") {
        dependencies.insert("decbench", value(env!("CARGO_PKG_VERSION")));
    }
    let tests = document
        .entry("test")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()))
        .as_array_of_tables_mut()
        .ok_or("`test` is no list of tables; write `[[test]]`")?;
    let is_ours = |test: &Table| test.get("name").and_then(Item::as_str) == Some("decisions");
    if let Some(test) = tests.iter_mut().find(|test| is_ours(test)) {
        test["harness"] = value(false);
    } else {
        let mut test = Table::new();
        test["name"] = value("decisions");
        test["harness"] = value(false);
        tests.push(test);
    }
    // Profiles of a member count for nothing; a workspace keeps them in its root.
    if document.contains_key("workspace") || !is_member(document) {
        optimise(document)?;
    }
    Ok(())
}

/// Whether the package takes something from a workspace, and so is a member of one.
fn is_member(document: &DocumentMut) -> bool {
    let inherits = |table: &dyn toml_edit::TableLike| {
        table.iter().any(|(_, item)| {
            item.as_table_like()
                .is_some_and(|item| item.get("workspace").is_some())
        })
    };
    document
        .get("package")
        .and_then(Item::as_table_like)
        .is_some_and(inherits)
}

fn optimise(document: &mut DocumentMut) -> Result<(), String> {
    let mut at: &mut Table = document.as_table_mut();
    for key in ["profile", "dev", "package"] {
        at = at
            .entry(key)
            .or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            })
            .as_table_mut()
            .ok_or_else(|| format!("`{key}` is no table"))?;
    }
    for name in OPTIMISED {
        if !at.contains_key(name) {
            let mut table = Table::new();
            table["opt-level"] = value(3);
            at.insert(name, Item::Table(table));
        }
    }
    Ok(())
}

fn table<'d>(
    document: &'d mut DocumentMut,
    key: &str,
) -> Result<&'d mut dyn toml_edit::TableLike, String> {
    document
        .entry(key)
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_like_mut()
        .ok_or_else(|| format!("`{key}` is no table"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str) -> String {
        let mut document: DocumentMut = text.parse().unwrap();
        add(&mut document).unwrap();
        document.to_string()
    }

    #[test]
    fn a_target_is_added_and_what_is_there_stays() {
        let text = "# Ours.\n[package]\nname = \"a\" # short\n\n[dependencies]\nb = \"1\"\n";
        let once = added(text);
        assert!(once.starts_with(text), "{once}");
        assert!(once.contains("[dev-dependencies]\ndecbench = "));
        assert!(once.contains("[[test]]\nname = \"decisions\"\nharness = false\n"));
        assert!(once.contains("[profile.dev.package.decbench-core]\nopt-level = 3\n"));
        assert_eq!(added(&once), once);
    }

    #[test]
    fn a_member_of_a_workspace_gets_no_profile() {
        let text = "[package]\nname = \"a\"\nversion.workspace = true\n";
        assert!(!added(text).contains("profile"));
    }

    #[test]
    fn a_table_of_another_kind_is_refused() {
        let mut document: DocumentMut = "test = 3\n".parse().unwrap();
        assert!(add(&mut document).is_err());
    }
}
