//! The two questions of an author: does the skill help, and did the last change help? Each is answered
//! by one row; in a round under several harnesses or models by a row for each. Every output shows these
//! rows, and nothing else decides them.

mod compared;

use std::collections::BTreeSet;

pub(crate) use crate::digest::questions::compared::CheckCounts;

use crate::analyze::{Against, Analysis, Change, Side, Undoing, VerdictWord, is_earlier_version};
use crate::digest::news::benchmark_only::{RecordedSide, other_side};
use crate::digest::news::{self, Finding};
use crate::digest::{Changes, Comparisons};
use input::model::Workspace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The candidate with the side without it, of the same round.
    Helps,
    /// The candidate with `old_skill`, else with the previous round.
    Changed,
}

impl Question {
    /// The question that a comparison answers.
    pub(crate) fn of_sides([before, after]: [&Side; 2]) -> Self {
        if is_earlier_version(before, after) { Self::Changed } else { Self::Helps }
    }

    /// In lower-case words, for programs; also a key in the tables of words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Helps => "helps",
            Self::Changed => "changed",
        }
    }
}

/// The rows of both questions about one candidate.
pub(crate) struct Questions<'a> {
    /// One row; under several conditions a row for each, those that are not up first.
    pub(crate) helps: Vec<Row<'a>>,
    pub(crate) changed: Vec<Row<'a>>,
}

pub(crate) struct Row<'a> {
    pub(crate) question: Question,
    /// The harness or model of the row; `None` in a round under one condition.
    pub(crate) condition: Option<&'a str>,
    pub(crate) after: Side,
    pub(crate) answer: RowAnswer<'a>,
}

pub(crate) enum RowAnswer<'a> {
    Compared(Box<ComparedRow<'a>>),
    Missing(MissingRow<'a>),
}

/// Why a row has no data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MissingRow<'a> {
    /// The side without the skill, or an earlier version, was not run. With the last comparison that
    /// had one.
    NotAsked { last: Option<&'a Change> },
    /// Only a benchmark of the round has the other side.
    Recorded(RecordedSide<'a>),
    /// The other side ran and has no verdict: its configuration and its iteration.
    NotGraded { configuration: &'a str, iteration: usize },
    /// No earlier iteration ran the candidate.
    FirstIteration,
    /// The iteration before ran under another model.
    OtherModel { iteration: usize },
    /// What both iterations ran are the same runs: the candidate has those of this earlier one.
    SameRuns { iteration: usize },
    /// Nothing says which iteration was before.
    NoOrder,
    /// No name says which configuration is the baseline.
    WhichBaseline,
}

/// A row with data: the pair, points, range, rates and costs are those of `change`.
pub(crate) struct ComparedRow<'a> {
    pub(crate) change: &'a Change,
    pub(crate) changes: Changes<'a>,
    pub(crate) word: RowWord,
    pub(crate) checks: CheckCounts,
    /// The fewest other verdicts that would weaken the word; see [`crate::analyze::Gain::undoing`].
    pub(crate) undoing: Option<&'a Undoing>,
    /// False where two files give different figures for most runs.
    pub(crate) are_costs_known: bool,
}

/// The large word of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowWord {
    /// Checks were lost in repeated runs, and nothing else is decided.
    Lost(usize),
    /// Checks were repaired in repeated runs and none lost, and nothing else is decided.
    Repaired(usize),
    /// A changed skill kept all that it passed.
    NoRegression,
    /// Checks of a skill that ran again unchanged got another verdict, of all that both rounds have.
    Flipped {
        moved: usize,
        checks: usize,
    },
    /// The runs cannot be believed, so what was graded is no answer.
    Unmeasured,
    Verdict(VerdictWord),
}

/// What a row says for the headline, the badge and the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowTone {
    Better,
    /// By its points, or since repeated runs lost a check.
    Worse,
    Open,
}

impl RowTone {
    pub(crate) fn name(self) -> &'static str {
        ["better", "worse", "open"][self as usize]
    }
}

impl MissingRow<'_> {
    /// In lower-case words, for programs.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::NotAsked { .. } => "not asked",
            Self::Recorded(_) => "recorded",
            Self::NotGraded { .. } => "not graded",
            Self::FirstIteration => "first iteration",
            Self::OtherModel { .. } => "other model",
            Self::SameRuns { .. } => "same runs",
            Self::NoOrder => "no order",
            Self::WhichBaseline => "which baseline",
        }
    }

    /// The iteration in which the question was last answered, and the gain then.
    pub(crate) fn last(&self) -> Option<(usize, f64)> {
        let Self::NotAsked { last: Some(change) } = self else { return None };
        Some((change.after.iteration, change.gain.shown()?.mean))
    }
}

impl<'a> Questions<'a> {
    pub(crate) fn new(comparisons: &Comparisons<'a>, after: &Side) -> Self {
        let conditions = comparisons.analysis.by_condition(comparisons.workspace, after);
        let mut questions = Self { helps: Vec::new(), changed: Vec::new() };
        if conditions.len() < 2 {
            questions.add(comparisons, after, None, None);
            let news = comparisons.news(after, news::led_by(comparisons.analysis, after));
            if news.iter().any(Finding::voids) {
                questions.take_back();
            }
            if news.iter().any(|finding| matches!(finding, Finding::TwoFigures { .. })) {
                questions.doubt_costs();
            }
            return questions;
        }
        for (name, change) in conditions {
            questions.add(comparisons, &change.after, Some(name), Some(change));
        }
        // What does not follow the others is the news of a round.
        questions.helps.sort_by_key(Row::is_up);
        questions.changed.sort_by_key(Row::is_up);
        questions
    }

    /// The one question that `change` answers, for a page of its own.
    pub(crate) fn only(comparisons: &Comparisons<'a>, change: &'a Change) -> Self {
        let row = Row {
            question: Question::of_sides(change.sides()),
            condition: None,
            after: change.after.clone(),
            answer: RowAnswer::Compared(Box::new(ComparedRow::new(comparisons, change))),
        };
        let mut questions = Self { helps: Vec::new(), changed: Vec::new() };
        questions.rows_mut(row.question).push(row);
        questions
    }

    /// Makes no answer of all rows.
    fn take_back(&mut self) {
        for row in self.helps.iter_mut().chain(&mut self.changed) {
            if let RowAnswer::Compared(row) = &mut row.answer {
                row.word = RowWord::Unmeasured;
            }
        }
    }

    /// Shows no cost in any row.
    fn doubt_costs(&mut self) {
        for row in self.helps.iter_mut().chain(&mut self.changed) {
            if let RowAnswer::Compared(row) = &mut row.answer {
                row.are_costs_known = false;
            }
        }
    }

    /// How many checks of the compared sides a person calls wrongly judged.
    pub(crate) fn disputed(&self) -> usize {
        let compared = self.rows().filter_map(Row::compared);
        compared.flat_map(|row| row.changes.disputed()).collect::<BTreeSet<_>>().len()
    }

    fn rows_mut(&mut self, question: Question) -> &mut Vec<Row<'a>> {
        match question {
            Question::Helps => &mut self.helps,
            Question::Changed => &mut self.changed,
        }
    }

    fn add(
        &mut self,
        comparisons: &Comparisons<'a>,
        after: &Side,
        condition: Option<&'a str>,
        known: Option<&'a Change>,
    ) {
        for question in [Question::Helps, Question::Changed] {
            let mut changes = known.into_iter().chain(changes_of(comparisons.analysis, after));
            let change = changes.find(|change| Question::of_sides(change.sides()) == question);
            let answer = match change {
                Some(change) => {
                    RowAnswer::Compared(Box::new(ComparedRow::new(comparisons, change)))
                }
                None => RowAnswer::Missing(missing(comparisons, after, question)),
            };
            let row = Row { question, condition, after: after.clone(), answer };
            self.rows_mut(question).push(row);
        }
    }

    /// All rows, those of the first question first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row<'a>> {
        self.helps.iter().chain(&self.changed)
    }
}

/// The comparisons of `after` by which a question may be answered; the first of each question does.
pub(crate) fn changes_of<'a>(
    analysis: &'a Analysis,
    after: &Side,
) -> impl Iterator<Item = &'a Change> {
    [
        analysis.change(after, Against::Baseline),
        analysis.change(after, Against::OtherBaseline),
        analysis.change(after, Against::Pinned),
        analysis.since_previous(after),
    ]
    .into_iter()
    .flatten()
}

fn missing<'a>(comparisons: &Comparisons<'a>, after: &Side, question: Question) -> MissingRow<'a> {
    let Comparisons { workspace, analysis, .. } = *comparisons;
    let found = &analysis.iterations[after.iteration];
    if let Some(name) = found.roles.baseline_of(&after.configuration) {
        let before = Side::new(after.iteration, name);
        let is_graded = analysis.tally_of(&before).graded() > 0;
        if !is_graded && Question::of_sides([&before, after]) == question {
            return MissingRow::NotGraded { configuration: name, iteration: after.iteration };
        }
    }
    let is_alone = found.roles.baseline.is_none() && !found.roles.has_peers();
    let iteration = &workspace.iterations[after.iteration];
    if is_alone
        && let Some(other) = other_side(iteration, &after.configuration)
        && other.is_earlier == (question == Question::Changed)
    {
        return MissingRow::Recorded(other);
    }
    match question {
        Question::Helps if found.roles.has_peers() => MissingRow::WhichBaseline,
        Question::Helps => MissingRow::NotAsked { last: last_known(analysis, after) },
        Question::Changed => missing_earlier(workspace, analysis, after),
    }
}

/// The last earlier comparison of the candidate with the side without it.
fn last_known<'a>(analysis: &'a Analysis, after: &Side) -> Option<&'a Change> {
    (0..after.iteration).rev().find_map(|index| {
        let same = Side::new(index, &after.configuration);
        let candidate = analysis.candidate_of(index);
        let sides = [Some(same), candidate];
        sides.into_iter().flatten().find_map(|side| {
            changes_of(analysis, &side).find(|change| {
                Question::of_sides(change.sides()) == Question::Helps
                    && change.gain.shown().is_some()
            })
        })
    })
}

/// Why no earlier version is compared with `after`.
fn missing_earlier<'a>(
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    after: &Side,
) -> MissingRow<'a> {
    let found = &analysis.iterations[after.iteration];
    if found.is_unordered {
        return MissingRow::NoOrder;
    }
    let name = &after.configuration;
    if let Some(previous) = found.configuration(name).and_then(|summary| summary.previous.as_ref())
    {
        return MissingRow::OtherModel { iteration: previous.iteration };
    }
    let earlier = &workspace.iterations[..after.iteration];
    if let Some(iteration) = made_in(workspace, after) {
        return MissingRow::SameRuns { iteration };
    }
    for (index, iteration) in earlier.iter().enumerate().rev() {
        if let Some(run) = iteration.runs().find(|run| run.configuration == *name)
            && !analysis.iterations[index].is_graded(name)
        {
            return MissingRow::NotGraded { configuration: &run.configuration, iteration: index };
        }
    }
    let has_run = earlier.iter().any(|iteration| iteration.runs().next().is_some());
    if has_run { MissingRow::NotAsked { last: None } } else { MissingRow::FirstIteration }
}

/// The last earlier iteration that made a run of `after`; `None` if all were made in its own.
fn made_in(workspace: &Workspace, after: &Side) -> Option<usize> {
    let mut last = None;
    let runs = workspace.iterations[after.iteration].runs();
    for run in runs.filter(|run| run.configuration == after.configuration) {
        let mut known = workspace.iterations.iter();
        let position = match (&run.reuse, &run.reused_from) {
            (Some(reuse), _) => known.position(|known| known.name == reuse.iteration),
            (None, Some(path)) => {
                known.position(|known| path.starts_with(&format!("{}/", known.path)))
            }
            (None, None) => continue,
        };
        last = last.max(position);
    }
    last
}

impl<'a> Row<'a> {
    pub(crate) fn compared(&self) -> Option<&ComparedRow<'a>> {
        match &self.answer {
            RowAnswer::Compared(row) => Some(row),
            RowAnswer::Missing(_) => None,
        }
    }

    /// Whether its points, as they are shown, are above zero.
    pub(crate) fn is_up(&self) -> bool {
        self.compared().is_some_and(|row| row.direction().is_gt())
    }
}

#[cfg(test)]
mod tests;
