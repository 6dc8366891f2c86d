//! Sentences on recorded figures that differ from ours, with the reasons.

use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
use crate::language::{Language, say};
use crate::text::{fixed, signed};

pub(crate) fn sentence(discrepancy: &Discrepancy, language: &Language) -> String {
    let mut figure = language.text(name(discrepancy.figure)).to_owned();
    if let Some(configuration) = &discrepancy.configuration {
        figure = say!(language, "recorded.figure_of", figure, name = configuration);
    }
    let mut causes: Vec<String> =
        discrepancy.causes.iter().map(|found| cause(found, language)).collect();
    if causes.is_empty() {
        causes.push(language.text("recorded.why_none").to_owned());
    }
    let why = causes.join(language.text("list.semicolon"));
    let [recorded, ours] = both_numbers(discrepancy, language);
    let key = if discrepancy.is_of_list { "recorded.differs_list" } else { "recorded.differs" };
    say!(language, key, figure, recorded, ours, why)
}

/// The recorded number and ours, with as many decimals as needed to tell them apart.
fn both_numbers(discrepancy: &Discrepancy, language: &Language) -> [String; 2] {
    let Discrepancy { figure, recorded, ours, .. } = *discrepancy;
    let Some(ours) = ours else {
        let nothing = language.text("recorded.nothing").to_owned();
        return [number(figure, recorded, 0, language), nothing];
    };
    let mut decimals = 0;
    loop {
        let both = [recorded, ours].map(|value| number(figure, value, decimals, language));
        // "82 % recorded, 82 % counted" would look like our mistake.
        if both[0] != both[1] || decimals == 4 {
            return both;
        }
        decimals += 1;
    }
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

fn number(figure: RecordedFigure, value: f64, decimals: usize, language: &Language) -> String {
    use RecordedFigure::{Delta, Least, Mean, Most, Spread};
    use RecordedMeasure::{PassRate, Time, Tokens};
    match figure {
        Delta(PassRate) if decimals == 0 => language.points(value),
        Delta(PassRate) => language.counted(&signed(value * 100.0, decimals), false, "point"),
        Delta(Time) => language.signed_seconds(value, decimals.max(1)),
        Delta(Tokens) => signed(value, decimals),
        Mean(PassRate) | Least(PassRate) | Most(PassRate) if decimals == 0 => {
            language.percent(value)
        }
        Mean(PassRate) | Spread(PassRate) | Least(PassRate) | Most(PassRate) => {
            say!(language, "number.percent", n = fixed(value * 100.0, decimals))
        }
        Mean(Time) | Spread(Time) | Least(Time) | Most(Time) => match decimals {
            0 => language.seconds(value),
            _ => language.exact_seconds(value, decimals),
        },
        _ => fixed(value, decimals),
    }
}

fn cause(cause: &Cause, language: &Language) -> String {
    match cause {
        Cause::Characters { runs, of } => {
            let (n, runs) = (runs, language.count(*of, "run"));
            say!(language, "recorded.why_characters", n, runs)
        }
        Cause::SummariesContradict { runs } => {
            say!(language, "recorded.why_summaries", runs = language.count(*runs, "run"))
        }
        Cause::OwnList { listed, found } => {
            let [listed, found] = [listed, found].map(|runs| language.count(*runs, "run"));
            say!(language, "recorded.why_own_list", listed, found)
        }
        Cause::RunsRounded => language.text("recorded.why_runs_rounded").to_owned(),
        Cause::WithGrader => language.text("recorded.why_with_grader").to_owned(),
        Cause::Population => language.text("recorded.why_population").to_owned(),
        Cause::OfRecordedMeans => language.text("recorded.why_of_means").to_owned(),
        Cause::Constant => language.text("recorded.why_constant").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use super::{name, sentence};
    use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
    use crate::language::Language;

    #[test]
    fn both_numbers_differ_as_they_are_written() {
        let found = |figure, recorded, ours, causes| Discrepancy {
            figure,
            configuration: Some("with_skill".to_owned()),
            recorded,
            ours: Some(ours),
            is_of_list: false,
            causes,
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
        let characters = vec![Cause::Characters { runs: 2, of: 3 }, Cause::Population];
        let tokens =
            found(RecordedFigure::Mean(RecordedMeasure::Tokens), 2800.0, 12_000.0, characters);
        let runs = english.count(3, "run");
        let characters = english.fill("recorded.why_characters", &[("n", &2), ("runs", &runs)]);
        let why = [&characters, english.text("recorded.why_population")];
        expect(&tokens, ["2800", "12\u{202f}000"], &why.join(english.text("list.semicolon")));
        let of_means = vec![Cause::OfRecordedMeans];
        let delta = found(RecordedFigure::Delta(RecordedMeasure::Time), -6.7, 10.0, of_means);
        let of_means = english.text("recorded.why_of_means");
        expect(&delta, ["\u{2212}6.7 s", "+10.0 s"], of_means);
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
