//! How much room each difference has, of what [`budget`] gives to a page.

use crate::budget;
use diff::Limits;

// All sizes are bytes of markup unless another unit is given.

/// With less room for a file, only beginnings are shown.
pub(super) const NARROW: usize = 16 * 1024;

/// With at least this room for a file, there is enough for everything.
const AMPLE: usize = 64 * 1024;

/// With less room for a file, a difference is counted but not shown.
pub(super) const LEAST: usize = 240;

/// Reserved for the name and the links of a file.
pub(super) const FILE_HEAD: usize = 450;
pub(super) const FILE_NAME: usize = 120;

/// Limits for a comparison with this much room for its result: where only beginnings are shown,
/// less is spent on finding similar lines.
pub(super) fn limits(room: usize) -> Limits {
    let full = Limits::default();
    if room < NARROW { Limits { work: 16 * room as u64, ..full } } else { full }
}

/// Bytes of unchanged text of a file that can be unfolded: little even of a large room, since
/// changes come first and later files need room too.
pub(super) fn unchanged(room: usize) -> usize {
    if room < NARROW { 0 } else { room / 8 }
}

/// Room for each page of the newest iteration and each other page, given their numbers. More pages
/// share a budget, so that the report does not grow with the number of pairs.
pub(crate) fn per_page(pages: [usize; 2]) -> [usize; 2] {
    let [newest, others] = pages;
    [
        share_of_page(newest, budget::DIFFERENCES_OF_NEWEST),
        share_of_page(others, budget::DIFFERENCES_OF_OTHERS),
    ]
}

fn share_of_page(pages: usize, total: usize) -> usize {
    let (least, most) = (*budget::DIFFERENCES_OF_PAGE.start(), *budget::DIFFERENCES_OF_PAGE.end());
    if pages <= budget::PAGES_WITH_FULL_ROOM { most } else { (total / pages).clamp(least, most) }
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
    use super::{NARROW, per_page, share, unchanged};
    use crate::budget::DIFFERENCES_OF_PAGE as PAGE;
    use crate::budget::{DIFFERENCES_OF_NEWEST, DIFFERENCES_OF_OTHERS, PAGES_WITH_FULL_ROOM};

    #[test]
    fn many_pages_have_less_each() {
        assert_eq!(per_page([0, PAGES_WITH_FULL_ROOM]), [*PAGE.end(); 2]);
        assert_eq!(
            per_page([750, 1_300]),
            [DIFFERENCES_OF_NEWEST / 750, DIFFERENCES_OF_OTHERS / 1_300]
        );
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
