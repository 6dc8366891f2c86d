//! Reads `evalbook.toml`; an error has the place and what was expected.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::settings::keys::EXAMPLES;
use crate::settings::{Origin, Settings};
use text::most_similar;

/// Why a text is no file of settings, and where: only the first fault is found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SettingsError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Settings {
    /// Reads the text of the file at `path`.
    pub fn read_file(text: &str, path: &str) -> Result<Self, SettingsError> {
        let file = SettingsFile { text };
        let table = DeTable::parse(text).map_err(|error| {
            let message = error.message().trim().to_lowercase();
            let mut found = file.error(start(&error), message);
            if text.trim_start().starts_with('{') {
                let help = "this file is TOML, not JSON: `[gate]`, then `fail_on = [\"worse\"]`";
                found.help = Some(help.to_owned());
            }
            found
        })?;
        let mut keys = Vec::new();
        file.find_keys(table.get_ref(), "", &mut keys)?;
        // An error within a value is named by the last key before it.
        keys.sort_by_key(|(_, at)| *at);
        let mut settings: Self = file.decode(&table, &keys)?;
        settings.publish = file.decode(&table, &keys)?;
        file.place_rows(table.get_ref(), &mut settings);
        for (name, at) in keys {
            let (line, _) = file.place(at);
            settings.origins.insert(name, Origin::File { path: path.to_owned(), line });
        }
        Ok(settings)
    }
}

/// The start of an error in bytes.
fn start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// A known key, and where it is in the text.
type FoundKey = (&'static str, usize);

struct SettingsFile<'t> {
    text: &'t str,
}

impl SettingsFile<'_> {
    /// Collects the known keys of a table; an unknown one is an error.
    fn find_keys(
        &self,
        table: &DeTable<'_>,
        prefix: &str,
        found: &mut Vec<FoundKey>,
    ) -> Result<(), SettingsError> {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            let at = key.span().start;
            if let Some((known, _)) = EXAMPLES.iter().find(|(known, _)| *known == name) {
                if let Some(at) = empty_text(value) {
                    return Err(self.error(at, format!("`{name}` is empty")));
                }
                // What is wrong with a whole table of a list is at its brackets.
                found.push((known, self.text[..at].trim_end_matches('[').len()));
                continue;
            }
            let inside = format!("{name}.");
            match value.get_ref() {
                DeValue::Table(inner)
                    if EXAMPLES.iter().any(|(key, _)| key.starts_with(&inside)) =>
                {
                    self.find_keys(inner, &inside, found)?;
                }
                _ if name == "redact" => {
                    let message = "`redact` is not a setting: a workspace may not show secrets";
                    let help = "remove it, and give the flag `--no-redact` where you want that";
                    return Err(SettingsError {
                        help: Some(help.to_owned()),
                        ..self.error(at, message)
                    });
                }
                _ if EXAMPLES.iter().any(|(key, _)| key.starts_with(&inside)) => {
                    let help = format!("write its keys below a line `[{name}]`");
                    return Err(SettingsError {
                        help: Some(help),
                        ..self.error(at, format!("`{name}` is a table"))
                    });
                }
                _ => {
                    let mut names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
                    if matches!(value.get_ref(), DeValue::Table(_)) {
                        names.retain(|name| name.contains('.'));
                        for name in &mut names {
                            *name = name.split('.').next().unwrap_or(name);
                        }
                        names.dedup();
                    }
                    return Err(self.unknown_key(at, &name, &names));
                }
            }
        }
        Ok(())
    }

    /// Adds to each mapping of rows the lines of its keys, for problems that its files have with it.
    fn place_rows(&self, table: &DeTable<'_>, settings: &mut Settings) {
        let items = table.get("rows").and_then(|items| items.get_ref().as_array());
        for (item, rows) in items.into_iter().flatten().zip(&mut settings.rows) {
            for (key, _) in item.get_ref().as_table().into_iter().flatten() {
                let (line, _) = self.place(key.span().start);
                rows.lines.insert(key.get_ref().to_string(), line);
            }
        }
    }

    /// The fields of `T` in the table; other keys are not looked at.
    fn decode<T: DeserializeOwned>(
        &self,
        table: &Spanned<DeTable<'_>>,
        keys: &[FoundKey],
    ) -> Result<T, SettingsError> {
        let table = Deserializer::from(table.clone());
        T::deserialize(table).map_err(|error| {
            let (at, message) = (start(&error), error.message());
            // Serde lists the fields of the inner table: unknown field `a`, expected `b` or `c`.
            if message.starts_with("unknown field") {
                let mut names = message.split('`').skip(1).step_by(2);
                let name = names.next().unwrap_or_default();
                return self.unknown_key(at, name, &names.collect::<Vec<_>>());
            }
            let key = keys.iter().rfind(|(_, start)| *start <= at);
            let key = key.map_or("", |(name, _)| name);
            self.error(at, format!("`{key}`: {message}"))
        })
    }

    fn unknown_key(&self, at: usize, name: &str, names: &[&str]) -> SettingsError {
        let help = match most_similar(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are `{}`", names.join("`, `")),
        };
        SettingsError { help: Some(help), ..self.error(at, format!("there is no key `{name}`")) }
    }

    fn error(&self, at: usize, message: impl Into<String>) -> SettingsError {
        let (line, column) = self.place(at);
        SettingsError { line, column, message: message.into(), help: None }
    }

    /// The line and column of a byte.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

/// Where a value is an empty text or has one in it. Nobody means it: a title or a pattern that is
/// empty was left to be filled in.
fn empty_text(value: &Spanned<DeValue<'_>>) -> Option<usize> {
    match value.get_ref() {
        DeValue::String(text) if text.is_empty() => Some(value.span().start),
        DeValue::Array(items) => items.iter().find_map(empty_text),
        DeValue::Table(table) => table.values().find_map(empty_text),
        _ => None,
    }
}
