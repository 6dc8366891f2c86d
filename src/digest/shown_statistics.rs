//! Which statistics a page shows, so that it can say how each of them is read. The words are in
//! the section `how` of the word table, one text per statistic.

use crate::analyze::{
    self, Against, Analysis, Blind, Change, Expectations, IterationAnalysis, Note, Usefulness,
};
use crate::digest::figures::{has_costs, next_step};
use crate::digest::recorded::recorded_mismatches;
use crate::model::{Iteration, Workspace};

/// Every statistic, in the order told.
pub(crate) const KINDS: [&str; 20] = [
    "level",
    "spread",
    "gain",
    "chance",
    "standing",
    "smallest",
    "costs",
    "trend",
    "tries",
    "flaky",
    "saturated",
    "p",
    "best",
    "strip",
    "chart",
    "agreement",
    "blind",
    "strengths",
    "letters",
    "recorded",
];

/// The kinds that are shown.
fn chosen<const N: usize>(kinds: [(&'static str, bool); N]) -> Vec<&'static str> {
    kinds.into_iter().filter(|(_, is_shown)| *is_shown).map(|(kind, _)| kind).collect()
}

/// What a table of configurations shows.
pub(crate) fn of_configurations(analysis: &IterationAnalysis) -> Vec<&'static str> {
    let all = || analysis.configurations.iter();
    let has_spread = all().any(|it| {
        let figures = [it.pass_rate, it.duration_s, it.tokens];
        figures.into_iter().flatten().any(|spread| spread.stddev.is_some())
    });
    chosen([("level", all().any(|it| it.level.is_some())), ("spread", has_spread)])
}

/// What is told of changes.
pub(crate) fn of_changes<'c>(changes: impl Iterator<Item = &'c Change>) -> Vec<&'static str> {
    let changes: Vec<&Change> = changes.collect();
    let any = |is_shown: fn(&Change) -> bool| changes.iter().any(|it| is_shown(it));
    let several = any(|it| it.gain.paired.is_some_and(|paired| paired.cases > 1));
    chosen([
        ("gain", any(|it| it.gain.paired.is_some())),
        ("chance", several),
        ("standing", several),
        ("smallest", any(|it| next_step(it).is_some())),
        ("costs", any(has_costs)),
    ])
}

/// What cells of tables show of changes: the gain with how sure it is, and the costs.
fn of_cells<'c>(changes: impl Iterator<Item = &'c Change>) -> Vec<&'static str> {
    let shown = of_changes(changes).into_iter();
    shown.filter(|kind| ["gain", "standing", "costs"].contains(kind)).collect()
}

/// The change of every iteration's candidates against what the words say.
fn changes<'c>(analysis: &'c Analysis, against: &'c [Against]) -> impl Iterator<Item = &'c Change> {
    analysis.changes.iter().filter(|it| against.iter().any(|word| it.against.contains(word)))
}

/// What the table of all iterations on the history shows: levels of candidate and baseline, the
/// gains since the iteration before and since the first, and their costs.
pub(crate) fn of_rounds(analysis: &Analysis) -> Vec<&'static str> {
    let is_candidate =
        |it: &&Change| analysis.candidate_of(it.after.iteration).as_ref() == Some(&it.after);
    let sides = analysis.iterations.iter().flat_map(|it| [it.candidate(), it.baseline()]);
    let level = chosen([("level", sides.flatten().any(|it| it.level.is_some()))]);
    let changes = changes(analysis, &[Against::Previous, Against::First]).filter(is_candidate);
    level.into_iter().chain(of_cells(changes)).collect()
}

/// What the table of all iterations on the overview shows: gains on the baseline and their costs.
pub(crate) fn of_baselines(analysis: &Analysis) -> Vec<&'static str> {
    of_cells(changes(analysis, &[Against::Baseline]))
}

/// What one line on the expectations counts.
pub(crate) fn of_health(found: &Expectations<'_>) -> Vec<&'static str> {
    chosen([("flaky", found.flaky() > 0), ("saturated", found.number(Usefulness::Saturated) > 0)])
}

/// What notes name of expectations and of costs.
pub(crate) fn of_notes(notes: &[Note]) -> Vec<&'static str> {
    let any = |is_it: fn(&Note) -> bool| notes.iter().any(is_it);
    chosen([
        ("costs", any(|note| matches!(note, Note::Cost { .. }))),
        ("flaky", any(|note| matches!(note, Note::Flaky { .. }))),
        ("saturated", any(|note| matches!(note, Note::Saturated { .. }))),
    ])
}

/// What the page of expectations shows.
pub(crate) fn of_expectations(found: &Expectations<'_>) -> Vec<&'static str> {
    let health = found.health();
    // What few runs hide is told where nothing is seen to be flaky too.
    let hides = health.as_ref().is_some_and(|health| health.hidden.is_some());
    chosen([
        ("flaky", found.flaky() > 0 || hides),
        ("saturated", found.number(Usefulness::Saturated) > 0),
        ("p", health.is_some_and(|health| health.has_p)),
    ])
}

/// What the chart of pass rates shows.
pub(crate) fn of_chart(analysis: &Analysis) -> Vec<&'static str> {
    let mut levels = analysis.iterations.iter().flat_map(|it| &it.configurations);
    let has_level = levels.any(|it| it.level.is_some());
    chosen([("chart", has_level), ("best", !analysis.best.is_empty())])
}

/// What is told of the course of the iterations.
pub(crate) fn of_course(workspace: &Workspace, analysis: &Analysis) -> Vec<&'static str> {
    let found = analyze::course(workspace, analysis);
    let has_trend = found.as_ref().is_some_and(|course| course.trend.is_some());
    let has_best = found.is_some_and(|course| course.best.is_some());
    chosen([("trend", has_trend), ("best", has_best)])
}

/// What several runs of a case show.
pub(crate) fn of_repeated(analysis: &IterationAnalysis) -> Vec<&'static str> {
    let found = || analysis.configurations.iter().filter_map(|it| it.reliability.as_ref());
    let has_tries = found().next().is_some();
    chosen([("tries", has_tries), ("flaky", found().any(|it| it.repeated > 0))])
}

/// What several graders of a run show.
pub(crate) fn of_graders(iteration: &Iteration) -> Vec<&'static str> {
    chosen([("agreement", !analyze::grader_pairs(iteration).is_empty())])
}

/// What blind comparisons add up to; `has_wins` where it is known who won.
pub(crate) fn of_comparisons(found: &Blind, has_wins: bool) -> Vec<&'static str> {
    let mut versions = found.rankings.iter().flat_map(|it| it.versions.iter().flatten());
    chosen([
        ("blind", has_wins),
        ("strengths", versions.next().is_some()),
        ("letters", found.letters.is_some_and(|it| it.a + it.b >= 2)),
    ])
}

/// What the report in Markdown shows.
pub(crate) fn of_report(
    workspace: &Workspace,
    analysis: &Analysis,
    expectations: &Expectations<'_>,
) -> Vec<&'static str> {
    let mut iterations = workspace.iterations.iter().zip(&analysis.iterations);
    let has_recorded = iterations.any(|(iteration, of)| {
        let mut benchmarks = iteration.benchmarks.iter();
        benchmarks.any(|it| !recorded_mismatches(iteration, of, it).is_empty())
    });
    let mut found = of_changes(analysis.changes.iter());
    for iteration in &analysis.iterations {
        found.extend(of_configurations(iteration));
        found.extend(of_repeated(iteration));
        found.extend(of_notes(&iteration.notes));
    }
    found.extend(of_course(workspace, analysis));
    found.extend(workspace.iterations.iter().flat_map(of_graders));
    found.extend(of_comparisons(&analyze::blind(workspace, analysis), false));
    found.extend(of_expectations(expectations));
    found.extend(has_recorded.then_some("recorded"));
    KINDS.into_iter().filter(|kind| found.contains(kind)).collect()
}
