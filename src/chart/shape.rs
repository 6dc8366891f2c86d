//! The shapes and dashes that tell series apart without color.

use std::fmt::Display;

use crate::chart::svg::{Canvas, num, point};

/// How many shapes and how many colors there are.
pub(super) const KINDS: usize = 8;

/// Dash patterns; the first is a solid line.
const DASHES: [&str; KINDS] = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "9 3 2 3 2 3"];

/// The shapes of series by number; those of versions are among them.
pub(super) const CIRCLE: usize = 0;
pub(super) const SQUARE: usize = 1;
pub(super) const DIAMOND: usize = 2;
pub(super) const UP: usize = 3;
pub(super) const DOWN: usize = 4;
pub(super) const STAR: usize = 7;

/// Corners of the shapes for a radius of one, each as x and y; none stands for a circle.
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

/// The dash pattern of a series, empty for a solid line.
pub(super) fn dash(index: usize) -> &'static str {
    DASHES[index % KINDS]
}

/// Draws the shape with number `index` around `at`, filled with the current color.
pub(super) fn mark(canvas: &mut Canvas, index: usize, at: (f64, f64), radius: f64) {
    draw(canvas, ("mark", "currentColor"), index, at, radius);
}

/// Draws the outline of a shape, filled with the color of the page.
pub(super) fn hollow(canvas: &mut Canvas, index: usize, at: (f64, f64), radius: f64) {
    draw(canvas, ("mark hollow", "none"), index, at, radius);
}

fn draw(
    canvas: &mut Canvas,
    (class, fill): (&str, &str),
    index: usize,
    (x, y): (f64, f64),
    radius: f64,
) {
    let corners = CORNERS[index % KINDS].chunks(2);
    let corners: Vec<String> =
        corners.map(|corner| point((x + corner[0] * radius, y + corner[1] * radius))).collect();
    let d = format!("M{}Z", corners.join("L"));
    let (x, y, r) = (num(x), num(y), num(radius));
    let mut look: Vec<(&str, &dyn Display)> =
        vec![("class", &class), ("fill", &fill), ("stroke", &"currentColor")];
    if corners.is_empty() {
        look.extend([("cx", &x as &dyn Display), ("cy", &y), ("r", &r)]);
        return canvas.element("circle", &look);
    }
    look.push(("d", &d));
    canvas.element("path", &look);
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
