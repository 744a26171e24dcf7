//! The suites that a start may begin with.

use clap::ValueEnum;

use crate::ending::Unusable;
use crate::packages::Package;

/// What kind of decision is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Template {
    /// Taken while somebody waits: where a call goes.
    LiveCall,
    /// Taken afterwards: how a call ended.
    PostCall,
    /// Whether a tool may act on its own.
    ToolGate,
}

impl Template {
    /// The name of its suite where none is given.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LiveCall => "call-routing",
            Self::PostCall => "call-outcome",
            Self::ToolGate => "refund-gate",
        }
    }

    /// What it is, in a few words.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::LiveCall => "decides while somebody waits, such as where a call goes",
            Self::PostCall => "labels afterwards, such as how a call ended",
            Self::ToolGate => "lets a tool act on its own or not, such as paying a refund",
        }
    }

    /// The suite file.
    pub(super) fn suite(self, name: &str) -> String {
        let text = match self {
            Self::LiveCall => include_str!("templates/live-call.yaml"),
            Self::PostCall => include_str!("templates/post-call.yaml"),
            Self::ToolGate => include_str!("templates/tool-gate.yaml"),
        };
        text.replace("NAME", name)
    }

    /// The function that decides, to be replaced by a call of the user's own code.
    fn function(self) -> &'static str {
        match self {
            Self::LiveCall => include_str!("templates/live-call.rs"),
            Self::PostCall => include_str!("templates/post-call.rs"),
            Self::ToolGate => include_str!("templates/tool-gate.rs"),
        }
    }

    /// The lines of its cases.
    pub(super) fn cases(self) -> &'static str {
        match self {
            Self::LiveCall => include_str!("templates/live-call.cases.jsonl"),
            Self::PostCall => include_str!("templates/post-call.cases.jsonl"),
            Self::ToolGate => include_str!("templates/tool-gate.cases.jsonl"),
        }
    }
}

/// The test target with the template's function; `existing` is what stands there already.
pub(super) fn target(
    package: &Package,
    template: Template,
    existing: Option<&str>,
) -> Result<String, Unusable> {
    let function = template.function();
    if let Some(existing) = existing {
        let signature = function.lines().find(|line| line.starts_with("fn "));
        return Ok(
            if signature.is_some_and(|signature| existing.contains(signature)) {
                existing.to_owned()
            } else {
                format!("{existing}{function}")
            },
        );
    }
    let relative = package
        .suites
        .strip_prefix(&package.folder)
        .map_err(|_| Unusable::new("the folder of suites lies outside the package"))?
        .to_string_lossy()
        .replace('\\', "/");
    let link = if package.folder.join("src/lib.rs").exists() {
        format!(
            "// Links the crate, and with it the functions that it registers.\nuse {} as _;\n\n",
            package.name.replace('-', "_")
        )
    } else {
        String::new()
    };
    let folder = if relative == "tests/suites" {
        String::new()
    } else {
        format!("{relative:?}")
    };
    Ok(format!(
        "//! The decisions of this crate, tested on cases: `cargo test --test decisions`.\n\n{link}decbench::main!({folder});\n{function}"
    ))
}
