//! Which source wins for each figure of what a run cost.
//!
//! Figures are taken one by one. Tokens, cost and model come from `timing.json`, which the harness
//! writes, before other metrics documents and the grading. The total duration comes from the
//! grading's `timing` where that is `timing.json`'s plus the grader's time; where the two
//! contradict each other, `timing.json` wins and the contradiction is a problem.

use crate::model::{Code, Metrics, Place, Problem};
use crate::text::seconds;

/// How close to its run a document lies; the closest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closeness {
    /// In the run's own folder.
    RunFolder,
    /// In the configuration's folder.
    ConfigurationFolder,
    /// In the case's folder.
    CaseFolder,
    /// Above the cases.
    RollUp,
}

/// Which kind of document a figure stands in; the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// `timing.json`.
    Timing,
    /// Any other metrics document.
    Metrics,
    /// The `timing` of a grading.
    GradingTiming,
    /// Anything else in a grading.
    Grading,
}

/// The figures of one document about one run.
#[derive(Clone, Debug)]
pub(super) struct CostSource {
    /// The kind of document.
    pub(super) origin: Origin,
    /// How close it lies.
    pub(super) closeness: Closeness,
    /// The document.
    pub(super) path: String,
    /// Where in it they are, where that is known.
    pub(super) place: Option<Place>,
    /// Its figures.
    pub(super) metrics: Metrics,
}

/// Two durations this share apart are still the same, rounded differently.
const ROUNDING: f64 = 0.02;

/// Puts the figures of one run together. The problem is a contradiction between durations.
pub(super) fn merge(mut sources: Vec<CostSource>) -> (Metrics, Option<Problem>) {
    sources.sort_by(|a, b| {
        (a.origin, a.closeness).cmp(&(b.origin, b.closeness)).then_with(|| a.path.cmp(&b.path))
    });
    let mut merged = Metrics::default();
    sources.iter().for_each(|source| merged.fill_from(&source.metrics));
    let timed_by = |origin| {
        sources
            .iter()
            .filter(|source| source.origin == origin)
            .find_map(|source| source.metrics.duration_s.map(|seconds| (source, seconds)))
    };
    let sides = timed_by(Origin::GradingTiming).zip(timed_by(Origin::Timing));
    let Some(((graded, total), (timed, measured))) = sides else { return (merged, None) };
    let with_grader = measured + merged.grader_s.unwrap_or(0.0);
    if is_same(total, measured) || is_same(total, with_grader) {
        merged.duration_s = Some(total);
        return (merged, None);
    }
    (merged, Some(contradiction(graded, total, timed, measured)))
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= (a.max(b) * ROUNDING).max(0.5)
}

fn contradiction(graded: &CostSource, total: f64, timed: &CostSource, measured: f64) -> Problem {
    let message = format!(
        "`timing` says {}, but `{}` says {}",
        seconds(total),
        timed.path,
        seconds(measured)
    );
    Problem::new(Code::TimingMismatch, &graded.path, message)
        .at(graded.place)
        .assuming("the latter was taken")
        .help("leave `timing` out of the grading; `timing.json` has the measured time")
}

#[cfg(test)]
mod tests {
    use super::{Closeness, CostSource, Origin, merge};
    use crate::model::Metrics;

    fn source(
        origin: Origin,
        duration_s: f64,
        grader_s: Option<f64>,
        tokens: Option<f64>,
    ) -> CostSource {
        let metrics =
            Metrics { duration_s: Some(duration_s), grader_s, tokens, ..Metrics::default() };
        CostSource {
            origin,
            closeness: Closeness::RunFolder,
            path: "p".to_owned(),
            place: None,
            metrics,
        }
    }

    #[test]
    fn the_graders_time_is_part_of_the_total() {
        let timed = source(Origin::Timing, 40.0, None, Some(1000.0));
        let graded = source(Origin::GradingTiming, 45.0, Some(5.0), Some(7.0));
        let (merged, problem) = merge(vec![graded, timed]);
        assert_eq!((merged.duration_s, merged.grader_s), (Some(45.0), Some(5.0)));
        assert_eq!(merged.tokens, Some(1000.0));
        assert_eq!(problem, None);
    }

    #[test]
    fn a_contradiction_is_settled_by_what_was_measured() {
        let timed = source(Origin::Timing, 40.0, None, None);
        let graded = source(Origin::GradingTiming, 103.0, None, None);
        let (merged, problem) = merge(vec![graded, timed]);
        assert_eq!(merged.duration_s, Some(40.0));
        assert!(problem.unwrap().message.contains("1 min 43 s"));
    }
}
