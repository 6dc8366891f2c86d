//! Regular expressions of rules and judgements.

use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

/// A regular expression that is compiled when it is first needed: most texts need few of them.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "String")]
pub(super) struct Expression {
    text: String,
    compiled: OnceLock<Regex>,
}

impl From<String> for Expression {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl Expression {
    /// # Panics
    /// If the expression is invalid: a test compiles those of the program, and the reader of settings
    /// refuses others.
    pub(super) fn get(&self) -> &Regex {
        self.compiled.get_or_init(|| {
            // Texts are bytes, and classes such as `\d` are of ASCII.
            let ascii = Regex::new(&format!("(?-u){}", self.text));
            ascii.or_else(|_| Regex::new(&self.text)).expect("a valid expression")
        })
    }

    pub(super) fn fits(&self, text: &[u8]) -> bool {
        self.get().is_match(text)
    }
}
