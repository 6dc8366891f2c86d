//! From a text to the places of what must not be published.

use std::ops::Range;

use crate::guard::escapes;
use crate::guard::shapes::{Found, Index};

/// Every secret that an anchor in `within` leads to; none begins before `last`, or within the one
/// before.
fn all(index: &Index, text: &[u8], within: Range<usize>, mut last: usize) -> Vec<Found> {
    let mut at = within.start;
    let mut all = Vec::new();
    while let Some(found) = index.next(text, at..within.end) {
        at = found.range.end.max(found.at + 1);
        // What stands between an anchor and the secret that it leads to may be another.
        let mut between = found.at + 1;
        while let Some(other) = index.next(text, between..found.range.start) {
            between = other.range.end.max(other.at + 1);
            if other.range.start >= last && other.range.end <= found.range.start {
                last = other.range.end;
                all.push(other);
            }
        }
        if found.range.start >= last {
            last = found.range.end;
            all.push(found);
        }
    }
    all
}

/// The same with those that are written with escapes, which may reach into others.
pub(super) fn written(index: &Index, text: &[u8], within: Range<usize>, last: usize) -> Vec<Found> {
    let mut found = all(index, text, within.clone(), last);
    if escapes::are_in(text) {
        let plain = escapes::decode(text);
        let within = plain.position(within.start)..plain.position(within.end);
        let escaped = all(index, &plain.text, within, plain.position(last)).into_iter();
        found.extend(escaped.map(|it| Found { range: plain.raw(&it.range), ..it }));
        found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.range.end)));
    }
    found
}

/// What of `text` may not be shown, from character to character, with its shape.
pub(super) fn hidden(text: &str, index: &Index) -> Vec<(Range<usize>, usize)> {
    let mut last = 0;
    let mut hidden = Vec::new();
    for Found { range, shape, .. } in written(index, text.as_bytes(), 0..text.len(), 0) {
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
