//! What people say in a brief: which output they preferred, case by case, the checks on which they say that
//! the grader is wrong, and their comments.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{BlindCases, UnblindedLabels, judged_by_people, key};
use crate::language::{Language, say};
use crate::render::text::brief::items::{feedback_item, name};
use input::model::{About, BlindComparison, Iteration, Outcome, Review, Winner, Workspace};

/// A line for the side that was preferred most, and one for each judged case; empty without a judgement of a
/// person. With `only_case`, the lines of that case.
pub(super) fn preferred(
    iteration: &Iteration,
    only_case: Option<&str>,
    language: &Language,
) -> Vec<String> {
    let cases = LazyCell::new(|| BlindCases::new(iteration));
    let mut lines = Vec::new();
    let mut wins: BTreeMap<String, usize> = BTreeMap::new();
    for comparison in iteration.comparisons.iter().filter(|found| found.person.is_some()) {
        let Some(winner) = comparison.winner else { continue };
        let case = cases.find(comparison).map(|case| iteration.cases[case].name.as_str());
        let Some(case) = case.or(comparison.case.as_deref()) else { continue };
        if only_case.is_some_and(|only| only != case) {
            continue;
        }
        let side = side(comparison, winner);
        let shown = side.as_deref().unwrap_or_else(|| language.text("brief.preferred_none"));
        lines.push(format!("- {}\n", language.labelled(&name(case), &name(shown))));
        if let Some(side) = side {
            *wins.entry(side).or_default() += 1;
        }
    }
    // Of two sides with as many wins neither is preferred.
    let most = wins.values().max();
    let mut ahead = wins.iter().filter(|(_, n)| Some(*n) == most);
    if only_case.is_none()
        && let (Some((side, n)), None) = (ahead.next(), ahead.next())
    {
        let said = say!(language, "brief.preferred_in", side = name(side), n, all = lines.len());
        lines.insert(0, format!("- {said}\n"));
    }
    lines
}

/// The configuration or iteration that was preferred; `None` for neither.
fn side(comparison: &BlindComparison, winner: Winner) -> Option<String> {
    let behind = UnblindedLabels::new(comparison);
    match winner {
        Winner::A => Some(behind.a.unwrap_or_else(|| "A".to_owned())),
        Winner::B => Some(behind.b.unwrap_or_else(|| "B".to_owned())),
        Winner::Tie => None,
    }
}

/// The disputed checks of an iteration, each with its case and run.
pub(super) fn disputed(
    iteration: &Iteration,
    only_case: Option<&str>,
    language: &Language,
) -> Vec<String> {
    let mut lines = Vec::new();
    for ((case, run), checks) in crate::analyze::disputed_in(iteration) {
        let case = &iteration.cases[case];
        if only_case.is_some_and(|only| only != case.name) {
            continue;
        }
        let about = run_name(&case.name, &case.runs[run].configuration, language);
        for check in checks {
            lines.push(format!("- {}\n", language.labelled(&about, &name(check))));
        }
    }
    lines
}

/// Changes to the grader's prompt that a brief lists.
const PROMPT_CHANGES: usize = 2;

/// What the grader's prompt should say, by the checks on which a person who had not seen the verdict says
/// otherwise; each check once.
pub(super) fn grader_prompt(
    workspace: &Workspace,
    iteration: usize,
    only_case: Option<&str>,
    language: &Language,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, said) in judged_by_people(workspace) {
        let (case, check) = (at.case(workspace), at.check(workspace));
        let is_meant = at.iteration == iteration && only_case.is_none_or(|only| only == case.name);
        if !is_meant || said == check.outcome || said == Outcome::Ungraded {
            continue;
        }
        if lines.len() == PROMPT_CHANGES || !seen.insert(key(check)) {
            continue;
        }
        let run = run_name(&case.name, &at.run(workspace).configuration, language);
        let key = if said == Outcome::Failed { "brief.stricter" } else { "brief.looser" };
        lines.push(format!("- {}\n", say!(language, key, check = name(&check.text), run)));
    }
    lines
}

/// A comment under the name of its case, and of the side whose run it is on.
pub(super) fn comment(iteration: &Iteration, review: &Review, language: &Language) -> String {
    let about = match review.about {
        About::Run { case, run } => {
            let case = &iteration.cases[case];
            run_name(&case.name, &case.runs[run].configuration, language)
        }
        About::Case { case } => iteration.cases[case].name.clone(),
        _ => review.run_id.clone(),
    };
    feedback_item(&about, &review.text, language)
}

fn run_name(case: &str, configuration: &str, language: &Language) -> String {
    language.apart([name(case), name(configuration)])
}
