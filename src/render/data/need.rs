//! The part of `summary.json` about the size of an evaluation, and about what would decide it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::analyze::More;
use crate::digest::NextStep;
use input::model::Iteration;

/// Further runs of each case and side, or further cases. Both are 0 where neither is likely to settle
/// it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct MoreSummary {
    pub runs: usize,
    pub cases: usize,
}

impl MoreSummary {
    pub(super) fn new(step: NextStep) -> Self {
        let NextStep::More(further) = step else { return Self::default() };
        match further.more {
            More::Runs(runs) => Self { runs, cases: 0 },
            More::Cases(cases) => Self { runs: 0, cases },
        }
    }
}

#[derive(Default)]
pub(super) struct SizeOfIteration {
    pub(super) cases: usize,
    pub(super) runs_per_case: usize,
    pub(super) ungraded_runs: usize,
}

impl SizeOfIteration {
    pub(super) fn new(iteration: &Iteration) -> Self {
        let mut size = Self { cases: iteration.cases.len(), ..Self::default() };
        for case in &iteration.cases {
            let mut runs_by_side: BTreeMap<&str, usize> = BTreeMap::new();
            for run in &case.runs {
                *runs_by_side.entry(&run.configuration).or_default() += 1;
                if !run.is_graded() {
                    size.ungraded_runs += 1;
                }
            }
            let most = runs_by_side.into_values().max().unwrap_or_default();
            size.runs_per_case = size.runs_per_case.max(most);
        }
        size
    }
}
