//! Drawings of two sides and of their gain, for cells of tables next to the numbers.

use crate::chart::inline::{BarSide, Tone};
use crate::chart::line_style::LineStyle;
use crate::chart::svg::{Canvas, num, point};
use statistics::Interval;

const PAIR_WIDTH: f64 = 130.0;
const INSET: f64 = 6.0;
const MIDDLE: f64 = 8.0;

/// Both sides in shares of their scale: a ring for the side without the skill, a diamond for an earlier state of
/// it, a square for the candidate, joined by a line in the color of the verdict. Outlines in gray are for single
/// runs.
pub fn both_sides(
    sides: [Option<f64>; 2],
    other: BarSide,
    tone: Tone,
    is_outlined: bool,
    label: &str,
) -> String {
    let other = match other {
        BarSide::Earlier => LineStyle::EARLIER,
        BarSide::Other | BarSide::Candidate => LineStyle::BASELINE,
    };
    let [before, after] = sides
        .map(|side| side.map(|share| INSET + share.clamp(0.0, 1.0) * (PAIR_WIDTH - 2.0 * INSET)));
    let mut canvas = Canvas::default();
    canvas.line("grid", (INSET, MIDDLE), (PAIR_WIDTH - INSET, MIDDLE));
    if let (Some(before), Some(after)) = (before, after) {
        canvas.group(tone.class(), |canvas| {
            canvas.line("joint", (before, MIDDLE), (after, MIDDLE));
        });
    }
    for (x, style) in [(before, other), (after, LineStyle::CANDIDATE)] {
        let Some(x) = x else { continue };
        if is_outlined {
            style.outlined_mark(&mut canvas, (x, MIDDLE), 4.4);
        } else {
            canvas.group(style.class, |canvas| style.mark(canvas, (x, MIDDLE), 4.4));
        }
    }
    canvas.into_inline("chart-inline", (PAIR_WIDTH, 2.0 * MIDDLE), label)
}

/// The scores of A and B in shares of their scale, where nobody knows which is the candidate: gray ticks with
/// their letters, that of A above the line.
pub fn lettered(shares: [Option<f64>; 2], label: &str) -> String {
    let mut canvas = Canvas::default();
    let middle = 14.0;
    let places = shares
        .map(|share| share.map(|share| INSET + share.clamp(0.0, 1.0) * (PAIR_WIDTH - 2.0 * INSET)));
    canvas.line("grid", (INSET, middle), (PAIR_WIDTH - INSET, middle));
    canvas.group(Tone::Neutral.class(), |canvas| {
        if let [Some(a), Some(b)] = places {
            canvas.line("joint", (a, middle), (b, middle));
        }
        for (letter, place, end, baseline) in
            [("A", places[0], middle - 4.0, 8.0), ("B", places[1], middle + 4.0, 27.0)]
        {
            let Some(x) = place else { continue };
            canvas.line("zero-line", (x, middle), (x, end));
            canvas.text("letter", (x, baseline), "middle", letter);
        }
    });
    canvas.into_inline("chart-inline", (PAIR_WIDTH, 2.0 * middle), label)
}

const GAIN_WIDTH: f64 = 210.0;

/// A gain in shares of 1 with its interval, on an axis from `-scale` to `scale` with a line at zero.
/// Without a direction it is hollow: a filled mark would look as certain as a colored one.
pub fn gain(mean: f64, interval: Option<Interval>, scale: f64, tone: Tone, label: &str) -> String {
    let middle = GAIN_WIDTH / 2.0;
    let mut canvas = Canvas::default();
    canvas.line("grid", (0.0, 10.0), (GAIN_WIDTH, 10.0));
    canvas.group(tone.class(), |canvas| {
        if let Some(Interval { low, high }) = interval {
            let (low, high) = (on_gain_axis(low / scale), on_gain_axis(high / scale));
            let (left, width) = (num(low), num((high - low).max(1.0)));
            let paint = match tone {
                Tone::Neutral => "fill=\"none\" stroke=\"currentColor\"",
                _ => "class=\"range\" fill=\"currentColor\"",
            };
            canvas.add(format_args!(
                "<rect {paint} x=\"{left}\" y=\"6\" width=\"{width}\" height=\"8\"/>"
            ));
        }
    });
    canvas.path("zero-line", &format!("M{}v18", point((middle, 1.0))));
    canvas.group(tone.class(), |canvas| dot(canvas, (on_gain_axis(mean / scale), 10.0), 5.0, tone));
    canvas.into_inline("chart-inline", (GAIN_WIDTH, 20.0), label)
}

/// A dot, hollow without a direction.
fn dot(canvas: &mut Canvas, (x, y): (f64, f64), radius: f64, tone: Tone) {
    let (x, y, r) = (num(x), num(y), num(radius));
    let paint = match tone {
        Tone::Neutral => "class=\"hollow\" stroke=\"currentColor\"",
        _ => "class=\"mark\" fill=\"currentColor\"",
    };
    canvas.add(format_args!("<circle {paint} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
}

/// The x position of a share of the scale.
fn on_gain_axis(share: f64) -> f64 {
    let middle = GAIN_WIDTH / 2.0;
    middle + share.clamp(-1.0, 1.0) * (middle - 6.0)
}
