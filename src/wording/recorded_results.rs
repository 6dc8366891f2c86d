//! Recorded results of iterations without a verdict: shown, but never counted.
//!
//! Also data read besides runs: blind comparisons, comments, trigger loops.

use crate::budget::SOME_NAMES;
use crate::digest::{self, RecordedFile, RecordedRate};
use crate::language::{Language, say};
use input::model::{Iteration, Totals, Workspace};
use text::fixed;

/// Iterations whose recorded results are shown; the rest are counted.
const SHOWN_ITERATIONS: usize = 3;

/// Recorded results of the newest iterations without a verdict, each with the iteration's index,
/// and the number of others.
pub(crate) fn newest_results(
    workspace: &Workspace,
    language: &Language,
) -> (Vec<(usize, String)>, String) {
    let mut results = Vec::new();
    for (index, iteration) in workspace.iterations.iter().enumerate().rev() {
        if let Some(figures) = figures(iteration, language) {
            results.push((index, figures));
        }
    }
    let mut more = String::new();
    if results.len() > SHOWN_ITERATIONS {
        let iterations = language.count(results.len() - SHOWN_ITERATIONS, "iteration");
        more = say!(language, "recorded.left_more", iterations);
        results.truncate(SHOWN_ITERATIONS);
    }
    (results, more)
}

/// All of it in one line; `None` if every iteration has verdicts or nothing is recorded.
pub fn line(workspace: &Workspace, language: &Language) -> Option<String> {
    let (results, more) = newest_results(workspace, language);
    if results.is_empty() {
        return None;
    }
    let mut sentences = Vec::new();
    for (index, figures) in &results {
        sentences.push(whole_sentence(&workspace.iterations[*index], figures, language));
    }
    sentences.push(more);
    Some(language.sentences(sentences))
}

/// Recorded figures and data besides runs, in place of an answer.
pub fn instead(workspace: &Workspace, language: &Language) -> Option<String> {
    let mut sentences = Vec::from_iter(line(workspace, language));
    if let Some(what) = other_row(workspace, language) {
        sentences.push(say!(language, "overview.beside_told", what));
    }
    if sentences.is_empty() { None } else { Some(language.sentences(sentences)) }
}

pub(crate) fn sentence(iteration: &Iteration, language: &Language) -> Option<String> {
    let figures = figures(iteration, language)?;
    Some(whole_sentence(iteration, &figures, language))
}

fn whole_sentence(iteration: &Iteration, figures: &str, language: &Language) -> String {
    say!(language, "recorded.left", iteration = iteration.name, what = figures)
}

fn figures(iteration: &Iteration, language: &Language) -> Option<String> {
    let files = digest::recorded_files(iteration);
    let mut parts: Vec<String> = files.iter().map(|file| file_text(file, language)).collect();
    let counted = digest::recorded_counts(iteration);
    if counted > 0 {
        parts.push(say!(language, "recorded.left_counts", runs = language.count(counted, "run")));
    }
    if parts.is_empty() {
        return None;
    }
    Some(language.first_few(parts, SOME_NAMES, "list.semicolon"))
}

/// A remark that nothing was graded, and which files list verdicts nevertheless.
pub(crate) fn for_brief(iteration: &Iteration, language: &Language) -> Option<String> {
    let sentence = sentence(iteration, language)?;
    let (mut files, mut has_evidence) = (Vec::new(), false);
    for benchmark in &iteration.benchmarks {
        if benchmark.listed.iter().any(|run| run.tally.graded() > 0) {
            files.push(benchmark.path.as_str());
        }
        // An agent can improve a skill by reasons, hardly by counts.
        let mut checks = benchmark.listed.iter().flat_map(|run| &run.expectations);
        has_evidence |= checks.any(|check| check.evidence.is_some());
    }
    let key = if files.is_empty() {
        "brief.recorded"
    } else if has_evidence {
        "brief.listed_why"
    } else {
        "brief.listed"
    };
    Some(language.sentences([say!(language, key, files = language.list(files)), sentence]))
}

fn file_text(file: &RecordedFile<'_>, language: &Language) -> String {
    let key = match (file.runs, file.verdicts, file.rates.is_empty()) {
        (0, ..) => "recorded.left_rates",
        (_, 0, true) => "recorded.left_runs",
        // Summaries are often kept after the verdicts of the listed runs were thrown away.
        (_, 0, false) => "recorded.left_runs_rates",
        _ => "recorded.left_verdicts",
    };
    let rates = file.rates.iter().map(|(name, recorded)| rate(*name, recorded, language)).collect();
    say!(
        language,
        key,
        file = file.name,
        runs = language.count(file.runs, "run"),
        verdicts = language.count(file.verdicts, "verdict"),
        rates = language.first_few(rates, SOME_NAMES, "list.comma"),
    )
}

fn rate(name: Option<&str>, rate: &RecordedRate, language: &Language) -> String {
    let counts = counts(rate, language);
    match name {
        Some(name) => say!(language, "badge.side", name, counts),
        None => counts,
    }
}

/// `35/65`, or the percentage where no counts are recorded.
pub(crate) fn counts(rate: &RecordedRate, language: &Language) -> String {
    match *rate {
        RecordedRate::Counts(passed, all) => format!("{}/{}", fixed(passed, 0), fixed(all, 0)),
        RecordedRate::Share(rate) => language.percent(rate),
    }
}

/// The page that shows data besides runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownPage {
    Comparisons,
    Feedback,
    Triggers,
}

/// The kinds of data besides runs that the workspace has, counted, with the page of each.
pub(crate) fn others(totals: &Totals, language: &Language) -> Vec<(ShownPage, String)> {
    let mut others = Vec::new();
    for (page, number, thing) in [
        (ShownPage::Comparisons, totals.comparisons, "comparison"),
        (ShownPage::Comparisons, totals.analyses, "analysis"),
        (ShownPage::Feedback, totals.comments, "comment"),
        (ShownPage::Triggers, totals.trigger_rounds, "trigger_round"),
    ] {
        if number > 0 {
            others.push((page, language.count(number, thing)));
        }
    }
    others
}

/// All [`others`] in a row; `None` if there are none.
pub(crate) fn other_row(workspace: &Workspace, language: &Language) -> Option<String> {
    let others = others(&workspace.totals(), language);
    if others.is_empty() {
        return None;
    }
    Some(language.list(others.into_iter().map(|(_, text)| text)))
}

#[cfg(test)]
mod tests {
    use super::{for_brief, line, newest_results, other_row, sentence};
    use crate::language::{Language, say};
    use input::model::{
        BlindComparison, Case, Expectation, Grading, Iteration, Outcome, RecordedBenchmark,
        RecordedConfiguration, RecordedCounts, RecordedRun, Run, Tally, TriggerRound, Workspace,
    };

    fn listed(configuration: Option<&str>, passed: usize, failed: usize) -> RecordedRun {
        let configuration = configuration.map(str::to_owned);
        let tally = Tally { passed, failed, ungraded: 1 };
        RecordedRun { configuration, tally, ..RecordedRun::default() }
    }

    /// A benchmark that lists runs, and states how many of 60 checks passed.
    fn benchmark(listed: Vec<RecordedRun>, stated: Option<f64>) -> RecordedBenchmark {
        let name = "with_skill".to_owned();
        let stated = RecordedConfiguration {
            name,
            passed: stated,
            total: Some(60.0),
            ..RecordedConfiguration::default()
        };
        let (path, configurations) = ("iteration-1/benchmark.json".to_owned(), vec![stated]);
        RecordedBenchmark { path, listed, configurations, ..RecordedBenchmark::default() }
    }

    fn iteration(benchmarks: Vec<RecordedBenchmark>, gradings: Vec<Grading>) -> Iteration {
        let case = Case { runs: vec![Run { gradings, ..Run::default() }], ..Case::default() };
        let name = "iteration-1".to_owned();
        Iteration { name, cases: vec![case], benchmarks, ..Iteration::default() }
    }

    fn graded() -> Vec<Grading> {
        let passed = Expectation { outcome: Outcome::Passed, ..Expectation::default() };
        vec![Grading { expectations: vec![passed], ..Grading::default() }]
    }

    #[test]
    fn recorded_figures_are_shown_where_no_run_has_a_verdict() {
        let language = Language::default();
        let listing = |passed| vec![listed(Some("with_skill"), passed, 0); 2];
        let elsewhere = RecordedBenchmark {
            path: "a/benchmark.json".to_owned(),
            ..benchmark(listing(0), None)
        };
        let total = RecordedCounts { total: Some(5.0), ..RecordedCounts::default() };
        let counts = vec![Grading { recorded: total, ..Grading::default() }];
        let many = (0..11).map(|at| listed(Some(&format!("c{at}")), 1, 0)).collect();
        let sides = [Some("b"), Some("a"), Some("b"), None];
        let sides = sides.iter().enumerate().map(|(at, name)| listed(*name, at, 2)).collect();
        let more = say!(language, "verdict.more", n = 3);
        let table = [
            // The verdicts of listed runs win over the stated counts.
            (
                vec![benchmark(listing(3), Some(9.0))],
                vec![],
                vec!["benchmark.json", "with_skill 6/6"],
            ),
            (vec![benchmark(listing(0), Some(47.0))], vec![], vec!["2 ", "with_skill 47/60"]),
            (vec![benchmark(vec![], Some(47.0))], counts, vec!["with_skill 47/60; ", "1 "]),
            // Files of the same name are told apart by their paths.
            (
                vec![benchmark(listing(0), None), elsewhere],
                vec![],
                vec!["iteration-1/benchmark.json", "a/benchmark.json"],
            ),
            (vec![benchmark(sides, None)], vec![], vec!["4 ", "14 ", "b 2/6, a 1/3, 3/5"]),
            (vec![benchmark(many, None)], vec![], vec!["c7 1/1", &more]),
        ];
        for (benchmarks, gradings, parts) in table {
            let text = sentence(&iteration(benchmarks, gradings), &language).expect("a sentence");
            for part in parts {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
        for (benchmarks, gradings) in
            [(vec![benchmark(vec![], None)], vec![]), (vec![benchmark(listing(3), None)], graded())]
        {
            assert_eq!(sentence(&iteration(benchmarks, gradings), &language), None);
        }
    }

    #[test]
    fn a_brief_names_the_file_that_lists_verdicts() {
        let language = Language::default();
        let mut with_evidence = listed(None, 1, 0);
        let evidence = Some("seen".to_owned());
        with_evidence.expectations = vec![Expectation { evidence, ..Expectation::default() }];
        for (run, key) in [
            (listed(None, 0, 0), "brief.recorded"),
            (listed(None, 1, 0), "brief.listed"),
            (with_evidence, "brief.listed_why"),
        ] {
            let recorded = iteration(vec![benchmark(vec![run], None)], vec![]);
            let text = for_brief(&recorded, &language).expect("a text");
            let start = say!(language, key, files = "iteration-1/benchmark.json");
            assert!(text.starts_with(&start), "{text}");
        }
        assert_eq!(for_brief(&Iteration::default(), &language), None);
    }

    #[test]
    fn the_newest_iterations_are_shown_and_the_others_counted() {
        let language = Language::default();
        let recorded = iteration(vec![benchmark(vec![listed(None, 1, 0)], None)], vec![]);
        let workspace = Workspace { iterations: vec![recorded; 5], ..Workspace::default() };
        let (sentences, more) = newest_results(&workspace, &language);
        let indices: Vec<usize> = sentences.iter().map(|(index, _)| *index).collect();
        assert_eq!(indices, [4, 3, 2]);
        assert!(more.contains('2'), "{more}");
        assert!(line(&workspace, &language).is_some_and(|line| line.ends_with(&more)));
        assert_eq!(line(&Workspace::default(), &language), None);
    }

    #[test]
    fn absent_kinds_are_not_shown() {
        let language = Language::default();
        assert_eq!(other_row(&Workspace::default(), &language), None);
        let comparisons = vec![BlindComparison::default()];
        let workspace = Workspace {
            iterations: vec![Iteration { comparisons, ..Iteration::default() }],
            trigger_rounds: vec![TriggerRound::default()],
            ..Workspace::default()
        };
        let parts = ["comparison", "trigger_round"].map(|thing| language.count(1, thing));
        assert_eq!(other_row(&workspace, &language), Some(parts.join(", ")));
    }
}
