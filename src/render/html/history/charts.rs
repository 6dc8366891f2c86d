//! Charts over the iterations: pass rates, mean scores, and a small chart per model.

use std::fmt::Display;

use crate::analyze::{ConfigurationSummary, IterationAnalysis, Measure};
use crate::chart::{self, ChartSize, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::language::Language;
use crate::render::context::{Page, Rate, RenderContext, distinct};
use crate::render::html::comparison_links;
use crate::render::html::history::rows::{marks, own_change};
use crate::wording::verdict;

/// Mean pass rate of the cases, per configuration and iteration; `None` without a verdict.
pub(crate) fn pass_rates(page: &Page<'_>) -> Option<Figure> {
    page_chart(page, Unit::Fraction, &|summary| rate(summary, page.language))
}

/// The mean scores likewise; `None` unless some gain is measured by scores.
pub(super) fn scores(page: &Page<'_>) -> Option<Figure> {
    let mut changes = page.part.analysis.changes.iter();
    let decide = changes.any(|change| change.gain.measure() == Measure::Score);
    let score =
        |summary: &ConfigurationSummary| Some(Point { value: summary.score?, ..Point::default() });
    decide.then(|| page_chart(page, Unit::Score, &score)).flatten()
}

/// The mean pass rate of the cases of a configuration, with its interval and the counts behind it.
pub(super) fn rate(summary: &ConfigurationSummary, language: &Language) -> Option<Point> {
    let interval = summary.level.map(|level| level.shown());
    let (value, rate) = (summary.by_case?, Rate::new(summary.tally, language));
    // `9/11`, with its rate if that differs from the drawn mean of cases.
    let label = if language.percent(value) == rate.percent {
        rate.counts
    } else {
        language.fill("history.pooled", &[("rate", &rate.whole(language))])
    };
    Some(Point { value, interval, label, ..Point::default() })
}

fn page_chart(
    page: &Page<'_>,
    unit: Unit,
    level: &dyn Fn(&ConfigurationSummary) -> Option<Point>,
) -> Option<Figure> {
    let mut series = series(page, level);
    series.retain(|series| series.points.iter().any(Option::is_some));
    let (prefix, title) = match unit {
        Unit::Fraction => ("rate", "chart.by_case"),
        Unit::Score => ("score", "chart.scores"),
    };
    let indices = 0..page.part.workspace.iterations.len();
    let chart = LineChart {
        prefix: prefix.to_owned(),
        title: page.language.text(title).to_owned(),
        unit,
        size: ChartSize::Page,
        ticks: indices.map(|index| tick(page.context, index)).collect(),
        series,
        breaks: marks(page.context, &page.part.analysis.breaks),
    };
    (!chart.series.is_empty()).then(|| chart::line(&chart, page.language))
}

/// A series for each candidate, and one for the baselines of all iterations.
fn series(page: &Page<'_>, level: &dyn Fn(&ConfigurationSummary) -> Option<Point>) -> Vec<Series> {
    let analyses = &page.part.analysis.iterations;
    let points = |name: &dyn Fn(&IterationAnalysis) -> Option<String>| -> Vec<Option<Point>> {
        let point = |(index, analysis): (usize, &IterationAnalysis)| {
            let name = name(analysis)?;
            let level = level(analysis.configuration(&name)?)?;
            Some(Point { name, ..linked(page, index, level) })
        };
        analyses.iter().enumerate().map(point).collect()
    };
    let (candidates, baselines) = roles(analyses);
    let named_series = |name: String, role: SeriesRole| {
        let mut points = points(&|_| Some(name.clone()));
        points.iter_mut().flatten().for_each(|point| point.name.clear());
        Series { points, name, role }
    };
    let roles = std::iter::once(SeriesRole::Candidate).chain(std::iter::repeat(SeriesRole::Other));
    let mut chart_series: Vec<Series> =
        candidates.into_iter().zip(roles).map(|(name, role)| named_series(name, role)).collect();
    match baselines.as_slice() {
        [] => {}
        [name] => chart_series.push(named_series(name.clone(), SeriesRole::Baseline)),
        _ => chart_series.push(Series {
            name: page.language.text("history.each_baseline").to_owned(),
            role: SeriesRole::Baseline,
            points: points(&|analysis| analysis.roles.baseline.clone()),
        }),
    }
    chart_series
}

/// Candidates that are nowhere a baseline, and baselines; from the newest iterations with both
/// roles first.
fn roles(analyses: &[IterationAnalysis]) -> (Vec<String>, Vec<String>) {
    let (deciding, others): (Vec<_>, Vec<_>) =
        analyses.iter().rev().partition(|analysis| analysis.roles.baseline.is_some());
    let roles: Vec<_> = deciding.into_iter().chain(others).map(|one| &one.roles).collect();
    let baselines = distinct(roles.iter().filter_map(|roles| roles.baseline.clone()));
    let candidates = roles.iter().flat_map(|roles| roles.candidates.clone());
    (distinct(candidates.filter(|name| !baselines.contains(name))), baselines)
}

/// Links the point to the page of its iteration.
pub(super) fn linked(page: &Page<'_>, index: usize, point: Point) -> Point {
    Point { href: Some(page.link(&page.addresses.iteration(index))), ..point }
}

fn tick(context: RenderContext<'_>, index: usize) -> Tick {
    let name = context.part.workspace.iterations[index].name.clone();
    let change = own_change(context, index);
    let Some((change, paired)) = change.and_then(|change| Some((change, change.gain.paired()?)))
    else {
        return Tick { name, ..Tick::default() };
    };
    let gain = verdict::number(change.gain.measure(), paired.mean);
    let other = comparison_links::other_name(context, change);
    let cases = context.language.count(paired.cases, "case");
    let values: [(&str, &dyn Display); 3] = [("gain", &gain), ("other", &other), ("cases", &cases)];
    Tick { name, note: context.language.fill("history.tick", &values), short_note: gain }
}

#[cfg(test)]
mod tests {
    use super::roles;
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
        let (candidates, baselines) = roles(&analysis(&workspace, &Settings::default()).iterations);
        assert_eq!(candidates, ["new_skill", "with_skill"]);
        assert_eq!(baselines, ["old_skill", "without_skill"]);
    }
}
