//! The versions that a file of the workspace records, with their scores.

use crate::analyze::SCORES;
use crate::chart::inline::{BarSide, recorded_bar};
use crate::chart::{self, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::language::{Language, say};
use crate::render::context::{Page, RenderContext, View, view};
use crate::render::html::skill;
use input::model::{History, Version};
use text::fixed;

/// The mean scores recorded by versions, if no run has its own score.
pub(super) fn recorded_scores(context: RenderContext<'_>, versions: &[&Version]) -> Option<Figure> {
    let iterations = &context.part.analysis.iterations;
    let mut summaries = iterations.iter().flat_map(|iteration| &iteration.configurations);
    let is_counted = summaries.any(|summary| summary.score.is_some());
    let (mut names, mut points) = (Vec::new(), Vec::new());
    for version in versions {
        names.push(version.name.clone());
        points.push(version.average_score.map(|value| Point { value, ..Point::default() }));
    }
    if is_counted || points.iter().flatten().count() < 2 {
        return None;
    }
    let series = vec![recorded_series(context, "version.average_score", points)];
    Some(recorded_chart(context, "versions", "chart.scores", Unit::Score, names, series))
}

pub(in crate::render::html) fn recorded_series(
    context: RenderContext<'_>,
    name: &str,
    points: Vec<Option<Point>>,
) -> Series {
    Series { name: context.language.text(name).to_owned(), role: SeriesRole::Recorded, points }
}

/// A chart of figures that a file records by round or version.
pub(in crate::render::html) fn recorded_chart(
    context: RenderContext<'_>,
    prefix: &str,
    title: &str,
    unit: Unit,
    names: Vec<String>,
    series: Vec<Series>,
) -> Figure {
    let chart = LineChart {
        prefix: prefix.to_owned(),
        title: context.language.text(title).to_owned(),
        unit,
        ticks: names.into_iter().map(|name| Tick { name, ..Tick::default() }).collect(),
        series,
        breaks: Vec::new(),
    };
    chart::line(&chart, context.language)
}

/// The totals of a recorded history: its versions by result, the best one, and its start.
pub(super) fn total(language: &Language, history: &History) -> String {
    let mut facts = vec![history.path.clone()];
    facts.extend(history.skill.clone());
    if let Some(value) = &history.started_at {
        facts.push(say!(language, "history.started", value));
    }
    facts.push(language.count(history.versions.len(), "version"));
    if let Some(value) = &history.current {
        facts.push(say!(language, "history.current", value));
    }
    for (word, key) in [("won", "history.won"), ("lost", "history.lost"), ("tie", "history.tied")] {
        let results = history.versions.iter().filter_map(|version| version.result.as_deref());
        let value = results.filter(|result| *result == word).count();
        if value > 0 {
            facts.push(say!(language, key, value));
        }
    }
    facts.join(" · ")
}

pub(super) fn version_view(page: &Page<'_>, version: &Version) -> View {
    let language = page.language;
    let score = version.average_score.map(|score| fixed(score, 2));
    let recorded = [
        ("version.pass_rate", version.pass_rate),
        ("version.average_score", version.average_score.map(|score| (score - 1.0) / SCORES)),
    ];
    let facts = [
        ("version.made_from", version.parent.clone()),
        ("version.result", version.result.as_deref().map(|word| result(language, word).to_owned())),
        ("version.pass_rate", version.pass_rate.map(|rate| language.percent(rate))),
        ("version.average_score", score.map(|score| say!(language, "version.score", score))),
        ("chart.precision", version.precision.map(|rate| language.percent(rate))),
        ("chart.recall", version.recall.map(|rate| language.percent(rate))),
        ("version.description", version.description.clone()),
        ("version.notes", version.notes.clone()),
        ("version.time", version.timestamp.clone()),
        ("version.commit", version.git_hash.clone()),
    ];
    let mut known = Vec::new();
    for (key, text) in facts {
        let share = recorded.iter().find(|(drawn, _)| *drawn == key).and_then(|(_, share)| *share);
        let svg = share.map_or(String::new(), |share| recorded_bar(share, BarSide::Candidate));
        known.extend(text.map(|text| [language.text(key).to_owned(), text, svg]));
    }
    view!({
        "name": version.name,
        "facts": known,
        "skill": skill::links(page, &version.name),
    })
}

/// A recorded result in our words; a word that we do not know, as recorded.
fn result<'a>(language: &'a Language, recorded: &'a str) -> &'a str {
    match recorded {
        "won" => language.text("graph.won"),
        "lost" => language.text("graph.lost"),
        "tie" => language.text("graph.tie"),
        "baseline" => language.text("graph.baseline"),
        other => other,
    }
}
