//! How much of its run's outputs a page shows.
//!
//! The markup of previews has two limits: no page gets more than [`MAX_PAGE`], and all pages of a
//! workspace together about [`MAX_ALL`], shared by the number of runs. So a report of a hundred
//! runs shows everything a reader may want, and one of five thousand the beginning of each output
//! with the rest one click away. The size follows from counts alone.

use std::cell::Cell;

use crate::preview::Preview;
use crate::preview::markup::Safe;

/// The most bytes of previews on one page.
const MAX_PAGE: usize = 280 * 1024;

/// Bytes of previews granted to a page however many runs there are.
const MIN_PAGE: usize = 2 * 1024;

/// Bytes of previews that the runs of one workspace share.
const MAX_ALL: usize = 11 * 1024 * 1024;

/// Bytes that earlier outputs leave for each later one.
const SHARE: usize = 700;

/// The bytes of previews on the page of each of `runs` runs.
pub(crate) fn bytes_per_page(runs: usize) -> usize {
    (MAX_ALL / runs.max(1)).clamp(MIN_PAGE, MAX_PAGE)
}

/// The remaining space for previews on one page; a little is reserved for each later output.
#[derive(Debug)]
pub(crate) struct PreviewBudget {
    left: Cell<usize>,
    later: Cell<usize>,
}

impl PreviewBudget {
    /// Room for this number of bytes and files.
    pub(crate) fn new(bytes: usize, files: usize) -> Self {
        Self { left: Cell::new(bytes), later: Cell::new(files) }
    }

    pub(super) fn for_next(&self) -> usize {
        let later = self.later.get().saturating_sub(1);
        let kept = (SHARE * later).min(self.left.get() / 2);
        self.left.get() - kept
    }

    /// Subtracts the size of a preview, without its source.
    pub(super) fn take(&self, preview: &Preview) {
        self.later.set(self.later.get().saturating_sub(1));
        self.left.set(self.left.get().saturating_sub(preview.html.as_str().len()));
    }

    /// Keeps the sources that fit in the space left by the previews, first come first served. The
    /// others are one click away: the stored file is the source.
    pub(crate) fn fit_sources<'p>(&self, previews: impl Iterator<Item = &'p mut Preview>) {
        for preview in previews {
            let bytes = preview.source.as_str().len();
            match self.left.get().checked_sub(bytes) {
                Some(left) => self.left.set(left),
                None => preview.source = Safe::default(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PAGE, MIN_PAGE, PreviewBudget, bytes_per_page};
    use crate::preview::Preview;
    use crate::preview::text::pre;

    #[test]
    fn few_runs_show_much_and_many_runs_share() {
        assert_eq!(bytes_per_page(0), MAX_PAGE);
        assert_eq!(bytes_per_page(40), MAX_PAGE);
        assert!((100_000..MAX_PAGE).contains(&bytes_per_page(110)));
        assert!((2_200..2_600).contains(&bytes_per_page(5_000)));
        assert_eq!(bytes_per_page(1_000_000), MIN_PAGE);
    }

    #[test]
    fn later_files_keep_a_share_and_sources_come_last() {
        let budget = PreviewBudget::new(10_000, 3);
        assert_eq!(budget.for_next(), 8_600);
        let shown = |html: &str| Preview {
            html: pre(html),
            source: pre(&"s".repeat(3_000)),
            ..Preview::default()
        };
        let mut previews = [shown(&"a".repeat(6_000)), shown("b")];
        for preview in &mut previews {
            budget.take(preview);
        }
        assert!((3_900..4_000).contains(&budget.for_next()));
        budget.fit_sources(previews.iter_mut());
        assert!(!previews[0].source.as_str().is_empty());
        assert!(previews[1].source.as_str().is_empty());
    }
}
