//! Labels below the horizontal axis: as many as fit, as long as fit.

use crate::chart::text_width::{shared_beginning, shorten, width};

#[derive(Debug)]
pub(super) struct AxisLabels {
    /// Index of the iteration and its displayed name, in order.
    pub(super) shown: Vec<(usize, String)>,
    /// Height needed below the axis in pixels.
    pub(super) height: f64,
}

/// Labels up to this width stay whole; some are left out instead.
const SHORT: f64 = 48.0;

/// Least room for a label that loses its middle.
const CUT: f64 = 64.0;

/// Space between two labels.
const SPACE: f64 = 8.0;

impl AxisLabels {
    /// Labels for `names` at points `spacing` apart, with `margin` to the left of the first.
    pub(super) fn new(names: &[String], spacing: f64, margin: f64) -> Self {
        let widest = widest(names.iter().map(String::as_str));
        if widest + SPACE <= spacing.min(margin * 2.0 + SPACE) {
            return Self::level(names, 0, 1, widest);
        }
        // `iteration-` before each number takes room and says nothing.
        let shared = shared_beginning(names).len();
        let rest = self::widest(names.iter().map(|name| &name[shared..]));
        if rest + SPACE <= spacing || rest <= SHORT {
            let every = nice(((rest + SPACE) / spacing).ceil());
            return Self::level(names, shared, every, rest);
        }
        // Nobody reads a label that is turned.
        let every = nice(((CUT + SPACE) / spacing).ceil());
        Self::level(names, shared, every, spacing * every as f64 - SPACE)
    }

    /// Each `every`-th name from the byte `shared` on, at most `longest` wide.
    fn level(names: &[String], shared: usize, every: usize, longest: f64) -> Self {
        let mut shown = Vec::new();
        for index in thinned(names.len(), every) {
            shown.push((index, shorten(&names[index][shared..], longest)));
        }
        Self { shown, height: 20.0 }
    }
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(width).fold(0.0, f64::max)
}

/// The step between labels: the smallest of 1, 2, 5, 10 and so on that is at least `least`.
fn nice(least: f64) -> usize {
    let mut decade = 1;
    loop {
        for step in [decade, decade * 2, decade * 5] {
            if step as f64 >= least || step > 1_000_000 {
                return step;
            }
        }
        decade *= 10;
    }
}

/// The first, every `every`-th and the last of `count`; one too close to the last is dropped. From
/// a step of five on, counting starts at one, so that the labels are round numbers.
fn thinned(count: usize, every: usize) -> impl Iterator<Item = usize> {
    let last = count.saturating_sub(1);
    let offset = usize::from(every >= 5);
    (0..count).filter(move |&index| {
        let counts = (index + offset).is_multiple_of(every) && index + every <= last;
        index == 0 || index == last || counts
    })
}

#[cfg(test)]
mod tests {
    use super::{AxisLabels, nice, thinned, width};

    fn names(count: usize, name: impl Fn(usize) -> String) -> Vec<String> {
        (1..=count).map(name).collect()
    }

    fn shown(labels: &AxisLabels) -> String {
        labels.shown.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn few_names_stay_whole() {
        let labels = AxisLabels::new(&names(3, |n| format!("iteration-{n}")), 200.0, 60.0);
        assert_eq!(shown(&labels), "iteration-1 iteration-2 iteration-3");
    }

    #[test]
    fn a_shared_beginning_is_left_out() {
        let labels = AxisLabels::new(&names(12, |n| format!("iteration-{n}")), 40.0, 60.0);
        assert_eq!(shown(&labels), "1 2 3 4 5 6 7 8 9 10 11 12");
    }

    #[test]
    fn three_hundred_are_thinned() {
        let labels = AxisLabels::new(&names(300, |n| format!("iteration-{n}")), 1.9, 60.0);
        assert_eq!(shown(&labels), "1 20 40 60 80 100 120 140 160 180 200 220 240 260 280 300");
    }

    #[test]
    fn long_names_lose_their_middle() {
        let labels =
            AxisLabels::new(&names(20, |n| format!("{n} 第{n}版的評估結果完整名稱")), 27.0, 60.0);
        assert_eq!(labels.shown.len(), 5);
        assert!(labels.shown.iter().all(|(_, text)| text.contains('…')), "{labels:?}");
        assert!(labels.shown.iter().all(|(_, text)| width(text) <= 5.0 * 27.0), "{labels:?}");
    }

    #[test]
    fn none_and_one() {
        assert_eq!(shown(&AxisLabels::new(&[], 500.0, 60.0)), "");
        assert_eq!(shown(&AxisLabels::new(&names(1, |_| "v0".into()), 500.0, 60.0)), "v0");
    }

    #[test]
    fn the_last_is_always_there_with_room_around() {
        assert_eq!(thinned(23, 5).collect::<Vec<_>>(), [0, 4, 9, 14, 22]);
        assert_eq!(thinned(6, 2).collect::<Vec<_>>(), [0, 2, 5]);
        assert_eq!(thinned(1, 5).collect::<Vec<_>>(), [0]);
        assert_eq!(thinned(0, 5).count(), 0);
        assert_eq!((nice(1.0), nice(3.0), nice(11.0)), (1, 5, 20));
    }
}
