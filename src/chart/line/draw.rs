//! Draws a line chart, from the grid at the back to the values on top.

use crate::chart::line::data::{LineChart, Point};
use crate::chart::line::describe;
use crate::chart::line::frame::{ChartFrame, Sizes};
use crate::chart::line_style::LineStyle;
use crate::chart::svg::{self, Canvas, num, point};
use crate::chart::text_width::width;
use crate::language::{Language, say};
use statistics::Interval;

/// Least distance in pixels between iterations that a pointer can tell apart.
const POINTED: f64 = 3.0;

/// Distance between the lines of a hatched column.
const HATCH: f64 = 7.0;

/// Least distance between names at the ends of lines.
const LINE: f64 = 15.0;

pub(super) fn drawing(chart: &LineChart, language: &Language, sizes: Sizes) -> String {
    let frame = ChartFrame::new(chart, language, sizes);
    let mut canvas = Canvas::default();
    frame.legend.draw(&mut canvas);
    for (value, text) in &frame.values {
        let y = frame.y(*value);
        canvas.line("grid", (frame.left - 8.0, y), (frame.right, y));
        canvas.text("quiet", (frame.left - 14.0, y + 4.0), "end", text);
    }
    ticks(&mut canvas, &frame);
    breaks(&mut canvas, &frame);
    let styles = chart.styles();
    // All lines lie below all marks, and the first series on top of the others.
    for (number, style) in styles.iter().enumerate().rev() {
        canvas.group(style.class, |canvas| lines(canvas, &frame, number, style));
    }
    for (number, style) in styles.iter().enumerate().rev() {
        canvas.group(style.class, |canvas| marks(canvas, &frame, number, style));
    }
    if frame.has_values() {
        values(&mut canvas, &frame);
    }
    ends(&mut canvas, &frame, &styles);
    if chart.series.iter().all(|series| series.present().next().is_none()) {
        let middle = ((frame.left + frame.right) / 2.0, frame.top + 40.0);
        canvas.text("quiet halo", middle, "middle", language.text("chart.nothing"));
    }
    canvas.into_svg(&svg::SvgFrame {
        prefix: &format!("{}-{}", chart.prefix, sizes.class),
        class: sizes.class,
        size: frame.size,
        title: &chart.title,
        desc: &describe::desc(chart, language),
    })
}

fn ticks(canvas: &mut Canvas, frame: &ChartFrame<'_>) {
    for (index, shown) in &frame.labels.shown {
        let (x, name) = (frame.x(*index), &frame.chart.ticks[*index].name);
        let half = width(shown) / 2.0;
        let x = x.min(frame.size.0 - half).max(half);
        let class = if frame.notes.is_empty() { "quiet" } else { "name" };
        canvas.shown_text(class, (x, frame.bottom + 18.0), "middle", shown, name);
    }
    for (index, note) in frame.notes.iter().enumerate().filter(|(_, note)| !note.is_empty()) {
        canvas.text("quiet", (frame.x(index), frame.bottom + 34.0), "middle", note);
    }
}

/// A dotted line at each break, with its reason where there is room.
fn breaks(canvas: &mut Canvas, frame: &ChartFrame<'_>) {
    for (gap, reason) in frame.chart.breaks.iter().zip(&frame.reasons) {
        let x = frame.x_before(gap.index);
        let title = describe::describe_break(frame.chart, frame.language, gap);
        canvas.link(None, &title, |canvas| {
            // Above the highest value, whose label lies over the plot.
            let start = point((x, frame.reasons_y + 5.0));
            canvas.path("break", &format!("M{start}V{}", num(frame.bottom)));
            if let Some(reason) = reason {
                canvas.text("quiet", (x, frame.reasons_y), "middle", reason);
            }
        });
    }
}

/// The intervals of a series, and the lines between its comparable points.
fn lines(canvas: &mut Canvas, frame: &ChartFrame<'_>, number: usize, style: &LineStyle) {
    let series = &frame.chart.series[number];
    let has_intervals = frame.has_intervals();
    let mut path = String::new();
    for (index, Point { value, interval, is_outlined, .. }) in series.present() {
        let at = (frame.x_of(index, number), frame.y(*value));
        if let Some(Interval { low, high }) = interval.filter(|_| has_intervals) {
            let low = point((at.0, frame.y(low)));
            let class = if *is_outlined { "bar neutral" } else { "bar" };
            canvas.path(class, &format!("M{low}V{}", num(frame.y(high))));
        }
        let joint = if frame.chart.are_joined(series, index) { "L" } else { "M" };
        path += &format!("{joint}{}", point(at));
    }
    // Columns need no line, and one between the other side's rings would cross them.
    if path.contains('L') && !frame.is_hatched(0) {
        canvas.dashed_path("track", &path, style.dashes);
    }
}

/// The points of a series, with title and link where they are far enough apart for a pointer; the
/// table has both.
fn marks(canvas: &mut Canvas, frame: &ChartFrame<'_>, number: usize, style: &LineStyle) {
    let series = &frame.chart.series[number];
    for (index, point) in series.present() {
        let at = (frame.x_of(index, number), frame.y(point.value));
        // A thousand titles that no pointer can reach would only make the page large.
        if frame.spacing < POINTED {
            mark(canvas, style, point, at, frame.radius());
            continue;
        }
        let (iteration, name) = (&frame.chart.ticks[index].name, series.name_at(point));
        let value = describe::value(frame.chart, frame.language, point);
        let title = say!(frame.language, "chart.point", iteration, series = name, value);
        canvas.link(point.href.as_deref(), &title, |canvas| {
            if frame.is_hatched(number) {
                canvas.group("neutral", |canvas| hatched_column(canvas, frame, at));
            }
            mark(canvas, style, point, at, frame.radius());
        });
    }
}

fn mark(canvas: &mut Canvas, style: &LineStyle, point: &Point, at: (f64, f64), radius: f64) {
    if point.is_outlined || style.is_recorded {
        style.outlined_mark(canvas, at, radius);
    } else {
        style.mark(canvas, at, radius);
    }
}

/// A hatched column from the axis to a point.
fn hatched_column(canvas: &mut Canvas, frame: &ChartFrame<'_>, (x, top): (f64, f64)) {
    let half = frame.half_column();
    let (left, right) = (x - half, x + half);
    let mut d = format!(
        "M{}V{}H{}V{}",
        point((left, frame.bottom)),
        num(top),
        num(right),
        num(frame.bottom)
    );
    // Lines that rise to the right, from the left edge or the axis to the right edge or the top.
    let mut begin = top - frame.bottom + HATCH;
    while begin < 2.0 * half {
        let (x, y) = (left + begin.max(0.0), frame.bottom + begin.min(0.0));
        let length = (right - x).min(y - top);
        d += &format!("M{}l{} -{}", point((x, y)), num(length), num(length));
        begin += HATCH;
    }
    canvas.path("hatched", &d);
}

/// The value of each point: with two at an iteration, the upper one is labeled above, the other
/// below.
fn values(canvas: &mut Canvas, frame: &ChartFrame<'_>) {
    let series = &frame.chart.series;
    for (number, own) in series.iter().enumerate() {
        let other = series.iter().enumerate().find(|(at, _)| *at != number);
        for (index, point) in own.present() {
            let neighbor = other.and_then(|(at, other)| Some((at, other.points[index].as_ref()?)));
            // Of equal values the first counts as upper, so that labels do not cover each other.
            let is_upper = neighbor.is_none_or(|(at, neighbor)| {
                point.value > neighbor.value || (point.value >= neighbor.value && number < at)
            });
            let (x, y) = (frame.x_of(index, number), frame.y(point.value));
            let class = if number == 0 { "name halo" } else { "quiet halo" };
            let text = frame.chart.unit.bare(point.value);
            if number > 0 && frame.is_hatched(0) {
                canvas.text(class, (x + 9.0, y + 4.0), "start", &text);
            } else if is_upper || frame.is_hatched(number) {
                canvas.text(class, (x, y - 10.0), "middle", &text);
            } else if y + 19.0 <= frame.bottom {
                canvas.text(class, (x, y + 19.0), "middle", &text);
            } else {
                // Below the axis are the names of the iterations.
                canvas.text(class, (x + 9.0, y + 4.0), "start", &text);
            }
        }
    }
}

/// Writes the name of each series that has one next to its last point.
fn ends(canvas: &mut Canvas, frame: &ChartFrame<'_>, styles: &[LineStyle]) {
    let mut ends = Vec::new();
    for ((text, series), style) in frame.ends.iter().zip(&frame.chart.series).zip(styles) {
        if let Some((_, last)) = series.present().next_back().filter(|_| !text.is_empty()) {
            ends.push((text, style, frame.y(last.value)));
        }
    }
    // Both sides often end at 100 %, and their names would cover each other.
    let wanted: Vec<f64> = ends.iter().map(|&(.., y)| y).collect();
    for ((text, style, _), y) in
        ends.into_iter().zip(spread_labels(&wanted, frame.top, frame.bottom))
    {
        canvas.group(style.class, |canvas| {
            canvas.text("end", (frame.right + 8.0, y + 4.0), "start", text);
        });
    }
}

/// Positions near `wanted`, in the same order, at least `LINE` apart, and between the edges if
/// possible.
fn spread_labels(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut places = wanted.to_vec();
    let mut least = top;
    for &index in &order {
        places[index] = places[index].max(least);
        least = places[index] + LINE;
    }
    let mut most = bottom;
    for &index in order.iter().rev() {
        places[index] = places[index].min(most);
        most = places[index] - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{LINE, spread_labels};

    #[test]
    fn names_do_not_touch() {
        assert_eq!(spread_labels(&[50.0, 20.0], 0.0, 100.0), [50.0, 20.0]);
        let places = spread_labels(&[99.0, 98.0, 97.0, 100.0], 0.0, 100.0);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LINE), "{places:?}");
        assert!(places[2] < places[1] && places[1] < places[0] && places[0] < places[3]);
        assert!(spread_labels(&[], 0.0, 1.0).is_empty());
    }
}
