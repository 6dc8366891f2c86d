//! From the text of `evalbook.toml` to settings.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::keys::{KEYS, nearest};
use crate::settings::{FILE, Origin, Settings};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SettingsError {
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub help: Option<String>,
}

impl SettingsError {
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl Settings {
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

pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// What a value means, or what is wrong with it.
pub(super) type Parsed<T> = Result<T, SettingsError>;

pub(super) struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    pub(super) fn error(&self, span: &Range<usize>, message: impl Into<String>) -> SettingsError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        SettingsError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
            help: None,
        }
    }

    fn table(&self, table: &DeTable<'_>, prefix: &str, settings: &mut Settings) -> Parsed<()> {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match (KEYS.iter().find(|known| known.name == name), value.get_ref()) {
                (Some(known), _) => {
                    (known.read)(self, value, settings)?;
                    let line = self.error(&key.span(), "").line;
                    let origin = Origin::File { path: FILE.to_owned(), line };
                    settings.origins.insert(known.name, origin);
                }
                (None, DeValue::Table(inner)) if is_table(&name) => {
                    self.table(inner, &format!("{name}."), settings)?;
                }
                (None, _) if name == "redact" => {
                    let message = "`redact` is no setting: a workspace may not show secrets";
                    let help = "remove it, and give the flag `--no-redact` where you want that";
                    return Err(self.error(&key.span(), message).help(help));
                }
                (None, _) => {
                    return Err(self.unknown(&key.span(), &name, KEYS.iter().map(|k| k.name)));
                }
            }
        }
        Ok(())
    }

    pub(super) fn unknown<'k>(
        &self,
        span: &Range<usize>,
        name: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> SettingsError {
        let help = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are `{}`", known.collect::<Vec<_>>().join("`, `")),
        };
        self.error(span, format!("there is no key `{name}`")).help(help)
    }

    pub(super) fn wrong(&self, key: &str, value: &Value<'_>, wanted: &str) -> SettingsError {
        let found = value.get_ref().type_str();
        self.error(&value.span(), format!("`{key}` is {wanted}, not a value of type {found}"))
    }

    /// A text that is not empty.
    pub(super) fn text_of(&self, key: &str, value: &Value<'_>) -> Parsed<String> {
        match value.get_ref().as_str() {
            Some("") => Err(self.error(&value.span(), format!("`{key}` is empty"))),
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong(key, value, "a text")),
        }
    }

    pub(super) fn texts(&self, key: &str, value: &Value<'_>) -> Parsed<Vec<String>> {
        let list =
            value.get_ref().as_array().ok_or_else(|| self.wrong(key, value, "a list of texts"))?;
        list.iter().map(|item| self.text_of(key, item)).collect()
    }

    pub(super) fn patterns(&self, key: &str, value: &Value<'_>) -> Parsed<Vec<String>> {
        let texts = self.texts(key, value)?;
        for text in &texts {
            glob::Pattern::new(text).map_err(|error| {
                self.error(&value.span(), format!("`{text}` is no pattern: {}", error.msg))
            })?;
        }
        Ok(texts)
    }
}

/// Whether `name` is the table of other keys.
fn is_table(name: &str) -> bool {
    KEYS.iter().any(|known| known.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
