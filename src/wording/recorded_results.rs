//! Recorded results of iterations without a verdict: shown, but never counted.
//!
//! Also data read besides runs: blind comparisons, comments, trigger loops.

use crate::digest::{self, RecordedFile, RecordedRate};
use crate::language::{Language, say};
use crate::model::{Iteration, Workspace};
use crate::text::fixed;

/// Iterations whose recorded results are shown; the rest are counted.
const SHOWN_ITERATIONS: usize = 3;

/// Files, and configurations in a file, that are named; the rest are counted.
const NAMED: usize = 8;

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

/// The answer where no candidate has a verdict.
pub fn nothing<'l>(workspace: &Workspace, language: &'l Language) -> &'l str {
    if digest::is_only_recorded(workspace) {
        language.text("overview.only_recorded")
    } else {
        language.text("overview.nothing_graded")
    }
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
    Some(language.first_few(parts, NAMED, "list.semicolon"))
}

/// A remark that nothing was graded, and which files list verdicts nevertheless.
pub(crate) fn for_brief(iteration: &Iteration, language: &Language) -> Option<String> {
    let sentence = sentence(iteration, language)?;
    let (mut files, mut has_evidence) = (Vec::new(), false);
    for benchmark in &iteration.benchmarks {
        if benchmark.listed.iter().any(|run| run.tally.graded() > 0) {
            files.push(benchmark.path.as_str());
        }
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
        rates = language.first_few(rates, NAMED, "list.comma"),
    )
}

fn rate(name: Option<&str>, rate: &RecordedRate, language: &Language) -> String {
    let counts = match rate {
        RecordedRate::Counts(passed, all) => format!("{}/{}", fixed(*passed, 0), fixed(*all, 0)),
        RecordedRate::Share(rate) => language.percent(*rate),
    };
    match name {
        Some(name) => say!(language, "badge.side", name, counts),
        None => counts,
    }
}

/// The page that shows data besides runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownPage {
    Comparisons,
    Feedback,
    History,
}

/// The kinds of data besides runs that the workspace has, counted, with the page of each.
pub(crate) fn others(workspace: &Workspace, language: &Language) -> Vec<(ShownPage, String)> {
    let totals = workspace.totals();
    let mut others = Vec::new();
    for (page, number, thing) in [
        (ShownPage::Comparisons, totals.comparisons, "comparison"),
        (ShownPage::Comparisons, totals.analyses, "analysis"),
        (ShownPage::Feedback, totals.comments, "comment"),
        (ShownPage::History, workspace.trigger_rounds.len(), "trigger_round"),
    ] {
        if number > 0 {
            others.push((page, language.count(number, thing)));
        }
    }
    others
}

/// All [`others`] in a row; `None` if there are none.
pub(crate) fn other_row(workspace: &Workspace, language: &Language) -> Option<String> {
    let others = others(workspace, language);
    if others.is_empty() {
        return None;
    }
    Some(language.list(others.into_iter().map(|(_, text)| text)))
}

#[cfg(test)]
mod tests {
    use super::{for_brief, line, newest_results, nothing, other_row, sentence};
    use crate::language::Language;
    use crate::model::{
        BlindComparison, Case, Expectation, Feedback, Grading, Iteration, Outcome,
        RecordedBenchmark, RecordedConfiguration, RecordedCounts, RecordedRun, Review, Run, Tally,
        TriggerRound, Workspace,
    };

    fn listing(passed: usize) -> RecordedBenchmark {
        let tally = Tally { passed, ..Tally::default() };
        let configuration = Some("with_skill".to_owned());
        let listed = vec![RecordedRun { tally, configuration, ..RecordedRun::default() }; 2];
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
    fn recorded_figures_are_shown_where_no_run_has_a_verdict() {
        let language = Language::default();
        let text = |benchmarks, gradings| sentence(&iteration(benchmarks, gradings), &language);
        let words = |what: &str| {
            Some(language.fill("recorded.left", &[("iteration", &"iteration-1"), ("what", &what)]))
        };
        let runs = language.count(2, "run");
        let listed = |key: &str, file: &str, rates: &str| {
            let verdicts = language.count(6, "verdict");
            let values: [(&str, &dyn std::fmt::Display); 4] =
                [("file", &file), ("runs", &runs), ("verdicts", &verdicts), ("rates", &rates)];
            language.fill(&format!("recorded.{key}"), &values)
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
        let verdicts = listed("left_verdicts", "benchmark.json", "with_skill 6/6");
        assert_eq!(text(vec![listing(3)], vec![]), words(&verdicts));
        let alone = listed("left_runs", "benchmark.json", "");
        assert_eq!(text(vec![listing(0)], vec![]), words(&alone));
        let rated = RecordedBenchmark { configurations: vec![side(Some(47.0))], ..listing(0) };
        let both = listed("left_runs_rates", "benchmark.json", "with_skill 47/60");
        assert_eq!(text(vec![rated], vec![]), words(&both));
        let recorded = listed("left_rates", "benchmark.json", "with_skill 47/60");
        let run = language.count(1, "run");
        let counted = language.fill("recorded.left_counts", &[("runs", &run)]);
        let both = [recorded, counted].join(language.text("list.semicolon"));
        assert_eq!(text(vec![rates(Some(47.0))], counts), words(&both));
        assert_eq!(text(vec![rates(None)], vec![]), None);
        let deeper = RecordedBenchmark { path: "a/benchmark.json".to_owned(), ..listing(0) };
        let alike = ["iteration-1/benchmark.json", "a/benchmark.json"]
            .map(|file| listed("left_runs", file, ""));
        let alike = alike.join(language.text("list.semicolon"));
        assert_eq!(text(vec![listing(0), deeper], vec![]), words(&alike));
        let passed = Expectation { outcome: Outcome::Passed, ..Expectation::default() };
        let graded = Grading { expectations: vec![passed], ..Grading::default() };
        assert_eq!(text(vec![listing(3)], vec![graded]), None);
    }

    #[test]
    fn listed_verdicts_are_shown_by_configuration() {
        let run = |name: Option<&str>, passed, failed| RecordedRun {
            configuration: name.map(str::to_owned),
            tally: Tally { passed, failed, ungraded: 1 },
            ..RecordedRun::default()
        };
        let sides = [Some("b"), Some("a"), Some("b"), None];
        let listed = sides.iter().enumerate().map(|(at, name)| run(*name, at, 2)).collect();
        let recorded = iteration(vec![RecordedBenchmark { listed, ..listing(0) }], vec![]);
        let text = sentence(&recorded, &Language::default()).unwrap_or_default();
        for part in ["4 ", "14 ", "b 2/6, a 1/3, 3/5"] {
            assert!(text.contains(part), "{part}: {text}");
        }

        let listed = (0..11).map(|at| run(Some(&format!("c{at}")), 1, 0)).collect();
        let many = iteration(vec![RecordedBenchmark { listed, ..listing(0) }], vec![]);
        let text = sentence(&many, &Language::default()).unwrap_or_default();
        let more = Language::default().fill("verdict.more", &[("n", &3)]);
        assert!(text.contains(&format!("c6 1/1, c7 1/1, {more}")), "{text}");
    }

    #[test]
    fn a_brief_names_the_file_that_lists_verdicts() {
        let language = Language::default();
        let text = |benchmark: RecordedBenchmark| {
            for_brief(&iteration(vec![benchmark], vec![]), &language).unwrap_or_default()
        };
        let begins = |key: &str| {
            language.fill(&format!("brief.{key}"), &[("files", &"iteration-1/benchmark.json")])
        };
        assert!(text(listing(0)).starts_with(&begins("recorded")));
        assert!(text(listing(1)).starts_with(&begins("listed")));
        let evidence = Some("seen".to_owned());
        let expectations = vec![Expectation { evidence, ..Expectation::default() }];
        let mut benchmark = listing(1);
        benchmark.listed[0].expectations = expectations;
        assert!(text(benchmark).starts_with(&begins("listed_why")));
        assert_eq!(for_brief(&Iteration::default(), &language), None);
    }

    #[test]
    fn only_figures_are_there_where_no_run_at_all_has_a_verdict() {
        let language = Language::default();
        let passed = Expectation { outcome: Outcome::Passed, ..Expectation::default() };
        let graded = Grading { expectations: vec![passed], ..Grading::default() };
        let recorded = iteration(vec![listing(1)], vec![]);
        let first = |iterations: Vec<Iteration>| {
            nothing(&Workspace { iterations, ..Workspace::default() }, &language).to_owned()
        };
        let only = language.text("overview.only_recorded");
        assert_eq!(first(vec![recorded.clone()]), only);
        let nobody = language.text("overview.nothing_graded");
        assert_eq!(first(vec![recorded, iteration(vec![], vec![graded])]), nobody);
        assert_eq!(first(vec![Iteration::default()]), nobody);
    }

    #[test]
    fn the_newest_iterations_are_shown_and_the_others_counted() {
        let language = Language::default();
        let iterations = vec![iteration(vec![listing(1)], vec![]); 5];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let (sentences, more) = newest_results(&workspace, &language);
        let indices: Vec<usize> = sentences.iter().map(|(index, _)| *index).collect();
        let two = language.count(2, "iteration");
        assert_eq!(more, language.fill("recorded.left_more", &[("iterations", &two)]));
        assert_eq!(indices, [4, 3, 2]);
        assert!(line(&workspace, &language).is_some_and(|line| line.ends_with(&more)));
        assert_eq!(line(&Workspace::default(), &language), None);
    }

    #[test]
    fn absent_kinds_are_not_shown() {
        let language = Language::default();
        let row = |workspace: &Workspace| other_row(workspace, &language);
        assert_eq!(row(&Workspace::default()), None);
        let review = |text: &str| Review {
            run_id: "eval-1".to_owned(),
            about: crate::model::About::Unknown,
            text: text.to_owned(),
            timestamp: None,
            place: None,
        };
        let feedback = Feedback { reviews: vec![review("a"), review("b")], ..Feedback::default() };
        let comparisons = vec![BlindComparison::default()];
        let iteration = Iteration { feedback: vec![feedback], comparisons, ..Iteration::default() };
        let workspace = Workspace {
            iterations: vec![iteration],
            trigger_rounds: vec![TriggerRound::default()],
            ..Workspace::default()
        };
        let english = Language::default();
        let parts = [(1, "comparison"), (2, "comment"), (1, "trigger_round")]
            .map(|(number, thing)| english.count(number, thing));
        assert_eq!(row(&workspace), Some(parts.join(english.text("list.comma"))));
    }
}
