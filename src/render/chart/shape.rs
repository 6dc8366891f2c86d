//! The shapes and dashes that tell series apart without color.

use crate::render::chart::svg::{Canvas, num};

/// How many shapes and how many colors there are.
pub(super) const KINDS: usize = 8;

/// Dash patterns; the first is a solid line.
const DASHES: [&str; KINDS] = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "9 3 2 3 2 3"];

/// Corners of the shapes for a radius of one; none stands for a circle.
const CORNERS: [&[(f64, f64)]; KINDS] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
    &[(0.0, 1.2), (1.2, -0.9), (-1.2, -0.9)],
    &[
        (-0.4, -1.2),
        (0.4, -1.2),
        (0.4, -0.4),
        (1.2, -0.4),
        (1.2, 0.4),
        (0.4, 0.4),
        (0.4, 1.2),
        (-0.4, 1.2),
        (-0.4, 0.4),
        (-1.2, 0.4),
        (-1.2, -0.4),
        (-0.4, -0.4),
    ],
    &[(-1.2, 0.0), (-0.6, -1.1), (0.6, -1.1), (1.2, 0.0), (0.6, 1.1), (-0.6, 1.1)],
    &[
        (0.0, -1.4),
        (0.35, -0.48),
        (1.33, -0.43),
        (0.57, 0.19),
        (0.82, 1.13),
        (0.0, 0.6),
        (-0.82, 1.13),
        (-0.57, 0.19),
        (-1.33, -0.43),
        (-0.35, -0.48),
    ],
];

/// The number of the star among the shapes.
pub(super) const STAR: usize = 7;

/// The dash pattern of a series, empty for a solid line.
pub(super) fn dash(index: usize) -> &'static str {
    DASHES[index % KINDS]
}

/// Draws the shape with number `index` around `at`, filled with the current color.
pub(super) fn mark(canvas: &mut Canvas, index: usize, at: (f64, f64), radius: f64) {
    drawn(canvas, "mark", "currentColor", (index, at, radius));
}

/// Draws the outline of a shape, filled with the color of the page.
pub(super) fn hollow(canvas: &mut Canvas, index: usize, at: (f64, f64), radius: f64) {
    drawn(canvas, "mark hollow", "none", (index, at, radius));
}

fn drawn(
    canvas: &mut Canvas,
    class: &str,
    fill: &str,
    (index, (x, y), radius): (usize, (f64, f64), f64),
) {
    let corners = CORNERS[index % KINDS];
    let look = [
        ("class", class.to_owned()),
        ("fill", fill.to_owned()),
        ("stroke", "currentColor".to_owned()),
    ];
    let place = if corners.is_empty() {
        vec![("cx", num(x)), ("cy", num(y)), ("r", num(radius))]
    } else {
        let corner =
            |(dx, dy): &(f64, f64)| format!("{} {}", num(x + dx * radius), num(y + dy * radius));
        let corners: Vec<String> = corners.iter().map(corner).collect();
        vec![("d", format!("M{}Z", corners.join("L")))]
    };
    let name = if corners.is_empty() { "circle" } else { "path" };
    canvas.element(name, &[&look[..], &place[..]].concat());
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
