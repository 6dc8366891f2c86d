//! The checks of all cases: who passed them, and how informative they are.

mod audit;
mod groups;

use serde::Serialize;

use crate::analyze::{
    ConfigurationTally, ExpectationHistory, Expectations, Roles, Usefulness, answer_in_prompt,
    is_earlier_name,
};
use crate::budget::{DATA_CELLS, DATA_COLUMNS, SHORT_LIST};
use crate::chart::inline::{BarSide, ColumnRate, columns, parts_bar};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Link, Page, RenderContext, Rows, View, bounds::take_rows, view};
use crate::render::html::case::{Outcomes, fill};
use crate::render::html::disputable::{RunAt, disputable};
use crate::render::html::expectations::audit::audit_view;
pub(super) use crate::render::html::expectations::groups::groups_line;
use crate::render::html::expectations::groups::{Group, GroupedChecks, grouped, has_single_runs};
use crate::render::html::review::RunPages;
use crate::render::html::skill::edit_of;
use crate::wording::checks;
use input::model::Tally;
use text::cut_line;

/// Characters of a prompt that are quoted.
const QUOTED: usize = 80;

pub(super) fn view(page: &Page<'_>) -> View {
    let language = page.language;
    let expectations = &page.shared.expectations;
    let shown = ShownColumns::new(page);
    let groups = grouped(expectations);
    let newest = expectations.iteration.map(|iteration| NewestChecks {
        roles: &page.part.analysis.iterations[iteration].roles,
        iteration,
    });
    let mut room = DATA_CELLS;
    let mut group_views = Vec::new();
    for found in &groups {
        let most = take_rows(&mut room, found.checks.len(), shown.iterations.len() + 3);
        let rows = Rows::first(most, found.checks.iter(), |check| {
            row(page, newest.as_ref(), check, found.group, &shown)
        });
        let has_note = ["failing", "passing", "unsteady"].contains(&found.name);
        let once = matches!(found.group, Group::Worse | Group::Apart) && found.is_single;
        group_views.push(view!({
            "id": found.name,
            "number": found.checks.len(),
            "has_note": has_note,
            "once": once,
            "rows": rows,
        }));
    }
    view!({
        "frame": page.frame(language.text("expectations.title"), None),
        "headline": headline(&groups, language),
        "lead": lead(page, expectations),
        "bar": bar(&groups),
        "health": checks::health_sentences(expectations, language),
        "rates": rates(page.context, expectations),
        "configurations": newest.as_ref().map_or(Rows::default(), |newest| heads(newest.roles)),
        "history": shown.sentence(page),
        "groups": group_views,
        "audit": audit_view(page),
    })
}

/// How many checks cannot show a difference between the sides.
fn headline(groups: &[GroupedChecks<'_, '_>], language: &Language) -> String {
    let number = |is_meant: fn(Group) -> bool| -> usize {
        groups.iter().filter(|found| is_meant(found.group)).map(|found| found.checks.len()).sum()
    };
    let compared = number(Group::is_compared);
    let useless = number(|group| matches!(group, Group::Failing | Group::Passing));
    let key = match useless {
        _ if compared == 0 => return language.text("expectations.title").to_owned(),
        0 => return language.text("expectations.all_measure").to_owned(),
        1 => "expectations.measures_nothing",
        _ => "expectations.measure_nothing",
    };
    say!(language, key, n = useless, expectations = language.count(compared, "expectation"))
}

/// How many checks there are, and in which iteration they count.
fn lead(page: &Page<'_>, expectations: &Expectations<'_>) -> String {
    let language = page.language;
    let all = expectations.histories.len();
    let Some(index) = expectations.iteration else {
        let number = language.count(all, "expectation");
        return say!(language, "expectations.lead_without", number);
    };
    let iteration = &page.part.workspace.iterations[index].name;
    let earlier = expectations.number(Usefulness::Earlier);
    let number = language.count(all - earlier, "expectation");
    let key = if earlier == 0 { "expectations.lead" } else { "expectations.lead_earlier" };
    say!(language, key, number, iteration, n = earlier)
}

/// The parts of the compared checks as one bar, with a key that leads to each; `None` for a single part.
fn bar(groups: &[GroupedChecks<'_, '_>]) -> Option<View> {
    let compared: Vec<_> = groups.iter().filter(|found| found.group.is_compared()).collect();
    if compared.len() < 2 {
        return None;
    }
    let mut parts = Vec::new();
    let mut keys = Vec::new();
    for found in compared {
        let single = if found.is_single { " single" } else { "" };
        let class = format!("part-{}{single}", found.name);
        keys.push(view!({
            "class": class,
            "number": found.checks.len(),
            "id": found.name,
        }));
        parts.push((class, found.checks.len()));
    }
    Some(view!({ "svg": parts_bar(&parts), "keys": keys }))
}

/// The pass rates of candidate and baseline, with and without saturated statements.
fn rates(context: RenderContext<'_>, expectations: &Expectations<'_>) -> Vec<String> {
    let Some(index) = expectations.iteration else { return Vec::new() };
    let analysis = &context.part.analysis.iterations[index];
    let sides = [
        (analysis.candidate(), expectations.candidate, expectations.candidate_unsaturated),
        (analysis.baseline(), expectations.baseline, expectations.baseline_unsaturated),
    ];
    let is_some_saturated = expectations.number(Usefulness::PassesEverywhere) > 0;
    let mut sentences = Vec::new();
    for (summary, total, rest) in sides {
        let Some(summary) = summary else { continue };
        if total.graded() == 0 {
            continue;
        }
        sentences.push(rate_sentence(context, "expectations.rate", &summary.name, total));
        if is_some_saturated && rest.graded() > 0 {
            let key = "expectations.rate_unsaturated";
            sentences.push(rate_sentence(context, key, &summary.name, rest));
        }
    }
    sentences
}

fn rate_sentence(context: RenderContext<'_>, key: &str, name: &str, tally: Tally) -> String {
    say!(context.language, key, name, counts = Rate::counts_of(tally))
}

fn heads(roles: &Roles) -> Rows<View> {
    let names: Vec<&str> = roles.order().collect();
    Rows::first(
        DATA_COLUMNS,
        names.into_iter(),
        |name| view!({ "name": name, "role": role(roles, name) }),
    )
}

fn role(roles: &Roles, name: &str) -> &'static str {
    let Some(baseline) = &roles.baseline else { return "" };
    if baseline == name && is_earlier_name(name) {
        "previous"
    } else if baseline == name {
        "baseline"
    } else if roles.candidates.first().is_some_and(|candidate| candidate == name) {
        "candidate"
    } else {
        ""
    }
}

/// The newest iterations with verdicts, which the history of a check shows.
struct ShownColumns<'a> {
    /// Each with its index.
    iterations: Vec<(usize, &'a Roles)>,
    /// The edit of the skill before each, such as `SKILL.md +17 −7 lines: Memos`; empty for none.
    edits: Vec<String>,
    is_cut: bool,
}

/// The rates of a check, drawn.
#[derive(Serialize)]
struct Track {
    svg: String,
    /// What the columns are, for the pointer and for those who do not see them.
    story: Vec<StoryLine>,
}

/// What became of a check in an iteration, with the edit of the skill where it flipped.
#[derive(Serialize)]
struct StoryLine {
    text: String,
    edit: String,
}

impl<'a> ShownColumns<'a> {
    fn new(page: &Page<'a>) -> Self {
        let analyses = &page.part.analysis.iterations;
        let graded: Vec<usize> =
            (0..analyses.len()).filter(|at| analyses[*at].tally().graded() > 0).collect();
        let cut = graded.len().saturating_sub(SHORT_LIST);
        let iterations = graded[cut..].iter().map(|at| (*at, &analyses[*at].roles)).collect();
        let edits = graded[cut..].iter().map(|at| edit_text(page, *at)).collect();
        Self { iterations, edits, is_cut: cut > 0 }
    }

    fn has_history(&self) -> bool {
        self.iterations.len() > 1
    }

    /// Which iterations the history has; older ones are on the page of the case.
    fn sentence(&self, page: &Page<'_>) -> Option<String> {
        if !self.has_history() {
            return None;
        }
        let iterations = &page.part.workspace.iterations;
        let names = self.iterations.iter().map(|(at, _)| iterations[*at].name.as_str());
        let names = page.language.list(names);
        let key = if self.is_cut { "expectations.history_cut" } else { "expectations.history_of" };
        Some(say!(page.language, key, names))
    }

    /// The rates of the candidate on a check over the iterations; `None` without several.
    fn track(&self, page: &Page<'_>, history: &ExpectationHistory<'_>) -> Option<Track> {
        let (mut rates, mut story) = (Vec::new(), Vec::new());
        let mut before: Option<Tally> = None;
        for ((at, roles), edit) in self.iterations.iter().zip(&self.edits) {
            let name = roles.candidates.first();
            let counted = name.and_then(|name| history.counted(*at, name));
            rates.push(counted.and_then(|found| {
                let rate = found.tally.pass_rate()?;
                Some(ColumnRate { rate, is_single: found.runs == 1 })
            }));
            let Some(found) = counted else { continue };
            let iteration = &page.part.workspace.iterations[*at].name;
            let text = format!("{iteration} {}", Rate::counts_of(found.tally));
            let is_flipped = before.is_some_and(|before| has_flipped(before, found.tally));
            let edit = if is_flipped { edit.clone() } else { String::new() };
            story.push(StoryLine { text, edit });
            before = Some(found.tally);
        }
        if !self.has_history() || story.is_empty() {
            return None;
        }
        let svg = columns(&rates, BarSide::Candidate);
        Some(Track { svg, story })
    }
}

/// From all to none, or back.
fn has_flipped(before: Tally, after: Tally) -> bool {
    (before.failed == 0 && after.passed == 0 || before.passed == 0 && after.failed == 0)
        && before.graded().min(after.graded()) > 0
}

/// What was changed in the skill before an iteration; empty where nobody knows.
fn edit_text(page: &Page<'_>, iteration: usize) -> String {
    let Some(edit) = edit_of(page, iteration) else { return String::new() };
    let size = format!("SKILL.md {}", edit.size);
    if edit.sections.is_empty() { size } else { page.language.labelled(&size, &edit.sections) }
}

/// The deciding iteration, whose counts the table shows by configuration.
struct NewestChecks<'a> {
    iteration: usize,
    roles: &'a Roles,
}

fn row(
    page: &Page<'_>,
    newest: Option<&NewestChecks<'_>>,
    check: &ExpectationHistory<'_>,
    group: Group,
    shown: &ShownColumns<'_>,
) -> View {
    let mut statuses = vec![check.usefulness.word()];
    if check.is_flaky {
        statuses.push("unsteady");
    }
    let cells = match newest {
        Some(newest) => {
            let names: Vec<&str> = newest.roles.order().collect();
            Rows::first(DATA_COLUMNS, names.into_iter(), |name| cell(page, newest, check, name))
        }
        None => Rows::default(),
    };
    view!({
        "anchor": anchor(page, check, &check.key),
        "other_anchors": check.other_keys.iter().map(|key| anchor(page, check, key)).collect::<Vec<_>>(),
        "status": statuses.join(" "),
        "text": check.text,
        "probably_earlier": check.probably_earlier
            .map(|text| say!(page.language, "diff.probably_reworded", text)),
        "other_words": check.other_wordings.iter().map(|wording| wording.text.to_owned()).collect::<Vec<_>>(),
        "cells": cells,
        "history": shown.track(page, check),
        "reason": newest.and_then(|newest| reason(page, newest, check, group)),
        "verdict": newest.and_then(|newest| shown_verdict(page, newest, check)),
        "case": page.case_link(check.case),
    })
}

/// Why a check is in its group, or since when: what its prompt says, or what became of it.
fn reason(
    page: &Page<'_>,
    newest: &NewestChecks<'_>,
    check: &ExpectationHistory<'_>,
    group: Group,
) -> Option<View> {
    let language = page.language;
    let is_single = has_single_runs(check, Some(newest.iteration));
    let candidate = newest.roles.candidates.first()?;
    let mut own = check
        .counted
        .iter()
        .filter(|found| found.configuration == candidate && found.tally.graded() > 0);
    let now = own.next().filter(|found| found.iteration == newest.iteration)?;
    let before = own.next();
    if let Some(before) = before {
        let iteration = &page.part.workspace.iterations[before.iteration].name;
        let [was, is] = [before.tally, now.tally];
        if was.failed == 0 && is.passed == 0 {
            let sign = if is_single { "▽" } else { "▼" };
            let text = say!(language, "expectations.lost_since", iteration);
            return Some(view!({ "sign": sign, "tone": "worse", "text": text }));
        }
        let answered = answered(page, newest, check).filter(|_| group == Group::Passing);
        if was.passed == 0 && is.failed == 0 && answered.is_none() {
            let sign = if is_single { "△" } else { "▲" };
            let text = say!(language, "expectations.repaired_since", iteration);
            return Some(view!({ "sign": sign, "tone": "better", "text": text }));
        }
    }
    let text = match group {
        Group::Passing => answered(page, newest, check).or_else(|| always(page, check)),
        Group::Failing => always(page, check),
        _ => None,
    };
    text.map(|text| view!({ "text": text }))
}

/// The words of the prompt that a check restates.
fn answered(
    page: &Page<'_>,
    newest: &NewestChecks<'_>,
    check: &ExpectationHistory<'_>,
) -> Option<String> {
    let history = &page.part.analysis.cases[check.case];
    let case = history.case(page.part.workspace, newest.iteration)?;
    let words = answer_in_prompt(case.prompt.as_deref()?, check.text)?;
    Some(say!(page.language, "expectations.prompt_says", words = cut_line(words, QUOTED)))
}

/// That all runs of several iterations agree, on whatever side.
fn always(page: &Page<'_>, check: &ExpectationHistory<'_>) -> Option<String> {
    let first = check.counted.last()?;
    if Some(first.iteration) == check.counted.first().map(|newest| newest.iteration) {
        return None;
    }
    let all: Tally = check.counted.iter().map(|found| found.tally).sum();
    let runs = page.language.count(all.graded(), "run");
    let iteration = &page.part.workspace.iterations[first.iteration].name;
    match (all.passed, all.failed) {
        (0, _) => Some(say!(page.language, "expectations.never", runs, iteration)),
        (_, 0) => Some(say!(page.language, "expectations.always", runs, iteration)),
        _ => None,
    }
}

/// The runs of a configuration that pass a check, as a square and as counts, linked to the page that
/// explains them.
fn cell(
    page: &Page<'_>,
    newest: &NewestChecks<'_>,
    check: &ExpectationHistory<'_>,
    name: &str,
) -> View {
    let found = check.counted(newest.iteration, name).and_then(|counted| {
        let link = counts_link(page, counted, check)?;
        let outcomes = Outcomes { tally: counted.tally, is_single: counted.runs == 1 };
        Some(view!({ "link": link, "square": fill(outcomes) }))
    });
    found.unwrap_or_else(|| view!({ "link": Link::nowhere(DASH), "square": "" }))
}

/// The verdict of the candidate to which the counts lead, for those who say that it is wrong.
fn shown_verdict(
    page: &Page<'_>,
    newest: &NewestChecks<'_>,
    check: &ExpectationHistory<'_>,
) -> Option<View> {
    let candidate = newest.roles.candidates.first()?;
    let counted = check.counted(newest.iteration, candidate)?;
    let case = page.part.analysis.cases[check.case].appearance(newest.iteration)?.case;
    disputable(page, RunAt { iteration: newest.iteration, case, run: counted.run }, check.text)
}

fn anchor(page: &Page<'_>, check: &ExpectationHistory<'_>, key: &str) -> String {
    page.addresses.expectation(check.case, key)
}

/// The counts, linked to the review page of the run that explains them, else to its own page.
fn counts_link(
    page: &Page<'_>,
    counted: &ConfigurationTally<'_>,
    check: &ExpectationHistory<'_>,
) -> Option<Link> {
    let case = page.part.analysis.cases[check.case].case(page.part.workspace, counted.iteration)?;
    let run = &case.runs[counted.run];
    let pages = RunPages::in_iteration(page.context, check.case, counted.iteration);
    let run_page = pages
        .run(page, counted.iteration, run)
        .unwrap_or_else(|| page.to_run(counted.iteration, check.case, run));
    let href = format!("{run_page}#{}", anchor(page, check, &check.key));
    Some(Link::new(href, Rate::counts_of(counted.tally)))
}
