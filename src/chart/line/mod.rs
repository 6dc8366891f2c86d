//! Line charts: levels over the iterations, one series per configuration.

mod describe;
mod draw;
mod frame;
mod legend;

use crate::chart::svg::is_plain_address;
use crate::chart::{Figure, MOST_SERIES, MOST_VALUES, Unit};
use crate::language::Language;
use crate::statistics::Interval;

#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    pub title: String,
    pub unit: Unit,
    pub size: ChartSize,
    pub ticks: Vec<Tick>,
    pub series: Vec<Series>,
    /// Points from which values are not comparable with earlier ones.
    pub breaks: Vec<ChartBreak>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartSize {
    /// The width of the page, with intervals, values and names.
    Page,
    /// One of a row of charts that share their axes and their legend.
    Small,
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
    /// Neither.
    #[default]
    Other,
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
    pub href: Option<String>,
}

/// A break of comparability: another model, another set of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartBreak {
    /// Index of the first iteration after it.
    pub index: usize,
    pub reason: String,
}

/// Draws `chart`; at page size, once for wide and once for narrow screens.
pub fn line(chart: &LineChart, language: &Language) -> Figure {
    let (chart, more) = drawable(chart);
    let svg = match chart.size {
        ChartSize::Page => [frame::WIDE, frame::NARROW]
            .map(|sizes| draw::drawing(&chart, language, sizes))
            .concat(),
        ChartSize::Small => draw::drawing(&chart, language, frame::SMALL),
    };
    let (head, rows) = describe::table(&chart, language);
    Figure { svg, head, rows, more }
}

/// The part of `chart` that is drawn: its first series in the newest iterations, without values off
/// the axis. Also returns how many series and iterations that leaves out.
fn drawable(chart: &LineChart) -> (LineChart, usize) {
    let mut chart = chart.clone();
    let unit = chart.unit;
    let number = chart.series.len().min(MOST_SERIES);
    let count = chart.ticks.len().min(MOST_VALUES / number.max(1));
    let start = chart.ticks.len() - count;
    let more = start + chart.series.len() - number;
    chart.ticks.drain(..start);
    chart.series.truncate(number);
    for series in &mut chart.series {
        series.points.drain(..start.min(series.points.len()));
        series.points.resize(count, None);
        for point in &mut series.points {
            *point = point.take().and_then(|point| point.on_axis(unit));
        }
    }
    chart.breaks.retain(|gap| (start..start + count).contains(&gap.index));
    chart.breaks.sort_by_key(|gap| gap.index);
    chart.breaks.iter_mut().for_each(|gap| gap.index -= start);
    (chart, more)
}

impl LineChart {
    /// Whether a line joins the point of `series` at an iteration with the one before.
    fn are_joined(&self, series: &Series, index: usize) -> bool {
        let is_broken = self.breaks.iter().any(|gap| gap.index == index);
        let before = index.checked_sub(1).and_then(|before| series.points[before].as_ref());
        let pair = before.zip(series.points[index].as_ref());
        !is_broken && pair.is_some_and(|(before, after)| before.name == after.name)
    }
}

impl Series {
    /// The configuration that `point` belongs to.
    fn name_at<'a>(&'a self, point: &'a Point) -> &'a String {
        if point.name.is_empty() { &self.name } else { &point.name }
    }

    /// The iterations with a value, in order.
    fn present(&self) -> impl DoubleEndedIterator<Item = (usize, &Point)> {
        self.points.iter().enumerate().filter_map(|(index, point)| Some((index, point.as_ref()?)))
    }
}

impl Point {
    /// The point, without an interval or address that cannot be shown; `None` off the axis.
    fn on_axis(mut self, unit: Unit) -> Option<Self> {
        let (least, most) = unit.bounds();
        let clamped = |end: f64| end.is_finite().then(|| end.clamp(least, most));
        let shown = |Interval { low, high }| {
            let (low, high) = clamped(low).zip(clamped(high))?;
            (low <= high).then_some(Interval { low, high })
        };
        self.interval = self.interval.and_then(shown);
        self.href = self.href.filter(|href| is_plain_address(href));
        (least..=most).contains(&self.value).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ChartBreak, Interval, Point, SeriesRole, Unit, drawable};
    use crate::chart::tests::gallery::{chart, series};

    #[test]
    fn lines_stop_at_gaps_breaks_and_other_configurations() {
        let values = [Some(0.1), Some(0.2), None, Some(0.4), Some(0.5), Some(1.5), Some(0.7)];
        let mut chart = chart(7, vec![series("a", SeriesRole::Candidate, &values)]);
        chart.breaks = vec![ChartBreak { index: 4, reason: "model".to_owned() }];
        let (mut chart, _) = drawable(&chart);
        let joined = |chart: &super::LineChart| -> Vec<usize> {
            (0..7).filter(|at| chart.are_joined(&chart.series[0], *at)).collect()
        };
        assert_eq!(joined(&chart), [1]);
        chart.breaks.clear();
        assert_eq!(joined(&chart), [1, 4]);
        chart.series[0].points[1].as_mut().unwrap().name = "b".to_owned();
        assert_eq!(joined(&chart), [4]);
    }

    #[test]
    fn only_measurements_have_a_place() {
        let is_shown =
            |unit: Unit, value: f64| Point { value, ..Point::default() }.on_axis(unit).is_some();
        assert!(is_shown(Unit::Fraction, 1.0) && !is_shown(Unit::Fraction, 1.01));
        assert!(is_shown(Unit::Score, 1.0) && !is_shown(Unit::Score, 0.9));
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(!is_shown(Unit::Fraction, value), "{value}");
        }
        let shown = |unit: Unit, low, high| {
            let interval = Some(Interval { low, high });
            Point { value: 1.0, interval, ..Point::default() }.on_axis(unit)?.interval
        };
        let clamped = Interval { low: 0.5, high: 1.0 };
        assert_eq!(shown(Unit::Fraction, 0.5, 1.2), Some(clamped));
        assert_eq!(shown(Unit::Score, f64::NAN, 2.0), None);
    }

    #[test]
    fn a_chart_has_a_bounded_number_of_values() {
        let many = vec![series("a", SeriesRole::Other, &[Some(0.5); 900]); 9];
        let (chart, more) = drawable(&chart(900, many));
        assert_eq!((chart.series.len(), chart.ticks.len(), more), (7, 85, 817));
        assert_eq!(chart.ticks[84].name, "iteration-900");
    }
}
