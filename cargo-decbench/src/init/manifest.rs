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

/// The package's manifest with the target and the dependency, and the workspace's with the profile, where something is
/// missing in them; for a package that is no member of another's workspace both are one file.
pub(super) fn with_test_target(package: &Package) -> Result<Vec<(PathBuf, String)>, Unusable> {
    let mut wanted: Vec<(PathBuf, &[Addition])> = Vec::new();
    if package.folder == package.root {
        wanted.push((package.folder.join("Cargo.toml"), &[add, optimise]));
    } else {
        wanted.push((package.folder.join("Cargo.toml"), &[add]));
        // In a member cargo passes profiles over.
        wanted.push((package.root.join("Cargo.toml"), &[optimise]));
    }
    let mut changed = Vec::new();
    for (path, additions) in wanted {
        let text = std::fs::read_to_string(&path).map_err(|error| Unusable::file(&path, error))?;
        let new = with(&text, additions).map_err(|what| Unusable::file(&path, what))?;
        if new != text {
            changed.push((path, new));
        }
    }
    Ok(changed)
}

/// Something that a manifest is to have.
type Addition = fn(&mut DocumentMut) -> Result<(), String>;

fn with(text: &str, additions: &[Addition]) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| error.to_string())?;
    for add in additions {
        add(&mut document)?;
    }
    Ok(document.to_string())
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
    Ok(())
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
        with(text, &[add, optimise]).unwrap()
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
    fn the_profile_of_a_member_stands_in_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let member = folder.path().join("app");
        std::fs::create_dir(&member).unwrap();
        std::fs::write(member.join("Cargo.toml"), "[package]\nname = \"app\"\n").unwrap();
        let root = "[workspace]\nmembers = [\"app\"]\n";
        std::fs::write(folder.path().join("Cargo.toml"), root).unwrap();
        let changed = with_test_target(&Package {
            name: "app".to_owned(),
            suites: member.join("tests/suites"),
            folder: member,
            root: folder.path().to_owned(),
            output: PathBuf::new(),
            tests: Vec::new(),
        })
        .unwrap();
        let [(_, own), (path, of_root)] = changed.as_slice() else {
            panic!("{changed:?}");
        };
        assert!(
            own.contains("[[test]]") && !own.contains("profile"),
            "{own}"
        );
        assert_eq!(*path, folder.path().join("Cargo.toml"));
        assert!(of_root.starts_with(root), "{of_root}");
        assert!(
            of_root.contains("[profile.dev.package.decbench-core]") && !of_root.contains("test"),
            "{of_root}"
        );
    }

    #[test]
    fn a_table_of_another_kind_is_refused() {
        assert!(with("test = 3\n", &[add]).is_err());
    }
}
