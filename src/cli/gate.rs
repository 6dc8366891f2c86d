//! Shared by commands with a gate: the day, and the report of a closed gate.

use anstyle::AnsiColor;
use clap::Args;
use jiff::civil::Date;

use crate::analyze::{Analysis, Side};
use crate::cli::name_checks::list;
use crate::cli::workspaces::OpenedWorkspace;
use crate::cli::{CommandResult, Console, Failure, clock, exit};
use crate::digest::judged_round;
use crate::gate::{self, Question, judged_change, judged_sides};
use crate::language::Language;
use crate::wording::gate::{GateLine, GateMark, lines as gate_lines, nothing_ran};
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
    let (judged, obstacle) = judged_round(workspace, analysis, newest);
    let sides = judged_sides(analysis, judged);
    check_budgets(analysis, &sides, settings)?;
    let mut questions = Vec::new();
    for after in &sides {
        let change = judged_change(workspace, analysis, after, settings);
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
    // The first rule is what a pull request is about, and the last line is what people read.
    let (failed, mut lines): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, line)| line.mark == GateMark::Failed);
    lines.sort_by_key(|(_, line)| line.mark == GateMark::Passed);
    lines.extend(failed.into_iter().rev());
    let mut code = exit::FINE;
    for (prefix, line) in lines {
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
