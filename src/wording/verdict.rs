//! What a verdict rests on: the gain as text, how often chance does the same, what was left out,
//! and what would decide.

use crate::analyze::{Change, Gain, LOWEST_SCORE, Measure, SCORES};
use crate::budget::{FEW_NAMES, SOME_NAMES};
use crate::digest::{self, ComparedCase, MoreNeeded, NextStep};
use crate::language::{DASH, Language, Rate, say};
use crate::model::Tally;
use crate::statistics::mean;
use crate::text;
use crate::wording::{Facts, sides};

/// Two figures and their difference as text, with one more decimal if they do not add up: `95 %` and
/// `97 %` do not go with `−3`.
pub(crate) struct Difference {
    pub(crate) before: String,
    pub(crate) after: String,
    /// With its sign and without its unit.
    pub(crate) gain: String,
}

/// The pass rates of the compared cases and the gain; `None` without any.
pub(crate) fn rates(gain: &Gain, language: &Language) -> Option<Difference> {
    Some(difference(Measure::PassRate, gain.comparison.as_ref()?.means, language))
}

/// The pass rates of both sides, the candidate first: those that the gain is the difference of, else the
/// sides' own.
pub(crate) fn compared_rates(facts: Facts<'_>, change: &Change) -> [String; 2] {
    let Facts { analysis, language, .. } = facts;
    if let Some(difference) = rates(&change.gain, language) {
        return [difference.after, difference.before];
    }
    [&change.after, &change.before].map(|side| {
        let mean = analysis.summary(side).and_then(|summary| summary.by_case);
        mean.map_or(DASH.to_owned(), |mean| language.percent(mean))
    })
}

/// The compared figures of both sides, in the unit of the measure, and the gain; `None` without any.
pub(crate) fn compared(gain: &Gain, language: &Language) -> Option<Difference> {
    match gain.scores() {
        Some(scores) => {
            let shares = scores.map(|score| (score - LOWEST_SCORE) / SCORES);
            Some(difference(Measure::Score, shares, language))
        }
        None => rates(gain, language),
    }
}

/// The figures of a case that is compared.
pub(crate) fn of_case(
    case: &ComparedCase<'_>,
    measure: Measure,
    language: &Language,
) -> Difference {
    let means = [&case.other, &case.candidate].map(|runs| mean(runs).unwrap_or(0.0));
    difference(measure, means, language)
}

/// The earlier and the later figure, in shares of 1, with their difference.
pub(crate) fn difference(
    measure: Measure,
    [before, after]: [f64; 2],
    language: &Language,
) -> Difference {
    let gain = after - before;
    let (offset, factor) = match measure {
        Measure::PassRate => (0.0, 100.0),
        Measure::Score => (LOWEST_SCORE, SCORES),
    };
    let shown = [offset + before * factor, offset + after * factor, gain * factor];
    let fewest = usize::from(measure == Measure::Score);
    let (mut decimals, mut gain) = (fewest, number(measure, gain));
    if !adds_up(shown, fewest) {
        decimals = fewest + 1;
        // Thirds never add up, as 91.67 − 33.33 is 58.33: then the difference is that of what is read.
        gain = text::signed(rounded(shown[1], decimals) - rounded(shown[0], decimals), decimals);
    }
    let [before, after] =
        [(before, shown[0]), (after, shown[1])].map(|(share, shown)| match measure {
            Measure::PassRate if decimals == 0 => language.percent(share),
            Measure::PassRate => say!(language, "number.percent", n = text::fixed(shown, decimals)),
            Measure::Score => text::fixed(shown, decimals),
        });
    Difference { before, after, gain }
}

/// Whether the difference is right as it is read, with this many decimals.
fn adds_up(shown: [f64; 3], decimals: usize) -> bool {
    let [before, after, gain] = shown.map(|value| rounded(value, decimals));
    (after - before - gain).abs() < 1e-6
}

fn rounded(value: f64, decimals: usize) -> f64 {
    let unit = libm::exp10(-(decimals as f64));
    (value / unit).round() * unit
}

/// The gain in the unit of its measure, with the decimals that it takes beside both figures; `None`
/// without a shared case.
pub(crate) fn gain_size(gain: &Gain, language: &Language) -> Option<String> {
    Some(with_unit(gain.measure(), &compared(gain, language)?.gain, language))
}

/// A difference that is already text, in the unit of its measure.
pub(crate) fn with_unit(measure: Measure, number: &str, language: &Language) -> String {
    match measure {
        Measure::PassRate => language.counted(number, is_one(number), "point"),
        Measure::Score => say!(language, "verdict.score", n = number),
    }
}

/// Whether a number as text takes the singular.
pub(crate) fn is_one(number: &str) -> bool {
    matches!(number, "1" | "+1" | "\u{2212}1")
}

/// A gain, given in shares of 1, in the unit of its measure: `+24 points` or `+0.4 of 5`.
pub(crate) fn size(measure: Measure, gain: f64, language: &Language) -> String {
    match measure {
        Measure::PassRate => language.points(gain),
        Measure::Score => say!(language, "verdict.score", n = number(measure, gain)),
    }
}

/// The gain without its unit.
pub(crate) fn number(measure: Measure, gain: f64) -> String {
    match measure {
        Measure::PassRate => text::signed_points(gain).0,
        Measure::Score => text::signed_score(gain * SCORES),
    }
}

/// How often chance alone does the same; `None` if no case can tell.
pub(crate) fn chance(gain: &Gain, language: &Language) -> Option<String> {
    // A single case moves one way in any case, so chance always "does the same".
    let paired = gain.paired().filter(|paired| paired.cases > 1)?;
    let mut sentences = vec![say!(
        language,
        "verdict.chance",
        better = paired.better,
        worse = paired.worse,
        same = language.count(paired.same, "case"),
        n = in_hundred(paired.p, language),
    )];
    // The best of several candidates, such as five rewrites in one round, is a biased pick.
    if let Some(comparison) = &gain.comparison
        && comparison.at_once > 1
    {
        let n = in_hundred(comparison.adjusted_p.sign_flip, language);
        sentences.push(say!(language, "verdict.adjusted", candidates = comparison.at_once, n));
    }
    Some(language.sentences(sentences))
}

/// In how many of 100 comparisons; with one decimal below 10, where it matters for the verdict.
pub(crate) fn in_hundred(p: f64, language: &Language) -> String {
    match p * 100.0 {
        low if low < 0.95 => language.text("verdict.under_one").to_owned(),
        low if low < 9.95 => text::fixed(low, 1),
        number => text::fixed(number, 0),
    }
}

/// Limits of the verdict: rivals, runs and checks without a verdict, cases with one run.
pub(crate) fn limits(change: &Change, language: &Language) -> Vec<String> {
    let gain = &change.gain;
    let mut sentences = Vec::new();
    // Without this a reader who computes the test anew finds another verdict than ours.
    if gain.would_settle_alone() && !gain.verdict().is_settled() {
        sentences.push(say!(language, "verdict.rivals", n = gain.at_once()));
    }
    for (key, [before, after]) in
        [("verdict.ungraded", gain.ungraded), ("verdict.unjudged", gain.unjudged)]
    {
        if before + after > 0 {
            let values = [before.to_string(), after.to_string()];
            sentences.push(sides::on_both(key, values, change.sides(), language));
        }
    }
    if gain.single > 0 {
        let total = gain.shared.len();
        let key = if gain.single == total { "verdict.single" } else { "verdict.some_single" };
        let cases = language.count(total, "case");
        sentences.push(say!(language, key, n = gain.single, cases));
    }
    sentences
}

/// Cases that are not compared, by reason.
pub(crate) fn omitted(facts: Facts<'_>, change: &Change) -> Vec<String> {
    let language = facts.language;
    let gain = &change.gain;
    let [only_after, only_before] = ["verdict.only_after", "verdict.only_before"]
        .map(|key| sides::key_about(key, change.sides()));
    let mut sentences = Vec::new();
    for (key, cases) in [
        (&*only_after, &gain.only_after),
        (&*only_before, &gain.only_before),
        ("verdict.unlike", &gain.unlike),
        ("verdict.negative", &gain.negative),
    ] {
        if cases.is_empty() {
            continue;
        }
        let names = cases.iter().map(|case| facts.analysis.cases[*case].name.clone()).collect();
        sentences.push(say!(
            language,
            key,
            cases = language.count(cases.len(), "case"),
            names = language.first_few(names, SOME_NAMES, "list.comma"),
            before = change.before.configuration,
            after = change.after.configuration,
        ));
    }
    sentences
}

/// Both sides, named candidate first, as means of the compared cases; `None` without any.
pub(crate) fn means(
    gain: &Gain,
    [candidate, baseline]: [&str; 2],
    language: &Language,
) -> Option<String> {
    let Difference { before, after, .. } = rates(gain, language)?;
    Some(say!(language, "overview.by_case", mean = after, candidate, other = before, baseline))
}

/// The compared checks of both sides, named candidate first; `None` if they are all.
pub(crate) fn in_common(facts: Facts<'_>, change: &Change, names: [&str; 2]) -> Option<String> {
    let compared = digest::compared_in_part(change, facts.analysis)?;
    Some(counts_of_sides("verdict.in_common", compared, names, facts.language))
}

/// All checks of both sides, named candidate first; `None` if all are compared.
pub(crate) fn all_checks(facts: Facts<'_>, change: &Change, names: [&str; 2]) -> Option<String> {
    digest::compared_in_part(change, facts.analysis)?;
    let all = change.sides().map(|side| facts.analysis.tally_of(side));
    Some(counts_of_sides("verdict.all_checks", all, names, facts.language))
}

fn counts_of_sides(
    key: &str,
    tallies: [Tally; 2],
    [candidate, baseline]: [&str; 2],
    language: &Language,
) -> String {
    let [before, after] = tallies.map(Rate::counts_of);
    say!(language, key, baseline, before, candidate, after)
}

/// The cases that are prepared and not run, else the cheapest way to decide; `None` if all ran and it is
/// settled or about the same.
pub(crate) fn next_step(facts: Facts<'_>, change: &Change) -> Option<String> {
    let language = facts.language;
    let prepared = digest::prepared_cases(facts.workspace, change.after.iteration);
    if !prepared.is_empty() {
        let names = language.first_few(owned(&prepared), SOME_NAMES, "list.comma");
        return Some(say!(language, "verdict.run_prepared", names));
    }
    let (more, runs, tokens, seconds) = match digest::next_step(change)? {
        // A number of runs that nobody would make is no advice.
        NextStep::OtherCases => return Some(language.text("verdict.more_will_not_do").to_owned()),
        NextStep::More { more, runs, tokens, seconds } => (more, runs, tokens, seconds),
    };
    let mut costs = String::new();
    if let Some(number) = tokens {
        let tokens = text::tokens(two_digits(number));
        costs += &say!(language, "verdict.more_tokens", tokens);
    }
    if let Some(number) = seconds {
        let time = language.seconds(two_digits(number));
        costs += &say!(language, "verdict.more_time", time);
    }
    let (key, more) = match more {
        MoreNeeded::Runs(number) => ("verdict.more_runs", language.count(number, "more_run")),
        MoreNeeded::Cases(number) => ("verdict.more_cases", language.count(number, "more_case")),
    };
    Some(say!(language, key, more, runs = language.count(runs, "run"), costs))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// That cases are prepared and have no run; `None` if all have one.
pub(crate) fn not_run(facts: Facts<'_>, iteration: usize) -> Option<String> {
    let prepared = digest::prepared_cases(facts.workspace, iteration);
    if prepared.is_empty() {
        return None;
    }
    let names = facts.language.first_few(owned(&prepared), FEW_NAMES, "list.comma");
    Some(say!(facts.language, "overview.not_run", names))
}

/// Rounds to two significant digits: few cases cannot tell more.
pub(crate) fn two_digits(number: f64) -> f64 {
    let unit = libm::exp10((libm::log10(number.max(1.0)).floor() - 1.0).max(0.0));
    (number / unit).round() * unit
}
