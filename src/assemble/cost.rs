//! Which source wins for each cost figure of a run.
//!
//! Figures are taken one by one. Tokens, cost and model come from `timing.json`, which the harness
//! writes, before other metrics documents and the grading. The run's own timing also gives the
//! duration: a grading's `timing` may include the grader's time. A document that contradicts it is
//! a problem.

use crate::model::{Code, Metrics, Place, Problem};
use crate::read::is_same_duration;
use crate::text::seconds;

/// How close a document is to its run; the closest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closeness {
    RunFolder,
    ConfigurationFolder,
    CaseFolder,
    RollUp,
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
    let timed_by = |origin| {
        let mut sources = sources.iter().filter(|source| source.origin == origin);
        sources.find_map(|source| Some((source, source.metrics.duration_s?)))
    };
    let sides = timed_by(CostOrigin::GradingTiming).zip(timed_by(CostOrigin::Timing));
    let Some(((graded, total), (timed, measured))) = sides else { return (merged, problems) };
    let with_grader = measured + merged.grader_s.unwrap_or(0.0);
    if is_same_duration(total, measured) {
        merged.duration_s = Some(total);
    } else if !is_same_duration(total, with_grader) {
        let (total, measured) = (seconds(total), seconds(measured));
        let message = format!("`timing` says {total}, but `{}` says {measured}", timed.path);
        let problem = Problem::new(Code::TimingMismatch, &graded.path, message).at(graded.place);
        let help = "leave `timing` out of the grading; `timing.json` has the measured time";
        problems.push(problem.assuming("the latter was taken").help(help));
    }
    (merged, problems)
}

/// Removes token counts that equal the characters of the outputs or the transcript.
fn drop_characters(sources: &mut [CostSource]) -> Vec<Problem> {
    let known_metrics = sources.iter().map(|source| &source.metrics);
    let chars = known_metrics.flat_map(|metrics| [metrics.output_chars, metrics.transcript_chars]);
    let chars: Vec<f64> = chars.flatten().collect();
    let drop = |source: &mut CostSource| {
        let tokens = source.metrics.tokens.take_if(|tokens| chars.contains(tokens))?;
        let message = format!("{tokens} tokens are as many as there are characters");
        let problem = Problem::new(Code::CharactersAsTokens, &source.path, message);
        let problem = problem.at(source.place).assuming("read as characters, not as tokens");
        Some(problem.help("record the tokens"))
    };
    sources.iter_mut().filter_map(drop).collect()
}

/// Drops timings whose duration or tokens differ from the closest one's.
fn drop_other_timings(sources: &mut Vec<CostSource>) -> Vec<Problem> {
    let is_timing = |source: &CostSource| source.origin <= CostOrigin::OtherTiming;
    let Some(first) = sources.iter().find(|source| is_timing(source)).cloned() else {
        return Vec::new();
    };
    let taken = &first.metrics;
    let mut problems = Vec::new();
    sources.retain(|source| {
        let (stated, differs) = (&source.metrics, |(a, b): (f64, f64)| !is_same_duration(a, b));
        let duration = stated.duration_s.zip(taken.duration_s).filter(|pair| differs(*pair));
        let tokens = stated.tokens.zip(taken.tokens).filter(|(a, b)| a != b);
        let duration = duration.map(|(a, b)| (seconds(a), seconds(b)));
        let tokens = tokens.map(|(a, b)| (format!("{a} tokens"), format!("{b} tokens")));
        let other = duration.or(tokens).filter(|_| is_timing(source));
        problems.extend(other.iter().map(|(stated, taken)| {
            let message = format!("it says {stated}, but `{}` says {taken}", first.path);
            Problem::new(Code::TimingMismatch, &source.path, message)
                .assuming("the latter was taken, and nothing of this file")
                .help("leave one timing beside the run")
        }));
        other.is_none()
    });
    problems
}

#[cfg(test)]
mod tests {
    use super::{Closeness, CostOrigin, CostSource, merge};
    use crate::model::Metrics;

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
