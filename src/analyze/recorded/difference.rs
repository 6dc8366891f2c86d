//! The recorded differences of the means.

use crate::analyze::recorded::entry;
use crate::analyze::recorded::rounding::{gives, is_coarse};
use crate::analyze::recorded::rules::{Measure, own};
use crate::analyze::recorded::{Cause, Discrepancy, Figure, fold};
use crate::model::{Iteration, RecordedBenchmark, RecordedConfiguration};
use crate::statistics::mean;

/// The recorded differences that are not candidate minus baseline of the runs.
pub(super) fn of(
    iteration: &Iteration,
    sides: Option<[&str; 2]>,
    benchmark: &RecordedBenchmark,
) -> Vec<Discrepancy> {
    let Some(sides) = sides else {
        return Vec::new();
    };
    let all = [
        (Measure::PassRate, Figure::RateDelta, benchmark.delta_pass_rate),
        (Measure::Time, Figure::TimeDelta, benchmark.delta_seconds),
        (Measure::Tokens, Figure::TokensDelta, benchmark.delta_tokens),
    ];
    let found = all.into_iter().filter_map(|(measure, figure, stated)| {
        let means = sides.map(|name| mean(&own(&entry::of_runs(iteration, &fold(name)), measure)));
        let [Some(candidate), Some(baseline)] = means else { return None };
        let subtraction = Subtraction { measure, benchmark, sides, stated: stated?, baseline };
        let ours = candidate - baseline;
        (!gives(stated?, ours, measure.decimals())).then(|| Discrepancy {
            figure,
            configuration: None,
            recorded: subtraction.stated,
            ours: Some(ours),
            is_of_list: false,
            reasons: subtraction.reasons(ours),
        })
    });
    found.collect()
}

/// One recorded difference with what it may be made of.
struct Subtraction<'b> {
    measure: Measure,
    benchmark: &'b RecordedBenchmark,
    sides: [&'b str; 2],
    stated: f64,
    /// Our mean of the baseline.
    baseline: f64,
}

impl Subtraction<'_> {
    fn reasons(&self, ours: f64) -> Vec<Cause> {
        if is_coarse(self.stated, ours, self.measure.decimals()) {
            return vec![Cause::Rounded];
        }
        if self.is(-ours) {
            return vec![Cause::Inverted];
        }
        self.of_recorded(ours).or_else(|| self.relative(ours)).unwrap_or_default()
    }

    fn is(&self, value: f64) -> bool {
        gives(self.stated, value, self.measure.decimals())
    }

    /// From the means that the file records.
    fn of_recorded(&self, ours: f64) -> Option<Vec<Cause>> {
        let all: Vec<(&str, f64)> =
            self.benchmark.configurations.iter().filter_map(|it| self.recorded(it)).collect();
        let named = |name: &str| all.iter().find(|(it, _)| fold(it) == fold(name));
        if let [Some((_, candidate)), Some((_, baseline))] = self.sides.map(named) {
            let between = candidate - baseline;
            if self.is(between) {
                return Some(vec![Cause::OfRecordedMeans]);
            }
            if self.is(-between) {
                return Some(vec![Cause::Inverted, Cause::OfRecordedMeans]);
            }
            if *baseline != 0.0 && self.is(between / baseline) {
                return Some(vec![Cause::Relative, Cause::OfRecordedMeans]);
            }
            if gives(between, ours, self.measure.decimals()) {
                return Some(vec![Cause::NotOfItsMeans]);
            }
        }
        let pairs = all.iter().flat_map(|first| all.iter().map(move |second| (first, second)));
        let mut others = pairs.filter(|(first, second)| first.0 != second.0);
        let (first, second) = others.find(|(first, second)| self.is(first.1 - second.1))?;
        let name = |side: &(&str, f64)| side.0.to_owned();
        Some(vec![Cause::OtherPair { first: name(first), second: name(second) }])
    }

    /// The recorded mean; what was left at 0 stands for 0 here.
    fn recorded<'c>(&self, of: &'c RecordedConfiguration) -> Option<(&'c str, f64)> {
        let mean = match self.measure {
            Measure::PassRate => of.pass_rate.mean?,
            Measure::Time => of.time_s.mean.unwrap_or(0.0),
            Measure::Tokens => of.tokens.mean.unwrap_or(0.0),
        };
        Some((&of.name, mean))
    }

    fn relative(&self, ours: f64) -> Option<Vec<Cause>> {
        let share = (self.baseline != 0.0).then(|| ours / self.baseline)?;
        let is_share = gives(self.stated, share, 2) || gives(self.stated, share * 100.0, 0);
        is_share.then(|| vec![Cause::Relative])
    }
}
