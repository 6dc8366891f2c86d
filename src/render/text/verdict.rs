//! The verdict on a change in words, the same on every page and in every file.
//!
//! A small grammar: what changed (better, worse, no measurable change, the same, too few cases, not
//! comparable), how sure that is (settled, leaning), by how much with the interval; then how often
//! chance does the same, what was left out, what else differs, what it costs, and what could be
//! seen with so few cases.

mod costs;

pub(crate) use crate::render::text::verdict::costs::{
    costs, factor, is_without_costs, ratio, total_costs, totals,
};

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::analyze::{Analysis, CaseLine, Change, Gain, Names, Side, Verdict};
use crate::model::{Tally, Workspace};
use crate::render::context::{Language, Rate, view};
use crate::statistics::{Detection, Interval, Standing};
use crate::text;

/// So many of the cases left out are named.
const NAMED: usize = 8;

/// The gain for which the cases to plan are told.
const PLANNED: f64 = 0.2;

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
    let verdict = language.fill(key, &[("size", &size), ("cases", &cases)]);
    let parts = [Some(verdict), rivals(gain, language), left_out(gain, language)];
    let unknown = [ungraded(change, language), unjudged(change, language)];
    let parts = parts.into_iter().chain(unknown).chain([single_runs(gain, language)]);
    language.sentences(parts.flatten())
}

/// That the verdict is not about all cases; `None` where it is, or is about none.
fn left_out(gain: &Gain, language: &Language) -> Option<String> {
    let cases = language.count(gain.left_out(), "case");
    let is_part = gain.paired.is_some() && gain.left_out() > 0;
    is_part.then(|| language.fill("verdict.left_out", &[("cases", &cases)]))
}

/// The runs of the compared cases that have no verdict, and so no part in it.
fn ungraded(change: &Change, language: &Language) -> Option<String> {
    let [before, after] = change.gain.ungraded;
    let sides = [&change.before, &change.after];
    let keys = ["verdict.ungraded", "verdict.ungraded_beside"];
    (before + after > 0).then(|| on_sides(keys, [&before, &after], sides, language))
}

/// What is so on the earlier side and so on the later one, in the words of the first key; between
/// configurations of one iteration, where nothing is earlier, they are named, in those of the second.
fn on_sides(
    keys: [&str; 2],
    [before, after]: [&dyn Display; 2],
    sides: [&Side; 2],
    language: &Language,
) -> String {
    let key = keys[usize::from(sides[0].is_beside(sides[1]))];
    let [before_side, after_side] = sides.map(|side| &side.configuration);
    let places: [(&str, &dyn Display); 4] = [
        ("before", before),
        ("after", after),
        ("before_side", before_side),
        ("after_side", after_side),
    ];
    language.fill(key, &places)
}

/// The checks of the compared cases that have no verdict although their run has others.
fn unjudged(change: &Change, language: &Language) -> Option<String> {
    let [before, after] = change.gain.unjudged;
    let sides = [&change.before, &change.after];
    let keys = ["verdict.unjudged", "verdict.unjudged_beside"];
    (before + after > 0).then(|| on_sides(keys, [&before, &after], sides, language))
}

/// That other candidates keep it from being settled; `None` where they do not.
fn rivals(gain: &Gain, language: &Language) -> Option<String> {
    let is_settled = matches!(
        gain.verdict(),
        Verdict::Better(Standing::Settled) | Verdict::Worse(Standing::Settled)
    );
    let is_held_back = gain.would_settle_alone() && !is_settled;
    is_held_back.then(|| language.fill("verdict.rivals", &[("n", &gain.at_once)]))
}

/// What a single run on a side cannot tell: how much the runs of a case differ. `None` where each
/// shared case has several on both.
fn single_runs(gain: &Gain, language: &Language) -> Option<String> {
    let cases = language.count(gain.shared.len(), "case");
    match gain.single {
        0 => None,
        n if n == gain.shared.len() => Some(language.text("verdict.single").to_owned()),
        n => Some(language.fill("verdict.some_single", &[("n", &n), ("cases", &cases)])),
    }
}

/// The gain with its interval, as in `+12 points per case over 8 cases, between −3 and +27`; `None` where
/// nothing is shared.
pub(crate) fn size(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref()?;
    let (mean, cases) = (language.points(paired.mean), language.count(paired.cases, "case"));
    let mut places: Vec<(&str, &dyn Display)> = vec![("gain", &mean), ("cases", &cases)];
    let Some(interval) = paired.interval.map(|interval| interval.clip(-1.0, 1.0)) else {
        let key = if paired.is_uniform() { "verdict.size_uniform" } else { "verdict.size_alone" };
        return Some(language.fill(key, &places));
    };
    let (low, high) = (number(interval.low), number(interval.high));
    places.extend([("low", &low as &dyn Display), ("high", &high)]);
    Some(language.fill("verdict.size", &places))
}

/// `with_skill of iteration-3`.
pub(crate) fn side(workspace: &Workspace, side: &Side, language: &Language) -> String {
    let iteration = &workspace.iterations[side.iteration].name;
    let places: [(&str, &dyn Display); 2] =
        [("configuration", &side.configuration), ("iteration", iteration)];
    language.fill("page.side", &places)
}

/// Signed percentage points without their unit.
fn number(difference: f64) -> String {
    text::signed_points(difference).0
}

/// The gain for a cell of a table: its size, its interval in brackets and how sure it is.
pub(crate) fn cell(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref()?;
    let interval = paired.interval.map(|interval| interval.clip(-1.0, 1.0));
    Some(figures(gain.verdict(), paired.mean, interval, language))
}

/// The same for a verdict whose figures are known.
pub(crate) fn figures(
    verdict: Verdict,
    mean: f64,
    interval: Option<Interval>,
    language: &Language,
) -> String {
    let interval = interval.map(|interval| {
        let (low, high) = (number(interval.low), number(interval.high));
        language.fill("verdict.cell_interval", &[("low", &low), ("high", &high)])
    });
    let sure = language.text(match verdict {
        Verdict::Better(Standing::Settled) | Verdict::Worse(Standing::Settled) => "verdict.settled",
        Verdict::Better(_) | Verdict::Worse(_) => "verdict.leaning",
        Verdict::TooFewCases => "verdict.cell_too_few",
        Verdict::NoMeasurableChange => "verdict.not_settled",
        Verdict::Same | Verdict::NotComparable => "",
    });
    let parts =
        [Some(language.points(mean)), interval, (!sure.is_empty()).then(|| sure.to_owned())];
    language.sentences(parts.into_iter().flatten())
}

/// How often chance alone does the same, in one sentence; `None` where no case can tell.
pub(crate) fn chance(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref().filter(|paired| paired.cases > 1)?;
    let number = in_hundred(paired.p(), language);
    let places: [(&str, &dyn Display); 4] = [
        ("better", &paired.better),
        ("worse", &paired.worse),
        ("same", &language.count(paired.same, "case")),
        ("n", &number),
    ];
    let counts = language.fill("verdict.chance", &places);
    let adjusted = gain.adjusted_p.filter(|_| gain.at_once > 1).map(|adjusted| {
        let number = in_hundred(adjusted, language);
        language.fill("verdict.adjusted", &[("candidates", &gain.at_once), ("n", &number)])
    });
    let too_few = (!gain.can_settle()).then(|| language.text("verdict.never"));
    let parts = [Some(counts), adjusted, too_few.map(str::to_owned)];
    Some(language.sentences(parts.into_iter().flatten()))
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
/// where the verdict is settled, or nothing can be told.
pub(crate) fn outlook(gain: &Gain, language: &Language) -> Option<String> {
    let settled = Verdict::Better(Standing::Settled);
    if gain.verdict() == settled || gain.verdict() == Verdict::Worse(Standing::Settled) {
        return None;
    }
    let found = gain.detection.as_ref()?;
    let can_settle = gain.can_settle();
    let is_open = !can_settle || found.smallest_gain > PLANNED;
    let planned =
        is_open.then(|| found.cases_to_settle(PLANNED, gain.at_once)).flatten().map(|needed| {
            let needed = (needed.ceil() as usize).max(gain.cases_to_settle());
            let needed = language.count(needed, "case");
            let gain = unsigned_points(PLANNED, language);
            language.fill("verdict.plan", &[("cases", &needed), ("gain", &gain)])
        });
    // Where nothing can be settled, no gain is large enough; for several candidates at once the
    // size is not known.
    let seen = (can_settle && gain.at_once == 1).then(|| seen(found, language));
    let sentences: Vec<String> = [seen, planned].into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| language.sentences(sentences))
}

/// Which gains so many cases can show.
fn seen(found: &Detection, language: &Language) -> String {
    let cases = language.count(found.cases, "case");
    if found.smallest_gain >= 1.0 {
        return language.fill("verdict.sees_nothing", &[("cases", &cases)]);
    }
    let smallest = unsigned_points(found.smallest_gain, language);
    language.fill("verdict.sees", &[("cases", &cases), ("gain", &smallest)])
}

fn unsigned_points(value: f64, language: &Language) -> String {
    language.points(value).trim_start_matches('+').to_owned()
}

/// Both sides as means of the compared cases, under the names of the later and the earlier one, where
/// the counts of a side say something else; `None` where they do not, or no case is compared.
pub(crate) fn means(
    change: &Change,
    [candidate, baseline]: [&str; 2],
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let [before, after] = change.gain.means?;
    let pooled =
        [&change.before, &change.after].map(|side| verdicts_of(side, analysis).pass_rate());
    let is_apart = |(pooled, mean): (Option<f64>, f64)| {
        pooled.is_some_and(|pooled| view::are_apart(pooled, mean))
    };
    let places: [(&str, &dyn Display); 4] = [
        ("mean", &language.percent(after)),
        ("candidate", &candidate),
        ("other", &language.percent(before)),
        ("baseline", &baseline),
    ];
    let sides = pooled.into_iter().zip([before, after]);
    sides.into_iter().any(is_apart).then(|| language.fill("overview.by_case", &places))
}

/// Which checks are compared, under the names of the later and the earlier side, where those are not
/// all of both.
pub(crate) fn in_common(
    change: &Change,
    [candidate, baseline]: [&str; 2],
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let gain = &change.gain;
    let all = [&change.before, &change.after].map(|side| verdicts_of(side, analysis));
    let is_part = gain.paired.is_some() && [gain.before, gain.after] != all;
    let [before, after] = [gain.before, gain.after].map(|tally| Rate::of(tally, language).counts);
    let places: [(&str, &dyn Display); 4] = [
        ("baseline", &baseline),
        ("before", &before),
        ("candidate", &candidate),
        ("after", &after),
    ];
    is_part.then(|| language.fill("verdict.in_common", &places))
}

/// All verdicts of a side, compared or not.
pub(crate) fn verdicts_of(side: &Side, analysis: &Analysis) -> Tally {
    let of = &analysis.iterations[side.iteration];
    of.configuration(&side.configuration).map(|found| found.tally).unwrap_or_default()
}

/// The names of the first few cases, and how many more there are.
fn case_names(found: &[usize], lines: &[CaseLine], language: &Language) -> String {
    let names = found.iter().map(|line| lines[*line].name.clone());
    language.first_few(names.collect(), NAMED, "list.comma")
}

/// Which cases were left out of a change and what else differs, in sentences; empty where nothing is.
pub(crate) fn caveats(change: &Change, lines: &[CaseLine], language: &Language) -> Vec<String> {
    omitted(change, lines, language).into_iter().chain(conditions_of(change, language)).collect()
}

/// Which cases were left out of a change, in sentences; empty where none is.
pub(crate) fn omitted(change: &Change, lines: &[CaseLine], language: &Language) -> Vec<String> {
    let gain = &change.gain;
    let sides = [&change.before, &change.after];
    let cases = |key: &str, found: &[usize]| {
        let places: [(&str, &dyn Display); 4] = [
            ("cases", &language.count(found.len(), "case")),
            ("names", &case_names(found, lines, language)),
            ("before", &sides[0].configuration),
            ("after", &sides[1].configuration),
        ];
        (!found.is_empty()).then(|| language.fill(key, &places))
    };
    let [only_after, only_before] = match change.is_beside() {
        true => ["verdict.only_after_beside", "verdict.only_before_beside"],
        false => ["verdict.only_after", "verdict.only_before"],
    };
    let left_out = [
        cases(only_after, &gain.only_after),
        cases(only_before, &gain.only_before),
        cases("verdict.unlike", &gain.unlike),
    ];
    left_out.into_iter().flatten().collect()
}

/// That another model or another grader was at work on one of the sides, in sentences; empty where
/// none is known to be. Told wherever the sides are told apart, since it may be the reason.
pub(crate) fn differs(change: &Change, language: &Language) -> String {
    language.sentences(conditions_of(change, language))
}

/// The same of any two sides, which need not be a change.
pub(crate) fn sides_differ(analysis: &Analysis, sides: [&Side; 2], language: &Language) -> String {
    let [models, graders] = analysis.other_conditions(sides);
    language.sentences(conditions([&models, &graders], sides, language))
}

fn conditions_of(change: &Change, language: &Language) -> Vec<String> {
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
    let sentence = |(keys, names): ([&str; 2], &Option<Names>)| {
        let [before, after] = names.as_ref()?;
        Some(on_sides(keys, [&list(before), &list(after)], sides, language))
    };
    let keys = [
        ["verdict.models", "verdict.models_beside"],
        ["verdict.graders", "verdict.graders_beside"],
    ];
    keys.into_iter().zip(names).filter_map(sentence).collect()
}
