//! All iterations side by side: pass rate, time and tokens, and the recorded versions.

mod changed;
mod rows;
mod triggers;

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, IterationAnalysis, breaks};
use crate::chart::{self, Figure, Graph, LineChart, Point, Role, Series, Standing, Unit};
use crate::digest::shown_statistics as how;
use crate::language::Language;
use crate::model::{History, Version};
use crate::render::context::{Frame, Link, Rate, Rows, Site, Task, link};
use crate::render::html::history::rows::{Row, rows};
use crate::render::html::history::triggers::{Loop, loops};
use crate::render::html::skill;
use crate::render::text::statistics;
use crate::text::fixed;

#[derive(Serialize)]
struct HistoryView {
    frame: Frame,
    figures: Vec<Titled>,
    /// Every iteration in numbers, the newest first.
    rows: Rows<Row>,
    /// Whether anything but the skill is known to differ between two of them.
    any_differs: bool,
    /// Whether there is a trend, and what picking the best of several means.
    course: Vec<String>,
    how_rows: Vec<&'static str>,
    how: Vec<&'static str>,
    how_course: Vec<&'static str>,
    breaks: Vec<String>,
    loops: Vec<Loop>,
    totals: Vec<String>,
    /// What changed in the skill from copy to copy.
    skill: Vec<Link>,
    versions: Rows<VersionRow>,
}

/// A figure under its title.
#[derive(Serialize)]
struct Titled {
    title: String,
    figure: Figure,
}

#[derive(Serialize)]
struct VersionRow {
    name: String,
    lines: Vec<[String; 2]>,
    skill: Vec<Link>,
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.history();
    let render = {
        let path = path.clone();
        move || site.templates.fill("history.html", &path, &view(site, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, path: &str) -> HistoryView {
    let histories = &site.part.workspace.histories;
    let title = site.language.text("page.history");
    let versions: Vec<&Version> = histories.iter().flat_map(|it| &it.versions).collect();
    let rows = rows(site, path);
    let titled = |title: &str, figure: Option<Figure>| {
        Some(Titled { title: site.language.text(title).to_owned(), figure: figure? })
    };
    let seconds = |summary: &ConfigurationSummary| summary.duration_s.map(|it| it.mean);
    let used = |summary: &ConfigurationSummary| summary.tokens.map(|it| it.mean);
    let time = costs(site, path, "time", "chart.time_per_run", Unit::Seconds, seconds);
    let tokens = costs(site, path, "tokens", "chart.tokens_per_run", Unit::Tokens, used);
    let lines = [
        titled("chart.by_case", pass_rates(site, path)),
        titled("chart.time_per_run", time),
        titled("chart.tokens_per_run", tokens),
    ];
    let mut figures: Vec<Titled> = lines.into_iter().flatten().collect();
    figures.extend(
        histories.iter().enumerate().filter_map(|(at, history)| graph(site, path, at, history)),
    );
    figures.extend(
        histories.iter().enumerate().filter_map(|(at, history)| triggering(site, at, history)),
    );
    HistoryView {
        frame: site.frame(path, title, &[(site.addresses.overview(), site.title())]),
        figures,
        any_differs: rows.iter().any(Row::differs),
        how_rows: how::of_rounds(site.part.analysis),
        rows,
        course: statistics::course(site.part, site.language),
        how: how::of_chart(site.part.analysis),
        how_course: how::of_course(site.part.workspace, site.part.analysis),
        breaks: changed::sentences(site),
        loops: loops(site),
        totals: histories.iter().map(|history| total(site, history)).collect(),
        skill: skill::links(site, path, |_| true),
        versions: Rows::of(versions.into_iter(), |version| version_row(site, path, version)),
    }
}

/// Mean pass rate of the cases, per configuration and iteration; `None` without a verdict.
pub(super) fn pass_rates(site: Site<'_>, path: &str) -> Option<Figure> {
    line(site, path, "rate", "chart.by_case", Unit::Fraction, |summary| {
        let interval = summary.level.map(|level| level.shown()).map(|it| (it.low, it.high));
        Some((summary.by_case?, interval, pooled(summary, site.language)))
    })
}

/// `9/11`, with the share where that does not read as the mean of cases that is drawn.
fn pooled(summary: &ConfigurationSummary, language: &Language) -> String {
    let rate = Rate::of(summary.tally, language);
    let drawn = summary.by_case.map(|mean| language.percent(mean));
    if drawn.is_none_or(|drawn| drawn == rate.percent) {
        return rate.counts;
    }
    language.fill("history.pooled", &[("rate", &rate.whole(language))])
}

/// A value, its interval where there is one, and what is said besides.
type Measured = (f64, Option<(f64, f64)>, String);

fn costs(
    site: Site<'_>,
    path: &str,
    prefix: &str,
    title: &str,
    unit: Unit,
    value: impl Fn(&ConfigurationSummary) -> Option<f64>,
) -> Option<Figure> {
    line(site, path, prefix, title, unit, |it| Some((value(it)?, None, String::new())))
}

fn line(
    site: Site<'_>,
    path: &str,
    prefix: &str,
    title: &str,
    unit: Unit,
    value: impl Fn(&ConfigurationSummary) -> Option<Measured>,
) -> Option<Figure> {
    let iterations = &site.part.workspace.iterations;
    let analyses = &site.part.analysis.iterations;
    let point = |index: usize, analysis: &IterationAnalysis, name: &str| {
        let summary = analysis.configurations.iter().find(|summary| summary.name == name)?;
        let (value, interval, label) = value(summary)?;
        let (low, high) = (interval.map(|it| it.0), interval.map(|it| it.1));
        let href = Some(link(path, &site.addresses.iteration(index)));
        Some(Point { value, low, high, label, href })
    };
    let series = configurations(analyses).into_iter().map(|(name, role)| Series {
        points: analyses.iter().enumerate().map(|(at, it)| point(at, it, &name)).collect(),
        name,
        role,
    });
    let series: Vec<Series> = series.collect();
    if series.iter().all(|series| series.points.iter().all(Option::is_none)) {
        return None;
    }
    let breaks = breaks(site.part.workspace, site.part.analysis);
    // Of the fastest or cheapest iteration nobody says that it is the best.
    let best = (unit == Unit::Fraction).then(|| best(site)).flatten();
    let chart = LineChart {
        prefix: prefix.to_owned(),
        title: site.language.text(title).to_owned(),
        unit,
        iterations: iterations.iter().map(|iteration| iteration.name.clone()).collect(),
        series,
        best,
        breaks: changed::marks(site, &breaks),
    };
    Some(chart::line(&chart, site.language))
}

/// The best iteration of the newest candidate.
fn best(site: Site<'_>) -> Option<usize> {
    let newest = site.part.analysis.newest_candidate()?;
    Some(site.part.analysis.best.get(&newest.configuration)?.iteration)
}

/// Every configuration met with its role in the newest iteration that has both roles, as the cards
/// show it; else in the newest one. Candidates come before baselines.
fn configurations(analyses: &[IterationAnalysis]) -> Vec<(String, Role)> {
    let (deciding, others): (Vec<_>, Vec<_>) =
        analyses.iter().rev().partition(|analysis| analysis.roles.baseline.is_some());
    let mut found: Vec<(String, Role)> = Vec::new();
    for analysis in deciding.into_iter().chain(others) {
        let roles = &analysis.roles;
        let candidates = roles.candidates.iter().enumerate();
        let candidates = candidates.map(|(at, name)| match at {
            0 => (name, Role::Candidate),
            _ => (name, Role::Other),
        });
        let baseline = roles.baseline.iter().map(|name| (name, Role::Baseline));
        for (name, role) in candidates.chain(baseline) {
            if found.iter().all(|(known, _)| known != name) {
                found.push((name.clone(), role));
            }
        }
    }
    found.sort_by_key(|(_, role)| match role {
        Role::Candidate => 0,
        Role::Baseline => 1,
        Role::Other => 2,
    });
    found
}

fn graph(site: Site<'_>, path: &str, at: usize, history: &History) -> Option<Titled> {
    let versions: Vec<chart::Version> =
        history.versions.iter().map(|version| node(site, path, version)).collect();
    let linked = history.versions.iter().any(|version| version.parent.is_some());
    linked.then(|| Titled {
        title: site.language.text("chart.origins").to_owned(),
        figure: chart::graph(
            &Graph {
                prefix: format!("versions-{at}"),
                title: site.language.text("history.versions").to_owned(),
                versions,
            },
            site.language,
        ),
    })
}

fn node(site: Site<'_>, path: &str, version: &Version) -> chart::Version {
    let iterations = &site.part.workspace.iterations;
    let iteration = iterations.iter().position(|iteration| iteration.name == version.name);
    chart::Version {
        name: version.name.clone(),
        parent: version.parent.clone(),
        standing: match version.result.as_deref() {
            Some("won") => Standing::Won,
            Some("lost") => Standing::Lost,
            Some("tie") => Standing::Tie,
            Some("baseline") => Standing::Baseline,
            _ => Standing::Unknown,
        },
        rate: version.pass_rate.map(|rate| site.language.percent(rate)).unwrap_or_default(),
        is_best: version.is_best,
        href: iteration.map(|index| link(path, &site.addresses.iteration(index))),
    }
}

/// Precision and recall of triggering, where any version has them.
fn triggering(site: Site<'_>, at: usize, history: &History) -> Option<Titled> {
    let versions = &history.versions;
    let recorded = versions.iter().any(|v| v.precision.is_some() || v.recall.is_some());
    let points = |value: fn(&Version) -> Option<f64>| {
        let point = |version| Some(Point { value: value(version)?, ..Point::default() });
        versions.iter().map(point).collect()
    };
    let names = versions.iter().map(|version| version.name.clone()).collect();
    let (precision, recall) = (points(|it| it.precision), points(|it| it.recall));
    recorded.then(|| Titled {
        title: site.language.text("chart.triggering").to_owned(),
        figure: trigger_rates(site, format!("triggering-{at}"), names, precision, recall),
    })
}

/// Precision and recall of triggering as a line chart of rates.
fn trigger_rates(
    site: Site<'_>,
    prefix: String,
    iterations: Vec<String>,
    precision: Vec<Option<Point>>,
    recall: Vec<Option<Point>>,
) -> Figure {
    let series = |key: &str, points| Series {
        name: site.language.text(key).to_owned(),
        role: Role::Other,
        points,
    };
    let chart = LineChart {
        prefix,
        title: site.language.text("chart.triggering").to_owned(),
        unit: Unit::Fraction,
        iterations,
        series: vec![series("chart.precision", precision), series("chart.recall", recall)],
        best: None,
        breaks: Vec::new(),
    };
    chart::line(&chart, site.language)
}

/// What a recorded history adds up to: its versions by result, the best one, when it began.
fn total(site: Site<'_>, history: &History) -> String {
    let fill = |key: &str, value: &dyn Display| site.language.fill(key, &[("value", value)]);
    let number = |result: &str| {
        history.versions.iter().filter(|it| it.result.as_deref() == Some(result)).count()
    };
    let results = [("won", "history.won"), ("lost", "history.lost"), ("tie", "history.tied")];
    let results = results.map(|(word, key)| (number(word), key));
    let results = results.iter().filter(|(number, _)| *number > 0);
    let results = results.map(|(number, key)| fill(key, number));
    let facts = [
        Some(history.path.clone()),
        history.skill.clone(),
        history.started_at.as_ref().map(|time| fill("history.started", time)),
        Some(site.language.count(history.versions.len(), "version")),
        history.current.as_ref().map(|name| fill("history.current", name)),
    ];
    facts.into_iter().flatten().chain(results).collect::<Vec<_>>().join(" · ")
}

/// A recorded result as the graph names it, else as it is recorded.
fn result(recorded: &str, language: &Language) -> String {
    let key = match recorded {
        "won" => "graph.won",
        "lost" => "graph.lost",
        "tie" => "graph.tie",
        "baseline" => "graph.baseline",
        other => return other.to_owned(),
    };
    language.text(key).to_owned()
}

fn version_row(site: Site<'_>, path: &str, version: &Version) -> VersionRow {
    let language = site.language;
    let score = |score: f64| language.fill("version.score", &[("score", &fixed(score, 2))]);
    let lines = [
        ("version.made_from", version.parent.clone()),
        ("version.result", version.result.as_deref().map(|it| result(it, language))),
        ("version.pass_rate", version.pass_rate.map(|rate| language.percent(rate))),
        ("version.average_score", version.average_score.map(score)),
        ("version.description", version.description.clone()),
        ("version.notes", version.notes.clone()),
        ("version.time", version.timestamp.clone()),
        ("version.commit", version.git_hash.clone()),
    ];
    let line = |(head, text): (&str, Option<String>)| Some([language.text(head).to_owned(), text?]);
    VersionRow {
        name: version.name.clone(),
        lines: lines.into_iter().filter_map(line).collect(),
        skill: skill::links(site, path, |snapshot| snapshot.name == version.name),
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, configurations};
    use crate::analyze::analysis;
    use crate::model::{Iteration, Workspace};
    use crate::settings::Settings;

    #[test]
    fn the_newest_iteration_with_both_roles_decides() {
        let iteration = |names: &[&str]| Iteration {
            configurations: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Iteration::default()
        };
        let workspace = Workspace {
            iterations: vec![
                iteration(&["with_skill", "without_skill"]),
                iteration(&["new_skill", "old_skill"]),
                iteration(&["old_skill"]),
            ],
            ..Workspace::default()
        };
        let found = configurations(&analysis(&workspace, &Settings::default()).iterations);
        let found: Vec<(&str, Role)> =
            found.iter().map(|(name, it)| (name.as_str(), *it)).collect();
        let expected = [
            ("new_skill", Role::Candidate),
            ("with_skill", Role::Candidate),
            ("old_skill", Role::Baseline),
            ("without_skill", Role::Baseline),
        ];
        assert_eq!(found, expected);
    }
}
