//! The first sentences about a result: the verdict in a word with its number, the reason for it,
//! and what follows from it.
//!
//! The overview, `check`, `build`, the comment and the brief begin with them. What the verdict
//! rests on is in [`verdict`].

use crate::analyze::{Change, ClaimScope, Gain, Verdict};
use crate::digest;
use crate::language::{Language, Rate, say};
use crate::statistics::PairedGain;
use crate::text::{self, cut_line};
use crate::wording::{Facts, verdict};

/// Characters of a name in the first sentences.
const NAME_LENGTH: usize = 60;

/// The verdict with the gain: `Better · +24 points.`
pub(crate) fn headline(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let word = word(facts, change);
    if gain.paired().is_none() {
        return say!(language, "verdict.headline_alone", word);
    }
    let is_equal = gain.verdict() == Verdict::AboutTheSame(ClaimScope::TheseCases);
    let size = if is_equal && gain.is_saturated() {
        // Neither side could have been better, so the level says more than a gain of 0.
        say!(language, "verdict.both", rate = language.percent(1.0))
    } else {
        verdict::gain_size(gain, language).unwrap_or_default()
    };
    say!(language, "verdict.headline", word, size)
}

pub(crate) fn sentences(facts: Facts<'_>, change: &Change) -> String {
    facts.language.sentences([headline(facts, change), reason(facts, change)])
}

/// The verdict in a word; the other side is named if it is from another iteration.
pub(crate) fn word(facts: Facts<'_>, change: &Change) -> String {
    let [alone, named] = word_keys(change.gain.verdict());
    if change.is_within_iteration() {
        return facts.language.text(alone).to_owned();
    }
    let other = &facts.workspace.iterations[change.before.iteration].name;
    say!(facts.language, named, other = cut_line(other, NAME_LENGTH))
}

/// Like [`word`], but only good and bad news name the other iteration.
pub(crate) fn short_word(facts: Facts<'_>, change: &Change) -> String {
    match sign(change.gain.verdict()) {
        // "Unclear vs iteration-2" reads as if something had been found out about that iteration.
        "▲" | "▼" => word(facts, change),
        _ => facts.language.text(word_key(change.gain.verdict())).to_owned(),
    }
}

/// The key of the verdict's word.
pub(crate) fn word_key(verdict: Verdict) -> &'static str {
    word_keys(verdict)[0]
}

/// The keys of the verdict's word, alone and with the name of the other side.
fn word_keys(verdict: Verdict) -> [&'static str; 2] {
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
    let number = verdict::number(gain.measure(), gain.paired()?.mean);
    Some(format!("{} {number}", sign(gain.verdict())).trim_start().to_owned())
}

/// The reason for the verdict, in sentences that name both sides.
pub(crate) fn reason(facts: Facts<'_>, change: &Change) -> String {
    let language = facts.language;
    let gain = &change.gain;
    let [before, after] = [&change.before, &change.after].map(|side| {
        let name = if change.is_within_iteration() {
            &side.configuration
        } else {
            &facts.workspace.iterations[side.iteration].name
        };
        cut_line(name, NAME_LENGTH)
    });

    let Some(paired) = gain.paired() else {
        let [before_counts, after_counts] =
            change.sides().map(|side| Rate::counts_of(facts.analysis.tally_of(side)));
        return say!(
            language,
            no_comparison_key(gain),
            a = after,
            b = before,
            after = after_counts,
            before = before_counts,
        );
    };
    let mut sentences = Vec::new();
    let mut key = checks_key(gain, &paired);
    if let Some(means) = gain.scores()
        && let Some(score_key) = score_key(gain.verdict())
    {
        sentences.push(score_means(means, [&before, &after], language));
        key = score_key;
    }
    let interval = digest::interval(gain);
    sentences.push(say!(
        language,
        key,
        a = after,
        b = before,
        cases = language.count(paired.cases, "case"),
        better = paired.better,
        worse = paired.worse,
        ahead = if paired.mean > 0.0 { paired.better } else { paired.worse },
        low = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.low)),
        high = verdict::number(gain.measure(), interval.map_or(0.0, |range| range.high)),
    ));
    // Only a settled verdict says how rare its gap is: readers take "1 time in 4" for a result.
    if let Some(p) = gain.settled_p() {
        let n = text::tokens(verdict::two_digits((1.0 / p.max(1e-9)).floor()));
        sentences.push(say!(language, "verdict.rare", n));
    }
    language.sentences(sentences)
}

/// Why two sides with runs cannot be compared.
fn no_comparison_key(gain: &Gain) -> &'static str {
    if !gain.unlike.is_empty() {
        "verdict.why_unlike"
    } else if !gain.negative.is_empty() {
        "verdict.why_negative"
    } else {
        "verdict.why_nothing"
    }
}

/// The sentence on checks.
fn checks_key(gain: &Gain, paired: &PairedGain) -> &'static str {
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
        Verdict::Unclear if paired.cases >= gain.cases_to_settle() => "verdict.why_wide",
        Verdict::Unclear if !is_one_way => "verdict.why_few",
        Verdict::Unclear if paired.mean > 0.0 => "verdict.why_few_better",
        Verdict::Unclear => "verdict.why_few_worse",
    }
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

fn score_means(means: [f64; 2], [before, after]: [&str; 2], language: &Language) -> String {
    // Two means that differ should not look equal.
    let decimals = if (means[1] - means[0]).abs() < 0.1 { 2 } else { 1 };
    let [mean_before, mean_after] = means.map(|mean| text::fixed(mean, decimals));
    say!(
        language,
        "verdict.score_means",
        a = after,
        b = before,
        after = mean_after,
        before = mean_before,
    )
}
