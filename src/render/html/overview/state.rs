//! The first page where nothing has a verdict: outputs to read, figures that somebody recorded, or
//! queries that loaded the skill. It has the same parts as any other.

use serde_json::{Value, json};

use crate::analyze::{Measure, Side};
use crate::budget::{DRAWN_ROWS, OVERVIEW_CASES};
use crate::chart::inline::{BarSide, Certainty, difference_bar, level_bar, recorded_bar};
use crate::digest::{
    RecordedCase, RecordedRate, RecordedRound, RecordedSide, is_only_recorded, query_order,
    recorded_cases, recorded_rounds, shown_round,
};
use crate::language::{DASH, Language, say};
use crate::render::context::{Link, Page, RenderContext, Rows};
use crate::render::html::overview::cases::{DrawnCell, SMALLEST_SCALE};
use crate::render::html::overview::chips::chips_before_grading;
use crate::render::html::overview::next::next_iteration;
use crate::render::html::triggers;
use crate::wording::Answer;
use crate::wording::states::recorded_difference;
use crate::wording::{recorded_results, verdict};
use input::model::{TriggerQuery, TriggerRound};
use text::{cut_line, fixed};

/// Characters of a query in the table.
const QUERY: usize = 240;

/// The parts of the first page where nothing was run.
pub(super) fn without_runs(page: &Page<'_>) -> Value {
    let workspace = page.part.workspace;
    let recorded = recorded_rounds(workspace);
    let queries = shown_round(&workspace.trigger_rounds).map(|at| &workspace.trigger_rounds[at]);
    let words = Answer::new(&page.part.comparisons, page.language);
    let mut answer = json!({
        "word": large_word(&words),
        "sentence": with_whole_percentages(&words.reason),
        "sides": [],
        "chips": [],
        "method": [],
        "gate": [],
    });
    let (cases, main) = if let Some(newest) = recorded.last() {
        add_recorded(&mut answer, page.context, newest);
        let by_case = recorded_cases_view(page, newest, OVERVIEW_CASES);
        let iterations = page.language.count(workspace.iterations.len(), "iteration");
        let rows = by_case.unwrap_or_else(|| recorded_rows(page, &recorded));
        (rows, say!(page.language, "screen.history", iterations))
    } else if let Some(round) = queries {
        (query_rows(page, round), page.language.text("screen.rounds").to_owned())
    } else {
        (Value::Null, String::new())
    };
    let has_history = !cases.is_null();
    let mut next = json!({ "others": [], "brief": "" });
    if has_history {
        let file = if recorded.is_empty() { triggers::FILE } else { "history.html" };
        next["main"] = json!(Link::new(page.to_file(file), main));
    }
    if !recorded.is_empty() || !has_history {
        next["command"] = next_iteration(page);
    }
    json!({
        "answer": answer,
        "counters": [],
        "next": next,
        "candidates": [],
        "cases": cases,
        "groups": [],
    })
}

/// The large word, without the gain that a sentence has after it: the page shows that as a figure.
fn large_word(answer: &Answer) -> String {
    let word = answer.verdict.split(" · ").next().unwrap_or_default();
    word.trim_end_matches(['.', '。']).to_owned()
}

/// `text` whose lines do not break between a number and its unit.
pub(super) fn with_whole_percentages(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Adds to the answer about a side without a verdict what there is instead.
pub(super) fn add_ungraded(
    view: &mut Value,
    context: RenderContext<'_>,
    after: &Side,
    is_newest: bool,
) {
    let language = context.language;
    let workspace = context.part.workspace;
    if is_newest {
        let words = Answer::new(&context.part.comparisons, language);
        view["word"] = json!(large_word(&words));
        view["sentence"] = json!(with_whole_percentages(&words.reason));
        let recorded = recorded_rounds(workspace);
        if is_only_recorded(workspace)
            && let Some(newest) = recorded.last()
        {
            add_recorded(view, context, newest);
            return;
        }
    }
    let iteration = &context.part.workspace.iterations[after.iteration];
    let ran: Vec<_> = iteration.cases.iter().filter(|case| !case.runs.is_empty()).collect();
    let outputs = iteration.runs().map(|run| run.outputs.len()).sum();
    let planned: usize = ran.iter().map(|case| case.planned.len()).sum();
    let mut facts = Vec::new();
    for (number, thing) in
        [(ran.len(), "case"), (iteration.runs().count(), "run"), (outputs, "output")]
    {
        facts.push(json!({ "number": number, "label": noun(context, number, thing) }));
    }
    if planned > 0 {
        facts.push(json!({ "number": planned, "label": language.text("screen.waiting") }));
    }
    facts.push(json!({ "number": 0, "label": language.text("screen.graded") }));
    view["facts"] = json!(facts);
    view["chips"] = json!(chips_before_grading(context, after));
    let roles = &context.part.analysis.iterations[after.iteration].roles;
    if let Some(other) = roles.baseline_of(&after.configuration)
        && let Some(sides) = view["sides"].as_array_mut()
    {
        let bar = DrawnCell { svg: level_bar(0.0, None, BarSide::Other), text: DASH.to_owned() };
        sides.push(json!({ "name": other, "role": "baseline", "bar": bar, "title": "" }));
    }
}

/// The noun of a number that stands alone.
fn noun(context: RenderContext<'_>, number: usize, thing: &str) -> String {
    context.language.counted("", number == 1, thing).trim_start().to_owned()
}

/// Adds the recorded gain and both sides, hatched: nobody could check them.
fn add_recorded(view: &mut Value, context: RenderContext<'_>, newest: &RecordedRound<'_>) {
    let language = context.language;
    let mut sides = vec![side_view(context, &newest.candidate, BarSide::Candidate)];
    if let Some(other) = &newest.baseline {
        sides.push(side_view(context, other, BarSide::Other));
    }
    view["sides"] = json!(sides);
    let workspace = context.part.workspace;
    let totals = &context.shared.totals;
    let listed = workspace.iterations.iter().flat_map(|iteration| &iteration.benchmarks);
    let runs = listed.map(|benchmark| benchmark.listed.len()).sum::<usize>();
    let iterations = totals.iterations;
    let mut facts =
        vec![json!({ "number": iterations, "label": noun(context, iterations, "iteration") })];
    if runs > 0 {
        facts.push(json!({ "number": runs, "label": language.text("screen.recorded_runs") }));
    }
    facts.push(
        json!({ "number": totals.outputs, "label": noun(context, totals.outputs, "output") }),
    );
    facts.push(json!({ "number": 0, "label": language.text("screen.graded") }));
    view["facts"] = json!(facts);
    if let Some(difference) = recorded_difference(newest, language) {
        view["figure"] = json!(difference.gain);
        view["unit"] = json!(language.text("screen.recorded_points"));
    }
}

fn side_view(context: RenderContext<'_>, side: &RecordedSide<'_>, bar: BarSide) -> Value {
    json!({
        "name": side.name,
        "role": bar.class(),
        "bar": recorded_cell(context, Some(&side.rate), bar),
        "title": context.language.text("screen.as_recorded"),
    })
}

fn recorded_cell(
    context: RenderContext<'_>,
    rate: Option<&RecordedRate>,
    bar: BarSide,
) -> DrawnCell {
    let Some(rate) = rate else { return DrawnCell::text(DASH) };
    let Some(share) = rate.share() else { return DrawnCell::text(DASH) };
    DrawnCell {
        svg: recorded_bar(share, bar),
        text: recorded_results::counts(rate, context.language),
    }
}

/// The cases of the newest recorded iteration in a workspace without verdicts; `None` in any other, or
/// if the record has no cases.
pub(super) fn only_recorded_cases(page: &Page<'_>, most: usize) -> Option<Value> {
    let workspace = page.part.workspace;
    if !is_only_recorded(workspace) {
        return None;
    }
    recorded_cases_view(page, recorded_rounds(workspace).last()?, most)
}

/// The cases of a recorded iteration, each with the counts of both sides.
fn recorded_cases_view(page: &Page<'_>, round: &RecordedRound<'_>, most: usize) -> Option<Value> {
    let (context, language) = (page.context, page.language);
    let cases = recorded_cases(page.part.workspace, round);
    if cases.is_empty() {
        return None;
    }
    let record = page.iteration_link(round.iteration);
    let mut scale = SMALLEST_SCALE;
    for gain in cases.iter().filter_map(RecordedCase::gain) {
        scale = scale.max(gain.abs());
    }
    let shown = &cases[..cases.len().min(most)];
    let rows = Rows::all(shown.iter(), |case| {
        let case_index = case.case.map(|at| page.addresses.case_index(round.iteration, at));
        let link = case_index.map(|case_index| page.case_link(case_index));
        let link = link.unwrap_or_else(|| Link::new(record.href.clone(), case.name));
        let mut difference = json!({ "text": DASH });
        if let Some(gain) = case.gain() {
            difference = json!({
                "text": verdict::number(Measure::PassRate, gain),
                "svg": difference_bar(gain / scale, Certainty::Overlapping),
            });
        }
        json!({
            "classes": "",
            "status": "",
            "link": link,
            "candidate": recorded_cell(context, case.candidate.as_ref(), BarSide::Candidate),
            "other": recorded_cell(context, case.baseline.as_ref(), BarSide::Other),
            "difference": difference,
            "review": Link::new(link.href.clone(), language.text("screen.record")),
        })
    });
    let mut all = None;
    if shown.len() < cases.len() {
        let cases = language.count(cases.len(), "case");
        all = Some(Link::new(record.href, say!(language, "cases.all", cases)));
    }
    let has_other = round.baseline.is_some();
    Some(json!({
        "has_other": has_other,
        "has_difference": has_other,
        "is_recorded": true,
        "rows": rows,
        "all": all,
    }))
}

/// A row for each recorded iteration, the newest first: no case of them is left.
fn recorded_rows(page: &Page<'_>, rounds: &[RecordedRound<'_>]) -> Value {
    let (context, language) = (page.context, page.language);
    let rows = Rows::all(rounds.iter().rev(), |round| {
        let link = page.iteration_link(round.iteration);
        json!({
            "classes": "",
            "status": "",
            "link": link,
            "candidate": recorded_cell(context, Some(&round.candidate.rate), BarSide::Candidate),
            "other": recorded_cell(context, round.baseline.as_ref().map(|side| &side.rate), BarSide::Other),
            "difference": DrawnCell::text(recorded_gain(round, language)),
            "review": Link::new(link.href.clone(), language.text("screen.record")),
        })
    });
    let has_other = rounds.iter().any(|round| round.baseline.is_some());
    json!({
        "has_other": has_other,
        "has_difference": has_other,
        "is_recorded": true,
        "title": language.text("state.recorded"),
        "head": language.text("history.iteration"),
        "rows": rows,
    })
}

/// Whole points are enough next to counts; next to percentages the difference has to add up.
fn recorded_gain(round: &RecordedRound<'_>, language: &Language) -> String {
    let gain = if matches!(round.candidate.rate, RecordedRate::Counts(..)) {
        round.gain().map(|gain| verdict::number(Measure::PassRate, gain))
    } else {
        recorded_difference(round, language).map(|difference| difference.gain)
    };
    gain.unwrap_or_else(|| DASH.to_owned())
}

/// A row for each query of a round: how often it loaded the skill, and whether it should.
fn query_rows(page: &Page<'_>, round: &TriggerRound) -> Value {
    let rounds = page.part.workspace.trigger_rounds.chunk_by(|a, b| a.path == b.path);
    let file = rounds.take_while(|rounds| rounds[0].path != round.path).count();
    let rounds = format!("{}#triggers-{file}", page.to_file(triggers::FILE));
    let is_drawn = round.queries.len() <= DRAWN_ROWS;
    let mut queries: Vec<&TriggerQuery> = round.queries.iter().collect();
    queries.sort_by_key(|query| query_order(query));
    json!({
        "title": page.language.text("screen.queries"),
        "head": page.language.text("triggers.query"),
        "figures": page.language.text("triggers.triggered"),
        "is_recorded": true,
        "rows": Rows::all(queries.into_iter(), |query| query_row(page, query, &rounds, is_drawn)),
    })
}

fn query_row(page: &Page<'_>, query: &TriggerQuery, rounds: &str, is_drawn: bool) -> Value {
    let language = page.language;
    let verdict = match query.passed {
        Some(true) => language.text("triggers.is_right"),
        Some(false) => language.text("triggers.is_wrong"),
        None => DASH,
    };
    let mut loaded = DrawnCell::text(verdict);
    if let (Some(triggers), Some(runs)) = (query.triggers, query.runs)
        && runs > 0.0
    {
        let counts = format!("{}/{}", fixed(triggers, 0), fixed(runs, 0));
        loaded.text = language.apart([say!(language, "screen.loaded_of", counts), loaded.text]);
        if is_drawn {
            loaded.svg = recorded_bar(triggers / runs, BarSide::Candidate);
        }
    }
    let wanted = match query.should_trigger {
        Some(true) => language.text("screen.load"),
        Some(false) => language.text("screen.not_load"),
        None => "",
    };
    json!({
        "classes": "",
        "status": "",
        "link": Link::new(rounds, cut_line(&query.query, QUERY)),
        "candidate": loaded,
        "loading": wanted,
        "review": Link::new(rounds, language.text("cases.open")),
    })
}
