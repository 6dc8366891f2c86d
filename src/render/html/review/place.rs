//! The review pages of pairs of runs, and which of them shows a check.

use crate::analyze::{
    Against, CaseLine, CheckAt, Choice, Flip, FlipKind, Pair, RunPair, Side, key,
};
use crate::model::{Expectation, Outcome, Run};
use crate::render::context::{Page, RenderContext};
use crate::render::text::change;

#[derive(Clone, Copy)]
pub(super) struct ReviewPlace<'a> {
    pub(super) context: RenderContext<'a>,
    pub(super) line: usize,
    /// Index of the pair among those of the case.
    pub(super) index_of_pair: usize,
    pub(super) pair: &'a Pair,
    pub(super) runs: RunPair<'a>,
    /// Whether it represents its two sides.
    is_first: bool,
}

impl<'a> ReviewPlace<'a> {
    pub(super) fn path(&self) -> String {
        let number = (!self.is_first).then_some(self.runs.after.number);
        self.context.addresses.difference(self.line, self.pair, number)
    }

    pub(super) fn case(&self) -> &'a CaseLine {
        &self.context.part.analysis.lines[self.line]
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
        let [before, after] = change::side_names(part.words(self.context.language), sides);
        [after, before]
    }

    /// The comparison whose pages are read in sequence.
    pub(super) fn comparison(&self) -> Option<(&'a Side, Against)> {
        let pairs = &self.context.part.analysis.pairs[self.line];
        let is_pair = |choice: &&Choice| choice.pair == self.index_of_pair;
        pairs.choices.iter().find(is_pair).map(|choice| (&choice.side, choice.against))
    }
}

/// The pages of two sides of a case, by the index of the pair, in reading order.
pub(super) fn pages_of_pair<'a>(
    context: RenderContext<'a>,
    line: usize,
    index_of_pair: usize,
) -> Vec<ReviewPlace<'a>> {
    let pair = &context.part.analysis.pairs[line].pairs[index_of_pair];
    let place =
        |(at, runs)| ReviewPlace { context, line, index_of_pair, pair, runs, is_first: at == 0 };
    context.shared.reviewed[line][index_of_pair].iter().copied().enumerate().map(place).collect()
}

/// The pages of one comparison of a case; empty if the case has no such pair.
pub(super) fn pages_of_comparison<'a>(
    context: RenderContext<'a>,
    line: usize,
    (side, against): (&Side, Against),
) -> Vec<ReviewPlace<'a>> {
    let pairs = &context.part.analysis.pairs[line];
    let mut choices = pairs.of_side(side.iteration, &side.configuration);
    let choice = choices.find(|choice| choice.against == against);
    choice.map(|choice| pages_of_pair(context, line, choice.pair)).unwrap_or_default()
}

/// Review pages of a case, to be linked from other pages.
pub(crate) struct RunPages<'a>(Vec<ReviewPlace<'a>>);

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
        let shows = |place: &&ReviewPlace<'_>| {
            check(place, flip.text).is_some_and(|check| check.outcome == wanted)
        };
        let place = self.0.iter().find(shows).or(self.0.first())?;
        let href = page.link(&place.path());
        let Some(check) = check(place, flip.text) else { return Some(href) };
        let anchor = place.context.addresses.expectation(flip.line, &key(check));
        Some(format!("{href}#{anchor}"))
    }

    /// Link from `page` to the review page with a run of an iteration.
    pub(crate) fn run(&self, page: &Page<'_>, iteration: usize, run: &Run) -> Option<String> {
        let is_shown = |(side, other): &(&Side, &Run)| {
            side.iteration == iteration && std::ptr::eq(*other, run)
        };
        let place = self.0.iter().find(|place| place.sides().iter().any(is_shown))?;
        Some(page.link(&place.path()))
    }
}

/// The check with this text in the newer side's run.
fn check<'a>(place: &ReviewPlace<'a>, text: &str) -> Option<&'a Expectation> {
    place.runs.after.expectations().iter().find(|check| check.text == text)
}
