//! Where the pairs of runs that are reviewed have their pages, and which one shows a check.

use crate::analyze::{
    Against, CheckAt, Choice, Flip, FlipKind, Pair, RunPair, Side, TrackedCase, key,
};
use crate::model::{Expectation, Outcome, Run};
use crate::render::context::{Page, Site};
use crate::render::text::change;

#[derive(Clone, Copy)]
pub(super) struct ReviewPlace<'a> {
    pub(super) site: Site<'a>,
    pub(super) line: usize,
    /// That of the pair among those of the case.
    pub(super) index_of_pair: usize,
    pub(super) pair: &'a Pair,
    pub(super) runs: RunPair<'a>,
    /// Whether it stands for its two sides.
    is_first: bool,
}

impl<'a> ReviewPlace<'a> {
    pub(super) fn path(&self) -> String {
        let number = (!self.is_first).then_some(self.runs.after.number);
        self.site.addresses.difference(self.line, self.pair, number)
    }

    pub(super) fn case(&self) -> &'a TrackedCase {
        &self.site.part.analysis.lines[self.line]
    }

    /// Both sides with their runs, the candidate or newer one first.
    pub(super) fn sides(&self) -> [(&'a Side, &'a Run); 2] {
        [(&self.pair.after, self.runs.after), (&self.pair.before, self.runs.before)]
    }

    /// The check at an index of the first grading of a side; 0 is the newer side.
    pub(super) fn check_at(&self, side: usize, check: usize) -> Option<CheckAt> {
        let (side, run) = self.sides()[side];
        let (case, run) = self.index(side, run)?;
        Some(CheckAt { iteration: side.iteration, case, run, grading: 0, check })
    }

    /// A run of a side by the indices of its case in the iteration and of itself in the case.
    pub(super) fn index(&self, side: &Side, run: &Run) -> Option<(usize, usize)> {
        let case = self.case().appearance(side.iteration)?.case;
        let runs = &self.site.part.workspace.iterations[side.iteration].cases[case].runs;
        Some((case, runs.iter().position(|known| std::ptr::eq(known, run))?))
    }

    /// The name of a run in files of feedback.
    pub(super) fn run_id(&self, side: &Side, run: &Run) -> String {
        let reviews = &self.site.facts.reviews[side.iteration];
        let index = self.index(side, run);
        index.map_or(String::new(), |(case, run)| reviews.name_of(case, run))
    }

    /// Both sides by name, the newer one first.
    pub(super) fn names(&self) -> [String; 2] {
        let (sides, part) = ([&self.pair.before, &self.pair.after], self.site.part);
        let [before, after] = change::side_names(part.words(self.site.language), sides);
        [after, before]
    }

    /// The comparison whose pages are read one after the other.
    pub(super) fn comparison(&self) -> Option<(&'a Side, Against)> {
        let pairs = &self.site.part.analysis.pairs[self.line];
        let is_meant = |choice: &&Choice| choice.pair == self.index_of_pair;
        pairs.choices.iter().find(is_meant).map(|choice| (&choice.side, choice.against))
    }
}

/// The pages of two sides of a case, by the index of that pair, in the order they are read in.
pub(super) fn places<'a>(
    site: Site<'a>,
    line: usize,
    index_of_pair: usize,
) -> Vec<ReviewPlace<'a>> {
    let pair = &site.part.analysis.pairs[line].pairs[index_of_pair];
    let place =
        |(at, runs)| ReviewPlace { site, line, index_of_pair, pair, runs, is_first: at == 0 };
    site.facts.reviewed[line][index_of_pair].iter().copied().enumerate().map(place).collect()
}

/// The pages of one comparison of a case; none where the case has no such pair.
pub(super) fn of_comparison<'a>(
    site: Site<'a>,
    line: usize,
    (side, against): (&Side, Against),
) -> Vec<ReviewPlace<'a>> {
    let pairs = &site.part.analysis.pairs[line];
    let mut choices = pairs.for_side(side.iteration, &side.configuration);
    let choice = choices.find(|choice| choice.against == against);
    choice.map(|choice| places(site, line, choice.pair)).unwrap_or_default()
}

/// The review pages of a case that other pages lead to.
pub(crate) struct RunPages<'a>(Vec<ReviewPlace<'a>>);

impl<'a> RunPages<'a> {
    /// Those of two sides, the older one first; none where they are not compared.
    pub(crate) fn between(site: Site<'a>, line: usize, sides: [&Side; 2]) -> Self {
        let mut pairs = site.part.analysis.pairs[line].pairs.iter();
        let pair = pairs.position(|pair| [&pair.before, &pair.after] == sides);
        Self(pair.map(|pair| places(site, line, pair)).unwrap_or_default())
    }

    /// Those of the sides of one iteration.
    pub(crate) fn in_iteration(site: Site<'a>, line: usize, iteration: usize) -> Self {
        let pairs = &site.part.analysis.pairs[line];
        let choices = pairs.in_iteration(iteration);
        Self(choices.flat_map(|choice| places(site, line, choice.pair)).collect())
    }

    /// The way from `page` to the runs that show what became of a check.
    pub(crate) fn flip(&self, page: &Page<'_>, flip: &Flip) -> Option<String> {
        let wanted =
            if flip.kind == FlipKind::Improved { Outcome::Passed } else { Outcome::Failed };
        let shows = |place: &&ReviewPlace<'_>| {
            check(place, flip.text).is_some_and(|check| check.outcome == wanted)
        };
        let place = self.0.iter().find(shows).or(self.0.first())?;
        let review = page.link(&place.path());
        let Some(check) = check(place, flip.text) else { return Some(review) };
        let anchor = place.site.addresses.expectation(flip.line, &key(check));
        Some(format!("{review}#{anchor}"))
    }

    /// The way from `page` to the page that shows a run of an iteration.
    pub(crate) fn run(&self, page: &Page<'_>, iteration: usize, run: &Run) -> Option<String> {
        let is_shown = |(side, other): &(&Side, &Run)| {
            side.iteration == iteration && std::ptr::eq(*other, run)
        };
        let place = self.0.iter().find(|place| place.sides().iter().any(is_shown))?;
        Some(page.link(&place.path()))
    }
}

/// The check of the newer side's run with that text.
fn check<'a>(place: &ReviewPlace<'a>, text: &str) -> Option<&'a Expectation> {
    place.runs.after.expectations().iter().find(|check| check.text == text)
}
