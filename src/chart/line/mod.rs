//! Line charts: one measure over the iterations, one line per configuration.

mod data;
mod describe;
mod draw;
mod ends;
mod frame;
mod legend;
mod points;
mod reasons;

use crate::chart::line::data::Data;
use crate::chart::svg::is_plain_address;
use crate::chart::{Figure, MOST_SERIES, MOST_VALUES, Screen, Unit};
use crate::language::Language;

/// A measure over the iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    pub title: String,
    pub unit: Unit,
    pub iterations: Vec<String>,
    /// The lines. Eight shapes and colors are told apart; after that they repeat.
    pub series: Vec<Series>,
    pub best: Option<usize>,
    /// Where values stop being comparable with those before.
    pub breaks: Vec<Break>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// What it is, which decides its color.
    pub role: Role,
    /// Its value per iteration, by index; `None`, and what is missing at the end, is a gap.
    pub points: Vec<Option<Point>>,
}

/// What a series is. Candidate and baseline have the same color on every page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    Candidate,
    Baseline,
    /// Neither.
    #[default]
    Other,
}

/// One value. A value that has no place on the axis (not finite, negative, a rate above one) is
/// a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// The value in the chart's unit.
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The counts behind it, `53/77`, or empty.
    pub label: String,
    pub href: Option<String>,
}

/// A break of comparability: another model, another set of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Index of the first iteration after it.
    pub index: usize,
    pub reason: String,
}

/// Draws `chart`: for up to 24 points or so intervals are whiskers, for more they are bands; more
/// than three dense series have their intervals in the table only.
pub fn line(chart: &LineChart, language: &Language) -> Figure {
    let (chart, more) = drawable(chart);
    let data = Data::new(&chart, language);
    let svg = Screen::BOTH.map(|screen| draw::drawing(&data, screen)).concat();
    Figure { svg, head: describe::head(&data), rows: describe::rows(&data), more }
}

/// The first series of `chart` in its newest iterations, as many as a chart has values, without what
/// has no place in it; and how many series and iterations that leaves out.
fn drawable(chart: &LineChart) -> (LineChart, usize) {
    let mut chart = chart.clone();
    let unit = chart.unit;
    let number = chart.series.len().min(MOST_SERIES);
    let count = chart.iterations.len().min(MOST_VALUES / number.max(1));
    let start = chart.iterations.len() - count;
    let more = start + chart.series.len() - number;
    chart.iterations.drain(..start);
    chart.series.truncate(number);
    for series in &mut chart.series {
        series.points.drain(..start.min(series.points.len()));
        series.points.resize(count, None);
        for point in &mut series.points {
            *point = point.take().and_then(|point| point.on_axis(unit));
        }
    }
    let place = |index: usize| index.checked_sub(start).filter(|&index| index < count);
    chart.best = chart.best.and_then(place);
    chart.breaks.retain(|found| place(found.index).is_some());
    chart.breaks.sort_by_key(|found| found.index);
    chart.breaks.iter_mut().for_each(|found| found.index -= start);
    (chart, more)
}

impl Series {
    /// The iterations with a value, in their order.
    fn present(&self) -> impl DoubleEndedIterator<Item = (usize, &Point)> {
        self.points.iter().enumerate().filter_map(|(index, point)| Some((index, point.as_ref()?)))
    }
}

impl Point {
    /// The point with an interval and an address that can be shown; `None` off the axis.
    fn on_axis(mut self, unit: Unit) -> Option<Self> {
        let low = self.low.and_then(|low| unit.clamped(low));
        let high = self.high.and_then(|high| unit.clamped(high));
        (self.low, self.high) = low.zip(high).filter(|(low, high)| low <= high).unzip();
        self.href = self.href.filter(|href| is_plain_address(href));
        unit.holds(self.value).then_some(self)
    }

    fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }
}
