//! The shapes and dashes that tell series apart without color.

use crate::chart::svg::{Canvas, num, point};

/// Number of shapes and of colors.
pub(super) const KINDS: usize = 8;

/// Dash patterns; the first is a solid line.
const DASHES: [&str; KINDS] = ["", "5 4", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "9 3 2 3 2 3"];

/// Corners of the shapes for a radius of one, as x and y; none for a circle.
const CORNERS: [&[f64]; KINDS] = [
    &[],
    &[-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9],
    &[0.0, -1.3, 1.3, 0.0, 0.0, 1.3, -1.3, 0.0],
    &[0.0, -1.2, 1.2, 0.9, -1.2, 0.9],
    &[0.0, 1.2, 1.2, -0.9, -1.2, -0.9],
    &[
        -0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4,
        0.4, -1.2, 0.4, -1.2, -0.4, -0.4, -0.4,
    ],
    &[-1.2, 0.0, -0.6, -1.1, 0.6, -1.1, 1.2, 0.0, 0.6, 1.1, -0.6, 1.1],
    &[
        0.0, -1.4, 0.35, -0.48, 1.33, -0.43, 0.57, 0.19, 0.82, 1.13, 0.0, 0.6, -0.82, 1.13, -0.57,
        0.19, -1.33, -0.43, -0.35, -0.48,
    ],
];

/// The classes of the colors by number.
const COLORS: [&str; KINDS] = [
    "series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8",
];

const SQUARE: usize = 1;
const CIRCLE: usize = 0;
const DIAMOND: usize = 2;

pub(super) struct LineStyle {
    pub(super) class: &'static str,
    /// Empty for a solid line.
    pub(super) dashes: &'static str,
    shape: usize,
    /// Hollow, since nobody can check the values.
    pub(super) is_recorded: bool,
}

impl LineStyle {
    /// The candidate: a filled square on a solid line.
    pub(super) const CANDIDATE: Self =
        Self { class: COLORS[0], dashes: DASHES[0], shape: SQUARE, is_recorded: false };

    /// The baseline: a ring on a dashed line.
    pub(super) const BASELINE: Self =
        Self { class: COLORS[1], dashes: DASHES[1], shape: CIRCLE, is_recorded: false };

    /// An earlier version of the skill: a diamond on a dashed line, gray.
    pub(super) const EARLIER: Self =
        Self { class: "earlier", dashes: DASHES[1], shape: DIAMOND, is_recorded: false };

    /// A series that is neither; there are styles for numbers from 2 to the last kind.
    pub(super) fn other(number: usize) -> Self {
        let shape = number.min(KINDS - 1);
        Self { class: COLORS[shape], dashes: DASHES[shape], shape, is_recorded: false }
    }

    pub(super) fn recorded(self) -> Self {
        Self { is_recorded: true, ..self }
    }

    /// Draws the shape: a ring for the baseline, filled unless its value is only recorded.
    pub(super) fn mark(&self, canvas: &mut Canvas, at: (f64, f64), radius: f64) {
        self.draw(canvas, at, radius, self.is_recorded);
    }

    /// The same in gray and hollow, for single runs.
    pub(super) fn outlined_mark(&self, canvas: &mut Canvas, at: (f64, f64), radius: f64) {
        canvas.group("neutral", |canvas| self.draw(canvas, at, radius, true));
    }

    fn draw(&self, canvas: &mut Canvas, (x, y): (f64, f64), radius: f64, is_hollow: bool) {
        // A ring lets the mark of the other side show through.
        if self.shape == CIRCLE {
            let (x, y, r) = (num(x), num(y), num(radius));
            return canvas.add(format_args!(
                "<circle class=\"mark hollow\" fill=\"none\" stroke=\"currentColor\" \
                 cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"
            ));
        }
        let corners = CORNERS[self.shape].chunks(2);
        let corners: Vec<String> =
            corners.map(|corner| point((x + corner[0] * radius, y + corner[1] * radius))).collect();
        let (class, fill) =
            if is_hollow { ("mark hollow", "none") } else { ("mark", "currentColor") };
        canvas.add(format_args!(
            "<path class=\"{class}\" fill=\"{fill}\" stroke=\"currentColor\" d=\"M{}Z\"/>",
            corners.join("L")
        ));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{CORNERS, DASHES, KINDS};

    #[test]
    fn every_series_differs_in_shape_and_dash() {
        let shapes: BTreeSet<String> = CORNERS.iter().map(|c| format!("{c:?}")).collect();
        let dashes: BTreeSet<&str> = DASHES.into_iter().collect();
        assert_eq!((shapes.len(), dashes.len()), (KINDS, KINDS));
    }
}
