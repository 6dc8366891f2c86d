//! Values that were found as secrets somewhere, and are hidden wherever else they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::secret::{Label, Secret, mark};
use crate::value::{is_base62, is_random};

/// Values that are secrets wherever they are.
#[derive(Clone, Debug)]
pub(super) struct KnownValues {
    /// Finds them as they are, and as documents and pages write them.
    automaton: AhoCorasick,
    labels: Vec<Label>,
}

impl KnownValues {
    /// `None` without any value.
    pub(super) fn new(values: impl IntoIterator<Item = (Vec<u8>, Label)>) -> Option<Self> {
        let mut written: BTreeMap<String, Label> = BTreeMap::new();
        for (value, label) in values {
            for text in spellings(&String::from_utf8_lossy(&value)) {
                written.insert(text, Arc::clone(&label));
            }
        }
        if written.is_empty() {
            return None;
        }
        let (texts, labels): (Vec<String>, Vec<Label>) = written.into_iter().unzip();
        let builder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts);
        Some(Self { automaton: builder.ok()?, labels })
    }

    /// Whether a value may be in the bytes of a file.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        // The bytes of UTF-16 are between zeros.
        self.automaton.is_match(bytes) || bytes.contains(&0)
    }

    pub(super) fn find(&self, text: &[u8], secrets: &mut Vec<Secret>) {
        for hit in self.automaton.find_iter(text) {
            let label = Arc::clone(&self.labels[hit.pattern().as_usize()]);
            secrets.push(Secret::new(hit.range(), &label, usize::MAX / 2));
        }
    }

    /// `bytes` with a mark for each value in it; `None` if there is none.
    pub(super) fn replaced_in(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.automaton.is_match(bytes) {
            return None;
        }
        let marks: Vec<String> = self.labels.iter().map(|label| mark(label).into_owned()).collect();
        Some(self.automaton.replace_all_bytes(bytes, &marks))
    }
}

/// A value as it is, in strings of JSON, and in HTML.
fn spellings(value: &str) -> [String; 4] {
    let json = value.replace('\\', r"\\").replace('"', r#"\""#);
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    [value.to_owned(), json.replace('/', r"\/"), json, html]
}

/// Whether a value can be looked for in whatever is written: no other text is the same by chance.
pub(super) fn is_unmistakable(value: &[u8]) -> bool {
    value.len() >= 12 && (is_random(value) || is_base62(value))
}
