//! What is only recorded of iterations without a verdict of their own: told, and never counted.

use std::fmt::Display;

use crate::discover::names;
use crate::model::{Iteration, RecordedBenchmark, RecordedConfiguration, Run, Workspace};
use crate::render::beside;
use crate::render::language::Language;
use crate::text::fixed;

/// So many iterations are told, the newest.
const TOLD: usize = 3;

/// What is left of one iteration.
pub(super) struct Left {
    /// The iteration, by its index.
    pub(super) iteration: usize,
    /// What is recorded of it.
    pub(super) sentence: String,
}

/// The iterations without a verdict of which recorded figures are left, the newest first, and how
/// many more there are, in words, or empty.
pub(super) fn left(workspace: &Workspace, language: &Language) -> (Vec<Left>, String) {
    let all = workspace.iterations.iter().enumerate().rev();
    let told = all.filter_map(|(iteration, of)| {
        sentence(of, language).map(|sentence| Left { iteration, sentence })
    });
    let mut told: Vec<Left> = told.collect();
    let more = told.len().saturating_sub(TOLD);
    told.truncate(TOLD);
    let more = match more {
        0 => String::new(),
        more => {
            let iterations = language.count(more, "iteration");
            language.fill("recorded.left_more", &[("iterations", &iterations)])
        }
    };
    (told, more)
}

/// All of it in one line; `None` where every iteration has verdicts or nothing is recorded.
pub fn line(workspace: &Workspace, language: &Language) -> Option<String> {
    let (told, more) = left(workspace, language);
    let sentences = told.into_iter().map(|left| left.sentence);
    let line = language.sentences(sentences.chain((!more.is_empty()).then_some(more)));
    (!line.is_empty()).then_some(line)
}

/// What there is in place of an answer: recorded figures, and what was read beside runs; `None` where
/// there is neither.
pub fn instead(workspace: &Workspace, language: &Language) -> Option<String> {
    let sentences =
        line(workspace, language).into_iter().chain(beside::sentence(workspace, language));
    let told = language.sentences(sentences);
    (!told.is_empty()).then_some(told)
}

/// What is recorded of an iteration without a verdict of its own.
pub(super) fn sentence(iteration: &Iteration, language: &Language) -> Option<String> {
    if iteration.runs().any(Run::is_graded) {
        return None;
    }
    let benchmarks = iteration.benchmarks.iter().filter_map(|it| of_benchmark(it, language));
    let parts: Vec<String> = benchmarks.chain(of_counts(iteration, language)).collect();
    let what = parts.join(language.text("list.semicolon"));
    let places: [(&str, &dyn Display); 2] = [("iteration", &iteration.name), ("what", &what)];
    (!parts.is_empty()).then(|| language.fill("recorded.left", &places))
}

/// The verdicts that a benchmark lists, else the rates it states, else its list of runs.
fn of_benchmark(benchmark: &RecordedBenchmark, language: &Language) -> Option<String> {
    let file = names::file_name(&benchmark.path);
    let runs = language.count(benchmark.listed.len(), "run");
    let verdicts: usize = benchmark.listed.iter().map(|run| run.tally.graded()).sum();
    if verdicts > 0 {
        let verdicts = language.count(verdicts, "verdict");
        let places: [(&str, &dyn Display); 3] =
            [("file", &file), ("runs", &runs), ("verdicts", &verdicts)];
        return Some(language.fill("recorded.left_verdicts", &places));
    }
    let rates = benchmark.configurations.iter().filter_map(|it| rate(it, language));
    let rates = rates.collect::<Vec<_>>().join(language.text("list.comma"));
    if !rates.is_empty() {
        return Some(language.fill("recorded.left_rates", &[("file", &file), ("rates", &rates)]));
    }
    let is_listed = !benchmark.listed.is_empty();
    is_listed.then(|| language.fill("recorded.left_runs", &[("file", &file), ("runs", &runs)]))
}

/// `with_skill 47/60`, or the share where no counts are recorded.
fn rate(of: &RecordedConfiguration, language: &Language) -> Option<String> {
    let share = || of.pass_rate.mean.map(|rate| language.percent(rate));
    let counts = of.passed.zip(of.total);
    let counts = counts.map(|(passed, total)| format!("{}/{}", fixed(passed, 0), fixed(total, 0)));
    let counts = counts.or_else(share)?;
    Some(language.fill("badge.side", &[("name", &of.name), ("counts", &counts)]))
}

/// The runs whose gradings hold counts alone.
fn of_counts(iteration: &Iteration, language: &Language) -> Option<String> {
    let counted = iteration.runs().filter_map(|run| run.grading()?.recorded.total);
    let runs = counted.filter(|total| *total > 0.0).count();
    (runs > 0)
        .then(|| language.fill("recorded.left_counts", &[("runs", &language.count(runs, "run"))]))
}

#[cfg(test)]
mod tests {
    use super::{left, line, sentence};
    use crate::model::{
        Case, Expectation, Grading, Iteration, Outcome, RecordedBenchmark, RecordedConfiguration,
        RecordedCounts, RecordedRun, Run, Tally, Workspace,
    };
    use crate::render::language::Language;

    fn listing(passed: usize) -> RecordedBenchmark {
        let tally = Tally { passed, ..Tally::default() };
        let listed = vec![RecordedRun { tally, ..RecordedRun::default() }; 2];
        RecordedBenchmark {
            path: "iteration-1/benchmark.json".to_owned(),
            listed,
            ..RecordedBenchmark::default()
        }
    }

    fn iteration(benchmarks: Vec<RecordedBenchmark>, gradings: Vec<Grading>) -> Iteration {
        let run = Run { gradings, ..Run::default() };
        let case = Case { runs: vec![run], ..Case::default() };
        let name = "iteration-1".to_owned();
        Iteration { name, cases: vec![case], benchmarks, ..Iteration::default() }
    }

    #[test]
    fn recorded_figures_are_told_where_no_run_has_a_verdict() {
        let language = Language::default();
        let told = |benchmarks, gradings| sentence(&iteration(benchmarks, gradings), &language);
        let words = |what: &str| {
            Some(format!("iteration-1 has recorded figures only, shown and not counted: {what}."))
        };
        let counted = RecordedCounts { total: Some(5.0), ..RecordedCounts::default() };
        let counts = vec![Grading { recorded: counted, ..Grading::default() }];
        let side = |passed| RecordedConfiguration {
            name: "with_skill".to_owned(),
            passed,
            total: Some(60.0),
            ..RecordedConfiguration::default()
        };
        let rates = |passed| RecordedBenchmark {
            listed: Vec::new(),
            configurations: vec![side(passed)],
            ..listing(0)
        };
        assert_eq!(
            told(vec![listing(3)], vec![]),
            words("benchmark.json lists 2 runs with 6 verdicts")
        );
        assert_eq!(told(vec![listing(0)], vec![]), words("benchmark.json lists 2 runs"));
        let both = "benchmark.json records with_skill 47/60; 1 run with counts and no verdicts";
        assert_eq!(told(vec![rates(Some(47.0))], counts), words(both));
        assert_eq!(told(vec![rates(None)], vec![]), None);
        let passed = Expectation { outcome: Outcome::Passed, ..Expectation::default() };
        let graded = Grading { expectations: vec![passed], ..Grading::default() };
        assert_eq!(told(vec![listing(3)], vec![graded]), None);
    }

    #[test]
    fn the_newest_iterations_are_told_and_the_others_counted() {
        let language = Language::default();
        let iterations = vec![iteration(vec![listing(1)], vec![]); 5];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let (told, more) = left(&workspace, &language);
        let indices: Vec<usize> = told.iter().map(|left| left.iteration).collect();
        assert_eq!((indices, more.as_str()), (vec![4, 3, 2], "So have 2 iterations more."));
        assert!(line(&workspace, &language).is_some_and(|line| line.ends_with(&more)));
        assert_eq!(line(&Workspace::default(), &language), None);
    }
}
