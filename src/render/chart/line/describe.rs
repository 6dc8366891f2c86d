//! A line chart in words: its description, the titles of its points, the table of its numbers.

use crate::render::chart::line::data::{Data, Track, Value};
use crate::render::chart::line::frame::{Frame, Intervals};
use crate::render::chart::{Cell, Unit};
use crate::render::view::DASH;
use crate::text::count;

/// Of longer lists only this many are named.
const NAMED: usize = 8;

/// What the chart says, for those who do not see it.
pub(super) fn desc(data: &Data<'_>, frame: &Frame) -> String {
    let mut sentences = vec![range(data)];
    sentences.extend(data.tracks.iter().take(NAMED).map(|track| summary(data, track)));
    if data.tracks.len() > NAMED {
        sentences.push(format!("{} more series.", data.tracks.len() - NAMED));
    }
    if let Some(best) = data.best {
        sentences.push(format!("Best: {}.", data.chart.iterations[best]));
    }
    let reasons = data.breaks.iter().take(NAMED);
    sentences.extend(reasons.map(|&(index, reason)| format!("{}.", broken(data, index, reason))));
    if data.breaks.len() > NAMED {
        sentences.push(format!("{} more breaks.", data.breaks.len() - NAMED));
    }
    let values = data.tracks.iter().flat_map(|track| track.values.iter().flatten());
    if frame.intervals == Intervals::InTable && values.into_iter().any(|it| it.interval.is_some()) {
        sentences.push("Intervals are in the table.".to_owned());
    }
    sentences.join(" ")
}

fn range(data: &Data<'_>) -> String {
    let axis = match &data.chart.unit {
        Unit::Fraction => "percent, axis from 0 % to 100 %".to_owned(),
        Unit::Seconds => "seconds, axis from zero".to_owned(),
        Unit::Count(word) => format!("{word}, axis from zero"),
    };
    match data.chart.iterations.as_slice() {
        [] => format!("No iterations; {axis}."),
        [only] => format!("One iteration, {only}; {axis}."),
        [first, .., last] => {
            let number = count(data.chart.iterations.len(), "iteration");
            format!("{number} from {first} to {last}; {axis}.")
        }
    }
}

/// First, last, extremes and gaps of one series.
fn summary(data: &Data<'_>, track: &Track<'_>) -> String {
    let (name, unit) = (track.name, &data.chart.unit);
    let at = |(index, it): (usize, Value<'_>)| {
        format!("{} at {}", unit.text(it.value), data.chart.iterations[index])
    };
    let (Some(first), Some(last)) = (track.present().next(), track.present().next_back()) else {
        return format!("{name}: nothing recorded.");
    };
    if first.0 == last.0 {
        return format!("{name}: one value, {}{}.", at(first), gaps(track));
    }
    let change = match data.is_broken(first.0, last.0) {
        true => "not comparable because of a break".to_owned(),
        false => unit.change(first.1.value, last.1.value),
    };
    let number = count(track.present().count(), "value");
    let (low, high) = extremes(track, first);
    format!(
        "{name}: {number}, first {}, last {}, {change}; highest {}, lowest {}{}.",
        at(first),
        at(last),
        at(high),
        at(low),
        gaps(track)
    )
}

type Placed<'a> = (usize, Value<'a>);

/// The first lowest and the first highest value.
fn extremes<'a>(track: &Track<'a>, first: Placed<'a>) -> (Placed<'a>, Placed<'a>) {
    track.present().fold((first, first), |(low, high), it| {
        let low = if it.1.value < low.1.value { it } else { low };
        (low, if it.1.value > high.1.value { it } else { high })
    })
}

fn gaps(track: &Track<'_>) -> String {
    match track.values.iter().filter(|value| value.is_none()).count() {
        0 => String::new(),
        some => format!("; {} without a value", count(some, "iteration")),
    }
}

/// A break in words.
pub(super) fn broken(data: &Data<'_>, index: usize, reason: &str) -> String {
    let name = &data.chart.iterations[index];
    let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    format!("Not comparable with earlier iterations from {name} on{why}")
}

/// A point in words.
pub(super) fn point(data: &Data<'_>, track: &Track<'_>, index: usize, value: Value<'_>) -> String {
    let name = &data.chart.iterations[index];
    let mut text = format!("{name}, {}: {}", track.name, data.chart.unit.text(value.value));
    if !value.label.is_empty() {
        text += &format!(" ({})", value.label);
    }
    if let Some((low, high)) = value.interval {
        let unit = &data.chart.unit;
        text += &format!(", interval {} to {}", unit.short(low), unit.text(high));
    }
    text
}

/// The heads of the table.
pub(super) fn head(data: &Data<'_>) -> Vec<String> {
    let series = data.tracks.iter().map(|track| track.name.to_owned());
    let mut head = vec!["Iteration".to_owned()];
    head.extend(series);
    if has_notes(data) {
        head.push("Note".to_owned());
    }
    head
}

/// The rows of the table, one per iteration.
pub(super) fn rows(data: &Data<'_>) -> Vec<Vec<Cell>> {
    let names = data.chart.iterations.iter().enumerate();
    names.map(|(index, name)| row(data, index, name)).collect()
}

fn row(data: &Data<'_>, index: usize, name: &str) -> Vec<Cell> {
    let mut cells = vec![Cell::plain(name)];
    cells.extend(data.tracks.iter().map(|track| cell(&data.chart.unit, track.values[index])));
    if has_notes(data) {
        let mut notes = Vec::new();
        if data.best == Some(index) {
            notes.push("best".to_owned());
        }
        let breaks = data.breaks.iter().filter(|&&(at, _)| at == index);
        notes.extend(breaks.map(|(_, reason)| match reason.is_empty() {
            true => "break".to_owned(),
            false => format!("break: {reason}"),
        }));
        cells.push(Cell::plain(notes.join("; ")));
    }
    cells
}

fn cell(unit: &Unit, value: Option<Value<'_>>) -> Cell {
    let Some(value) = value else {
        return Cell::plain(DASH);
    };
    let mut text = unit.short(value.value);
    if !value.label.is_empty() {
        text += &format!(" ({})", value.label);
    }
    if let Some((low, high)) = value.interval {
        text += &format!(", {} to {}", unit.short(low), unit.short(high));
    }
    Cell { text, href: value.href.map(str::to_owned) }
}

fn has_notes(data: &Data<'_>) -> bool {
    data.best.is_some() || !data.breaks.is_empty()
}
