//! What of a workspace is published.

/// Which outputs of runs are shown and stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outputs {
    /// None.
    None,
    /// Those of runs with an expectation that did not pass.
    Failed,
    /// All.
    #[default]
    All,
}

impl Outputs {
    /// Every choice with its word.
    pub const ALL: [(&'static str, Self); 3] =
        [("none", Self::None), ("failed", Self::Failed), ("all", Self::All)];

    /// The choice of that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, outputs)| outputs)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Failed => "failed",
            Self::All => "all",
        }
    }
}
