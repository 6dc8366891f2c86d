//! The verdict on a change in words, the same on every page and in every file.

use std::fmt::Display;

use crate::analyze::{Change, ClaimScope, Gain, Measure, NamesBySide, SCORES, Side, Verdict};
use crate::digest::{self, MoreNeeded};
use crate::language::{Language, Rate};
use crate::statistics::{Interval, PairedGain};
use crate::text::{self, cut_line};
use crate::wording::Facts;

/// Most characters of a name in the first sentences.
const NAME: usize = 60;
const NAMED: usize = 8;

/// The verdict with the gain: `Better · +24 points.`
pub(crate) fn headline(words: Facts<'_>, change: &Change) -> String {
    let gain = &change.gain;
    let word = word(words, change);
    let is_easy = gain.verdict() == Verdict::AboutTheSame(ClaimScope::TheseCases);
    let size = match &gain.paired {
        None => return words.fill("verdict.headline_alone", &[("word", &word)]),
        // Neither side could have been better.
        Some(_) if is_easy && gain.is_saturated() => {
            words.fill("verdict.both", &[("rate", &words.percent(1.0))])
        }
        Some(paired) => size(gain.measure(), paired.mean, &words),
    };
    words.fill("verdict.headline", &[("word", &word), ("size", &size)])
}

/// The verdict in a word; the other side is named if it is from another iteration.
pub(crate) fn word(words: Facts<'_>, change: &Change) -> String {
    let other = cut_line(&words.workspace.iterations[change.before.iteration].name, NAME);
    let keys = keys(change.gain.verdict());
    words.fill(keys[usize::from(!change.is_within_iteration())], &[("other", &other)])
}

/// Like [`word`], but only good and bad news name the other iteration.
pub(crate) fn short_word(words: Facts<'_>, change: &Change) -> String {
    match sign(change.gain.verdict()) {
        "▲" | "▼" => word(words, change),
        _ => words.text(word_key(change.gain.verdict())).to_owned(),
    }
}

pub(crate) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => "▲",
        Verdict::Worse(_) | Verdict::ProbablyWorse => "▼",
        Verdict::AboutTheSame(_) => "=",
        Verdict::Unclear | Verdict::NoComparison => "",
    }
}

/// `▲ +24`, or the gain alone if the verdict has no direction; `None` without a gain.
pub(crate) fn short(change: &Change) -> Option<String> {
    let gain = &change.gain;
    let number = number(gain.measure(), gain.paired?.mean);
    Some(format!("{} {number}", sign(gain.verdict())).trim_start().to_owned())
}

/// The reason for the verdict, in sentences that name both sides.
pub(crate) fn reason(words: Facts<'_>, change: &Change) -> String {
    let gain = &change.gain;
    let Some(paired) = &gain.paired else {
        let key = match (gain.unlike.is_empty(), gain.negative.is_empty()) {
            (false, _) => "verdict.why_unlike",
            (true, false) => "verdict.why_negative",
            (true, true) => "verdict.why_nothing",
        };
        return words.text(key).to_owned();
    };
    let [low, high] = digest::interval(gain)
        .map_or([0.0; 2], |range| [range.low, range.high])
        .map(|end| number(gain.measure(), end));
    let is_ahead = paired.mean > 0.0;
    let [a, b] = [&change.after, &change.before].map(|side| match change.is_within_iteration() {
        true => cut_line(&side.configuration, NAME),
        false => cut_line(&words.workspace.iterations[side.iteration].name, NAME),
    });
    let places: [(&str, &dyn Display); 9] = [
        ("a", &a),
        ("b", &b),
        ("cases", &words.count(paired.cases, "case")),
        ("better", &paired.better),
        ("worse", &paired.worse),
        ("same", &paired.same),
        ("ahead", &if is_ahead { paired.better } else { paired.worse }),
        ("low", &low),
        ("high", &high),
    ];
    let key = match gain.measure() {
        Measure::PassRate => None,
        Measure::Score => score_key(gain.verdict()),
    };
    let mut sentences = Vec::new();
    if let Some([before, after]) = key.and(gain.scores) {
        let decimals = if (after - before).abs() < 0.1 { 2 } else { 1 };
        let [before, after] = [before, after].map(|mean| text::fixed(mean, decimals));
        let means = [("after", &after as &dyn Display), ("before", &before)];
        sentences.push(words.fill("verdict.score_means", &[&places[..2], &means].concat()));
    }
    sentences.push(words.fill(key.unwrap_or_else(|| reason_key(gain, paired)), &places));
    if let Some(p) = gain.settled_p() {
        let number = text::tokens(two_digits((1.0 / p.max(1e-9)).floor()));
        sentences.push(words.fill("verdict.rare", &[("n", &number)]));
    }
    words.sentences(sentences)
}

/// The sentence after the mean scores; `None` if one about checks follows.
fn score_key(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Better(ClaimScope::TheseCases) => Some("verdict.score_ahead_here"),
        Verdict::Worse(ClaimScope::TheseCases) => Some("verdict.score_behind_here"),
        Verdict::Better(_) | Verdict::ProbablyBetter => Some("verdict.score_ahead"),
        Verdict::Worse(_) | Verdict::ProbablyWorse => Some("verdict.score_behind"),
        Verdict::Unclear | Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => {
            Some("verdict.score_range")
        }
        Verdict::NoComparison | Verdict::AboutTheSame(_) => None,
    }
}

fn reason_key(gain: &Gain, paired: &PairedGain) -> &'static str {
    let is_one_way = paired.better.min(paired.worse) == 0;
    match gain.verdict() {
        Verdict::NoComparison => "verdict.why_nothing",
        Verdict::Better(ClaimScope::CasesLikeThese) => "verdict.why_better",
        Verdict::Better(_) => "verdict.why_better_here",
        Verdict::Worse(ClaimScope::CasesLikeThese) => "verdict.why_worse",
        Verdict::Worse(_) => "verdict.why_worse_here",
        Verdict::ProbablyBetter if is_one_way => "verdict.why_probably_better",
        Verdict::ProbablyWorse if is_one_way => "verdict.why_probably_worse",
        Verdict::ProbablyBetter | Verdict::ProbablyWorse => "verdict.why_mixed",
        Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => "verdict.why_near",
        Verdict::AboutTheSame(_) if gain.is_saturated() => "verdict.why_easy",
        Verdict::AboutTheSame(_) => "verdict.why_same",
        Verdict::Unclear if paired.cases == 1 => "verdict.why_one_case",
        Verdict::Unclear if paired.cases < gain.cases_to_settle() => match is_one_way {
            true if paired.mean > 0.0 => "verdict.why_few_better",
            true => "verdict.why_few_worse",
            false => "verdict.why_few",
        },
        Verdict::Unclear => "verdict.why_wide",
    }
}

pub(crate) fn sentences(words: Facts<'_>, change: &Change) -> String {
    words.sentences([headline(words, change), reason(words, change)])
}

/// Omissions and limits of the verdict: rivals, cases, runs and checks.
pub(crate) fn limits(change: &Change, language: &Language) -> Vec<String> {
    let gain = &change.gain;
    let mut sentences = Vec::new();
    if gain.would_settle_alone() && !gain.verdict().is_settled() {
        sentences.push(language.fill("verdict.rivals", &[("n", &gain.at_once)]));
    }
    let unknown = [
        (["verdict.ungraded", "verdict.ungraded_beside"], gain.ungraded),
        (["verdict.unjudged", "verdict.unjudged_beside"], gain.unjudged),
    ];
    for (keys, [before, after]) in unknown.into_iter().filter(|(_, sides)| *sides != [0, 0]) {
        sentences.push(on_sides(keys, [&before, &after], change.sides(), language));
    }
    if gain.single > 0 {
        let total = gain.shared.len();
        let key = if gain.single == total { "verdict.single" } else { "verdict.some_single" };
        let cases = language.count(total, "case");
        sentences.push(language.fill(key, &[("n", &gain.single), ("cases", &cases)]));
    }
    sentences
}

pub(crate) fn word_key(verdict: Verdict) -> &'static str {
    keys(verdict)[0]
}

/// The keys of the verdict's word, alone and with the other side.
fn keys(verdict: Verdict) -> [&'static str; 2] {
    match verdict {
        Verdict::NoComparison => ["verdict.no_comparison"; 2],
        Verdict::Better(_) => ["verdict.better", "verdict.better_than"],
        Verdict::Worse(_) => ["verdict.worse", "verdict.worse_than"],
        Verdict::ProbablyBetter => ["verdict.probably_better", "verdict.probably_better_than"],
        Verdict::ProbablyWorse => ["verdict.probably_worse", "verdict.probably_worse_than"],
        Verdict::AboutTheSame(_) => ["verdict.about_the_same", "verdict.about_the_same_than"],
        Verdict::Unclear => ["verdict.unclear", "verdict.unclear_than"],
    }
}

/// The first key is for an earlier and a later side, the second for two named sides of one
/// iteration.
fn on_sides(
    keys: [&str; 2],
    [before, after]: [&dyn Display; 2],
    sides: [&Side; 2],
    language: &Language,
) -> String {
    let [before_side, after_side] = sides.map(|side| &side.configuration);
    let places: [(&str, &dyn Display); 4] = [
        ("before", before),
        ("after", after),
        ("before_side", before_side),
        ("after_side", after_side),
    ];
    language.fill(keys[usize::from(sides[0].is_within_iteration(sides[1]))], &places)
}

/// `with_skill of iteration-3`.
pub(crate) fn side(words: Facts<'_>, side: &Side) -> String {
    let iteration = &words.workspace.iterations[side.iteration].name;
    let configuration = &side.configuration;
    words.fill("page.side", &[("configuration", configuration), ("iteration", iteration)])
}

/// A gain, given in shares of 1, in the unit of its measure: `+24 points` or `+0.4 of 5`.
pub(crate) fn size(measure: Measure, gain: f64, language: &Language) -> String {
    match measure {
        Measure::PassRate => language.points(gain),
        Measure::Score => language.fill("verdict.score", &[("n", &number(measure, gain))]),
    }
}

/// The gain without its unit.
pub(crate) fn number(measure: Measure, gain: f64) -> String {
    match measure {
        Measure::PassRate => text::signed_points(gain).0,
        Measure::Score => text::signed_score(gain * SCORES),
    }
}

pub(crate) fn cell(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref()?;
    let interval = digest::interval(gain);
    Some(figures(gain.verdict(), gain.measure(), paired.mean, interval, language))
}

pub(crate) fn figures(
    verdict: Verdict,
    measure: Measure,
    mean: f64,
    interval: Option<Interval>,
    language: &Language,
) -> String {
    let interval = interval.map(|interval| {
        let [low, high] = [interval.low, interval.high].map(|end| number(measure, end));
        language.fill("verdict.cell_interval", &[("low", &low), ("high", &high)])
    });
    let word = language.text(word_key(verdict));
    let size = language
        .sentences([Some(self::size(measure, mean, language)), interval].into_iter().flatten());
    language.fill("verdict.cell", &[("word", &word), ("size", &size)])
}

/// How often chance alone does the same; `None` if no case can tell.
pub(crate) fn chance(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref().filter(|paired| paired.cases > 1)?;
    let places: [(&str, &dyn Display); 4] = [
        ("better", &paired.better),
        ("worse", &paired.worse),
        ("same", &language.count(paired.same, "case")),
        ("n", &in_hundred(paired.p, language)),
    ];
    let mut sentences = vec![language.fill("verdict.chance", &places)];
    if let Some(adjusted) = gain.adjusted_p.map(|p| p.sign_flip).filter(|_| gain.at_once > 1) {
        let n = in_hundred(adjusted, language);
        let key = "verdict.adjusted";
        sentences.push(language.fill(key, &[("candidates", &gain.at_once), ("n", &n)]));
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

/// The cheapest way to decide; `None` if it is settled or nothing would decide.
pub(crate) fn next_step(change: &Change, language: &Language) -> Option<String> {
    let step = digest::next_step(change)?;
    let (key, number) = match step.more {
        MoreNeeded::Runs(number) => ("verdict.more_runs", language.count(number, "run")),
        MoreNeeded::Cases(number) => ("verdict.more_cases", language.count(number, "case")),
    };
    let tokens = step.tokens.map(|tokens| text::tokens(two_digits(tokens)));
    let tokens = tokens.map(|tokens| language.fill("verdict.more_tokens", &[("tokens", &tokens)]));
    let places: [(&str, &dyn Display); 3] = [
        ("more", &number),
        ("runs", &language.count(step.runs, "run")),
        ("tokens", &tokens.unwrap_or_default()),
    ];
    Some(language.fill(key, &places))
}

/// Rounds to two significant digits.
fn two_digits(number: f64) -> f64 {
    let unit = libm::exp10((libm::log10(number.max(1.0)).floor() - 1.0).max(0.0));
    (number / unit).round() * unit
}

/// Both sides as means of cases, if the counts of a side suggest other values.
pub(crate) fn means(
    words: Facts<'_>,
    change: &Change,
    [candidate, baseline]: [&str; 2],
) -> Option<String> {
    let [before, after] = digest::unlike_means(change, words.analysis)?;
    let places: [(&str, &dyn Display); 4] = [
        ("mean", &words.percent(after)),
        ("candidate", &candidate),
        ("other", &words.percent(before)),
        ("baseline", &baseline),
    ];
    Some(words.fill("overview.by_case", &places))
}

/// The compared checks, if they are not all of both sides.
pub(crate) fn in_common(
    words: Facts<'_>,
    change: &Change,
    [candidate, baseline]: [&str; 2],
) -> Option<String> {
    let compared = digest::compared_in_part(change, words.analysis)?;
    let [before, after] = compared.map(|tally| Rate::new(tally, &words).counts);
    let places: [(&str, &dyn Display); 4] = [
        ("baseline", &baseline),
        ("before", &before),
        ("candidate", &candidate),
        ("after", &after),
    ];
    Some(words.fill("verdict.in_common", &places))
}

pub(crate) fn omitted(words: Facts<'_>, change: &Change) -> Vec<String> {
    let gain = &change.gain;
    let [only_after, only_before] = match change.is_within_iteration() {
        true => ["verdict.only_after_beside", "verdict.only_before_beside"],
        false => ["verdict.only_after", "verdict.only_before"],
    };
    let left_out = [
        (only_after, &gain.only_after),
        (only_before, &gain.only_before),
        ("verdict.unlike", &gain.unlike),
        ("verdict.negative", &gain.negative),
    ];
    let sentence = |(key, found): (&str, &Vec<usize>)| {
        let names = found.iter().map(|line| words.analysis.cases[*line].name.clone()).collect();
        let places: [(&str, &dyn Display); 4] = [
            ("cases", &words.count(found.len(), "case")),
            ("names", &words.first_few(names, NAMED, "list.comma")),
            ("before", &change.before.configuration),
            ("after", &change.after.configuration),
        ];
        words.fill(key, &places)
    };
    left_out.into_iter().filter(|(_, found)| !found.is_empty()).map(sentence).collect()
}

/// Different models or graders on the two sides, which may be the reason; empty if none are known.
pub(crate) fn sides_differ(words: Facts<'_>, sides: [&Side; 2]) -> String {
    words.sentences(other_conditions(words, sides))
}

pub(crate) fn differs(words: Facts<'_>, change: &Change) -> String {
    sides_differ(words, change.sides())
}

/// The sentences of [`sides_differ`].
pub(crate) fn other_conditions(words: Facts<'_>, sides: [&Side; 2]) -> Vec<String> {
    let keys = [
        ["verdict.models", "verdict.models_beside"],
        ["verdict.graders", "verdict.graders_beside"],
    ];
    let sentence = |(keys, names): ([&str; 2], &Option<NamesBySide>)| {
        let [before, after] = names.as_ref()?;
        Some(on_sides(keys, [&words.list(before), &words.list(after)], sides, &words))
    };
    keys.into_iter().zip(&words.analysis.other_conditions(sides)).filter_map(sentence).collect()
}
