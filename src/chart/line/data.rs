//! What is derived from a line chart: looks of the series, connected runs, texts of its values.

use std::ops::Range;

use crate::chart::line::{LineChart, Role, Series};
use crate::chart::shape::KINDS;
use crate::language::Language;

/// A chart whose every value has a place on its axis.
pub(super) struct Data<'a> {
    pub(super) chart: &'a LineChart,
    pub(super) language: &'a Language,
    looks: Vec<usize>,
}

impl<'a> Data<'a> {
    pub(super) fn new(chart: &'a LineChart, language: &'a Language) -> Self {
        Self { chart, language, looks: looks(&chart.series) }
    }

    /// A value of the chart with its unit.
    pub(super) fn text(&self, value: f64) -> String {
        self.chart.unit.text(value, self.language)
    }

    /// The same where the unit is known from the axis.
    pub(super) fn short(&self, value: f64) -> String {
        self.chart.unit.short(value, self.language)
    }

    /// The class of the color of the series with this number.
    pub(super) fn color(&self, series: usize) -> String {
        format!("series-{}", self.looks[series] % KINDS + 1)
    }

    /// The number of its shape and dashes; one that has to share a color differs in these.
    pub(super) fn shape(&self, series: usize) -> usize {
        self.looks[series] + self.looks[series] / KINDS
    }

    /// The largest value or end of an interval, zero without one.
    pub(super) fn largest(&self) -> f64 {
        let points = self.chart.series.iter().flat_map(|series| series.points.iter().flatten());
        points.fold(0.0, |most: f64, point| most.max(point.value).max(point.high.unwrap_or(0.0)))
    }

    /// Runs of iterations at which `series` has values that are connected: no gap, no break.
    pub(super) fn runs(&self, series: &Series) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (index, _) in series.present() {
            match runs.last_mut() {
                Some(run) if run.end == index && !self.is_broken(index - 1, index) => {
                    run.end = index + 1;
                }
                _ => runs.push(index..index + 1),
            }
        }
        runs
    }

    /// Whether a break lies before an iteration after `first` up to `last`.
    pub(super) fn is_broken(&self, first: usize, last: usize) -> bool {
        self.chart.breaks.iter().any(|found| first < found.index && found.index <= last)
    }
}

/// The look of each series: the first candidate has the first, the first baseline the second, all
/// others what comes after.
fn looks(series: &[Series]) -> Vec<usize> {
    let first = |role: Role| series.iter().position(|series| series.role == role);
    let own = [first(Role::Candidate), first(Role::Baseline)];
    let mut others = own.len()..;
    let look = |number| own.iter().position(|&own| own == Some(number)).or_else(|| others.next());
    (0..series.len()).filter_map(look).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Data, KINDS, Role, looks};
    use crate::chart::line::{Break, drawable};
    use crate::chart::tests::gallery::{chart, series};
    use crate::language::Language;

    #[test]
    fn lines_stop_at_gaps_and_breaks() {
        let values = [Some(0.1), Some(0.2), None, Some(f64::NAN), Some(0.4), Some(0.5), Some(1.5)];
        let mut chart = chart(7, vec![series("a", Role::Candidate, &values)]);
        chart.breaks = vec![Break { index: 5, reason: "model".to_owned() }];
        let (chart, english) = (drawable(&chart).0, Language::default());
        let data = Data::new(&chart, &english);
        assert_eq!(data.runs(&chart.series[0]), [0..2, 4..5, 5..6]);
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
        let looks = (0..60).map(|at| (data.color(at), data.shape(at) % KINDS));
        assert_eq!(looks.collect::<BTreeSet<_>>().len(), 60);
    }
}
