//! Every rule on made-up runs: it is named where it yields the recorded number, and only there.

use crate::analyze::recorded::{
    Cause, Discrepancy, RecordedFigure, RecordedMeasure, discrepancies,
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

fn of(benchmark: &RecordedBenchmark, runs: &[RunFigures]) -> Vec<Discrepancy> {
    discrepancies(&iteration(&[("with_skill", runs)]), None, benchmark)
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
    let mut actual = of(&benchmark, runs);
    assert!(actual.len() < 2, "{actual:?}");
    actual.pop().map(|found| found.reasons)
}

#[test]
fn rounded_figures_do_not_differ() {
    let runs = [rate(2, 1), rate(3, 0), rate(1, 2)];
    for stated in [0.67, 0.667, 0.6667, 2.0 / 3.0] {
        assert_eq!(causes(RecordedMeasure::PassRate, stated, &runs, &[]), None, "{stated}");
    }
    assert_eq!(causes(RecordedMeasure::PassRate, 0.7, &runs, &[]), Some(vec![Cause::Rounded]));
    assert_eq!(causes(RecordedMeasure::PassRate, 0.1, &runs, &[]), Some(Vec::new()));
    let seconds = [time(Some(40.2), None), time(Some(44.0), None)];
    assert_eq!(causes(RecordedMeasure::Time, 42.0, &seconds, &[]), None);
    assert_eq!(causes(RecordedMeasure::Time, 43.0, &seconds, &[]), Some(Vec::new()));
}

#[test]
fn a_mean_without_runs_is_explained_if_a_rule_yields_it() {
    let runs = [cost(None, Some(400.0)), cost(None, Some(700.0))];
    let characters = Cause::Characters { runs: 2, of: 2 };
    assert_eq!(causes(RecordedMeasure::Tokens, 550.0, &runs, &[]), Some(vec![characters]));
    assert_eq!(causes(RecordedMeasure::Tokens, 560.0, &runs, &[]), None);
    let benchmark = RecordedBenchmark {
        configurations: vec![recorded("with_skill", RecordedMeasure::Tokens, 550.0, None)],
        ..RecordedBenchmark::default()
    };
    assert_eq!(of(&benchmark, &runs)[0].ours, None);
}

#[test]
fn characters_and_zeros_are_taken_for_tokens() {
    let all = [cost(Some(9000.0), Some(400.0)), cost(Some(7000.0), Some(700.0))];
    let characters = Cause::Characters { runs: 2, of: 2 };
    assert_eq!(causes(RecordedMeasure::Tokens, 550.0, &all, &[]), Some(vec![characters]));
    let mixed = [cost(Some(9000.0), Some(400.0)), cost(None, Some(700.0)), cost(None, None)];
    let in_place = vec![Cause::Characters { runs: 1, of: 3 }];
    assert_eq!(causes(RecordedMeasure::Tokens, 4850.0, &mixed, &[]), Some(in_place.clone()));
    let mut both = in_place;
    both.push(Cause::ZerosForMissing { runs: 1, of: 3 });
    assert_eq!(causes(RecordedMeasure::Tokens, 9700.0 / 3.0, &mixed, &[]), Some(both));
    let zeros = vec![Cause::ZerosForMissing { runs: 2, of: 3 }];
    assert_eq!(causes(RecordedMeasure::Tokens, 3000.0, &mixed, &[]), Some(zeros));
    assert_eq!(causes(RecordedMeasure::Tokens, 16000.0, &all, &[]), Some(vec![Cause::Total]));
    let near = [cost(Some(9000.0), None), cost(Some(7040.0), None)];
    assert_eq!(causes(RecordedMeasure::Tokens, 8000.0, &near, &[]), Some(vec![Cause::Rounded]));
    assert_eq!(causes(RecordedMeasure::Tokens, 8030.0, &near, &[]), Some(Vec::new()));
}

#[test]
fn missing_times_count_as_zero_and_graders_are_added() {
    let runs = [time(Some(30.0), Some(6.0)), time(Some(50.0), Some(8.0)), time(None, None)];
    let zeros = vec![Cause::ZerosForMissing { runs: 1, of: 3 }];
    assert_eq!(causes(RecordedMeasure::Time, 26.6667, &runs, &[]), Some(zeros));
    assert_eq!(causes(RecordedMeasure::Time, 33.0, &runs, &[]), Some(vec![Cause::ExecutorOnly]));
    assert_eq!(causes(RecordedMeasure::Time, 47.0, &runs, &[]), Some(vec![Cause::WithGrader]));
    let ungraded = RunFigures { seconds: Some(100.0), ..RunFigures::default() };
    let runs = [runs[0], runs[1], ungraded];
    assert_eq!(
        causes(RecordedMeasure::Time, 60.0, &runs, &[]),
        Some(vec![Cause::UngradedRuns { runs: 1 }])
    );
    let halves = [time(Some(10.4), None), time(Some(11.4), None), time(Some(10.4), None)];
    assert_eq!(
        causes(RecordedMeasure::Time, 10.3333, &halves, &[]),
        Some(vec![Cause::RunsRounded])
    );
}

#[test]
fn rates_are_taken_in_other_ways() {
    let explained =
        |stated, runs: &[RunFigures]| causes(RecordedMeasure::PassRate, stated, runs, &[]).unwrap();
    assert_eq!(explained(0.7, &[rate(6, 2), rate(1, 1)]), [Cause::Pooled]);
    assert_eq!(explained(0.5, &[rate(3, 1), rate(2, 0)]), [Cause::WholeRuns]);
    assert_eq!(explained(0.7767, &[rate(2, 1), rate(2, 1), rate(99, 1)]), [Cause::RunsRounded]);
    let unsure = [RunFigures { verdicts: [2, 1, 3], ..RunFigures::default() }, rate(1, 1)];
    assert_eq!(explained(0.4167, &unsure), [Cause::UngradedAsFailed]);
    let missing = [rate(2, 1), rate(2, 1), RunFigures::default()];
    assert_eq!(explained(0.4444, &missing), [Cause::ZerosForMissing { runs: 1, of: 3 }]);
    let stated = [RunFigures { stated: Some(0.9), ..rate(1, 1) }, rate(3, 1)];
    assert_eq!(explained(0.825, &stated), [Cause::SummariesContradict { runs: 1 }]);
}

#[test]
fn the_list_in_the_file_explains_its_figures() {
    let explained = |stated, list: &[RunFigures]| {
        causes(RecordedMeasure::PassRate, stated, &[rate(2, 2), rate(3, 1)], list).unwrap()
    };
    assert_eq!(explained(0.91, &[rate(10, 1)]), [Cause::OtherRuns { listed: 1, found: 2 }]);
    assert_eq!(explained(0.9, &[rate(4, 1), rate(7, 0)]), [Cause::OtherFigures]);
    let pooled = [Cause::OtherFigures, Cause::Pooled];
    assert_eq!(explained(0.9167, &[rate(4, 1), rate(7, 0)]), pooled);
    let contradicting = [RunFigures { stated: Some(0.8), ..rate(2, 2) }, rate(3, 1)];
    let contradicting = [contradicting[0], RunFigures { stated: Some(1.0), ..contradicting[1] }];
    assert_eq!(explained(0.9, &contradicting), [Cause::ListContradicts { runs: 2 }]);
    assert_eq!(explained(0.99, &[rate(2, 2), rate(3, 1)]), [Cause::NotOfItsList]);
    assert_eq!(explained(0.99, &[rate(2, 2)]), []);
}

#[test]
fn a_benchmark_without_runs_is_compared_with_its_own_list() {
    let benchmark = RecordedBenchmark {
        configurations: vec![recorded("a", RecordedMeasure::PassRate, 0.7, None)],
        listed: listed("a", &[rate(6, 2), rate(1, 1)]),
        ..RecordedBenchmark::default()
    };
    let actual = discrepancies(&Iteration::default(), None, &benchmark);
    let [actual] = &actual[..] else { panic!("{actual:?}") };
    assert!(actual.is_of_list && actual.reasons == [Cause::Pooled] && actual.ours == Some(0.625));
    let alone = RecordedBenchmark { listed: Vec::new(), ..benchmark };
    assert_eq!(discrepancies(&Iteration::default(), None, &alone), []);
}

#[test]
fn spreads_are_of_samples() {
    let runs = [rate(1, 1), rate(3, 1), rate(1, 0)];
    let explained = |stddev| {
        let configurations =
            vec![recorded("with_skill", RecordedMeasure::PassRate, 0.75, Some(stddev))];
        let mut actual = of(&RecordedBenchmark { configurations, ..Default::default() }, &runs);
        assert!(
            actual
                .iter()
                .all(|found| found.figure == RecordedFigure::Spread(RecordedMeasure::PassRate)),
            "{actual:?}"
        );
        actual.pop().map(|discrepancy| discrepancy.reasons)
    };
    assert_eq!(explained(0.25), None);
    assert_eq!(explained(0.2041), Some(vec![Cause::Population]));
    assert_eq!(explained(0.4), Some(Vec::new()));
}

#[test]
fn minimum_and_maximum_are_compared_with_the_runs_too() {
    let runs = [time(Some(40.0), None), time(None, None), time(Some(60.0), None)];
    let explained = |min, max| {
        let time_s = RecordedSpread { min: Some(min), max: Some(max), ..RecordedSpread::default() };
        let name = "with_skill".to_owned();
        let configurations = vec![RecordedConfiguration { name, time_s, ..Default::default() }];
        let actual = of(&RecordedBenchmark { configurations, ..Default::default() }, &runs);
        actual
            .into_iter()
            .map(|found| (found.figure, found.ours, found.reasons))
            .collect::<Vec<_>>()
    };
    assert_eq!(explained(40.0, 60.0), []);
    let zeros = vec![Cause::ZerosForMissing { runs: 1, of: 3 }];
    assert_eq!(
        explained(0.0, 60.0),
        [(RecordedFigure::Least(RecordedMeasure::Time), Some(40.0), zeros)]
    );
    assert_eq!(
        explained(40.0, 75.0),
        [(RecordedFigure::Most(RecordedMeasure::Time), Some(60.0), Vec::new())]
    );
}

/// Why the minimum, the spread and the maximum of `measure` are not those of `runs`, given `mean`.
fn reasons_with_mean(
    measure: RecordedMeasure,
    stated: RecordedSpread,
    runs: &[RunFigures],
    list: &[RunFigures],
) -> Vec<(RecordedFigure, Vec<Cause>)> {
    let mut made = recorded("with_skill", measure, 0.0, None);
    match measure {
        RecordedMeasure::Tokens => made.tokens = stated,
        _ => made.pass_rate = stated,
    }
    let benchmark = RecordedBenchmark {
        configurations: vec![made],
        listed: listed("with_skill", list),
        ..RecordedBenchmark::default()
    };
    of(&benchmark, runs).into_iter().map(|found| (found.figure, found.reasons)).collect()
}

#[test]
fn the_minimum_has_the_reason_of_the_mean() {
    // The mean of the rates of a case happens to be the recorded minimum.
    let runs = [rate(0, 2), rate(2, 4), rate(2, 0)];
    let list = [rate(2, 4), rate(2, 4), rate(2, 0)];
    let stated = |mean: f64| RecordedSpread {
        mean: Some(mean),
        min: Some(1.0 / 3.0),
        ..RecordedSpread::default()
    };
    let why = vec![Cause::OtherFigures];
    let both = vec![
        (RecordedFigure::Mean(RecordedMeasure::PassRate), why.clone()),
        (RecordedFigure::Least(RecordedMeasure::PassRate), why),
    ];
    assert_eq!(reasons_with_mean(RecordedMeasure::PassRate, stated(5.0 / 9.0), &runs, &list), both);
    let pooled = [rate(0, 1), rate(1, 1), rate(1, 1)];
    let actual = reasons_with_mean(
        RecordedMeasure::PassRate,
        RecordedSpread { mean: None, min: Some(0.4), ..stated(0.0) },
        &pooled,
        &[],
    );
    assert_eq!(
        actual,
        [(RecordedFigure::Least(RecordedMeasure::PassRate), Vec::new())],
        "pooled rates have no least"
    );
}

#[test]
fn the_fewest_characters_are_those_of_as_many_runs_as_the_mean() {
    let runs =
        [cost(Some(9000.0), Some(800.0)), cost(Some(7000.0), Some(900.0)), cost(None, Some(700.0))];
    let stated = RecordedSpread {
        mean: Some(16_700.0 / 3.0),
        min: Some(700.0),
        ..RecordedSpread::default()
    };
    let why = vec![Cause::Characters { runs: 1, of: 3 }];
    let both = [
        (RecordedFigure::Mean(RecordedMeasure::Tokens), why.clone()),
        (RecordedFigure::Least(RecordedMeasure::Tokens), why),
    ];
    assert_eq!(reasons_with_mean(RecordedMeasure::Tokens, stated, &runs, &[]), both);
}

#[test]
fn means_of_cases_count_only_if_they_yield_the_mean() {
    let mut iteration = iteration(&[("with_skill", &[rate(0, 1), rate(1, 0)])]);
    let more = run("with_skill", rate(1, 0));
    iteration.cases[0].runs.push(Run { number: 2, ..more });
    let explained = |mean: Option<f64>| {
        let pass_rate = RecordedSpread { mean, min: Some(0.5), ..RecordedSpread::default() };
        let of = RecordedConfiguration {
            pass_rate,
            ..recorded("with_skill", RecordedMeasure::Time, 0.0, None)
        };
        let of = RecordedConfiguration { time_s: RecordedSpread::default(), ..of };
        let benchmark = RecordedBenchmark { configurations: vec![of], ..Default::default() };
        discrepancies(&iteration, None, &benchmark)
            .pop()
            .map(|discrepancy| (discrepancy.figure, discrepancy.reasons))
    };
    assert_eq!(
        explained(Some(0.75)),
        Some((RecordedFigure::Least(RecordedMeasure::PassRate), vec![Cause::ByCase]))
    );
    assert_eq!(
        explained(Some(2.0 / 3.0)),
        Some((RecordedFigure::Least(RecordedMeasure::PassRate), Vec::new()))
    );
    assert_eq!(
        explained(None),
        Some((RecordedFigure::Least(RecordedMeasure::PassRate), Vec::new()))
    );
}

/// Why the recorded difference of rates is `stated`; candidate 0.75, baseline 0.5 by the runs.
fn difference(stated: f64, means: [f64; 2]) -> Option<Vec<Cause>> {
    let sides = iteration(&[("with_skill", &[rate(3, 1)]), ("old_skill", &[rate(1, 1)])]);
    let of = |name, mean| recorded(name, RecordedMeasure::PassRate, mean, None);
    let benchmark = RecordedBenchmark {
        configurations: vec![
            of("old_skill", means[1]),
            of("with_skill", means[0]),
            of("third", 0.15),
        ],
        delta_pass_rate: Some(stated),
        ..RecordedBenchmark::default()
    };
    let actual = discrepancies(&sides, Some(["with_skill", "old_skill"]), &benchmark);
    let actual = actual
        .into_iter()
        .find(|found| found.figure == RecordedFigure::Delta(RecordedMeasure::PassRate));
    actual.map(|found| found.reasons)
}

#[test]
fn differences_may_be_the_wrong_way_round() {
    assert_eq!(difference(0.25, [0.75, 0.5]), None);
    assert_eq!(difference(-0.25, [0.75, 0.5]), Some(vec![Cause::Inverted]));
    assert_eq!(difference(0.41, [0.91, 0.5]), Some(vec![Cause::OfRecordedMeans]));
    let both = vec![Cause::Inverted, Cause::OfRecordedMeans];
    assert_eq!(difference(-0.41, [0.91, 0.5]), Some(both));
    assert_eq!(difference(0.0, [0.75, 0.5]), Some(vec![Cause::NotOfItsMeans]));
    let other = Cause::OtherPair { first: "with_skill".into(), second: "third".into() };
    assert_eq!(difference(0.6, [0.75, 0.55]), Some(vec![other]));
    let other = Cause::OtherPair { first: "with_skill".into(), second: "third".into() };
    assert_eq!(difference(0.6, [0.75, 0.5]), Some(vec![other]), "though the means agree with ours");
    assert_eq!(difference(0.5, [0.8, 0.4]), Some(vec![Cause::Relative]));
    assert_eq!(difference(0.17, [0.8, 0.4]), Some(Vec::new()));
}

#[test]
fn a_difference_of_rounded_means_that_agree_is_not_reported() {
    // Unrounded, 0.4849 − 0.2251 is 0.2598; from means with two decimals it is 0.25.
    let [with, old] = [[rate(4849, 5151)], [rate(2251, 7749)]];
    let sides = iteration(&[("with_skill", &with), ("old_skill", &old)]);
    let explained = |means: [f64; 2], stated| {
        let of = |name, mean| recorded(name, RecordedMeasure::PassRate, mean, None);
        let benchmark = RecordedBenchmark {
            configurations: vec![of("with_skill", means[0]), of("old_skill", means[1])],
            delta_pass_rate: Some(stated),
            ..RecordedBenchmark::default()
        };
        let actual = discrepancies(&sides, Some(["with_skill", "old_skill"]), &benchmark);
        actual
            .into_iter()
            .any(|found| found.figure == RecordedFigure::Delta(RecordedMeasure::PassRate))
    };
    assert!(!explained([0.48, 0.23], 0.25));
    assert!(explained([0.48, 0.23], 0.24), "not the difference of the means");
    assert!(explained([0.49, 0.24], 0.25), "means that are not ours");
}

#[test]
fn counts_have_their_reasons() {
    let runs = [rate(2, 1), rate(3, 0)];
    let all = |made: RecordedBenchmark| -> Vec<(RecordedFigure, Vec<Cause>)> {
        of(&made, &runs).into_iter().map(|found| (found.figure, found.reasons)).collect()
    };
    let empty = RecordedBenchmark { runs: Some(0), ..RecordedBenchmark::default() };
    assert_eq!(all(empty), [(RecordedFigure::RunsListed, vec![Cause::EmptyList])]);
    let three = listed("with_skill", &[runs[0], runs[1], rate(1, 0)]);
    let more = RecordedBenchmark { runs: Some(3), listed: three, ..RecordedBenchmark::default() };
    assert_eq!(all(more), [(RecordedFigure::RunsListed, vec![Cause::Gone { runs: 1 }])]);
    let one = listed("with_skill", &runs[..1]);
    let fewer = RecordedBenchmark { runs: Some(1), listed: one, ..RecordedBenchmark::default() };
    assert_eq!(all(fewer), [(RecordedFigure::RunsListed, vec![Cause::Unlisted { runs: 1 }])]);
    let each = |stated| {
        let runs_per_configuration = Some(stated);
        all(RecordedBenchmark { runs_per_configuration, ..RecordedBenchmark::default() })
    };
    assert_eq!(each(1.0), []);
    assert_eq!(each(3.0), [(RecordedFigure::RunsEach, vec![Cause::Constant])]);
    assert_eq!(each(2.0), [(RecordedFigure::RunsEach, vec![Cause::RunsInAll])]);
    assert_eq!(each(5.0), [(RecordedFigure::RunsEach, Vec::new())]);
    let counted = |passed, total| {
        let of = recorded("with_skill", RecordedMeasure::PassRate, 5.0 / 6.0, None);
        let of = RecordedConfiguration { passed: Some(passed), total: Some(total), ..of };
        all(RecordedBenchmark { configurations: vec![of], ..RecordedBenchmark::default() })
    };
    assert_eq!(counted(5.0, 6.0), []);
    let whole = |figure| (figure, vec![Cause::WholeRuns]);
    assert_eq!(counted(1.0, 2.0), [whole(RecordedFigure::Passed), whole(RecordedFigure::Total)]);
    assert_eq!(counted(5.0, 7.0), [(RecordedFigure::Total, Vec::new())]);
}
