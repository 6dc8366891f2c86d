//! How much of its run's outputs a page shows.
//!
//! The limits are in [`budget`](crate::budget); the size follows from counts alone.

use std::cell::Cell;

use crate::budget::{ALL_PREVIEWS, LATER_PREVIEW, PREVIEWS_OF_PAGE};
use crate::preview::Preview;
use crate::preview::markup::Safe;

/// The bytes of previews on the page of each of `runs` runs.
pub(crate) fn bytes_per_page(runs: usize) -> usize {
    (ALL_PREVIEWS / runs.max(1)).clamp(*PREVIEWS_OF_PAGE.start(), *PREVIEWS_OF_PAGE.end())
}

/// The remaining space for previews on one page; a little is reserved for each later output.
#[derive(Debug)]
pub(crate) struct PreviewRoom {
    left: Cell<usize>,
    later: Cell<usize>,
}

impl PreviewRoom {
    /// Room for this number of bytes and files.
    pub(crate) fn new(bytes: usize, files: usize) -> Self {
        Self { left: Cell::new(bytes), later: Cell::new(files) }
    }

    pub(super) fn for_next(&self) -> usize {
        // A first output of megabytes must leave the later ones more than their names.
        let later = self.later.get().saturating_sub(1);
        let kept = (LATER_PREVIEW * later).min(self.left.get() / 2);
        self.left.get() - kept
    }

    /// Subtracts the size of a preview, without its source.
    pub(super) fn take(&self, preview: &Preview) {
        self.later.set(self.later.get().saturating_sub(1));
        let bytes = preview.html.as_str().len() + preview.outline.as_str().len();
        self.left.set(self.left.get().saturating_sub(bytes));
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
    use super::{PreviewRoom, bytes_per_page};
    use crate::budget::PREVIEWS_OF_PAGE;
    use crate::preview::Preview;
    use crate::preview::text::pre;

    #[test]
    fn few_runs_show_much_and_many_runs_share() {
        let (least, most) = PREVIEWS_OF_PAGE.into_inner();
        assert_eq!(bytes_per_page(0), most);
        assert_eq!(bytes_per_page(40), most);
        assert!((100_000..most).contains(&bytes_per_page(110)));
        assert!((2_200..2_600).contains(&bytes_per_page(5_000)));
        assert_eq!(bytes_per_page(1_000_000), least);
    }

    #[test]
    fn later_files_keep_a_share_and_sources_come_last() {
        let budget = PreviewRoom::new(10_000, 3);
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
