//! The legend above a line chart: line, shape and whole name of each series.

use crate::render::chart::line::data::Data;
use crate::render::chart::shape::{dash, mark};
use crate::render::chart::svg::{Anchor, Canvas, num};
use crate::render::chart::words::{shorten, width};

/// Where each series stands in the legend.
pub(super) struct Legend {
    /// Left edge, baseline and shown name, one per series.
    items: Vec<(f64, f64, String)>,
    /// Height of all rows.
    pub(super) height: f64,
}

/// Height of a row.
const ROW: f64 = 18.0;

/// Width of the sample of the line, with a gap after it.
const SAMPLE: f64 = 34.0;

impl Legend {
    /// The legend of `data` in rows of this width.
    pub(super) fn new(data: &Data<'_>, room: f64) -> Self {
        let (mut x, mut y) = (0.0, 13.0);
        let mut items = Vec::new();
        for track in &data.tracks {
            let shown = shorten(track.name, (room - SAMPLE - 4.0).min(260.0));
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
        for (track, (x, y, shown)) in data.tracks.iter().zip(&self.items) {
            canvas.group(&track.color, |canvas| {
                stroke(canvas, &format!("M{} {}h28", num(*x), num(y - 4.0)), track.look);
                mark(canvas, track.look, (x + 14.0, y - 4.0), 4.0);
            });
            canvas.text_of("", (x + SAMPLE, *y), Anchor::Start, shown, track.name);
        }
    }
}

/// The line of a series along the path `d`.
pub(super) fn stroke(canvas: &mut Canvas, d: &str, look: usize) {
    let mut attributes = vec![
        ("class", "track".to_owned()),
        ("d", d.to_owned()),
        ("fill", "none".to_owned()),
        ("stroke", "currentColor".to_owned()),
    ];
    if !dash(look).is_empty() {
        attributes.push(("stroke-dasharray", dash(look).to_owned()));
    }
    canvas.element("path", &attributes);
}
