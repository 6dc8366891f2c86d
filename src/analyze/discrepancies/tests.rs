//! Every rule on made-up runs: it is named where it yields the recorded number, and only there.

use crate::analyze::discrepancies::{
    Cause, Discrepancy, RecordedFigure, RecordedMeasure, compare_benchmark,
};
use input::model::{
    Case, Expectation, Grading, Iteration, Metrics, Outcome, RecordedBenchmark,
    RecordedConfiguration, RecordedCounts, RecordedRun, RecordedSpread, Run, Tally,
};

/// Passed, failed and missing verdicts, seconds, and the pass rate that a list states.
#[derive(Clone, Copy, Default)]
struct RunFigures {
    verdicts: [usize; 3],
    seconds: Option<f64>,
    stated: Option<f64>,
}

fn rate(passed: usize, failed: usize) -> RunFigures {
    RunFigures { verdicts: [passed, failed, 0], ..RunFigures::default() }
}

fn time(seconds: f64) -> RunFigures {
    RunFigures { seconds: Some(seconds), ..rate(1, 0) }
}

fn outcomes([passed, failed, ungraded]: [usize; 3]) -> impl Iterator<Item = Outcome> {
    let of = |outcome, number| std::iter::repeat_n(outcome, number);
    let graded = of(Outcome::Passed, passed).chain(of(Outcome::Failed, failed));
    graded.chain(of(Outcome::Ungraded, ungraded))
}

fn metrics(made: RunFigures) -> Metrics {
    Metrics { duration_s: made.seconds, ..Metrics::default() }
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

/// Why the mean of `measure` is `stated` for `runs`, with `list` in the file; `None` if it does not
/// differ.
fn cause(
    measure: RecordedMeasure,
    stated: f64,
    runs: &[RunFigures],
    list: &[RunFigures],
) -> Option<Option<Cause>> {
    let benchmark = RecordedBenchmark {
        configurations: vec![recorded("With-Skill", measure, stated, None)],
        listed: listed("with_skill", list),
        ..RecordedBenchmark::default()
    };
    let mut actual = compared(&benchmark, runs);
    assert!(actual.len() < 2, "{actual:?}");
    actual.pop().map(|found| found.cause)
}

#[test]
fn rounded_figures_do_not_differ() {
    let runs = [rate(2, 1), rate(3, 0), rate(1, 2)];
    for stated in [0.67, 0.667, 0.6667, 2.0 / 3.0] {
        assert_eq!(cause(RecordedMeasure::PassRate, stated, &runs, &[]), None, "{stated}");
    }
    assert_eq!(cause(RecordedMeasure::PassRate, 0.1, &runs, &[]), Some(None));
    let seconds = [time(40.2), time(44.0)];
    assert_eq!(cause(RecordedMeasure::Time, 42.0, &seconds, &[]), None);
    assert_eq!(cause(RecordedMeasure::Time, 43.0, &seconds, &[]), Some(None));
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
    assert!(actual.is_of_list && actual.ours == 0.625, "{actual:?}");
    let alone = RecordedBenchmark { listed: Vec::new(), ..benchmark };
    assert_eq!(compare_benchmark(&Iteration::default(), None, &alone), []);
}

#[test]
fn a_cause_is_named_where_its_rule_yields_the_mean() {
    use RecordedMeasure::{PassRate, Time};
    let half = RunFigures { verdicts: [2, 1, 1], ..RunFigures::default() };
    let none = RunFigures { verdicts: [0, 0, 4], ..RunFigures::default() };
    let stated = RunFigures { stated: Some(0.91), ..RunFigures::default() };
    let other = |listed, found| Some(Cause::OtherCases { listed, found });
    for (measure, mean, runs, list, expected) in [
        (PassRate, 0.375, &[rate(3, 1), none][..], &[][..], Some(Cause::UngradedAsZero)),
        (PassRate, 0.625, &[rate(3, 1), half], &[], Some(Cause::UngradedAsZero)),
        (PassRate, 0.6, &[rate(3, 1), half], &[], None),
        (PassRate, 0.91, &[rate(3, 1), rate(3, 1)], &[stated], other(1, 2)),
        (Time, 60.0, &[time(20.0)], &[time(20.0), time(100.0)], other(2, 1)),
        // A list of the same cases is no reason.
        (PassRate, 0.9, &[rate(3, 1), rate(3, 1)], &[rate(4, 1), rate(7, 0)], None),
    ] {
        assert_eq!(cause(measure, mean, runs, list), Some(expected), "{mean}");
    }
}

#[test]
fn a_turned_sign_is_named() {
    let delta = |stated: f64, means: [f64; 2]| {
        let sides = [("with_skill", &[rate(3, 1)][..]), ("old_skill", &[rate(2, 2)][..])];
        let configurations = [sides[0].0, sides[1].0]
            .into_iter()
            .zip(means)
            .map(|(name, mean)| recorded(name, RecordedMeasure::PassRate, mean, None));
        let benchmark = RecordedBenchmark {
            configurations: configurations.collect(),
            delta_pass_rate: Some(stated),
            ..RecordedBenchmark::default()
        };
        let mut found =
            compare_benchmark(&iteration(&sides), Some(["with_skill", "old_skill"]), &benchmark);
        let delta = RecordedFigure::Delta(RecordedMeasure::PassRate);
        found.retain(|found| found.figure == delta);
        found.pop().map(|found| found.cause)
    };
    let [first, second] = ["old_skill", "with_skill"].map(str::to_owned);
    let turned = Some(Cause::SignTurned { first, second });
    assert_eq!(delta(0.25, [0.75, 0.5]), None);
    assert_eq!(delta(-0.25, [0.75, 0.5]), Some(turned.clone()));
    assert_eq!(delta(-0.41, [0.91, 0.5]), Some(turned));
    assert_eq!(delta(0.41, [0.91, 0.5]), Some(None));
}

#[test]
fn rates_from_counts_and_numbers_of_runs_are_compared() {
    use RecordedFigure::{Mean, RunsListed};
    let runs = [rate(1, 1), rate(3, 1), rate(1, 0)];
    let figures = |benchmark: RecordedBenchmark| {
        let found = compared(&benchmark, &runs).into_iter();
        found.map(|found| found.figure).collect::<Vec<_>>()
    };
    let listed_runs = |runs| RecordedBenchmark { runs: Some(runs), ..Default::default() };
    assert_eq!(figures(listed_runs(3)), []);
    assert_eq!(figures(listed_runs(4)), [RunsListed]);
    let counts = |passed, total| RecordedBenchmark {
        configurations: vec![RecordedConfiguration {
            name: "with_skill".to_owned(),
            passed: Some(passed),
            total: Some(total),
            ..Default::default()
        }],
        ..Default::default()
    };
    assert_eq!(figures(counts(5.0, 7.0)), [], "all verdicts in one");
    assert_eq!(figures(counts(3.0, 4.0)), [], "the mean of the runs");
    assert_eq!(figures(counts(6.0, 7.0)), [Mean(RecordedMeasure::PassRate)]);
}
