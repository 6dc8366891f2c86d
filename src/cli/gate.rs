//! Shared by commands with a gate: the day, and the report of a closed gate.

use anstyle::AnsiColor;
use clap::Args;
use jiff::civil::Date;

use crate::analyze::{Against, Analysis, Change, Side};
use crate::cli::name_checks::list;
use crate::cli::workspaces::OpenedWorkspace;
use crate::cli::{CommandResult, Console, Failure, clock, exit};
use crate::digest::{self, Comparisons};
use crate::gate::{self, NotCheckable, Question};
use crate::language::Language;
use crate::wording::gate::{GateLine, GateMark, lines as gate_lines, nothing_ran};
use input::discover::iteration_order;
use input::model::{Code, Iteration, Workspace};
use input::names;
use input::settings::{FailOn, Settings};

/// On which day a gate is judged.
#[derive(Debug, Args)]
pub(super) struct DayArgs {
    /// Judge known issues as on this day, such as `2026-12-31`; today in UTC when not given
    #[arg(long, value_name = "DAY", help_heading = "Gate (overrides evalbook.toml)")]
    as_of: Option<String>,
}

impl DayArgs {
    pub(super) fn day(&self) -> CommandResult<String> {
        match &self.as_of {
            None => Ok(clock::today()),
            // Days are compared as texts, and `20261231` is a date too.
            Some(day) if day.len() == 10 && day.parse::<Date>().is_ok() => Ok(day.clone()),
            Some(day) => {
                Err(Failure::usage(format!("`--as-of` is a day such as `2026-12-31`, not `{day}`")))
            }
        }
    }
}

pub(super) fn add_default_rule(opened: &mut [OpenedWorkspace]) {
    if opened.iter().all(|opened| opened.settings.gate.is_empty()) {
        for opened in opened {
            opened.settings.gate.fail_on.push(FailOn::Worse);
        }
    }
}

/// Judges every candidate of the newest iteration, if there are rules; one line for each rule.
pub(super) fn judge(
    opened: &OpenedWorkspace,
    analysis: &Analysis,
    today: &str,
    language: &Language,
) -> CommandResult<Vec<GateLine>> {
    let OpenedWorkspace { workspace, settings, .. } = opened;
    if settings.gate.is_empty() {
        return Ok(Vec::new());
    }
    let Some(newest) = analysis.newest_run() else {
        return Ok(vec![nothing_ran(workspace, language)]);
    };
    let (judged, obstacle) = judged(workspace, analysis, newest);
    let sides = judged_sides(analysis, judged);
    check_budgets(analysis, &sides, settings)?;
    let mut questions = Vec::new();
    for after in &sides {
        let change = earlier(analysis, after, settings);
        let is_skill_changed = change.is_some_and(|change| {
            let [before, after] = change.sides().map(|side| opened.skill_digest(side.iteration));
            are_other_skills(before.as_ref(), after.as_ref())
        });
        questions.push(Question {
            workspace,
            analysis,
            after,
            change,
            settings,
            today,
            is_skill_changed,
            obstacle: obstacle.as_ref(),
        });
    }
    let mut lines = Vec::new();
    for (question, judgement) in questions.iter().zip(&gate::judge_all(&questions)) {
        lines.extend(gate_lines(question, judgement, language));
    }
    Ok(lines)
}

/// Whether both sides have a copy of the skill, and these differ.
pub(super) fn are_other_skills(before: Option<&String>, after: Option<&String>) -> bool {
    before.zip(after).is_some_and(|(before, after)| before != after)
}

/// Refuses a budget for a condition under which no candidate ran: a slip in its name would let every
/// cost through.
pub(super) fn check_budgets(
    analysis: &Analysis,
    sides: &[Side],
    settings: &Settings,
) -> CommandResult<()> {
    let names: Vec<Vec<&str>> = sides.iter().map(|side| analysis.condition_names(side)).collect();
    for (name, _) in &settings.gate.budgets {
        if !names.iter().any(|names| gate::is_under(name, names)) {
            let mut known: Vec<&str> = names.concat();
            known.sort_unstable();
            known.dedup();
            let message = format!("`gate.budgets`: no candidate ran under `{name}`");
            return Err(Failure::usage(message).help(format!("they ran under {}", list(known))));
        }
    }
    Ok(())
}

/// The candidates of an iteration. Under several conditions each has a baseline of its own, which is
/// no candidate although no name tells so.
pub(super) fn judged_sides(analysis: &Analysis, iteration: usize) -> Vec<Side> {
    let roles = &analysis.iterations[iteration].roles;
    let mut sides: Vec<Side> = analysis.candidates_of(iteration).collect();
    sides.retain(|side| {
        !roles.own_baselines.values().any(|baseline| *baseline == side.configuration)
    });
    sides
}

/// The iteration that is judged, and why it cannot be: the newest that ran. Where an edit was taken back, that is
/// an earlier one, which ran the skill as it is: what somebody discarded is no longer what a change brings.
pub(super) fn judged(
    workspace: &Workspace,
    analysis: &Analysis,
    newest: usize,
) -> (usize, Option<NotCheckable<'static>>) {
    let obstacle = obstacle(workspace, analysis, newest);
    if matches!(obstacle, Some(NotCheckable::EditedSince(_)))
        && let Some(after) = analysis.newest_candidate()
        && let Some(measured) = digest::stale(workspace, &after).and_then(|stale| stale.measured_in)
    {
        return (measured, None);
    }
    (newest, obstacle)
}

/// Why the iteration at `judged` cannot be judged.
fn obstacle(
    workspace: &Workspace,
    analysis: &Analysis,
    judged: usize,
) -> Option<NotCheckable<'static>> {
    if let Some(newer) = newer(workspace, analysis, judged) {
        return Some(newer);
    }
    let after = analysis.newest_candidate().filter(|side| side.iteration == judged)?;
    if digest::stale(workspace, &after).is_some_and(|stale| stale.is_skill_edited) {
        return Some(NotCheckable::EditedSince(workspace.iterations[judged].name.clone()));
    }
    let comparisons = Comparisons::empty(workspace, analysis);
    comparisons.is_void(&after).then_some(NotCheckable::NotMeasured)
}

/// The iteration that should be judged instead of the one at `judged`, and cannot be: it was planned,
/// run in part, or not graded. A gate that passes because nothing ran lets every change through.
pub(super) fn newer(
    workspace: &Workspace,
    analysis: &Analysis,
    judged: usize,
) -> Option<NotCheckable<'static>> {
    // Which one is the newest is not known then.
    if analysis.iterations[judged].is_unordered {
        return Some(NotCheckable::UnknownOrder);
    }
    let round = &workspace.iterations[judged];
    if digest::graded_before(workspace, round).is_some() {
        return Some(NotCheckable::NewerCopied(round.name.clone()));
    }
    if let Some(copied) = newer_copy(workspace, &workspace.iterations[judged]) {
        return Some(NotCheckable::NewerCopied(copied.to_owned()));
    }
    let iterations = workspace.iterations.iter().zip(&analysis.iterations).enumerate();
    for (at, (iteration, found)) in iterations.rev() {
        if at <= judged {
            return None;
        }
        let holds_anything = !iteration.cases.is_empty() || !iteration.benchmarks.is_empty();
        // `iteration-main` is there to be compared with, and comes last by its name.
        if found.is_reference || !holds_anything {
            continue;
        }
        let name = iteration.name.clone();
        return Some(if found.candidates().any(|candidate| candidate.runs > 0) {
            NotCheckable::NewerUngraded(name)
        } else {
            NotCheckable::NewerWithoutRun(name)
        });
    }
    None
}

/// The folder of a newer iteration whose runs are all copies: it was left out of the workspace, since
/// copies count once. Somebody copied the folder for the next round and ran nothing.
fn newer_copy<'w>(workspace: &'w Workspace, judged: &Iteration) -> Option<&'w str> {
    for problem in &workspace.problems {
        let is_copy = problem.code == Code::DuplicateGrading
            && names::is_iteration(names::file_name(&problem.path))
            && workspace.iterations.iter().all(|iteration| iteration.path != problem.path);
        if is_copy && iteration_order(&problem.path, &judged.path).is_gt() {
            return Some(&problem.path);
        }
    }
    None
}

/// The change that judges a candidate: against the one pinned in the settings, else the iteration
/// before, else the baseline. The best iteration so far is compared with the one before. Otherwise
/// a pinned one that is missing has a substitute only in a first iteration.
fn earlier<'a>(analysis: &'a Analysis, after: &Side, settings: &Settings) -> Option<&'a Change> {
    if let Some(pinned) = analysis.change(after, Against::Pinned) {
        return Some(pinned);
    }
    let previous = analysis.change(after, Against::Previous);
    let is_first =
        (0..after.iteration).all(|earlier| analysis.candidates_of(earlier).next().is_none());
    let has_substitute = match settings.against.as_deref() {
        None => true,
        Some("best") => previous.is_some() || is_first,
        Some(_) => is_first,
    };
    if !has_substitute {
        return None;
    }
    previous.or_else(|| analysis.change(after, Against::Baseline))
}

/// Prints a line for each rule of each workspace, when quiet only for those that failed; these come
/// last, so that the last line says what the exit code says. Returns the exit code.
pub(super) fn report<'l>(
    workspaces: impl IntoIterator<Item = (&'l str, &'l [GateLine])>,
    is_quiet: bool,
    language: &Language,
    console: &mut Console,
) -> u8 {
    let mut all = Vec::new();
    for (prefix, lines) in workspaces {
        all.extend(lines.iter().map(|line| (prefix, line)));
    }
    all.sort_by_key(|(_, line)| match line.mark {
        GateMark::Known | GateMark::Remark => 0,
        GateMark::Passed => 1,
        GateMark::Failed => 2,
    });
    let mut code = exit::FINE;
    for (prefix, line) in all {
        let color = match line.mark {
            GateMark::Passed => AnsiColor::Green,
            GateMark::Failed => AnsiColor::Red,
            GateMark::Known | GateMark::Remark => AnsiColor::Yellow,
        };
        let is_failed = line.mark == GateMark::Failed;
        if is_failed {
            code = exit::FAILED;
        }
        if is_failed || !is_quiet {
            let about = if prefix.is_empty() { String::new() } else { format!("{prefix}: ") };
            let word = language.text(line.mark.key());
            console.gate(&format!("{about}{word}: {}", line.text), color);
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::earlier;
    use crate::analyze::analysis;
    use input::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use input::settings::Settings;

    fn iteration(name: &str, configurations: &[(&str, Outcome)]) -> Iteration {
        let mut case = Case { name: "a".to_owned(), ..Case::default() };
        let mut iteration = Iteration { name: name.to_owned(), ..Iteration::default() };
        for &(configuration, outcome) in configurations {
            let text = "x".to_owned();
            let expectations = vec![Expectation { text, outcome, ..Expectation::default() }];
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            let configuration = configuration.to_owned();
            iteration.configurations.push(configuration.clone());
            case.runs.push(Run { configuration, gradings, ..Run::default() });
        }
        iteration.cases.push(case);
        iteration
    }

    /// What the candidate of the newest of `iterations` is compared with.
    fn compared_with(iterations: &[Iteration], against: Option<&str>) -> Option<String> {
        let workspace = Workspace { iterations: iterations.to_vec(), ..Workspace::default() };
        let toml = against.map_or(String::new(), |name| format!("against = '{name}'"));
        let settings = Settings::read_file(&toml, "evalbook.toml").unwrap();
        let analysis = analysis(&workspace, &settings);
        let after = analysis.newest_candidate().unwrap();
        let side = &earlier(&analysis, &after, &settings)?.before;
        Some(format!("{} {}", iterations[side.iteration].name, side.configuration))
    }

    #[test]
    fn a_candidate_is_compared_with_the_pinned_then_the_previous_then_the_baseline() {
        fn of(name: &str, skill: &str, outcome: Outcome) -> Iteration {
            iteration(name, &[("without_skill", Outcome::Failed), (skill, outcome)])
        }
        let (passed, failed) = (Outcome::Passed, Outcome::Failed);
        let renamed = [of("one", "skill_v1", passed), of("two", "skill_v2", failed)];
        let kept = [of("one", "s", passed), of("two", "s", failed), of("three", "s", failed)];
        let rising = [of("one", "s", failed), of("two", "s", failed), of("three", "s", passed)];
        let table: [(&[Iteration], Option<&str>, Option<&str>); 13] = [
            (&renamed, Some("one"), Some("one skill_v1")),
            (&renamed, Some("two"), None),
            (&renamed, None, Some("two without_skill")),
            (&renamed, Some("best"), None),
            (&renamed, Some("first"), None),
            (&renamed[..1], Some("best"), Some("one without_skill")),
            (&renamed[..1], Some("one"), Some("one without_skill")),
            (&kept, None, Some("two s")),
            (&kept, Some("one"), Some("one s")),
            (&kept, Some("best"), Some("one s")),
            (&kept, Some("previous"), Some("two s")),
            (&kept, Some("three"), None),
            (&rising, Some("best"), Some("two s")),
        ];
        for (iterations, against, expected) in table {
            let actual = compared_with(iterations, against);
            assert_eq!(actual.as_deref(), expected, "{} {against:?}", iterations.len());
        }
    }
}
