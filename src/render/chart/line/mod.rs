//! Line charts: one measure over the iterations, one line per configuration.

mod breaks;
mod data;
mod describe;
mod draw;
mod ends;
mod frame;
mod legend;
mod points;
mod reasons;

use std::borrow::Cow;

use crate::render::chart::line::data::Data;
use crate::render::chart::{Figure, MOST_SERIES, MOST_VALUES, Unit};
use crate::render::language::Language;

/// A measure over the iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    /// What it shows, in words.
    pub title: String,
    /// What its values are.
    pub unit: Unit,
    /// Names of the iterations in their order.
    pub iterations: Vec<String>,
    /// The lines. Eight shapes and colors are told apart; after that they repeat.
    pub series: Vec<Series>,
    /// Index of the best iteration.
    pub best: Option<usize>,
    /// Where values stop being comparable with those before.
    pub breaks: Vec<Break>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// What it is, which decides its color.
    pub role: Role,
    /// Its value per iteration, by index; `None`, and what is missing at the end, is a gap.
    pub points: Vec<Option<Point>>,
}

/// What a series is. Candidate and baseline have the same color on every page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// What is tested.
    Candidate,
    /// What it is compared with.
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
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end of its interval.
    pub high: Option<f64>,
    /// The counts behind it, `53/77`, or empty.
    pub label: String,
    /// Where it is explained.
    pub href: Option<String>,
}

/// A break of comparability: another model, another set of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Index of the first iteration after it.
    pub index: usize,
    /// Why, in a few words.
    pub reason: String,
}

/// Draws `chart`: for up to 24 points or so intervals are whiskers, for more they are bands; more
/// than three dense series have their intervals in the table only.
pub fn line(chart: &LineChart, language: &Language) -> Figure {
    let (chart, more) = newest(chart);
    let data = Data::new(&chart, language);
    let svg = frame::Screen::BOTH.map(|screen| draw::drawn(&data, screen)).concat();
    Figure { svg, head: describe::head(&data), rows: describe::rows(&data), more }
}

/// The first series of `chart` in its newest iterations, as many as a chart has values, and how many
/// series and iterations that leaves out.
fn newest(chart: &LineChart) -> (Cow<'_, LineChart>, usize) {
    let series = chart.series.len().min(MOST_SERIES);
    let iterations = chart.iterations.len().min(MOST_VALUES / series.max(1));
    let start = chart.iterations.len() - iterations;
    let more = start + chart.series.len() - series;
    if more == 0 {
        return (Cow::Borrowed(chart), 0);
    }
    let of_series = |series: &Series| Series {
        points: series.points.get(start..).unwrap_or_default().to_vec(),
        ..series.clone()
    };
    let of_break = |found: &Break| {
        Some(Break { index: found.index.checked_sub(start)?, reason: found.reason.clone() })
    };
    let chart = LineChart {
        iterations: chart.iterations[start..].to_vec(),
        series: chart.series[..series].iter().map(of_series).collect(),
        best: chart.best.and_then(|best| best.checked_sub(start)),
        breaks: chart.breaks.iter().filter_map(of_break).collect(),
        ..chart.clone()
    };
    (Cow::Owned(chart), more)
}

/// Precision and recall over the iterations, where they were recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionRecall {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    /// What it shows, in words.
    pub title: String,
    /// Names of the iterations in their order.
    pub iterations: Vec<String>,
    /// Precision per iteration.
    pub precision: Vec<Option<Point>>,
    /// Recall per iteration.
    pub recall: Vec<Option<Point>>,
    /// Where values stop being comparable with those before.
    pub breaks: Vec<Break>,
}

/// Draws precision and recall as a line chart of rates.
pub fn precision_recall(chart: &PrecisionRecall, language: &Language) -> Figure {
    let series = |key: &str, points: &[Option<Point>]| Series {
        name: language.text(key).to_owned(),
        role: Role::Other,
        points: points.to_vec(),
    };
    let chart = LineChart {
        prefix: chart.prefix.clone(),
        title: chart.title.clone(),
        unit: Unit::Fraction,
        iterations: chart.iterations.clone(),
        series: vec![
            series("chart.precision", &chart.precision),
            series("chart.recall", &chart.recall),
        ],
        best: None,
        breaks: chart.breaks.clone(),
    };
    line(&chart, language)
}
