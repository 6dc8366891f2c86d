//! The reviews of an iteration by subject, the names of its runs in them, and the pairs of runs
//! that are reviewed.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::analyze::{FlipKind, Pair, RunPair, disputed_in, run_pairs};
use crate::digest::cases::CaseResult;
use crate::digest::changes::Comparisons;
use input::model::{About, Case, Feedback, Iteration, Outcome, Review, Run};

pub(crate) struct Reviews<'w> {
    iteration: &'w Iteration,
    /// Reviews with their positions among all reviews of the iteration.
    by_about: BTreeMap<About, Vec<(usize, &'w Review)>>,
    /// The checks of a run on which a person says that the grader is wrong.
    disputed: BTreeMap<(usize, usize), BTreeSet<&'w str>>,
}

impl<'w> Reviews<'w> {
    pub(crate) fn new(iteration: &'w Iteration) -> Self {
        let mut by_about: BTreeMap<About, Vec<(usize, &'w Review)>> = BTreeMap::new();
        let reviews = iteration.feedback.iter().flat_map(Feedback::comments);
        for (at, review) in reviews.enumerate() {
            by_about.entry(review.about).or_default().push((at, review));
        }
        Self { iteration, by_about, disputed: disputed_in(iteration) }
    }

    /// Whether a person says that the grader is wrong on the check with this text.
    pub(crate) fn is_disputed(&self, case: usize, run: usize, text: &str) -> bool {
        self.disputed.get(&(case, run)).is_some_and(|texts| texts.contains(text))
    }

    pub(crate) fn on_run(&self, case: usize, run: usize) -> impl Iterator<Item = &'w Review> {
        self.numbered(About::Run { case, run }).map(|(_, review)| review)
    }

    /// The reviews of one run and the first `most` of its case, in the order written; and how many
    /// more the case has.
    pub(crate) fn on_run_and_case(
        &self,
        (case, run): (usize, usize),
        most: usize,
    ) -> (Vec<&'w Review>, usize) {
        let mut case_reviews = self.numbered(About::Case { case });
        let mut reviews: Vec<(usize, &Review)> = case_reviews.by_ref().take(most).collect();
        reviews.extend(self.numbered(About::Run { case, run }));
        (in_order(reviews), case_reviews.count())
    }

    /// The reviews of a case and its runs, in the order written.
    pub(crate) fn on_case_and_runs(&self, case: usize) -> Vec<&'w Review> {
        let runs = About::Run { case, run: 0 }..=About::Run { case, run: usize::MAX };
        let runs = self.by_about.range(runs).flat_map(|(_, reviews)| reviews).copied();
        in_order(runs.chain(self.numbered(About::Case { case })).collect())
    }

    /// The name of a run in feedback: that in its review, if there is one.
    pub(crate) fn run_name(&self, case: usize, run: usize) -> String {
        // Names in feedback come from many tools, so those in use are kept.
        if let Some(review) = self.on_run(case, run).next() {
            return review.run_id.clone();
        }
        let case = &self.iteration.cases[case];
        run_id(self.iteration, case, &case.runs[run])
    }

    fn numbered(&self, about: About) -> impl Iterator<Item = (usize, &'w Review)> {
        self.by_about.get(&about).into_iter().flatten().copied()
    }
}

fn in_order(mut reviews: Vec<(usize, &Review)>) -> Vec<&Review> {
    reviews.sort_by_key(|(at, _)| *at);
    reviews.into_iter().map(|(_, review)| review).collect()
}

/// A run's name in a feedback file: its folder below the iteration with `-` for `/`, or made from
/// its case, configuration and number if it has no folder.
fn run_id(iteration: &Iteration, case: &Case, run: &Run) -> String {
    let mut below = run.path.as_str();
    if !iteration.path.is_empty() {
        let rest = below.strip_prefix(&*iteration.path);
        below = rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
    }
    // A run without a folder has the path of its grading.
    if !below.is_empty() && !below.ends_with(".json") {
        return below.replace('/', "-");
    }
    let name = if case.folder.is_empty() { &case.name } else { &case.folder };
    format!("{name}-{}-run-{}", run.configuration, run.number)
}

/// The review of two sides of a case. Each of its pages shows a pair of runs and the result, so the
/// result is computed here: a case may have a thousand runs.
pub(crate) struct ReviewedSides<'a> {
    pub(crate) runs: Vec<RunPair<'a>>,
    /// `None` if a side has no graded run.
    pub(crate) result: Option<CaseResult>,
}

/// What is reviewed, for each case and each pair of its sides.
///
/// Two sides are represented by the first run of the newer side that fails a check which regressed,
/// is unsteady or fails on both sides; else by its first run. In the newest iteration, the other runs of the
/// newer side follow.
pub(crate) fn reviewed_pairs<'a>(comparisons: &Comparisons<'a>) -> Vec<Vec<ReviewedSides<'a>>> {
    let lines = comparisons.analysis.pairs.par_iter().enumerate();
    let lines = lines.map(|(case_index, pairs)| {
        pairs.pairs.iter().map(|pair| reviewed_sides(comparisons, case_index, pair)).collect()
    });
    lines.collect()
}

fn reviewed_sides<'a>(
    comparisons: &Comparisons<'a>,
    case_index: usize,
    pair: &Pair,
) -> ReviewedSides<'a> {
    let history = &comparisons.analysis.cases[case_index];
    let [after, before] =
        [&pair.after, &pair.before].map(|side| history.runs(comparisons.workspace, side));
    ReviewedSides {
        runs: reviewed_runs(comparisons, case_index, pair),
        result: CaseResult::new(after, before),
    }
}

fn reviewed_runs<'a>(
    comparisons: &Comparisons<'a>,
    case_index: usize,
    pair: &Pair,
) -> Vec<RunPair<'a>> {
    let mut runs = run_pairs(comparisons.workspace, &comparisons.analysis.cases[case_index], pair);
    if runs.is_empty() {
        return runs;
    }
    let mut failing: BTreeSet<&str> = BTreeSet::new();
    if !pair.is_alone() {
        let flips = comparisons.between(&pair.before, &pair.after);
        for flip in flips.on(case_index) {
            use FlipKind::{Regressed, Reworded, StillFailing, Unsteady};
            if matches!(flip.kind, Regressed | StillFailing | Unsteady | Reworded) {
                failing.insert(flip.text);
            }
        }
    }
    let first = runs.iter().position(|runs| fails_any(runs.after, &failing)).unwrap_or(0);
    runs[..=first].rotate_right(1);
    // Pages of older iterations are rarely read, and every pair costs one.
    if comparisons.analysis.newest_run() != Some(pair.after.iteration) {
        runs.truncate(1);
    }
    runs
}

fn fails_any(run: &Run, texts: &BTreeSet<&str>) -> bool {
    let mut checks = run.expectations().iter();
    checks.any(|check| check.outcome == Outcome::Failed && texts.contains(&*check.text))
}

#[cfg(test)]
mod tests {
    use super::run_id;
    use input::model::{Case, Iteration, Run};

    fn id(iteration: &str, run: &str) -> String {
        let iteration = Iteration { path: iteration.to_owned(), ..Iteration::default() };
        let case = Case { name: "A case".to_owned(), folder: "a".to_owned(), ..Case::default() };
        let (path, configuration) = (run.to_owned(), "with_skill".to_owned());
        run_id(&iteration, &case, &Run { path, configuration, number: 2, ..Run::default() })
    }

    #[test]
    fn a_run_is_named_by_its_folder_below_the_iteration() {
        assert_eq!(id("iteration-1", "iteration-1/a/with_skill/run-2"), "a-with_skill-run-2");
        assert_eq!(id("", "a/with_skill"), "a-with_skill");
        assert_eq!(id("iteration-1", "iteration-1/a-grading.json"), "a-with_skill-run-2");
        assert_eq!(id("iteration-1", "elsewhere/run-2"), "a-with_skill-run-2");
    }
}
