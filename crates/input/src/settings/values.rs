//! The types of values, each read from the file by serde and from a flag by its text.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use jiff::civil::Date;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::de::ValueDeserializer;
use toml::value::Datetime;

use crate::files;
use crate::settings::gate_limits::{Budget, from_zero_up};
use crate::settings::secrets::{SecretRule, SecretRules};

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Export {
    /// `runs.csv` and `expectations.csv`, which are always written: a row per run and per verdict
    Csv,
    /// `runs.jsonl`: an object per run
    Jsonl,
    /// `junit.xml`: the newest graded candidate, for the test view of a CI system
    Junit,
}

impl Export {
    /// The names of the files that this export adds to a report.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Csv => &["runs.csv", "expectations.csv"],
            Self::Jsonl => &["runs.jsonl"],
            Self::Junit => &["junit.xml"],
        }
    }
}

/// Which outputs are published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outputs {
    /// No output
    None,
    /// Those of runs with an expectation that did not pass
    Failed,
    /// Every output
    #[default]
    All,
}

/// What happens to outputs of kinds that are not searched for secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsearched {
    /// They are listed and published
    #[default]
    Publish,
    /// They are listed and not published
    Withhold,
}

/// What is said of a round whose runs cannot be believed: a broken setup, refused tools, times that no agent
/// takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DoubtfulRuns {
    /// It is no measurement, and no gate passes
    #[default]
    Doubt,
    /// It counts like any other
    Count,
}

/// Whether search engines may list the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Robots {
    /// Nothing keeps search engines away
    #[default]
    Index,
    /// Every page asks search engines not to list it
    Noindex,
}

/// A change that fails the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// The verdict is worse or probably worse, or 30 % of the passes are gone
    Worse,
    /// A check that passed in every run before passes in none now
    Loss,
}

impl FailOn {
    /// The word in the settings.
    pub fn word(self) -> &'static str {
        ["worse", "loss"][self as usize]
    }
}

/// A pattern of paths, such as `drafts/**`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathPattern(glob::Pattern);

impl PathPattern {
    /// Whether the pattern covers all of `path`, case included; `*` covers `/` as well.
    pub fn matches(&self, path: &str) -> bool {
        self.0.matches(path)
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

impl FromStr for PathPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match glob::Pattern::new(text) {
            Ok(pattern) => Ok(Self(pattern)),
            Err(error) => Err(format!("`{text}` is not a pattern: {}", error.msg)),
        }
    }
}

impl TryFrom<String> for PathPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PathPattern> for String {
    fn from(pattern: PathPattern) -> Self {
        pattern.0.to_string()
    }
}

/// The prices of a model, in US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Dollars per million tokens that the model reads, from 0 up.
    #[serde(deserialize_with = "dollars")]
    pub input: f64,
    /// Dollars per million tokens that the model writes, from 0 up.
    #[serde(deserialize_with = "dollars")]
    pub output: f64,
}

fn dollars<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    from_zero_up(f64::deserialize(from)?).map_err(D::Error::custom)
}

/// Reads `MODEL={ input = 3, output = 15 }`.
pub(super) fn price(text: &str) -> Result<(String, Price), String> {
    named_table(text, "{ input = 3, output = 15 }")
}

/// Reads `MODEL={ tokens = 1.5 }`.
pub(super) fn budget(text: &str) -> Result<(String, Budget), String> {
    named_table(text, "{ tokens = 1.5, time = 2 }")
}

fn named_table<'de, T: Deserialize<'de>>(
    text: &'de str,
    example: &str,
) -> Result<(String, T), String> {
    let (name, table) =
        text.split_once('=').ok_or_else(|| format!("write it as `{text}={example}`"))?;
    let name = name.trim();
    // A single number, or a table that lacks a key: what TOML says of it names a type of this program.
    let read = from_toml(table.trim());
    Ok((
        name.to_owned(),
        read.map_err(|error| {
            let reason = error.split(", expected struct").next().unwrap_or_default();
            format!("{reason}; write it as `{name}={example}`")
        })?,
    ))
}

/// Reads `NAME=LABEL`.
pub(super) fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((_, label)) if label.trim().is_empty() => Err("the label is empty".to_owned()),
        Some((name, label)) => Ok((name.trim().to_owned(), label.trim().to_owned())),
        None => Err(format!("write it as `{text}=LABEL`")),
    }
}

/// A lost check that fails no gate until it expires.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KnownIssue {
    /// The case: its name, or a pattern of names.
    pub case: String,
    /// The expectation: its statement, or a pattern of statements.
    pub expectation: String,
    /// Why the loss is accepted, in the user's words.
    pub reason: String,
    /// The last day on which it counts as known, such as `2026-12-31`.
    #[serde(deserialize_with = "day")]
    pub expires: String,
}

impl FromStr for KnownIssue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.trim_start().starts_with('{') {
            let form =
                "{ case = \"…\", expectation = \"…\", reason = \"…\", expires = 2026-12-31 }";
            return Err(format!("write it as `{form}`"));
        }
        from_toml(text)
    }
}

fn from_toml<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, String> {
    let value = ValueDeserializer::parse(text).and_then(T::deserialize);
    value.map_err(|error| error.message().to_owned())
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a day such as `2026-12-31`")]
enum Day {
    Date(Datetime),
    Text(String),
}

fn day<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let day = match Day::deserialize(from)? {
        Day::Date(date) => date.to_string(),
        Day::Text(text) => text,
    };
    // A date with a time is refused: the zone of the gate is unknown.
    if day.len() == 10 && day.parse::<Date>().is_ok() {
        Ok(day)
    } else {
        Err(D::Error::custom(format!("expected a day such as `2026-12-31`, not `{day}`")))
    }
}

/// Reads a plain web address of a folder; the result ends in `/`.
pub(super) fn address(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = host.is_some_and(|host| host.starts_with(|c: char| c.is_ascii_alphanumeric()));
    if !is_host || !text.bytes().all(is_plain) || text.len() > LONGEST_ADDRESS {
        let example = "`https://me.example/report/`";
        return Err(format!("`{text}` is not the address of a page such as {example}"));
    }
    // People copy the address of the page that they see.
    Ok(format!("{}/", text.trim_end_matches("index.html").trim_end_matches('/')))
}

/// Addresses go into Markdown, HTML and SVG, so nothing in them may need escaping there.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"<>()[]{}\"'`|\\^?#".contains(&byte)
}

/// In bytes. Comments on pull requests repeat the address in every link.
const LONGEST_ADDRESS: usize = 500;

pub(super) fn optional_address<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    address(&String::deserialize(from)?).map(Some).map_err(D::Error::custom)
}

/// A table by names, as pairs in the order of the names.
pub(super) mod by_name {
    use super::*;

    pub(in crate::settings) fn deserialize<'de, D, T>(from: D) -> Result<Vec<(String, T)>, D::Error>
    where
        D: Deserializer<'de>,
        T: Deserialize<'de>,
    {
        Ok(BTreeMap::<String, T>::deserialize(from)?.into_iter().collect())
    }

    pub(in crate::settings) fn serialize<S: Serializer, T: Serialize>(
        pairs: &[(String, T)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
    }
}

/// The rules in a file that a flag names.
pub(super) fn secret_rules(path: &str) -> Result<SecretRules, String> {
    match files::text(Path::new(path)) {
        Some(text) => text.parse(),
        None => Err("it cannot be read, or is not text".to_owned()),
    }
}

/// Rules whose expressions are valid.
pub(super) fn secret_rule_list<'de, D>(from: D) -> Result<Vec<SecretRule>, D::Error>
where
    D: Deserializer<'de>,
{
    let rules = SecretRules { rules: Vec::deserialize(from)?, ..SecretRules::default() };
    rules.check().map_err(D::Error::custom)?;
    Ok(rules.rules)
}

/// A list, or a single word in its place.
pub(super) fn one_or_more<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    from.deserialize_any(OneOrMore(PhantomData))
}

struct OneOrMore<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMore<T> {
    type Value = Vec<T>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a word or a list of words")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Vec<T>, E> {
        T::deserialize(word.into_deserializer()).map(|value| vec![value])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items))
    }
}
