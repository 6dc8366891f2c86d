//! Sentences on recorded figures that differ from ours, with the reasons.

use crate::analyze::{Cause, Discrepancy, RecordedFigure, RecordedMeasure};
use crate::language::{Language, say};
use text::{fixed, signed};

pub(crate) fn sentence(discrepancy: &Discrepancy, language: &Language) -> String {
    let mut figure = language.text(name(discrepancy.figure)).to_owned();
    if let Some(configuration) = &discrepancy.configuration {
        figure = say!(language, "recorded.figure_of", figure, name = configuration);
    }
    let why = match &discrepancy.cause {
        Some(found) => cause(found, language),
        None => language.text("recorded.why_none").to_owned(),
    };
    let [recorded, ours] = both_numbers(discrepancy, language);
    let key = if discrepancy.is_of_list { "recorded.differs_list" } else { "recorded.differs" };
    say!(language, key, figure, recorded, ours, why)
}

/// The recorded number and ours, with as many decimals as needed to tell them apart.
fn both_numbers(discrepancy: &Discrepancy, language: &Language) -> [String; 2] {
    let Discrepancy { figure, recorded, ours, .. } = *discrepancy;
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
    use RecordedFigure::{Delta, Mean, RunsListed};
    use RecordedMeasure::{PassRate, Time, Tokens};
    match figure {
        Mean(PassRate) => "recorded.figure_rate",
        Delta(PassRate) => "recorded.figure_rate_delta",
        Mean(Time) => "recorded.figure_time",
        Delta(Time) => "recorded.figure_time_delta",
        Mean(Tokens) => "recorded.figure_tokens",
        Delta(Tokens) => "recorded.figure_tokens_delta",
        RunsListed => "recorded.figure_runs_listed",
    }
}

fn number(figure: RecordedFigure, value: f64, decimals: usize, language: &Language) -> String {
    use RecordedFigure::{Delta, Mean};
    use RecordedMeasure::{PassRate, Time, Tokens};
    match figure {
        Delta(PassRate) if decimals == 0 => language.points(value),
        Delta(PassRate) => language.counted(&signed(value * 100.0, decimals), false, "point"),
        Delta(Time) => language.signed_seconds(value, decimals.max(1)),
        Delta(Tokens) => signed(value, decimals),
        Mean(PassRate) if decimals == 0 => language.percent(value),
        Mean(PassRate) => say!(language, "number.percent", n = fixed(value * 100.0, decimals)),
        Mean(Time) if decimals == 0 => language.seconds(value),
        Mean(Time) => language.exact_seconds(value, decimals),
        _ => fixed(value, decimals),
    }
}

fn cause(cause: &Cause, language: &Language) -> String {
    match cause {
        Cause::SignTurned { first, second } => {
            say!(language, "recorded.why_sign", first, second)
        }
        Cause::UngradedAsZero => language.text("recorded.why_ungraded").to_owned(),
        Cause::OtherCases { listed, found } => {
            let [listed, found] = [listed, found].map(|runs| language.count(*runs, "run"));
            say!(language, "recorded.why_other_cases", listed, found)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;
    use crate::analyze::{
        Cause, Discrepancy,
        RecordedFigure::{Delta, Mean},
        RecordedMeasure::{PassRate, Time, Tokens},
    };
    use crate::language::Language;

    #[test]
    fn both_numbers_differ_as_they_are_written() {
        let english = Language::default();
        let unknown = english.text("recorded.why_none");
        let [first, second] = ["old_skill", "with_skill"].map(str::to_owned);
        let turned = Cause::SignTurned { first, second };
        let table = [
            (Mean(PassRate), 0.8567, 0.8583, Some(Cause::UngradedAsZero), ["85.7 %", "85.8 %"]),
            (Mean(Tokens), 2800.0, 12_000.0, None, ["2800", "12\u{202f}000"]),
            (Delta(Time), -6.7, 10.0, Some(turned), ["\u{2212}6.7 s", "old_skill"]),
            (Mean(Time), 10.0, 90.0, None, ["10.0 s", unknown]),
        ];
        for (figure, recorded, ours, cause, parts) in table {
            let configuration = Some("with_skill".to_owned());
            let found =
                Discrepancy { figure, configuration, recorded, ours, is_of_list: false, cause };
            let sentence = sentence(&found, &english);
            for part in parts.into_iter().chain(["with_skill"]) {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
        }
    }
}
