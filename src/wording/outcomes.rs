//! Does the skill still earn its place? The outcomes over time, in words.

use crate::analyze::{EarlierGain, Measure, NamedOutcome, OutcomeOverTime};
use crate::language::{Language, say};
use crate::wording::{Facts, verdict};
use text::fixed;

/// The outcome in a few words: `Baseline caught up`.
pub(crate) fn word(outcome: NamedOutcome, language: &Language) -> &str {
    language.text(match outcome {
        NamedOutcome::SignFlip => "outcomes.sign_flip",
        NamedOutcome::LostIt => "outcomes.lost_it",
        NamedOutcome::BaselineCaughtUp => "outcomes.caught_up",
        NamedOutcome::StillEarns => "outcomes.still_earns",
    })
}

/// `Baseline caught up. Without the skill 64 % → 95 % since iteration-2; with it 96 %.` `None` for a
/// gain without an earlier one: nothing can be said about time.
pub(crate) fn sentence(facts: Facts<'_>, found: &OutcomeOverTime) -> Option<String> {
    let language = facts.language;
    let EarlierGain { iteration, gain, with_skill, without_skill, .. } = found.before.as_ref()?;
    let measure = found.measure;
    let (key, moved) = match found.outcome {
        NamedOutcome::SignFlip => ("outcomes.was_and_is", with_skill),
        NamedOutcome::LostIt => ("outcomes.why_lost_it", with_skill),
        NamedOutcome::BaselineCaughtUp => ("outcomes.why_caught_up", without_skill),
        NamedOutcome::StillEarns => ("outcomes.was_and_is", with_skill),
    };
    let [before, after] = moved.means.map(|mean| shown_mean(mean, measure, language));
    let sentence = say!(
        language,
        key,
        iteration = facts.workspace.iterations[*iteration].name,
        before,
        after,
        with = shown_mean(with_skill.means[1], measure, language),
        was = verdict::number(measure, *gain),
        now = verdict::number(measure, found.gain),
    );
    let word = say!(language, "verdict.headline_alone", word = word(found.outcome, language));
    let text = language.sentences([word, sentence]);
    let Some(condition) = &found.condition else { return Some(text) };
    Some(say!(language, "outcomes.under", condition, text))
}

fn shown_mean(mean: f64, measure: Measure, language: &Language) -> String {
    match measure {
        Measure::PassRate => language.percent(mean),
        Measure::Score => fixed(mean, 2),
    }
}
