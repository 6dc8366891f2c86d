//! Gain against cost: what each iteration gained, and what a run of it cost.

use serde::Serialize;

use crate::analyze::{Change, ConfigurationSummary, Measure};
use crate::chart::{TradePoint, TradeWords, trade};
use crate::digest;
use crate::language::say;
use crate::render::context::Page;
use crate::render::html::history::heat::common_start;
use crate::render::html::history::rows::own_change;
use crate::wording::verdict;
use text::tokens;

/// Fewer points show no way.
const LEAST_POINTS: usize = 3;

#[derive(Serialize)]
pub(super) struct TradeView {
    svg: String,
    /// Heads and sentences beside the drawing.
    notes: Vec<[String; 2]>,
    has_single: bool,
}

/// An iteration with a gain and a cost.
struct Traded<'a> {
    iteration: usize,
    change: &'a Change,
    gain: f64,
    summary: &'a ConfigurationSummary,
}

/// The drawing; `None` for fewer than three iterations with both figures.
pub(super) fn costs(page: &Page<'_>) -> Option<TradeView> {
    let (language, analysis) = (page.language, page.part.analysis);
    let mut found = traded(page);
    // All marks need one unit: tokens if enough have them, else time.
    let has_tokens =
        found.iter().filter(|one| one.summary.tokens.is_some()).count() >= LEAST_POINTS;
    let cost_of = |one: &Traded<'_>| {
        let spread = if has_tokens { one.summary.tokens } else { one.summary.duration_s };
        spread.map(|spread| spread.mean)
    };
    found.retain(|one| cost_of(one).is_some());
    if found.len() < LEAST_POINTS {
        return None;
    }
    let iterations = &page.part.workspace.iterations;
    let names: Vec<&str> =
        found.iter().map(|one| iterations[one.iteration].name.as_str()).collect();
    let prefix = common_start(&names).len();
    let mut points = Vec::new();
    for (one, name) in found.iter().zip(&names) {
        let gain = verdict::number(Measure::PassRate, one.gain);
        let cost = cost_text(page, cost_of(one).unwrap_or_default(), has_tokens);
        points.push(TradePoint {
            name: name[prefix..].to_owned(),
            label: say!(language, "history.trade_point", iteration = name, gain, cost),
            href: page.iteration_link(one.iteration).href,
            cost: cost_of(one).unwrap_or_default(),
            gain: one.gain,
            interval: digest::interval(&one.change.gain),
            is_single: one.summary.runs_per_case == 1,
            is_joined: !analysis.breaks.iter().any(|found| found.iteration == one.iteration),
        });
    }
    let newest = points.last()?;
    let axis =
        language.text(if has_tokens { "history.trade_tokens" } else { "history.trade_time" });
    let words = TradeWords {
        label: &say!(language, "history.trade_label", n = points.len(), axis),
        axis,
        corner: &say!(language, "history.trade_corner", iteration = newest.name),
    };
    let text = |cost: f64| cost_text(page, cost, has_tokens);
    let up = ["history.trade_up", "history.trade_up_why"].map(|key| language.text(key).to_owned());
    let mut notes = vec![up];
    if let [.., before, after] = points.as_slice()
        && after.is_joined
    {
        let title = say!(language, "history.trade_since", iteration = before.name);
        let gain = verdict::number(Measure::PassRate, after.gain - before.gain);
        let (before, after) = (text(before.cost), text(after.cost));
        notes.push([title, say!(language, "history.trade_moved", gain, before, after)]);
    }
    let has_single = points.iter().any(|point| point.is_single);
    Some(TradeView { svg: trade(&points, words, &text), notes, has_single })
}

/// The iterations with a gain, in time. A state that is there to be compared with comes after the newest round
/// by its name alone.
fn traded<'a>(page: &Page<'a>) -> Vec<Traded<'a>> {
    let analysis = page.part.analysis;
    let mut traded = Vec::new();
    for (iteration, found) in analysis.iterations.iter().enumerate() {
        let Some(change) = own_change(page.context, iteration) else { continue };
        let Some(summary) = analysis.summary(&change.after) else { continue };
        if let Some(paired) = change.gain.shown()
            && change.gain.measure() == Measure::PassRate
            && !found.is_reference
        {
            traded.push(Traded { iteration, change, gain: paired.mean, summary });
        }
    }
    traded
}

fn cost_text(page: &Page<'_>, cost: f64, is_tokens: bool) -> String {
    if is_tokens { tokens(cost) } else { page.language.seconds(cost) }
}
