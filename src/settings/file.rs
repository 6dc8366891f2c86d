//! From the text of `evalbook.toml` to settings.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::keys::{KEYS, nearest};
use crate::settings::{Origin, Settings};

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
        reader.table(table.get_ref(), &mut settings)?;
        Ok(settings)
    }
}

type Value<'t> = Spanned<DeValue<'t>>;

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

    fn table(&self, table: &DeTable<'_>, settings: &mut Settings) -> Result<(), SettingsError> {
        for (key, value) in table {
            let Some(known) = KEYS.iter().find(|known| known.name == key.get_ref()) else {
                return Err(self.unknown(&key.span(), key.get_ref()));
            };
            self.value(known.name, value, settings)?;
            let line = self.error(&key.span(), "").line;
            settings.origins.insert(known.name, Origin::File(line));
        }
        Ok(())
    }

    fn unknown(&self, span: &Range<usize>, name: &str) -> SettingsError {
        let known = KEYS.iter().map(|key| key.name);
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
            "order" => settings.order = self.texts(key, value)?,
            "leave_out" => settings.leave_out = self.patterns(key, value)?,
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
}
