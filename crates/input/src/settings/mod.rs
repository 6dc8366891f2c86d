//! The user's decisions about a report: the keys of `evalbook.toml`, each also a flag.
//!
//! A setting is one field. Its name is the key, its attributes make the flag, and its comment is the
//! help of the flag and the line in the reference. [`keys`] has an example of each.

mod gate_limits;
pub mod keys;
pub mod rows;
mod secrets;
mod toml_file;
mod values;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde::{Deserialize, Serialize};

pub use crate::settings::gate_limits::{Budget, CostLimit};
pub use crate::settings::secrets::{AllowList, AllowTarget, SecretRule, SecretRules};
pub use crate::settings::toml_file::SettingsError;
pub use crate::settings::values::{
    DoubtfulRuns, Export, FailOn, KnownIssue, Outputs, PathPattern, Price, Robots, Unsearched,
};

/// The name of a file of settings; it holds for its folder and those below.
pub const FILE: &str = "evalbook.toml";

/// A longer file is none that a person wrote: reading it would only cost memory.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Where a value was set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere: the default applies.
    #[default]
    Default,
    /// In a file of settings.
    File {
        /// The file, relative to the root of the source.
        path: String,
        /// The line of its key, from 1.
        line: usize,
    },
    /// In a flag of the command.
    Flag,
}

/// Everything that can be set. The default applies without a file and without flags.
///
/// As arguments of a command it has the flags that say what a report is about; commands that publish
/// or judge add those of [`Publish`] and [`GateFlags`].
#[derive(Clone, Debug, Default, PartialEq, Args, Deserialize, Serialize)]
#[serde(default)]
#[command(next_help_heading = "Settings (override evalbook.toml)")]
pub struct Settings {
    /// Title of the report; by default the name of the workspace
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub title: Option<String>,

    /// Language of the pages: `en`, the default, or `zh-TW`
    #[arg(long = "lang", value_name = "TAG", value_parser = NonEmptyStringValueParser::new())]
    pub language: Option<String>,

    /// The configuration the others are compared against; by default the recorded one, else one with a
    /// known name such as `without_skill`
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub baseline: Option<String>,

    /// A second baseline: an iteration's name, `best`, `first` or `previous`; none by default
    #[arg(long, value_name = "ITERATION", value_parser = NonEmptyStringValueParser::new())]
    pub against: Option<String>,

    /// Configurations in the order shown; by default the candidates, then the baseline
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub order: Vec<String>,

    /// What a configuration is called in the report; by default its name
    #[arg(long = "label", value_name = "NAME=LABEL", value_parser = values::label)]
    #[serde(with = "values::by_name")]
    pub labels: Vec<(String, String)>,

    /// Pattern of paths that are not read; none by default
    #[arg(long, value_name = "GLOB")]
    pub leave_out: Vec<PathPattern>,

    /// Show secrets and home folders as they are in the workspace
    // Only a flag does this: a workspace may be anybody's.
    #[arg(long)]
    #[serde(skip)]
    pub no_redact: bool,

    /// Publish files with tokens that cannot be replaced in them, such as office files and archives
    #[arg(long)]
    #[serde(skip)]
    pub keep_secret_files: bool,

    /// Further rules for secrets in the form of gitleaks; the flag names a file, whose allowlist says
    /// what is no secret
    // A workspace must not say what is no secret.
    #[arg(
        id = "secret_rules",
        long = "secret-rules",
        value_name = "FILE",
        value_parser = values::secret_rules
    )]
    #[serde(skip)]
    pub own_secret_rules: Option<SecretRules>,

    /// Pattern of outputs that are listed and not published; none by default
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<PathPattern>,

    /// Which outputs are published, `all` by default
    #[arg(long, value_name = "WHICH", value_enum)]
    pub outputs: Option<Outputs>,

    /// What happens to outputs of kinds that are not searched for secrets, such as pictures; they are
    /// published by default
    #[arg(long, value_name = "WORD", value_enum)]
    pub unsearched: Option<Unsearched>,

    /// What is said of a round whose runs cannot be believed, such as those of a broken setup
    #[arg(long, value_name = "WORD", value_enum)]
    pub doubtful_runs: Option<DoubtfulRuns>,

    /// US dollars per million tokens of a model, as `MODEL={ input = 3, output = 15 }`; for runs that
    /// recorded tokens and no cost
    #[arg(long = "price", value_name = "MODEL=TABLE", value_parser = values::price)]
    #[serde(with = "values::by_name")]
    pub prices: Vec<(String, Price)>,

    /// What is published, and where; its keys are at the top of the file.
    #[arg(skip)]
    #[serde(skip)]
    pub publish: Publish,

    /// When the gate fails: the table `[gate]` of the file.
    #[arg(skip)]
    pub gate: Gate,

    /// Losses that fail no gate until they expire; empty by default.
    #[arg(skip)]
    pub known_issues: Vec<KnownIssue>,

    /// Further rules for secrets, in the form of gitleaks, without an allowlist for other rules
    #[arg(skip)]
    #[serde(deserialize_with = "values::secret_rule_list")]
    pub secret_rules: Vec<SecretRule>,

    /// Rows of results in a shape of their own, as `{ files = "…", case = "…", configuration = "…",
    /// passed = "…" }`
    #[arg(long = "rows", value_name = "TABLE")]
    #[serde(deserialize_with = "rows::list")]
    pub rows: Vec<rows::Rows>,

    /// Where each key was set; the others have their default.
    #[arg(skip)]
    #[serde(skip)]
    pub origins: BTreeMap<&'static str, Origin>,
}

/// What a report holds besides its pages, where it is published, and to whom.
#[derive(Clone, Debug, Default, PartialEq, Args, Deserialize, Serialize)]
#[serde(default)]
#[command(next_help_heading = "Settings (override evalbook.toml)")]
pub struct Publish {
    /// Files for other programs in the report; none by default
    #[arg(long, value_name = "FORM,…", value_delimiter = ',', value_enum)]
    #[serde(deserialize_with = "values::one_or_more")]
    pub export: Vec<Export>,

    /// Where the report is published, or with `--into` the site, such as
    /// `https://me.example/report/`: for links to it from comments; none by default
    #[arg(long, value_name = "ADDRESS", value_parser = values::address)]
    #[serde(deserialize_with = "values::optional_address")]
    pub url: Option<String>,

    /// Whether search engines may list the pages; they may by default
    #[arg(long, value_name = "WORD", value_enum)]
    pub robots: Option<Robots>,
}

/// When the gate fails.
#[derive(Clone, Debug, Default, PartialEq, Args, Deserialize, Serialize)]
#[serde(default)]
#[command(next_help_heading = "Gate (overrides evalbook.toml)")]
pub struct Gate {
    /// What fails the gate; `worse` where it has no other rule
    #[arg(long, value_name = "CHANGE,…", value_delimiter = ',', value_enum)]
    #[serde(deserialize_with = "values::one_or_more")]
    pub fail_on: Vec<FailOn>,

    /// Smallest pass rate of the candidate: `0.8` or `80%`; none by default
    #[arg(long, value_name = "RATE", value_parser = gate_limits::rate)]
    #[serde(deserialize_with = "gate_limits::optional_rate")]
    pub min_pass_rate: Option<f64>,

    /// Smallest gain of the candidate over its baseline, in points; none by default
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = gate_limits::points)]
    #[serde(deserialize_with = "gate_limits::optional_points")]
    pub min_gain: Option<f64>,

    /// How much longer a run may take beyond noise: `20%`, or a number of seconds; any time by default
    #[arg(long, value_name = "LIMIT")]
    pub max_time_increase: Option<CostLimit>,

    /// How many more tokens a run may use beyond noise: `20%`, or a number; any by default
    #[arg(long, value_name = "LIMIT")]
    pub max_token_increase: Option<CostLimit>,

    /// Most that a run may cost under a condition, as a multiple of the earlier side, such as
    /// `MODEL={ tokens = 1.5 }`; `*` stands for any name, and there is none by default
    #[arg(long = "budget", value_name = "CONDITION=TABLE", value_parser = values::budget)]
    #[serde(with = "values::by_name")]
    pub budgets: Vec<(String, Budget)>,
}

impl Gate {
    /// Whether there is no rule, so that nothing fails.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The flags of a command with a gate.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Gate (overrides evalbook.toml)")]
pub struct GateFlags {
    /// The rules, each a flag of its own.
    #[command(flatten)]
    pub gate: Gate,

    /// A loss that fails no gate until it expires, as `{ case = "…", expectation = "…", reason = "…", expires =
    /// DAY }`
    #[arg(long = "known-issue", value_name = "TABLE")]
    pub known_issues: Vec<KnownIssue>,
}

impl Settings {
    /// The same as given by flags, so that they override those of a file.
    pub fn as_flags(&self) -> Self {
        let mut flags = self.clone();
        let values = keys::values(self);
        for (name, _) in keys::EXAMPLES {
            if values.contains_key(name) {
                flags.origins.insert(name, Origin::Flag);
            }
        }
        flags
    }

    /// The name in the data of the configuration with this label.
    pub fn unlabelled<'s>(&'s self, label: &'s str) -> &'s str {
        let found = self.labels.iter().find(|(_, known)| known == label);
        found.map_or(label, |(name, _)| name)
    }

    /// Where `key` was set, such as `title` or `gate.min_gain`; unknown keys have their default.
    pub fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or_default()
    }

    /// Overrides this with the values set in `upper`. Lists and tables are replaced as a whole.
    pub fn override_with(&mut self, upper: &Self) {
        self.no_redact |= upper.no_redact;
        self.keep_secret_files |= upper.keep_secret_files;
        if upper.own_secret_rules.is_some() {
            self.own_secret_rules.clone_from(&upper.own_secret_rules);
        }
        let (publish, gate) = (&upper.publish, &upper.gate);
        // Only what was set: a value that equals the default overrides as well.
        for (key, origin) in &upper.origins {
            match *key {
                "title" => self.title.clone_from(&upper.title),
                "language" => self.language.clone_from(&upper.language),
                "baseline" => self.baseline.clone_from(&upper.baseline),
                "against" => self.against.clone_from(&upper.against),
                "order" => self.order.clone_from(&upper.order),
                "labels" => self.labels.clone_from(&upper.labels),
                "leave_out" => self.leave_out.clone_from(&upper.leave_out),
                "exclude" => self.exclude.clone_from(&upper.exclude),
                "outputs" => self.outputs = upper.outputs,
                "unsearched" => self.unsearched = upper.unsearched,
                "doubtful_runs" => self.doubtful_runs = upper.doubtful_runs,
                "prices" => self.prices.clone_from(&upper.prices),
                "export" => self.publish.export.clone_from(&publish.export),
                "url" => self.publish.url.clone_from(&publish.url),
                "robots" => self.publish.robots = publish.robots,
                "gate.fail_on" => self.gate.fail_on.clone_from(&gate.fail_on),
                "gate.min_pass_rate" => self.gate.min_pass_rate = gate.min_pass_rate,
                "gate.min_gain" => self.gate.min_gain = gate.min_gain,
                "gate.max_time_increase" => self.gate.max_time_increase = gate.max_time_increase,
                "gate.max_token_increase" => self.gate.max_token_increase = gate.max_token_increase,
                "gate.budgets" => self.gate.budgets.clone_from(&gate.budgets),
                "known_issues" => self.known_issues.clone_from(&upper.known_issues),
                "rows" => self.rows.clone_from(&upper.rows),
                "secret_rules" => self.secret_rules.clone_from(&upper.secret_rules),
                // A test sets every key.
                _ => continue,
            }
            self.origins.insert(key, origin.clone());
        }
        // A word that is there twice is one rule and one file.
        self.gate.fail_on.sort_unstable();
        self.gate.fail_on.dedup();
        self.publish.export.sort_unstable();
        self.publish.export.dedup();
    }
}
