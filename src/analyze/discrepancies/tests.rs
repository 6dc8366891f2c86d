//! Every rule on made-up runs: it is named where it yields the recorded number, and only there.

use crate::analyze::discrepancies::{
    Cause, Discrepancy, RecordedFigure, RecordedMeasure, compare_benchmark,
};
use crate::model::{
    Case, Expectation, Grading, Iteration, Metrics, Outcome, RecordedBenchmark,
    RecordedConfiguration, RecordedCounts, RecordedRun, RecordedSpread, Run, Tally,
};

/// Passed and failed verdicts, seconds, tokens, characters.
#[derive(Clone, Copy, Default)]
struct RunFigures {
    verdicts: [usize; 3],
    seconds: Option<f64>,
    tokens: Option<f64>,
    characters: Option<f64>,
    stated: Option<f64>,
    grader: Option<f64>,
}

fn rate(passed: usize, failed: usize) -> RunFigures {
    RunFigures { verdicts: [passed, failed, 0], ..RunFigures::default() }
}

fn cost(tokens: Option<f64>, characters: Option<f64>) -> RunFigures {
    RunFigures { tokens, characters, ..rate(1, 0) }
}

fn time(seconds: Option<f64>, grader: Option<f64>) -> RunFigures {
    RunFigures { seconds, grader, ..rate(1, 0) }
}

fn outcomes([passed, failed, ungraded]: [usize; 3]) -> impl Iterator<Item = Outcome> {
    let of = |outcome, number| std::iter::repeat_n(outcome, number);
    let graded = of(Outcome::Passed, passed).chain(of(Outcome::Failed, failed));
    graded.chain(of(Outcome::Ungraded, ungraded))
}

fn metrics(made: RunFigures) -> Metrics {
    Metrics {
        duration_s: made.seconds,
        grader_s: made.grader,
        tokens: made.tokens,
        output_chars: made.characters,
        ..Metrics::default()
    }
}

fn run(configuration: &str, made: RunFigures) -> Run {
    let expectation = |outcome| Expectation { outcome, ..Expectation::default() };
    let expectations: Vec<Expectation> = outcomes(made.verdicts).map(expectation).collect();
    let recorded = RecordedCounts { pass_rate: made.stated, ..RecordedCounts::default() };
    let grading = Grading { expectations, recorded, ..Grading::default() };
    Run {
        configuration: configuration.to_owned(),
        number: 1,
        gradings: vec![grading],
        metrics: metrics(made),
        ..Run::default()
    }
}

/// One case per run and configuration.
fn iteration(sides: &[(&str, &[RunFigures])]) -> Iteration {
    let cases = sides.iter().map(|(_, runs)| runs.len()).max().unwrap_or(0);
    let case = |at: usize| Case {
        name: format!("case {at}"),
        runs: sides.iter().filter_map(|(name, runs)| Some(run(name, *runs.get(at)?))).collect(),
        ..Case::default()
    };
    Iteration { cases: (0..cases).map(case).collect(), ..Iteration::default() }
}

fn listed(configuration: &str, all: &[RunFigures]) -> Vec<RecordedRun> {
    let one = |(at, made): (usize, &RunFigures)| RecordedRun {
        case_name: Some(format!("case {at}")),
        configuration: Some(configuration.to_owned()),
        run: Some(1),
        counts: RecordedCounts { pass_rate: made.stated, ..RecordedCounts::default() },
        metrics: metrics(*made),
        tally: Tally::new(outcomes(made.verdicts)),
        ..RecordedRun::default()
    };
    all.iter().enumerate().map(one).collect()
}

fn spread(mean: f64, stddev: Option<f64>) -> RecordedSpread {
    RecordedSpread { mean: Some(mean), stddev, ..RecordedSpread::default() }
}

fn recorded(
    name: &str,
    measure: RecordedMeasure,
    mean: f64,
    stddev: Option<f64>,
) -> RecordedConfiguration {
    let mut made = RecordedConfiguration { name: name.to_owned(), ..Default::default() };
    match measure {
        RecordedMeasure::Time => made.time_s = spread(mean, stddev),
        RecordedMeasure::Tokens => made.tokens = spread(mean, stddev),
        RecordedMeasure::PassRate => made.pass_rate = spread(mean, stddev),
    }
    made
}

fn compared(benchmark: &RecordedBenchmark, runs: &[RunFigures]) -> Vec<Discrepancy> {
    compare_benchmark(&iteration(&[("with_skill", runs)]), None, benchmark)
}

/// Why the mean of `measure` is `stated` for `runs`, with `list` in the file.
fn causes(
    measure: RecordedMeasure,
    stated: f64,
    runs: &[RunFigures],
    list: &[RunFigures],
) -> Option<Vec<Cause>> {
    let benchmark = RecordedBenchmark {
        configurations: vec![recorded("With-Skill", measure, stated, None)],
        listed: listed("with_skill", list),
        ..RecordedBenchmark::default()
    };
    let mut actual = compared(&benchmark, runs);
    assert!(actual.len() < 2, "{actual:?}");
    actual.pop().map(|found| found.causes)
}

#[test]
fn rounded_figures_do_not_differ() {
    let runs = [rate(2, 1), rate(3, 0), rate(1, 2)];
    for stated in [0.67, 0.667, 0.6667, 2.0 / 3.0] {
        assert_eq!(causes(RecordedMeasure::PassRate, stated, &runs, &[]), None, "{stated}");
    }
    assert_eq!(causes(RecordedMeasure::PassRate, 0.1, &runs, &[]), Some(Vec::new()));
    let seconds = [time(Some(40.2), None), time(Some(44.0), None)];
    assert_eq!(causes(RecordedMeasure::Time, 42.0, &seconds, &[]), None);
    assert_eq!(causes(RecordedMeasure::Time, 43.0, &seconds, &[]), Some(Vec::new()));
}

#[test]
fn a_cause_is_named_where_its_rule_yields_the_mean() {
    use RecordedMeasure::{PassRate, Time, Tokens};
    let characters = |runs, of| Cause::Characters { runs, of };
    let both = [cost(Some(9000.0), Some(400.0)), cost(Some(7000.0), Some(700.0))];
    let mixed = [cost(Some(9000.0), Some(400.0)), cost(None, Some(700.0)), cost(None, None)];
    let stated = |passed, failed, rate_stated| RunFigures {
        stated: Some(rate_stated),
        ..rate(passed, failed)
    };
    let times = [time(Some(40.0), Some(5.0)), time(Some(44.0), Some(5.0))];
    let own_list = |listed, found| Cause::OwnList { listed, found };
    for (measure, mean, runs, list, expected) in [
        (Tokens, 550.0, &both[..], &[][..], characters(2, 2)),
        (Tokens, 4850.0, &mixed, &[], characters(1, 3)),
        (Time, 47.0, &times, &[], Cause::WithGrader),
        (Time, 41.5, &[time(Some(40.4), None), time(Some(42.9), None)], &[], Cause::RunsRounded),
        (PassRate, 0.7767, &[rate(2, 1), rate(2, 1), rate(99, 1)], &[], Cause::RunsRounded),
        (
            PassRate,
            0.825,
            &[stated(1, 1, 0.9), rate(3, 1)],
            &[],
            Cause::SummariesContradict { runs: 1 },
        ),
        (PassRate, 0.91, &[rate(3, 1), rate(3, 1)], &[stated(0, 0, 0.91)], own_list(1, 2)),
        (PassRate, 0.9, &[rate(3, 1), rate(3, 1)], &[rate(4, 1), rate(7, 0)], own_list(2, 2)),
    ] {
        assert_eq!(causes(measure, mean, runs, list), Some(vec![expected]), "{mean}");
    }
    let alone = [cost(None, Some(400.0)), cost(None, Some(700.0))];
    assert_eq!(causes(Tokens, 550.0, &alone, &[]), Some(vec![characters(2, 2)]));
    assert_eq!(causes(Tokens, 560.0, &alone, &[]), None, "no run has tokens to compare with");
}

#[test]
fn a_benchmark_without_runs_is_compared_with_its_own_list() {
    let benchmark = RecordedBenchmark {
        configurations: vec![recorded("with_skill", RecordedMeasure::PassRate, 0.5, None)],
        listed: listed("with_skill", &[rate(2, 2), rate(3, 1)]),
        ..RecordedBenchmark::default()
    };
    let actual = compare_benchmark(&Iteration::default(), None, &benchmark);
    let [actual] = &actual[..] else { panic!("{actual:?}") };
    assert!(actual.is_of_list && actual.ours == Some(0.625), "{actual:?}");
    let alone = RecordedBenchmark { listed: Vec::new(), ..benchmark };
    assert_eq!(compare_benchmark(&Iteration::default(), None, &alone), []);
}

/// The figures of the spread `stated` that differ, with their causes.
fn causes_of_spread(
    measure: RecordedMeasure,
    stated: RecordedSpread,
    runs: &[RunFigures],
    list: &[RunFigures],
) -> Vec<(RecordedFigure, Vec<Cause>)> {
    let mut made = recorded("with_skill", measure, 0.0, None);
    match measure {
        RecordedMeasure::PassRate => made.pass_rate = stated,
        RecordedMeasure::Time => made.time_s = stated,
        RecordedMeasure::Tokens => made.tokens = stated,
    }
    let benchmark = RecordedBenchmark {
        configurations: vec![made],
        listed: listed("with_skill", list),
        ..RecordedBenchmark::default()
    };
    compared(&benchmark, runs).into_iter().map(|found| (found.figure, found.causes)).collect()
}

#[test]
fn spreads_minimum_and_maximum_are_compared_too() {
    use RecordedFigure::{Least, Mean, Most, Spread};
    use RecordedMeasure::{PassRate, Tokens};
    let rates = [rate(1, 1), rate(3, 1), rate(1, 0)];
    assert_eq!(causes_of_spread(PassRate, spread(0.75, Some(0.25)), &rates, &[]), []);
    for (stddev, expected) in [(0.2041, vec![Cause::Population]), (0.4, Vec::new())] {
        let actual = causes_of_spread(PassRate, spread(0.75, Some(stddev)), &rates, &[]);
        assert_eq!(actual, [(Spread(PassRate), expected)]);
    }
    let extremes = |mean, min, max| RecordedSpread { mean, min, max, stddev: None };
    assert_eq!(
        causes_of_spread(PassRate, extremes(None, Some(0.5), Some(0.8)), &rates, &[]),
        [(Most(PassRate), Vec::new())]
    );
    let runs = [cost(Some(9000.0), Some(400.0)), cost(Some(7000.0), Some(700.0))];
    let characters = vec![Cause::Characters { runs: 2, of: 2 }];
    assert_eq!(
        causes_of_spread(Tokens, extremes(Some(550.0), Some(400.0), None), &runs, &[]),
        [(Mean(Tokens), characters.clone()), (Least(Tokens), characters)]
    );
}

#[test]
fn differences_of_means_are_those_of_the_recorded_ones() {
    let causes = |stated: f64, means: [f64; 2]| {
        let sides = [("with_skill", &[rate(3, 1)][..]), ("without_skill", &[rate(2, 2)][..])];
        let configurations = [sides[0].0, sides[1].0]
            .into_iter()
            .zip(means)
            .map(|(name, mean)| recorded(name, RecordedMeasure::PassRate, mean, None));
        let benchmark = RecordedBenchmark {
            configurations: configurations.collect(),
            delta_pass_rate: Some(stated),
            ..RecordedBenchmark::default()
        };
        let mut found = compare_benchmark(
            &iteration(&sides),
            Some(["with_skill", "without_skill"]),
            &benchmark,
        );
        let delta = RecordedFigure::Delta(RecordedMeasure::PassRate);
        found.retain(|found| found.figure == delta);
        found.pop().map(|found| found.causes)
    };
    assert_eq!(causes(0.25, [0.75, 0.5]), None);
    assert_eq!(causes(-0.25, [0.75, 0.5]), Some(Vec::new()));
    assert_eq!(causes(0.41, [0.91, 0.5]), Some(vec![Cause::OfRecordedMeans]));
}

#[test]
fn counts_are_compared() {
    let runs = [rate(3, 1), rate(2, 2)];
    let figures = |benchmark: RecordedBenchmark| {
        let found = compared(&benchmark, &runs).into_iter();
        found.map(|found| (found.figure, found.causes)).collect::<Vec<_>>()
    };
    let listed_runs = |runs| RecordedBenchmark { runs: Some(runs), ..Default::default() };
    assert_eq!(figures(listed_runs(2)), []);
    assert_eq!(figures(listed_runs(3)), [(RecordedFigure::RunsListed, Vec::new())]);
    let each =
        |runs| RecordedBenchmark { runs_per_configuration: Some(runs), ..Default::default() };
    assert_eq!(figures(each(1.0)), []);
    assert_eq!(figures(each(3.0)), [(RecordedFigure::RunsEach, vec![Cause::Constant])]);
    assert_eq!(figures(each(2.0)), [(RecordedFigure::RunsEach, Vec::new())]);
    let counts = |passed, total| RecordedBenchmark {
        configurations: vec![RecordedConfiguration {
            name: "with_skill".to_owned(),
            passed: Some(passed),
            total: Some(total),
            ..Default::default()
        }],
        ..Default::default()
    };
    assert_eq!(figures(counts(5.0, 8.0)), []);
    assert_eq!(figures(counts(6.0, 8.0)), [(RecordedFigure::Passed, Vec::new())]);
}
