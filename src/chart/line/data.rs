//! What a line chart shows.

use crate::chart::Unit;
use crate::chart::line_style::LineStyle;
use crate::chart::svg::is_plain_address;
use statistics::Interval;

#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    pub title: String,
    pub unit: Unit,
    pub ticks: Vec<Tick>,
    pub series: Vec<Series>,
    /// Points from which values are not comparable with earlier ones.
    pub breaks: Vec<ChartBreak>,
}

/// The label below an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tick {
    pub name: String,
    /// `+24 vs old_skill, 5 cases`, or empty.
    pub note: String,
    /// `+24`, for where the whole note does not fit.
    pub short_note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// It decides the color.
    pub role: SeriesRole,
    /// Its value per iteration, by index; `None` or a missing entry at the end is a gap.
    pub points: Vec<Option<Point>>,
}

/// The role of a series. Candidate and baseline have the same color on every page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesRole {
    Candidate,
    Baseline,
    /// An earlier version of the skill as the baseline.
    Earlier,
    /// Figures that somebody wrote down and nobody can check: hollow, the candidate's as hatched
    /// columns.
    RecordedCandidate,
    RecordedBaseline,
    /// Likewise, of a version or a round that has no sides.
    Recorded,
    /// Neither.
    #[default]
    Other,
}

impl SeriesRole {
    pub(in crate::chart) fn is_recorded(self) -> bool {
        matches!(self, Self::RecordedCandidate | Self::RecordedBaseline | Self::Recorded)
    }
}

/// One value. A value off the axis (not finite, a rate above one) is a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    pub value: f64,
    pub interval: Option<Interval>,
    /// The configuration if it is not that of the series; points of different ones are not joined.
    pub name: String,
    /// The counts behind it, `53/77`, or empty.
    pub label: String,
    /// Whether it is drawn as a gray outline, since single runs say little.
    pub is_outlined: bool,
    pub href: Option<String>,
}

/// A break of comparability: another model, another set of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartBreak {
    /// Index of the first iteration after it.
    pub index: usize,
    pub reason: String,
}

impl LineChart {
    /// Where its axis begins: at zero, unless all that it shows is above the middle. Columns are
    /// read by their height.
    pub fn starts_at(&self) -> f64 {
        let (low, high) = self.unit.bounds();
        let is_recorded = self.series.iter().any(|series| series.role.is_recorded());
        if self.unit != Unit::Fraction || is_recorded {
            return low;
        }
        let mut least = high;
        for (_, point) in self.series.iter().flat_map(Series::present) {
            least = least.min(point.interval.map_or(point.value, |ends| ends.low.min(point.value)));
        }
        if least > 0.5 && least.is_finite() { (least * 4.0).floor().min(3.0) / 4.0 } else { low }
    }

    /// Whether a line joins the point of `series` at an iteration with the one before.
    pub(in crate::chart) fn are_joined(&self, series: &Series, index: usize) -> bool {
        let is_broken = self.breaks.iter().any(|gap| gap.index == index);
        let before = index.checked_sub(1).and_then(|before| series.points[before].as_ref());
        let pair = before.zip(series.points[index].as_ref());
        !is_broken && pair.is_some_and(|(before, after)| before.name == after.name)
    }

    /// Whether a point is of single runs.
    pub(in crate::chart) fn has_outlines(&self) -> bool {
        let mut points = self.series.iter().flat_map(Series::present);
        points.any(|(_, point)| point.is_outlined)
    }

    /// The style of each series; only the first candidate and the first baseline have their own.
    pub(in crate::chart) fn styles(&self) -> Vec<LineStyle> {
        let (mut has_candidate, mut has_baseline, mut has_earlier) = (false, false, false);
        let mut others = 2..;
        let mut styles = Vec::new();
        for series in &self.series {
            styles.push(match series.role {
                SeriesRole::Candidate if !has_candidate => {
                    has_candidate = true;
                    LineStyle::CANDIDATE
                }
                SeriesRole::Baseline if !has_baseline => {
                    has_baseline = true;
                    LineStyle::BASELINE
                }
                SeriesRole::Earlier if !has_earlier => {
                    has_earlier = true;
                    LineStyle::EARLIER
                }
                SeriesRole::RecordedCandidate => LineStyle::CANDIDATE.recorded(),
                SeriesRole::RecordedBaseline => LineStyle::BASELINE.recorded(),
                role => {
                    let style = LineStyle::other(others.next().unwrap_or_default());
                    if role.is_recorded() { style.recorded() } else { style }
                }
            });
        }
        styles
    }
}

impl Series {
    /// The configuration that `point` belongs to.
    pub(in crate::chart) fn name_at<'a>(&'a self, point: &'a Point) -> &'a String {
        if point.name.is_empty() { &self.name } else { &point.name }
    }

    /// The iterations with a value, in order.
    pub(in crate::chart) fn present(&self) -> impl DoubleEndedIterator<Item = (usize, &Point)> {
        self.points.iter().enumerate().filter_map(|(index, point)| Some((index, point.as_ref()?)))
    }
}

impl Point {
    /// The point, without an interval or address that cannot be shown; `None` off the axis.
    pub(in crate::chart) fn on_axis(mut self, unit: Unit) -> Option<Self> {
        let (least, most) = unit.bounds();
        self.interval = self.interval.filter(|ends| ends.low.is_finite() && ends.high.is_finite());
        if let Some(ends) = &mut self.interval {
            *ends =
                Interval { low: ends.low.clamp(least, most), high: ends.high.clamp(least, most) };
        }
        self.interval = self.interval.filter(|ends| ends.low <= ends.high);
        self.href = self.href.filter(|href| is_plain_address(href));
        if (least..=most).contains(&self.value) { Some(self) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::SeriesRole;
    use crate::chart::tests::gallery::{chart, series};

    #[test]
    fn candidate_and_baseline_keep_their_looks() {
        let roles = [
            SeriesRole::Other,
            SeriesRole::Baseline,
            SeriesRole::Candidate,
            SeriesRole::Other,
            SeriesRole::Baseline,
        ];
        let series = roles.iter().map(|&role| series("x", role, &[])).collect();
        let classes = chart(0, series).styles().into_iter().map(|style| style.class);
        let expected = ["series-3", "series-2", "series-1", "series-4", "series-5"];
        assert_eq!(classes.collect::<Vec<_>>(), expected);
    }
}
