//! The hero: both questions, a row each; of several conditions one question at a time, with a row for
//! each condition.

use serde_json::{Value, json};

use crate::analyze::{CostKind, Measure, SCORES};
use crate::chart::inline::{BarSide, Tone, gain_axis, level_bar, outlined_bar};
use crate::digest::{ComparedRow, Question, Questions, Row};
use crate::language::say;
use crate::render::context::Page;
use crate::render::html::comparison_links::{address, tone};
use crate::render::html::guide::Term;
use crate::render::html::overview::cases::DrawnCell;
use crate::wording::loading;
use crate::wording::questions::{RowFigures, RowText};
use text::tokens;

/// The tables of the hero: one, or under several conditions one for each question.
/// Of runs that cannot be believed (`is_unmeasured`), they have what is recorded, and no answer.
pub(super) fn questions_view(
    page: &Page<'_>,
    questions: &Questions<'_>,
    is_unmeasured: bool,
) -> Value {
    if questions.helps.len().max(questions.changed.len()) < 2 {
        let mut rows: Vec<&Row<'_>> = questions.rows().collect();
        // What was answered comes first.
        rows.sort_by_key(|row| row.compared().is_none());
        let figures = rows.first().and_then(|row| cost_figures(page, row));
        let rows: Vec<Value> =
            rows.into_iter().map(|row| row_view(page, row, is_unmeasured)).collect();
        return json!({
            "figures": figures.filter(|_| !is_unmeasured),
            "tables": [{ "rows": rows }],
            "choices": [],
        });
    }
    let mut tables = Vec::new();
    let mut choices = Vec::new();
    for (question, rows) in
        [(Question::Helps, &questions.helps), (Question::Changed, &questions.changed)]
    {
        // A question that no condition answers needs no table.
        if rows.iter().all(|row| row.compared().is_none()) {
            continue;
        }
        let id = question.name();
        let rows: Vec<Value> = rows.iter().map(|row| row_view(page, row, is_unmeasured)).collect();
        tables.push(json!({ "id": id, "is_by_condition": true, "rows": rows }));
        choices.push(json!({ "id": id, "text": page.language.entry(&["questions", id]) }));
    }
    json!({ "tables": tables, "choices": choices })
}

/// How the other side of a row is drawn.
pub(super) fn other_side(question: Question) -> BarSide {
    match question {
        Question::Helps => BarSide::Other,
        Question::Changed => BarSide::Earlier,
    }
}

/// What a changed skill costs now where it lost nothing: then that is the news.
fn cost_figures(page: &Page<'_>, row: &Row<'_>) -> Option<Vec<Value>> {
    let found = row.compared().filter(|found| found.is_parity())?;
    let text = RowText::new(page.part.facts(page.language), row);
    let both = [&row.after, &found.change.before].map(|side| page.part.analysis.summary(side));
    let [Some(after), Some(before)] = both else { return None };
    let mut figures = Vec::new();
    for cost in text.costs.iter().filter(|cost| !cost.strong.is_empty()) {
        figures.push(json!({ "figure": cost.strong, "label": cost.rest, "title": cost.title }));
    }
    if figures.is_empty() {
        return None;
    }
    if let (Some(after), Some(before)) = (after.tokens, before.tokens) {
        // Means whose ratio is another one than the typical ratio would contradict it.
        let ratio = page.language.ratio(after.mean / before.mean, CostKind::Tokens.less());
        let label = page.language.text(CostKind::Tokens.name());
        let of_tokens = |figure: &&mut Value| {
            let shown = figure["figure"].as_str().unwrap_or_default();
            figure["label"] == label && shown.ends_with(&ratio)
        };
        if let Some(figure) = figures.iter_mut().find(of_tokens) {
            let [from, to] = [before.mean, after.mean].map(tokens);
            figure["means"] = json!(say!(page.language, "questions.per_run", from, to));
        }
    }
    Some(figures)
}

fn row_view(page: &Page<'_>, row: &Row<'_>, is_unmeasured: bool) -> Value {
    let text = RowText::new(page.part.facts(page.language), row);
    let other = other_side(row.question);
    let mut view = json!({
        "title": if text.condition.is_empty() { &text.question } else { &text.condition },
        "candidate": text.candidate,
        "other": text.other,
        "role": other.class(),
        "sign": text.sign,
        "tone": text.tone,
        "word": text.word,
        "limit": text.limit,
        "checks": text.checks,
        "costs": text.costs,
        "is_missing": row.compared().is_none(),
        // What does not follow the other conditions.
        "is_apart": row.condition.is_some() && !row.is_up(),
    });
    if let Some(found) = row.compared() {
        view["link"] = json!(page.link(&address(page.context, found.change)));
        // The words of a rerun and of a parity say what they mean.
        if !is_unmeasured && !found.is_rerun() && !found.is_parity() {
            view["term"] = json!(Term::of_verdict(page, found.change.gain.word()));
        }
        if let Some(figures) = &text.figures {
            add_figures(&mut view, page, found, figures, other);
        }
        if row.condition.is_some() {
            view["loading"] = json!(loading_of(page, row));
        }
    } else if let Some(own) = page.part.analysis.summary(&row.after)
        && let Some(rate) = own.by_case
    {
        // Its own rate is all that there is.
        let svg = if own.runs_per_case <= 1 {
            outlined_bar(rate, BarSide::Candidate, false)
        } else {
            level_bar(rate, None, BarSide::Candidate)
        };
        let cell = DrawnCell { svg, text: page.language.percent(rate) };
        view["own_rate"] = json!(cell);
    }
    if is_unmeasured && row.compared().is_some() {
        view["points"] = json!("");
        view["sign"] = json!("");
        view["limit"] = json!(page.language.text("questions.as_recorded"));
        view["axis"] = Value::Null;
        view["checks"] = json!([]);
        view["costs"] = json!([]);
        view["is_missing"] = json!(true);
        view["rates"] = recorded_rates(row, &text);
    }
    view
}

/// The pass rates of both sides, hatched: as recorded, not counted.
fn recorded_rates(row: &Row<'_>, text: &RowText) -> Value {
    let gain = row.compared().and_then(|found| found.change.gain.comparison.as_ref());
    let (Some(found), Some(figures)) = (gain, &text.figures) else { return json!([]) };
    let mut cells = Vec::new();
    for (share, rate, side) in [
        (found.means[1], &figures.rates[0], BarSide::Candidate),
        (found.means[0], &figures.rates[1], BarSide::Other),
    ] {
        cells.push(DrawnCell { svg: outlined_bar(share, side, true), text: rate.clone() });
    }
    json!(cells)
}

/// In how many runs of the condition the skill was loaded, where it is known.
fn loading_of(page: &Page<'_>, row: &Row<'_>) -> Option<String> {
    let summary = page.part.analysis.summary(&row.after)?;
    loading::counts(&summary.loads, page.language)
}

fn add_figures(
    view: &mut Value,
    page: &Page<'_>,
    row: &ComparedRow<'_>,
    figures: &RowFigures,
    other: BarSide,
) {
    let language = page.language;
    let gain = &row.change.gain;
    view["points"] = json!(figures.points);
    view["unit"] = json!(figures.unit);
    let is_single = row.is_single();
    if let (Some(range), Some([low, high]), Some(paired)) =
        (gain.range(), &figures.range, gain.shown())
    {
        let sides = ["questions.worse_end", "questions.better_end"].map(|key| language.text(key));
        // Green is for a range above zero only.
        let tone = if row.is_rerun() { Tone::Neutral } else { tone(gain.verdict()) };
        view["axis"] = json!(DrawnCell {
            svg: gain_axis(paired.mean, range.interval, tone, is_single, [low, high], sides),
            text: say!(language, "answer.interval", low, high),
        });
    }
    let shares = match (gain.measure(), &gain.comparison) {
        (Measure::Score, Some(found)) => {
            found.scores.unwrap_or_default().map(|score| (score - 1.0) / SCORES)
        }
        (Measure::PassRate, Some(found)) => found.means,
        (_, None) => return,
    };
    let [candidate, before] = &figures.rates;
    let mut rates = Vec::new();
    for (share, text, side) in
        [(shares[1], candidate, BarSide::Candidate), (shares[0], before, other)]
    {
        let svg =
            if is_single { outlined_bar(share, side, false) } else { level_bar(share, None, side) };
        rates.push(DrawnCell { svg, text: text.clone() });
    }
    view["rates"] = json!(rates);
}
