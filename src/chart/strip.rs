//! A strip: one case over all iterations in the height of a line of text.
//!
//! Each iteration is a cell filled from below as high as its pass rate, the higher the darker, so
//! that the strip reads without color. A rate of zero has a cross, an iteration without a verdict
//! a short dash and no frame.

use std::fmt::Display;

use crate::chart::svg::{Canvas, Frame, is_plain_address, num, point};
use crate::chart::{Cell, DASH, Figure, MOST_CELLS, Unit, labelled};
use crate::language::Language;

/// One case over all iterations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    pub title: String,
    pub cells: Vec<StripCell>,
}

/// One iteration of a strip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripCell {
    pub iteration: String,
    /// Pass rate in 0..=1; `None` without a verdict.
    pub rate: Option<f64>,
    /// The counts behind it, `3/4`, or empty.
    pub label: String,
    pub href: Option<String>,
}

/// Height of a cell; the drawing has a pixel more above and below.
const HEIGHT: f64 = 16.0;

/// Width of a cell where there is room.
const WIDEST: f64 = 16.0;

/// Width of the drawing from which on cells become narrower.
const ROOM: f64 = 288.0;
const NARROWEST: f64 = 2.0;

/// From this width on cells stand apart and have frames and marks.
const FRAMED: f64 = 7.0;

/// Draws `strip`. The rows of the table are iteration and pass rate.
pub fn strip(strip: &Strip, language: &Language) -> Figure {
    let more = strip.cells.len().saturating_sub(MOST_CELLS);
    let strip = &Strip { cells: strip.cells[more..].to_vec(), ..strip.clone() };
    let step = (ROOM / strip.cells.len().max(1) as f64).clamp(NARROWEST, WIDEST + 2.0);
    let mut canvas = Canvas::default();
    for (index, cell) in strip.cells.iter().enumerate() {
        let value = words(cell, language);
        let title =
            language.fill("strip.cell", &[("iteration", &cell.iteration), ("value", &value)]);
        canvas.link(cell.href.as_deref(), &title, |canvas| {
            draw(canvas, rate(cell), index as f64 * step, step);
        });
    }
    if step < FRAMED {
        let right = strip.cells.len() as f64 * step;
        canvas.line("grid", (0.0, HEIGHT + 1.5), (right, HEIGHT + 1.5));
    }
    if strip.cells.is_empty() {
        canvas.text("quiet", (0.0, 13.0), "start", DASH);
    }
    let width = (strip.cells.len() as f64 * step).max(WIDEST);
    let svg = canvas.into_svg(&Frame {
        prefix: &strip.prefix,
        class: "chart-strip",
        size: (width, HEIGHT + 2.0),
        title: &strip.title,
        desc: &desc(strip, language),
    });
    let head = ["chart.iteration", "chart.pass_rate"].map(|key| language.text(key).to_owned());
    let rows = strip.cells.iter().map(|cell| row(cell, language));
    Figure { svg, head: head.to_vec(), rows: rows.collect(), more }
}

fn rate(cell: &StripCell) -> Option<f64> {
    cell.rate.filter(|&rate| Unit::Fraction.holds(rate))
}

fn draw(canvas: &mut Canvas, rate: Option<f64>, x: f64, step: f64) {
    let framed = step >= FRAMED;
    let width = if framed { step - 2.0 } else { step };
    let middle = (x + width / 2.0, 1.0 + HEIGHT / 2.0);
    let (across, down) = ((width / 4.0).min(3.0), 3.0);
    if framed || rate.is_none() {
        let class = if rate.is_some() { "cell" } else { "cell none" };
        rectangle(canvas, class, (x, 1.0, width, HEIGHT), "none");
    }
    let Some(rate) = rate else {
        let (from, to) = (middle.0 - across, middle.0 + across);
        return canvas.line("none", (from, middle.1), (to, middle.1));
    };
    if rate > 0.0 {
        let height = (rate * HEIGHT).max(1.5);
        let level = (x, 1.0 + HEIGHT - height, width, height);
        rectangle(canvas, if rate < 1.0 { "level" } else { "level full" }, level, &opacity(rate));
    } else if framed {
        let corner = |x: f64, y: f64| point((middle.0 + x * across, middle.1 + y * down));
        let (falling, rising) =
            ((corner(-1.0, -1.0), corner(1.0, 1.0)), (corner(-1.0, 1.0), corner(1.0, -1.0)));
        canvas.path("zero", &format!("M{}L{}M{}L{}", falling.0, falling.1, rising.0, rising.1));
    } else {
        canvas.line("zero", (x, HEIGHT), (x + width, HEIGHT));
    }
}

fn rectangle(canvas: &mut Canvas, class: &str, place: (f64, f64, f64, f64), fill: &str) {
    let (x, y, width, height) = place;
    let (x, y, width, height) = (num(x), num(y), num(width), num(height));
    let mut attributes: Vec<(&str, &dyn Display)> =
        vec![("class", &class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)];
    match fill {
        "none" => attributes.extend([("fill", &fill as &dyn Display), ("pointer-events", &"all")]),
        _ => attributes.push(("fill-opacity", &fill)),
    }
    canvas.element("rect", &attributes);
}

/// From 0.4 for the lowest rate to 1, in tenths.
fn opacity(rate: f64) -> String {
    num(0.4 + rate * 0.6)
}

fn words(cell: &StripCell, language: &Language) -> String {
    match rate(cell) {
        None => language.text("strip.no_verdict").to_owned(),
        Some(rate) => labelled(language.percent(rate), &cell.label, language),
    }
}

fn row(cell: &StripCell, language: &Language) -> Vec<Cell> {
    let text = if rate(cell).is_some() { words(cell, language) } else { DASH.to_owned() };
    let href = cell.href.clone().filter(|href| is_plain_address(href));
    vec![Cell::plain(&cell.iteration), Cell { text, href }]
}

fn desc(strip: &Strip, language: &Language) -> String {
    let graded: Vec<&StripCell> = strip.cells.iter().filter(|cell| rate(cell).is_some()).collect();
    let iterations = language.count(strip.cells.len(), "iteration");
    let Some(first) = graded.first() else {
        return language.fill("strip.none_graded", &[("iterations", &iterations)]);
    };
    let missing = match strip.cells.len() - graded.len() {
        0 => String::new(),
        some => {
            language.fill("strip.missing", &[("iterations", &language.count(some, "iteration"))])
        }
    };
    let at = |cell: &StripCell| {
        let value = words(cell, language);
        language.fill("chart.value_at", &[("value", &value), ("iteration", &cell.iteration)])
    };
    let (key, last) = match graded.as_slice() {
        [_, .., last] => ("strip.first_and_last", at(last)),
        _ => ("strip.one", String::new()),
    };
    language.fill(
        key,
        &[
            ("iterations", &iterations),
            ("first", &at(first)),
            ("last", &last),
            ("missing", &missing),
        ],
    )
}
