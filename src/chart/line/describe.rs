//! A line chart in words: its description, the titles of its points, the table of its numbers.

use crate::chart::line::{ChartBreak, LineChart, Point};
use crate::chart::{Cell, DASH};
use crate::language::Language;
use crate::statistics::Interval;

/// At most this many breaks are named.
const NAMED: usize = 8;

/// A description of the chart for those who cannot see it.
pub(super) fn desc(chart: &LineChart, language: &Language) -> String {
    let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
    let mut sentences = match names.is_empty() {
        true => vec![language.text("chart.nothing").to_owned()],
        false => {
            let iterations = language.count(chart.ticks.len(), "iteration");
            let series = names.join(language.text("list.comma"));
            vec![language.fill("chart.desc", &[("series", &series), ("iterations", &iterations)])]
        }
    };
    let shown_breaks = chart.breaks.iter().take(NAMED);
    sentences.extend(shown_breaks.map(|gap| describe_break(chart, language, gap)));
    language.sentences(sentences)
}

/// `iteration-3: other cases, no line drawn.`
pub(super) fn describe_break(chart: &LineChart, language: &Language, at: &ChartBreak) -> String {
    let name = &chart.ticks[at.index].name;
    language.fill("chart.break_at", &[("iteration", name), ("reason", &at.reason)])
}

/// `62 % (9/11), 21 % to 90 %`.
pub(super) fn value(chart: &LineChart, language: &Language, point: &Point) -> String {
    let text = |value| chart.unit.text(value, language);
    let value = text(point.value);
    let whole = match point.label.as_str() {
        "" => value,
        label => language.fill("chart.labelled", &[("value", &value), ("label", &label)]),
    };
    let Some(Interval { low, high }) = point.interval else { return whole };
    whole + &language.fill("chart.from_to", &[("low", &text(low)), ("high", &text(high))])
}

/// The head and the rows of the table with the same numbers, one row per iteration.
pub(super) fn table(chart: &LineChart, language: &Language) -> (Vec<String>, Vec<Vec<Cell>>) {
    let has_notes = !chart.breaks.is_empty();
    let mut head = vec![language.text("chart.iteration").to_owned()];
    head.extend(chart.series.iter().map(|series| series.name.clone()));
    head.extend(has_notes.then(|| language.text("chart.note").to_owned()));
    let cell = |point: Option<&Point>| {
        let Some(point) = point else { return Cell::plain(DASH) };
        let value = value(chart, language, point);
        let text = match point.name.as_str() {
            "" => value,
            name => language.fill("chart.cell_of", &[("name", &name), ("value", &value)]),
        };
        Cell { text, href: point.href.clone() }
    };
    let row = |index: usize| {
        let mut cells = vec![Cell::plain(&chart.ticks[index].name)];
        cells.extend(chart.series.iter().map(|series| cell(series.points[index].as_ref())));
        let notes = chart.breaks.iter().filter(|gap| gap.index == index);
        let notes: Vec<&str> = notes.map(|gap| gap.reason.as_str()).collect();
        cells.extend(has_notes.then(|| Cell::plain(notes.join(language.text("list.semicolon")))));
        cells
    };
    (head, (0..chart.ticks.len()).map(row).collect())
}
