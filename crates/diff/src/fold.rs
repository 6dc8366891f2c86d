//! Unchanged rows: those near a change are shown, the others folded.

use std::ops::Range;

/// Unchanged rows shown on each side of a changed one.
pub(super) const CONTEXT: usize = 3;

/// `length` equal rows: those near a change made by `row` from their index, and a `fold` for the
/// rest. `first` and `last` tell that no change comes before or after them.
pub(super) fn fold_equal<T>(
    length: usize,
    context: usize,
    [first, last]: [bool; 2],
    row: impl FnMut(usize) -> T,
    fold: impl FnOnce(Range<usize>) -> T,
) -> Vec<T> {
    let [head, middle, tail] = split_equal(length, context, first, last);
    let mut rows: Vec<T> = head.chain(tail.clone()).map(row).collect();
    if !middle.is_empty() {
        rows.insert(rows.len() - tail.len(), fold(middle));
    }
    rows
}

/// Splits equal rows into those shown after a change, those to fold (never exactly one), and those
/// shown before a change. `first` and `last` tell that no change comes before or after them.
fn split_equal(length: usize, context: usize, first: bool, last: bool) -> [Range<usize>; 3] {
    let head = if first { 0 } else { context.min(length) };
    let tail = if last { 0 } else { context.min(length - head) };
    let end = length - tail;
    // A fold of one line would take the line it saves.
    let head = if end - head == 1 { end } else { head };
    [0..head, head..end, end..length]
}

#[cfg(test)]
mod tests {
    use super::split_equal;

    #[test]
    fn context_stays_and_single_rows_are_shown() {
        let table = [
            ((10, 3, false, false), [0..3, 3..7, 7..10]),
            ((7, 3, false, false), [0..4, 4..4, 4..7]),
            ((5, 3, false, false), [0..3, 3..3, 3..5]),
            ((5, 3, true, false), [0..0, 0..2, 2..5]),
            ((5, 3, true, true), [0..0, 0..5, 5..5]),
            ((4, 3, false, true), [0..4, 4..4, 4..4]),
        ];
        for ((length, context, first, last), expected) in table {
            assert_eq!(split_equal(length, context, first, last), expected);
        }
    }
}
