//! Pass rate, time and tokens of both sides, and what the later side has of them more.

use serde::Serialize;

use crate::analyze::{Change, ConfigurationSummary, Cost, Side};
use crate::language::Language;
use crate::render::context::{DASH, Rate, Site, view::counts};
use crate::render::text::{costs, verdict};
use crate::statistics::Spread;
use crate::text::tokens;

/// One figure of both sides.
#[derive(Serialize)]
pub(super) struct Card {
    title: String,
    sides: Vec<CardSide>,
    change: String,
}

#[derive(Serialize)]
struct CardSide {
    name: String,
    role: &'static str,
    value: String,
    counts: String,
}

/// A side with its name, its role and its figures.
struct Shown<'a> {
    name: String,
    role: &'static str,
    summary: &'a ConfigurationSummary,
}

/// The cards of the candidate and of what it is held against.
pub(super) fn cards(
    site: Site<'_>,
    candidate: &ConfigurationSummary,
    lead: Option<&Change>,
) -> Vec<Card> {
    let language = site.language;
    let sides = sides(site, candidate, lead);
    let card = |key: &str, side: &dyn Fn(&ConfigurationSummary) -> (String, String), change| {
        let side = |shown: &Shown<'_>| {
            let (value, counts) = side(shown.summary);
            CardSide { name: shown.name.clone(), role: shown.role, value, counts }
        };
        let title = language.text(key).to_owned();
        Card { title, sides: sides.iter().map(side).collect(), change }
    };
    let cost = |cost: fn(&Change) -> &Cost| {
        lead.and_then(|lead| times(cost(lead), language)).unwrap_or_default()
    };
    let gain = lead.and_then(|lead| verdict::cell(&lead.gain, language)).unwrap_or_default();
    vec![
        card("overview.pass_rate", &|it| level(it, language), gain),
        card(
            "overview.time_per_run",
            &|it| figure(it, it.duration_s, language, |value| language.seconds(value)),
            cost(|change| &change.costs.time),
        ),
        card(
            "overview.tokens_per_run",
            &|it| figure(it, it.tokens, language, tokens),
            cost(|change| &change.costs.tokens),
        ),
    ]
}

/// The typical ratio, and that of the totals where it is far from it: the means above follow that.
fn times(cost: &Cost, language: &Language) -> Option<String> {
    let ratio = costs::ratio(cost, language)?;
    Some(match costs::totals(cost) {
        Some(total) => language.fill("verdict.times_far", &[("ratio", &ratio), ("total", &total)]),
        None => language.fill("verdict.times", &[("ratio", &ratio)]),
    })
}

fn sides<'a>(
    site: Site<'a>,
    candidate: &'a ConfigurationSummary,
    lead: Option<&Change>,
) -> Vec<Shown<'a>> {
    let within = lead.is_some_and(Change::is_beside);
    let role = if within { "candidate" } else { "" };
    let mut shown = vec![Shown { name: candidate.name.clone(), role, summary: candidate }];
    shown.extend(lead.and_then(|lead| {
        let Side { iteration, configuration } = &lead.before;
        let summary = site.part.analysis.iterations[*iteration].configuration(configuration)?;
        let (name, role) = match within {
            true => (configuration.clone(), "baseline"),
            false => (site.side_name(&lead.before), ""),
        };
        Some(Shown { name, role, summary })
    }));
    shown
}

/// The pass rate with its counts, and what to expect on cases like these.
fn level(summary: &ConfigurationSummary, language: &Language) -> (String, String) {
    let percent = Rate::of(summary.tally, language).percent;
    let counts = counts(summary, language);
    let Some(level) = &summary.level else {
        return (percent, counts);
    };
    let interval = level.shown();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    let counts =
        language.fill("overview.level", &[("counts", &counts), ("low", &low), ("high", &high)]);
    (percent, counts)
}

/// A mean with the number of runs that record it.
fn figure(
    summary: &ConfigurationSummary,
    spread: Option<Spread>,
    language: &Language,
    format: impl Fn(f64) -> String,
) -> (String, String) {
    let Some(spread) = spread else {
        return (DASH.to_owned(), language.text("overview.not_recorded").to_owned());
    };
    let runs = language.count(summary.counted_runs(), "run");
    let counts = language.fill("overview.recorded_of", &[("n", &spread.count), ("runs", &runs)]);
    (format(spread.mean), counts)
}
