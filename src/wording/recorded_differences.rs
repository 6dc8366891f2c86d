//! Sentences on recorded figures that differ from ours, with the reasons.

use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
use crate::language::Language;
use crate::text::{fixed, signed};

pub(crate) fn sentence(discrepancy: &Discrepancy, words: &Language) -> String {
    let name = words.text(name(discrepancy.figure));
    let figure = match &discrepancy.configuration {
        Some(of) => words.fill("recorded.figure_of", &[("figure", &name), ("name", of)]),
        None => name.to_owned(),
    };
    let why: Vec<String> = discrepancy.reasons.iter().map(|reason| cause(reason, words)).collect();
    let why = match why.is_empty() {
        true => words.text("recorded.why_none"),
        false => &why.join(words.text("list.semicolon")),
    };
    let number = |value: f64, decimals: usize| number(discrepancy.figure, value, decimals, words);
    let [recorded, ours] = match discrepancy.ours {
        Some(ours) => {
            // As many decimals as needed to tell both numbers apart.
            let both =
                |decimals: usize| [discrepancy.recorded, ours].map(|value| number(value, decimals));
            let apart = (0..4).map(both).find(|[recorded, ours]| recorded != ours);
            apart.unwrap_or_else(|| both(4))
        }
        None => [number(discrepancy.recorded, 0), words.text("recorded.nothing").to_owned()],
    };
    let key = if discrepancy.is_of_list { "recorded.differs_list" } else { "recorded.differs" };
    words.fill(key, &[("figure", &figure), ("recorded", &recorded), ("ours", &ours), ("why", &why)])
}

fn name(figure: RecordedFigure) -> &'static str {
    use RecordedFigure::{Delta, Least, Mean, Most, Passed, RunsEach, RunsListed, Spread, Total};
    use RecordedMeasure::{PassRate, Time, Tokens};
    match figure {
        Mean(PassRate) => "recorded.figure_rate",
        Spread(PassRate) => "recorded.figure_rate_spread",
        Least(PassRate) => "recorded.figure_rate_least",
        Most(PassRate) => "recorded.figure_rate_most",
        Delta(PassRate) => "recorded.figure_rate_delta",
        Mean(Time) => "recorded.figure_time",
        Spread(Time) => "recorded.figure_time_spread",
        Least(Time) => "recorded.figure_time_least",
        Most(Time) => "recorded.figure_time_most",
        Delta(Time) => "recorded.figure_time_delta",
        Mean(Tokens) => "recorded.figure_tokens",
        Spread(Tokens) => "recorded.figure_tokens_spread",
        Least(Tokens) => "recorded.figure_tokens_least",
        Most(Tokens) => "recorded.figure_tokens_most",
        Delta(Tokens) => "recorded.figure_tokens_delta",
        Passed => "recorded.figure_passed",
        Total => "recorded.figure_total",
        RunsEach => "recorded.figure_runs_each",
        RunsListed => "recorded.figure_runs_listed",
    }
}

fn number(figure: RecordedFigure, value: f64, decimals: usize, words: &Language) -> String {
    use RecordedFigure::{Delta, Least, Mean, Most, Spread};
    use RecordedMeasure::{PassRate, Time, Tokens};
    match figure {
        Delta(PassRate) if decimals == 0 => words.points(value),
        Delta(PassRate) => words.counted(&signed(value * 100.0, decimals), false, "point"),
        Delta(Time) => words.signed_seconds(value, decimals.max(1)),
        Delta(Tokens) => signed(value, decimals),
        Mean(PassRate) | Least(PassRate) | Most(PassRate) if decimals == 0 => words.percent(value),
        Mean(PassRate) | Spread(PassRate) | Least(PassRate) | Most(PassRate) => {
            words.fill("number.percent", &[("n", &fixed(value * 100.0, decimals))])
        }
        Mean(Time) | Spread(Time) | Least(Time) | Most(Time) => match decimals {
            0 => words.seconds(value),
            _ => words.exact_seconds(value, decimals),
        },
        _ => fixed(value, decimals),
    }
}

fn cause(cause: &Cause, words: &Language) -> String {
    let fill = |key: &str, n: usize, runs: usize| {
        words.fill(key, &[("n", &n), ("runs", &words.count(runs, "run"))])
    };
    let key = match cause {
        Cause::Characters { runs, of } => return fill("recorded.why_characters", *runs, *of),
        Cause::ZerosForMissing { runs, of } => return fill("recorded.why_zeros", *runs, *of),
        Cause::SummariesContradict { runs } => return fill("recorded.why_summaries", 0, *runs),
        Cause::UngradedRuns { runs } => return fill("recorded.why_ungraded_runs", 0, *runs),
        Cause::ListContradicts { runs } => return fill("recorded.why_list_contradicts", 0, *runs),
        Cause::Unlisted { runs } => return fill("recorded.why_unlisted", 0, *runs),
        Cause::Gone { runs } => return fill("recorded.why_gone", 0, *runs),
        Cause::OtherRuns { listed, found } => {
            let [listed, found] = [listed, found].map(|runs| words.count(*runs, "run"));
            return words
                .fill("recorded.why_other_runs", &[("listed", &listed), ("found", &found)]);
        }
        Cause::OtherPair { first, second } => {
            return words.fill("recorded.why_other_pair", &[("first", first), ("second", second)]);
        }
        Cause::Rounded => "recorded.why_rounded",
        Cause::RunsRounded => "recorded.why_runs_rounded",
        Cause::UngradedAsFailed => "recorded.why_ungraded_failed",
        Cause::Pooled => "recorded.why_pooled",
        Cause::ByCase => "recorded.why_by_case",
        Cause::WholeRuns => "recorded.why_whole_runs",
        Cause::Total => "recorded.why_total",
        Cause::WithGrader => "recorded.why_with_grader",
        Cause::ExecutorOnly => "recorded.why_executor_only",
        Cause::OtherFigures => "recorded.why_other_figures",
        Cause::NotOfItsList => "recorded.why_not_of_list",
        Cause::Population => "recorded.why_population",
        Cause::Inverted => "recorded.why_inverted",
        Cause::OfRecordedMeans => "recorded.why_of_means",
        Cause::NotOfItsMeans => "recorded.why_not_of_means",
        Cause::Relative => "recorded.why_relative",
        Cause::Constant => "recorded.why_constant",
        Cause::EmptyList => "recorded.why_empty_list",
        Cause::RunsInAll => "recorded.why_runs_in_all",
    };
    words.text(key).to_owned()
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use super::{name, sentence};
    use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
    use crate::language::Language;

    #[test]
    fn both_numbers_differ_as_they_are_written() {
        let found = |figure, recorded, ours, reasons| Discrepancy {
            figure,
            configuration: Some("with_skill".to_owned()),
            recorded,
            ours: Some(ours),
            is_of_list: false,
            reasons,
        };
        let english = Language::default();
        let sentence_of = |discrepancy: &Discrepancy| sentence(discrepancy, &english);
        let expect = |found: &Discrepancy, [recorded, ours]: [&str; 2], why: &str| {
            let figure = english.text(name(found.figure));
            let of = [("figure", &figure as &dyn Display), ("name", &"with_skill")];
            let figure = english.fill("recorded.figure_of", &of);
            let places: [(&str, &dyn Display); 4] =
                [("figure", &figure), ("recorded", &recorded), ("ours", &ours), ("why", &why)];
            assert_eq!(sentence_of(found), english.fill("recorded.differs", &places));
        };
        let rounded = found(
            RecordedFigure::Mean(RecordedMeasure::PassRate),
            0.8567,
            0.8583,
            vec![Cause::RunsRounded],
        );
        expect(&rounded, ["85.7 %", "85.8 %"], english.text("recorded.why_runs_rounded"));
        let characters =
            vec![Cause::Characters { runs: 2, of: 3 }, Cause::ZerosForMissing { runs: 1, of: 3 }];
        let tokens =
            found(RecordedFigure::Mean(RecordedMeasure::Tokens), 2800.0, 12_000.0, characters);
        let runs = english.count(3, "run");
        let why = [("characters", 2), ("zeros", 1)].map(|(why, n)| {
            english.fill(&format!("recorded.why_{why}"), &[("n", &n), ("runs", &runs)])
        });
        expect(&tokens, ["2800", "12\u{202f}000"], &why.join(english.text("list.semicolon")));
        let delta =
            found(RecordedFigure::Delta(RecordedMeasure::Time), -6.7, 10.0, vec![Cause::Inverted]);
        let inverted = english.text("recorded.why_inverted");
        expect(&delta, ["\u{2212}6.7 s", "+10.0 s"], inverted);
        let characters = vec![Cause::Characters { runs: 3, of: 3 }];
        let nothing = Discrepancy {
            ours: None,
            ..found(RecordedFigure::Mean(RecordedMeasure::Tokens), 2800.0, 0.0, characters)
        };
        let why = [("n", &3 as &dyn Display), ("runs", &runs)];
        let why = english.fill("recorded.why_characters", &why);
        expect(&nothing, ["2800", english.text("recorded.nothing")], &why);
        let unknown = sentence_of(&found(
            RecordedFigure::Mean(RecordedMeasure::Time),
            10.0,
            90.0,
            Vec::new(),
        ));
        assert!(unknown.ends_with(english.text("recorded.why_none")), "{unknown}");
    }
}
