//! The labels at the line ends, moved apart where lines end near each other.

use crate::render::chart::line::data::Data;
use crate::render::chart::line::frame::{Frame, MARK, Screen};
use crate::render::chart::shape::mark;
use crate::render::chart::svg::{Anchor, Canvas};

/// Least distance from one label to the next.
const LINE: f64 = 14.0;

/// Draws the label of each series that has a value, with a thin line to it where it moved away.
pub(super) fn draw(canvas: &mut Canvas, data: &Data<'_>, frame: &Frame) {
    let ends = data.tracks.iter().enumerate().zip(&frame.ends);
    let ends: Vec<_> = ends
        .filter(|(_, text)| !text.is_empty())
        .filter_map(|((number, track), text)| {
            let (index, last) = track.present().next_back()?;
            Some((frame.x_of(index, number), frame.y(last.value), track, text, last))
        })
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|&(_, y, ..)| y).collect();
    let places = spread(&wanted, frame.top, frame.bottom);
    for ((from, y, track, text, last), place) in ends.iter().zip(places) {
        let x = frame.ends_at();
        canvas.group(&track.color, |canvas| {
            // A line to series that ended long before would pass for their values.
            if (place - y).abs() > 3.0 && x - from <= 40.0 {
                canvas.line("leader", (from + 6.0, *y), (x - 2.0, place));
            }
            mark(canvas, track.look, (x + 5.0, place), 3.4);
        });
        let full = match frame.screen {
            Screen::Wide => format!("{} {}", track.name, data.short(last.value)),
            Screen::Narrow => (*text).clone(),
        };
        canvas.text_of("halo", (x + MARK, place + 4.0), Anchor::Start, text, &full);
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
