//! What a verdict rests on: the gain as text, what was left out, and what would decide.

use crate::analyze::{Change, Gain, LOWEST_SCORE, Measure, More, SCORES};
use crate::budget::SOME_NAMES;
use crate::digest::{self, ComparedCase, NextStep};
use crate::language::{Language, Rate, say};
use crate::wording::{Facts, sides};
use input::model::Tally;
use statistics::mean;

/// Two figures and their difference as text. Each is rounded once, from its true value, so they need not
/// add up.
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

/// The pass rates of both sides with the counts of checks, the candidate first: those of the compared
/// cases, else the sides' own.
pub(crate) fn compared_rates(facts: Facts<'_>, change: &Change) -> [Rate; 2] {
    let Facts { analysis, language, .. } = facts;
    if let Some(comparison) = &change.gain.comparison {
        let ([before, after], gain) = (comparison.means, &change.gain);
        return [(after, gain.after, gain.missing[1]), (before, gain.before, gain.missing[0])].map(
            |(mean, tally, missing)| {
                Rate::over_cases(Some(mean), tally, language)
                    .without_verdicts(missing.missing, language)
            },
        );
    }
    [&change.after, &change.before].map(|side| {
        let mean = analysis.summary(side).and_then(|summary| summary.by_case);
        Rate::over_cases(mean, analysis.tally_of(side), language)
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
    Difference {
        before: rate_or_score(measure, before, language),
        after: rate_or_score(measure, after, language),
        gain: number(measure, after - before),
    }
}

/// A figure of one side, in shares of 1: `83 %` or `4.25`.
pub(crate) fn rate_or_score(measure: Measure, share: f64, language: &Language) -> String {
    match measure {
        Measure::PassRate => language.percent(share),
        Measure::Score => text::fixed(LOWEST_SCORE + share * SCORES, 2),
    }
}

/// The gain in the unit of its measure; `None` without a shared case.
pub(crate) fn gain_size(gain: &Gain, language: &Language) -> Option<String> {
    Some(size(gain.measure(), gain.paired()?.mean, language))
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

/// A gain, given in shares of 1, in the unit of its measure: `+24 points` or `+0.40 of 5`.
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
        Measure::Score => text::signed(gain * SCORES, 2),
    }
}

/// In how many cases the later side is better, worse and the same; `None` without two cases.
pub(crate) fn cases_by_direction(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.shown().filter(|paired| paired.cases > 1)?;
    Some(say!(
        language,
        "verdict.by_direction",
        better = paired.better,
        worse = paired.worse,
        same = language.count(paired.same, "case"),
    ))
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
        let is_repeated = gain.runs.iter().flatten().any(|runs| runs.len() > 1);
        let key = match (gain.single == total, is_repeated) {
            (true, false) => "verdict.single",
            (true, true) => "verdict.single_side",
            (false, _) => "verdict.some_single",
        };
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

/// The cases that are prepared and not run, else what more runs would settle; `None` if all ran and it is
/// settled or about the same.
pub(crate) fn next_step(facts: Facts<'_>, change: &Change) -> Option<String> {
    let language = facts.language;
    let prepared = digest::prepared_cases(facts.workspace, change.after.iteration);
    if !prepared.is_empty() {
        let names = language.first_few(owned(&prepared), SOME_NAMES, "list.comma");
        return Some(say!(language, "verdict.run_prepared", names));
    }
    let further = match digest::next_step(facts.analysis, change)? {
        NextStep::StaysOpen => return Some(language.text("verdict.stays_open").to_owned()),
        NextStep::More(further) => further,
    };
    let mut costs = Vec::new();
    if let Some(number) = further.tokens {
        let tokens = text::tokens(two_digits(number));
        costs.push(say!(language, "verdict.more_tokens", tokens));
    }
    costs.extend(further.seconds.map(|seconds| rough_time(seconds, language)));
    let mut costs = language.list(costs);
    let (key, more) = match further.more {
        More::Runs(number) => ("verdict.more_runs", language.count(number, "more_run")),
        More::Cases(number) => ("verdict.more_cases", language.count(number, "more_case")),
    };
    // What the costs say is not said in runs as well.
    if costs.is_empty() {
        costs = language.count(further.runs, "run");
    }
    let step = say!(language, key, more, n = further.settled_in_ten, costs);
    // Its runs are those of one model or harness.
    let under = &facts.analysis.iterations[change.after.iteration].under_conditions;
    let own = under.iter().find(|under| under.after == change.after);
    Some(match own.filter(|_| under.len() > 1) {
        Some(own) => language.labelled(&own.condition, &step),
        None => step,
    })
}

/// Time in whole minutes where it is long.
fn rough_time(seconds: f64, language: &Language) -> String {
    let minutes = (seconds / 60.0).round();
    if (2.0..60.0).contains(&minutes) {
        return say!(language, "number.whole_minutes", m = minutes);
    }
    language.seconds(two_digits(seconds))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Rounds to two significant digits: few cases cannot tell more.
pub(crate) fn two_digits(number: f64) -> f64 {
    let unit = libm::exp10((libm::log10(number.max(1.0)).floor() - 1.0).max(0.0));
    (number / unit).round() * unit
}
