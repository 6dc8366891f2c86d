//! How much markup of differences a report may hold.
//!
//! The review pages of the newest iteration, and apart from them all others, each have room for all
//! that is ordinary up to [`FEW`] pages: no comparison of files below 100 KB is cut. More pages share
//! [`NEWEST`] or [`OLDER`] bytes, so that the size of a report does not follow the number of its pairs: a
//! workspace of 5,000 runs has about 500 new and 900 older ones. What finds no room is named, and
//! the whole files are one link away.

use std::ops::RangeInclusive;

use crate::diff::Limits;

// All limits of differences. Without another unit they are bytes of markup.

/// The most pages that each have all the room that a page has.
const FEW: usize = 400;

/// All pages of the newest iteration together where there are more: both outputs of each as a whole
/// where these have a few kilobytes.
const NEWEST: usize = 14 * 1024 * 1024;

/// All other pages together where there are more.
const OLDER: usize = 4 * 1024 * 1024;

/// One page, however many there are.
const PAGE: RangeInclusive<usize> = 3 * 1024..=400 * 1024;

/// Room for one file below which only beginnings are shown.
pub(super) const NARROW: usize = 16 * 1024;

/// Room for one file from which on there is enough for everything.
const AMPLE: usize = 64 * 1024;

/// Room for one file below which a difference is counted and not shown.
pub(super) const FILE_LEAST: usize = 240;

/// Kept for the name and the links of a file.
pub(super) const FILE_HEAD: usize = 450;
pub(super) const FILE_NAME: usize = 120;

/// Lines of one side in one block, so that a part of many can be shown.
pub(super) const BLOCK_LINES: usize = 24;
pub(super) const TABLE_COLUMNS: usize = 24;

/// Share in common below which two texts are shown apart, from so many lines or words of both.
pub(super) const MIN_SHARE: f64 = 0.1;
pub(super) const MIN_ITEMS: usize = 20;

/// Three words in a row that each text must have to be judged by them.
pub(super) const MIN_TRIPLES: usize = 60;

/// Bytes of files beyond which they are not read to be compared.
pub(super) const MAX_COMPARED: u64 = 16 * 1024 * 1024;

/// Pairs of files of equal size that are read to find renamed ones.
pub(super) const MAX_RENAMES: usize = 200;

/// How much a comparison may take whose result has so much room: where only beginnings are shown,
/// little is spent on how lines resemble each other.
pub(super) fn limits(room: usize) -> Limits {
    let all = Limits::default();
    match room < NARROW {
        true => Limits { block: 40, words: 2 * room as u64, ..all },
        false => all,
    }
}

/// Bytes of unchanged text of one file that can be unfolded: a small part of a large room, since
/// what changed comes first and the files after it need theirs.
pub(super) fn unchanged(room: usize) -> usize {
    if room < NARROW { 0 } else { room / 8 }
}

/// Bytes of markup on each of this number of pages of the newest iteration, and on each of the others.
pub(crate) fn per_page(pages: [usize; 2]) -> [usize; 2] {
    let room = |pages: usize, all: usize| match pages {
        0..=FEW => *PAGE.end(),
        _ => (all / pages).clamp(*PAGE.start(), *PAGE.end()),
    };
    [room(pages[0], NEWEST), room(pages[1], OLDER)]
}

/// How much of the room for a file on a review page its difference may take: all where there is
/// plenty, else a third, so that both outputs come first.
pub(crate) fn for_change(room: usize) -> usize {
    if room < AMPLE { room / 3 } else { room }
}

/// The part of what is `left` for the next of `waiting` things: half, or an equal share where that is
/// more. So the first gets most, and what it does not need is for the others.
pub(super) fn part(left: usize, waiting: usize) -> usize {
    (left / 2).max(left / waiting.max(1))
}

#[cfg(test)]
mod tests {
    use super::{FEW, NARROW, NEWEST, OLDER, PAGE, part, per_page, unchanged};

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
        assert_eq!([part(1_000, 3), part(900, 2), part(900, 1), part(0, 0)], [500, 450, 900, 0]);
    }
}
