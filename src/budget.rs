//! How much of a workspace one page shows. Past a limit a page says how much more there is and
//! links the stored file or the page that has all of it; exports and `report.json` are never cut.

use std::ops::RangeInclusive;

// Differences between outputs, in bytes of markup. Review pages of the newest iteration and all
// other pages have a budget each.

/// Up to this many pages each have the full room: no comparison of files below 100 KB is cut.
pub(crate) const PAGES_WITH_FULL_ROOM: usize = 400;

/// Shared by more pages of the newest iteration: enough to show outputs of a few kilobytes whole.
/// 5,000 runs make about 500 such pages and 900 others.
pub(crate) const DIFFERENCES_OF_NEWEST: usize = 14 * 1024 * 1024;

/// Shared by more other pages.
pub(crate) const DIFFERENCES_OF_OTHERS: usize = 4 * 1024 * 1024;

/// For the differences of one page, however many there are.
pub(crate) const DIFFERENCES_OF_PAGE: RangeInclusive<usize> = 3 * 1024..=400 * 1024;

/// The columns of a table of differences.
pub(crate) const MAX_DIFFERENCE_COLUMNS: usize = 24;

/// Larger files are not read for comparison. In bytes.
pub(crate) const MAX_COMPARED_FILE: u64 = 16 * 1024 * 1024;

/// Columns of a table in a preview; the style sheet have a rule for each.
pub(crate) const TABLE_COLUMNS: usize = 50;
