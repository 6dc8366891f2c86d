//! Charts: static SVG that needs no script, no inline style and no library in the page.
//!
//! Entry points: `line` for a measure over the iterations, [`strip()`] for one case over all
//! iterations, [`bars()`] for the scores of a blind comparison and [`graph()`] for the versions of a
//! skill. Each takes plain data and gives a [`Figure`]: the drawing and the same numbers as texts
//! for a table below it.
//!
//! Rules every figure keeps: axes begin at zero and a rate's axis ends at 100 %; what is not a
//! finite number on its axis is absent, never zero; a series has a shape, a dash pattern and a
//! label besides its color; every text is escaped; coordinates are computed with the four basic
//! operations only, so the bytes are the same on every machine. Colors come from `chart.css`.

mod axis;
mod bars;
mod graph;
mod labels;
mod line;
mod shape;
mod strip;
mod svg;
mod unit;
pub(crate) mod words;

use serde::Serialize;

use crate::language::Language;

pub use bars::{Bars, Dimension, bars, side};
pub use graph::{Graph, Standing, Version, graph};
pub use line::{Break, LineChart, Point, Role, Series, line};
pub use strip::{Strip, StripCell, strip};
pub use unit::Unit;

/// A chart, ready for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The drawing: one or two `<svg>` elements, of which the style sheet shows one.
    pub svg: String,
    /// Heads of the columns of the table of the same numbers.
    pub head: Vec<String>,
    /// Rows of that table, each as long as `head`.
    pub rows: Vec<Vec<Cell>>,
    /// How many iterations, series or versions are neither drawn nor in the table.
    pub more: usize,
}

/// One cell of the table of a chart's numbers. Not escaped: the template does that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// What it says; a dash for what is absent, empty for a note that is not needed.
    pub text: String,
    pub href: Option<String>,
}

/// The most values of a chart; of more it shows the newest.
const MOST_VALUES: usize = 600;

/// The most iterations in a strip, the newest: as many as have room side by side.
pub const MOST_CELLS: usize = 144;

const MOST_SERIES: usize = 24;
const DASH: &str = "–";

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None }
    }
}

/// The screen a drawing is made for. Line charts and graphs are drawn for both, so that text keeps
/// its size instead of shrinking with the screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Screen {
    Wide,
    Narrow,
}

impl Screen {
    const BOTH: [Self; 2] = [Self::Wide, Self::Narrow];

    /// Class of a drawing for it, and how its ids begin.
    fn class_and_prefix(self, prefix: &str) -> (&'static str, String) {
        match self {
            Self::Wide => ("chart-wide", prefix.to_owned()),
            Self::Narrow => ("chart-narrow", format!("{prefix}-narrow")),
        }
    }
}

/// A value with the counts behind it, where there are any.
fn labelled(value: String, label: &str, language: &Language) -> String {
    if label.is_empty() {
        return value;
    }
    language.fill("chart.labelled", &[("value", &value), ("label", &label)])
}

#[cfg(test)]
mod tests;
