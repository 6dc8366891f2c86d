//! Which source wins for each cost figure of a run.
//!
//! Figures are taken one by one. Tokens, cost and model come from `timing.json`, which the harness
//! writes, before other metrics documents and the grading. The run's own timing also gives the
//! duration: a grading's `timing` may include the grader's time. A document that contradicts it is
//! a problem.

use crate::read::is_same_duration;
use input::discover::FileLevels;
use input::model::{Code, Metrics, Place, Problem};
use text::seconds;

/// How close a document is to its run; the closest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closeness {
    RunFolder,
    ConfigurationFolder,
    CaseFolder,
    RollUp,
}

impl Closeness {
    /// How close the documents at `place` are to their run.
    pub(super) fn at(place: &FileLevels) -> Self {
        if place.run.is_some() {
            Self::RunFolder
        } else if place.configuration.is_some() {
            Self::ConfigurationFolder
        } else if place.case.is_some() {
            Self::CaseFolder
        } else {
            Self::RollUp
        }
    }
}

/// The kind of document that states a figure; the first wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CostOrigin {
    Timing,
    /// A timing among the outputs, or the grader's.
    OtherTiming,
    /// Any other metrics document.
    Metrics,
    /// The `timing` of a grading.
    GradingTiming,
    Grading,
}

/// The figures of one document about one run.
#[derive(Clone, Debug)]
pub(super) struct CostSource {
    pub(super) origin: CostOrigin,
    pub(super) closeness: Closeness,
    pub(super) path: String,
    /// Its place in the document, if known.
    pub(super) place: Option<Place>,
    pub(super) metrics: Metrics,
}

impl CostSource {
    fn is_timing(&self) -> bool {
        self.origin <= CostOrigin::OtherTiming
    }
}

/// Merges the figures of one run. Ignores timings that contradict the closest one, and tokens that
/// are really characters.
pub(super) fn merge(mut sources: Vec<CostSource>) -> (Metrics, Vec<Problem>) {
    sources.sort_by(|a, b| {
        (a.origin, a.closeness).cmp(&(b.origin, b.closeness)).then_with(|| a.path.cmp(&b.path))
    });
    let mut problems = drop_characters(&mut sources);
    problems.extend(drop_other_timings(&mut sources));
    let mut merged = Metrics::default();
    sources.iter().for_each(|source| merged.fill_from(&source.metrics));
    let graded = first_duration(&sources, CostOrigin::GradingTiming);
    let timed = first_duration(&sources, CostOrigin::Timing);
    if let (Some((graded, stated)), Some((timed, measured))) = (graded, timed) {
        let with_grader = measured + merged.grader_s.unwrap_or(0.0);
        if is_same_duration(stated, measured) {
            merged.duration_s = Some(stated);
        } else if !is_same_duration(stated, with_grader) {
            let (stated, measured) = (seconds(stated), seconds(measured));
            let message = format!("`timing` says {stated}, but `{}` says {measured}", timed.path);
            let problem = Problem::new(Code::TimingMismatch, &graded.path, message);
            let help = "leave `timing` out of the grading; `timing.json` has the measured time";
            problems.push(problem.at(graded.place).assuming("the latter was taken").help(help));
        }
    }
    (merged, problems)
}

/// The first document of this kind that states a duration, with that duration in seconds.
fn first_duration(sources: &[CostSource], origin: CostOrigin) -> Option<(&CostSource, f64)> {
    let mut sources = sources.iter().filter(|source| source.origin == origin);
    sources.find_map(|source| Some((source, source.metrics.duration_s?)))
}

/// Removes token counts that equal the characters of the outputs or the transcript.
fn drop_characters(sources: &mut [CostSource]) -> Vec<Problem> {
    let metrics = sources.iter().map(|source| &source.metrics);
    let counts = metrics.flat_map(|metrics| [metrics.output_chars, metrics.transcript_chars]);
    let characters: Vec<f64> = counts.flatten().collect();
    let mut problems = Vec::new();
    for source in sources {
        // Executors without access to usage figures count characters and call them tokens.
        if let Some(tokens) = source.metrics.tokens.take_if(|count| characters.contains(count)) {
            let message = format!("{tokens} tokens are as many as there are characters");
            problems.push(
                Problem::new(Code::CharactersAsTokens, &source.path, message)
                    .at(source.place)
                    .assuming("read as characters, not as tokens")
                    .help("record the tokens"),
            );
        }
    }
    problems
}

/// Drops timings whose duration or tokens differ from the closest one's.
fn drop_other_timings(sources: &mut Vec<CostSource>) -> Vec<Problem> {
    let Some(taken) = sources.iter().find(|source| source.is_timing()).cloned() else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    sources.retain(|source| {
        let difference = difference(&source.metrics, &taken.metrics);
        let Some((stated, known)) = difference.filter(|_| source.is_timing()) else { return true };
        let message = format!("it says {stated}, but `{}` says {known}", taken.path);
        problems.push(
            Problem::new(Code::TimingMismatch, &source.path, message)
                .assuming("the latter was taken, and nothing of this file")
                .help("leave one timing beside the run"),
        );
        false
    });
    problems
}

/// The first figure in which two timings differ, as each states it.
fn difference(a: &Metrics, b: &Metrics) -> Option<(String, String)> {
    match (a.duration_s, b.duration_s) {
        (Some(a), Some(b)) if !is_same_duration(a, b) => return Some((seconds(a), seconds(b))),
        _ => {}
    }
    match (a.tokens, b.tokens) {
        (Some(a), Some(b)) if a != b => Some((format!("{a} tokens"), format!("{b} tokens"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Closeness, CostOrigin, CostSource, merge};
    use input::model::Metrics;

    fn source(
        origin: CostOrigin,
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
    fn the_graders_time_is_not_the_runs() {
        let timed = source(CostOrigin::Timing, 40.0, None, Some(1000.0));
        let graded = source(CostOrigin::GradingTiming, 45.0, Some(5.0), Some(7.0));
        let (merged, problem) = merge(vec![graded, timed]);
        assert_eq!((merged.duration_s, merged.grader_s), (Some(40.0), Some(5.0)));
        assert_eq!(merged.tokens, Some(1000.0));
        assert_eq!(problem, []);
    }

    #[test]
    fn a_measurement_settles_a_contradiction() {
        let timed = source(CostOrigin::Timing, 40.0, None, None);
        let graded = source(CostOrigin::GradingTiming, 103.0, None, None);
        let (merged, problem) = merge(vec![graded, timed]);
        assert_eq!(merged.duration_s, Some(40.0));
        assert!(problem[0].message.contains("1 min 43 s"));
    }
}
