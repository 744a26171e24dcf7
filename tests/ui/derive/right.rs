#![deny(warnings)]
#![forbid(unsafe_code)]

use decbench::{AnswerKind, Levels, Options};

/// The key on the wire is the key in the suite.
#[derive(Debug, PartialEq, Clone, Copy, serde::Serialize, serde::Deserialize, Options)]
#[serde(rename_all = "kebab-case")]
#[options(question = "Which team?", version = 3)]
enum Team {
    /// Invoices, charges
    /// and refunds.
    ///
    /// The switchboard calls them accounts.
    Billing,
    #[serde(rename = "help", alias = "support")]
    Support,
    #[options(escape, description = "None of these")]
    NoReasonYet,
}

#[derive(Debug, PartialEq, PartialOrd, Levels)]
#[options(rename_all = "lowercase")]
enum Mood {
    Calm,
    #[options(rename = "very angry")]
    Furious,
}

/// What the type writes itself, the derive leaves alone.
#[derive(Options)]
#[options(display = false, from_str = false, crate = ::decbench)]
#[allow(dead_code)]
enum Own {
    #[deprecated]
    Old,
    r#Match,
}

impl std::fmt::Display for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("own")
    }
}

pub(crate) fn main() {
    assert_eq!(Team::KIND, AnswerKind::Choice);
    assert_eq!((Team::QUESTION, Team::VERSION), (Some("Which team?"), Some(3)));
    for team in Team::ALL {
        assert_eq!(serde_json::to_value(team).unwrap(), team.key());
        assert_eq!(Team::from_key(team.key()), Some(*team));
        assert_eq!(team.to_string().parse(), Ok(*team));
    }
    assert_eq!(format!("{:>9}", Team::Billing), "  billing");
    assert_eq!(Team::from_key("support"), Some(Team::Support));
    assert_eq!("sales".parse::<Team>().unwrap_err().to_string(), "`sales` is none of `billing`, `help`, `no-reason-yet`");
    assert_eq!(Team::Billing.description(), Some("Invoices, charges and refunds."));
    assert_eq!(Team::NoReasonYet.description(), Some("None of these"));
    assert!(Team::NoReasonYet.is_escape() && !Team::Support.is_escape());

    assert_eq!(Mood::KIND, AnswerKind::Score);
    assert_eq!((Mood::Furious.level(), Mood::Furious.key()), (1, "1"));
    assert_eq!("very angry".parse(), Ok(Mood::Furious));
    assert_eq!(Mood::Calm.to_string(), "calm");

    let keys: Vec<&str> = Own::ALL.iter().map(Own::key).collect();
    assert_eq!(keys, ["Old", "Match"]);
}
