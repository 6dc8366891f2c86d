//! Charts: static SVG that needs no script, no inline style and no library in the page.
//!
//! Entry points: `line` for a measure over the iterations, [`precision_recall`] for the two
//! rates of a trigger evaluation, [`strip()`] for one case over all iterations, [`bars()`] for the
//! scores of a blind comparison and [`graph()`] for the versions of a skill. Each takes plain data
//! and gives a [`Figure`]: the drawing and the same numbers as texts for a table below it.
//!
//! Rules every figure keeps: axes begin at zero and a rate's axis ends at 100 %; what is not a
//! finite number on its axis is absent, never zero; a series has a shape, a dash pattern and a
//! label besides its color; every text is escaped; coordinates are computed with the four basic
//! operations only, so the bytes are the same on every machine. Colors come from `chart.css`.
//!
//! Line charts and graphs are drawn twice, for wide and for narrow screens, and the style sheet
//! shows one of them: text keeps its size instead of shrinking with the screen.

mod axis;
mod bars;
#[cfg(test)]
mod gallery;
mod graph;
mod labels;
mod line;
mod shape;
mod strip;
mod svg;
#[cfg(test)]
mod tests;
mod unit;
pub(super) mod words;
#[cfg(test)]
mod xml;

use serde::Serialize;

pub(in crate::render) use bars::side;
pub use bars::{Bars, Dimension, bars};
pub use graph::{Graph, Standing, Version, graph};
pub use line::{Break, LineChart, Point, PrecisionRecall, Role, Series, line, precision_recall};
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
}

/// One cell of the table of a chart's numbers. Not escaped: the template does that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// What it says; a dash for what is absent, empty for a note that is not needed.
    pub text: String,
    /// Where the number is explained.
    pub href: Option<String>,
}

impl Cell {
    /// A cell that links nowhere.
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None }
    }
}
