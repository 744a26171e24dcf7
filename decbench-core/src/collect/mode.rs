//! Where answers come from.

/// Whether answers are read, completed or asked anew.
///
/// Local candidates (Rust functions, the embedded baseline) run in every mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// Recordings only: no remote call is possible and no key is needed.
    #[default]
    Replay,
    /// Ask what no recording answers, and record it.
    Fill,
    /// Ask everything now; recordings are neither read nor written.
    Live,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Replay, Self::Fill, Self::Live];

    /// The name in profiles and variables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Fill => "fill",
            Self::Live => "live",
        }
    }

    /// The mode with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
