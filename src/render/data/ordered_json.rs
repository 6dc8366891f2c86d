//! JSON for output: an object keeps the order of its fields.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::report_json::{ChangeJson, GainFigures, LevelJson, ProblemJson};
use input::model::{Expectation, Tally};
use statistics::Spread;
use text::printable_json;

/// A value that is built where it is written, without its own type.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Json<'a> {
    /// A string, a number (null if not finite), or a list of these.
    Value(Value),
    List(Vec<Json<'a>>),
    #[serde(serialize_with = "in_order")]
    Object(Vec<(&'a str, Json<'a>)>),
    Spread(Spread),
    Level(LevelJson),
    Gain(GainFigures),
    Change(Box<ChangeJson>),
    Problem(ProblemJson<'a>),
    /// Written one by one: a document may have a million.
    #[serde(serialize_with = "as_checks")]
    Checks(&'a [Expectation]),
}

/// A check as `benchmark.json` has it.
#[derive(Serialize)]
struct CheckJson<'a> {
    text: &'a str,
    /// Null without a verdict. The viewer has two marks only and shows that as failed; the counts of
    /// the run do not.
    passed: Option<bool>,
    evidence: Option<&'a str>,
}

fn as_checks<S: Serializer>(checks: &[Expectation], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(checks.iter().map(|check| CheckJson {
        text: &check.text,
        passed: check.outcome.into(),
        evidence: check.evidence.as_deref(),
    }))
}

fn in_order<S: Serializer>(fields: &[(&str, Json<'_>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(fields.iter().map(|(name, value)| (name, value)))
}

pub(crate) fn object<'a, const N: usize>(fields: [(&'a str, Json<'a>); N]) -> Json<'a> {
    Json::Object(fields.into())
}

pub(crate) fn list<'a, T>(
    items: impl IntoIterator<Item = T>,
    value: impl FnMut(T) -> Json<'a>,
) -> Json<'a> {
    Json::List(items.into_iter().map(value).collect())
}

pub(crate) fn counts(tally: Tally) -> [(&'static str, Json<'static>); 3] {
    let Tally { passed, failed, ungraded } = tally;
    [("passed", passed.into()), ("failed", failed.into()), ("ungraded", ungraded.into())]
}

impl Json<'_> {
    pub(crate) const NULL: Self = Self::Value(Value::Null);

    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Indented by two spaces, with a final newline.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    // Strings, finite numbers and string keys always serialize.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Like [`pretty`], with characters escaped that some terminals obey.
pub(crate) fn for_terminal(value: &impl Serialize) -> String {
    printable_json(&pretty(value))
}

impl<T: Into<Value>> From<T> for Json<'_> {
    fn from(value: T) -> Self {
        Self::Value(value.into())
    }
}
