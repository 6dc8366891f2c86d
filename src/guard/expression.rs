//! Regular expressions of rules and judgements.

use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

/// A regular expression that is compiled when it is first needed: most texts need few of them.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "String")]
pub(super) struct Expression {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl From<String> for Expression {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl Expression {
    /// `None` if the expression is invalid: a test refuses those of the program, the reader of settings
    /// those of users.
    pub(super) fn get(&self) -> Option<&Regex> {
        let compiled = self.compiled.get_or_init(|| {
            // Texts are bytes, and classes such as `\d` are of ASCII.
            Regex::new(&format!("(?-u){}", self.text)).or_else(|_| Regex::new(&self.text)).ok()
        });
        compiled.as_ref()
    }

    pub(super) fn fits(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}
