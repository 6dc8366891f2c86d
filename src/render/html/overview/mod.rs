//! The overview of a comparison: the answer, the changes, the next steps and the cases. The newest
//! one is the first page of the report; every iteration and every other comparison has its own.

mod answer;
pub(super) mod candidates;
mod cases;
pub(super) mod changes;
mod chips;
mod columns;
mod commands;
mod conditions;
mod findings;
mod next;
mod questions;
mod state;
mod trust;

use serde_json::{Value, json};

use crate::analyze::{Change, Side, Usefulness};
use crate::budget::OVERVIEW_CASES;
use crate::chart::Figure;
use crate::digest::{ComparedCase, ComparedRow, Questions, compared_cases};
use crate::language::say;
use crate::render::context::{Link, Page, PageLink, RenderContext, Rows, Task};
use crate::render::data::{badge, export, summary};
use crate::render::html::comparison_links::has_own_page;
use crate::render::html::expectations::groups_line;
use crate::render::html::history::recorded_rates;
use crate::render::html::overview::answer::answer_view;
use crate::render::html::overview::candidates::{candidates, choices};
use crate::render::html::overview::cases::cases_view;
use crate::render::html::overview::changes::{counters, lists};
use crate::render::html::overview::columns::{Columns, SinceColumn};
use crate::render::html::overview::conditions::conditions_view;
use crate::render::html::overview::findings::findings;
use crate::render::html::overview::next::{next_view, with_commands};
use crate::render::html::overview::questions::questions_view;
use crate::render::html::overview::state::{only_recorded_cases, without_runs};
use crate::render::html::overview::trust::trust;
use crate::render::html::triggers;
use crate::wording;
use crate::wording::recorded_results;
use crate::wording::recorded_results::ShownPage;
use input::model::{Severity, Tally};
use text::bytes;

/// Adds the first page, the page of all cases, and a page for each comparison that leads no
/// iteration.
pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    tasks.push(context.page(
        "overview.html",
        context.addresses.report_file("index.html"),
        newest_overview,
    ));
    tasks.push(context.single_page("cases.html", cases_page));
    for change in &context.part.analysis.changes {
        if has_own_page(context, change) {
            let path = context.addresses.comparison(&change.before, &change.after);
            let view = move |page: &Page<'_>| comparison_overview(page, change);
            tasks.push(context.page("overview.html", path, view));
        }
    }
}

fn newest_overview(page: &Page<'_>) -> Value {
    match page.part.analysis.shown_side() {
        Some(side) => {
            overview(page, Some(side.iteration), leading_comparison(page, side.iteration))
        }
        None => {
            let comparison = without_runs(page);
            overview(page, None, Leading { comparison, choices: Vec::new() })
        }
    }
}

fn comparison_overview(page: &Page<'_>, change: &Change) -> Value {
    let questions = Questions::only(&page.part.comparisons, change);
    let shown = Shown { after: &change.after, change: Some(change), questions: &questions };
    let leading = Leading {
        comparison: comparison(page, shown, Rows::default()),
        choices: choices(page, Some(change)),
    };
    overview(page, Some(change.after.iteration), leading)
}

/// What the overview of an iteration is about.
#[derive(Default)]
pub(super) struct Leading {
    /// Null without a verdict.
    pub(super) comparison: Value,
    /// The comparisons of the iteration, to choose from.
    pub(super) choices: Vec<PageLink>,
}

/// The comparisons to choose from on the page of an iteration.
pub(super) fn choices_in(page: &Page<'_>, iteration: usize) -> Vec<PageLink> {
    let Some(after) = page.part.analysis.shown_side_of(iteration) else { return Vec::new() };
    choices(page, page.part.analysis.lead(&after))
}

/// The answer of the first page, linked to it.
pub(super) fn first_page_link(page: &Page<'_>) -> Option<Link> {
    page.part.analysis.shown_side()?;
    let answer = wording::Answer::new(&page.part.comparisons, page.language);
    Some(Link::new(page.to_file("index.html"), answer.verdict))
}

/// The leading comparison of an iteration.
pub(super) fn leading_comparison(page: &Page<'_>, iteration: usize) -> Leading {
    let Some(after) = page.part.analysis.shown_side_of(iteration) else {
        return Leading::default();
    };
    let change = page.part.analysis.lead(&after);
    // There may be many candidates, so their table is on one page only.
    let candidates = candidates(page, iteration);
    let questions = Questions::new(&page.part.comparisons, &after);
    let shown = Shown { after: &after, change, questions: &questions };
    Leading { comparison: comparison(page, shown, candidates), choices: choices(page, change) }
}

/// What an overview is about.
#[derive(Clone, Copy)]
struct Shown<'a> {
    after: &'a Side,
    /// The comparison that the next step and the review follow.
    change: Option<&'a Change>,
    questions: &'a Questions<'a>,
}

impl<'a> Shown<'a> {
    /// The row of its own candidate that answers the first question, and that of the second.
    fn rows(self) -> [Option<&'a ComparedRow<'a>>; 2] {
        [&self.questions.helps, &self.questions.changed].map(|rows| {
            let own = rows.iter().find(|row| row.after == *self.after);
            own.and_then(|row| row.compared())
        })
    }

    /// The comparisons of the table of cases. It shows both configurations, whichever is the baseline.
    fn columns(self, page: &Page<'a>) -> Columns<'a> {
        let [helps, changed] = self.rows().map(|row| row.map(|row| row.change));
        let peers = peers_of(page.context, self.after, self.change).first();
        let is_unmeasured = is_unmeasured(page, self.after);
        let since = helps.and(changed).filter(|_| !is_unmeasured);
        let since = since.map(|change| SinceColumn::new(page, change));
        Columns { change: helps.or(changed).or(self.change).or(peers), since, is_unmeasured }
    }
}

/// Whether the runs of the first page say nothing: then neither do their differences.
fn is_unmeasured(page: &Page<'_>, after: &Side) -> bool {
    page.part.analysis.shown_side().as_ref() == Some(after)
        && page.part.comparisons.is_unmeasured(after)
}

/// The content of every overview, with the candidates of the iteration if there are several; null
/// without a verdict.
fn comparison<'a>(page: &Page<'a>, shown: Shown<'a>, candidates: Rows<Value>) -> Value {
    let Shown { after, change, .. } = shown;
    let conditions = conditions_view(page, after, shown.questions);
    let mut cases_title = None;
    if conditions.is_some() {
        let analysis = page.part.analysis;
        let known = analysis.by_condition(page.part.workspace, after).into_iter();
        let own =
            known.into_iter().find(|(_, known)| Some(known.sides()) == change.map(Change::sides));
        cases_title = own.map(|(name, _)| say!(page.language, "cases.under", condition = name));
    }
    // The rows of conditions have all that the table of candidates would have.
    let candidates = if conditions.is_some() { Rows::default() } else { candidates };
    let is_newest = page.part.analysis.shown_side().as_ref() == Some(after);
    let peers = peers_of(page.context, after, change);
    let Some(mut answer) = answer_view(page.context, after, change, peers, is_newest) else {
        return Value::Null;
    };
    let disputed = shown.questions.disputed();
    if disputed > 0
        && let Some(facts) = answer["facts_line"].as_array_mut()
    {
        let text = page.language.count(disputed, "disputed");
        facts.push(json!({ "strong": "", "rest": text }));
    }
    // What cannot be believed is shown as it was recorded.
    let columns = shown.columns(page);
    let is_unmeasured = columns.is_unmeasured;
    let cases = ordered_cases(page, after, &columns);
    let [helps, changed] = shown.rows().map(|row| row.map(|row| &row.changes));
    let mut hero = None;
    if page.part.analysis.tally_of(after).graded() > 0 && peers.is_empty() {
        hero = Some(questions_view(page, shown.questions, is_unmeasured));
    }
    let mut table = cases_table(page, after, &columns, &cases, OVERVIEW_CASES);
    let mut next = next_view(page, after, change, &cases, is_unmeasured);
    // One thing to do next that names a check, a case or a command.
    if let Some(advice) = answer["next"].as_str().filter(|advice| !advice.is_empty()) {
        next["step"] = json!(with_commands(advice));
    }
    // The page is about all conditions, and the table about one of them.
    if let Some(title) = cases_title {
        table["title"] = json!(title);
    }
    let share = share(page, &answer, shown.questions, is_unmeasured);
    json!({
        "answer": answer,
        "is_unmeasured": is_unmeasured,
        "questions": hero,
        "counters": counters(page.context, &cases, &columns),
        "next": next,
        "conditions": conditions,
        "candidates": candidates,
        "cases": table,
        "groups": lists(page, helps, changed, is_unmeasured),
        "share": share,
    })
}

/// The verdict as text, for a message: the headline, its reason, and a line for each answered question.
fn share(
    page: &Page<'_>,
    answer: &Value,
    questions: &Questions<'_>,
    is_unmeasured: bool,
) -> String {
    let text = |name: &str| answer[name].as_str().unwrap_or_default();
    let headline = [text("sign"), text("word")].join(" ");
    let mut lines = vec![page.language.labelled(page.part.title(), headline.trim())];
    lines.push(text("sentence").to_owned());
    let rows = wording::questions::rows(page.part.facts(page.language), questions);
    for row in rows.into_iter().filter(|_| !is_unmeasured) {
        let Some(figures) = &row.figures else { continue };
        let mut question = row.question.clone();
        if !row.condition.is_empty() {
            question = page.language.apart([&row.question, &row.condition]);
        }
        let word = format!("{} {}", row.sign, row.word);
        let points = figures.points_with_range(page.language);
        let answer = page.language.apart([word.trim(), points.as_str()]);
        lines.push(page.language.labelled(&question, &answer));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// The cases of `after`: those that lost a check since the last change come first.
fn ordered_cases<'a>(
    page: &Page<'a>,
    after: &Side,
    columns: &Columns<'_>,
) -> Vec<ComparedCase<'a>> {
    let mut cases = compared_cases(&page.part.comparisons, after, columns.change);
    if let Some(since) = &columns.since {
        cases.sort_by_key(|case| !since.has_lost(case.case_index));
    }
    cases
}

/// The table of cases: by the verdicts, else by what is recorded of them.
fn cases_table(
    page: &Page<'_>,
    after: &Side,
    columns: &Columns<'_>,
    cases: &[ComparedCase<'_>],
    most: usize,
) -> Value {
    only_recorded_cases(page, most).unwrap_or_else(|| cases_view(page, after, columns, cases, most))
}

/// Both readings of two configurations of which either may be the baseline; empty if that is known.
fn peers_of<'a>(context: RenderContext<'a>, after: &Side, change: Option<&Change>) -> &'a [Change] {
    let peers = &context.part.analysis.iterations[after.iteration].peers;
    if change.is_none() && peers.first().is_some_and(|first| first.after == *after) {
        peers
    } else {
        &[]
    }
}

fn overview(page: &Page<'_>, iteration: Option<usize>, leading: Leading) -> Value {
    let language = page.language;
    let Leading { comparison, choices } = leading;
    let expectations = &page.shared.expectations;
    let mut health = None;
    // That no check has another side is what the whole page says already.
    if expectations.number(Usefulness::OneSided) < expectations.histories.len() {
        health = groups_line(expectations, language);
    }
    let all_iterations = language.text("overview.all_iterations");
    json!({
        "frame": page.frame(page.part.title(), iteration).with_comparisons(choices),
        "comparison": comparison,
        "health": health.map(|text| Link::new(page.to_file("expectations.html"), text)),
        "findings": findings(page),
        "trust": trust(page),
        "rest": iteration.map(|index| rest_link(page, index)),
        "chart": chart(page),
        "history": Link::new(page.to_file("history.html"), all_iterations),
        "inventory": inventory(page.context),
        "other_data": other_data(page),
        "problems": Link::new(page.to_file("problems.html"), problems(page)),
        "files": files(page),
        "numbers": Link::new(page.to_file("runs.csv"), language.text("overview.numbers")),
    })
}

/// A link to what the page of an iteration has besides its comparison.
fn rest_link(page: &Page<'_>, iteration: usize) -> Link {
    let Link { href, text } = page.iteration_link(iteration);
    Link::new(href, say!(page.language, "overview.rest", iteration = text))
}

/// The recorded pass rates over the iterations, on the first page of a workspace without verdicts. Those that are
/// counted are on the history: its picture would be a quarter of this page.
fn chart(page: &Page<'_>) -> Option<Figure> {
    let is_first = page.path == page.addresses.report_file("index.html");
    if page.part.analysis.newest().is_some() || !is_first {
        return None;
    }
    recorded_rates(page)
}

/// Links to what the workspace has besides runs, each with its number.
fn other_data(page: &Page<'_>) -> Vec<Link> {
    let mut links = Vec::new();
    for (shown, text) in recorded_results::others(&page.shared.totals, page.language) {
        let file = match shown {
            ShownPage::Comparisons => "comparisons.html",
            ShownPage::Feedback => "feedback.html",
            ShownPage::Triggers => triggers::FILE,
        };
        links.push(Link::new(page.to_file(file), text));
    }
    links
}

fn cases_page(page: &Page<'_>) -> Value {
    let (mut table, mut cases, mut filters) = (Value::Null, Vec::new(), Vec::new());
    let newest = page.part.analysis.shown_side();
    if let Some(after) = &newest {
        let questions = Questions::new(&page.part.comparisons, after);
        let change = page.part.analysis.lead(after);
        let columns = Shown { after, change, questions: &questions }.columns(page);
        cases = ordered_cases(page, after, &columns);
        table = cases_table(page, after, &columns, &cases, usize::MAX);
        filters = counters(page.context, &cases, &columns);
    }
    // The order of the overview begins with the compared cases.
    let rest = &page.shared.order[cases.len()..];
    let iteration = newest.map(|after| after.iteration);
    json!({
        "frame": page.frame(page.language.text("page.cases"), iteration),
        "counters": filters,
        "cases": table,
        "others": Rows::all(rest.iter(), |case_index| page.case_link(*case_index)),
    })
}

/// What the workspace holds, in numbers; what it has none of is left out.
fn inventory(context: RenderContext<'_>) -> Vec<String> {
    let language = context.language;
    let totals = &context.shared.totals;
    let mut lines = Vec::new();
    for (number, thing) in [
        (totals.iterations, "iteration"),
        (context.part.analysis.cases.len(), "case"),
        (totals.configurations, "configuration"),
    ] {
        if number > 0 {
            lines.push(language.count(number, thing));
        }
    }
    if totals.runs > 0 {
        let n = totals.graded_runs + totals.recorded_runs;
        lines.push(if n == totals.runs {
            language.count(n, "graded_run")
        } else {
            let runs = language.count(totals.runs, "run");
            say!(language, "overview.runs_graded", runs, n)
        });
    }
    let Tally { passed, failed, ungraded } = totals.verdicts();
    if passed + failed + ungraded > 0 {
        lines.push(say!(language, "overview.verdicts", passed, failed, ungraded));
    }
    if totals.outputs > 0 {
        let outputs = language.count(totals.outputs, "output");
        lines.push(say!(language, "overview.outputs", outputs, size = bytes(totals.output_bytes)));
    }
    lines
}

/// The problems in files by severity; the title of their page if there are none.
fn problems(page: &Page<'_>) -> String {
    let language = page.language;
    let mut counts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let problems = page.part.workspace.problems.iter();
        let number = problems.filter(|problem| problem.severity() == severity).count();
        if number > 0 {
            counts.push(language.problems(number, severity));
        }
    }
    if counts.is_empty() {
        return language.text("page.problems").to_owned();
    }
    language.list(counts)
}

/// Links to the files for programs.
fn files(page: &Page<'_>) -> Vec<Link> {
    let mut files = vec![Link::new(page.to_file("report.md"), "report.md")];
    // A report of several workspaces has these two once for all of them.
    for name in ["report.json", summary::FILE] {
        files.push(Link::new(page.link(name), name));
    }
    let mut names = Vec::new();
    if page.part.analysis.newest().is_some() {
        names.extend(["benchmark.md", "benchmark.json"]);
    }
    names.extend(export::names(page.part.settings));
    names.extend([badge::DRAWING, badge::ENDPOINT]);
    files.extend(names.into_iter().map(|name| Link::new(page.to_file(name), name)));
    files
}
