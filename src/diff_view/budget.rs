//! Limits for the markup of differences in a report.
//!
//! Review pages of the newest iteration and all other pages have separate budgets. Up to [`FEW`]
//! pages each get the full [`PAGE`] room: no comparison of files below 100 KB is cut. More pages
//! share [`NEWEST`] or [`OLDER`] bytes, so that the report does not grow with the number of pairs:
//! 5,000 runs make about 500 newest and 900 older pages. What does not fit is named, with links to
//! the whole files.

use std::ops::RangeInclusive;

use crate::diff::Limits;

// Limits are bytes of markup unless another unit is given.

/// Up to this many pages each have the full room.
const FEW: usize = 400;

/// For all pages of the newest iteration if there are more than [`FEW`]: enough to show outputs of
/// a few kilobytes whole.
const NEWEST: usize = 14 * 1024 * 1024;

/// For all other pages if there are more than [`FEW`].
const OLDER: usize = 4 * 1024 * 1024;

/// For one page, however many there are.
const PAGE: RangeInclusive<usize> = 3 * 1024..=400 * 1024;

/// With less room for a file, only beginnings are shown.
pub(super) const NARROW: usize = 16 * 1024;

/// With at least this room for a file, there is enough for everything.
const AMPLE: usize = 64 * 1024;

/// With less room for a file, a difference is counted but not shown.
pub(super) const FILE_LEAST: usize = 240;

/// Reserved for the name and the links of a file.
pub(super) const FILE_HEAD: usize = 450;
pub(super) const FILE_NAME: usize = 120;

/// Lines per side in one block, so that some of several blocks can be shown.
pub(super) const BLOCK_LINES: usize = 24;
pub(super) const TABLE_COLUMNS: usize = 24;

/// Two texts with a smaller share in common are shown separately, if they have at least
/// [`MIN_ITEMS`] lines or words.
pub(super) const MIN_SHARE: f64 = 0.1;
pub(super) const MIN_ITEMS: usize = 20;

/// Each text needs this many sequences of three words to be judged by them.
pub(super) const MIN_TRIPLES: usize = 60;

/// Larger files are not read for comparison. In bytes.
pub(super) const MAX_COMPARED: u64 = 16 * 1024 * 1024;

/// At most this many pairs of equal size are read to find renamed files.
pub(super) const MAX_RENAMES: usize = 200;

/// Limits for a comparison with this much room for its result: where only beginnings are shown,
/// less is spent on finding similar lines.
pub(super) fn limits(room: usize) -> Limits {
    let full = Limits::default();
    match room < NARROW {
        true => Limits { block: 40, words: 2 * room as u64, ..full },
        false => full,
    }
}

/// Bytes of unchanged text of a file that can be unfolded: little even of a large room, since
/// changes come first and later files need room too.
pub(super) fn unchanged(room: usize) -> usize {
    if room < NARROW { 0 } else { room / 8 }
}

/// Room in bytes for each page of the newest iteration and each other page, given their numbers.
pub(crate) fn per_page(pages: [usize; 2]) -> [usize; 2] {
    let room = |pages: usize, total: usize| match pages {
        0..=FEW => *PAGE.end(),
        _ => (total / pages).clamp(*PAGE.start(), *PAGE.end()),
    };
    [room(pages[0], NEWEST), room(pages[1], OLDER)]
}

/// The share of a file's room on a review page that its difference may take: all if there is
/// plenty, else a third, so that both outputs come first.
pub(crate) fn for_change(room: usize) -> usize {
    if room < AMPLE { room / 3 } else { room }
}

/// The share of the `left` bytes for the next of `waiting` items: half, or an equal share if that
/// is more. What the first does not need is left for the others.
pub(super) fn share(left: usize, waiting: usize) -> usize {
    (left / 2).max(left / waiting.max(1))
}

#[cfg(test)]
mod tests {
    use super::{FEW, NARROW, NEWEST, OLDER, PAGE, per_page, share, unchanged};

    #[test]
    fn many_pages_have_less_each() {
        assert_eq!(per_page([0, FEW]), [*PAGE.end(); 2]);
        assert_eq!(per_page([750, 1_300]), [NEWEST / 750, OLDER / 1_300]);
        assert_eq!(per_page([1_000_000; 2]), [*PAGE.start(); 2]);
    }

    #[test]
    fn unchanged_text_opens_where_there_is_plenty() {
        assert_eq!(unchanged(NARROW - 1), 0);
        assert_eq!(unchanged(160_000), 20_000);
    }

    #[test]
    fn the_first_gets_most_and_the_last_what_is_left() {
        assert_eq!(
            [share(1_000, 3), share(900, 2), share(900, 1), share(0, 0)],
            [500, 450, 900, 0]
        );
    }
}
