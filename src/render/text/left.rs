//! What is only recorded of iterations without a verdict of their own: told, and never counted.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::discover::names;
use crate::model::{Iteration, RecordedBenchmark, RecordedConfiguration, Run, Tally, Workspace};
use crate::render::context::Language;
use crate::render::text::beside;
use crate::text::fixed;

/// So many iterations are told, the newest.
const TOLD: usize = 3;

/// So many files, and so many configurations of each, are told, the first written.
const NAMED: usize = 8;

/// What is left of one iteration.
pub(crate) struct Left {
    /// The iteration, by its index.
    pub(crate) iteration: usize,
    /// What is recorded of it.
    pub(crate) sentence: String,
}

/// The iterations without a verdict of which recorded figures are left, the newest first, and how
/// many more there are, in words, or empty.
pub(crate) fn left(workspace: &Workspace, language: &Language) -> (Vec<Left>, String) {
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

/// Whether nothing in the workspace has a verdict, but figures are recorded.
pub(crate) fn is_all(workspace: &Workspace, language: &Language) -> bool {
    let mut runs = workspace.iterations.iter().flat_map(Iteration::runs);
    !runs.any(Run::is_graded)
        && workspace.iterations.iter().any(|it| !parts(it, language).is_empty())
}

/// The first sentence where no candidate has a verdict.
pub(crate) fn nothing<'l>(workspace: &Workspace, language: &'l Language) -> &'l str {
    match is_all(workspace, language) {
        true => language.text("overview.only_recorded"),
        false => language.text("overview.nothing_graded"),
    }
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
pub(crate) fn sentence(iteration: &Iteration, language: &Language) -> Option<String> {
    let parts = parts(iteration, language);
    let is_there = !parts.is_empty();
    let what = language.first_few(parts, NAMED, "list.semicolon");
    let places: [(&str, &dyn Display); 2] = [("iteration", &iteration.name), ("what", &what)];
    is_there.then(|| language.fill("recorded.left", &places))
}

/// The same for a reader who wants to know what failed: that nothing was graded, and which files list
/// verdicts all the same.
pub(crate) fn for_brief(iteration: &Iteration, language: &Language) -> Option<String> {
    let sentence = sentence(iteration, language)?;
    let lists = |it: &&RecordedBenchmark| it.listed.iter().any(|run| run.tally.graded() > 0);
    let files = iteration.benchmarks.iter().filter(lists).map(|it| it.path.as_str());
    let files = files.collect::<Vec<_>>().join(language.text("list.comma"));
    let listed = iteration.benchmarks.iter().flat_map(|it| &it.listed);
    let mut listed = listed.flat_map(|run| &run.expectations);
    let key = match (files.is_empty(), listed.any(|it| it.evidence.is_some())) {
        (true, _) => "brief.recorded",
        (false, false) => "brief.listed",
        (false, true) => "brief.listed_why",
    };
    let parts = [language.fill(key, &[("files", &files)]), sentence];
    Some(language.sentences(parts))
}

/// What each file records of an iteration without a verdict of its own.
fn parts(iteration: &Iteration, language: &Language) -> Vec<String> {
    if iteration.runs().any(Run::is_graded) {
        return Vec::new();
    }
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    for benchmark in &iteration.benchmarks {
        *alike.entry(names::file_name(&benchmark.path)).or_default() += 1;
    }
    let told = iteration.benchmarks.iter().filter_map(|it| {
        let name = names::file_name(&it.path);
        // Files of one name are told apart by their paths.
        let file = if alike[name] > 1 { &it.path } else { name };
        of_benchmark(it, file, language)
    });
    told.chain(of_counts(iteration, language)).collect()
}

/// The runs that the benchmark in `file` lists with their verdicts, else the rates it states.
fn of_benchmark(benchmark: &RecordedBenchmark, file: &str, language: &Language) -> Option<String> {
    let verdicts: usize = benchmark.listed.iter().map(|run| run.tally.graded()).sum();
    let rates: Vec<String> = match verdicts {
        0 => benchmark.configurations.iter().filter_map(|it| rate(it, language)).collect(),
        _ => verdicts_of(benchmark).iter().map(|(name, it)| side(*name, *it, language)).collect(),
    };
    let key = match (benchmark.listed.is_empty(), verdicts > 0, rates.is_empty()) {
        (true, _, true) => return None,
        (true, _, false) => "recorded.left_rates",
        (false, false, true) => "recorded.left_runs",
        (false, false, false) => "recorded.left_runs_rates",
        (false, true, _) => "recorded.left_verdicts",
    };
    let places: [(&str, &dyn Display); 4] = [
        ("file", &file),
        ("runs", &language.count(benchmark.listed.len(), "run")),
        ("verdicts", &language.count(verdicts, "verdict")),
        ("rates", &language.first_few(rates, NAMED, "list.comma")),
    ];
    Some(language.fill(key, &places))
}

/// The verdicts of the listed runs by configuration, in the order written.
fn verdicts_of(benchmark: &RecordedBenchmark) -> Vec<(Option<&str>, Tally)> {
    let mut found: Vec<(Option<&str>, Tally)> = Vec::new();
    let mut places = BTreeMap::new();
    for run in benchmark.listed.iter().filter(|run| run.tally.graded() > 0) {
        let name = run.configuration.as_deref();
        let at = *places.entry(name).or_insert_with(|| {
            found.push((name, Tally::default()));
            found.len() - 1
        });
        found[at].1.add(run.tally);
    }
    found
}

/// `with_skill 22/22`; only the counts where no configuration is named.
fn side(name: Option<&str>, tally: Tally, language: &Language) -> String {
    let counts = format!("{}/{}", tally.passed, tally.graded());
    match name {
        Some(name) => language.fill("badge.side", &[("name", &name), ("counts", &counts)]),
        None => counts,
    }
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
    use super::{for_brief, left, line, nothing, sentence};
    use crate::model::{
        Case, Expectation, Grading, Iteration, Outcome, RecordedBenchmark, RecordedConfiguration,
        RecordedCounts, RecordedRun, Run, Tally, Workspace,
    };
    use crate::render::context::language::Language;

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
    fn recorded_figures_are_told_where_no_run_has_a_verdict() {
        let language = Language::default();
        let told = |benchmarks, gradings| sentence(&iteration(benchmarks, gradings), &language);
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
        assert_eq!(told(vec![listing(3)], vec![]), words(&verdicts));
        let alone = listed("left_runs", "benchmark.json", "");
        assert_eq!(told(vec![listing(0)], vec![]), words(&alone));
        let beside = RecordedBenchmark { configurations: vec![side(Some(47.0))], ..listing(0) };
        let both = listed("left_runs_rates", "benchmark.json", "with_skill 47/60");
        assert_eq!(told(vec![beside], vec![]), words(&both));
        let recorded = listed("left_rates", "benchmark.json", "with_skill 47/60");
        let run = language.count(1, "run");
        let counted = language.fill("recorded.left_counts", &[("runs", &run)]);
        let both = [recorded, counted].join(language.text("list.semicolon"));
        assert_eq!(told(vec![rates(Some(47.0))], counts), words(&both));
        assert_eq!(told(vec![rates(None)], vec![]), None);
        let deeper = RecordedBenchmark { path: "a/benchmark.json".to_owned(), ..listing(0) };
        let alike = ["iteration-1/benchmark.json", "a/benchmark.json"]
            .map(|file| listed("left_runs", file, ""));
        let alike = alike.join(language.text("list.semicolon"));
        assert_eq!(told(vec![listing(0), deeper], vec![]), words(&alike));
        let passed = Expectation { outcome: Outcome::Passed, ..Expectation::default() };
        let graded = Grading { expectations: vec![passed], ..Grading::default() };
        assert_eq!(told(vec![listing(3)], vec![graded]), None);
    }

    #[test]
    fn listed_verdicts_are_told_by_configuration() {
        let run = |name: Option<&str>, passed, failed| RecordedRun {
            configuration: name.map(str::to_owned),
            tally: Tally { passed, failed, ungraded: 1 },
            ..RecordedRun::default()
        };
        let sides = [Some("b"), Some("a"), Some("b"), None];
        let listed = sides.iter().enumerate().map(|(at, name)| run(*name, at, 2)).collect();
        let found = iteration(vec![RecordedBenchmark { listed, ..listing(0) }], vec![]);
        let told = sentence(&found, &Language::default()).unwrap_or_default();
        for part in ["4 ", "14 ", "b 2/6, a 1/3, 3/5"] {
            assert!(told.contains(part), "{part}: {told}");
        }

        let listed = (0..11).map(|at| run(Some(&format!("c{at}")), 1, 0)).collect();
        let many = iteration(vec![RecordedBenchmark { listed, ..listing(0) }], vec![]);
        let told = sentence(&many, &Language::default()).unwrap_or_default();
        let more = Language::default().fill("verdict.more", &[("n", &3)]);
        assert!(told.contains(&format!("c6 1/1, c7 1/1, {more}")), "{told}");
    }

    #[test]
    fn a_brief_names_the_file_that_lists_verdicts() {
        let language = Language::default();
        let told = |found: RecordedBenchmark| {
            for_brief(&iteration(vec![found], vec![]), &language).unwrap_or_default()
        };
        let begins = |key: &str| {
            language.fill(&format!("brief.{key}"), &[("files", &"iteration-1/benchmark.json")])
        };
        assert!(told(listing(0)).starts_with(&begins("recorded")));
        assert!(told(listing(1)).starts_with(&begins("listed")));
        let evidence = Some("seen".to_owned());
        let expectations = vec![Expectation { evidence, ..Expectation::default() }];
        let mut found = listing(1);
        found.listed[0].expectations = expectations;
        assert!(told(found).starts_with(&begins("listed_why")));
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
    fn the_newest_iterations_are_told_and_the_others_counted() {
        let language = Language::default();
        let iterations = vec![iteration(vec![listing(1)], vec![]); 5];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let (told, more) = left(&workspace, &language);
        let indices: Vec<usize> = told.iter().map(|left| left.iteration).collect();
        let two = language.count(2, "iteration");
        assert_eq!(more, language.fill("recorded.left_more", &[("iterations", &two)]));
        assert_eq!(indices, [4, 3, 2]);
        assert!(line(&workspace, &language).is_some_and(|line| line.ends_with(&more)));
        assert_eq!(line(&Workspace::default(), &language), None);
    }
}
