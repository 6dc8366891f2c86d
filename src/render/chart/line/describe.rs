//! A line chart in words: its description, the titles of its points, the table of its numbers.

use std::fmt::Display;

use crate::render::chart::line::data::{Data, Track, Value};
use crate::render::chart::line::frame::{Frame, Intervals};
use crate::render::chart::{Cell, Unit};
use crate::render::view::DASH;

/// Of longer lists only this many are named.
const NAMED: usize = 8;

/// What the chart says, for those who do not see it.
pub(super) fn desc(data: &Data<'_>, frame: &Frame) -> String {
    let language = data.language;
    let more =
        |key: &str, all: usize| (all > NAMED).then(|| language.fill(key, &[("n", &(all - NAMED))]));
    let mut sentences = vec![range(data)];
    sentences.extend(data.tracks.iter().take(NAMED).map(|track| summary(data, track)));
    sentences.extend(more("chart.more_series", data.tracks.len()));
    if let Some(best) = data.best {
        let name = &data.chart.iterations[best];
        sentences.push(language.fill("chart.best_sentence", &[("iteration", name)]));
    }
    let reasons = data.breaks.iter().take(NAMED);
    sentences.extend(reasons.map(|&(index, reason)| {
        language.fill("chart.sentence", &[("text", &broken(data, index, reason))])
    }));
    sentences.extend(more("chart.more_breaks", data.breaks.len()));
    let values = data.tracks.iter().flat_map(|track| track.values.iter().flatten());
    if frame.intervals == Intervals::InTable && values.into_iter().any(|it| it.interval.is_some()) {
        sentences.push(language.text("chart.intervals_in_table").to_owned());
    }
    sentences.join(" ")
}

fn range(data: &Data<'_>) -> String {
    let language = data.language;
    let axis = language.text(match data.chart.unit {
        Unit::Fraction => "chart.axis_of_percent",
        Unit::Seconds => "chart.axis_of_seconds",
        Unit::Tokens => "chart.axis_of_tokens",
    });
    match data.chart.iterations.as_slice() {
        [] => language.fill("chart.no_iterations", &[("axis", &axis)]),
        [only] => language.fill("chart.one_iteration", &[("iteration", only), ("axis", &axis)]),
        [first, .., last] => {
            let number = language.count(data.chart.iterations.len(), "iteration");
            let places: [(&str, &dyn Display); 4] =
                [("iterations", &number), ("first", first), ("last", last), ("axis", &axis)];
            language.fill("chart.iterations", &places)
        }
    }
}

/// First, last, extremes and gaps of one series.
fn summary(data: &Data<'_>, track: &Track<'_>) -> String {
    let (name, language) = (track.name, data.language);
    let at = |(index, it): Placed<'_>| {
        let (value, iteration) = (data.text(it.value), &data.chart.iterations[index]);
        language.fill("chart.value_at", &[("value", &value), ("iteration", iteration)])
    };
    let (Some(first), Some(last)) = (track.present().next(), track.present().next_back()) else {
        return language.fill("chart.series_of_nothing", &[("series", &name)]);
    };
    let gaps = gaps(data, track);
    if first.0 == last.0 {
        let places: [(&str, &dyn Display); 3] =
            [("series", &name), ("value", &at(first)), ("gaps", &gaps)];
        return language.fill("chart.series_of_one", &places);
    }
    let change = match data.is_broken(first.0, last.0) {
        true => language.text("chart.broken").to_owned(),
        false => data.chart.unit.change(first.1.value, last.1.value, language),
    };
    let (low, high) = extremes(track, first);
    let places: [(&str, &dyn Display); 8] = [
        ("series", &name),
        ("values", &language.count(track.present().count(), "value")),
        ("first", &at(first)),
        ("last", &at(last)),
        ("change", &change),
        ("high", &at(high)),
        ("low", &at(low)),
        ("gaps", &gaps),
    ];
    language.fill("chart.series", &places)
}

type Placed<'a> = (usize, Value<'a>);

/// The first lowest and the first highest value.
fn extremes<'a>(track: &Track<'a>, first: Placed<'a>) -> (Placed<'a>, Placed<'a>) {
    track.present().fold((first, first), |(low, high), it| {
        let low = if it.1.value < low.1.value { it } else { low };
        (low, if it.1.value > high.1.value { it } else { high })
    })
}

fn gaps(data: &Data<'_>, track: &Track<'_>) -> String {
    match track.values.iter().filter(|value| value.is_none()).count() {
        0 => String::new(),
        some => {
            let iterations = data.language.count(some, "iteration");
            data.language.fill("chart.gaps", &[("iterations", &iterations)])
        }
    }
}

/// A break in words.
pub(super) fn broken(data: &Data<'_>, index: usize, reason: &str) -> String {
    let name = &data.chart.iterations[index];
    let key = if reason.is_empty() { "chart.break_from" } else { "chart.break_because" };
    data.language.fill(key, &[("iteration", name), ("reason", &reason)])
}

/// A point in words.
pub(super) fn point(data: &Data<'_>, track: &Track<'_>, index: usize, value: Value<'_>) -> String {
    let name = &data.chart.iterations[index];
    let places: [(&str, &dyn Display); 3] = [
        ("iteration", name),
        ("series", &track.name),
        ("value", &labelled(data, data.text(value.value), value.label)),
    ];
    let mut text = data.language.fill("chart.point", &places);
    if let Some((low, high)) = value.interval {
        let places: [(&str, &dyn Display); 2] =
            [("low", &data.short(low)), ("high", &data.text(high))];
        text += &data.language.fill("chart.interval", &places);
    }
    text
}

/// A value with the counts behind it, where there are any.
fn labelled(data: &Data<'_>, value: String, label: &str) -> String {
    if label.is_empty() {
        return value;
    }
    data.language.fill("chart.labelled", &[("value", &value), ("label", &label)])
}

/// The heads of the table.
pub(super) fn head(data: &Data<'_>) -> Vec<String> {
    let series = data.tracks.iter().map(|track| track.name.to_owned());
    let mut head = vec![data.language.text("chart.iteration").to_owned()];
    head.extend(series);
    if has_notes(data) {
        head.push(data.language.text("chart.note").to_owned());
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
    cells.extend(data.tracks.iter().map(|track| cell(data, track.values[index])));
    if has_notes(data) {
        let mut notes = Vec::new();
        if data.best == Some(index) {
            notes.push(data.language.text("chart.best").to_owned());
        }
        let breaks = data.breaks.iter().filter(|&&(at, _)| at == index);
        notes.extend(breaks.map(|(_, reason)| match reason.is_empty() {
            true => data.language.text("chart.break").to_owned(),
            false => data.language.fill("chart.break_reason", &[("reason", &reason)]),
        }));
        cells.push(Cell::plain(notes.join(data.language.text("list.semicolon"))));
    }
    cells
}

fn cell(data: &Data<'_>, value: Option<Value<'_>>) -> Cell {
    let Some(value) = value else {
        return Cell::plain(DASH);
    };
    let mut text = labelled(data, data.short(value.value), value.label);
    if let Some((low, high)) = value.interval {
        let places: [(&str, &dyn Display); 2] =
            [("low", &data.short(low)), ("high", &data.short(high))];
        text += &data.language.fill("chart.from_to", &places);
    }
    Cell { text, href: value.href.map(str::to_owned) }
}

fn has_notes(data: &Data<'_>) -> bool {
    data.best.is_some() || !data.breaks.is_empty()
}
