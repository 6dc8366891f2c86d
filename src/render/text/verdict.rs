//! The verdict on a change in words, the same on every page and in every file.
//!
//! A small grammar: what changed, how sure that is, by how much with the interval; then how often
//! chance does the same, what was left out, what else differs, and what so few cases can show.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::analyze::{Analysis, CaseLine, Change, Gain, Names, Side, Verdict};
use crate::digest::{self, PLANNED};
use crate::language::Language;
use crate::model::Workspace;
use crate::render::context::Rate;
use crate::statistics::{Interval, Standing};
use crate::text;

/// So many of the cases left out are named.
const NAMED: usize = 8;

/// The verdict with the size of the gain and its interval, and whether it rests on single runs.
pub(crate) fn words(change: &Change, language: &Language) -> String {
    let gain = &change.gain;
    let key = match gain.verdict() {
        Verdict::Better(Standing::Settled) => "verdict.better_settled",
        Verdict::Better(_) => "verdict.better_leaning",
        Verdict::Worse(Standing::Settled) => "verdict.worse_settled",
        Verdict::Worse(_) => "verdict.worse_leaning",
        Verdict::NoMeasurableChange => "verdict.none",
        Verdict::Same => "verdict.same",
        Verdict::TooFewCases => "verdict.too_few",
        Verdict::NotComparable if !gain.unlike.is_empty() => "verdict.not_comparable_unlike",
        Verdict::NotComparable => "verdict.not_comparable",
    };
    let cases = language.count(gain.shared.len(), "case");
    let size = size(gain, language).unwrap_or_default();
    let mut sentences = vec![language.fill(key, &[("size", &size), ("cases", &cases)])];
    if gain.would_settle_alone() && !digest::is_settled(gain.verdict()) {
        sentences.push(language.fill("verdict.rivals", &[("n", &gain.at_once)]));
    }
    if gain.paired.is_some() && gain.left_out() > 0 {
        let left_out = language.count(gain.left_out(), "case");
        sentences.push(language.fill("verdict.left_out", &[("cases", &left_out)]));
    }
    let sides = [&change.before, &change.after];
    for (keys, [before, after]) in [
        (["verdict.ungraded", "verdict.ungraded_beside"], gain.ungraded),
        (["verdict.unjudged", "verdict.unjudged_beside"], gain.unjudged),
    ] {
        if before + after > 0 {
            sentences.push(on_sides(keys, [&before, &after], sides, language));
        }
    }
    match gain.single {
        0 => {}
        n if n == gain.shared.len() => sentences.push(language.text("verdict.single").to_owned()),
        n => sentences.push(language.fill("verdict.some_single", &[("n", &n), ("cases", &cases)])),
    }
    language.sentences(sentences)
}

/// What is so on the earlier side and on the later one, in the words of the first key; between
/// configurations of one iteration, where nothing is earlier, they are named, in those of the second.
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
    language.fill(keys[usize::from(sides[0].is_beside(sides[1]))], &places)
}

/// The gain with its interval, as in `+12 points per case over 8 cases, between −3 and +27`; `None`
/// where nothing is shared.
fn size(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref()?;
    let (mean, cases) = (language.points(paired.mean), language.count(paired.cases, "case"));
    let Some(interval) = digest::interval(gain) else {
        let key = if paired.is_uniform() { "verdict.size_uniform" } else { "verdict.size_alone" };
        return Some(language.fill(key, &[("gain", &mean), ("cases", &cases)]));
    };
    let [low, high] = [interval.low, interval.high].map(|end| text::signed_points(end).0);
    let places: [(&str, &dyn Display); 4] =
        [("gain", &mean), ("cases", &cases), ("low", &low), ("high", &high)];
    Some(language.fill("verdict.size", &places))
}

/// `with_skill of iteration-3`.
pub(crate) fn side(workspace: &Workspace, side: &Side, language: &Language) -> String {
    let iteration = &workspace.iterations[side.iteration].name;
    let configuration = &side.configuration;
    language.fill("page.side", &[("configuration", configuration), ("iteration", iteration)])
}

/// The gain for a cell of a table: its size, its interval in brackets and how sure it is.
pub(crate) fn cell(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref()?;
    Some(figures(gain.verdict(), paired.mean, digest::interval(gain), language))
}

/// The same for a verdict whose figures are known.
pub(crate) fn figures(
    verdict: Verdict,
    mean: f64,
    interval: Option<Interval>,
    language: &Language,
) -> String {
    let interval = interval.map(|interval| {
        let [low, high] = [interval.low, interval.high].map(|end| text::signed_points(end).0);
        language.fill("verdict.cell_interval", &[("low", &low), ("high", &high)])
    });
    let certainty = match verdict {
        _ if digest::is_settled(verdict) => Some("verdict.settled"),
        Verdict::Better(_) | Verdict::Worse(_) => Some("verdict.leaning"),
        Verdict::TooFewCases => Some("verdict.cell_too_few"),
        Verdict::NoMeasurableChange => Some("verdict.not_settled"),
        Verdict::Same | Verdict::NotComparable => None,
    };
    let certainty = certainty.map(|key| language.text(key).to_owned());
    language.sentences([Some(language.points(mean)), interval, certainty].into_iter().flatten())
}

/// How often chance alone does the same, in one sentence; `None` where no case can tell.
pub(crate) fn chance(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref().filter(|paired| paired.cases > 1)?;
    let places: [(&str, &dyn Display); 4] = [
        ("better", &paired.better),
        ("worse", &paired.worse),
        ("same", &language.count(paired.same, "case")),
        ("n", &in_hundred(paired.p(), language)),
    ];
    let mut sentences = vec![language.fill("verdict.chance", &places)];
    if let Some(adjusted) = gain.adjusted_p.filter(|_| gain.at_once > 1) {
        let n = in_hundred(adjusted, language);
        let key = "verdict.adjusted";
        sentences.push(language.fill(key, &[("candidates", &gain.at_once), ("n", &n)]));
    }
    if !gain.can_settle() {
        sentences.push(language.text("verdict.never").to_owned());
    }
    Some(language.sentences(sentences))
}

/// In how many of 100 comparisons chance does the same, for the p of a test: with one decimal below
/// 10, where it decides what is settled.
pub(crate) fn in_hundred(p: f64, language: &Language) -> String {
    match p * 100.0 {
        low if low < 0.95 => language.text("verdict.under_one").to_owned(),
        low if low < 9.95 => text::fixed(low, 1),
        number => text::fixed(number, 0),
    }
}

/// What could be seen with so many cases, and how many would do for a gain worth having; `None`
/// where the verdict is settled, or nothing is known.
pub(crate) fn outlook(gain: &Gain, language: &Language) -> Option<String> {
    let found = digest::outlook(gain)?;
    let cases = language.count(found.cases, "case");
    let seen = found.smallest_gain.map(|smallest| match smallest {
        1.0.. => language.fill("verdict.sees_nothing", &[("cases", &cases)]),
        _ => {
            let smallest = unsigned_points(smallest, language);
            language.fill("verdict.sees", &[("cases", &cases), ("gain", &smallest)])
        }
    });
    let planned = found.needed.map(|needed| {
        let gain = unsigned_points(PLANNED, language);
        let needed = language.count(needed, "case");
        language.fill("verdict.plan", &[("cases", &needed), ("gain", &gain)])
    });
    Some(language.sentences([seen, planned].into_iter().flatten()))
}

fn unsigned_points(value: f64, language: &Language) -> String {
    language.points(value).trim_start_matches('+').to_owned()
}

/// Both sides as means of the compared cases, under the names of the later and the earlier one, where
/// the counts of a side say something else.
pub(crate) fn means(
    change: &Change,
    [candidate, baseline]: [&str; 2],
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let [before, after] = digest::unlike_means(change, analysis)?;
    let places: [(&str, &dyn Display); 4] = [
        ("mean", &language.percent(after)),
        ("candidate", &candidate),
        ("other", &language.percent(before)),
        ("baseline", &baseline),
    ];
    Some(language.fill("overview.by_case", &places))
}

/// Which checks are compared, under the names of the later and the earlier side, where those are not
/// all of both.
pub(crate) fn in_common(
    change: &Change,
    [candidate, baseline]: [&str; 2],
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let compared = digest::compared_in_part(change, analysis)?;
    let [before, after] = compared.map(|tally| Rate::of(tally, language).counts);
    let places: [(&str, &dyn Display); 4] = [
        ("baseline", &baseline),
        ("before", &before),
        ("candidate", &candidate),
        ("after", &after),
    ];
    Some(language.fill("verdict.in_common", &places))
}

/// Which cases were left out of a change, in sentences; empty where none is.
pub(crate) fn omitted(change: &Change, lines: &[CaseLine], language: &Language) -> Vec<String> {
    let gain = &change.gain;
    let [only_after, only_before] = match change.is_beside() {
        true => ["verdict.only_after_beside", "verdict.only_before_beside"],
        false => ["verdict.only_after", "verdict.only_before"],
    };
    let left_out = [
        (only_after, &gain.only_after),
        (only_before, &gain.only_before),
        ("verdict.unlike", &gain.unlike),
    ];
    let sentence = |(key, found): (&str, &Vec<usize>)| {
        let names = found.iter().map(|line| lines[*line].name.clone()).collect();
        let places: [(&str, &dyn Display); 4] = [
            ("cases", &language.count(found.len(), "case")),
            ("names", &language.first_few(names, NAMED, "list.comma")),
            ("before", &change.before.configuration),
            ("after", &change.after.configuration),
        ];
        language.fill(key, &places)
    };
    left_out.into_iter().filter(|(_, found)| !found.is_empty()).map(sentence).collect()
}

/// That another model or another grader was at work on one of the sides, in sentences; empty where
/// none is known to be. Shown wherever the sides are told apart, since it may be the reason.
pub(crate) fn differs(change: &Change, language: &Language) -> String {
    language.sentences(conditions_of(change, language))
}

/// The same of any two sides, which need not be a change.
pub(crate) fn sides_differ(analysis: &Analysis, sides: [&Side; 2], language: &Language) -> String {
    let [models, graders] = analysis.other_conditions(sides);
    language.sentences(conditions([&models, &graders], sides, language))
}

/// The same of a change, a sentence each.
pub(crate) fn conditions_of(change: &Change, language: &Language) -> Vec<String> {
    let names = &change.comparability;
    let sides = [&change.before, &change.after];
    conditions([&names.models, &names.graders], sides, language)
}

/// A sentence on the models and one on the graders, where they differ.
fn conditions(names: [&Option<Names>; 2], sides: [&Side; 2], language: &Language) -> Vec<String> {
    let list = |side: &BTreeSet<String>| {
        let names: Vec<&str> = side.iter().map(String::as_str).collect();
        names.join(language.text("list.comma"))
    };
    let keys = [
        ["verdict.models", "verdict.models_beside"],
        ["verdict.graders", "verdict.graders_beside"],
    ];
    let sentence = |(keys, names): ([&str; 2], &Option<Names>)| {
        let [before, after] = names.as_ref()?;
        Some(on_sides(keys, [&list(before), &list(after)], sides, language))
    };
    keys.into_iter().zip(names).filter_map(sentence).collect()
}
