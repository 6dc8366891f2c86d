//! The recorded differences of the means.

use crate::analyze::recorded::entry::Entries;
use crate::analyze::recorded::rounding::{differs, gives, is_coarse};
use crate::analyze::recorded::rules::{Measure, own};
use crate::analyze::recorded::{Cause, Discrepancy, Figure};
use crate::model::{RecordedBenchmark, RecordedConfiguration};
use crate::statistics::mean;
use crate::text::folded_name;

/// Among more configurations the pair that gives a difference is not looked for.
const MOST_OTHERS: usize = 100;

/// The recorded differences that are not candidate minus baseline of the runs.
pub(super) fn of(
    entries: &Entries<'_>,
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
        let means = sides.map(|name| mean(&own(entries.runs(&folded_name(name)), measure)));
        let [Some(candidate), Some(baseline)] = means else { return None };
        let means = [candidate, baseline];
        let subtraction = Subtraction { measure, benchmark, sides, stated: stated?, means };
        let ours = candidate - baseline;
        (!subtraction.agrees(ours)).then(|| Discrepancy {
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
    /// Our means, in the order of the sides.
    means: [f64; 2],
}

impl Subtraction<'_> {
    /// Whether nothing is wrong with it: it is ours, or it is taken from recorded means that agree
    /// with ours and were rounded before the subtraction.
    fn agrees(&self, ours: f64) -> bool {
        let decimals = self.measure.decimals();
        let is_alike = |(stated, ours): (f64, f64)| !differs(stated, ours, decimals);
        let of_rounded = |stated: [f64; 2]| {
            self.is(stated[0] - stated[1]) && stated.into_iter().zip(self.means).all(is_alike)
        };
        self.is(ours) || self.stated_means().is_some_and(of_rounded)
    }

    /// The recorded means of the sides; `None` without both.
    fn stated_means(&self) -> Option<[f64; 2]> {
        let all = &self.benchmark.configurations;
        let of = |name: &str| {
            let named = all.iter().find(|it| folded_name(&it.name) == folded_name(name))?;
            Some(self.recorded(named)?.1)
        };
        let [candidate, baseline] = self.sides.map(of);
        Some([candidate?, baseline?])
    }

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

    /// From the means that the file records. That it is none of their differences is the last
    /// reason: it may be that of another pair.
    fn of_recorded(&self, ours: f64) -> Option<Vec<Cause>> {
        let between = self.stated_means().map(|[candidate, baseline]| candidate - baseline);
        let of_sides = self.stated_means().and_then(|means| self.of_sides(means));
        let is_ours = between.is_some_and(|it| gives(it, ours, self.measure.decimals()));
        of_sides
            .or_else(|| self.of_others())
            .or_else(|| is_ours.then(|| vec![Cause::NotOfItsMeans]))
    }

    /// From the recorded means of the two sides.
    fn of_sides(&self, [candidate, baseline]: [f64; 2]) -> Option<Vec<Cause>> {
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

    /// From the recorded means of any two configurations. Of too many some fit by chance.
    fn of_others(&self) -> Option<Vec<Cause>> {
        if self.benchmark.configurations.len() > MOST_OTHERS {
            return None;
        }
        let all: Vec<(&str, f64)> =
            self.benchmark.configurations.iter().filter_map(|it| self.recorded(it)).collect();
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
        let baseline = self.means[1];
        let share = (baseline != 0.0).then(|| ours / baseline)?;
        let is_share = gives(self.stated, share, 2) || gives(self.stated, share * 100.0, 0);
        is_share.then(|| vec![Cause::Relative])
    }
}
