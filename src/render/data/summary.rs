//! `summary.json`: a short summary of a report, from which landing pages and badges are made.
//!
//! A summary that is read back may have been tampered with: addresses are checked, texts are only
//! shown as text.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::analyze::{
    Change, ClaimScope, FlipKind, Measure, More, NamedOutcome, Side, Verdict, VerdictWord,
};
use crate::budget::{SUMMARY_ITERATIONS, SUMMARY_TEXT};
use crate::digest::{self, NextStep, State};
use crate::language::{Language, Rate};
use crate::render::context::{Part, RenderContext, RenderOptions};
use crate::render::data::benchmark::runs_per_case;
use crate::render::data::conditions::{ConditionSummary, conditions};
use crate::render::data::ordered_json::pretty;
use crate::render::data::questions;
use crate::render::data::report::computed;
use crate::report_json::{OutcomeJson, RowJson};
use crate::wording::{answer, by_condition, recorded_results};
use input::model::{Iteration, Tally, Workspace};
use text::cut_line;

pub const FILE: &str = "summary.json";
/// A summary is a few kB; more is not one of ours.
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// Increased when a field changes its meaning or goes.
const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub generator: String,
    pub schema_version: u32,
    pub noindex: bool,
    /// The commit that was evaluated, and its time, such as `2026-07-21T09:30:00+02:00`; null if unknown.
    pub commit: Option<String>,
    pub date: Option<String>,
    pub workspaces: Vec<WorkspaceSummary>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WorkspaceSummary {
    pub title: String,
    pub name: String,
    /// Its overview, relative to the report, like every page here.
    pub page: String,
    pub problems_page: String,
    pub problems: usize,
    pub iterations_total: usize,
    pub iterations: Vec<IterationSummary>,
    pub candidate: Option<SideSummary>,
    pub recorded_only: bool,
    /// The pass rates in 0..=1 that the newest iteration records, of the other side and of the
    /// candidate; null unless nothing else is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_rates: Option<[Option<f64>; 2]>,
    /// What its overview is about, as in `report.json`.
    pub state: String,
    /// Both questions, as in `report.json`; empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<RowJson>,
    pub other: Option<SideSummary>,
    /// Whether skill, prompts or checks changed since the newest round was made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stale: bool,
    /// The word of a round under several models or harnesses; the gain is that of one of them.
    pub under_conditions: Option<String>,
    /// The gain of the candidate over the other side.
    pub gain: Option<GainSummary>,
    /// Expectations that lost and gained passes since the previous iteration; `None` if none has
    /// verdicts on both sides, or the runs are no measurement.
    pub flips: Option<FlipsSummary>,
    /// What became of the gain over no skill, by condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeJson>,
    /// The comparison under each condition of the newest round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionSummary>,
    /// Cases of the newest iteration, and the runs of each on one side.
    pub cases: usize,
    pub runs_per_case: usize,
    /// Runs of the newest iteration without any verdict.
    pub ungraded_runs: usize,
    /// What would decide an open comparison; null where nothing is open.
    pub more_needed: Option<MoreSummary>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IterationSummary {
    pub name: String,
    pub page: String,
    /// The verdict in one sentence; absent if no candidate has a verdict.
    pub verdict: Option<String>,
    /// Recorded results; absent if a run has a verdict.
    pub recorded: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SideSummary {
    pub configuration: String,
    pub iteration: String,
    pub page: String,
    #[serde(flatten)]
    pub tally: Tally,
    /// The pass rate as a mean of cases, in 0..=1.
    pub by_case: Option<f64>,
}

/// A gain in shares of 1, by case.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GainSummary {
    /// The verdict in the words of `report.json`.
    pub verdict: String,
    /// The large word, as in `report.json`.
    pub word: String,
    /// Cases in which the later side is ahead, and behind.
    pub better: usize,
    pub worse: usize,
    pub measure: Measure,
    /// Mean scores of the earlier and the later side, 1 to 5; null if they are not the measure.
    pub scores: Option<[f64; 2]>,
    pub cases: usize,
    /// Cases with a single graded run on one side: how much their runs vary is unknown.
    pub single_run: usize,
    /// Runs of these cases without a verdict, of the earlier and the later side.
    pub ungraded_runs: [usize; 2],
    /// Mean of the differences; absent without a shared case.
    pub mean: Option<f64>,
    /// Mean pass rates in 0..=1 and the checks of the compared cases, of the earlier and of the later
    /// side; null without a shared case.
    pub rates: Option<[f64; 2]>,
    pub checks: Option<[Tally; 2]>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Missing verdicts and all that there should be, of the earlier and the later side; absent unless
    /// they leave it undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<[[usize; 2]; 2]>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct FlipsSummary {
    pub regressed: usize,
    pub improved: usize,
}

/// Further runs of each case and side, or further cases. Both are 0 where neither is likely to settle
/// it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct MoreSummary {
    pub runs: usize,
    pub cases: usize,
}

impl MoreSummary {
    fn new(step: NextStep) -> Self {
        let NextStep::More(further) = step else { return Self::default() };
        match further.more {
            More::Runs(runs) => Self { runs, cases: 0 },
            More::Cases(cases) => Self { runs: 0, cases },
        }
    }
}

impl Summary {
    pub(crate) fn new(
        workspaces: impl Iterator<Item = WorkspaceSummary>,
        options: &RenderOptions,
    ) -> Self {
        Self {
            generator: "evalbook".to_owned(),
            schema_version: SCHEMA_VERSION,
            noindex: options.publication.is_unlisted,
            commit: options.publication.commit.clone(),
            date: options.publication.date.clone(),
            workspaces: workspaces.collect(),
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        pretty(self).into_bytes()
    }

    /// Parses a summary; an error says briefly what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let summary: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if summary.schema_version != SCHEMA_VERSION {
            return Err(format!("it has the schema version {}", summary.schema_version));
        }
        if let Some(page) = summary.pages().find(|page| !is_page(page)) {
            return Err(format!("`{page}` is not a page of a report"));
        }
        Ok(summary)
    }

    /// Every page that it links, relative to the report.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.workspaces.iter().flat_map(|summary| {
            let sides =
                [&summary.candidate, &summary.other].into_iter().flatten().map(|side| &side.page);
            let iterations = summary.iterations.iter().map(|iteration| &iteration.page);
            let pages_of_workspace = [&summary.page, &summary.problems_page];
            pages_of_workspace.into_iter().chain(sides).chain(iterations).map(String::as_str)
        })
    }
}

/// Whether `path` stays in the report and needs no escaping in an address.
fn is_page(path: &str) -> bool {
    path.ends_with(".html") && path.split('/').all(is_plain_name)
}

fn is_plain_name(name: &str) -> bool {
    let mut characters = name.chars();
    !name.is_empty()
        && !name.starts_with('.')
        && characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn line(text: &str) -> String {
    cut_line(text, SUMMARY_TEXT)
}

impl WorkspaceSummary {
    pub(crate) fn new(context: RenderContext<'_>) -> Self {
        let RenderContext { part, addresses, .. } = context;
        let (workspace, analysis) = (part.workspace, part.analysis);
        let after = analysis.newest_candidate();
        let lead = after.as_ref().and_then(|after| analysis.lead(after));
        let newest_iteration = after.as_ref().map_or_else(
            || workspace.iterations.last(),
            |after| workspace.iterations.get(after.iteration),
        );
        let is_unmeasured =
            after.as_ref().is_some_and(|after| part.comparisons.is_unmeasured(after));
        let runs_per_case = newest_iteration.and_then(runs_per_case);
        let runs = newest_iteration.into_iter().flat_map(Iteration::runs);
        let count = workspace.iterations.len();
        let shown = count.saturating_sub(SUMMARY_ITERATIONS)..count;
        Self {
            title: line(part.title()),
            name: line(&workspace.name),
            page: addresses.report_file("index.html"),
            problems_page: addresses.report_file("problems.html"),
            problems: workspace.problems.len(),
            iterations_total: workspace.totals().iterations,
            iterations: shown.map(|index| iteration(context, index)).collect(),
            candidate: after.as_ref().map(|side| SideSummary::new(context, side)),
            recorded_only: digest::is_only_recorded(workspace),
            recorded_rates: recorded_rates(workspace),
            state: State::new(workspace, analysis).name().to_owned(),
            questions: questions::rows(part),
            other: lead.map(|lead| SideSummary::new(context, &lead.before)),
            is_stale: after.as_ref().is_some_and(|after| digest::stale(workspace, after).is_some()),
            under_conditions: after
                .as_ref()
                .and_then(|after| by_condition::word(part.facts(context.language), after)),
            gain: lead.filter(|_| !is_unmeasured).map(GainSummary::new),
            flips: after
                .as_ref()
                .filter(|_| !is_unmeasured)
                .and_then(|after| FlipsSummary::new(context, after)),
            outcomes: part.outcomes().iter().map(|found| computed::outcome(part, found)).collect(),
            conditions: after.as_ref().map_or_else(Vec::new, |after| conditions(context, after)),
            cases: newest_iteration.map_or(0, |iteration| iteration.cases.len()),
            runs_per_case: runs_per_case.map_or(0, |(_, most)| most),
            ungraded_runs: runs.filter(|run| !run.is_graded()).count(),
            more_needed: lead
                .filter(|_| !is_unmeasured)
                .and_then(|change| digest::next_step(analysis, change))
                .map(MoreSummary::new),
        }
    }

    /// The outcome over time to name: the first lost gain, else a gain that holds since an earlier
    /// iteration.
    pub(crate) fn named_outcome(&self) -> Option<NamedOutcome> {
        let mut holds = None;
        for found in &self.outcomes {
            if found.outcome.is_loss() {
                return Some(found.outcome);
            } else if found.before.is_some() {
                holds = Some(found.outcome);
            }
        }
        holds
    }

    /// Whether a check regressed since the iteration before, under any condition.
    pub(crate) fn has_lost_checks(&self) -> bool {
        self.flips.is_some_and(|flips| flips.regressed > 0)
    }

    /// The verdict of its newest candidate's change, if there is one.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        Verdict::from_word(&self.gain.as_ref()?.verdict, ClaimScope::CasesLikeThese)
    }
}

impl SideSummary {
    /// The pass rate as a mean of cases with the counts of all checks.
    pub(crate) fn rate(&self, language: &Language) -> Rate {
        Rate::over_cases(self.mean_rate(), self.tally, language)
    }

    /// In 0..=1; `None` without a verdict.
    pub(crate) fn mean_rate(&self) -> Option<f64> {
        self.by_case.or(self.tally.pass_rate())
    }

    fn new(context: RenderContext<'_>, side: &Side) -> Self {
        let RenderContext { part, addresses, .. } = context;
        Self {
            configuration: line(&side.configuration),
            iteration: line(&part.workspace.iterations[side.iteration].name),
            page: addresses.iteration(side.iteration),
            tally: part.analysis.tally_of(side),
            by_case: part.analysis.summary(side).and_then(|summary| summary.by_case),
        }
    }
}

impl FlipsSummary {
    /// The changes since the previous iteration, under all conditions of the round of `after`. `None`
    /// if no expectation has verdicts on both sides.
    fn new(context: RenderContext<'_>, after: &Side) -> Option<Self> {
        let Part { workspace, analysis, comparisons, .. } = context.part;
        let mut sides = BTreeSet::from([after.clone()]);
        for (_, change) in analysis.by_condition(workspace, after) {
            sides.insert(change.after.clone());
        }
        let (mut found, mut is_known) = (Self::default(), false);
        for side in sides {
            let Some(before) = analysis.previous(&side) else { continue };
            for flip in comparisons.between(&before, &side).iter() {
                is_known |= flip.change().is_some();
                found.regressed += usize::from(flip.kind == FlipKind::Regressed);
                found.improved += usize::from(flip.kind == FlipKind::Improved);
            }
        }
        if is_known { Some(found) } else { None }
    }
}

impl GainSummary {
    /// The large word.
    pub(crate) fn word(&self) -> VerdictWord {
        let words = VerdictWord::all(self.better, self.worse, self.cases);
        let named = words.into_iter().find(|word| word.name() == self.word);
        named.unwrap_or(VerdictWord::NoComparison)
    }

    /// The pass rates of both sides on the compared cases, the earlier one first.
    pub(crate) fn rates(&self, language: &Language) -> Option<[Rate; 2]> {
        let ([before, after], [passed_before, passed_after]) = (self.rates?, self.checks?);
        Some(
            [(before, passed_before), (after, passed_after)]
                .map(|(mean, tally)| Rate::over_cases(Some(mean), tally, language)),
        )
    }

    fn new(change: &Change) -> Self {
        let paired = change.gain.paired();
        let undecided = change.gain.undecided();
        let interval = digest::interval(&change.gain);
        let (low, high) = interval.map(|interval| (interval.low, interval.high)).unzip();
        Self {
            verdict: change.gain.verdict().word().to_owned(),
            word: change.gain.word().name().to_owned(),
            better: paired.map_or(0, |paired| paired.better),
            worse: paired.map_or(0, |paired| paired.worse),
            measure: change.gain.measure(),
            scores: change.gain.scores().filter(|_| undecided.is_none()),
            cases: paired.map_or(0, |paired| paired.cases),
            single_run: change.gain.single,
            ungraded_runs: change.gain.ungraded,
            mean: change.gain.shown().map(|paired| paired.mean),
            rates: change.gain.comparison.as_ref().map(|comparison| comparison.means),
            checks: paired.map(|_| [change.gain.before, change.gain.after]),
            low,
            high,
            undecided: undecided.map(|sides| sides.map(|side| [side.missing, side.total])),
        }
    }
}

fn iteration(context: RenderContext<'_>, index: usize) -> IterationSummary {
    let RenderContext { part, addresses, language, .. } = context;
    let Part { workspace, analysis, .. } = part;
    let iteration = &workspace.iterations[index];
    let graded = analysis.candidate_of(index).filter(|side| analysis.tally_of(side).graded() > 0);
    let answer = graded.and_then(|side| {
        answer::answer_for(&part.comparisons, language, &side, analysis.lead(&side))
    });
    IterationSummary {
        name: line(&iteration.name),
        page: addresses.iteration(index),
        recorded: recorded_results::sentence(iteration, language).map(|sentence| line(&sentence)),
        verdict: answer.map(|answer| line(&answer.line(language))),
    }
}

fn recorded_rates(workspace: &Workspace) -> Option<[Option<f64>; 2]> {
    if !digest::is_only_recorded(workspace) {
        return None;
    }
    let rounds = digest::recorded_rounds(workspace);
    let newest = rounds.last()?;
    let other = newest.baseline.as_ref().and_then(|side| side.rate.share());
    Some([other, newest.candidate.rate.share()])
}

#[cfg(test)]
mod tests {
    use super::is_page;

    #[test]
    fn only_pages_of_the_report_are_linked() {
        for path in ["index.html", "iterations/iteration-1/index.html", "a_b/c.d.html"] {
            assert!(is_page(path), "{path}");
        }
        for path in [
            "javascript:alert(1)//.html",
            "../index.html",
            "/index.html",
            "a//b.html",
            "https://x.example/a.html",
            "a.htm",
            "a\\b.html",
            "a b.html",
            "",
        ] {
            assert!(!is_page(path), "{path}");
        }
    }
}
