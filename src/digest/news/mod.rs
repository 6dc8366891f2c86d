//! The news about the newest result: an ordered list of findings. Every text and page takes the first
//! ones of it, and none finds its own. What decides is here; what is said is in the tables of words.

mod alike;
mod author;
pub(crate) mod benchmark_only;
mod copies;
mod costs;
mod example;
mod figures;
mod finding;
mod floor;
mod gain;
mod gained_checks;
pub(crate) mod headline;
mod keywords;
mod listed;
mod rank;
mod reading;
mod rounds;
mod unreliable_runs;

pub use author::AuthorNote;
pub use figures::{CheckOfCase, CostMove, GradedCounts, Means, Moved, SinceEarlier};
pub use finding::Finding;
pub(crate) use headline::{HeadlineChoice, headline};
pub(crate) use rank::LISTED_RANK;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::analyze::{Against, Analysis, Change, Flip, FlipKind, Flips, Side, is_earlier_version};
use crate::digest::Comparisons;
use crate::digest::news::author::Remark;
use input::model::{Iteration, Run, Workspace};

/// The findings about `after`, which `lead` compares, most important first.
pub(super) fn findings(
    cache: &Comparisons<'_>,
    after: &Side,
    lead: Option<&Change>,
) -> Vec<Finding> {
    let scene = Scene::new(cache, after, lead);
    let mut found = Vec::new();
    unreliable_runs::add(&scene, &mut found);
    if scene.analysis.counts_doubtful_runs {
        found.retain(|finding| !finding.voids());
    }
    found.extend(rounds::ungraded_newer(&scene));
    // What prompts or checks of another kind say about the skill is nothing.
    let is_compared = lead.is_none_or(|lead| lead.gain.paired().is_some());
    if is_compared {
        rounds::add(&scene, &mut found);
        // The cases of one model do not speak for a round under several.
        if scene.conditions < 2 {
            found.extend(keywords::keyword_search(&scene));
            gain::add(&scene, &mut found);
            // One that did better is told already.
            if !found.iter().any(|finding| matches!(finding, Finding::BetterCandidate { .. })) {
                found.extend(rounds::third_side(&scene));
            }
            costs::add(&scene, &mut found);
        }
    }
    let differing = found.iter().find_map(|finding| match finding {
        Finding::RecordedDiffers { file, .. } => Some(file.as_str()),
        _ => None,
    });
    if let Some(note) =
        author::best(&author::holding(&scene.remarks, differing.unwrap_or_default()))
    {
        let case = confounded_case(&scene, &note.text);
        let gain =
            case.and_then(|case| unreliable_runs::gain_without(&scene, &BTreeSet::from([case])));
        found.push(Finding::Noted { note, case: case.map(str::to_owned), gain });
    }
    listed::add(&scene, &mut found);
    found.sort_by_key(Finding::rank);
    found
}

/// The case of which a note says that something other than the skill decided it, by its name or its id.
fn confounded_case<'a>(scene: &Scene<'a>, note: &str) -> Option<&'a str> {
    if !author::is_confounded(note) {
        return None;
    }
    let numbered = author::case_number(note);
    let mut cases = scene.iteration().cases.iter();
    let case = cases.find(|case| {
        note.contains(&case.name) || numbered.is_some() && case.id.as_deref() == numbered
    });
    case.map(|case| case.name.as_str())
}

/// The comparison that news is about: with the other side of the round, the side without the skill
/// first, else with the round before.
pub(crate) fn led_by<'a>(analysis: &'a Analysis, after: &Side) -> Option<&'a Change> {
    let changes = [
        analysis.change(after, Against::Baseline),
        analysis.change(after, Against::Pinned),
        analysis.since_previous(after),
    ];
    changes.into_iter().flatten().next()
}

/// What all rules look at.
struct Scene<'a> {
    cache: &'a Comparisons<'a>,
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    after: &'a Side,
    lead: Option<&'a Change>,
    flips: Option<Arc<Flips<'a>>>,
    remarks: Vec<Remark<'a>>,
    conditions: usize,
}

impl<'a> Scene<'a> {
    fn new(cache: &'a Comparisons<'a>, after: &'a Side, lead: Option<&'a Change>) -> Self {
        let Comparisons { workspace, analysis, .. } = *cache;
        Self {
            cache,
            workspace,
            analysis,
            after,
            lead,
            flips: lead.map(|lead| cache.between(&lead.before, &lead.after)),
            remarks: author::remarks(&workspace.iterations[after.iteration]),
            conditions: analysis.by_condition(workspace, after).len(),
        }
    }

    fn iteration(&self) -> &'a Iteration {
        &self.workspace.iterations[self.after.iteration]
    }

    fn iteration_name(&self, at: usize) -> String {
        self.workspace.iterations[at].name.clone()
    }

    /// The checks of both sides, the worst first.
    fn checks(&self) -> Vec<&Flip<'a>> {
        let flips = self.flips.iter().flat_map(|flips| flips.iter());
        flips.filter(|flip| flip.change().is_some()).collect()
    }

    fn of_kind(&self, kind: FlipKind) -> Vec<&Flip<'a>> {
        self.checks().into_iter().filter(|flip| flip.kind == kind).collect()
    }

    /// Checks that the candidate passes more often than the other side.
    fn gained(&self) -> Vec<&Flip<'a>> {
        let is_earlier = self.is_earlier();
        let mut checks = self.checks();
        // Since an earlier round, one that turned with its wording is not gained.
        checks.retain(|flip| {
            let is_same = !is_earlier || flip.kind != FlipKind::Reworded;
            is_same && flip.has_moved() && flip.change() > Some(0.0)
        });
        checks
    }

    /// Whether the other side is an earlier version of the skill, or the round before.
    fn is_earlier(&self) -> bool {
        self.lead.is_some_and(|lead| is_earlier_version(&lead.before, &lead.after))
    }

    fn case_name(&self, flip: &Flip<'_>) -> String {
        self.analysis.cases[flip.case].name.clone()
    }

    /// What the other side is called: its configuration, or its round where that is another one.
    fn other_name(&self) -> Option<String> {
        let before = &self.lead?.before;
        if before.is_within_iteration(self.after) {
            return Some(self.iteration().shown_side(&before.configuration));
        }
        Some(self.iteration_name(before.iteration))
    }

    fn check(&self, flip: &Flip<'_>) -> CheckOfCase {
        CheckOfCase { check: flip.text.to_owned(), case: self.case_name(flip) }
    }

    /// The runs of a side with the names of their cases.
    fn runs(&self, side: &Side) -> Vec<(&'a str, &'a Run)> {
        let mut runs = Vec::new();
        for case in &self.workspace.iterations[side.iteration].cases {
            runs.extend(case.runs_of(&side.configuration).map(|run| (case.name.as_str(), run)));
        }
        runs
    }

    /// The other side, if it ran in the same round.
    fn other(&self) -> Option<&'a Side> {
        self.lead.filter(|lead| lead.is_within_iteration()).map(|lead| &lead.before)
    }

    /// What a side did since an earlier round, on the checks of both; `None` with fewer than three.
    fn moved_since(&self, before: &Side, after: &Side) -> Option<Moved> {
        let flips = self.cache.between(before, after);
        let shared: Vec<&Flip<'_>> = flips.iter().filter(|flip| flip.change().is_some()).collect();
        if shared.len() < FEWEST_CHECKS {
            return None;
        }
        let changes = shared.iter().filter_map(|flip| flip.change());
        Some(Moved {
            side: after.configuration.clone(),
            up: changes.clone().filter(|change| *change > 0.0).count(),
            down: changes.filter(|change| *change < 0.0).count(),
            gain: gain::gain_of(&shared)?,
        })
    }
}

/// Fewer checks in common say nothing about a round.
const FEWEST_CHECKS: usize = 3;

#[cfg(test)]
mod tests;
