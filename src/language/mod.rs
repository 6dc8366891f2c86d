//! The words of the pages, in one table per language.
//!
//! A table is a JSON object of sections and keys, `templates/language/<tag>.json`. Templates read
//! it as `t.section.key`, code by [`Language::text`]. A text may have placeholders written
//! `{name}`; a countable thing is an object with the forms `one`, if the language has it, and
//! `other`.

mod message;
mod number;
mod rate;
pub(crate) mod theme;

pub(crate) use rate::{DASH, Rate};

use std::fmt::Display;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use crate::language::theme::Theme;

/// A text of a language with its places filled: `say!(language, "compare.more", n = 3)`. A place
/// without a value takes the variable of its name.
macro_rules! say {
    (@value $place:ident) => {
        &$place as &dyn std::fmt::Display
    };
    (@value $place:ident $value:expr) => {
        &$value as &dyn std::fmt::Display
    };
    ($language:expr, $key:expr $(, $place:ident $(= $value:expr)?)* $(,)?) => {
        $language.fill(
            $key,
            &[$((stringify!($place), $crate::language::say!(@value $place $($value)?))),*],
        )
    };
}

pub(crate) use say;

/// Names that a sentence lists before it counts the rest.
const NAMES_IN_A_SENTENCE: usize = 3;

pub const LANGUAGES: [&str; 2] = ["en", "zh-TW"];

#[derive(Clone, Debug)]
pub struct Language {
    tag: &'static str,
    table: Arc<Value>,
}

static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
    let table = Arc::new(Value::Null);
    Language::new("en", &Theme::default()).unwrap_or(Language { tag: "en", table })
});

#[derive(Debug, thiserror::Error)]
pub enum LanguageError {
    #[error("there is no language `{0}`")]
    Unknown(String),
    #[error("cannot read `{path}`: {reason}")]
    Table { path: String, reason: String },
}

impl Language {
    /// The language of `tag`, ignoring case; `zh` and `zh-Hant` mean `zh-TW`. A table of `theme`
    /// overrides the built-in one, key by key. Fails if there is no such language, or the theme's
    /// table is not JSON.
    pub fn new(tag: &str, theme: &Theme) -> Result<Self, LanguageError> {
        // Also the forms of `LANG`: `zh_TW.UTF-8`.
        let folded = tag.trim().to_ascii_lowercase().replace('_', "-");
        let tag = match folded.split('.').next().unwrap_or_default() {
            "en" | "en-us" | "en-gb" => "en",
            "zh-tw" | "zh" | "zh-hant" | "zh-hant-tw" => "zh-TW",
            _ => return Err(LanguageError::Unknown(tag.to_owned())),
        };
        let mut table = Value::Null;
        for (path, text) in theme.language_tables(tag) {
            let read: Value = serde_json::from_str(&text)
                .map_err(|error| LanguageError::Table { path, reason: error.to_string() })?;
            override_with(&mut table, read);
        }
        Ok(Self { tag, table: Arc::new(table) })
    }

    pub fn tag(&self) -> &'static str {
        self.tag
    }

    pub(crate) fn table(&self) -> &Value {
        &self.table
    }

    /// The text of `section.key`; the key itself if the table lacks it.
    pub fn text<'t>(&'t self, key: &'t str) -> &'t str {
        self.find(key).unwrap_or(key)
    }

    /// The text at this path of keys; empty if the table lacks it.
    pub(crate) fn entry(&self, keys: &[&str]) -> &str {
        let found = keys.iter().try_fold(&*self.table, |table, key| table.get(key));
        found.and_then(Value::as_str).unwrap_or_default()
    }

    /// The text of `key` with every `{name}` replaced by its value.
    pub fn fill(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        fill(self.text(key), values)
    }

    /// Joins sentences with the spacing of the language; empty ones are left out.
    pub fn sentences(&self, parts: impl IntoIterator<Item = String>) -> String {
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.reduce(|before, next| say!(self, "list.sentences", before, next)).unwrap_or_default()
    }

    /// `{n}` things, by the forms under `count.<thing>`: `1 run`, `2 runs`.
    pub fn count(&self, number: usize, thing: &str) -> String {
        self.counted(&text::tokens(number as f64), number == 1, thing)
    }

    /// Every one of `number` things: `all 3 runs`, `both runs`, `1 run`.
    pub(crate) fn all(&self, number: usize, thing: &str) -> String {
        match number {
            1 => self.count(1, thing),
            2 => self.counted(self.text("list.both"), false, thing),
            _ => say!(self, "list.all", things = self.count(number, thing)),
        }
    }

    /// `3 of 4 cases`, or `all 4 cases`.
    pub(crate) fn share_of_cases(&self, number: usize, total: usize) -> String {
        if number == total {
            return self.all(total, "case");
        }
        say!(self, "list.share_of_cases", n = number, cases = self.count(total, "case"))
    }

    /// Several counts in a row, without zeros.
    pub(crate) fn counts<const N: usize>(&self, counted: [(usize, &str); N]) -> String {
        let counted = counted.into_iter().filter(|(number, _)| *number > 0);
        self.list(counted.map(|(number, thing)| self.count(number, thing)))
    }

    /// Texts in a row, separated by the comma of the language.
    pub(crate) fn list(&self, parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let parts = parts.into_iter().map(|part| part.as_ref().to_owned());
        parts.collect::<Vec<String>>().join(self.text("list.comma"))
    }

    /// Parts of one name or remark, which are no list: `iteration-4, run 1`.
    pub(crate) fn apart(&self, parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let parts = parts.into_iter().map(|part| part.as_ref().to_owned());
        parts.collect::<Vec<String>>().join(self.text("list.apart"))
    }

    /// A text and what it is about: `case: run`.
    pub(crate) fn labelled(&self, label: &str, text: &str) -> String {
        // A question has its own mark at the end.
        if label.ends_with(['?', '？']) {
            return self.sentences([label.to_owned(), text.to_owned()]);
        }
        format!("{label}{}{text}", self.text("list.colon"))
    }

    /// A text and its detail in parentheses.
    pub(crate) fn detailed(&self, text: &str, detail: &str) -> String {
        say!(self, "list.detailed", text, detail)
    }

    /// The first `most` of `names`, joined by the text of `joint`, and the number of further ones.
    pub(crate) fn first_few(&self, mut names: Vec<String>, most: usize, joint: &str) -> String {
        if names.len() > most {
            let more = say!(self, "verdict.more", n = names.len() - most);
            names.truncate(most);
            names.push(more);
        }
        names.join(self.text(joint))
    }

    /// `a, b and c`; the first few of many.
    fn listed(&self, mut names: Vec<String>) -> String {
        if names.len() > NAMES_IN_A_SENTENCE {
            return self.first_few(names, NAMES_IN_A_SENTENCE, "list.comma");
        }
        match names.pop() {
            Some(last) if !names.is_empty() => {
                let first = names.join(self.text("list.comma"));
                format!("{first}{}{last}", self.text("list.and"))
            }
            last => last.unwrap_or_default(),
        }
    }

    /// As [`count`](Self::count), for a number that is already text.
    pub(crate) fn counted(&self, number: &str, is_one: bool, thing: &str) -> String {
        let mut text = None;
        if is_one {
            text = self.find(&format!("count.{thing}.one"));
        }
        let text = text.or_else(|| self.find(&format!("count.{thing}.other"))).unwrap_or("{n}");
        fill(text, &[("n", &number)])
    }

    fn find(&self, key: &str) -> Option<&str> {
        let found = key.split('.').try_fold(&*self.table, |table, part| table.get(part));
        found.and_then(Value::as_str)
    }
}

impl Default for Language {
    fn default() -> Self {
        ENGLISH.clone()
    }
}

fn fill(text: &str, values: &[(&str, &dyn Display)]) -> String {
    fill_places(text, |place| {
        let (_, value) = values.iter().find(|(key, _)| *key == place)?;
        Some(value.to_string())
    })
}

/// One pass over `text`, so that a value that looks like a placeholder stays unchanged.
fn fill_places(text: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        rest = after;
        if let Some((name, after)) = after.split_once('}')
            && let Some(value) = value_of(name)
        {
            // Chinese has no space between its own characters, and some values are Chinese: a
            // table cannot know whether it is "10 秒" or "10 tokens" that goes before its verb.
            if value.starts_with(is_chinese) && ends_in_spaced_chinese(&filled) {
                filled.pop();
            }
            rest = after;
            if value.ends_with(is_chinese)
                && let Some(unspaced) = rest.strip_prefix(' ')
                && unspaced.starts_with(is_chinese)
            {
                rest = unspaced;
            }
            filled.push_str(&value);
        } else {
            // A lone brace of a text stays: paths and JSON in messages have them.
            filled.push('{');
        }
    }
    filled + rest
}

/// True for ideographs and for the full-width punctuation of Chinese.
fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

fn ends_in_spaced_chinese(text: &str) -> bool {
    text.strip_suffix(' ').is_some_and(|unspaced| unspaced.ends_with(is_chinese))
}

fn override_with(lower: &mut Value, upper: Value) {
    match (lower, upper) {
        (Value::Object(lower), Value::Object(upper)) => {
            for (key, value) in upper {
                override_with(lower.entry(key).or_insert(Value::Null), value);
            }
        }
        (lower, upper) => *lower = upper,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::{LANGUAGES, Language, fill};
    use crate::language::theme::Theme;

    /// Every text by its key; the forms of a count are one text.
    fn texts(table: &Value, key: &str, by_key: &mut BTreeMap<String, BTreeSet<String>>) {
        match table {
            Value::Object(entries) => {
                for (name, value) in entries {
                    let is_form = key.starts_with("count.");
                    let key = if is_form { key.to_owned() } else { format!("{key}.{name}") };
                    texts(value, key.trim_start_matches('.'), by_key);
                }
            }
            value => {
                let text = value.as_str().unwrap_or_else(|| panic!("`{key}` is not text"));
                assert!(!text.trim().is_empty(), "`{key}` is empty");
                by_key.entry(key.to_owned()).or_default().extend(places(text));
            }
        }
    }

    fn places(text: &str) -> BTreeSet<String> {
        let parts = text.split('{').skip(1);
        parts.filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_places() {
        let tables = LANGUAGES.map(|tag| {
            let mut actual = BTreeMap::new();
            texts(&Language::new(tag, &Theme::default()).unwrap().table, "", &mut actual);
            actual
        });
        let [english, chinese] = &tables;
        let missing: Vec<_> = english.keys().filter(|key| !chinese.contains_key(*key)).collect();
        let surplus: Vec<_> = chinese.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(missing.is_empty() && surplus.is_empty(), "only en: {missing:?}; zh: {surplus:?}");
        for (key, places) in english {
            assert_eq!(places, &chinese[key], "the places of `{key}`");
        }
    }

    /// Of two keys of one name the second would win in silence, and its pages would not render.
    #[test]
    fn no_text_is_there_twice() {
        for tag in LANGUAGES {
            for (path, text) in Theme::default().language_tables(tag) {
                let repairs = json::parse(&text).expect("JSON").repairs;
                assert!(repairs.is_empty(), "{path}: {repairs:?}");
            }
        }
    }

    #[test]
    fn places_are_filled_once() {
        let text = fill("{a} of {b}, {c} {", &[("a", &"{b}"), ("b", &2)]);
        assert_eq!(text, "{b} of 2, {c} {");
    }

    #[test]
    fn chinese_has_no_space_within_itself() {
        let from = |value: &str| fill("由 {a} 變為", &[("a", &value)]);
        assert_eq!(from("10 秒"), "由 10 秒變為");
        assert_eq!(from("10 tokens"), "由 10 tokens 變為");
        assert_eq!(from("迭代一"), "由迭代一變為");
        assert_eq!(fill("in {a} of", &[("a", &"迭代一")]), "in 迭代一 of");
    }

    #[test]
    fn counts_have_their_forms() {
        let english = Language::default();
        assert_eq!(english.count(1, "run"), "1 run");
        assert_eq!(english.count(0, "run"), "0 runs");
        let chinese = Language::new("zh_TW", &Theme::default()).unwrap();
        assert_eq!((chinese.tag(), chinese.count(1, "run").as_str()), ("zh-TW", "1 次執行"));
        assert!(Language::new("de", &Theme::default()).is_err());
    }

    #[test]
    fn a_theme_replaces_single_texts() {
        let table = r#"{"page": {"overview": "Start"}}"#;
        let theme =
            Theme::new([("language/en.json".to_owned(), table.as_bytes().to_vec())]).unwrap();
        let language = Language::new("en", &theme).unwrap();
        assert_eq!(language.text("page.overview"), "Start");
        assert_eq!(language.text("page.history"), "History");
    }
}
