//! A line chart in words: its description, the titles of its points, the table of its numbers.

use crate::chart::line::data::{ChartBreak, LineChart, Point, Series};
use crate::chart::text_width::shorten;
use crate::chart::{Cell, DASH};
use crate::language::{Language, say};
use statistics::Interval;

/// At most this many breaks are named.
const NAMED: usize = 8;

/// A description of the chart for those who cannot see it.
pub(super) fn desc(chart: &LineChart, language: &Language) -> String {
    let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
    let first = if names.is_empty() {
        language.text("chart.nothing").to_owned()
    } else {
        let iterations = language.count(chart.ticks.len(), "iteration");
        let series = names.join(language.text("list.comma"));
        say!(language, "chart.desc", series, iterations)
    };
    let mut sentences = vec![first];
    let shown_breaks = chart.breaks.iter().take(NAMED);
    sentences.extend(shown_breaks.map(|gap| describe_break(chart, language, gap)));
    language.sentences(sentences)
}

/// `iteration-3: other cases, no line drawn.`
pub(super) fn describe_break(chart: &LineChart, language: &Language, at: &ChartBreak) -> String {
    let name = &chart.ticks[at.index].name;
    say!(language, "chart.break_at", iteration = name, reason = at.reason)
}

/// `62 % (9/11), 21 % to 90 %`.
pub(super) fn value(chart: &LineChart, language: &Language, point: &Point) -> String {
    let mut text = chart.unit.text(point.value, language);
    if !point.label.is_empty() {
        text = say!(language, "chart.labelled", value = text, label = point.label);
    }
    if let Some(Interval { low, high }) = point.interval {
        let (low, high) = (chart.unit.text(low, language), chart.unit.text(high, language));
        text += &say!(language, "chart.from_to", low, high);
    }
    text
}

/// The name of each series at the newest iteration; empty for a series that ended earlier, as the
/// label would suggest it is current.
pub(super) fn end_texts(chart: &LineChart) -> Vec<String> {
    let ends = chart.series.iter().map(|series| series.present().next_back());
    let newest = ends.flatten().map(|(at, _)| at).max();
    chart.series.iter().map(|series| end_text(series, newest)).collect()
}

fn end_text(series: &Series, newest: Option<usize>) -> String {
    match series.present().next_back() {
        Some((at, point)) if Some(at) == newest => shorten(series.name_at(point), 150.0),
        _ => String::new(),
    }
}

/// The head and the rows of the table with the same numbers, one row per iteration.
pub(super) fn table(chart: &LineChart, language: &Language) -> (Vec<String>, Vec<Vec<Cell>>) {
    let has_notes = !chart.breaks.is_empty();
    let mut head = vec![language.text("chart.iteration").to_owned()];
    head.extend(chart.series.iter().map(|series| series.name.clone()));
    if has_notes {
        head.push(language.text("chart.note").to_owned());
    }
    let mut rows = Vec::with_capacity(chart.ticks.len());
    for (index, tick) in chart.ticks.iter().enumerate() {
        let mut cells = vec![Cell::plain(&tick.name)];
        for series in &chart.series {
            cells.push(cell(chart, language, series.points[index].as_ref()));
        }
        if has_notes {
            let notes = chart.breaks.iter().filter(|gap| gap.index == index);
            let notes: Vec<&str> = notes.map(|gap| gap.reason.as_str()).collect();
            cells.push(Cell::plain(notes.join(language.text("list.semicolon"))));
        }
        rows.push(cells);
    }
    (head, rows)
}

fn cell(chart: &LineChart, language: &Language, point: Option<&Point>) -> Cell {
    let Some(point) = point else { return Cell::plain(DASH) };
    let mut text = value(chart, language, point);
    if !point.name.is_empty() {
        text = say!(language, "chart.cell_of", name = point.name, value = text);
    }
    Cell { text, href: point.href.clone() }
}
