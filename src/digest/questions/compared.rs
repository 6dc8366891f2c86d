//! A row with data: its word, its tone, and the checks that moved.

use std::cmp::Ordering;

use crate::analyze::{Change, FlipKind, SharedOutcome, Verdict, VerdictWord};
use crate::digest::questions::{ComparedRow, Question, RowTone, RowWord};
use crate::digest::{Changes, Comparisons};
use crate::gate::Fall;

/// How many checks of both sides are worse or lost, better or repaired, and the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckCounts {
    /// From all runs passed to none.
    pub(crate) down: usize,
    /// From none to all.
    pub(crate) up: usize,
    /// Those of `down` that both sides ran more than once.
    pub(crate) down_repeated: usize,
    pub(crate) up_repeated: usize,
    pub(crate) unsteady: usize,
    pub(crate) failing: usize,
    pub(crate) passing: usize,
    /// Checks whose share of passes is another one.
    pub(crate) moved: usize,
    /// All that have verdicts on both sides.
    pub(crate) shared: usize,
}

/// The fewest shared checks that show that a changed skill kept them.
const CHECKS_FOR_PARITY: usize = 3;

impl<'a> ComparedRow<'a> {
    pub(in crate::digest) fn new(comparisons: &Comparisons<'a>, change: &'a Change) -> Self {
        let changes = comparisons.for_change(change);
        let checks = CheckCounts::new(&changes);
        let word = RowWord::Verdict(change.gain.word());
        let undoing = change.gain.undoing();
        let are_costs_known = true;
        let mut row = Self { change, changes, word, checks, undoing, are_costs_known };
        row.word = row.row_word();
        row
    }

    /// What the checks say goes first where the points decide nothing.
    fn row_word(&self) -> RowWord {
        let CheckCounts { moved, shared, up_repeated, .. } = self.checks;
        let is_compared = self.change.gain.paired().is_some();
        if self.question() == Question::Helps || !is_compared {
            return self.word;
        }
        if self.is_rerun() {
            return RowWord::Flipped { moved, checks: shared };
        }
        let lost = self.surely_lost();
        let is_open = !self.is_better() && !self.is_worse();
        if lost > 0 && is_open {
            RowWord::Lost(lost)
        } else if !self.is_parity() {
            self.word
        } else if up_repeated > 0 {
            RowWord::Repaired(self.checks.up)
        } else if self.direction().is_eq() || self.checks.up == 0 {
            RowWord::NoRegression
        } else {
            self.word
        }
    }

    /// Where its points are, as they are shown.
    pub(crate) fn direction(&self) -> Ordering {
        match self.change.gain.shown() {
            Some(paired) => self.change.gain.measure().direction(paired.mean),
            None => Ordering::Equal,
        }
    }

    pub(crate) fn question(&self) -> Question {
        Question::of_sides(self.change.sides())
    }

    /// Whether its runs can be believed.
    pub(crate) fn is_measured(&self) -> bool {
        self.word != RowWord::Unmeasured
    }

    pub(crate) fn is_better(&self) -> bool {
        matches!(self.change.gain.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter)
    }

    /// Whether its cases moved both ways.
    pub(crate) fn is_mixed(&self) -> bool {
        self.word == RowWord::Verdict(VerdictWord::Mixed)
    }

    pub(crate) fn is_worse(&self) -> bool {
        self.change.gain.verdict().is_worse()
    }

    pub(crate) fn tone(&self) -> RowTone {
        if self.is_rerun() || !self.is_measured() {
            RowTone::Open
        } else if self.is_worse() || self.surely_lost() > 0 {
            RowTone::Worse
        } else if self.is_better() {
            RowTone::Better
        } else {
            RowTone::Open
        }
    }

    /// The checks lost since the earlier version, as far as a headline may say so: in repeated runs; in
    /// single ones only where the candidate fell hard, since an unchanged skill often loses one.
    pub(crate) fn surely_lost(&self) -> usize {
        if self.question() == Question::Helps {
            0
        } else if Fall::new(&self.change.gain).is_hard() {
            self.checks.down
        } else if self.checks.down_repeated > 0 {
            // The number that the row and its list have.
            self.checks.down
        } else {
            0
        }
    }

    /// Whether both sides ran the same skill, so that what moved is noise.
    pub(crate) fn is_rerun(&self) -> bool {
        self.changes.is_rerun()
    }

    /// Whether a changed skill kept what it passed, and is neither better nor worse.
    pub(crate) fn is_parity(&self) -> bool {
        // What fails on both sides keeps nothing.
        let is_other = matches!(
            self.change.gain.word(),
            VerdictWord::DownInAll { .. }
                | VerdictWord::NotDecided
                | VerdictWord::AboutTheSame { shared: Some(SharedOutcome::AllFailed) }
        );
        self.question() == Question::Changed
            && !self.is_rerun()
            && self.checks.down == 0
            && self.checks.shared >= CHECKS_FOR_PARITY
            && !self.is_better()
            && !self.is_worse()
            && !is_other
    }

    /// Whether most of its cases have one run on a side: then its marks are outlines.
    pub(crate) fn is_single(&self) -> bool {
        self.change.gain.is_mostly_single()
    }
}

impl CheckCounts {
    fn new(changes: &Changes<'_>) -> Self {
        let mut counts = Self::default();
        let lost = changes.regressed();
        counts.down = lost.len();
        counts.down_repeated = lost.iter().filter(|flip| flip.is_repeated()).count();
        for flip in changes.flips.iter().filter(|flip| flip.change().is_some()) {
            counts.shared += 1;
            counts.moved += usize::from(flip.has_moved());
            match flip.kind {
                FlipKind::Improved => {
                    counts.up += 1;
                    counts.up_repeated += usize::from(flip.is_repeated());
                }
                FlipKind::Unsteady => counts.unsteady += 1,
                FlipKind::StillFailing => counts.failing += 1,
                FlipKind::StillPassing => counts.passing += 1,
                _ => {}
            }
        }
        counts
    }
}
