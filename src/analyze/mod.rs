//! Analyze: what the workspace's verdicts and figures add up to.
//!
//! Entry point: [`analysis`]. Every number on every page comes from here.

mod audit;
mod best;
mod blind;
mod case_history;
mod change;
mod conditions;
mod configurations;
mod discrepancies;
mod disputed;
mod edits;
mod equal_outputs;
mod expectations;
mod flips;
mod grader_agreement;
mod loading;
mod outcomes;
mod pairs;
mod previous;
mod quotes;
mod rates;
mod rewording;
mod roles;
mod run_verdicts;
mod side;
mod statements;
mod texts;
mod verdict_word;

pub use audit::{Audit, AuditFinding, AuditKind, GAIN_TO_SHOW, PassedRuns, RoundPrice, skill_text};
pub(crate) use audit::{answer_in_prompt, asks_for_skill, makes_skills};
pub use best::Best;
pub use blind::{BlindCases, Matchup, UnblindedLabels, WinsAndLosses};
pub use case_history::{Appearance, CaseHistory, CaseMatch};
pub use change::{
    Against, CasePasses, Change, ClaimScope, Cost, CostKind, Costs, FallenCase, FurtherRuns, Gain,
    LOWEST_SCORE, Measure, Missing, MissingVerdicts, More, RunCost, SCORES, Undoing, Verdict,
    adjust_together, can_be_pinned, change, costs_before_grading, spent,
};
pub(crate) use change::{ComparedRun, change_with, compared_runs};
pub use conditions::{Break, ConditionDifferences, UnderCondition};
pub use configurations::{ConfigurationSummary, Reliability};
pub use discrepancies::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
#[cfg(test)]
pub(crate) use disputed::with_verdicts;
pub use disputed::{as_people_say, disputed, disputed_in, judged_by_people};
pub use edits::{Hunk, SkillEdits};
pub use equal_outputs::UnequalVerdicts;
pub use expectations::{
    ConfigurationTally, ExpectationHistory, Expectations, Health, Usefulness, expectations,
};
pub use flips::{Flip, FlipKind, Flips, between};
pub(crate) use grader_agreement::as_graded_by;
pub use grader_agreement::{DisputedCheck, GraderDisagreement, GraderPair};
pub use loading::SkillLoadCounts;
pub use outcomes::{EarlierGain, OutcomeOverTime, SideMove};
pub use pairs::{CasePairs, Choice, Pair, RunPair, SkillPair, run_pairs};
pub use quotes::{CheckAt, Quote, QuoteCounts, QuoteLocation, Quotes, missing};
pub use rates::{case_rate, tally, tally_of};
pub(crate) use roles::find_baseline;
pub use roles::{BaselineReason, Roles, is_called, is_earlier_name, is_earlier_version};
pub use run_verdicts::{RunVerdict, Verdicts};
pub use side::Side;
pub use statements::{Statement, key, matched, statements};
pub use statistics::NamedOutcome;
pub use texts::Texts;
pub use verdict_word::{SharedOutcome, VerdictWord, verdict_words};

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use input::model::{Iteration, Tally, Workspace};
use input::settings::{DoubtfulRuns, Settings};
use statistics::RunNoise;

#[derive(Clone, Debug, PartialEq)]
pub struct IterationAnalysis {
    /// Whether its name marks it as one that others are compared with, such as `iteration-main`.
    pub is_reference: bool,
    /// Whether nothing says if it was made before or after the others.
    pub is_unordered: bool,
    /// See [`Analysis::have_same_skill`].
    copies: Option<BTreeSet<String>>,
    pub roles: Roles,
    pub configurations: Vec<ConfigurationSummary>,
    /// For each recorded benchmark the figures that differ from those of the runs.
    pub discrepancies: Vec<Vec<Discrepancy>>,
    /// How far the graders of the same runs agree.
    pub graders: Vec<GraderPair>,
    /// The comparisons under each condition that configurations are named for.
    pub under_conditions: Vec<UnderCondition>,
    /// The first two configurations in both directions, where no name says which one is the
    /// baseline and both have verdicts; else empty.
    pub peers: Vec<Change>,
}

impl IterationAnalysis {
    /// The candidate that represents the iteration: the first one, if there is any.
    pub fn candidate(&self) -> Option<&ConfigurationSummary> {
        self.candidates().next()
    }

    /// Every candidate, those with verdicts first.
    pub fn candidates(&self) -> impl Iterator<Item = &ConfigurationSummary> {
        self.roles.candidates.iter().filter_map(|name| self.configuration(name))
    }

    pub fn configuration(&self, name: &str) -> Option<&ConfigurationSummary> {
        self.configurations.iter().find(|summary| summary.name == name)
    }

    pub fn baseline(&self) -> Option<&ConfigurationSummary> {
        self.configuration(self.roles.baseline.as_ref()?)
    }

    pub(crate) fn is_graded(&self, name: &str) -> bool {
        self.configuration(name).is_some_and(|summary| summary.tally.graded() > 0)
    }

    /// The first configuration with a run.
    fn ran(&self) -> Option<&ConfigurationSummary> {
        self.configurations.iter().find(|summary| summary.runs > 0)
    }

    pub fn tally(&self) -> Tally {
        self.configurations.iter().map(|summary| summary.tally).sum()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    pub iterations: Vec<IterationAnalysis>,
    /// Every case through all iterations, in natural order of the newest names.
    pub cases: Vec<CaseHistory>,
    /// The best iteration of each configuration that has several.
    pub best: BTreeMap<String, Best>,
    /// One side against another, by the iteration of the later one.
    pub changes: Vec<Change>,
    pub pairs: Vec<CasePairs>,
    pub skill: Vec<SkillPair>,
    /// The blind comparisons, by the two versions compared.
    pub matchups: Vec<Matchup>,
    /// Where iterations stop being comparable with earlier ones.
    pub breaks: Vec<Break>,
    /// What became of the gain over no skill, by condition of the newest round.
    pub outcomes: Vec<OutcomeOverTime>,
    /// How much repeated runs of one side of a case differ.
    pub run_noise: RunNoise,
    /// Whether rounds whose runs cannot be believed count like others.
    pub counts_doubtful_runs: bool,
    /// What the texts of outputs and of the skill show; empty from [`analysis`].
    pub texts: TextFindings,
}

/// Findings that need the contents of files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextFindings {
    /// Whether what graders quote is in the files.
    pub quotes: Quotes,
    /// Equal outputs with different verdicts.
    pub inconsistent: Vec<UnequalVerdicts>,
    /// Edits of the skill and the checks that they may have changed, in the order of
    /// [`Analysis::skill`].
    pub edits: Vec<SkillEdits>,
    /// Edits of the skill since its last copy, where nothing copied what came after.
    pub edits_since_copy: Vec<Hunk>,
}

impl Analysis {
    /// The summary of a side; `None` where the iteration has no such configuration.
    pub fn summary(&self, side: &Side) -> Option<&ConfigurationSummary> {
        self.iterations[side.iteration].configuration(&side.configuration)
    }

    /// All verdicts of a side, compared or not.
    pub fn tally_of(&self, side: &Side) -> Tally {
        self.summary(side).map(|summary| summary.tally).unwrap_or_default()
    }
}

/// The analysis, with what the texts of outputs show. Only pages and briefs need that; it costs more
/// than all the rest.
pub fn analysis_with_texts(
    workspace: &Workspace,
    settings: &Settings,
    texts: Texts<'_>,
) -> Analysis {
    let mut analysis = analysis(workspace, settings);
    analysis.texts = TextFindings {
        quotes: quotes::find_quotes(workspace, texts),
        inconsistent: equal_outputs::find_unequal_verdicts(workspace, &analysis, texts),
        edits: edits::find_edits(workspace, &analysis, texts),
        edits_since_copy: edits::edits_since_copy(workspace, texts),
    };
    analysis
}

/// What verdicts and recorded figures add up to. No file is read.
pub fn analysis(workspace: &Workspace, settings: &Settings) -> Analysis {
    let mut iterations: Vec<IterationAnalysis> = workspace
        .iterations
        .par_iter()
        .enumerate()
        .map(|(index, iteration)| IterationAnalysis {
            copies: pairs::copies_of(workspace, index),
            ..analyze_iteration(iteration, settings)
        })
        .collect();
    roles::settle_alone(&mut iterations);
    let cases = case_history::case_histories(workspace);
    previous::find_previous(workspace, &cases, &mut iterations);
    let best = best::best_by_configuration(workspace, &cases);
    let best_iterations = best.iter().map(|(name, best)| (name.clone(), best.iteration)).collect();
    let changes = change::changes(workspace, &cases, &iterations, &best_iterations, settings);
    let mut analysis = Analysis {
        pairs: Vec::new(),
        skill: pairs::pair_copies(workspace, &iterations),
        matchups: blind::matchups(workspace, &cases),
        breaks: conditions::breaks(workspace, &cases, &iterations),
        iterations,
        cases,
        best,
        changes,
        outcomes: Vec::new(),
        run_noise: change::noise_of_runs(workspace),
        counts_doubtful_runs: settings.doubtful_runs == Some(DoubtfulRuns::Count),
        texts: TextFindings::default(),
    };
    // Whatever follows asks for the first candidate in the final order.
    analysis.order_candidates(workspace, settings);
    for history in &analysis.cases {
        let pairs = pairs::case_pairs(workspace, history, &analysis.iterations, &analysis.changes);
        analysis.pairs.push(pairs);
    }
    let cases = &analysis.cases;
    for (index, result) in analysis.iterations.iter_mut().enumerate() {
        let iteration = &workspace.iterations[index];
        result.discrepancies = discrepancies::find_discrepancies(iteration, result);
        result.under_conditions =
            conditions::under_conditions(workspace, cases, index, result, settings);
        result.peers = change::peers(workspace, cases, index, result, settings);
    }
    analysis.outcomes = outcomes::outcomes_over_time(workspace, &analysis);
    analysis
}

pub fn analyze_iteration(iteration: &Iteration, settings: &Settings) -> IterationAnalysis {
    let roles = roles::assign_roles(iteration, settings);
    IterationAnalysis {
        is_reference: iteration.is_reference(),
        is_unordered: iteration.is_unordered,
        copies: None,
        configurations: roles
            .order()
            .map(|name| configurations::summarize(iteration, name))
            .collect(),
        graders: grader_agreement::grader_pairs(iteration),
        roles,
        discrepancies: Vec::new(),
        under_conditions: Vec::new(),
        peers: Vec::new(),
    }
}

impl Analysis {
    /// The newest iteration whose candidate has verdicts; `None` when nothing was graded.
    pub fn newest(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidate().is_some_and(|found| found.tally.graded() > 0))
    }

    /// The last iteration that `matches`, preferring those that are not references.
    fn last(&self, matches: impl Fn(&IterationAnalysis) -> bool) -> Option<usize> {
        let iterations = &self.iterations;
        let own = iterations.iter().rposition(|found| !found.is_reference && matches(found));
        own.or_else(|| iterations.iter().rposition(matches))
    }

    /// The newest iteration in which a candidate has runs, graded or not; `None` when nothing was
    /// run. It is later than [`Self::newest`] where its runs have no verdict yet.
    pub fn newest_run(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidates().any(|found| found.runs > 0))
    }

    pub fn newest_candidate(&self) -> Option<Side> {
        self.candidate_of(self.newest()?)
    }

    /// The side that the first page is about: the newest candidate with a verdict, else the newest
    /// that ran, else whatever ran: a baseline alone, or runs that name no configuration. `None` when
    /// nothing was run.
    pub fn shown_side(&self) -> Option<Side> {
        let newest = self.newest().or_else(|| self.newest_run());
        let index = newest.or_else(|| self.last(|iteration| iteration.ran().is_some()))?;
        self.shown_side_of(index)
    }

    /// Like [`Self::shown_side`], of one iteration.
    pub fn shown_side_of(&self, iteration: usize) -> Option<Side> {
        let candidate = self.candidates_of(iteration).next();
        candidate.or_else(|| Some(Side::new(iteration, &self.iterations[iteration].ran()?.name)))
    }

    pub fn candidate_of(&self, iteration: usize) -> Option<Side> {
        Some(Side::new(iteration, &self.iterations[iteration].candidate()?.name))
    }

    /// Every candidate of one iteration that has runs, the representing one first.
    pub fn candidates_of(&self, iteration: usize) -> impl Iterator<Item = Side> {
        let ran = self.iterations[iteration].candidates().filter(|found| found.runs > 0);
        ran.map(move |found| Side::new(iteration, &found.name))
    }

    /// The same configuration in the previous iteration, or what it was called there, if both ran under one condition. Between
    /// models no check "regressed since": both sides lose checks when the model gets weaker.
    pub fn previous(&self, side: &Side) -> Option<Side> {
        let previous = self.summary(side)?.previous.clone()?;
        if self.are_under_one_condition([&previous, side]) { Some(previous) } else { None }
    }

    /// The baseline of the same iteration; `None` for the baseline itself.
    pub fn opposite(&self, side: &Side) -> Option<Side> {
        let analysis = &self.iterations[side.iteration];
        let baseline = analysis.roles.baseline_of(&side.configuration)?;
        analysis.configuration(baseline).map(|found| Side::new(side.iteration, &found.name))
    }
}
