//! What changed from one side to another, expectation by expectation.

use crate::analyze::{Against, Analysis, Change, Fate, Flip, Side, between};
use crate::digest::headline::newer_iteration;
use crate::model::{Expectation, Outcome, Run, Workspace};

/// Every expectation of two sides with how it fared.
pub(crate) struct Changes<'a> {
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    pub(crate) after: &'a Side,
    /// Whether both sides are configurations of one iteration, so that nothing is earlier.
    pub(crate) is_beside: bool,
    pub(crate) flips: Vec<Flip>,
}

impl<'a> Changes<'a> {
    /// What changed from the first side to the second.
    pub(crate) fn between(
        workspace: &'a Workspace,
        analysis: &'a Analysis,
        [before, after]: [&'a Side; 2],
    ) -> Self {
        let flips = between(workspace, &analysis.lines, before, after);
        Self { workspace, analysis, after, is_beside: before.is_beside(after), flips }
    }

    /// What changed on both sides of `change`.
    pub(crate) fn new(
        workspace: &'a Workspace,
        analysis: &'a Analysis,
        change: &'a Change,
    ) -> Self {
        Self::between(workspace, analysis, [&change.before, &change.after])
    }

    pub(crate) fn that(&self, fate: Fate) -> Vec<&Flip> {
        self.flips.iter().filter(|flip| flip.fate == fate).collect()
    }

    pub(crate) fn number(&self, fate: Fate) -> usize {
        self.flips.iter().filter(|flip| flip.fate == fate).count()
    }

    /// Whether any expectation has verdicts on both sides.
    pub(crate) fn has_both_sides(&self) -> bool {
        self.flips.iter().any(|flip| flip.change().is_some())
    }

    /// The verdicts of the later side on the expectation of `flip`, run by run.
    pub(crate) fn verdicts(&self, flip: &Flip) -> impl Iterator<Item = (&'a Run, &'a Expectation)> {
        let meeting = self.analysis.lines[flip.line].meeting(self.after.iteration);
        let cases = &self.workspace.iterations[self.after.iteration].cases;
        let runs = meeting.into_iter().flat_map(move |met| &cases[met.case].runs);
        let runs = runs.filter(|run| run.configuration == self.after.configuration);
        let all = runs.flat_map(|run| run.expectations().iter().map(move |found| (run, found)));
        all.filter(|(_, found)| found.text == flip.text)
    }

    /// Why the later side failed it: the evidence of the first run that did and has any.
    pub(crate) fn evidence(&self, flip: &Flip) -> Option<&'a str> {
        let all = self.verdicts(flip).map(|(_, found)| found);
        let mut failed = all.filter(|found| found.outcome == Outcome::Failed);
        failed.find_map(|found| found.evidence.as_deref())
    }
}

/// The change by which the newest candidate is judged expectation by expectation: against what the
/// settings name, else the iteration before, else the baseline.
pub fn reference(analysis: &Analysis) -> Option<&Change> {
    let after = analysis.newest_candidate()?;
    let order = [Against::Pinned, Against::Previous, Against::Baseline];
    order.into_iter().find_map(|against| analysis.change(&after, against))
}

/// Whether there is anything to report: an expectation that regressed, improved, came or went, a
/// case that did, another verdict against the baseline, or nothing earlier to compare with.
pub(crate) fn is_changed(workspace: &Workspace, analysis: &Analysis) -> bool {
    let is_newest = newer_iteration(workspace, analysis).is_none();
    let Some(change) = reference(analysis).filter(|_| is_newest) else { return true };
    let verdict =
        |side: &Side| analysis.change(side, Against::Baseline).map(|change| change.gain.verdict());
    let gain = &change.gain;
    let changes = Changes::new(workspace, analysis, change);
    let moved = [Fate::Regressed, Fate::Fixed, Fate::New, Fate::Removed];
    change.is_beside()
        || verdict(&change.before) != verdict(&change.after)
        || [&gain.only_before, &gain.only_after, &gain.unlike].iter().any(|it| !it.is_empty())
        || changes.flips.iter().any(|flip| moved.contains(&flip.fate))
}
