//! Values that were found as secrets somewhere, and are hidden wherever else they are.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::guard::secret::{Label, Secret, mark};
use crate::guard::value::{is_base62, is_random};

/// Values that are secrets wherever they are.
#[derive(Clone, Debug)]
pub(super) struct KnownValues {
    automaton: AhoCorasick,
    labels: Vec<Label>,
}

impl KnownValues {
    /// `None` without any value.
    pub(super) fn new(values: impl IntoIterator<Item = (Vec<u8>, Label)>) -> Option<Self> {
        let (texts, labels): (Vec<Vec<u8>>, Vec<Label>) = values.into_iter().unzip();
        if labels.is_empty() {
            return None;
        }
        let builder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&texts);
        Some(Self { automaton: builder.ok()?, labels })
    }

    pub(super) fn are_in(&self, text: &[u8]) -> bool {
        self.automaton.is_match(text)
    }

    pub(super) fn find(&self, text: &[u8], secrets: &mut Vec<Secret>) {
        for hit in self.automaton.find_iter(text) {
            let label = Arc::clone(&self.labels[hit.pattern().as_usize()]);
            secrets.push(Secret { range: hit.range(), label, rank: usize::MAX / 2 });
        }
    }

    /// `bytes` with a mark for each value in it; `None` if there is none.
    pub(super) fn replaced_in(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (mut out, mut done) = (Vec::new(), 0);
        for hit in self.automaton.find_iter(bytes) {
            out.extend_from_slice(&bytes[done..hit.start()]);
            out.extend_from_slice(mark(&self.labels[hit.pattern().as_usize()]).as_bytes());
            done = hit.end();
        }
        if done == 0 {
            return None;
        }
        out.extend_from_slice(&bytes[done..]);
        Some(out)
    }
}

/// Whether a value can be looked for in whatever is written: no other text is the same by chance.
pub(super) fn is_unmistakable(value: &[u8]) -> bool {
    value.len() >= 12 && (is_random(value) || is_base62(value))
}
