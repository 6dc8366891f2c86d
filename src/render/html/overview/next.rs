//! The next steps: a main button, others, and what it takes to be sure.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::analyze::{Change, FlipKind, Side};
use crate::budget::{BRIEF, FEW_NAMES};
use crate::digest::{self, ComparedCase, is_only_recorded};
use crate::language::say;
use crate::render::context::{Link, Page, escape, pages::RESUME};
use crate::render::html::comparison_links::address;
use crate::render::html::overview::commands::init_command;
use crate::render::html::skill;
use crate::render::text::brief;
use crate::render::text::grading_prompt::{grading_prompt, runs_to_grade};
use crate::wording::changes::key_against;
use input::model::{Problem, Run, Severity};

/// The main button. It tells how many pairs were seen if it leads to the review.
struct MainStep {
    link: Option<Link>,
    /// The script with the order of the review that it leads to.
    order: Option<String>,
}

pub(super) fn next_view(
    page: &Page<'_>,
    after: &Side,
    change: Option<&Change>,
    cases: &[ComparedCase<'_>],
    is_unmeasured: bool,
) -> Value {
    // What nobody can believe has no losses to look at.
    let believed = change.filter(|_| !is_unmeasured);
    let main = main_step(page, after, change, cases, is_unmeasured);
    let mut others = Vec::from_iter(errors(page));
    others.extend(believed.and_then(|change| regressed_since(page, change)));
    if let Some(edit) = skill::edit_of(page, after.iteration) {
        others.push(Link::new(edit.href, say!(page.language, "next.skill", size = edit.size)));
    }
    let is_graded = cases.iter().any(|case| !case.is_ungraded());
    let mut brief = "";
    let mut brief_link = None;
    // Without a verdict a brief has nothing to say.
    if is_graded {
        brief = brief::iteration(page.context, after.iteration);
    }
    if brief.len() > BRIEF {
        brief = "";
        let file = page.link(&page.addresses.iteration_file(after.iteration, "brief.md"));
        brief_link = Some(Link::new(file, page.language.text("brief.title")));
    }
    let prompt = prompt_view(page, after.iteration);
    let mut command = None;
    if prompt.is_none() && is_only_recorded(page.part.workspace) {
        command = Some(next_iteration(page));
    }
    json!({
        "main": main.link,
        "reviewed": main.order,
        "command": command,
        "others": others,
        "prompt": prompt,
        "brief": brief,
        "brief_link": brief_link,
    })
}

/// The command that makes the next iteration, where nothing can be graded any more.
pub(super) fn next_iteration(page: &Page<'_>) -> Value {
    json!({
        "text": page.language.text("screen.next_iteration"),
        "command": init_command(page.part.workspace),
    })
}

/// A prompt to copy that grades the runs without a verdict; `None` if all have one.
fn prompt_view(page: &Page<'_>, iteration: usize) -> Option<Value> {
    let runs = runs_to_grade(&page.part.workspace.iterations[iteration]);
    if runs == 0 {
        return None;
    }
    let label = say!(page.language, "screen.copy_grader", runs = page.language.count(runs, "run"));
    Some(json!({
        "label": label,
        "text": grading_prompt(page.context, iteration, BRIEF),
    }))
}

/// A link to the errors in files, which may be why numbers are missing.
fn errors(page: &Page<'_>) -> Option<Link> {
    let is_error = |problem: &&Problem| problem.severity() == Severity::Error;
    let number = page.part.workspace.problems.iter().filter(is_error).count();
    if number == 0 {
        return None;
    }
    let text = page.language.problems(number, Severity::Error);
    Some(Link::new(page.to_file("problems.html"), text))
}

/// A link to the checks that regressed since the previous iteration, if `lead` compares with
/// another side.
fn regressed_since(page: &Page<'_>, lead: &Change) -> Option<Link> {
    let previous = page.part.analysis.since_previous(&lead.after)?;
    let changes = page.part.comparisons.for_change(previous);
    let regressed = changes.regressed();
    let repeated = regressed.iter().filter(|flip| flip.is_repeated()).count();
    if previous == lead || regressed.is_empty() {
        return None;
    }
    let (key, n) = match repeated {
        0 => ("next.regressed_since_once", regressed.len()),
        _ => ("next.regressed_since", repeated),
    };
    let iteration = &page.part.workspace.iterations[previous.before.iteration].name;
    let text = say!(page.language, key, n, iteration);
    Some(Link::new(page.link(&address(page.context, previous)), text))
}

/// The first that applies: prepared cases, stopped runs, regressions, the review.
fn main_step(
    page: &Page<'_>,
    after: &Side,
    change: Option<&Change>,
    cases: &[ComparedCase<'_>],
    is_unmeasured: bool,
) -> MainStep {
    let language = page.language;
    let first =
        prepared_cases(page, after.iteration).or_else(|| stopped_runs(page, after.iteration));
    if let Some(link) = first {
        return MainStep { link: Some(link), order: None };
    }
    let Some((case_index, choice)) = cases.iter().find_map(|case| {
        Some((case.case_index, page.context.reviewed_choice(case.case_index, after, change)?))
    }) else {
        return MainStep { link: None, order: None };
    };
    let pair = &page.part.analysis.pairs[case_index].pairs[choice.pair];
    let review = page.link(&page.addresses.difference(case_index, pair, None));
    let regressed = cases.iter().map(|case| case.count(FlipKind::Regressed)).sum();
    if let Some(change) = change
        && regressed > 0
        && !is_unmeasured
    {
        let is_repeated = cases.iter().flat_map(|case| &case.checks).any(|check| {
            check.kind == Some(FlipKind::Regressed)
                && check.candidate.graded().min(check.other.graded()) > 1
        });
        let key = if is_repeated { "regression" } else { "regression_once" };
        let mut key = key_against(key, change.sides());
        // Of two versions that ran in one round, neither was before.
        if change.is_within_iteration() && key == "regression_once" {
            key = Cow::Borrowed("regression_once_old");
        }
        let regressions = language.count(regressed, &key);
        let text = say!(language, "next.look", regressions);
        return MainStep { link: Some(Link::new(review, text)), order: None };
    }
    let mut runs = cases.iter().map(|case| case.candidate.len() + case.other.len()).sum();
    if runs == 0 {
        let iteration = &page.part.workspace.iterations[after.iteration];
        runs = iteration.runs().filter(|run| !run.outputs.is_empty()).count();
    }
    if runs == 0 {
        let iterations = language.count(page.part.workspace.iterations.len(), "iteration");
        let text = say!(language, "screen.history", iterations);
        let link = Link::new(page.to_file("history.html"), text);
        return MainStep { link: Some(link), order: None };
    }
    let text = say!(language, "next.review", runs = language.count(runs, "run"));
    let order = page.link(&page.addresses.review_order(&choice.side, choice.against));
    MainStep { link: Some(Link::new(review + RESUME, text)), order: Some(order) }
}

/// A link to the page of the iteration, which lists its cases; `None` if every prepared case ran.
fn prepared_cases(page: &Page<'_>, iteration: usize) -> Option<Link> {
    let language = page.language;
    let prepared = digest::prepared_cases(page.part.workspace, iteration);
    if prepared.is_empty() {
        return None;
    }
    let cases = language.count(prepared.len(), "case");
    let names = prepared.into_iter().map(str::to_owned).collect();
    let names = language.first_few(names, FEW_NAMES, "list.comma");
    let href = page.link(&page.addresses.iteration(iteration));
    Some(Link::new(href, say!(language, "next.run", cases, names)))
}

/// A link to the first run of an iteration that stopped, with the number of those; `None` without any.
fn stopped_runs(page: &Page<'_>, iteration: usize) -> Option<Link> {
    let (mut number, mut first) = (0, None);
    let round = &page.part.workspace.iterations[iteration];
    for (at, case) in round.cases.iter().enumerate() {
        let case_index = page.addresses.case_index(iteration, at);
        let stopped =
            |run: &&Run| run.error.is_some() && !round.has_repeated(case, &run.configuration);
        for run in case.runs.iter().filter(stopped) {
            number += 1;
            first.get_or_insert_with(|| page.to_run(iteration, case_index, run));
        }
    }
    let runs = page.language.count(number, "run");
    Some(Link::new(first?, say!(page.language, "next.fix", runs)))
}

/// Markup of a text; what is between backticks is a command.
pub(super) fn with_commands(text: &str) -> String {
    let mut markup = String::new();
    // A check that was cut may have lost one.
    if text.matches('`').count() % 2 == 1 {
        return escape::xml(text);
    }
    for (at, part) in text.split('`').enumerate() {
        let part = escape::xml(part);
        if at % 2 == 1 {
            markup += &format!("<code lang=\"en\">{part}</code>");
        } else {
            markup += &part;
        }
    }
    markup
}
