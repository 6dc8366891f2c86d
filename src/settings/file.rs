//! From the text of `evalbook.toml` to settings.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::keys::{KEYS, nearest};
use crate::settings::{FailOn, KnownIssue, Origin, Price, Settings};

/// What is wrong with the file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SettingsError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do, where there is something to say.
    pub help: Option<String>,
}

impl Settings {
    /// The settings in `text`.
    ///
    /// # Errors
    /// The first place that is not TOML, holds an unknown key, or a value that makes no sense.
    pub fn read(text: &str) -> Result<Self, SettingsError> {
        let reader = Reader { text };
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            reader.error(&span, error.message().trim().to_lowercase())
        })?;
        let mut settings = Self::default();
        reader.table(table.get_ref(), "", &mut settings)?;
        Ok(settings)
    }
}

type Value<'t> = Spanned<DeValue<'t>>;

/// What the keys of a list's tables are read into.
type Fields<'f, 't> = BTreeMap<&'f str, &'f Value<'t>>;

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> SettingsError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        SettingsError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
            help: None,
        }
    }

    fn table(
        &self,
        table: &DeTable<'_>,
        prefix: &str,
        settings: &mut Settings,
    ) -> Result<(), SettingsError> {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match (KEYS.iter().find(|known| known.name == name), value.get_ref()) {
                (Some(known), _) => {
                    self.value(known.name, value, settings)?;
                    let line = self.error(&key.span(), "").line;
                    settings.origins.insert(known.name, Origin::File(line));
                }
                (None, DeValue::Table(inner)) if is_table(&name) => {
                    self.table(inner, &format!("{name}."), settings)?;
                }
                (None, _) => {
                    return Err(self.unknown(&key.span(), &name, KEYS.iter().map(|k| k.name)));
                }
            }
        }
        Ok(())
    }

    fn unknown<'k>(
        &self,
        span: &Range<usize>,
        name: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> SettingsError {
        let help = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are `{}`", known.collect::<Vec<_>>().join("`, `")),
        };
        SettingsError { help: Some(help), ..self.error(span, format!("there is no key `{name}`")) }
    }

    fn value(
        &self,
        key: &'static str,
        value: &Value<'_>,
        settings: &mut Settings,
    ) -> Result<(), SettingsError> {
        match key {
            "title" => settings.title = Some(self.text_of(key, value)?),
            "language" => settings.language = Some(self.text_of(key, value)?),
            "baseline" => settings.baseline = Some(self.text_of(key, value)?),
            "against" => settings.against = Some(self.text_of(key, value)?),
            "order" => settings.order = self.texts(key, value)?,
            "leave_out" => settings.leave_out = self.patterns(key, value)?,
            "labels" => settings.labels = self.map(key, value, |value| self.text_of(key, value))?,
            "prices" => settings.prices = self.map(key, value, |value| self.price(value))?,
            "known_issues" => settings.known_issues = self.known_issues(key, value)?,
            "gate.fail_on" => settings.gate.fail_on = Some(self.fail_on(key, value)?),
            "gate.min_pass_rate" => {
                settings.gate.min_pass_rate = Some(self.number(key, value, 0.0..=1.0)?);
            }
            "gate.max_time_increase" => {
                settings.gate.max_time_increase = Some(self.number(key, value, 0.0..=f64::MAX)?);
            }
            "gate.max_token_increase" => {
                settings.gate.max_token_increase = Some(self.number(key, value, 0.0..=f64::MAX)?);
            }
            _ => return Err(self.error(&value.span(), format!("`{key}` cannot be set"))),
        }
        Ok(())
    }

    fn wrong(&self, key: &str, value: &Value<'_>, wanted: &str) -> SettingsError {
        let found = value.get_ref().type_str();
        self.error(&value.span(), format!("`{key}` is {wanted}, not a value of type {found}"))
    }

    fn text_of(&self, key: &str, value: &Value<'_>) -> Result<String, SettingsError> {
        match value.get_ref().as_str() {
            Some("") => Err(self.error(&value.span(), format!("`{key}` is empty"))),
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong(key, value, "a text")),
        }
    }

    fn texts(&self, key: &str, value: &Value<'_>) -> Result<Vec<String>, SettingsError> {
        let list =
            value.get_ref().as_array().ok_or_else(|| self.wrong(key, value, "a list of texts"))?;
        list.iter().map(|item| self.text_of(key, item)).collect()
    }

    fn patterns(&self, key: &str, value: &Value<'_>) -> Result<Vec<String>, SettingsError> {
        let texts = self.texts(key, value)?;
        for text in &texts {
            glob::Pattern::new(text).map_err(|error| {
                self.error(&value.span(), format!("`{text}` is no pattern: {}", error.msg))
            })?;
        }
        Ok(texts)
    }

    fn map<T>(
        &self,
        key: &str,
        value: &Value<'_>,
        read: impl Fn(&Value<'_>) -> Result<T, SettingsError>,
    ) -> Result<BTreeMap<String, T>, SettingsError> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        let entry = |(name, value): (&Spanned<std::borrow::Cow<'_, str>>, &Value<'_>)| {
            Ok((name.get_ref().to_string(), read(value)?))
        };
        table.iter().map(entry).collect()
    }

    fn number(
        &self,
        key: &str,
        value: &Value<'_>,
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, SettingsError> {
        let written = match value.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) if number.radix() == 10 => {
                number.as_str().replace('_', "").parse().ok()
            }
            _ => None,
        };
        let number: f64 = written.ok_or_else(|| self.wrong(key, value, "a number"))?;
        if range.contains(&number) {
            return Ok(number);
        }
        let end =
            if *range.end() == f64::MAX { "up".to_owned() } else { format!("to {}", range.end()) };
        let message = format!("`{key}` is a number from {} {end}, not {number}", range.start());
        Err(self.error(&value.span(), message))
    }

    fn fail_on(&self, key: &str, value: &Value<'_>) -> Result<FailOn, SettingsError> {
        let word = self.text_of(key, value)?;
        FailOn::of(&word).ok_or_else(|| {
            let words = FailOn::ALL.map(|(word, _)| word).join("`, `");
            self.error(&value.span(), format!("`{key}` is one of `{words}`, not `{word}`"))
        })
    }

    fn price(&self, value: &Value<'_>) -> Result<Price, SettingsError> {
        let fields = self.fields("prices", value, &["input", "output", "cached"])?;
        let dollars = |name: &str| {
            let found = fields.get(name);
            found
                .map(|value| self.number(&format!("prices.{name}"), value, 0.0..=f64::MAX))
                .transpose()
        };
        let needed = |name: &str| {
            dollars(name)?.ok_or_else(|| {
                self.error(
                    &value.span(),
                    format!("a price needs `{name}`, in US dollars per million tokens"),
                )
            })
        };
        Ok(Price { input: needed("input")?, output: needed("output")?, cached: dollars("cached")? })
    }

    fn known_issues(&self, key: &str, value: &Value<'_>) -> Result<Vec<KnownIssue>, SettingsError> {
        let list =
            value.get_ref().as_array().ok_or_else(|| self.wrong(key, value, "a list of tables"))?;
        list.iter().map(|item| self.known_issue(item)).collect()
    }

    fn known_issue(&self, value: &Value<'_>) -> Result<KnownIssue, SettingsError> {
        let fields =
            self.fields("known_issues", value, &["case", "expectation", "reason", "until"])?;
        let text = |name: &str| {
            let found = fields.get(name);
            found.map(|value| self.text_of(&format!("known_issues.{name}"), value)).transpose()
        };
        let needed = |name: &str| {
            text(name)?
                .ok_or_else(|| self.error(&value.span(), format!("a known issue needs `{name}`")))
        };
        let until = fields.get("until").map(|value| self.day(value)).transpose()?;
        Ok(KnownIssue {
            case: needed("case")?,
            expectation: text("expectation")?,
            reason: needed("reason")?,
            until,
        })
    }

    /// A day, written as a text or as TOML's own date.
    fn day(&self, value: &Value<'_>) -> Result<String, SettingsError> {
        let written = match value.get_ref() {
            DeValue::Datetime(day) => Some(day.to_string()),
            other => other.as_str().map(str::to_owned),
        };
        let day = written.filter(|day| day.parse::<jiff::civil::Date>().is_ok());
        day.ok_or_else(|| {
            self.error(&value.span(), "`known_issues.until` is a day such as `2026-12-31`")
        })
    }

    fn fields<'f, 'v>(
        &self,
        key: &str,
        value: &'f Value<'v>,
        known: &[&'static str],
    ) -> Result<Fields<'f, 'v>, SettingsError> {
        let table = value.get_ref().as_table().ok_or_else(|| self.wrong(key, value, "a table"))?;
        for name in table.keys() {
            if !known.contains(&name.get_ref().as_ref()) {
                return Err(self.unknown(&name.span(), name.get_ref(), known.iter().copied()));
            }
        }
        Ok(table.iter().map(|(name, value)| (name.get_ref().as_ref(), value)).collect())
    }
}

/// Whether `name` is the table of other keys.
fn is_table(name: &str) -> bool {
    KEYS.iter().any(|known| known.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
