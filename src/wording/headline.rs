//! The first sentences about a result: the large word with its number, the reason for it, and what
//! follows from it.
//!
//! The overview, `check`, `build`, the comment and the brief begin with them. What the verdict
//! rests on is in [`verdict`].

use crate::analyze::{
    Change, ClaimScope, Gain, Measure, MissingVerdicts, SharedOutcome, Verdict, VerdictWord,
};
use crate::digest;
use crate::language::{Language, Rate, say};
use crate::wording::verdict::Difference;
use crate::wording::{Facts, verdict};
use statistics::{Interval, PairedGain};
use text::cut_line;

/// Characters of a name in the first sentences.
const NAME_LENGTH: usize = 60;

/// The large word with the gain: `Better · +24 points.`
pub(crate) fn headline(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let word = word(facts, change);
    if let Some(missing) = gain.undecided() {
        let missing = missing_verdicts(facts, change, missing);
        return say!(language, "verdict.headline_missing", word, missing);
    }
    // Sides without a case in common have a word and no number.
    let Some(mut size) = verdict::gain_size(gain, language) else {
        return say!(language, "verdict.headline_alone", word);
    };
    // Neither side could differ, so what both reached says more than a gain of 0.
    if let VerdictWord::AboutTheSame { shared: Some(outcome) } = gain.word() {
        size = both(outcome, language);
    }
    say!(language, "verdict.headline", word, size)
}

/// The word of a row that kept all checks, with the gain: `No regression · ±0 points.`
pub(crate) fn no_regression(change: &Change, language: &Language) -> String {
    let word = language.text("questions.no_regression");
    let size = verdict::gain_size(&change.gain, language).unwrap_or_default();
    say!(language, "verdict.headline", word, size)
}

/// `6 of 9 verdicts of with_skill are missing`.
pub(crate) fn missing_verdicts(
    facts: Facts<'_>,
    change: &Change,
    missing: [MissingVerdicts; 2],
) -> String {
    let language = facts.language;
    let [before, after] = side_names(facts, change);
    let mut sides = Vec::new();
    for (name, side) in [(after, missing[1]), (before, missing[0])] {
        if side.missing > 0 {
            let verdicts = language.count(side.total, "verdict");
            sides.push(say!(language, "verdict.missing_of", n = side.missing, verdicts, name));
        }
    }
    say!(language, "verdict.missing", sides = language.first_few(sides, 2, "list.and"))
}

/// `both 100 %`.
pub(crate) fn both(outcome: SharedOutcome, language: &Language) -> String {
    let rate = language.percent(if outcome == SharedOutcome::AllPassed { 1.0 } else { 0.0 });
    say!(language, "verdict.both", rate)
}

pub(crate) fn sentences(facts: Facts<'_>, change: &Change) -> String {
    facts.language.sentences([headline(facts, change), reason(facts, change)])
}

/// The large word; the other side is named if it is from an earlier iteration. Rounds of a sweep over
/// models have no earlier one.
pub(crate) fn word(facts: Facts<'_>, change: &Change) -> String {
    let mut other = "";
    let [before, after] = [&change.before, &change.after];
    if !change.is_within_iteration()
        && !facts.analysis.are_one_sweep(facts.workspace, before, after)
    {
        other = &facts.workspace.iterations[before.iteration].name;
    }
    let other = cut_line(other, NAME_LENGTH);
    mostly(&change.gain, &other, facts.language)
        .unwrap_or_else(|| word_against(change.gain.word(), &other, facts.language))
}

/// A gain of less is no direction where the cases did not move one way: 10 points, in shares of 1.
const CLEAR_GAIN: f64 = 0.1;

/// Where cases of an open comparison moved both ways and far: `Up in 2 of 3 cases, down in 1`. That there
/// is no clear difference would hide it. `other` is the other side, or empty.
pub(crate) fn mostly(gain: &Gain, other: &str, language: &Language) -> Option<String> {
    let paired = gain.shown()?;
    let is_clear = paired.mean.abs() >= CLEAR_GAIN && paired.better.min(paired.worse) > 0;
    if gain.word() != VerdictWord::NoClearDifference || !is_clear {
        return None;
    }
    let (key, n, m) = if paired.mean > 0.0 {
        ("verdict.mostly_up", paired.better, paired.worse)
    } else {
        ("verdict.mostly_down", paired.worse, paired.better)
    };
    let cases = language.count(paired.cases, "case");
    if other.is_empty() {
        return Some(say!(language, key, n, m, cases));
    }
    Some(say!(language, &format!("{key}_than"), other, n, m, cases))
}

/// Like [`word`], but only good and bad news name the other iteration: "No clear difference vs
/// iteration-2" reads as if something had been found out about that iteration.
pub(crate) fn short_word(facts: Facts<'_>, change: &Change) -> String {
    match sign(&change.gain) {
        "▲" | "▼" => word(facts, change),
        _ => mostly(&change.gain, "", facts.language)
            .unwrap_or_else(|| word_alone(change.gain.word(), facts.language)),
    }
}

pub(crate) fn word_alone(word: VerdictWord, language: &Language) -> String {
    word_against(word, "", language)
}

/// The large word, with the name of the other side unless that is empty.
fn word_against(word: VerdictWord, other: &str, language: &Language) -> String {
    let (key, number, cases) = match word {
        VerdictWord::NoComparison => return language.text("verdict.no_comparison").to_owned(),
        VerdictWord::Better => ("verdict.better", 0, 0),
        VerdictWord::Worse => ("verdict.worse", 0, 0),
        VerdictWord::BetterOnTheseCases => ("verdict.better_here", 0, 0),
        VerdictWord::WorseOnTheseCases => ("verdict.worse_here", 0, 0),
        VerdictWord::ProbablyBetter => ("verdict.probably_better", 0, 0),
        VerdictWord::ProbablyWorse => ("verdict.probably_worse", 0, 0),
        VerdictWord::AboutTheSame { .. } => ("verdict.about_the_same", 0, 0),
        VerdictWord::UpInAll { cases } => ("verdict.up_in_all", cases, cases),
        VerdictWord::DownInAll { cases } => ("verdict.down_in_all", cases, cases),
        VerdictWord::UpInSome { up, cases } => ("verdict.up_in_some", up, cases),
        VerdictWord::DownInSome { down, cases } => ("verdict.down_in_some", down, cases),
        VerdictWord::Mixed => ("verdict.mixed", 0, 0),
        VerdictWord::NoClearDifference => ("verdict.unclear", 0, 0),
        VerdictWord::NotDecided => ("verdict.not_decided", 0, 0),
    };
    let cases =
        if number == cases { language.all(cases, "case") } else { language.count(cases, "case") };
    if other.is_empty() {
        return say!(language, key, n = number, cases);
    }
    say!(language, &format!("{key}_than"), other, n = number, cases)
}

/// The sign of the large word: hollow where the cases moved one way and the rest is open.
pub(crate) fn sign(gain: &Gain) -> &'static str {
    match hollow_sign(gain.word()) {
        "" => sign_of(gain.verdict()),
        sign => sign,
    }
}

/// The sign of a word that says which way an open comparison points; empty for any other.
pub(crate) fn hollow_sign(word: VerdictWord) -> &'static str {
    match word {
        VerdictWord::UpInAll { .. } | VerdictWord::UpInSome { .. } => "△",
        VerdictWord::DownInAll { .. } | VerdictWord::DownInSome { .. } => "▽",
        _ => "",
    }
}

pub(crate) fn sign_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => "▲",
        Verdict::Worse(_) | Verdict::ProbablyWorse => "▼",
        Verdict::AboutTheSame(_) => "=",
        Verdict::Unclear | Verdict::NoComparison => "",
    }
}

/// `▲ +24`, or the gain alone if the word has no direction; `None` without a gain.
pub(crate) fn short(change: &Change) -> Option<String> {
    let gain = &change.gain;
    let number = verdict::number(gain.measure(), gain.shown()?.mean);
    Some(format!("{} {number}", sign(gain)).trim_start().to_owned())
}

/// The verdict with the gain and its range, for the cell of a table; `None` without a gain.
pub(crate) fn cell(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired()?;
    let interval = digest::interval(gain);
    Some(figures(gain.word(), gain.measure(), paired.mean, interval, language))
}

/// As [`cell`], of figures that a report recorded.
pub(crate) fn figures(
    word: VerdictWord,
    measure: Measure,
    mean: f64,
    interval: Option<Interval>,
    language: &Language,
) -> String {
    if word == VerdictWord::NotDecided {
        return word_alone(word, language);
    }
    let mut size = verdict::size(measure, mean, language);
    if let Some(Interval { low, high }) = interval {
        let [low, high] = [low, high].map(|end| verdict::number(measure, end));
        size = language.sentences([size, say!(language, "verdict.cell_interval", low, high)]);
    }
    say!(language, "verdict.cell", word = word_alone(word, language), size)
}

fn not_compared(facts: Facts<'_>, change: &Change, [before, after]: [&str; 2]) -> String {
    let [before_counts, after_counts] =
        change.sides().map(|side| Rate::counts_of(facts.analysis.tally_of(side)));
    say!(
        facts.language,
        no_comparison_key(change),
        a = after,
        b = before,
        after = after_counts,
        before = before_counts,
    )
}

/// That all checks pass on both sides, and whether the cases are too easy.
fn all_passed(facts: Facts<'_>, change: &Change, [before, after]: [&str; 2]) -> String {
    let language = facts.language;
    // Half a grading would otherwise read as if nothing had failed.
    let unjudged = change.gain.unjudged;
    if unjudged[0] + unjudged[1] > 0 {
        let compared = change.gain.after.graded();
        let checks = language.count(compared + unjudged[0].max(unjudged[1]), "check");
        return say!(language, "verdict.why_easy_in_part", n = compared, checks);
    }
    let name = &change.after.configuration;
    let is_same_name = change.before.configuration == *name;
    let key = if is_same_name { "verdict.all_pass_again" } else { "verdict.all_pass" };
    let passed = say!(language, key, name, a = after, b = before);
    // What passes now may have failed before: then these cases did show a difference.
    let next = match digest::earlier_failures(facts.workspace, facts.analysis, change) {
        Some(earlier) if earlier.is_compared => say!(
            language,
            "verdict.failed_earlier",
            name = earlier.configuration,
            failed = earlier.failed,
            checks = language.count(earlier.checks, "check"),
            iteration = facts.workspace.iterations[earlier.iteration].name,
        ),
        // A side that is not compared here failed some: the cases are not too easy for it.
        Some(_) => String::new(),
        // That the cases are easy is no fault of a skill that was changed.
        None => String::new(),
    };
    language.sentences([passed, next])
}

/// The earlier and the later side: by their iterations if these differ.
fn side_names(facts: Facts<'_>, change: &Change) -> [String; 2] {
    change.sides().map(|side| {
        let name = if change.is_within_iteration() {
            &side.configuration
        } else {
            &facts.workspace.iterations[side.iteration].name
        };
        cut_line(name, NAME_LENGTH)
    })
}

/// What the missing verdicts could do: both sides with them counted against the later one.
fn could_be(gain: &Gain, [before, after]: [&str; 2], language: &Language) -> Option<String> {
    let worst = gain.worst.as_deref()?;
    let rates = verdict::rates(worst, language)?;
    Some(of_both("verdict.why_not_decided", [before, after], rates, language))
}

/// What both sides, `a` the later one, have in the text at `key`.
fn of_both(key: &str, [b, a]: [&str; 2], shown: Difference, language: &Language) -> String {
    say!(language, key, a, b, after = shown.after, before = shown.before)
}

/// The reason for the word, in sentences that name both sides.
pub(crate) fn reason(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let [before, after] = side_names(facts, change);
    let Some(paired) = gain.paired() else {
        return not_compared(facts, change, [&before, &after]);
    };
    if gain.undecided().is_some() {
        return could_be(gain, [&before, &after], language).unwrap_or_default();
    }
    let mut sentences = Vec::new();
    let mut key = reason_key(gain, &paired);
    if gain.measure() == Measure::Score
        && let Some(score_key) = score_key(gain.verdict())
    {
        sentences.extend(score_means(gain, [&before, &after], language));
        key = score_key;
    }
    let interval = digest::interval(gain);
    let checks = gain.after.graded();
    let others = paired.cases - paired.better.max(paired.worse);
    let ahead = if paired.mean > 0.0 { paired.better } else { paired.worse };
    let mut first = say!(
        language,
        key,
        a = after,
        b = before,
        n = paired.cases,
        cases = language.count(paired.cases, "case"),
        checks = language.count(checks, "check"),
        better = paired.better,
        worse = paired.worse,
        others = language.count(others, "rest_case"),
        ahead = language.share_of_cases(ahead, paired.cases),
        low = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.low)),
        high = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.high)),
    );
    if key == "verdict.all_pass" {
        first = all_passed(facts, change, [&before, &after]);
    }
    sentences.push(first);
    language.sentences(sentences)
}

/// Why two sides with runs cannot be compared.
fn no_comparison_key(change: &Change) -> &'static str {
    let gain = &change.gain;
    if !gain.unlike.is_empty() {
        "verdict.why_unlike"
    } else if !gain.negative.is_empty() {
        "verdict.why_negative"
    } else if !change.is_within_iteration() {
        "verdict.why_other_cases"
    } else {
        "verdict.why_nothing"
    }
}

/// The sentence on checks.
fn reason_key(gain: &Gain, paired: &PairedGain) -> &'static str {
    let is_one_way = paired.better.min(paired.worse) == 0;
    match gain.word() {
        VerdictWord::NoComparison | VerdictWord::NotDecided => "verdict.why_nothing",
        VerdictWord::Better => "verdict.why_better",
        VerdictWord::BetterOnTheseCases => "verdict.why_better_here",
        VerdictWord::Worse => "verdict.why_worse",
        VerdictWord::WorseOnTheseCases => "verdict.why_worse_here",
        VerdictWord::ProbablyBetter if is_one_way => "verdict.why_probably_better",
        VerdictWord::ProbablyWorse if is_one_way => "verdict.why_probably_worse",
        VerdictWord::ProbablyBetter | VerdictWord::ProbablyWorse => "verdict.why_mixed",
        VerdictWord::AboutTheSame { shared: Some(SharedOutcome::AllPassed) } => "verdict.all_pass",
        VerdictWord::AboutTheSame { shared: Some(SharedOutcome::AllFailed) } => "verdict.why_hard",
        VerdictWord::AboutTheSame { shared: None } => match gain.verdict().claim() {
            Some(ClaimScope::CasesLikeThese) => "verdict.why_near",
            _ => "verdict.why_same",
        },
        VerdictWord::UpInAll { cases: 1 } | VerdictWord::DownInAll { cases: 1 } => {
            "verdict.why_one_case"
        }
        VerdictWord::UpInAll { .. } | VerdictWord::DownInAll { .. } => "verdict.why_all",
        VerdictWord::UpInSome { .. } | VerdictWord::DownInSome { .. } => "verdict.why_some",
        VerdictWord::Mixed => "verdict.why_wide",
        VerdictWord::NoClearDifference if paired.cases == 1 => "verdict.why_one_case",
        VerdictWord::NoClearDifference if paired.cases >= gain.cases_to_settle() => {
            "verdict.why_wide"
        }
        VerdictWord::NoClearDifference => "verdict.why_few",
    }
}

/// The sentence after the mean scores; `None` if one about checks follows.
fn score_key(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Better(_) | Verdict::ProbablyBetter => Some("verdict.score_ahead"),
        Verdict::Worse(_) | Verdict::ProbablyWorse => Some("verdict.score_behind"),
        Verdict::Unclear | Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => {
            Some("verdict.score_range")
        }
        Verdict::NoComparison | Verdict::AboutTheSame(_) => None,
    }
}

fn score_means(gain: &Gain, [before, after]: [&str; 2], language: &Language) -> Option<String> {
    let means = verdict::compared(gain, language)?;
    Some(of_both("verdict.score_means", [before, after], means, language))
}
