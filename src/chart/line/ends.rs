//! The labels at the line ends, moved apart where lines end near each other.

use crate::chart::Screen;
use crate::chart::line::Series;
use crate::chart::line::data::Data;
use crate::chart::line::frame::Frame;
use crate::chart::shape::mark;
use crate::chart::svg::Canvas;
use crate::chart::words::{self, shorten};

/// Least distance from one label to the next.
const LINE: f64 = 14.0;

/// Room for the shape of a series before its label.
const MARK: f64 = 14.0;

/// From this many series on, the line ends have no labels.
const MANY_SERIES: usize = 9;

/// What stands at the line ends: name and value, on a narrow screen the value; nothing for a series
/// that ended before the others, since beside the last iteration its value would pass for one of it.
pub(super) fn texts(data: &Data<'_>, screen: Screen) -> Vec<String> {
    let all = &data.chart.series;
    if all.len() >= MANY_SERIES {
        return Vec::new();
    }
    let newest = all.iter().filter_map(|series| Some(series.present().next_back()?.0)).max();
    let text = |series: &Series| {
        let (_, last) = series.present().next_back().filter(|(at, _)| Some(*at) == newest)?;
        let value = data.short(last.value);
        Some(match screen {
            Screen::Wide => format!("{} {value}", shorten(&series.name, 104.0)),
            Screen::Narrow => value,
        })
    };
    all.iter().map(|series| text(series).unwrap_or_default()).collect()
}

pub(super) fn width(text: &str) -> f64 {
    words::width(text) + MARK + 10.0
}

/// Draws the label of each series that has one, with a thin line to it where it moved away.
pub(super) fn draw(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    let mut ends = Vec::new();
    for (number, series) in data.chart.series.iter().enumerate() {
        let text = frame.ends.get(number).filter(|text| !text.is_empty());
        if let Some((text, (index, last))) = text.zip(series.present().next_back()) {
            ends.push((number, text, frame.x_of(index, number), frame.y(last.value), last));
        }
    }
    let wanted: Vec<f64> = ends.iter().map(|&(.., y, _)| y).collect();
    let places = spread(&wanted, frame.top, frame.bottom);
    for ((number, text, from, y, last), place) in ends.into_iter().zip(places) {
        let x = frame.ends_at();
        canvas.group(&data.color(number), |canvas| {
            // A line to series that ended long before would pass for their values.
            if (place - y).abs() > 3.0 && x - from <= 40.0 {
                canvas.line("leader", (from + 6.0, y), (x - 2.0, place));
            }
            mark(canvas, data.shape(number), (x + 5.0, place), 3.4);
        });
        let full = match frame.screen {
            Screen::Wide => {
                format!("{} {}", data.chart.series[number].name, data.short(last.value))
            }
            Screen::Narrow => text.clone(),
        };
        canvas.shown_text("halo", (x + MARK, place + 4.0), "start", (text, &full));
    }
}

/// Places near `wanted`, in the same order from top to bottom, at least a line apart and between
/// the edges as far as that goes.
fn spread(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut places = wanted.to_vec();
    let mut least = top;
    for &index in &order {
        places[index] = places[index].max(least);
        least = places[index] + LINE;
    }
    let mut most = bottom;
    for &index in order.iter().rev() {
        places[index] = places[index].min(most);
        most = places[index] - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{LINE, spread};

    #[test]
    fn labels_do_not_touch() {
        assert_eq!(spread(&[50.0, 20.0], 0.0, 100.0), [50.0, 20.0]);
        let places = spread(&[99.0, 98.0, 97.0, 100.0], 0.0, 100.0);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LINE), "{places:?}");
        assert!(places[2] < places[1] && places[1] < places[0] && places[0] < places[3]);
        assert!(spread(&[], 0.0, 1.0).is_empty());
    }
}
