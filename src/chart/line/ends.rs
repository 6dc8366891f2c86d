//! The names at the line ends, moved apart where lines end near each other.

use crate::chart::line::LineChart;
use crate::chart::line::frame::Frame;
use crate::chart::shape::Look;
use crate::chart::svg::Canvas;
use crate::chart::words::shorten;

/// Least distance from one name to the next.
const LINE: f64 = 15.0;

/// The name of each series at the newest iteration; empty for one that ended before the others, as
/// it would pass for one of it.
pub(super) fn texts(chart: &LineChart) -> Vec<String> {
    let last = |series: &super::Series| Some(series.present().next_back()?.0);
    let newest = chart.series.iter().filter_map(last).max();
    let text = |series: &super::Series| {
        let (at, point) = series.present().next_back()?;
        let name = if point.name.is_empty() { &series.name } else { &point.name };
        (Some(at) == newest).then(|| shorten(name, 150.0))
    };
    chart.series.iter().map(|series| text(series).unwrap_or_default()).collect()
}

/// Draws the name of each series that has one beside its last point.
pub(super) fn draw(canvas: &mut Canvas, chart: &LineChart, frame: &Frame<'_>) {
    let looks = Look::of_all(chart);
    let ends = frame.ends.iter().zip(&chart.series).zip(&looks);
    let ends: Vec<_> = ends
        .filter(|((text, _), _)| !text.is_empty())
        .filter_map(|((text, series), look)| {
            let (_, last) = series.present().next_back()?;
            Some((text, look, frame.y(last.value)))
        })
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|&(.., y)| y).collect();
    for ((text, look, _), y) in ends.into_iter().zip(spread(&wanted, frame.top, frame.bottom)) {
        canvas.group(look.class, |canvas| {
            canvas.text("end", (frame.right + 8.0, y + 4.0), "start", text);
        });
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
    fn names_do_not_touch() {
        assert_eq!(spread(&[50.0, 20.0], 0.0, 100.0), [50.0, 20.0]);
        let places = spread(&[99.0, 98.0, 97.0, 100.0], 0.0, 100.0);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= LINE), "{places:?}");
        assert!(places[2] < places[1] && places[1] < places[0] && places[0] < places[3]);
        assert!(spread(&[], 0.0, 1.0).is_empty());
    }
}
