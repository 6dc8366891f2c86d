//! The legend above a line chart: line, shape and whole name of each series.

use crate::chart::line::data::Data;
use crate::chart::shape::{dash, mark};
use crate::chart::svg::{Canvas, point};
use crate::chart::words::{shorten, width};

/// Where each series stands in the legend.
pub(super) struct Legend {
    /// Left edge, baseline and shown name, one per series.
    items: Vec<(f64, f64, String)>,
    pub(super) height: f64,
}

const ROW: f64 = 18.0;

/// Width of the sample of the line, with a gap after it.
const SAMPLE: f64 = 34.0;

impl Legend {
    /// The legend of `data` in rows of this width.
    pub(super) fn new(data: &Data<'_>, room: f64) -> Self {
        let (mut x, mut y) = (0.0, 13.0);
        let mut items = Vec::new();
        for series in &data.chart.series {
            let shown = shorten(&series.name, (room - SAMPLE - 4.0).min(260.0));
            let needed = SAMPLE + width(&shown);
            if x > 0.0 && x + needed > room {
                (x, y) = (0.0, y + ROW);
            }
            items.push((x, y, shown));
            x += needed + 18.0;
        }
        let height = if items.is_empty() { 0.0 } else { y + 5.0 };
        Self { items, height }
    }

    /// Draws it at the top of `canvas`.
    pub(super) fn draw(&self, canvas: &mut Canvas, data: &Data<'_>) {
        for (number, (series, (x, y, shown))) in
            data.chart.series.iter().zip(&self.items).enumerate()
        {
            let shape = data.shape(number);
            canvas.group(&data.color(number), |canvas| {
                canvas.dashed_path("track", &format!("M{}h28", point((*x, y - 4.0))), dash(shape));
                mark(canvas, shape, (x + 14.0, y - 4.0), 4.0);
            });
            canvas.shown_text("", (x + SAMPLE, *y), "start", (shown, &series.name));
        }
    }
}
