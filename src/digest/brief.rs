//! What an agent needs to improve a skill: failed checks with evidence, findings in texts, comments
//! and proposals, of one iteration or of one case in it.
//!
//! A brief serializes to a workspace of `brief --format json`.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::{
    Hunk, Side, SkillEdits, SkillLoadCounts, SkillPair, case_rate, missing, tally_of,
};
use crate::digest::failed_checks::{FailedCheck, failed_checks};
use crate::digest::{Comparisons, IterationProgress, Reviews, newer_iteration};
use input::model::{Case, Feedback, Outcome, Proposal, Review, Tally};
use statistics::mean;

#[derive(Serialize)]
pub(crate) struct Brief<'a> {
    pub(crate) iteration: &'a str,
    /// A later iteration in which no candidate was graded yet.
    newer: Option<&'a str>,
    /// The counts of the candidate over the cases; `None` without a candidate.
    pub(crate) candidate: Option<CandidateCounts>,
    before: Option<SideName<'a>>,
    /// The verdict of the leading comparison in the words of `report.json`; `None` without one.
    verdict: Option<&'static str>,
    /// The counts of the other side of the iteration over the cases; `None` without one.
    pub(crate) baseline: Option<CandidateCounts>,
    /// In how many of the candidate's runs the skill was loaded; `None` if unknown.
    pub(crate) loading: Option<SkillLoadCounts>,
    /// Runs of any side that stopped with an error, case by case.
    pub(crate) stopped: Vec<StoppedRun<'a>>,
    /// Checks of the candidate that count as failed only because their grader broke.
    pub(crate) grader_failures: usize,
    pub(crate) regressed: Vec<FailedCheck<'a>>,
    pub(crate) failed: Vec<FailedCheck<'a>>,
    /// What further candidates failed, such as the same skill under another model.
    pub(crate) others: Vec<OtherCandidate<'a>>,
    /// The prompts of the cases with failed checks; empty in the brief of a case.
    pub(crate) prompts: Vec<CasePrompt<'a>>,
    /// Checks that the candidate passed on quotations that are not in its outputs.
    pub(crate) evidence: Vec<UnfoundedCheck<'a>>,
    /// Edits of the skill since the copy before; empty in the brief of a case.
    pub(crate) skill_edits: Vec<&'a Hunk>,
    pub(crate) feedback: Vec<&'a Review>,
    /// Changes that analyses of the iteration propose; empty in the brief of a case.
    pub(crate) proposals: Vec<&'a Proposal>,
    pub(crate) suggestions: Vec<Suggestion<'a>>,
    /// The name of its case in the brief of a case.
    #[serde(skip)]
    pub(crate) only_case: Option<&'a str>,
    /// Index of the iteration.
    #[serde(skip)]
    pub(crate) index: usize,
    #[serde(skip)]
    is_without_shared_check: bool,
    /// The candidate, and the side against which regressions are judged.
    #[serde(skip)]
    pub(crate) after: Option<Side>,
    #[serde(skip)]
    pub(crate) earlier: Option<Side>,
}

#[derive(Serialize)]
pub(crate) struct CandidateCounts {
    pub(crate) configuration: String,
    #[serde(flatten)]
    pub(crate) tally: Tally,
    /// Of all checks, in 0..=1; `None` without a verdict.
    pass_rate: Option<f64>,
    /// The mean over the cases, in 0..=1; `None` without a verdict.
    pub(crate) mean_rate: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct StoppedRun<'a> {
    pub(crate) case: &'a str,
    pub(crate) configuration: &'a str,
    /// Number of the run.
    pub(crate) run: u32,
    /// Its folder, relative to the workspace.
    pub(crate) folder: &'a str,
    pub(crate) error: &'a str,
}

/// The failed checks of a candidate that does not lead.
#[derive(Serialize)]
pub(crate) struct OtherCandidate<'a> {
    pub(crate) configuration: String,
    pub(crate) regressed: Vec<FailedCheck<'a>>,
    pub(crate) failed: Vec<FailedCheck<'a>>,
}

#[derive(Serialize)]
pub(crate) struct CasePrompt<'a> {
    pub(crate) case: &'a str,
    pub(crate) prompt: &'a str,
}

#[derive(Serialize)]
struct SideName<'a> {
    iteration: &'a str,
    configuration: String,
}

#[derive(Serialize)]
pub(crate) struct UnfoundedCheck<'a> {
    #[serde(flatten)]
    pub(crate) check: CheckName<'a>,
    /// Number of the run.
    pub(crate) run: u32,
    pub(crate) quotations: Vec<&'a str>,
}

#[derive(Clone, Copy, Serialize)]
pub(crate) struct CheckName<'a> {
    pub(crate) case: &'a str,
    pub(crate) text: &'a str,
}

/// A grader's advice on the checks.
#[derive(Serialize)]
pub(crate) struct Suggestion<'a> {
    pub(crate) case: &'a str,
    /// The check, if it is about one.
    pub(crate) about: Option<&'a str>,
    pub(crate) text: &'a str,
}

impl<'a> Brief<'a> {
    /// The brief of the newest iteration in which a candidate was graded, else ran, else of the
    /// last; `None` without an iteration.
    pub(crate) fn of_newest(comparisons: &Comparisons<'a>) -> Option<Self> {
        let index = newest_with_candidate(comparisons)?;
        Some(Self::of_iteration(comparisons, &IterationProgress::new(comparisons, index), index))
    }

    /// The brief of a whole iteration.
    pub(crate) fn of_iteration(
        comparisons: &Comparisons<'a>,
        progress: &IterationProgress<'a>,
        index: usize,
    ) -> Self {
        let iteration = &comparisons.workspace.iterations[index];
        let mut lines = vec![0; iteration.cases.len()];
        for (case_index, history) in comparisons.analysis.cases.iter().enumerate() {
            if let Some(appearance) = history.appearance(index) {
                lines[appearance.case] = case_index;
            }
        }
        let cases = lines.into_iter().zip(&iteration.cases).collect();
        // Comments on nothing in particular belong to the whole iteration.
        let feedback = iteration.feedback.iter().flat_map(Feedback::comments).collect();
        Scope { comparisons, progress, index, cases }.brief(None, feedback)
    }

    /// The brief of a case in its last iteration; `None` if no iteration has it.
    pub(crate) fn of_case(
        comparisons: &Comparisons<'a>,
        progress: &[IterationProgress<'a>],
        reviews: &[Reviews<'a>],
        case_index: usize,
    ) -> Option<(&'a Case, Self)> {
        let last = comparisons.analysis.cases[case_index].appearances.last()?;
        let index = last.iteration;
        let case = last.case(comparisons.workspace);
        let scope = Scope {
            comparisons,
            progress: &progress[index],
            index,
            cases: vec![(case_index, case)],
        };
        let feedback = reviews[index].on_case_and_runs(last.case);
        Some((case, scope.brief(Some(&case.name), feedback)))
    }

    /// Whether an earlier iteration has this candidate, and not one check of its cases was checked
    /// again.
    pub(crate) fn shares_nothing(&self) -> bool {
        self.earlier.is_some() && self.is_without_shared_check
    }
}

/// The newest iteration in which a candidate was graded, else ran, else the last.
fn newest_with_candidate(comparisons: &Comparisons<'_>) -> Option<usize> {
    if let Some(graded) = comparisons.analysis.newest() {
        return Some(graded);
    }
    let count = comparisons.workspace.iterations.len();
    let ran = (0..count).rev().find(|index| comparisons.analysis.candidate_of(*index).is_some());
    ran.or(count.checked_sub(1))
}

/// The edits between the skill copy of an iteration and the one before it.
pub(crate) fn edits_of<'a>(
    comparisons: &Comparisons<'a>,
    iteration: usize,
) -> Option<(&'a SkillPair, &'a SkillEdits)> {
    let snapshots = &comparisons.workspace.snapshots;
    let mut pairs = comparisons.analysis.skill.iter().zip(&comparisons.analysis.texts.edits).rev();
    pairs.find(|(pair, _)| snapshots[pair.after].iteration == Some(iteration))
}

/// The cases of one iteration that a brief is about, each with its index in the analysis.
struct Scope<'s, 'a> {
    comparisons: &'s Comparisons<'a>,
    progress: &'s IterationProgress<'a>,
    /// Index of the iteration.
    index: usize,
    cases: Vec<(usize, &'a Case)>,
}

impl<'a> Scope<'_, 'a> {
    /// `only_case` is its name in the brief of a case; that of a whole iteration has none.
    fn brief(&self, only_case: Option<&'a str>, feedback: Vec<&'a Review>) -> Brief<'a> {
        let Comparisons { workspace, analysis, .. } = *self.comparisons;
        let iteration = &workspace.iterations[self.index];
        let after = self.progress.after.as_ref();
        let loads = after.and_then(|side| analysis.summary(side)).map(|summary| summary.loads);
        let baseline = after.and_then(|after| analysis.opposite(after));
        let (regressed, failed): (Vec<_>, Vec<_>) =
            failed_checks(self.progress, baseline.as_ref(), &self.cases)
                .into_iter()
                .partition(FailedCheck::is_regressed);
        let mut flips = self.progress.flips.iter().flat_map(|flips| flips.iter());
        let is_without_shared_check = flips.all(|flip| flip.change().is_none());
        let edits = edits_of(self.comparisons, self.index).map(|(_, edits)| edits);
        let others = self.others();
        let (mut prompts, mut skill_edits, mut proposals) = (Vec::new(), Vec::new(), Vec::new());
        if only_case.is_none() {
            prompts = self.prompts(&[&regressed, &failed], &others);
            let is_newest = newest_with_candidate(self.comparisons) == Some(self.index);
            let since = Some(&analysis.texts.edits_since_copy).filter(|_| is_newest);
            let hunks = edits.map(|edits| &edits.hunks).or(since);
            skill_edits = hunks.into_iter().flatten().collect();
            proposals =
                iteration.analyses.iter().flat_map(|analysis| &analysis.proposals).collect();
        }
        Brief {
            iteration: &iteration.name,
            newer: newer_iteration(workspace, analysis).map(|newer| newer.name.as_str()),
            candidate: after.map(|side| self.counts(side)),
            verdict: after.and_then(|side| Some(analysis.lead(side)?.gain.verdict().word())),
            baseline: baseline.map(|side| self.counts(&side)),
            before: self.progress.before.as_ref().map(|side| SideName {
                iteration: &workspace.iterations[side.iteration].name,
                configuration: side.configuration.clone(),
            }),
            loading: loads.filter(|loads| loads.known() > 0),
            stopped: self.stopped(),
            grader_failures: after.map_or(0, |side| self.grader_failures(side)),
            regressed,
            failed,
            others,
            prompts,
            evidence: self.unfounded(),
            skill_edits,
            feedback,
            proposals,
            suggestions: self.suggestions(),
            only_case,
            index: self.index,
            is_without_shared_check,
            after: after.cloned(),
            earlier: self.progress.before.clone(),
        }
    }

    /// The prompts of the cases in which a check of any candidate failed.
    fn prompts(
        &self,
        leading: &[&[FailedCheck<'a>]],
        others: &[OtherCandidate<'a>],
    ) -> Vec<CasePrompt<'a>> {
        let of_others = others.iter().flat_map(|other| other.regressed.iter().chain(&other.failed));
        let failures = leading.iter().copied().flatten().chain(of_others);
        let failed: BTreeSet<&str> = failures.map(|check| check.case).collect();
        let mut prompts = Vec::new();
        for (_, case) in &self.cases {
            if let Some(prompt) = &case.prompt
                && failed.contains(case.name.as_str())
            {
                prompts.push(CasePrompt { case: &case.name, prompt });
            }
        }
        prompts
    }

    /// The other candidates that failed a check. Where either side may be the baseline, none is
    /// another candidate.
    fn others(&self) -> Vec<OtherCandidate<'a>> {
        let analysis = self.comparisons.analysis;
        let roles = &analysis.iterations[self.index].roles;
        let mut others = Vec::new();
        for side in analysis.candidates_of(self.index) {
            if roles.baseline_of(&side.configuration).is_none()
                || self.progress.after.as_ref() == Some(&side)
            {
                continue;
            }
            let configuration = side.configuration.clone();
            let baseline = analysis.opposite(&side);
            let progress =
                IterationProgress::of_candidate(self.comparisons, self.index, Some(side));
            let (regressed, failed): (Vec<_>, Vec<_>) =
                failed_checks(&progress, baseline.as_ref(), &self.cases)
                    .into_iter()
                    .partition(FailedCheck::is_regressed);
            if !regressed.is_empty() || !failed.is_empty() {
                others.push(OtherCandidate { configuration, regressed, failed });
            }
        }
        others
    }

    fn counts(&self, side: &Side) -> CandidateCounts {
        let configuration = side.configuration.clone();
        let mut tally = Tally::default();
        let mut rates = Vec::new();
        for (_, case) in &self.cases {
            tally.add(tally_of(case, &configuration));
            rates.extend(case_rate(case, &configuration));
        }
        let (pass_rate, mean_rate) = (tally.pass_rate(), mean(&rates));
        CandidateCounts { configuration, tally, pass_rate, mean_rate }
    }

    fn stopped(&self) -> Vec<StoppedRun<'a>> {
        let mut stopped = Vec::new();
        for (_, case) in &self.cases {
            for run in self.progress.runs_in_order(case) {
                let Some(error) = &run.error else { continue };
                stopped.push(StoppedRun {
                    case: &case.name,
                    configuration: &run.configuration,
                    run: run.number,
                    folder: &run.path,
                    error,
                });
            }
        }
        stopped
    }

    fn grader_failures(&self, side: &Side) -> usize {
        let cases = self.cases.iter();
        let runs = cases.flat_map(|(_, case)| case.runs_of(&side.configuration));
        let checks = runs.flat_map(|run| run.counted_expectations());
        checks.filter(|check| check.is_grader_failure && check.outcome == Outcome::Failed).count()
    }

    fn unfounded(&self) -> Vec<UnfoundedCheck<'a>> {
        let Comparisons { workspace, analysis, .. } = *self.comparisons;
        let Some(side) = &self.progress.after else { return Vec::new() };
        let mut unfounded = Vec::new();
        for (case_index, _) in &self.cases {
            let Some(place) = analysis.cases[*case_index].appearance(self.index) else { continue };
            for (at, quotes) in missing(analysis.texts.quotes.in_case(self.index, place.case)) {
                let (run, check) = (at.run(workspace), at.check(workspace));
                // A wrong quotation for a failed check changes nothing that is to be done.
                if check.outcome == Outcome::Passed && run.configuration == side.configuration {
                    unfounded.push(UnfoundedCheck {
                        check: CheckName { case: &at.case(workspace).name, text: &check.text },
                        run: run.number,
                        quotations: quotes.into_iter().map(|quote| quote.text.as_str()).collect(),
                    });
                }
            }
        }
        unfounded
    }

    /// The graders' advice, in the order of the runs, without duplicates.
    fn suggestions(&self) -> Vec<Suggestion<'a>> {
        let (mut suggestions, mut seen) = (Vec::new(), BTreeSet::new());
        for (_, case) in &self.cases {
            for grading in
                self.progress.runs_in_order(case).into_iter().flat_map(|run| &run.gradings)
            {
                let critique = grading.critique.iter().map(|text| (None, text.as_str()));
                let advice = grading.suggestions.iter();
                let advice = advice.map(|advice| (advice.expectation.as_deref(), &*advice.text));
                for (about, text) in advice.chain(critique) {
                    // Graders repeat their advice with every run of a case.
                    if !says_nothing(text) && seen.insert((&case.name, about, text)) {
                        suggestions.push(Suggestion { case: &case.name, about, text });
                    }
                }
            }
        }
        suggestions
    }
}

/// Whether `advice` is what the skill-creator lets its grader write where there is none: `No
/// suggestions, evals look solid`, perhaps with praise after it.
fn says_nothing(advice: &str) -> bool {
    let advice = advice.trim().to_lowercase();
    // Other graders fill the field because the schema asks for it.
    if matches!(advice.trim_end_matches('.'), "" | "-" | "none" | "n/a" | "na" | "nothing") {
        return true;
    }
    let Some(rest) = advice.strip_prefix("no suggestion") else { return false };
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    rest.is_empty() || rest.starts_with([',', '.', ';', ':'])
}

#[cfg(test)]
mod tests {
    use super::says_nothing;

    #[test]
    fn only_what_begins_with_the_whole_phrase_is_no_advice() {
        let table = [
            ("No suggestions, evals look solid", true),
            ("No suggestion; the expectations cover what was asked.", true),
            ("no suggestions", true),
            (" N/A", true),
            ("None.", true),
            ("None of the checks covers dates.", false),
            ("No suggestion so far covers dates: add a check for them.", false),
            ("Check the total itself.", false),
        ];
        for (advice, expected) in table {
            assert_eq!(says_nothing(advice), expected, "{advice}");
        }
    }
}
