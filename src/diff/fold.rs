//! Which unchanged rows are shown, and what is left out of the middle of a long result.

use std::ops::Range;

/// An equal stretch of `length` rows divided: rows after a change, rows to fold, rows before one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Divided {
    pub(super) head: Range<usize>,
    /// Rows that become a fold; never exactly one.
    pub(super) folded: Range<usize>,
    pub(super) tail: Range<usize>,
}

/// Divides a stretch of `length` equal rows; `first` and `last` when no change comes before or
/// after it.
pub(super) fn divided(length: usize, context: usize, first: bool, last: bool) -> Divided {
    let head = if first { 0 } else { context.min(length) };
    let tail = if last { 0 } else { context.min(length - head) };
    let end = length - tail;
    if end - head == 1 {
        return Divided { head: 0..end, folded: end..end, tail: end..length };
    }
    Divided { head: 0..head, folded: head..end, tail: end..length }
}

#[cfg(test)]
mod tests {
    use super::{Divided, divided};

    #[test]
    fn context_stays_and_single_rows_are_shown() {
        let table = [
            ((10, 3, false, false), (0..3, 3..7, 7..10)),
            ((7, 3, false, false), (0..4, 4..4, 4..7)),
            ((5, 3, false, false), (0..3, 3..3, 3..5)),
            ((5, 3, true, false), (0..0, 0..2, 2..5)),
            ((5, 3, true, true), (0..0, 0..5, 5..5)),
            ((4, 3, false, true), (0..4, 4..4, 4..4)),
        ];
        for ((length, context, first, last), (head, folded, tail)) in table {
            let expected = Divided { head, folded, tail };
            assert_eq!(divided(length, context, first, last), expected);
        }
    }
}
