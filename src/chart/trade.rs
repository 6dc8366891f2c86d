//! Gain against cost: each iteration a mark, joined in time, and the corner that is cheaper and better than
//! the newest.

use crate::chart::svg::{Canvas, num, point};
use crate::chart::text_width::{shorten, width};
use statistics::Interval;

/// An iteration in the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct TradePoint {
    /// What is written at its mark.
    pub name: String,
    /// The whole sentence.
    pub label: String,
    pub href: String,
    /// Tokens or seconds of a run.
    pub cost: f64,
    /// In shares of 1.
    pub gain: f64,
    pub interval: Option<Interval>,
    /// Whether each case ran once, so that its mark is hollow.
    pub is_single: bool,
    /// Whether it is joined with the one before.
    pub is_joined: bool,
}

/// The words of the chart.
#[derive(Clone, Copy, Debug)]
pub struct TradeWords<'w> {
    pub label: &'w str,
    pub axis: &'w str,
    pub corner: &'w str,
}

/// A mark on each side of the zero line needs this much of the axis, in points.
const LEAST_POINTS: f64 = 10.0;

/// The room of a drawing.
struct TradeFrame {
    class: &'static str,
    width: f64,
    height: f64,
    left: f64,
}

const FRAMES: [TradeFrame; 2] = [
    TradeFrame { class: "chart-wide", width: 620.0, height: 340.0, left: 44.0 },
    TradeFrame { class: "chart-narrow", width: 370.0, height: 330.0, left: 36.0 },
];

/// Space above and below the plot, and at its right.
const TOP: f64 = 16.0;
const BOTTOM: f64 = 46.0;
const RIGHT: f64 = 14.0;

/// The drawing of at least two points, in time, for wide and for narrow screens.
pub fn trade(
    points: &[TradePoint],
    words: TradeWords<'_>,
    cost_text: &dyn Fn(f64) -> String,
) -> String {
    FRAMES.iter().map(|frame| draw(points, words, cost_text, frame)).collect()
}

/// A scale from values to places.
struct Scale {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }
}

/// A round step with which `span` has at most `most` of them.
fn round_step(span: f64, most: f64) -> f64 {
    let least = span / most;
    let mut step = 1.0;
    while step < least {
        step *= 10.0;
    }
    for divisor in [10.0, 5.0, 2.0] {
        if step / divisor >= least {
            return step / divisor;
        }
    }
    step
}

fn draw(
    points: &[TradePoint],
    words: TradeWords<'_>,
    cost_text: &dyn Fn(f64) -> String,
    frame: &TradeFrame,
) -> String {
    let bottom = frame.height - BOTTOM;
    let ends = points.iter().flat_map(|point| {
        let interval = point.interval.map(|range| [range.low, range.high]);
        interval.into_iter().flatten().chain([point.gain, 0.0])
    });
    let (low, high) = ends.fold((-LEAST_POINTS, LEAST_POINTS), |(low, high), end| {
        (low.min(end * 100.0), high.max(end * 100.0))
    });
    let gain_step = round_step(high - low, 6.0).max(5.0);
    let gains = Scale {
        from: (low / gain_step).floor() * gain_step,
        to: (high / gain_step).ceil() * gain_step,
        start: bottom,
        end: TOP,
    };
    let costs = points.iter().map(|point| point.cost);
    let least = costs.clone().fold(f64::INFINITY, f64::min);
    let most = costs.fold(0.0, f64::max);
    let cost_step = round_step((most - least).max(most / 10.0), 4.0);
    let costs = Scale {
        from: (least / cost_step).floor() * cost_step,
        to: ((most / cost_step).floor() + 1.0) * cost_step,
        start: frame.left,
        end: frame.width - RIGHT,
    };
    let mut canvas = Canvas::default();
    axes(&mut canvas, [&costs, &gains], [cost_step, gain_step], cost_text);
    canvas.text(
        "quiet",
        ((costs.start + costs.end) / 2.0, frame.height - 6.0),
        "middle",
        words.axis,
    );
    let corner_text = shorten(words.corner, costs.end - costs.start - 12.0);
    if let Some(newest) = points.last() {
        let (x, y) = (costs.at(newest.cost), gains.at(newest.gain * 100.0));
        let (left, width, height) = (num(costs.start), num(x - costs.start), num(y - TOP));
        canvas.add(format_args!(
            "<rect class=\"target\" x=\"{left}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>"
        ));
        canvas.shown_text(
            "quiet",
            (costs.start + 6.0, TOP + 14.0),
            "start",
            &corner_text,
            words.corner,
        );
    }
    let left = costs.start + 6.0;
    let corner =
        Room { left, right: left + width(&corner_text), top: TOP, bottom: TOP + LINE + 4.0 };
    marks(&mut canvas, points, corner, &costs, &gains);
    canvas.into_inline(frame.class, (frame.width, frame.height), words.label)
}

fn axes(
    canvas: &mut Canvas,
    [costs, gains]: [&Scale; 2],
    [cost_step, gain_step]: [f64; 2],
    cost_text: &dyn Fn(f64) -> String,
) {
    let steps = ((gains.to - gains.from) / gain_step).round() as usize;
    for step in 0..=steps {
        let value = gains.from + gain_step * step as f64;
        let y = gains.at(value);
        let class = if value == 0.0 { "zero-line" } else { "grid" };
        canvas.line(class, (costs.start, y), (costs.end, y));
        let (text, _) = text::signed_points(value / 100.0);
        canvas.text("quiet", (costs.start - 8.0, y + 4.0), "end", &text);
    }
    let steps = ((costs.to - costs.from) / cost_step).round() as usize;
    for step in 0..=steps {
        let value = costs.from + cost_step * step as f64;
        let x = costs.at(value);
        canvas.line("grid", (x, gains.start), (x, gains.start + 5.0));
        let anchor = if step == steps { "end" } else { "middle" };
        canvas.text("quiet", (x, gains.start + 19.0), anchor, &cost_text(value));
    }
}

fn marks(canvas: &mut Canvas, points: &[TradePoint], corner: Room, costs: &Scale, gains: &Scale) {
    let at = |point: &TradePoint| (costs.at(point.cost), gains.at(point.gain * 100.0));
    let last = points.len().saturating_sub(1);
    for (index, mark) in points.iter().enumerate() {
        let (x, _) = at(mark);
        if let Some(range) = mark.interval {
            let class = if index == last { "bar new" } else { "bar" };
            let (low, high) = (gains.at(range.low * 100.0), gains.at(range.high * 100.0));
            canvas.line(class, (x, low), (x, high));
        }
    }
    for two in points.windows(2).filter(|two| two[1].is_joined) {
        canvas.line("joint", at(&two[0]), at(&two[1]));
    }
    let places: Vec<(f64, f64)> = points.iter().map(at).collect();
    let names = place_names(points, &places, corner, costs, gains);
    for (index, (mark, &(x, y))) in points.iter().zip(&places).enumerate() {
        let class = match (index == last, mark.is_single) {
            (true, false) => "candidate",
            (true, true) => "candidate ring",
            (false, false) => "past",
            (false, true) => "ring",
        };
        let half = if index == last { 7.0 } else { 5.5 };
        canvas.link(Some(&mark.href), &mark.label, |canvas| {
            let corner = point((x - half, y - half));
            let size = num(2.0 * half);
            let (left, top) = corner.split_once(' ').unwrap_or_default();
            canvas.add(format_args!(
                "<rect class=\"mark {class}\" x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\"/>"
            ));
            if let Some(name) = names[index] {
                let shown = shorten(&mark.name, LONGEST);
                canvas.shown_text("halo", (name.left, name.bottom - 3.0), "start", &shown, &mark.name);
            }
        });
    }
}

/// A rectangle that a name or a mark takes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Room {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Room {
    fn around((x, y): (f64, f64), half: f64) -> Self {
        Self { left: x - half, right: x + half, top: y - half, bottom: y + half }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The width of a name that is cut.
const LONGEST: f64 = 120.0;

/// The height of a name.
const LINE: f64 = 14.0;

/// Small pieces of the lines between marks.
fn joints(points: &[TradePoint], places: &[(f64, f64)]) -> Vec<Room> {
    const PIECES: usize = 24;
    let mut pieces = Vec::new();
    for (two, _) in places.windows(2).zip(points.iter().skip(1)).filter(|(_, mark)| mark.is_joined)
    {
        let ((x0, y0), (x1, y1)) = (two[0], two[1]);
        for piece in 0..=PIECES {
            let share = piece as f64 / PIECES as f64;
            pieces.push(Room::around((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), 2.0));
        }
    }
    pieces
}

/// A place for each name, the newest first, in which it covers no other name and no mark. A name without such a
/// place is left out: its mark has it as a tip, and the list of iterations has the figures.
fn place_names(
    points: &[TradePoint],
    places: &[(f64, f64)],
    corner: Room,
    costs: &Scale,
    gains: &Scale,
) -> Vec<Option<Room>> {
    let mut names = vec![None; points.len()];
    let mut taken: Vec<Room> = places.iter().map(|place| Room::around(*place, 7.5)).collect();
    taken.push(corner);
    let lines = joints(points, places);
    for (index, (mark, &(x, y))) in points.iter().zip(places).enumerate().rev() {
        let width = width(&shorten(&mark.name, LONGEST));
        let (right, left, middle) = (x + 10.0, x - 10.0 - width, x - width / 2.0);
        let tries = [
            (right, y - 2.0),
            (right, y + 16.0),
            (left, y - 2.0),
            (left, y + 16.0),
            (right, y + 7.0),
            (left, y + 7.0),
            (middle, y - 9.0),
            (middle, y + 9.0 + LINE),
            (middle, y - 9.0 - LINE),
            (middle, y + 9.0 + 2.0 * LINE),
        ];
        let rooms = tries.map(|(left, bottom)| Room {
            left,
            right: left + width,
            top: bottom - LINE,
            bottom,
        });
        let fits = |room: &Room| {
            room.left >= costs.start
                && room.right <= costs.end + RIGHT
                && room.top >= 0.0
                && room.bottom <= gains.start
                && !taken.iter().any(|other| room.overlaps(other))
        };
        let fitting: Vec<Room> = rooms.into_iter().filter(fits).collect();
        // Over a line a name can still be read.
        let free = fitting.iter().find(|room| !lines.iter().any(|line| room.overlaps(line)));
        let found = free.or(fitting.first()).copied();
        taken.extend(found);
        names[index] = found;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{TradePoint, TradeWords, round_step, trade};

    #[test]
    fn steps_are_round() {
        let steps = [3.0, 25.0, 60.0, 130.0, 16_000.0].map(|span| round_step(span, 6.0));
        assert_eq!(steps, [0.5, 5.0, 10.0, 50.0, 5_000.0]);
    }

    #[test]
    fn every_point_is_a_mark_in_both_sizes() {
        let mark = |cost: f64, gain: f64| TradePoint {
            name: "a<b".to_owned(),
            label: "it".to_owned(),
            href: "x.html".to_owned(),
            cost,
            gain,
            interval: None,
            is_single: false,
            is_joined: true,
        };
        let points = [mark(31_000.0, 0.09), mark(36_000.0, -0.16), mark(41_000.0, 0.3)];
        let words = TradeWords { label: "l", axis: "tokens", corner: "cheaper" };
        let svg = trade(&points, words, &|cost| format!("{cost}"));
        assert_eq!(svg.matches("<rect class=\"mark").count(), 6);
        assert_eq!(svg.matches("class=\"joint\"").count(), 4);
        assert_eq!(svg.matches("class=\"target\"").count(), 2);
        assert!(svg.contains("a&lt;b") && !svg.contains("NaN") && !svg.contains("rotate"));
        // Names at one place would be read as one.
        let near = [35_000.0, 35_010.0, 30_000.0, 39_000.0].map(|cost| mark(cost, -0.05));
        let svg = trade(&near, words, &|cost| format!("{cost}"));
        let drawing = svg.split("</svg>").next().unwrap();
        let mut at: Vec<&str> = drawing
            .split("class=\"halo\"")
            .skip(1)
            .map(|text| text.split('>').next().unwrap())
            .collect();
        assert!(at.len() > 1, "{drawing}");
        let all = at.len();
        at.sort_unstable();
        at.dedup();
        assert_eq!(at.len(), all);
        let flat = trade(&[mark(5.0, 0.0), mark(5.0, 0.0)], words, &|cost| format!("{cost}"));
        assert!(!flat.contains("NaN") && !flat.contains("inf"), "{flat}");
    }
}
