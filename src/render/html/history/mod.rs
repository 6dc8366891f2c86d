//! All iterations side by side: levels, gains, costs, edits of the skill, and the recorded versions.

mod charts;
mod models;
mod rows;
mod triggers;

use std::fmt::Display;

use serde_json::{Value, json};

use crate::chart::{self, ChartSize, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::model::{History, Version};
use crate::render::context::{Page, RenderContext, Rows};
pub(super) use crate::render::html::history::charts::pass_rates;
pub(super) use crate::render::html::history::models::models;
use crate::render::html::history::rows::rows;
use crate::render::html::history::triggers::loops;
use crate::render::html::skill;
use crate::text::fixed;
use crate::wording::reliability;

pub(super) fn view(page: &Page<'_>) -> Value {
    let (language, part) = (page.language, page.part);
    let histories = &part.workspace.histories;
    let versions: Vec<&Version> = histories.iter().flat_map(|history| &history.versions).collect();
    let charts = [charts::scores(page), pass_rates(page)];
    let recorded = || recorded_scores(page.context, &versions);
    let title = language.text("page.history");
    let rows = rows(page);
    json!({
        "frame": page.frame(title, None),
        "title": language.fill("history.of", &[("skill", &page.part.title())]),
        "figures": charts.into_iter().flatten().chain(recorded()).collect::<Vec<_>>(),
        "models": models(page),
        "has_edits": rows.iter().any(|row| !row["edit"].is_null()),
        "rows": rows,
        "has_breaks": !part.analysis.breaks.is_empty(),
        "best_of": reliability::best_of(part.facts(language)),
        "loops": loops(page.context),
        "totals": histories.iter().map(|history| total(page.context, history)).collect::<Vec<_>>(),
        "versions": Rows::all(versions.into_iter(), |version| version_row(page, version)),
    })
}

/// The mean scores recorded by versions, if no run has its own score.
fn recorded_scores(context: RenderContext<'_>, versions: &[&Version]) -> Option<Figure> {
    let iterations = &context.part.analysis.iterations;
    let mut summaries = iterations.iter().flat_map(|iteration| &iteration.configurations);
    let is_counted = summaries.any(|summary| summary.score.is_some());
    let point =
        |version: &&Version| Some(Point { value: version.average_score?, ..Point::default() });
    let points: Vec<Option<Point>> = versions.iter().map(point).collect();
    let has_several = points.iter().flatten().count() > 1;
    let names = versions.iter().map(|version| version.name.clone()).collect();
    let series = vec![("version.average_score", points)];
    (has_several && !is_counted)
        .then(|| recorded_chart(context, "versions", ("chart.scores", Unit::Score), names, series))
}

/// A chart of figures that a file records by round or version.
fn recorded_chart(
    context: RenderContext<'_>,
    prefix: &str,
    (title, unit): (&str, Unit),
    names: Vec<String>,
    series: Vec<(&str, Vec<Option<Point>>)>,
) -> Figure {
    let word = |key: &str| context.language.text(key).to_owned();
    let series = series.into_iter().map(|(key, points)| Series {
        name: word(key),
        role: SeriesRole::Other,
        points,
    });
    let chart = LineChart {
        prefix: prefix.to_owned(),
        title: word(title),
        unit,
        size: ChartSize::Page,
        ticks: names.into_iter().map(|name| Tick { name, ..Tick::default() }).collect(),
        series: series.collect(),
        breaks: Vec::new(),
    };
    chart::line(&chart, context.language)
}

/// The totals of a recorded history: its versions by result, the best one, and its start.
fn total(context: RenderContext<'_>, history: &History) -> String {
    let fill = |key: &str, value: &dyn Display| context.language.fill(key, &[("value", value)]);
    let results = [("won", "history.won"), ("lost", "history.lost"), ("tie", "history.tied")];
    let results = results.into_iter().filter_map(|(word, key)| {
        let results = history.versions.iter().filter_map(|version| version.result.as_deref());
        let number = results.filter(|result| *result == word).count();
        (number > 0).then(|| fill(key, &number))
    });
    let facts = [
        Some(history.path.clone()),
        history.skill.clone(),
        history.started_at.as_ref().map(|time| fill("history.started", time)),
        Some(context.language.count(history.versions.len(), "version")),
        history.current.as_ref().map(|name| fill("history.current", name)),
    ];
    facts.into_iter().flatten().chain(results).collect::<Vec<_>>().join(" · ")
}

fn version_row(page: &Page<'_>, version: &Version) -> Value {
    let language = page.language;
    let score = |score: f64| language.fill("version.score", &[("score", &fixed(score, 2))]);
    // A recorded result in the words of the graph, else as recorded.
    let result = version.result.as_deref().map(|recorded| match recorded {
        "won" => language.text("graph.won"),
        "lost" => language.text("graph.lost"),
        "tie" => language.text("graph.tie"),
        "baseline" => language.text("graph.baseline"),
        other => other,
    });
    let lines = [
        ("version.made_from", version.parent.clone()),
        ("version.result", result.map(str::to_owned)),
        ("version.pass_rate", version.pass_rate.map(|rate| language.percent(rate))),
        ("version.average_score", version.average_score.map(score)),
        ("chart.precision", version.precision.map(|rate| language.percent(rate))),
        ("chart.recall", version.recall.map(|rate| language.percent(rate))),
        ("version.description", version.description.clone()),
        ("version.notes", version.notes.clone()),
        ("version.time", version.timestamp.clone()),
        ("version.commit", version.git_hash.clone()),
    ];
    let line = |(head, text): (&str, Option<String>)| Some([language.text(head).to_owned(), text?]);
    json!({
        "name": version.name,
        "lines": lines.into_iter().filter_map(line).collect::<Vec<_>>(),
        "skill": skill::links(page, &version.name),
    })
}
