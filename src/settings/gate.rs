//! When a gate fails.

/// Which change fails a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    /// Any expectation lost passes.
    Regression,
    /// The verdict is *worse*, settled or not.
    Worse,
    /// The verdict is *worse* and settled.
    SettledWorse,
}

impl FailOn {
    /// Every value with its word.
    pub const ALL: [(&'static str, Self); 3] = [
        ("regression", Self::Regression),
        ("worse", Self::Worse),
        ("settled-worse", Self::SettledWorse),
    ];

    /// The value of `word`.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Worse => "worse",
            Self::SettledWorse => "settled-worse",
        }
    }
}

/// The rules of a gate; each absent rule is not applied.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// Which change fails it.
    pub fail_on: Option<FailOn>,
    /// Smallest pass rate of the candidate, in 0..=1.
    pub min_pass_rate: Option<f64>,
    /// Largest share by which a run may take longer: 0.2 for 20 %.
    pub max_time_increase: Option<f64>,
    /// Largest share by which a run may use more tokens.
    pub max_token_increase: Option<f64>,
}
