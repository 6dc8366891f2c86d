//! The review pages of pairs of runs, and which of them shows a check.

use std::collections::BTreeSet;

use crate::analyze::{
    Against, CaseHistory, CheckAt, FlipKind, Pair, QuoteLocation, RunPair, Side, key,
};
use crate::preview::evidence::Quotations;
use crate::render::context::{Page, RenderContext};
use crate::render::html::quotation_links::quotations_of_run;
use crate::wording::sides;
use input::model::{Expectation, Outcome, Run};

/// A comparison whose pages are read in sequence: a side, and what it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ComparedWith<'a> {
    pub(super) side: &'a Side,
    pub(super) against: Against,
}

#[derive(Clone, Copy)]
pub(super) struct ReviewPage<'a> {
    pub(super) context: RenderContext<'a>,
    pub(super) case_index: usize,
    /// Index of the pair among those of the case.
    pub(super) pair_index: usize,
    pub(super) pair: &'a Pair,
    pub(super) runs: RunPair<'a>,
    /// Whether it represents its two sides.
    is_first: bool,
}

impl<'a> ReviewPage<'a> {
    pub(super) fn path(&self) -> String {
        let number = if self.is_first { None } else { Some(self.runs.after.number) };
        self.context.addresses.difference(self.case_index, self.pair, number)
    }

    pub(super) fn case(&self) -> &'a CaseHistory {
        &self.context.part.analysis.cases[self.case_index]
    }

    /// Whether it shows the same two runs.
    pub(super) fn is_same(&self, other: &ReviewPage<'_>) -> bool {
        let shown = [self.runs.before, self.runs.after];
        let others = [other.runs.before, other.runs.after];
        shown.into_iter().zip(others).all(|(run, other)| std::ptr::eq(run, other))
    }

    /// Whether there is no other side.
    pub(super) fn is_alone(&self) -> bool {
        self.pair.is_alone()
    }

    /// The indices of the sides that the page shows, from left to right: the older one first.
    pub(super) fn shown_sides(&self) -> &'static [usize] {
        if self.is_alone() { &[0] } else { &[1, 0] }
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

    /// What graders quote of a run.
    pub(super) fn quotations(&self, side: &Side, run: &Run) -> Quotations<'a> {
        let Some((case, run)) = self.index(side, run) else { return Quotations::default() };
        quotations_of_run(self.context.part.quotes(), side.iteration, case, run)
    }

    /// The names of the files that graders quote for checks which failed.
    pub(super) fn quoted_for_failures(&self) -> BTreeSet<&'a str> {
        let mut names = BTreeSet::new();
        for (side, run) in self.sides() {
            let Some((case, at)) = self.index(side, run) else { continue };
            for (check, quotes) in self.context.part.quotes().in_case(side.iteration, case) {
                let expectations = run.expectations();
                let graded = expectations.get(check.check).filter(|_| check.grading == 0);
                let is_failed = graded.is_some_and(|graded| graded.outcome == Outcome::Failed);
                if check.run != at || !is_failed {
                    continue;
                }
                for quote in quotes {
                    if let QuoteLocation::InRun { file, .. } = &quote.found {
                        names.insert(file.as_str());
                    }
                }
            }
        }
        names
    }

    /// The indices of a run's case in the iteration, and of the run in the case.
    pub(super) fn index(&self, side: &Side, run: &Run) -> Option<(usize, usize)> {
        let case = self.case().appearance(side.iteration)?.case;
        let runs = &self.context.part.workspace.iterations[side.iteration].cases[case].runs;
        Some((case, runs.iter().position(|other| std::ptr::eq(other, run))?))
    }

    /// The name of a run in feedback files.
    pub(super) fn run_id(&self, side: &Side, run: &Run) -> String {
        match self.index(side, run) {
            Some((case, run)) => self.context.shared.reviews[side.iteration].run_name(case, run),
            None => String::new(),
        }
    }

    /// Whether a person says that the grader is wrong on a check of a side; side 0 is the newer one.
    pub(super) fn is_disputed(&self, side: usize, text: &str) -> bool {
        let (side, run) = self.sides()[side];
        let reviews = &self.context.shared.reviews[side.iteration];
        self.index(side, run).is_some_and(|(case, run)| reviews.is_disputed(case, run, text))
    }

    /// The names of both sides, the newer one first.
    pub(super) fn names(&self) -> [String; 2] {
        let facts = self.context.part.facts(self.context.language);
        let [before, after] = sides::short_names(facts, [&self.pair.before, &self.pair.after]);
        [after, before]
    }

    /// The comparison whose pages are read in sequence.
    pub(super) fn comparison(&self) -> Option<ComparedWith<'a>> {
        let choices = &self.context.part.analysis.pairs[self.case_index].choices;
        let choice = choices.iter().find(|choice| choice.pair == self.pair_index)?;
        Some(ComparedWith { side: &choice.side, against: choice.against })
    }

    /// The check with this text in the newer side's run.
    fn check(&self, text: &str) -> Option<&'a Expectation> {
        self.runs.after.expectations().iter().find(|check| check.text == text)
    }

    /// How well the page shows a change of the check with this text to these outcomes, of the older
    /// and the newer side.
    fn shows(&self, text: &str, outcomes: [Outcome; 2]) -> u8 {
        let Some(check) = self.check(text) else { return 0 };
        let (mut earlier, wanted) = (self.runs.before.expectations().iter(), key(check));
        let earlier = earlier.find(|earlier| key(earlier) == wanted);
        let [before, after] = outcomes;
        // Without the outcome that the change led to, the page would contradict the link.
        2 * u8::from(check.outcome == after)
            + u8::from(earlier.is_some_and(|earlier| earlier.outcome == before))
    }
}

/// The pages of two sides of a case, by the index of the pair, in reading order.
pub(super) fn pages_of_pair<'a>(
    context: RenderContext<'a>,
    case_index: usize,
    pair_index: usize,
) -> impl Iterator<Item = ReviewPage<'a>> {
    let pair = &context.part.analysis.pairs[case_index].pairs[pair_index];
    // A case may have a thousand runs, and each page asks for its neighbors.
    let runs = context.shared.reviewed[case_index][pair_index].runs.iter().enumerate();
    runs.map(move |(index, &runs)| ReviewPage {
        context,
        case_index,
        pair_index,
        pair,
        runs,
        is_first: index == 0,
    })
}

/// The pages of one comparison of a case; empty if the case has no such pair.
pub(super) fn pages_of_comparison<'a>(
    context: RenderContext<'a>,
    case_index: usize,
    comparison: ComparedWith<'_>,
) -> impl Iterator<Item = ReviewPage<'a>> {
    let Side { iteration, configuration } = comparison.side;
    let mut choices = context.part.analysis.pairs[case_index].for_side(*iteration, configuration);
    let choice = choices.find(|choice| choice.against == comparison.against);
    choice.into_iter().flat_map(move |choice| pages_of_pair(context, case_index, choice.pair))
}

/// The outcomes that show a change, of the older and the newer side.
pub(crate) fn shown_outcomes(kind: FlipKind) -> [Outcome; 2] {
    match kind {
        FlipKind::Regressed => [Outcome::Passed, Outcome::Failed],
        FlipKind::Improved => [Outcome::Failed, Outcome::Passed],
        FlipKind::StillPassing => [Outcome::Passed, Outcome::Passed],
        _ => [Outcome::Failed, Outcome::Failed],
    }
}

/// Review pages of a case, to be linked from other pages.
pub(crate) struct RunPages<'a>(Vec<ReviewPage<'a>>);

impl<'a> RunPages<'a> {
    /// The pages of two sides, the older one first; empty if they are not compared.
    pub(crate) fn between(
        context: RenderContext<'a>,
        case_index: usize,
        sides: [&Side; 2],
    ) -> Self {
        let mut pairs = context.part.analysis.pairs[case_index].pairs.iter();
        match pairs.position(|pair| [&pair.before, &pair.after] == sides) {
            Some(pair) => Self(pages_of_pair(context, case_index, pair).collect()),
            None => Self(Vec::new()),
        }
    }

    /// The pages of the sides of one iteration.
    pub(crate) fn in_iteration(
        context: RenderContext<'a>,
        case_index: usize,
        iteration: usize,
    ) -> Self {
        let choices = context.part.analysis.pairs[case_index].in_iteration(iteration);
        Self(choices.flat_map(|choice| pages_of_pair(context, case_index, choice.pair)).collect())
    }

    /// Link from `page` to the first of them.
    pub(crate) fn first(&self, page: &Page<'_>) -> Option<String> {
        Some(page.link(&self.0.first()?.path()))
    }

    /// The first page that shows best how the check with this text changed.
    fn showing(&self, text: &str, kind: FlipKind) -> Option<&ReviewPage<'a>> {
        let mut best: Option<&ReviewPage<'a>> = None;
        let outcomes = shown_outcomes(kind);
        for review in &self.0 {
            let shown = review.shows(text, outcomes);
            if best.is_none_or(|best| shown > best.shows(text, outcomes)) {
                best = Some(review);
            }
        }
        best
    }

    /// Link from `page` to the runs that explain a change of the check with this text.
    pub(crate) fn check(&self, page: &Page<'_>, text: &str, kind: FlipKind) -> Option<String> {
        let review = self.showing(text, kind)?;
        let href = page.link(&review.path());
        let Some(check) = review.check(text) else { return Some(href) };
        let anchor = review.context.addresses.expectation(review.case_index, &key(check));
        Some(format!("{href}#{anchor}"))
    }

    /// The numbers of these runs, of the older and the newer side.
    pub(crate) fn runs_showing(&self, text: &str, kind: FlipKind) -> Option<[u32; 2]> {
        let runs = self.showing(text, kind)?.runs;
        Some([runs.before.number, runs.after.number])
    }

    /// Link from `page` to the review page with a run of an iteration.
    pub(crate) fn run(&self, page: &Page<'_>, iteration: usize, run: &Run) -> Option<String> {
        for review in &self.0 {
            for (side, other) in review.sides() {
                if side.iteration == iteration && std::ptr::eq(other, run) {
                    return Some(page.link(&review.path()));
                }
            }
        }
        None
    }
}
