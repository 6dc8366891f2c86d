//! The values that settings take besides texts and numbers.

/// A choice that is written as one word.
pub trait Word: Copy + Ord + 'static {
    /// Every choice with its word.
    const ALL: &'static [(&'static str, Self)];

    /// The word for it.
    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, choice)| *choice == self).map_or("", |(word, _)| *word)
    }
}

/// Files for other programs that a report can hold besides its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Export {
    Csv,
    Jsonl,
    Junit,
}

impl Word for Export {
    const ALL: &'static [(&'static str, Self)] =
        &[("csv", Self::Csv), ("jsonl", Self::Jsonl), ("junit", Self::Junit)];
}

impl Export {
    /// The files it is written to.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["runs.csv", "expectations.csv"],
            Self::Jsonl => &["runs.jsonl"],
            Self::Junit => &["junit.xml"],
        }
    }
}

/// Which outputs of runs are shown and stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outputs {
    None,
    /// Those of runs with an expectation that did not pass.
    Failed,
    #[default]
    All,
}

impl Word for Outputs {
    const ALL: &'static [(&'static str, Self)] =
        &[("none", Self::None), ("failed", Self::Failed), ("all", Self::All)];
}

/// Whether search engines may list the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Robots {
    #[default]
    Index,
    /// Every page asks them not to.
    Noindex,
}

impl Word for Robots {
    const ALL: &'static [(&'static str, Self)] =
        &[("index", Self::Index), ("noindex", Self::Noindex)];
}

/// Which change fails a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    /// The verdict is *worse* or *probably worse*.
    Worse,
    /// The verdict is *worse*.
    SettledWorse,
    /// An expectation lost more passes than noise between runs explains.
    Regression,
    /// Any expectation lost passes.
    RegressionStrict,
}

impl Word for FailOn {
    const ALL: &'static [(&'static str, Self)] = &[
        ("worse", Self::Worse),
        ("settled-worse", Self::SettledWorse),
        ("regression", Self::Regression),
        ("regression-strict", Self::RegressionStrict),
    ];
}

/// How much more something may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// A share of what it cost before: 0.2 for `"20%"`.
    Share(f64),
    /// That many more seconds or tokens per run.
    Amount(f64),
}

/// The rules of a gate; each absent rule is not applied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    pub fail_on: Vec<FailOn>,
    /// Smallest pass rate of the candidate, in 0..=1.
    pub min_pass_rate: Option<f64>,
    /// How much longer a run may take; an amount is in seconds.
    pub max_time_increase: Option<Limit>,
    /// How many more tokens a run may use.
    pub max_token_increase: Option<Limit>,
}

impl Gate {
    /// Whether it has no rule.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A loss that is expected, and until when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownIssue {
    /// The case: its name, or a pattern of names.
    pub case: String,
    /// The expectation: its statement, or a pattern of statements.
    pub expectation: String,
    pub reason: String,
    /// The last day on which it counts as known, as `2026-12-31`.
    pub expires: String,
}

/// What a model costs, in US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    pub input: f64,
    pub output: f64,
}
