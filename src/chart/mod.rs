//! Charts: static SVG that needs no script, no inline style and no library in the page.
//!
//! Entry points: `line` for levels over the iterations takes plain data and returns a [`Figure`]: the
//! drawing, and the same numbers as text for a table below it. [`both_sides`] and [`gain`] are for
//! table cells next to their numbers.
//!
//! Rules for every figure: an axis shows its whole scale; what is not a finite number on its axis
//! is absent, never zero; a series has a shape, a dash pattern and a label besides its color; every
//! text is escaped; coordinates use only the four basic operations, so the bytes are the same on
//! every machine. Colors come from `chart.css`.

mod axis_labels;
pub(crate) mod inline;
mod line;
mod line_style;
mod pair;
mod svg;
pub(crate) mod text_width;
mod trade;
mod unit;

use serde::Serialize;

pub use line::{ChartBreak, LineChart, Point, Series, SeriesRole, Tick, line};
pub use pair::{both_sides, gain, lettered};
pub use trade::{TradePoint, TradeWords, trade};
pub use unit::Unit;

/// A chart, ready for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The drawing: one or two `<svg>` elements, of which the style sheet shows one.
    pub svg: String,
    /// Column heads of the table with the same numbers.
    pub head: Vec<String>,
    /// Rows of that table, each as long as `head`.
    pub rows: Vec<Vec<Cell>>,
    /// Number of iterations and series that are neither drawn nor in the table.
    pub more: usize,
}

/// One cell of the table of a chart's numbers. Not escaped: the template does that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// A dash for what is absent, empty for a note that is not needed.
    pub text: String,
    pub href: Option<String>,
}

/// Of more values than this, a chart shows the newest.
const MAX_VALUES: usize = 600;

const MAX_SERIES: usize = line_style::KINDS - 1;
const DASH: &str = "–";

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None }
    }
}

#[cfg(test)]
mod tests;
