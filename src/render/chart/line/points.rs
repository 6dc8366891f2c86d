//! Lines, intervals and points of the series.

use crate::render::chart::line::data::{Data, Track, Value};
use crate::render::chart::line::describe;
use crate::render::chart::line::frame::{Frame, Intervals, Screen};
use crate::render::chart::line::legend::stroke;
use crate::render::chart::shape::mark;
use crate::render::chart::svg::{Canvas, num};

/// On a narrow screen more iterations than this have points without titles and links: a finger
/// could not meet them, and the table has them.
const TOUCHABLE: usize = 40;

/// Pixels between two shapes on a dense line.
const SHAPES_APART: f64 = 70.0;

/// Draws the series with this number.
pub(super) fn draw(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame, number: usize) {
    let track = &data.tracks[number];
    canvas.group(&track.color, |canvas| {
        for run in data.runs(track) {
            let values = run.clone().filter_map(|index| Some((index, track.values[index]?)));
            let values: Vec<(f64, Value<'_>)> =
                values.map(|(index, value)| (frame.x_of(index, number), value)).collect();
            intervals(canvas, frame, &values);
            if values.len() > 1 {
                let points = values.iter().map(|(x, it)| point(*x, frame.y(it.value)));
                stroke(canvas, &format!("M{}", joined(points)), track.look);
            }
        }
        marks(canvas, data, frame, (number, track));
    });
}

fn point(x: f64, y: f64) -> String {
    format!("{} {}", num(x), num(y))
}

fn joined(points: impl Iterator<Item = String>) -> String {
    points.collect::<Vec<_>>().join("L")
}

/// The intervals of one run. A run of one point has no area: it gets whiskers.
fn intervals(canvas: &mut Canvas, frame: &Frame, run: &[(f64, Value<'_>)]) {
    if frame.intervals == Intervals::InTable {
        return;
    }
    let ends = |&(x, value): &(f64, Value<'_>)| {
        value.interval.map(|(low, high)| (x, frame.y(low), frame.y(high)))
    };
    for piece in run.chunk_by(|a, b| a.1.interval.is_some() == b.1.interval.is_some()) {
        let piece: Vec<(f64, f64, f64)> = piece.iter().filter_map(ends).collect();
        match frame.intervals {
            Intervals::Bands if piece.len() > 1 => band(canvas, &piece),
            _ => piece.iter().for_each(|ends| whisker(canvas, *ends)),
        }
    }
}

fn band(canvas: &mut Canvas, ends: &[(f64, f64, f64)]) {
    let upper = ends.iter().map(|&(x, _, high)| point(x, high));
    let lower = ends.iter().rev().map(|&(x, low, _)| point(x, low));
    let d = format!("M{}Z", joined(upper.chain(lower)));
    let attributes = [
        ("class", "band".to_owned()),
        ("d", d),
        ("fill", "currentColor".to_owned()),
        ("fill-opacity", "0.16".to_owned()),
    ];
    canvas.element("path", &attributes);
}

fn whisker(canvas: &mut Canvas, (x, low, high): (f64, f64, f64)) {
    let (left, top, bottom) = (num(x - 3.0), num(high), num(low));
    let d = format!("M{left} {top}h6M{left} {bottom}h6M{} {top}V{bottom}", num(x));
    canvas.path("whisker", &d);
}

fn marks(
    canvas: &mut Canvas,
    data: &Data<'_>,
    frame: &Frame,
    (number, track): (usize, &Track<'_>),
) {
    let radius = frame.radius();
    let silent = frame.screen == Screen::Narrow && track.values.len() > TOUCHABLE;
    for (index, value) in track.present() {
        let at = (frame.x_of(index, number), frame.y(value.value));
        let large = radius > 2.0 || stands_out(data, frame, (number, track), index);
        let draw = |canvas: &mut Canvas| match large {
            true => mark(canvas, track.look, at, radius.max(3.4)),
            false => mark(canvas, 0, at, radius),
        };
        match silent {
            true if large => draw(canvas),
            true => {}
            false => canvas.link(value.href, &describe::point(data, track, index, value), draw),
        }
    }
}

/// Whether a point of a dense line is drawn with the shape of its series: a lone one, the last
/// one, the best one, and some on the way, at other places for each series.
fn stands_out(
    data: &Data<'_>,
    frame: &Frame,
    (number, track): (usize, &Track<'_>),
    index: usize,
) -> bool {
    let has = |index: Option<usize>| {
        index.and_then(|index| track.values.get(index)).is_some_and(Option::is_some)
    };
    let alone = !has(index.checked_sub(1)) && !has(Some(index + 1));
    let is_last = track.values[index + 1..].iter().all(Option::is_none);
    let every = ((SHAPES_APART / frame.spacing) as usize).max(1);
    let on_the_way = (index + number * every / data.tracks.len().max(1)).is_multiple_of(every);
    alone || is_last || on_the_way || data.best == Some(index)
}
