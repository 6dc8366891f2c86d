//! One drawing of a line chart, from the grid below to the marks on top.

use crate::render::chart::line::data::Data;
use crate::render::chart::line::frame::{Frame, Screen};
use crate::render::chart::line::{describe, ends, points};
use crate::render::chart::shape::{STAR, mark};
use crate::render::chart::svg::{Anchor, Canvas, Sheet, num};
use crate::render::chart::words::{shorten, width};

/// The drawing of `data` for `screen`.
pub(super) fn drawn(data: &Data<'_>, screen: Screen) -> String {
    let frame = Frame::new(data, screen);
    let mut canvas = Canvas::default();
    frame.legend.draw(&mut canvas, data);
    grid(&mut canvas, &frame);
    iterations(&mut canvas, data, &frame);
    let taken = best(&mut canvas, data, &frame);
    breaks(&mut canvas, data, &frame, taken);
    for number in (0..data.tracks.len()).rev() {
        points::draw(&mut canvas, data, &frame, number);
    }
    ends::draw(&mut canvas, data, &frame);
    if data.tracks.iter().all(|track| track.present().next().is_none()) {
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        canvas.text("quiet halo", middle, Anchor::Middle, data.language.text("chart.nothing"));
    }
    let prefix = match screen {
        Screen::Wide => data.chart.prefix.clone(),
        Screen::Narrow => format!("{}-narrow", data.chart.prefix),
    };
    let sheet = Sheet {
        prefix: &prefix,
        class: screen.class(),
        size: (screen.width(), frame.height),
        title: &data.chart.title,
        desc: &describe::desc(data, &frame),
    };
    sheet.wrap(canvas)
}

fn grid(canvas: &mut Canvas, frame: &Frame) {
    for (index, (value, text)) in frame.axis.ticks.iter().enumerate() {
        let y = frame.y(*value);
        let class = if index == 0 { "axis" } else { "grid" };
        canvas.line(class, (frame.left, y), (frame.right, y));
        canvas.text("quiet", (frame.left - 6.0, y + 4.0), Anchor::End, text);
    }
    if let Some(caption) = &frame.axis.caption {
        let shown = shorten(caption, frame.right);
        let at = (0.0, frame.legend.height + 16.0);
        canvas.text_of("quiet", at, Anchor::Start, &shown, caption);
    }
}

/// Ticks and names of the iterations.
fn iterations(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    for (index, shown) in &frame.labels.shown {
        let (x, name) = (frame.x(*index), &data.chart.iterations[*index]);
        canvas.line("axis", (x, frame.bottom), (x, frame.bottom + 4.0));
        let shared = frame.labels.caption.trim_end_matches('…').len();
        if frame.labels.rising {
            canvas.rising("quiet", (x + 4.0, frame.bottom + 14.0), shown, &name[shared..]);
        } else {
            let (half, edge) = (width(shown) / 2.0, frame.screen.width());
            let x = x.min(edge - half).max(half);
            canvas.text("quiet", (x, frame.bottom + 18.0), Anchor::Middle, shown);
        }
    }
    if !frame.labels.caption.is_empty() {
        let caption = shorten(&frame.labels.caption, frame.right - frame.left);
        let middle = (frame.left + frame.right) / 2.0;
        let at = (middle, frame.bottom + frame.labels.height - 2.0);
        canvas.text_of("quiet", at, Anchor::Middle, &caption, &frame.labels.caption);
    }
}

/// A star and a word above the best iteration; gives what they take of the row of marks.
fn best(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) -> Option<(f64, f64)> {
    let index = data.best?;
    let (x, y) = (frame.x(index), frame.top - 14.0);
    let name = &data.chart.iterations[index];
    let title = data.language.fill("chart.best_is", &[("iteration", name)]);
    let after = x + 44.0 < frame.right;
    canvas.link(None, &title, |canvas| {
        canvas.group("best", |canvas| {
            canvas.line("best-line", (x, y + 8.0), (x, frame.bottom));
            mark(canvas, STAR, (x, y), 5.0);
        });
        let (x, anchor) = if after { (x + 9.0, Anchor::Start) } else { (x - 9.0, Anchor::End) };
        canvas.text("", (x, y + 4.0), anchor, data.language.text("chart.best"));
    });
    Some(if after { (x - 8.0, x + 44.0) } else { (x - 44.0, x + 8.0) })
}

/// Dashed lines where comparability ends, with their reasons where there is room; what does not
/// fit is in the title of the line and in the table.
fn breaks(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame, best: Option<(f64, f64)>) {
    let mut taken: Vec<(f64, f64)> = best.into_iter().collect();
    taken.extend(
        data.breaks.iter().map(|&(index, _)| (frame.x_before(index), frame.x_before(index))),
    );
    for &(index, reason) in &data.breaks {
        let x = frame.x_before(index);
        let label = label(reason, x, (&taken, frame.screen.width()));
        canvas.link(None, &describe::broken(data, index, reason), |canvas| {
            let d = format!("M{} {}V{}", num(x), num(frame.top - 8.0), num(frame.bottom));
            canvas.path("break", &d);
            if let Some((shown, from, to)) = label {
                let is_after = from > x;
                let anchor = if is_after { Anchor::Start } else { Anchor::End };
                let at = (if is_after { from } else { to }, frame.top - 10.0);
                canvas.text_of("halo quiet", at, anchor, &shown, reason);
                taken.push((from, to));
            }
        });
    }
}

/// What is shown of `reason` beside a line at `x`, with its left and right end: after the line
/// where it fits whole or where there is more room than before it; nothing for a stump.
fn label(reason: &str, x: f64, (taken, edge): (&[(f64, f64)], f64)) -> Option<(String, f64, f64)> {
    const AIR: f64 = 5.0;
    if taken.iter().any(|&(from, to)| from < x && x < to) {
        return None;
    }
    let starts = taken.iter().map(|&(from, _)| from).filter(|&from| from > x + 0.01);
    let ends = taken.iter().map(|&(_, to)| to).filter(|&to| to < x - 0.01);
    let after = starts.fold(edge, f64::min) - x - 2.0 * AIR;
    let before = x - ends.fold(0.0, f64::max) - 2.0 * AIR;
    let is_after = width(reason) <= after || after >= before;
    let shown = shorten(reason, if is_after { after } else { before });
    let length = width(&shown);
    let is_stump = shown != reason && shown.chars().count() < 6;
    if is_stump || reason.is_empty() {
        return None;
    }
    let from = if is_after { x + AIR } else { x - AIR - length };
    Some((shown, from, from + length))
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn a_reason_goes_where_there_is_room() {
        let shown = |x: f64, taken: &[(f64, f64)]| {
            label("another model", x, (taken, 700.0)).map(|(shown, from, _)| (shown, from > x))
        };
        assert_eq!(shown(100.0, &[]), Some(("another model".to_owned(), true)));
        assert_eq!(shown(300.0, &[(330.0, 380.0)]), Some(("another model".to_owned(), false)));
        assert_eq!(shown(300.0, &[(280.0, 340.0)]), None);
        assert_eq!(shown(300.0, &[(270.0, 290.0), (320.0, 340.0)]), None);
        let (shown, is_after) = shown(300.0, &[(240.0, 290.0), (380.0, 400.0)]).unwrap();
        assert!(is_after && shown.starts_with("ano") && shown.contains('…'), "{shown}");
    }
}
