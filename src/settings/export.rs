//! Files for other programs that a report can hold besides its pages.

/// One form of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Export {
    /// `runs.csv` and `expectations.csv`.
    Csv,
    /// `runs.jsonl`.
    Jsonl,
    /// `junit.xml`.
    Junit,
}

impl Export {
    /// Every form with its word.
    pub const ALL: [(&'static str, Self); 3] =
        [("csv", Self::Csv), ("jsonl", Self::Jsonl), ("junit", Self::Junit)];

    /// Its word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, form)| *form == self).map_or("", |(word, _)| *word)
    }

    /// The files it is written to.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["runs.csv", "expectations.csv"],
            Self::Jsonl => &["runs.jsonl"],
            Self::Junit => &["junit.xml"],
        }
    }
}
