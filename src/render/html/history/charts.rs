//! Charts over the iterations: pass rates and mean scores.

use crate::analyze::{
    Analysis, Change, ConfigurationSummary, Measure, Roles, Side, Verdict, is_earlier_version,
};
use crate::chart::{self, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::digest::{RecordedSide, recorded_rounds};
use crate::language::{Rate, say};
use crate::render::context::{Page, RenderContext, distinct};
use crate::render::html::comparison_links;
use crate::render::html::history::breaks::chart_breaks;
use crate::render::html::history::rows::own_change;
use crate::wording::states::rate_text;
use crate::wording::verdict;

/// The mean pass rate or score of a configuration.
type PointOf = fn(&ConfigurationSummary) -> Option<Point>;

/// Mean pass rate of the cases, per configuration and iteration; `None` without a verdict.
pub(crate) fn pass_rates(page: &Page<'_>) -> Option<Figure> {
    page_chart(page, "rate", "chart.by_case", Unit::Fraction, rate)
}

/// The pass rates that benchmarks record of iterations without a verdict; `None` for fewer than two.
pub(crate) fn recorded_rates(page: &Page<'_>) -> Option<Figure> {
    let rounds = recorded_rounds(page.part.workspace);
    if rounds.len() < 2 {
        return None;
    }
    let (mut ticks, mut candidates, mut baselines) = (Vec::new(), Vec::new(), Vec::new());
    for found in &rounds {
        let name = page.part.workspace.iterations[found.iteration].name.clone();
        let gain = found.gain().map(|gain| verdict::number(Measure::PassRate, gain));
        let note = gain.unwrap_or_default();
        ticks.push(Tick { name, short_note: note.clone(), note });
        candidates.push(recorded_point(page, found.iteration, &found.candidate));
        let other = found.baseline.as_ref();
        baselines.push(other.and_then(|other| recorded_point(page, found.iteration, other)));
    }
    let name = |side: Option<&RecordedSide<'_>>| side.map_or("", |side| side.name).to_owned();
    let newest = rounds.last();
    let mut series = vec![Series {
        name: name(newest.map(|newest| &newest.candidate)),
        role: SeriesRole::RecordedCandidate,
        points: candidates,
    }];
    if baselines.iter().any(Option::is_some) {
        let other = newest.and_then(|newest| newest.baseline.as_ref());
        let (name, role) = (name(other), SeriesRole::RecordedBaseline);
        series.push(Series { name, role, points: baselines });
    }
    let chart = LineChart {
        prefix: "recorded".to_owned(),
        title: page.language.text("chart.recorded").to_owned(),
        unit: Unit::Fraction,
        ticks,
        series,
        breaks: Vec::new(),
    };
    Some(chart::line(&chart, page.language))
}

fn recorded_point(page: &Page<'_>, iteration: usize, side: &RecordedSide<'_>) -> Option<Point> {
    Some(Point {
        value: side.rate.share()?,
        label: rate_text(&side.rate, page.language),
        href: Some(page.link(&page.addresses.iteration(iteration))),
        ..Point::default()
    })
}

/// The mean scores likewise; `None` unless some gain is measured by scores.
pub(super) fn scores(page: &Page<'_>) -> Option<Figure> {
    let mut changes = page.part.analysis.changes.iter();
    if !changes.any(|change| change.gain.measure() == Measure::Score) {
        return None;
    }
    page_chart(page, "score", "chart.scores", Unit::Score, score)
}

fn score(summary: &ConfigurationSummary) -> Option<Point> {
    Some(Point { value: summary.score?, ..Point::default() })
}

/// The mean pass rate of the cases of a configuration, with its interval and the counts behind it.
pub(super) fn rate(summary: &ConfigurationSummary) -> Option<Point> {
    let interval = summary.range.map(|range| range.shown());
    let label = Rate::counts_of(summary.tally);
    Some(Point { value: summary.by_case?, interval, label, ..Point::default() })
}

fn page_chart(
    page: &Page<'_>,
    prefix: &str,
    title: &str,
    unit: Unit,
    point_of: PointOf,
) -> Option<Figure> {
    let mut series = series(page, point_of);
    series.retain(|series| series.points.iter().any(Option::is_some));
    if series.is_empty() {
        return None;
    }
    let indices = 0..page.part.workspace.iterations.len();
    let mut chart = LineChart {
        prefix: prefix.to_owned(),
        title: page.language.text(title).to_owned(),
        unit,
        ticks: indices.map(|index| tick(page.context, index)).collect(),
        series,
        breaks: chart_breaks(page.language, &page.part.analysis.breaks),
    };
    let start = chart.starts_at();
    if unit == Unit::Fraction && start > 0.0 {
        let from = page.language.percent(start);
        chart.title = say!(page.language, "chart.axis_from", title = chart.title, from);
    }
    Some(chart::line(&chart, page.language))
}

/// A series for each candidate, and one for the baselines of all iterations.
fn series(page: &Page<'_>, point_of: PointOf) -> Vec<Series> {
    let roles: Vec<&Roles> =
        page.part.analysis.iterations.iter().map(|analysis| &analysis.roles).collect();
    let (candidates, baselines) = names_by_role(&roles);
    let mut series = Vec::new();
    let mut role = SeriesRole::Candidate;
    for name in candidates {
        series.push(named_series(page, name, role, point_of));
        role = SeriesRole::Other;
    }
    match baselines.as_slice() {
        [] => {}
        [name] => {
            series.push(named_series(page, name.clone(), baseline_role(&baselines), point_of))
        }
        _ => series.extend(baseline_series(page, &roles, point_of)),
    }
    series
}

fn named_series(page: &Page<'_>, name: String, role: SeriesRole, point_of: PointOf) -> Series {
    let indices = 0..page.part.analysis.iterations.len();
    let points = indices
        .map(|index| point(page, index, &name, own_change(page.context, index), point_of))
        .collect();
    Series { name, role, points }
}

/// The baseline of each iteration, where they have different names: a series of the sides without the skill, and one
/// of its earlier states. Each point tells its name where a series has several.
fn baseline_series(page: &Page<'_>, roles: &[&Roles], point_of: PointOf) -> Vec<Series> {
    let mut all = Vec::new();
    for role in [SeriesRole::Baseline, SeriesRole::Earlier] {
        let of_role = |roles: &Roles| {
            roles.baseline.clone().filter(|name| baseline_role(std::slice::from_ref(name)) == role)
        };
        let names: Vec<Option<String>> = roles.iter().map(|roles| of_role(roles)).collect();
        let distinct_names = distinct(names.iter().flatten().cloned());
        let title = match distinct_names.as_slice() {
            [] => continue,
            [name] => name.clone(),
            _ => page.language.text("history.each_baseline").to_owned(),
        };
        let mut points = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let point = name.as_ref().and_then(|name| {
                point(page, index, name, own_change(page.context, index), point_of)
            });
            points.push(point.zip(name).map(|(point, name)| Point { name, ..point }));
        }
        all.push(Series { name: title, role, points });
    }
    all
}

/// Whether baselines are the side without the skill, or all of them earlier versions of it.
fn baseline_role(names: &[String]) -> SeriesRole {
    // Within one iteration only the name says so.
    let candidate = Side::new(0, "");
    if names.iter().all(|name| is_earlier_version(&Side::new(0, name), &candidate)) {
        SeriesRole::Earlier
    } else {
        SeriesRole::Baseline
    }
}

/// The point of a configuration in an iteration, linked to its page. `change` is the comparison of the
/// iteration, which decides with how much ink its sides are drawn.
pub(super) fn point(
    page: &Page<'_>,
    index: usize,
    name: &str,
    change: Option<&Change>,
    point_of: PointOf,
) -> Option<Point> {
    let summary = page.part.analysis.iterations[index].configuration(name)?;
    let is_outlined = match change {
        Some(change) => has_outlined_sides(page.part.analysis, change),
        None => comparison_links::is_outlined(Verdict::NoComparison, [summary; 2]),
    };
    let href = Some(page.link(&page.addresses.iteration(index)));
    Some(Point { href, is_outlined, ..point_of(summary)? })
}

fn has_outlined_sides(analysis: &Analysis, change: &Change) -> bool {
    match change.sides().map(|side| analysis.summary(side)) {
        [Some(before), Some(after)] => {
            comparison_links::is_outlined(change.gain.verdict(), [before, after])
        }
        _ => false,
    }
}

/// Candidates that are nowhere a baseline, and baselines; from the newest iterations with both
/// roles first.
fn names_by_role(roles: &[&Roles]) -> (Vec<String>, Vec<String>) {
    let (deciding, others): (Vec<&Roles>, Vec<&Roles>) =
        roles.iter().rev().partition(|roles| roles.baseline.is_some());
    let (mut candidates, mut baselines) = (Vec::new(), Vec::new());
    for roles in deciding.into_iter().chain(others) {
        candidates.extend(roles.candidates.iter().cloned());
        baselines.extend(roles.baseline.clone());
    }
    candidates.retain(|name| !baselines.contains(name));
    (distinct(candidates), distinct(baselines))
}

fn tick(context: RenderContext<'_>, index: usize) -> Tick {
    let name = context.part.workspace.iterations[index].name.clone();
    let Some(change) = own_change(context, index) else { return Tick { name, ..Tick::default() } };
    let Some(paired) = change.gain.shown() else { return Tick { name, ..Tick::default() } };
    let gain = verdict::number(change.gain.measure(), paired.mean);
    let other = comparison_links::other_name(context, change);
    let cases = context.language.count(paired.cases, "case");
    let note = say!(context.language, "history.tick", gain, other, cases);
    Tick { name, note, short_note: gain }
}

#[cfg(test)]
mod tests {
    use super::names_by_role;
    use crate::analyze::Roles;

    #[test]
    fn the_newest_iteration_with_both_roles_decides() {
        let roles = |candidate: &str, baseline: Option<&str>| Roles {
            candidates: vec![candidate.to_owned()],
            baseline: baseline.map(str::to_owned),
            ..Roles::default()
        };
        let first = roles("with_skill", Some("without_skill"));
        let second = roles("new_skill", Some("old_skill"));
        let (candidates, baselines) = names_by_role(&[&first, &second, &roles("old_skill", None)]);
        assert_eq!(candidates, ["new_skill", "with_skill"]);
        assert_eq!(baselines, ["old_skill", "without_skill"]);
    }
}
