//! Two small drawings for the cells of a table: both sides on one scale, and a gain with its
//! interval. The cell has the same numbers as text.

use crate::chart::inline::Tone;
use crate::chart::shape::Look;
use crate::chart::svg::{Canvas, num, point};

const WIDTH: f64 = 130.0;
const INSET: f64 = 6.0;
const MIDDLE: f64 = 8.0;

/// Both sides in shares of their scale: a ring for the earlier one or the baseline, a square for the
/// later one, joined by a line in the color of the verdict.
pub fn both_sides(sides: [Option<f64>; 2], tone: Tone, label: &str) -> String {
    let x = |value: f64| INSET + value.clamp(0.0, 1.0) * (WIDTH - 2.0 * INSET);
    let mut canvas = Canvas::default();
    canvas.line("grid", (INSET, MIDDLE), (WIDTH - INSET, MIDDLE));
    if let [Some(before), Some(after)] = sides {
        canvas.group(tone.class(), |canvas| {
            canvas.line("joint", (x(before), MIDDLE), (x(after), MIDDLE));
        });
    }
    for (value, look) in sides.into_iter().zip([Look::BASELINE, Look::CANDIDATE]) {
        if let Some(value) = value {
            canvas.group(look.class, |canvas| look.mark(canvas, (x(value), MIDDLE), 4.4));
        }
    }
    canvas.into_inline("chart-inline", (WIDTH, 2.0 * MIDDLE), label)
}

const GAIN_WIDTH: f64 = 210.0;

/// A gain in shares of 1 with its interval, on an axis from `-scale` to `scale` with a line at zero.
pub fn gain(
    mean: f64,
    interval: Option<(f64, f64)>,
    scale: f64,
    tone: Tone,
    label: &str,
) -> String {
    let middle = GAIN_WIDTH / 2.0;
    let x = |value: f64| middle + (value / scale).clamp(-1.0, 1.0) * (middle - 6.0);
    let mut canvas = Canvas::default();
    canvas.line("grid", (0.0, 10.0), (GAIN_WIDTH, 10.0));
    canvas.group(tone.class(), |canvas| {
        if let Some((low, high)) = interval {
            let (left, width) = (num(x(low)), num((x(high) - x(low)).max(1.0)));
            canvas.add(format_args!(
                "<rect class=\"range\" x=\"{left}\" y=\"6\" width=\"{width}\" height=\"8\" \
                 fill=\"currentColor\"/>"
            ));
        }
    });
    canvas.path("zero-line", &format!("M{}v18", point((middle, 1.0))));
    canvas.group(tone.class(), |canvas| {
        let at = num(x(mean));
        canvas.add(format_args!(
            "<circle class=\"mark\" cx=\"{at}\" cy=\"10\" r=\"5\" fill=\"currentColor\"/>"
        ));
    });
    canvas.into_inline("chart-inline", (GAIN_WIDTH, 20.0), label)
}

#[cfg(test)]
mod tests {
    use super::{Tone, both_sides, gain};
    use crate::chart::tests::xml::checked;

    #[test]
    fn both_sides_lie_on_one_scale() {
        let svg = both_sides([Some(0.5), Some(1.0)], Tone::Better, "100 % vs \"50 %\"");
        checked(&svg);
        assert!(svg.contains("cx=\"65\"") && svg.contains("M65 8L124 8"), "{svg}");
        assert!(!both_sides([None, Some(1.0)], Tone::Neutral, "").contains("joint"));
    }

    #[test]
    fn a_gain_stays_on_its_axis() {
        let svg = gain(0.25, Some((-0.9, 0.5)), 0.5, Tone::Neutral, "+25");
        checked(&svg);
        assert!(svg.contains("x=\"6\"") && svg.contains("cx=\"154.5\""), "{svg}");
    }
}
