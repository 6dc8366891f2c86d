//! The drawing of the version graph, in bands like lines of text.

use std::collections::BTreeSet;

use crate::chart::Screen;
use crate::chart::graph::layout::{Origin, Place, places};
use crate::chart::graph::{Graph, Standing, Version, words};
use crate::chart::shape::{CIRCLE, DIAMOND, DOWN, SQUARE, STAR, UP, hollow, mark};
use crate::chart::svg::{Canvas, Frame, num, point};
use crate::language::Language;

const COLUMN: f64 = 88.0;
const LANE: f64 = 86.0;

/// Room at the left and right, where lines go from band to band, for the first of them.
const GUTTER: f64 = 18.0;

/// Between lines that go side by side from band to band.
const APART: f64 = 6.0;

/// What lines beside the first take at most.
const ASIDE: f64 = 48.0;

/// From the top of a lane to the middle of its shapes.
const MIDDLE: f64 = 30.0;

/// Half the width of a shape, with some air.
const REACH: f64 = 12.0;

/// Where every version goes on one screen.
struct Layout {
    places: Vec<Place>,
    /// Most columns in a band.
    columns: usize,
    /// For each band its lanes in order, and its upper edge.
    bands: Vec<(Vec<usize>, f64)>,
    /// For each band the versions with a child in the next, from the top down: the line of each goes
    /// a way of its own.
    leaving: Vec<Vec<usize>>,
    /// Between these lines.
    apart: f64,
    gutter: f64,
    size: (f64, f64),
}

impl Layout {
    fn new(origins: &[Origin], screen: Screen) -> Self {
        let places = places(origins);
        let columns = if screen == Screen::Wide { 8 } else { 3 };
        let deepest = places.iter().map(|place| place.column).max().unwrap_or(0);
        let mut used = vec![BTreeSet::new(); deepest / columns + 1];
        for place in &places {
            used[place.column / columns].insert(place.lane);
        }
        let leaving = leaving(origins, &places, columns, used.len());
        let most = leaving.iter().map(|of| of.len().saturating_sub(1)).max().unwrap_or(0) as f64;
        let apart = (ASIDE / most.max(1.0)).min(APART);
        let mut top = 0.0;
        let mut bands = Vec::new();
        for (lanes, of) in used.into_iter().zip(&leaving) {
            let beside = of.len().saturating_sub(1) as f64 * apart;
            let height = lanes.len().max(1) as f64 * LANE + 10.0 + beside;
            bands.push((lanes.into_iter().collect(), top));
            top += height;
        }
        let gutter = GUTTER + most * apart;
        let width = (deepest + 1).min(columns) as f64 * COLUMN + 2.0 * gutter;
        Self { places, columns, bands, leaving, apart, gutter, size: (width, top) }
    }

    fn band(&self, index: usize) -> usize {
        self.places[index].column / self.columns
    }

    fn at(&self, index: usize) -> (f64, f64) {
        let place = self.places[index];
        let (lanes, top) = &self.bands[self.band(index)];
        let lane = lanes.binary_search(&place.lane).unwrap_or_default();
        let column = (place.column % self.columns) as f64;
        (self.gutter + (column + 0.5) * COLUMN, top + lane as f64 * LANE + MIDDLE)
    }
}

/// The versions of each band that have a child in the next, from the top down.
fn leaving(origins: &[Origin], places: &[Place], columns: usize, bands: usize) -> Vec<Vec<usize>> {
    let mut leaving = vec![Vec::new(); bands];
    for (child, origin) in origins.iter().enumerate() {
        if let Origin::Of(parent) = *origin
            && places[parent].column / columns != places[child].column / columns
        {
            leaving[places[parent].column / columns].push(parent);
        }
    }
    for of in &mut leaving {
        of.sort_unstable_by_key(|parent| (places[*parent].lane, *parent));
        of.dedup();
    }
    leaving
}

pub(super) fn drawing(
    graph: &Graph,
    origins: &[Origin],
    screen: Screen,
    desc: &str,
    language: &Language,
) -> String {
    let layout = Layout::new(origins, screen);
    let mut canvas = Canvas::default();
    for (index, origin) in origins.iter().enumerate() {
        edge(&mut canvas, &layout, index, *origin);
    }
    for (index, version) in graph.versions.iter().enumerate() {
        let title = words(version, origins[index], language);
        canvas.link(version.href.as_deref(), &title, |canvas| {
            node(canvas, version, layout.at(index), language);
        });
    }
    if graph.versions.is_empty() {
        canvas.text("quiet", (0.0, MIDDLE), "start", language.text("graph.none"));
    }
    let (class, prefix) = screen.class_and_prefix(&graph.prefix);
    let class = &format!("chart-graph {class}");
    canvas.into_svg(&Frame { prefix: &prefix, class, size: layout.size, title: &graph.title, desc })
}

fn edge(canvas: &mut Canvas, layout: &Layout, index: usize, origin: Origin) {
    let (x, y) = layout.at(index);
    let end = x - REACH;
    match origin {
        Origin::Root => return,
        Origin::Missing | Origin::Circle => {
            canvas.path("edge cut", &format!("M{}H{}", point((end - 20.0, y)), num(end)));
        }
        Origin::Of(parent) => canvas.path("edge", &way(layout, parent, index)),
    }
    let (up, tip, down) =
        (point((end - 5.0, y - 3.5)), point((end, y)), point((end - 5.0, y + 3.5)));
    canvas.path("edge tip", &format!("M{up}L{tip}L{down}"));
}

/// From a version to its child: straight, with a step down, or around into the next band.
fn way(layout: &Layout, parent: usize, child: usize) -> String {
    let ((from_x, from_y), (to_x, to_y)) = (layout.at(parent), layout.at(child));
    let start = format!("M{}", point((from_x + REACH, from_y)));
    let end = num(to_x - REACH);
    if layout.band(parent) == layout.band(child) {
        let middle = (from_x + to_x) / 2.0;
        return format!("{start}{}H{end}", step(middle, from_y, to_y));
    }
    // The higher a line begins, the further out and the lower it goes, so that no two cross.
    let beside = &layout.leaving[layout.band(parent)];
    let at = beside.iter().position(|other| *other == parent).unwrap_or_default() as f64;
    let above = layout.bands[layout.band(child)].1 + 2.0 - at * layout.apart;
    let further = (beside.len() as f64 - 1.0 - at) * layout.apart;
    let right = layout.size.0 - layout.gutter + GUTTER / 2.0 + further;
    let left = layout.gutter - GUTTER / 2.0 - at * layout.apart;
    format!("{start}H{}V{}H{}V{}H{end}", num(right), num(above), num(left), num(to_y))
}

/// Along to `x`, down or up to `to`, with round corners; nothing when there is no step.
fn step(x: f64, from: f64, to: f64) -> String {
    if from == to {
        return String::new();
    }
    let turn = if to > from { 8.0 } else { -8.0 };
    let (x_text, from_text, to_text) = (num(x), num(from), num(to));
    format!(
        "H{}Q{x_text} {from_text} {x_text} {}V{}Q{x_text} {to_text} {} {to_text}",
        num(x - 8.0),
        num(from + turn),
        num(to - turn),
        num(x + 8.0)
    )
}

/// Shape, name, result and rate of a version.
fn node(canvas: &mut Canvas, version: &Version, at: (f64, f64), language: &Language) {
    let (x, y) = at;
    let draw = |canvas: &mut Canvas| shape(canvas, version.standing, at);
    canvas.group(version.standing.class(), draw);
    if version.is_best {
        canvas.group("best", |canvas| mark(canvas, STAR, (x - 16.0, y - 15.0), 4.5));
        canvas.text("", (x - 8.0, y - 11.0), "start", language.text("chart.best"));
    }
    let room = COLUMN - 6.0;
    canvas.text_within(room, "name halo", (x, y + 22.0), "middle", &version.name);
    let word = version.standing.word(language);
    canvas.text("quiet halo", (x, y + 36.0), "middle", word);
    canvas.text_within(room, "quiet halo", (x, y + 50.0), "middle", &version.rate);
}

/// A triangle upward that is full for won, one downward that is empty for lost, a diamond for a
/// tie, a square for the baseline, an empty circle without a result.
fn shape(canvas: &mut Canvas, standing: Standing, at: (f64, f64)) {
    match standing {
        Standing::Won => mark(canvas, UP, at, 7.5),
        Standing::Lost => hollow(canvas, DOWN, at, 7.0),
        Standing::Tie => mark(canvas, DIAMOND, at, 6.0),
        Standing::Baseline => mark(canvas, SQUARE, at, 7.0),
        Standing::Unknown => hollow(canvas, CIRCLE, at, 6.0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Layout, Screen, way};
    use crate::chart::graph::Version;
    use crate::chart::graph::layout::{Origin, origins};

    #[test]
    fn every_version_has_its_own_line_into_the_next_row() {
        let parent = |n: usize| match n {
            0 => String::new(),
            // Three lines of descendants from the first version on.
            1..=3 => "v0".to_owned(),
            _ => format!("v{}", n - 3),
        };
        let version = |n: usize| Version {
            name: format!("v{n}"),
            parent: Some(parent(n)),
            ..Version::default()
        };
        let versions: Vec<Version> = (0..30).map(version).collect();
        let origins = origins(&versions);
        let layout = Layout::new(&origins, Screen::Wide);
        let around = (0..30).filter_map(|child| match origins[child] {
            Origin::Of(parent) if layout.band(parent) != layout.band(child) => {
                Some(way(&layout, parent, child))
            }
            _ => None,
        });
        // Between the start and the end: right, down, left.
        let trunks: Vec<String> = around
            .map(|way| way.split(['H', 'V']).skip(1).take(3).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(trunks.len(), 3, "{trunks:?}");
        for at in 0..3 {
            let parts = trunks.iter().map(|trunk| trunk.split(' ').nth(at));
            assert_eq!(parts.collect::<BTreeSet<_>>().len(), 3, "{trunks:?}");
        }
    }
}
