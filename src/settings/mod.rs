//! The user's decisions about a report: the keys of `evalbook.toml`, each also a flag.
//! Documentation, `evalbook settings` and the search for the nearest known key all use
//! [`keys::KEYS`].

mod file;
pub mod keys;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use crate::settings::file::SettingsError;

pub const FILE: &str = "evalbook.toml";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Default,
    File {
        path: String,
        line: usize,
    },
    Flag,
}

/// Everything that can be set. The default applies without a file and without flags.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pub title: Option<String>,
    pub language: Option<String>,
    pub baseline: Option<String>,
    /// A second baseline: an iteration's name, `best`, `first` or `previous`.
    pub against: Option<String>,
    pub order: Vec<String>,
    /// The names of configurations in the report, by their names in the data.
    pub labels: BTreeMap<String, String>,
    pub leave_out: Vec<String>,
    /// Only a flag shows secrets and homes: a workspace may be anybody's.
    pub no_redact: bool,
    /// Whether files with secrets that cannot be replaced are published. Only a flag sets this.
    pub keep_secret_files: bool,
    pub exclude: Vec<String>,
    pub outputs: Option<Outputs>,
    /// The address of the report, or of the site that includes it; ends in `/`.
    pub url: Option<String>,
    pub robots: Option<Robots>,
    pub keep: Option<usize>,
    pub prices: BTreeMap<String, Price>,
    pub export: Vec<Export>,
    pub gate: Gate,
    pub known_issues: Vec<KnownIssue>,
    origins: BTreeMap<&'static str, Origin>,
}

impl Settings {
    /// The name in the data of the configuration with this label.
    pub fn unlabelled<'s>(&'s self, label: &'s str) -> &'s str {
        let found = self.labels.iter().find(|(_, known)| *known == label);
        found.map_or(label, |(name, _)| name)
    }

    pub fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or_default()
    }

    /// Overrides this with the values set in `upper`. Lists and tables are replaced as a whole.
    pub fn override_with(&mut self, upper: &Self) {
        self.no_redact |= upper.no_redact;
        self.keep_secret_files |= upper.keep_secret_files;
        for key in keys::KEYS {
            if let Some(origin) = upper.origins.get(key.name) {
                (key.copy)(upper, self);
                self.origins.insert(key.name, origin.clone());
            }
        }
    }

    /// The single setting of a flag for `key`, with its value in TOML.
    pub fn from_flag(key: &str, value: &str) -> Result<Self, SettingsError> {
        Self::read_as(&format!("{key} = {value}"), &|_| Origin::Flag)
    }
}

pub trait SettingWord: Copy + Ord + 'static {
    const ALL: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, choice)| *choice == self).map_or("", |(word, _)| *word)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Export {
    Csv,
    Jsonl,
    Junit,
}

impl SettingWord for Export {
    const ALL: &'static [(&'static str, Self)] =
        &[("csv", Self::Csv), ("jsonl", Self::Jsonl), ("junit", Self::Junit)];
}

impl Export {
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["runs.csv", "expectations.csv"],
            Self::Jsonl => &["runs.jsonl"],
            Self::Junit => &["junit.xml"],
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outputs {
    None,
    /// Outputs of runs with an expectation that did not pass.
    Failed,
    #[default]
    All,
}

impl SettingWord for Outputs {
    const ALL: &'static [(&'static str, Self)] =
        &[("none", Self::None), ("failed", Self::Failed), ("all", Self::All)];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Robots {
    #[default]
    Index,
    Noindex,
}

impl SettingWord for Robots {
    const ALL: &'static [(&'static str, Self)] =
        &[("index", Self::Index), ("noindex", Self::Noindex)];
}

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

impl SettingWord for FailOn {
    const ALL: &'static [(&'static str, Self)] = &[
        ("worse", Self::Worse),
        ("settled-worse", Self::SettledWorse),
        ("regression", Self::Regression),
        ("regression-strict", Self::RegressionStrict),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CostLimit {
    /// A share of the earlier cost: 0.2 for `"20%"`.
    Share(f64),
    /// This many more seconds or tokens per run.
    Amount(f64),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    pub fail_on: Vec<FailOn>,
    /// The least pass rate of the candidate, in 0..=1.
    pub min_pass_rate: Option<f64>,
    /// The most additional time of a run; an amount is in seconds.
    pub max_time_increase: Option<CostLimit>,
    pub max_token_increase: Option<CostLimit>,
}

impl Gate {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownIssue {
    /// The case: its name, or a pattern of names.
    pub case: String,
    /// The expectation: its statement, or a pattern of statements.
    pub expectation: String,
    pub reason: String,
    /// The last day on which it counts as known, such as `2026-12-31`.
    pub expires: String,
}

/// The prices of a model, in US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    pub input: f64,
    pub output: f64,
}
