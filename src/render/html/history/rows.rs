//! A row per iteration, the newest first: its verdict, gain and costs, the edits before it, what
//! makes it incomparable, and its comments.

use serde::Serialize;
use serde_json::{Value, json};

use crate::analyze::{Against, Break, Change, ConfigurationSummary, Measure, SCORES, Verdict};
use crate::chart::{self, inline::Tone};
use crate::digest;
use crate::render::context::{DASH, Link, Page, RenderContext, Rows};
use crate::render::html::comparison_links;
use crate::render::html::feedback;
use crate::render::html::skill::{EditView, edit_of};
use crate::statistics::Interval;
use crate::text::{fixed, tokens};
use crate::wording::{headline, verdict};

/// A number with a drawing of it.
#[derive(Serialize)]
pub(super) struct DrawnNumber {
    pub(super) svg: String,
    pub(super) number: String,
    /// Interval and other side.
    pub(super) rest: String,
    pub(super) tone: &'static str,
}

/// A row for each iteration, the newest first; empty if nothing was graded.
pub(super) fn rows(page: &Page<'_>) -> Rows<Value> {
    let Some(newest) = page.part.analysis.newest() else { return Rows::default() };
    let breaks = &page.part.analysis.breaks;
    let scale = scale(page.context);
    Rows::all((0..page.part.analysis.iterations.len()).rev(), |index| {
        let gap = breaks.iter().find(|gap| gap.iteration == index);
        row(page, index, (index == newest, scale, gap))
    })
}

/// The end of the axis for all gains, in shares of 1.
fn scale(context: RenderContext<'_>) -> f64 {
    let changes =
        (0..context.part.analysis.iterations.len()).filter_map(|at| own_change(context, at));
    let ends = changes.flat_map(|change| {
        let interval = digest::interval(&change.gain).map(|interval| [interval.low, interval.high]);
        let mean = change.gain.paired().map(|paired| paired.mean);
        interval.into_iter().flatten().chain(mean)
    });
    let extent = ends.fold(0.0, |most: f64, end| most.max(end.abs()));
    [0.1, 0.25, 0.5].into_iter().find(|end| extent <= *end).unwrap_or(1.0)
}

/// The change against its own baseline, else against the pinned side, else against the previous
/// iteration.
pub(super) fn own_change(context: RenderContext<'_>, index: usize) -> Option<&Change> {
    let after = context.part.analysis.candidate_of(index)?;
    let order = [Against::Baseline, Against::Pinned, Against::Previous];
    order.into_iter().find_map(|against| context.part.analysis.change(&after, against))
}

fn row(
    page: &Page<'_>,
    index: usize,
    (is_newest, scale, gap): (bool, f64, Option<&Break>),
) -> Value {
    let language = page.language;
    let analysis = &page.part.analysis.iterations[index];
    let candidate = analysis.candidate();
    let change = own_change(page.context, index);
    let after = page.part.analysis.candidate_of(index);
    let previous = after.and_then(|after| page.part.analysis.change(&after, Against::Previous));
    let previous = previous.filter(|previous| change.is_some_and(|own| own != *previous));
    let mut files = page.part.workspace.iterations[index].feedback.iter();
    let has_comments = files.any(|feedback| !feedback.reviews.is_empty());
    let time = candidate.and_then(|candidate| candidate.duration_s);
    let used = candidate.and_then(|candidate| candidate.tokens);
    let verdict = change.map_or(Verdict::NoComparison, |change| change.gain.verdict());
    let word = match candidate {
        None => "history.no_candidate",
        Some(candidate) if candidate.tally.graded() == 0 => "history.not_graded",
        Some(_) => headline::word_key(verdict),
    };
    json!({
        "link": page.iteration_link(index),
        "is_newest": is_newest,
        "tone": comparison_links::tone(verdict).class(),
        "sign": headline::sign(verdict),
        "word": language.text(word),
        "notes": notes(page.context, index, change),
        "gain": change.and_then(|change| gain(page.context, change, scale)),
        "since": previous.and_then(|change| gain(page.context, change, scale)),
        "passed": passed(page.context, change, [analysis.baseline(), candidate]),
        "runs": candidate.map(|candidate| runs(page.context, candidate)),
        "time": time.map_or(DASH.to_owned(), |time| language.seconds(time.mean)),
        "tokens": used.map(|used| language.counted(&tokens(used.mean), false, "token")),
        "edit": edit_before(page, index),
        "changed": gap.map(|gap| changed(page.context, gap)),
        "comments": feedback::line(page, index).filter(|_| has_comments),
        "review": page.context.first_review()
            .filter(|_| is_newest)
            .map(|to| Link::new(page.link(&to), language.text("history.review"))),
    })
}

fn notes(context: RenderContext<'_>, index: usize, change: Option<&Change>) -> Vec<String> {
    let language = context.language;
    let analysis = context.part.analysis;
    let candidate = analysis.candidate_of(index);
    let best = candidate.and_then(|candidate| analysis.best.get(&candidate.configuration));
    let mut notes = Vec::new();
    if let [first, _, ..] = &*analysis.iterations[index].roles.candidates {
        notes.push(first.clone());
    }
    if best.is_some_and(|best| best.iteration == index) {
        notes.push(language.text("history.best").to_owned());
    }
    let Some(gain) = change.map(|change| &change.gain) else { return notes };
    if gain.single > 0 && gain.single == gain.shared.len() {
        notes.push(language.text("history.single").to_owned());
    }
    let unknown = [(gain.ungraded.iter().sum(), "run"), (gain.unjudged.iter().sum(), "check")];
    let unknown = language.counts(unknown);
    if !unknown.is_empty() {
        notes.push(language.fill("history.no_verdict", &[("what", &unknown)]));
    }
    notes
}

fn gain(context: RenderContext<'_>, change: &Change, scale: f64) -> Option<DrawnNumber> {
    let language = context.language;
    let (gain, paired) = (&change.gain, change.gain.paired()?);
    let interval = digest::interval(gain);
    let size = verdict::size(gain.measure(), paired.mean, language);
    let ends = interval.map(|Interval { low, high }| {
        let [low, high] = [low, high].map(|end| verdict::number(gain.measure(), end));
        language.fill("verdict.cell_interval", &[("low", &low), ("high", &high)])
    });
    let against = language
        .fill("history.versus", &[("other", &comparison_links::other_name(context, change))]);
    let rest = language.sentences(ends.into_iter().chain([against]));
    let tone = comparison_links::tone(gain.verdict());
    let label = language.sentences([size.clone(), rest.clone()]);
    let svg = chart::gain(paired.mean, interval, scale, tone, &label);
    let number = match gain.measure() {
        Measure::PassRate => verdict::number(Measure::PassRate, paired.mean),
        Measure::Score => size,
    };
    Some(DrawnNumber { svg, number, rest, tone: tone.class() })
}

/// Both sides as the gain counts them; for a single side, its pass rate.
pub(super) fn passed(
    context: RenderContext<'_>,
    change: Option<&Change>,
    summaries: [Option<&ConfigurationSummary>; 2],
) -> DrawnNumber {
    let language = context.language;
    let gain = change.filter(|change| change.gain.comparison.is_some()).map(|change| &change.gain);
    let tone = gain.map_or(Tone::Neutral, |gain| comparison_links::tone(gain.verdict()));
    let alone = summaries.map(|summary| summary?.by_case);
    let rates = gain
        .and_then(|gain| Some(gain.comparison.as_ref()?.means))
        .map_or(alone, |means| means.map(Some));
    let (sides, texts) = match gain.and_then(|gain| gain.scores()) {
        Some(scores) => (
            scores.map(|score| Some((score - 1.0) / SCORES)),
            scores.map(|score| Some(fixed(score, 2))),
        ),
        None => (rates, rates.map(|rate| Some(language.percent(rate?)))),
    };
    let [before, after] = texts;
    let number = after.unwrap_or_else(|| DASH.to_owned());
    let rest = before
        .map_or(String::new(), |before| language.fill("history.versus", &[("other", &before)]));
    let label = language.sentences([number.clone(), rest.clone()]);
    let svg = match sides {
        [None, None] => String::new(),
        _ => chart::both_sides(sides, tone, &label),
    };
    DrawnNumber { svg, number, rest, tone: tone.class() }
}

/// `5 × 3`, or the total of runs if cases have different numbers.
fn runs(context: RenderContext<'_>, summary: &ConfigurationSummary) -> String {
    let is_even = summary.runs == summary.cases * summary.runs_per_case;
    let (key, runs) = if is_even {
        ("history.cases_runs", summary.runs_per_case)
    } else {
        ("history.cases_uneven", summary.runs)
    };
    context.language.fill(key, &[("cases", &summary.cases), ("runs", &runs)])
}

/// The edit of the skill before an iteration; `None` if no copy was kept.
pub(super) fn edit_before(page: &Page<'_>, index: usize) -> Option<EditView> {
    if let Some(edit) = edit_of(page, index) {
        return Some(edit);
    }
    let first = page.part.workspace.snapshots.first()?;
    let size = page.language.text("skill.first").to_owned();
    (first.iteration == Some(index)).then(|| EditView { size, ..EditView::default() })
}

/// Most cases that are named; the others are counted.
const NAMED: usize = 6;

fn changed(context: RenderContext<'_>, gap: &Break) -> Value {
    let lines = [
        ("history.new", &gap.new),
        ("history.gone", &gap.gone),
        ("history.ungraded", &gap.ungraded),
        ("history.prompts", &gap.prompts),
        ("history.checks", &gap.expectations),
    ];
    let mut parts = Vec::new();
    for (key, lines) in lines.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        let names = lines.iter().map(|line| context.part.analysis.cases[*line].name.clone());
        let names = context.language.first_few(names.collect(), NAMED, "list.comma");
        parts.push(context.language.fill(key, &[("cases", &names)]));
    }
    let conditions =
        [("history.models", &gap.conditions.models), ("history.graders", &gap.conditions.graders)];
    for (key, names) in conditions {
        let Some(names) = names else { continue };
        let [before, after] =
            names.each_ref().map(|names| context.language.list(names.iter().map(String::as_str)));
        parts.push(context.language.fill(key, &[("before", &before), ("after", &after)]));
    }
    json!({ "kinds": kinds(context, gap, "history.break_kinds"), "parts": parts })
}

pub(super) fn marks(context: RenderContext<'_>, gaps: &[Break]) -> Vec<chart::ChartBreak> {
    let mark = |gap: &Break| chart::ChartBreak {
        index: gap.iteration,
        reason: kinds(context, gap, "history.break_other"),
    };
    gaps.iter().map(mark).collect()
}

/// The kinds of differences, in the words of `key`.
fn kinds(context: RenderContext<'_>, gap: &Break, key: &str) -> String {
    let has_other_cases = !gap.new.is_empty() || !gap.gone.is_empty();
    let kinds = [
        (has_other_cases, "history.break_cases"),
        (!gap.ungraded.is_empty() && !has_other_cases, "history.break_ungraded"),
        (!gap.prompts.is_empty(), "history.break_prompts"),
        (!gap.expectations.is_empty(), "history.break_checks"),
        (gap.conditions.models.is_some(), "history.break_models"),
        (gap.conditions.graders.is_some(), "history.break_graders"),
    ];
    let kinds = kinds.into_iter().filter(|(is_there, _)| *is_there);
    let words = context.language.list(kinds.map(|(_, key)| context.language.text(key)));
    context.language.fill(key, &[("what", &words)])
}
