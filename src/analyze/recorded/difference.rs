//! The recorded differences of the means.

use std::collections::BTreeMap;

use crate::analyze::recorded::entry::{ConfigurationRuns, gives};
use crate::analyze::recorded::rules::own_values;
use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
use crate::model::{RecordedBenchmark, RecordedConfiguration};
use crate::statistics::mean;
use crate::text::folded_name;

/// With more configurations, the pair that yields a difference is not searched for.
const MAX_CONFIGURATIONS: usize = 100;

/// The recorded differences that are not candidate minus baseline of the runs.
pub(super) fn compare_differences(
    targets: &BTreeMap<String, ConfigurationRuns<'_>>,
    sides: [&str; 2],
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let mut discrepancies = Vec::new();
    for measure in RecordedMeasure::ALL {
        let means =
            sides.map(|name| mean(&own_values(&targets.get(&folded_name(name))?.runs, measure)));
        let stated = measure.delta(benchmark);
        let ([Some(candidate), Some(baseline)], Some(stated)) = (means, stated) else { continue };
        let means = [candidate, baseline];
        let difference = Difference { measure, benchmark, sides, stated, means };
        let ours = candidate - baseline;
        if !difference.agrees(ours) {
            let (figure, reasons) = (RecordedFigure::Delta(measure), difference.reasons(ours));
            discrepancies.push(Discrepancy::new(figure, stated, Some(ours), reasons));
        }
    }
    discrepancies
}

struct Difference<'b> {
    measure: RecordedMeasure,
    benchmark: &'b RecordedBenchmark,
    sides: [&'b str; 2],
    stated: f64,
    /// Our means, in the order of the sides.
    means: [f64; 2],
}

impl Difference<'_> {
    fn is(&self, value: f64) -> bool {
        self.measure.gives(self.stated, value)
    }

    /// Whether it is correct: equal to ours, or computed from recorded means that agree with ours
    /// and were rounded before the subtraction.
    fn agrees(&self, ours: f64) -> bool {
        let are_rounded = |[candidate, baseline]: [f64; 2]| {
            self.is(candidate - baseline)
                && !self.measure.differs(candidate, self.means[0])
                && !self.measure.differs(baseline, self.means[1])
        };
        self.is(ours) || self.recorded_means().is_some_and(are_rounded)
    }

    fn recorded_means(&self) -> Option<[f64; 2]> {
        let [candidate, baseline] = self.sides.map(|name| {
            let mut all = self.benchmark.configurations.iter();
            self.recorded_mean(all.find(|summary| folded_name(&summary.name) == folded_name(name))?)
        });
        Some([candidate?, baseline?])
    }

    /// The recorded mean; 0 if it was left at its default.
    fn recorded_mean(&self, configuration: &RecordedConfiguration) -> Option<f64> {
        let mean = self.measure.recorded(configuration).mean;
        mean.or((self.measure != RecordedMeasure::PassRate).then_some(0.0))
    }

    /// Reasons by our means, else by those that the file records. The last one is that it is not
    /// the difference of these: it may be that of another pair.
    fn reasons(&self, ours: f64) -> Vec<Cause> {
        if self.measure.is_coarse(self.stated, ours) {
            return vec![Cause::Rounded];
        }
        if self.is(-ours) {
            return vec![Cause::Inverted];
        }
        let recorded = self.recorded_means().map(|[candidate, baseline]| candidate - baseline);
        if let Some(reasons) = self.side_causes().or_else(|| self.other_pair_causes()) {
            return reasons;
        }
        if recorded.is_some_and(|recorded| self.measure.gives(recorded, ours)) {
            return vec![Cause::NotOfItsMeans];
        }
        let share = ours / self.means[1];
        let is_share = gives(self.stated, share, 2) || gives(self.stated, share * 100.0, 0);
        if self.means[1] != 0.0 && is_share { vec![Cause::Relative] } else { Vec::new() }
    }

    fn side_causes(&self) -> Option<Vec<Cause>> {
        let [candidate, baseline] = self.recorded_means()?;
        let between = candidate - baseline;
        if self.is(between) {
            return Some(vec![Cause::OfRecordedMeans]);
        }
        if self.is(-between) {
            return Some(vec![Cause::Inverted, Cause::OfRecordedMeans]);
        }
        let is_relative = baseline != 0.0 && self.is(between / baseline);
        is_relative.then(|| vec![Cause::Relative, Cause::OfRecordedMeans])
    }

    /// From the recorded means of any two configurations. With too many, some fit by chance.
    fn other_pair_causes(&self) -> Option<Vec<Cause>> {
        let configurations = &self.benchmark.configurations;
        if configurations.len() > MAX_CONFIGURATIONS {
            return None;
        }
        for first in configurations {
            for second in configurations.iter().filter(|second| second.name != first.name) {
                let means = self.recorded_mean(first).zip(self.recorded_mean(second));
                if means.is_some_and(|(first, second)| self.is(first - second)) {
                    let (first, second) = (first.name.clone(), second.name.clone());
                    return Some(vec![Cause::OtherPair { first, second }]);
                }
            }
        }
        None
    }
}
