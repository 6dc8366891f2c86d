//! From a text to the places of what must not be published.

use std::ops::Range;

use crate::guard::shapes::{Found, Index};

/// What of `text` may not be shown, from character to character, with its shape.
pub(super) fn hidden(text: &str, index: &Index) -> Vec<(Range<usize>, usize)> {
    let mut last = 0;
    let mut hidden = Vec::new();
    for Found { range, shape, .. } in index.find(text.as_bytes(), 0..text.len()) {
        // The longest name of a home may end within a character.
        if text.get(last..range.start).is_some() && text.is_char_boundary(range.end) {
            last = range.end;
            hidden.push((range, shape));
        }
    }
    hidden
}

/// `text` with every secret replaced, and the shapes of those; `None` where nothing is.
pub(super) fn redact(text: &str, index: &Index) -> Option<(String, Vec<usize>)> {
    let mut last = 0;
    let (mut out, mut shapes) = (String::new(), Vec::new());
    for (range, shape) in hidden(text, index) {
        out.push_str(&text[last..range.start]);
        out.push_str(index.mark(shape));
        last = range.end;
        shapes.push(shape);
    }
    (!shapes.is_empty()).then(|| (out + &text[last..], shapes))
}
