//! Regular expressions of rules and judgements.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::bytes::Regex;

/// A regular expression that is compiled when it is first needed: most texts need few of them.
#[derive(Debug)]
pub(super) struct Expression {
    text: Cow<'static, str>,
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    pub(super) fn new(text: String) -> Self {
        Self { text: Cow::Owned(text), compiled: OnceLock::new() }
    }

    pub(super) const fn constant(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), compiled: OnceLock::new() }
    }

    /// `None` if the expression is invalid; the reader of rules refuses those.
    pub(super) fn get(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&self.text).ok()).as_ref()
    }

    pub(super) fn fits(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|regex| regex.is_match(text))
    }
}
