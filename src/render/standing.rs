//! Where every case of an iteration stands against the iteration before, for its candidate.

use crate::analyze::{Flip, Side, Status, between, standings};
use crate::render::Part;

/// The cases of one iteration.
pub(super) struct Standings {
    /// The candidate of the iteration; `None` where nothing is a candidate.
    pub(super) after: Option<Side>,
    /// The same configuration in the last earlier iteration that graded it.
    pub(super) before: Option<Side>,
    /// What changed between the two.
    pub(super) flips: Vec<Flip>,
    /// One word per line of the analysis.
    words: Vec<&'static str>,
}

impl Standings {
    /// The standings of every iteration, made once for all pages.
    pub(super) fn of_all(part: &Part<'_>) -> Vec<Self> {
        (0..part.analysis.iterations.len()).map(|index| Self::of(part, index)).collect()
    }

    /// The standings of the iteration at `index`.
    fn of(part: &Part<'_>, index: usize) -> Self {
        let lines = &part.analysis.lines;
        let after = part.analysis.candidate_of(index);
        let before = after.as_ref().and_then(|after| part.analysis.previous(after));
        let flips = match (&before, &after) {
            (Some(before), Some(after)) => between(part.workspace, lines, before, after),
            _ => Vec::new(),
        };
        let mut words = vec![Status::Absent.word(); lines.len()];
        for standing in standings(part.workspace, part.analysis, index) {
            words[standing.line] = standing.status.word();
        }
        Self { after, before, flips, words }
    }

    /// `regressed`, `fixed`, `failing`, `passing` or `absent`, as filters spell it.
    pub(super) fn of_line(&self, line: usize) -> &'static str {
        self.words[line]
    }
}
