//! Lines, intervals and points of the series.

use std::fmt::Display;

use crate::chart::Screen;
use crate::chart::line::data::Data;
use crate::chart::line::frame::{Frame, Intervals};
use crate::chart::line::{Point, Series, describe};
use crate::chart::shape::{dash, mark};
use crate::chart::svg::{Canvas, num, point};

/// On a narrow screen more iterations than this have points without titles and links: a finger
/// could not meet them, and the table has them.
const TOUCHABLE: usize = 40;

/// Pixels between two shapes on a dense line.
const SHAPES_APART: f64 = 70.0;

pub(super) fn draw(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame, number: usize) {
    let series = &data.chart.series[number];
    canvas.group(&data.color(number), |canvas| {
        for run in data.runs(series) {
            let points: Vec<(f64, &Point)> = run
                .filter_map(|index| {
                    Some((frame.x_of(index, number), series.points[index].as_ref()?))
                })
                .collect();
            intervals(canvas, frame, &points);
            if points.len() > 1 {
                let places = points.iter().map(|(x, it)| point((*x, frame.y(it.value))));
                canvas.dashed_path("track", &path(places), dash(data.shape(number)));
            }
        }
        marks(canvas, data, frame, (number, series));
    });
}

fn path(points: impl Iterator<Item = String>) -> String {
    format!("M{}", points.collect::<Vec<_>>().join("L"))
}

/// The intervals of one run. A run of one point has no area: it gets whiskers.
fn intervals(canvas: &mut Canvas, frame: &Frame, run: &[(f64, &Point)]) {
    if frame.intervals == Intervals::InTable {
        return;
    }
    for piece in run.chunk_by(|a, b| a.1.interval().is_some() == b.1.interval().is_some()) {
        let ends = piece.iter().filter_map(|&(x, point)| {
            let (low, high) = point.interval()?;
            Some((x, frame.y(low), frame.y(high)))
        });
        let ends: Vec<(f64, f64, f64)> = ends.collect();
        match frame.intervals {
            Intervals::Bands if ends.len() > 1 => band(canvas, &ends),
            _ => ends.into_iter().for_each(|ends| whisker(canvas, ends)),
        }
    }
}

fn band(canvas: &mut Canvas, ends: &[(f64, f64, f64)]) {
    let upper = ends.iter().map(|&(x, _, high)| point((x, high)));
    let lower = ends.iter().rev().map(|&(x, low, _)| point((x, low)));
    let d = path(upper.chain(lower)) + "Z";
    let fill = ("fill", &"currentColor" as &dyn Display);
    canvas.element("path", &[("class", &"band"), ("d", &d), fill, ("fill-opacity", &"0.16")]);
}

fn whisker(canvas: &mut Canvas, (x, low, high): (f64, f64, f64)) {
    let (left, top, bottom) = (num(x - 3.0), num(high), num(low));
    let d = format!("M{left} {top}h6M{left} {bottom}h6M{} {top}V{bottom}", num(x));
    canvas.path("whisker", &d);
}

fn marks(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame, (number, series): (usize, &Series)) {
    let radius = frame.radius();
    let silent = frame.screen == Screen::Narrow && series.points.len() > TOUCHABLE;
    for (index, point) in series.present() {
        let at = (frame.x_of(index, number), frame.y(point.value));
        let large = radius > 2.0 || stands_out(data, frame, (number, series), index);
        let draw = |canvas: &mut Canvas| match large {
            true => mark(canvas, data.shape(number), at, radius.max(3.4)),
            false => mark(canvas, 0, at, radius),
        };
        let href = point.href.as_deref();
        match silent {
            true if large => draw(canvas),
            true => {}
            false => canvas.link(href, &describe::point(data, series, index, point), draw),
        }
    }
}

/// Whether a point of a dense line is drawn with the shape of its series: a lone one, the last
/// one, the best one, and some on the way, at other places for each series.
fn stands_out(
    data: &Data<'_>,
    frame: &Frame,
    (number, series): (usize, &Series),
    index: usize,
) -> bool {
    let points = &series.points;
    let alone = (index == 0 || points[index - 1].is_none())
        && points.get(index + 1).is_none_or(Option::is_none);
    let is_last = points[index + 1..].iter().all(Option::is_none);
    let every = ((SHAPES_APART / frame.spacing) as usize).max(1);
    let on_the_way =
        (index + number * every / data.chart.series.len().max(1)).is_multiple_of(every);
    alone || is_last || on_the_way || data.chart.best == Some(index)
}
