//! One drawing of a line chart, from the grid below to the marks on top.

use crate::chart::Screen;
use crate::chart::line::data::Data;
use crate::chart::line::frame::{Frame, best_room};
use crate::chart::line::{describe, ends, points};
use crate::chart::shape::{STAR, mark};
use crate::chart::svg::{self, Canvas};
use crate::chart::words::width;

pub(super) fn drawing(data: &Data<'_>, screen: Screen) -> String {
    let frame = Frame::new(data, screen);
    let mut canvas = Canvas::default();
    frame.legend.draw(&mut canvas, data);
    grid(&mut canvas, &frame);
    iterations(&mut canvas, data, &frame);
    best(&mut canvas, data, &frame);
    let is_empty = data.chart.series.iter().all(|series| series.present().next().is_none());
    if !is_empty {
        frame.reasons.draw(&mut canvas, data, &frame);
    }
    for number in (0..data.chart.series.len()).rev() {
        points::draw(&mut canvas, data, &frame, number);
    }
    ends::draw(&mut canvas, data, &frame);
    if is_empty {
        // Between two lines of the grid.
        let height = frame.top + (frame.bottom - frame.top) * 0.375;
        let middle = ((frame.left + frame.right) / 2.0, height);
        canvas.text("quiet halo", middle, "middle", data.language.text("chart.nothing"));
    }
    let (class, prefix) = screen.class_and_prefix(&data.chart.prefix);
    canvas.into_svg(&svg::Frame {
        prefix: &prefix,
        class,
        size: frame.size,
        title: &data.chart.title,
        desc: &describe::desc(data, &frame),
    })
}

fn grid(canvas: &mut Canvas, frame: &Frame) {
    for (index, (value, text)) in frame.axis.ticks.iter().enumerate() {
        let y = frame.y(*value);
        let class = if index == 0 { "axis" } else { "grid" };
        canvas.line(class, (frame.left, y), (frame.right, y));
        canvas.text("quiet", (frame.left - 6.0, y + 4.0), "end", text);
    }
    if let Some(caption) = &frame.axis.caption {
        let at = (0.0, frame.legend.height + 16.0);
        canvas.text_within(frame.right, "quiet", at, "start", caption);
    }
}

fn iterations(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    for (index, shown) in &frame.labels.shown {
        let (x, name) = (frame.x(*index), &data.chart.iterations[*index]);
        canvas.line("axis", (x, frame.bottom), (x, frame.bottom + 4.0));
        let shared = frame.labels.caption.trim_end_matches('…').len();
        if frame.labels.rising {
            let at = (x + 4.0, frame.bottom + 14.0);
            canvas.rising("quiet", at, (shown, &name[shared..]));
        } else {
            let (half, edge) = (width(shown) / 2.0, frame.size.0);
            let x = x.min(edge - half).max(half);
            canvas.text("quiet", (x, frame.bottom + 18.0), "middle", shown);
        }
    }
    if !frame.labels.caption.is_empty() {
        let middle = (frame.left + frame.right) / 2.0;
        let at = (middle, frame.bottom + frame.labels.height - 2.0);
        let room = frame.right - frame.left;
        canvas.text_within(room, "quiet", at, "middle", &frame.labels.caption);
    }
}

/// A star and a word above the best iteration.
fn best(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    let Some(index) = data.chart.best else { return };
    let (x, y) = (frame.x(index), frame.best);
    let name = &data.chart.iterations[index];
    let title = data.language.fill("chart.best_is", &[("iteration", name)]);
    let after = best_room(x, frame.right).1 > x + 9.0;
    canvas.link(None, &title, |canvas| {
        canvas.group("best", |canvas| {
            canvas.line("best-line", (x, y + 8.0), (x, frame.bottom));
            mark(canvas, STAR, (x, y), 5.0);
        });
        let (x, anchor) = if after { (x + 9.0, "start") } else { (x - 9.0, "end") };
        canvas.text("", (x, y + 4.0), anchor, data.language.text("chart.best"));
    });
}
