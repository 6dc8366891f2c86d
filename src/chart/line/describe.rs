//! A line chart in words: its description, the titles of its points, the table of its numbers.

use crate::chart::line::data::Data;
use crate::chart::line::frame::{Frame, Intervals};
use crate::chart::line::{Break, Point, Series};
use crate::chart::{Cell, DASH, Unit, labelled};

/// Of longer lists only this many are named.
const NAMED: usize = 8;

/// What the chart says, for those who do not see it.
pub(super) fn desc(data: &Data<'_>, frame: &Frame) -> String {
    let (chart, language) = (data.chart, data.language);
    let mut sentences = vec![range(data)];
    sentences.extend(chart.series.iter().take(NAMED).map(|series| summary(data, series)));
    if chart.series.len() > NAMED {
        let more = chart.series.len() - NAMED;
        sentences.push(language.fill("chart.more_series", &[("n", &more)]));
    }
    if let Some(best) = chart.best {
        let name = &chart.iterations[best];
        sentences.push(language.fill("chart.best_sentence", &[("iteration", name)]));
    }
    sentences.extend(
        chart
            .breaks
            .iter()
            .take(NAMED)
            .map(|found| language.fill("chart.sentence", &[("text", &broken(data, found))])),
    );
    if chart.breaks.len() > NAMED {
        let more = chart.breaks.len() - NAMED;
        sentences.push(language.fill("chart.more_breaks", &[("n", &more)]));
    }
    let mut points = chart.series.iter().flat_map(|series| series.points.iter().flatten());
    if frame.intervals == Intervals::InTable && points.any(|point| point.interval().is_some()) {
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
            language.fill(
                "chart.iterations",
                &[("iterations", &number), ("first", first), ("last", last), ("axis", &axis)],
            )
        }
    }
}

/// First, last, extremes and gaps of one series.
fn summary(data: &Data<'_>, series: &Series) -> String {
    let (name, language) = (&series.name, data.language);
    let mut present = series.present();
    let Some(first) = present.next() else {
        return language.fill("chart.series_of_nothing", &[("series", name)]);
    };
    let gaps = match series.points.len() - series.present().count() {
        0 => String::new(),
        some => language.fill("chart.gaps", &[("iterations", &language.count(some, "iteration"))]),
    };
    let at = |(index, point): (usize, &Point)| {
        let (value, iteration) = (data.text(point.value), &data.chart.iterations[index]);
        language.fill("chart.value_at", &[("value", &value), ("iteration", iteration)])
    };
    let Some(last) = present.next_back() else {
        let value = at(first);
        return language
            .fill("chart.series_of_one", &[("series", name), ("value", &value), ("gaps", &gaps)]);
    };
    let change = match data.is_broken(first.0, last.0) {
        true => language.text("chart.broken").to_owned(),
        false => data.chart.unit.change(first.1.value, last.1.value, language),
    };
    let (mut low, mut high) = (first, first);
    for point in series.present() {
        low = if point.1.value < low.1.value { point } else { low };
        high = if point.1.value > high.1.value { point } else { high };
    }
    language.fill(
        "chart.series",
        &[
            ("series", name),
            ("values", &language.count(series.present().count(), "value")),
            ("first", &at(first)),
            ("last", &at(last)),
            ("change", &change),
            ("high", &at(high)),
            ("low", &at(low)),
            ("gaps", &gaps),
        ],
    )
}

pub(super) fn broken(data: &Data<'_>, found: &Break) -> String {
    let (name, reason) = (&data.chart.iterations[found.index], &found.reason);
    let key = if reason.is_empty() { "chart.break_from" } else { "chart.break_because" };
    data.language.fill(key, &[("iteration", name), ("reason", reason)])
}

pub(super) fn point(data: &Data<'_>, series: &Series, index: usize, point: &Point) -> String {
    let language = data.language;
    let value = labelled(data.text(point.value), &point.label, language);
    let name = &data.chart.iterations[index];
    let mut text = language
        .fill("chart.point", &[("iteration", name), ("series", &series.name), ("value", &value)]);
    if let Some((low, high)) = point.interval() {
        let (low, high) = (data.short(low), data.text(high));
        text += &language.fill("chart.interval", &[("low", &low), ("high", &high)]);
    }
    text
}

pub(super) fn head(data: &Data<'_>) -> Vec<String> {
    let mut head = vec![data.language.text("chart.iteration").to_owned()];
    head.extend(data.chart.series.iter().map(|series| series.name.clone()));
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
    cells.extend(data.chart.series.iter().map(|series| cell(data, series.points[index].as_ref())));
    if has_notes(data) {
        let mut notes = Vec::new();
        if data.chart.best == Some(index) {
            notes.push(data.language.text("chart.best").to_owned());
        }
        for found in data.chart.breaks.iter().filter(|found| found.index == index) {
            notes.push(match found.reason.as_str() {
                "" => data.language.text("chart.break").to_owned(),
                reason => data.language.fill("chart.break_reason", &[("reason", &reason)]),
            });
        }
        cells.push(Cell::plain(notes.join(data.language.text("list.semicolon"))));
    }
    cells
}

fn cell(data: &Data<'_>, point: Option<&Point>) -> Cell {
    let Some(point) = point else {
        return Cell::plain(DASH);
    };
    let mut text = labelled(data.short(point.value), &point.label, data.language);
    if let Some((low, high)) = point.interval() {
        let (low, high) = (data.short(low), data.short(high));
        text += &data.language.fill("chart.from_to", &[("low", &low), ("high", &high)]);
    }
    Cell { text, href: point.href.clone() }
}

fn has_notes(data: &Data<'_>) -> bool {
    data.chart.best.is_some() || !data.chart.breaks.is_empty()
}
