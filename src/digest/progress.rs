//! The progress of an iteration: how the checks of its candidate compare with the iteration before.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analyze::{FlipKind, Flips, Side};
use crate::digest::changes::Comparisons;
use input::model::{Case, Run, Tally};

pub(crate) struct IterationProgress<'a> {
    /// The candidate of the iteration; `None` if there is none.
    pub(crate) after: Option<Side>,
    /// The same configuration in the last iteration that graded it before.
    pub(crate) before: Option<Side>,
    /// The changes since; `None` without an earlier side.
    pub(crate) flips: Option<Arc<Flips<'a>>>,
    /// The rank of each configuration in the iteration.
    ranks: BTreeMap<String, usize>,
}

impl<'a> IterationProgress<'a> {
    pub(crate) fn for_iterations(comparisons: &Comparisons<'a>) -> Vec<Self> {
        (0..comparisons.analysis.iterations.len())
            .map(|index| Self::new(comparisons, index))
            .collect()
    }

    pub(crate) fn new(comparisons: &Comparisons<'a>, index: usize) -> Self {
        Self::of_candidate(comparisons, index, comparisons.analysis.candidate_of(index))
    }

    /// The same for a candidate that does not lead.
    pub(crate) fn of_candidate(
        comparisons: &Comparisons<'a>,
        index: usize,
        after: Option<Side>,
    ) -> Self {
        let analysis = comparisons.analysis;
        let before = after.as_ref().and_then(|after| analysis.previous(after));
        let mut flips = None;
        if let (Some(before), Some(after)) = (&before, &after) {
            flips = Some(comparisons.between(before, after));
        }
        let order = analysis.iterations[index].roles.order();
        let ranks = order.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        Self { after, before, flips, ranks }
    }

    /// The earlier verdicts on the checks of a case that regressed, by their texts.
    pub(crate) fn regressions(&self, case_index: usize) -> BTreeMap<&'a str, Tally> {
        let mut regressions = BTreeMap::new();
        for flip in self.flips.iter().flat_map(|flips| flips.on(case_index)) {
            if flip.kind == FlipKind::Regressed {
                // Where a statement occurs twice in a case, the first stands for both.
                regressions.entry(flip.text).or_insert(flip.before);
            }
        }
        regressions
    }

    /// Indices of the runs of a case, candidates before the baseline.
    pub(crate) fn run_order(&self, case: &Case) -> Vec<usize> {
        let mut order: Vec<usize> = (0..case.runs.len()).collect();
        order.sort_by_cached_key(|at| {
            let run = &case.runs[*at];
            (self.ranks.get(&run.configuration).copied(), run.number)
        });
        order
    }

    pub(crate) fn runs_in_order<'c>(&self, case: &'c Case) -> Vec<&'c Run> {
        self.run_order(case).into_iter().map(|at| &case.runs[at]).collect()
    }
}
