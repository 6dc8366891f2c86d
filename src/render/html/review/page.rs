//! The review pages of pairs of runs, and which of them shows a check.

use crate::analyze::{
    Against, CaseHistory, CheckAt, Choice, Flip, FlipKind, Pair, RunPair, Side, key,
};
use crate::model::{Expectation, Outcome, Run};
use crate::render::context::{Page, RenderContext};
use crate::wording::sides;

#[derive(Clone, Copy)]
pub(super) struct ReviewPage<'a> {
    pub(super) context: RenderContext<'a>,
    pub(super) line: usize,
    /// Index of the pair among those of the case.
    pub(super) pair_index: usize,
    pub(super) pair: &'a Pair,
    pub(super) runs: RunPair<'a>,
    /// Whether it represents its two sides.
    is_first: bool,
}

impl<'a> ReviewPage<'a> {
    pub(super) fn path(&self) -> String {
        let number = (!self.is_first).then_some(self.runs.after.number);
        self.context.addresses.difference(self.line, self.pair, number)
    }

    pub(super) fn case(&self) -> &'a CaseHistory {
        &self.context.part.analysis.cases[self.line]
    }

    /// Both sides with their runs, the candidate or newer one first.
    pub(super) fn sides(&self) -> [(&'a Side, &'a Run); 2] {
        [(&self.pair.after, self.runs.after), (&self.pair.before, self.runs.before)]
    }

    /// The check at an index in the first grading of a side; side 0 is the newer one.
    pub(super) fn check_at(&self, side: usize, check: usize) -> Option<CheckAt> {
        let (side, run) = self.sides()[side];
        let (case, run) = self.index(side, run)?;
        Some(CheckAt { iteration: side.iteration, case, run, grading: 0, check })
    }

    /// The indices of a run's case in the iteration, and of the run in the case.
    pub(super) fn index(&self, side: &Side, run: &Run) -> Option<(usize, usize)> {
        let case = self.case().appearance(side.iteration)?.case;
        let runs = &self.context.part.workspace.iterations[side.iteration].cases[case].runs;
        Some((case, runs.iter().position(|other| std::ptr::eq(other, run))?))
    }

    /// The name of a run in feedback files.
    pub(super) fn run_id(&self, side: &Side, run: &Run) -> String {
        let reviews = &self.context.shared.reviews[side.iteration];
        let index = self.index(side, run);
        index.map_or(String::new(), |(case, run)| reviews.run_name(case, run))
    }

    /// The names of both sides, the newer one first.
    pub(super) fn names(&self) -> [String; 2] {
        let (sides, part) = ([&self.pair.before, &self.pair.after], self.context.part);
        let [before, after] = sides::short_names(part.facts(self.context.language), sides);
        [after, before]
    }

    /// The comparison whose pages are read in sequence.
    pub(super) fn comparison(&self) -> Option<(&'a Side, Against)> {
        let pairs = &self.context.part.analysis.pairs[self.line];
        let is_pair = |choice: &&Choice| choice.pair == self.pair_index;
        pairs.choices.iter().find(is_pair).map(|choice| (&choice.side, choice.against))
    }
}

/// The pages of two sides of a case, by the index of the pair, in reading order.
pub(super) fn pages_of_pair<'a>(
    context: RenderContext<'a>,
    line: usize,
    pair_index: usize,
) -> Vec<ReviewPage<'a>> {
    let pair = &context.part.analysis.pairs[line].pairs[pair_index];
    let review =
        |(at, runs)| ReviewPage { context, line, pair_index, pair, runs, is_first: at == 0 };
    context.shared.reviewed[line][pair_index].iter().copied().enumerate().map(review).collect()
}

/// The pages of one comparison of a case; empty if the case has no such pair.
pub(super) fn pages_of_comparison<'a>(
    context: RenderContext<'a>,
    line: usize,
    (side, against): (&Side, Against),
) -> Vec<ReviewPage<'a>> {
    let pairs = &context.part.analysis.pairs[line];
    let mut choices = pairs.for_side(side.iteration, &side.configuration);
    let choice = choices.find(|choice| choice.against == against);
    choice.map(|choice| pages_of_pair(context, line, choice.pair)).unwrap_or_default()
}

/// Review pages of a case, to be linked from other pages.
pub(crate) struct RunPages<'a>(Vec<ReviewPage<'a>>);

impl<'a> RunPages<'a> {
    /// The pages of two sides, the older one first; empty if they are not compared.
    pub(crate) fn between(context: RenderContext<'a>, line: usize, sides: [&Side; 2]) -> Self {
        let mut pairs = context.part.analysis.pairs[line].pairs.iter();
        let pair = pairs.position(|pair| [&pair.before, &pair.after] == sides);
        Self(pair.map(|pair| pages_of_pair(context, line, pair)).unwrap_or_default())
    }

    /// The pages of the sides of one iteration.
    pub(crate) fn in_iteration(context: RenderContext<'a>, line: usize, iteration: usize) -> Self {
        let pairs = &context.part.analysis.pairs[line];
        let choices = pairs.in_iteration(iteration);
        Self(choices.flat_map(|choice| pages_of_pair(context, line, choice.pair)).collect())
    }

    /// Link from `page` to the runs that explain a change.
    pub(crate) fn flip(&self, page: &Page<'_>, flip: &Flip) -> Option<String> {
        let wanted =
            if flip.kind == FlipKind::Improved { Outcome::Passed } else { Outcome::Failed };
        let shows = |review: &&ReviewPage<'_>| {
            check(review, flip.text).is_some_and(|check| check.outcome == wanted)
        };
        let review = self.0.iter().find(shows).or(self.0.first())?;
        let href = page.link(&review.path());
        let Some(check) = check(review, flip.text) else { return Some(href) };
        let anchor = review.context.addresses.expectation(flip.case, &key(check));
        Some(format!("{href}#{anchor}"))
    }

    /// Link from `page` to the review page with a run of an iteration.
    pub(crate) fn run(&self, page: &Page<'_>, iteration: usize, run: &Run) -> Option<String> {
        let is_shown = |(side, other): &(&Side, &Run)| {
            side.iteration == iteration && std::ptr::eq(*other, run)
        };
        let review = self.0.iter().find(|review| review.sides().iter().any(is_shown))?;
        Some(page.link(&review.path()))
    }
}

/// The check with this text in the newer side's run.
fn check<'a>(review: &ReviewPage<'a>, text: &str) -> Option<&'a Expectation> {
    review.runs.after.expectations().iter().find(|check| check.text == text)
}
