//! Line charts: levels over the iterations, one series per configuration.

mod data;
mod describe;
mod draw;
mod frame;
mod legend;

pub use data::{ChartBreak, LineChart, Point, Series, SeriesRole, Tick};

use crate::chart::{Figure, MAX_SERIES, MAX_VALUES};
use crate::language::Language;

/// Draws `chart`, once for wide and once for narrow screens.
pub fn line(chart: &LineChart, language: &Language) -> Figure {
    let (chart, more) = drawable(chart);
    // In a drawing scaled down to a phone no text could be read.
    let svg =
        [frame::WIDE, frame::NARROW].map(|sizes| draw::drawing(&chart, language, sizes)).concat();
    let (head, rows) = describe::table(&chart, language);
    Figure { svg, head, rows, more }
}

/// The part of `chart` that is drawn: its first series in the newest iterations, without values off
/// the axis. Also returns how many series and iterations that leaves out.
fn drawable(chart: &LineChart) -> (LineChart, usize) {
    let mut chart = chart.clone();
    let unit = chart.unit;
    let number = chart.series.len().min(MAX_SERIES);
    let count = chart.ticks.len().min(MAX_VALUES / number.max(1));
    // The newest iterations are the ones that are asked about.
    let start = chart.ticks.len() - count;
    let more = start + chart.series.len() - number;
    chart.ticks.drain(..start);
    chart.series.truncate(number);
    for series in &mut chart.series {
        series.points.drain(..start.min(series.points.len()));
        series.points.resize(count, None);
        for point in &mut series.points {
            *point = point.take().and_then(|point| point.on_axis(unit));
        }
    }
    chart.breaks.retain(|gap| (start..start + count).contains(&gap.index));
    // Reasons are placed from the left to the right.
    chart.breaks.sort_by_key(|gap| gap.index);
    chart.breaks.iter_mut().for_each(|gap| gap.index -= start);
    (chart, more)
}

#[cfg(test)]
mod tests {
    use super::{ChartBreak, Point, SeriesRole, drawable};
    use crate::chart::Unit;
    use crate::chart::tests::gallery::{chart, series};
    use statistics::Interval;

    #[test]
    fn lines_stop_at_gaps_breaks_and_other_configurations() {
        let values = [Some(0.1), Some(0.2), None, Some(0.4), Some(0.5), Some(1.5), Some(0.7)];
        let mut chart = chart(7, vec![series("a", SeriesRole::Candidate, &values)]);
        chart.breaks = vec![ChartBreak { index: 4, reason: "model".to_owned() }];
        let (mut chart, _) = drawable(&chart);
        let joined = |chart: &super::LineChart| -> Vec<usize> {
            (0..7).filter(|at| chart.are_joined(&chart.series[0], *at)).collect()
        };
        assert_eq!(joined(&chart), [1]);
        chart.breaks.clear();
        assert_eq!(joined(&chart), [1, 4]);
        chart.series[0].points[1].as_mut().unwrap().name = "b".to_owned();
        assert_eq!(joined(&chart), [4]);
    }

    #[test]
    fn only_measurements_have_a_place() {
        let is_shown =
            |unit: Unit, value: f64| Point { value, ..Point::default() }.on_axis(unit).is_some();
        assert!(is_shown(Unit::Fraction, 1.0) && !is_shown(Unit::Fraction, 1.01));
        assert!(is_shown(Unit::Score, 1.0) && !is_shown(Unit::Score, 0.9));
        for value in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(!is_shown(Unit::Fraction, value), "{value}");
        }
        let shown = |unit: Unit, low, high| {
            let interval = Some(Interval { low, high });
            Point { value: 1.0, interval, ..Point::default() }.on_axis(unit)?.interval
        };
        let clamped = Interval { low: 0.5, high: 1.0 };
        assert_eq!(shown(Unit::Fraction, 0.5, 1.2), Some(clamped));
        assert_eq!(shown(Unit::Score, f64::NAN, 2.0), None);
    }

    #[test]
    fn a_chart_has_a_bounded_number_of_values() {
        let many = vec![series("a", SeriesRole::Other, &[Some(0.5); 900]); 9];
        let (chart, more) = drawable(&chart(900, many));
        assert_eq!((chart.series.len(), chart.ticks.len(), more), (7, 85, 817));
        assert_eq!(chart.ticks[84].name, "iteration-900");
    }
}
