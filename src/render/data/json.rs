//! JSON as it is written: an object keeps the order of its fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

use crate::report_json::{LevelJson, ProblemJson};
use crate::statistics::Spread;

/// A value that is put together where it is written, without a type of its own.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    Null,
    Flag(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(&'a str, Json<'a>)>),
    Spread(Spread),
    Level(LevelJson),
    Problem(ProblemJson<'a>),
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

impl Json<'_> {
    /// Indented by two spaces, without a newline at the end.
    pub(crate) fn pretty(&self) -> String {
        // Texts, finite numbers and fields that are texts always serialize.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Spread(spread) => spread.serialize(serializer),
            Self::Level(level) => level.serialize(serializer),
            Self::Problem(problem) => problem.serialize(serializer),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl From<bool> for Json<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<u32> for Json<'_> {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Json<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Json<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number.into())
    }
}

impl From<f64> for Json<'_> {
    /// A number that is not finite is not known.
    fn from(number: f64) -> Self {
        Number::from_f64(number).map_or(Self::Null, Self::Number)
    }
}

impl From<Number> for Json<'_> {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl<'a> From<&'a String> for Json<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Json<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a, T: Into<Json<'a>>> From<Vec<T>> for Json<'a> {
    fn from(items: Vec<T>) -> Self {
        list(items, Into::into)
    }
}

impl<'a, T: Into<Json<'a>>, const N: usize> From<[T; N]> for Json<'a> {
    fn from(items: [T; N]) -> Self {
        list(items, Into::into)
    }
}

impl<'a, T: Copy + Into<Json<'a>>> From<&'a BTreeMap<&'static str, T>> for Json<'a> {
    fn from(fields: &'a BTreeMap<&'static str, T>) -> Self {
        Self::Object(fields.iter().map(|(name, value)| (*name, (*value).into())).collect())
    }
}
