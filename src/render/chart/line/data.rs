//! What of a line chart can be drawn: values on the axis, runs without a gap, looks of the series.

use std::ops::Range;

use crate::render::chart::line::{LineChart, Point, Role, Series};
use crate::render::chart::shape::KINDS;
use crate::render::chart::svg::is_plain_address;
use crate::render::chart::unit::Unit;
use crate::render::language::Language;

/// A chart whose every value has a place on its axis.
pub(super) struct Data<'a> {
    pub(super) chart: &'a LineChart,
    pub(super) language: &'a Language,
    pub(super) tracks: Vec<Track<'a>>,
    /// Breaks in their order: index of the first iteration after it, and why.
    pub(super) breaks: Vec<(usize, &'a str)>,
    /// Index of the best iteration, if there is such an iteration.
    pub(super) best: Option<usize>,
}

/// One series.
pub(super) struct Track<'a> {
    pub(super) name: &'a str,
    /// Number of its shape and dash pattern.
    pub(super) look: usize,
    /// Class of its color.
    pub(super) color: String,
    /// One per iteration.
    pub(super) values: Vec<Option<Value<'a>>>,
}

/// One value on the axis.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) label: &'a str,
    pub(super) href: Option<&'a str>,
}

impl<'a> Data<'a> {
    pub(super) fn new(chart: &'a LineChart, language: &'a Language) -> Self {
        let count = chart.iterations.len();
        let looks = looks(&chart.series);
        let tracks = chart.series.iter().zip(looks);
        let tracks = tracks.map(|(series, look)| Track::new(series, look, chart)).collect();
        let inside = chart.breaks.iter().filter(|it| it.index < count);
        let mut breaks: Vec<_> = inside.map(|it| (it.index, it.reason.as_str())).collect();
        breaks.sort_by_key(|&(index, _)| index);
        let best = chart.best.filter(|&index| index < count);
        Self { chart, language, tracks, breaks, best }
    }

    /// A value of the chart with its unit.
    pub(super) fn text(&self, value: f64) -> String {
        self.chart.unit.text(value, self.language)
    }

    /// The same where the unit is known from the axis.
    pub(super) fn short(&self, value: f64) -> String {
        self.chart.unit.short(value, self.language)
    }

    /// The largest value or end of an interval, zero without one.
    pub(super) fn largest(&self) -> f64 {
        let values = self.tracks.iter().flat_map(|track| track.values.iter().flatten());
        let ends = values.map(|it| it.interval.map_or(it.value, |(_, high)| high.max(it.value)));
        ends.fold(0.0, f64::max)
    }

    /// Runs of iterations at which `track` has values that are connected: no gap, no break.
    pub(super) fn runs(&self, track: &Track<'_>) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (index, _) in track.present() {
            match runs.last_mut() {
                Some(run) if run.end == index && !self.breaks_at(index) => run.end = index + 1,
                _ => runs.push(index..index + 1),
            }
        }
        runs
    }

    fn breaks_at(&self, index: usize) -> bool {
        self.breaks.binary_search_by_key(&index, |&(at, _)| at).is_ok()
    }

    /// Whether a break lies between two iterations, the earlier first.
    pub(super) fn is_broken(&self, first: usize, last: usize) -> bool {
        self.breaks.iter().any(|&(at, _)| first < at && at <= last)
    }
}

impl<'a> Track<'a> {
    fn new(series: &'a Series, look: usize, chart: &'a LineChart) -> Self {
        let point = |index: usize| series.points.get(index).and_then(Option::as_ref);
        let value = |index: usize| Value::new(point(index)?, &chart.unit);
        let values = (0..chart.iterations.len()).map(value).collect();
        let color = format!("series-{}", look % KINDS + 1);
        // A series that has to take the color of another has another shape and dash.
        Self { name: &series.name, look: look + look / KINDS, color, values }
    }

    /// The iterations with a value, in their order.
    pub(super) fn present(&self) -> impl DoubleEndedIterator<Item = (usize, Value<'a>)> {
        self.values.iter().enumerate().filter_map(|(index, value)| Some((index, (*value)?)))
    }
}

impl<'a> Value<'a> {
    fn new(point: &'a Point, unit: &Unit) -> Option<Self> {
        let ends = || Some((unit.clamped(point.low?)?, unit.clamped(point.high?)?));
        unit.holds(point.value).then(|| Self {
            value: point.value,
            interval: ends().filter(|(low, high)| low <= high),
            label: &point.label,
            href: point.href.as_deref().filter(|href| is_plain_address(href)),
        })
    }
}

/// The look of each series: the first candidate has the first, the first baseline the second, all
/// others what comes after.
fn looks(series: &[Series]) -> Vec<usize> {
    let mut next = 2;
    let mut taken = [false; 2];
    let mut look = |role: Role| {
        let own = match role {
            Role::Candidate => 0,
            Role::Baseline => 1,
            Role::Other => 2,
        };
        if own < 2 && !taken[own] {
            taken[own] = true;
            return own;
        }
        next += 1;
        next - 1
    };
    series.iter().map(|series| look(series.role)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Data, KINDS, Role, looks};
    use crate::render::chart::gallery::{chart, series};
    use crate::render::chart::line::Break;
    use crate::render::language::Language;

    #[test]
    fn lines_stop_at_gaps_and_breaks() {
        let values = [Some(0.1), Some(0.2), None, Some(f64::NAN), Some(0.4), Some(0.5), Some(1.5)];
        let mut chart = chart(7, vec![series("a", Role::Candidate, &values)]);
        chart.breaks = vec![Break { index: 5, reason: "model".to_owned() }];
        let english = Language::default();
        let data = Data::new(&chart, &english);
        assert_eq!(data.runs(&data.tracks[0]), [0..2, 4..5, 5..6]);
        assert!(data.is_broken(0, 5) && !data.is_broken(5, 6) && !data.is_broken(0, 4));
        assert_eq!(data.largest(), 0.5);
    }

    #[test]
    fn candidate_and_baseline_keep_their_looks() {
        let roles = [Role::Other, Role::Baseline, Role::Candidate, Role::Other, Role::Baseline];
        let series: Vec<_> = roles.iter().map(|&role| series("x", role, &[])).collect();
        assert_eq!(looks(&series), [2, 1, 0, 3, 4]);
    }

    #[test]
    fn series_of_one_color_differ_in_shape() {
        let series = vec![series("x", Role::Other, &[]); 60];
        let chart = chart(1, series);
        let english = Language::default();
        let data = Data::new(&chart, &english);
        let looks = data.tracks.iter().map(|track| (&track.color, track.look % KINDS));
        assert_eq!(looks.collect::<BTreeSet<_>>().len(), 60);
    }
}
