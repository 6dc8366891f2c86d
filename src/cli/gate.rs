//! Shared by commands with a gate: the day, and the report of a closed gate.

use anstyle::AnsiColor;
use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::analyze::{Against, Analysis, Change, IterationAnalysis, Side};
use crate::cli::workspaces::OpenedWorkspace;
use crate::cli::{CommandResult, Console, Failure, exit};
use crate::gate::{self, Question};
use crate::language::Language;
use crate::render::Part;
use crate::settings::{FailOn, Settings};
use crate::wording::gate::{GateLine, GateMark, lines as gate_lines, no_candidate};

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
            None => Ok(Timestamp::now().to_zoned(TimeZone::UTC).date().to_string()),
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
pub(super) fn judge(part: &Part<'_>, today: &str, language: &Language) -> Vec<GateLine> {
    let Part { workspace, analysis, settings, .. } = part;
    if settings.gate.is_empty() {
        return Vec::new();
    }
    let Some(newest) = analysis.newest_run() else {
        let text = language.text("gate.nothing_graded").to_owned();
        return vec![GateLine { mark: GateMark::Failed, text, short: String::new() }];
    };
    let sides: Vec<Side> = analysis.candidates_of(newest).collect();
    let mut questions = Vec::new();
    for after in &sides {
        let change = earlier(analysis, after, settings);
        questions.push(Question { workspace, analysis, after, change, settings, today });
    }
    let mut lines = Vec::new();
    for (question, judgement) in questions.iter().zip(&gate::judge_all(&questions)) {
        lines.extend(gate_lines(question, judgement, language));
    }
    lines.extend(newer_without(part, newest, language));
    lines
}

/// A newer iteration has runs, but none of a candidate, whose state is unknown.
fn newer_without(part: &Part<'_>, judged: usize, language: &Language) -> Option<GateLine> {
    let last = part.analysis.iterations.iter().rposition(was_run)?;
    if last <= judged {
        return None;
    }
    Some(no_candidate(&part.workspace.iterations[last].name, language))
}

fn was_run(iteration: &IterationAnalysis) -> bool {
    !iteration.is_reference && iteration.configurations.iter().any(|found| found.runs > 0)
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

/// Prints a line for each rule, when quiet only for those that failed. Returns the exit code.
pub(super) fn report(
    lines: &[GateLine],
    prefix: &str,
    is_quiet: bool,
    language: &Language,
    console: &mut Console,
) -> u8 {
    let about = if prefix.is_empty() { String::new() } else { format!("{prefix}: ") };
    for line in lines.iter().filter(|line| !is_quiet || line.mark == GateMark::Failed) {
        let passed = format!("{}: {}", line.short, language.text(line.mark.key()));
        let (text, color) = match line.mark {
            GateMark::Passed => (&passed, AnsiColor::Green),
            GateMark::Failed => (&line.text, AnsiColor::Red),
            GateMark::Known | GateMark::Remark => (&line.text, AnsiColor::Yellow),
        };
        console.gate(&format!("{about}{text}"), color);
    }
    let has_failed = lines.iter().any(|line| line.mark == GateMark::Failed);
    if has_failed { exit::FAILED } else { exit::FINE }
}

#[cfg(test)]
mod tests {
    use super::earlier;
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

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
        let settings = Settings::read(&toml).unwrap();
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
