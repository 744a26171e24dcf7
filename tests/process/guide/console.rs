//! A console block: commands, and what they say.

/// The commands of a block, each with the lines that follow it.
pub(super) fn commands(text: &str) -> Result<Vec<(&str, Vec<&str>)>, String> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let command = line
            .strip_prefix("$ ")
            .ok_or_else(|| format!("`{line}` follows no command"))?;
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push(line);
        }
        found.push((command, expected));
    }
    Ok(found)
}

/// Compares lines in order; `…` stands for any number of lines.
pub(super) fn says(stdout: &str, expected: &[&str]) -> Result<(), String> {
    let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut said = stdout.lines().map(squeeze).filter(|line| !line.is_empty());
    let mut skips = false;
    for line in expected
        .iter()
        .map(|line| squeeze(line))
        .filter(|line| !line.is_empty())
    {
        if line == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            said.any(|said| said == line).then_some(())
        } else {
            match said.next() {
                Some(said) if said == line => Some(()),
                Some(said) => return Err(format!("says `{said}` instead of `{line}`")),
                None => None,
            }
        };
        found.ok_or_else(|| format!("does not say `{line}`"))?;
        skips = false;
    }
    match said.next() {
        Some(more) if !skips && !expected.is_empty() => Err(format!("says more: `{more}`")),
        _ => Ok(()),
    }
}
