//! Templates, word tables and assets: the built-in ones, and a theme's over them.
//!
//! A theme is a folder shaped like the result of [`built_in`]: `templates/*.html`,
//! `language/*.json`, `assets/*`. A file replaces the one with its name; tables of words only
//! replace the texts they contain. Assets with other names are added to the report.

use std::collections::BTreeMap;

use include_dir::{Dir, DirEntry, include_dir};
use serde_json::Value;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static ASSETS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets");

#[derive(Clone, Debug, Default)]
pub struct Theme {
    files: BTreeMap<String, Vec<u8>>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    #[error("`{0}` belongs to no theme")]
    Misplaced(String),
    #[error("`{0}` replaces nothing")]
    Unused(String),
    #[error("`{path}`: no page has a text `{key}`")]
    UnknownText {
        path: String,
        /// The place in it, as parts joined by dots.
        key: String,
    },
    #[error("`{path}`: `{key}` is {wanted}")]
    WrongText { path: String, key: String, wanted: &'static str },
    #[error("`{0}` is not UTF-8 text")]
    NotText(String),
}

impl Theme {
    /// A theme of `files`, each with its path below the theme's folder. Fails if a file could have
    /// no effect, since a misspelled name would otherwise go unnoticed.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Self, ThemeError> {
        let files: BTreeMap<String, Vec<u8>> = files.into_iter().collect();
        for (path, content) in &files {
            let folder = path.split_once('/').map_or("", |(folder, _)| folder);
            match folder {
                "assets" => {}
                "templates" | "language" => {
                    // Assets may be new; a template or table of a new name is read by nothing.
                    if !built_in().any(|(name, _)| name == *path) {
                        return Err(ThemeError::Unused(path.clone()));
                    }
                    if std::str::from_utf8(content).is_err() {
                        return Err(ThemeError::NotText(path.clone()));
                    }
                }
                _ => return Err(ThemeError::Misplaced(path.clone())),
            }
        }
        for (path, content) in files.iter().filter(|(path, _)| path.starts_with("language/")) {
            // A file that is not JSON is an error where the language is read.
            let theme_table = serde_json::from_slice(content).ok();
            let built_in_table =
                built_in_file(path).and_then(|bytes| serde_json::from_slice(bytes).ok());
            if let (Some(theme_table), Some(built_in_table)) = (theme_table, built_in_table) {
                check_texts(path, "", &theme_table, &built_in_table)?;
            }
        }
        Ok(Self { files })
    }

    /// The templates by name, each as the theme has it, else as it is built in.
    pub(crate) fn templates(&self) -> Vec<(String, String)> {
        let mut templates = Vec::new();
        for (path, content) in built_in() {
            if let Some(name) = path.strip_prefix("templates/") {
                let content = self.files.get(&path).map_or(content, Vec::as_slice);
                templates.push((name.to_owned(), String::from_utf8_lossy(content).into_owned()));
            }
        }
        templates
    }

    /// The tables of words of one language with their paths, lowest first.
    pub(crate) fn language_tables(&self, tag: &str) -> Vec<(String, String)> {
        let path = format!("language/{tag}.json");
        let own = self.files.get(&path).map(Vec::as_slice);
        let mut tables = Vec::new();
        for content in built_in_file(&path).into_iter().chain(own) {
            tables.push((path.clone(), String::from_utf8_lossy(content).into_owned()));
        }
        tables
    }

    /// Style sheets, scripts and additions of a theme, with their path in the report.
    pub(crate) fn assets(&self) -> BTreeMap<String, &[u8]> {
        let built_in = built_in().filter(|(path, _)| path.starts_with("assets/"));
        let mut assets: BTreeMap<String, &[u8]> = built_in.collect();
        for (path, content) in self.files.iter().filter(|(path, _)| path.starts_with("assets/")) {
            assets.insert(path.clone(), content);
        }
        assets
    }
}

/// Refuses texts at `key` that the built-in table does not have.
fn check_texts(
    path: &str,
    key: &str,
    theme_table: &Value,
    built_in_table: &Value,
) -> Result<(), ThemeError> {
    let Value::Object(built_in_table) = built_in_table else {
        return if theme_table.is_string() { Ok(()) } else { Err(wrong_text(path, key, "a text")) };
    };
    let Value::Object(theme_table) = theme_table else {
        return Err(wrong_text(path, key, "a group of texts"));
    };
    for (name, theme_value) in theme_table {
        let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
        match built_in_table.get(name) {
            Some(built_in_value) => check_texts(path, &key, theme_value, built_in_value)?,
            None => return Err(ThemeError::UnknownText { path: path.to_owned(), key }),
        }
    }
    Ok(())
}

fn wrong_text(path: &str, key: &str, wanted: &'static str) -> ThemeError {
    let key = if key.is_empty() { "the table" } else { key };
    ThemeError::WrongText { path: path.to_owned(), key: key.to_owned(), wanted }
}

/// Every file a theme may replace, with its path below the theme's folder.
pub fn built_in() -> impl Iterator<Item = (String, &'static [u8])> {
    let templates = files(&TEMPLATES).map(|(name, content)| {
        if name.starts_with("language/") {
            (name, content)
        } else {
            (format!("templates/{name}"), content)
        }
    });
    templates.chain(files(&ASSETS).map(|(name, content)| (format!("assets/{name}"), content)))
}

fn built_in_file(path: &str) -> Option<&'static [u8]> {
    built_in().find(|(name, _)| name == path).map(|(_, content)| content)
}

fn files(folder: &'static Dir<'static>) -> Box<dyn Iterator<Item = (String, &'static [u8])>> {
    Box::new(folder.entries().iter().flat_map(|entry| match entry {
        DirEntry::Dir(folder) => files(folder),
        DirEntry::File(file) => {
            // Built on Windows, the paths in the program have backslashes.
            let name = file.path().to_string_lossy().replace('\\', "/");
            Box::new(std::iter::once((name, file.contents())))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::{Theme, ThemeError};

    fn theme(path: &str, content: &[u8]) -> Result<Theme, ThemeError> {
        Theme::new([(path.to_owned(), content.to_vec())])
    }

    #[test]
    fn files_without_effect_are_refused() {
        let refused = |path: &str, content: &[u8]| theme(path, content).unwrap_err();
        assert_eq!(refused("style.css", b""), ThemeError::Misplaced("style.css".to_owned()));
        assert_eq!(
            refused("templates/chapters.html", b""),
            ThemeError::Unused("templates/chapters.html".to_owned())
        );
        assert_eq!(
            refused("templates/case.html", b"\xff"),
            ThemeError::NotText("templates/case.html".to_owned())
        );
    }

    #[test]
    fn a_text_for_no_place_is_refused() {
        let refused = |table: &str| theme("language/en.json", table.as_bytes()).unwrap_err();
        let unknown = |key: &str| ThemeError::UnknownText {
            path: "language/en.json".to_owned(),
            key: key.to_owned(),
        };
        assert_eq!(refused(r#"{"nosuch": "x"}"#), unknown("nosuch"));
        assert_eq!(refused(r#"{"brief": {"nosuch": "x"}}"#), unknown("brief.nosuch"));
        let wrong = |table: &str| match refused(table) {
            ThemeError::WrongText { key, .. } => key,
            other => panic!("{other}"),
        };
        assert_eq!(wrong(r#"{"serve": {"saved": 5}}"#), "serve.saved");
        assert_eq!(wrong(r#"{"serve": "x"}"#), "serve");
        assert!(!wrong("[]").is_empty());
        assert!(theme("language/en.json", br#"{"serve": {"saved": "done"}}"#).is_ok());
        assert!(theme("language/zh-TW.json", b"{}").is_ok());
    }

    #[test]
    fn assets_are_replaced_and_added() {
        let own = theme("assets/style.css", b"body{}").unwrap();
        assert_eq!(own.assets()["assets/style.css"], b"body{}");
        let logo = theme("assets/logo.svg", b"<svg/>").unwrap();
        assert!(logo.assets().contains_key("assets/logo.svg"));
        assert!(logo.assets().contains_key("assets/chart.css"));
    }
}
