//! One round under several models or harnesses, in one sentence: no single one of them speaks for the
//! round.

use std::cmp::Ordering;

use crate::analyze::{Change, Gain, Side, UnderCondition, Verdict, VerdictWord};
use crate::digest::Comparisons;
use crate::language::{Language, say};
use crate::wording::{Facts, changes, headline, verdict};
use input::names;
use text::folded_name;

/// Conditions that are named; the rest are counted.
const NAMED_CONDITIONS: usize = 4;

/// Other skills of the round whose gains are named.
const NAMED_SKILLS: usize = 2;

/// The comparisons of the round of `after` by condition; empty for a round under one.
fn changes<'a>(facts: Facts<'a>, after: &Side) -> Vec<(&'a str, &'a Change)> {
    let mut changes = facts.analysis.by_condition(facts.workspace, after);
    if changes.len() < 2 {
        changes.clear();
    }
    changes
}

/// `Better under 2 of 3 models`; `None` for a round under one condition.
pub(crate) fn word(facts: Facts<'_>, after: &Side) -> Option<String> {
    let changes = changes(facts, after);
    let total = changes.len();
    if total == 0 {
        return None;
    }
    let better = number(&changes, is_better);
    let worse = number(&changes, |change| change.gain.verdict().is_worse());
    let [up, down] = [Ordering::Greater, Ordering::Less]
        .map(|way| changes.iter().filter(|(_, change)| direction(&change.gain) == way).count());
    let (key, n) = if worse == total {
        ("verdict.worse_under_all", 0)
    } else if worse > 0 && worse >= better {
        ("verdict.worse_under", worse)
    } else if better == total {
        ("verdict.better_under_all", 0)
    } else if better > 0 && down > 0 {
        ("verdict.better_and_down_under", better)
    } else if better > 0 {
        ("verdict.better_under", better)
    } else if number(&changes, is_same) == total {
        ("verdict.same_under", 0)
    } else if up == total {
        ("verdict.up_under", 0)
    } else if down == total {
        ("verdict.down_under", 0)
    } else if up > 0 && down > 0 {
        ("verdict.depends_under", up)
    } else if up > 0 {
        ("verdict.up_under_some", up)
    } else if down > 0 {
        ("verdict.down_under_some", down)
    } else {
        ("verdict.open_under", 0)
    };
    let noun = noun(facts, &changes);
    let total = match n {
        0 => facts.language.all(total, noun),
        _ => facts.language.count(total, noun),
    };
    Some(say!(facts.language, key, n, total, m = down))
}

/// The condition that fell most; `None` where none did, or in a round under one.
pub(crate) fn most_down<'a>(facts: Facts<'a>, after: &Side) -> Option<&'a str> {
    let mut down = changes(facts, after);
    down.retain(|(_, change)| direction(&change.gain) == Ordering::Less);
    let (name, _) = down.into_iter().min_by(|a, b| mean(a.1).total_cmp(&mean(b.1)))?;
    Some(name)
}

fn number(changes: &[(&str, &Change)], is: fn(&Change) -> bool) -> usize {
    changes.iter().filter(|(_, one)| is(one)).count()
}

fn mean(change: &Change) -> f64 {
    change.gain.shown().map_or(0.0, |paired| paired.mean)
}

/// Where the gain points as it is shown: less than half a point is 0.
fn direction(gain: &Gain) -> Ordering {
    let Some(paired) = gain.shown() else { return Ordering::Equal };
    gain.measure().direction(paired.mean)
}

/// What the conditions of a round are: models or harnesses where their names are known.
fn noun(facts: Facts<'_>, changes: &[(&str, &Change)]) -> &'static str {
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for (name, _) in changes {
        parts.push(name.split_once('/').unwrap_or(("", name)));
    }
    let (first_harness, first_model) = parts[0];
    let mut models: Vec<&str> = parts.iter().map(|(_, model)| *model).collect();
    if parts.iter().any(|(harness, _)| *harness != first_harness) {
        // `codex/gpt-5` and `opencode/opus` differ in both.
        if models.iter().any(|model| *model != first_model) {
            return "under_condition";
        }
        models = parts.iter().map(|(harness, _)| *harness).collect();
    }
    let harnesses = models.iter().filter(|name| names::is_harness(name)).count();
    let sides = changes.iter().map(|(_, change)| &change.after);
    let recorded: Vec<&String> =
        sides.filter_map(|side| facts.analysis.models_of(side)).flatten().collect();
    let mut others = models.iter().filter(|name| !names::is_harness(name));
    let are_models = others.all(|name| {
        names::begins_as_model(name)
            || recorded.iter().any(|model| folded_name(model).contains(&folded_name(name)))
    });
    match harnesses {
        // `codex`, `claude` and `gemini` are harnesses, though two of them are models as well.
        1.. if are_models => "under_harness",
        0 if are_models => "under_model",
        _ => "under_condition",
    }
}

/// The verdict of the round, by which it has a sign and a color: that of the first condition if all
/// agree on its direction, else unclear. `None` for a round under one condition.
pub(crate) fn shared_verdict(facts: Facts<'_>, after: &Side) -> Option<Verdict> {
    let changes = changes(facts, after);
    let (_, first) = changes.first()?;
    let do_agree = changes.iter().all(|(_, change)| is_better(change))
        || changes.iter().all(|(_, change)| change.gain.verdict().is_worse());
    Some(if do_agree { first.gain.verdict() } else { Verdict::Unclear })
}

/// `gpt-a +75 points, gpt-b +75 points, gpt-c both 100 %.` Of several skills each has a sentence.
pub(crate) fn sentence(facts: Facts<'_>, after: &Side) -> Option<String> {
    let language = facts.language;
    let gains = gains(changes(facts, after), language)?;
    let all = &facts.analysis.iterations[after.iteration].under_conditions;
    let own = all.iter().find(|under| under.after == *after);
    let mut others: Vec<&UnderCondition> = Vec::new();
    for under in all {
        let is_known =
            own.into_iter().chain(others.iter().copied()).any(|one| one.arm == under.arm);
        if own.is_some() && !is_known {
            others.push(under);
        }
    }
    let Some(own) = own.filter(|_| !others.is_empty()) else {
        return Some(say!(language, "verdict.by_condition", gains));
    };
    let mut sentences = vec![say!(language, "verdict.by_condition_of", skill = own.arm, gains)];
    for other in others.into_iter().take(NAMED_SKILLS) {
        if let Some(gains) = self::gains(changes(facts, &other.after), language) {
            sentences.push(say!(language, "verdict.by_condition_of", skill = other.arm, gains));
        }
    }
    Some(language.sentences(sentences))
}

/// The gain under each condition; `None` where none is known.
fn gains(changes: Vec<(&str, &Change)>, language: &Language) -> Option<String> {
    let mut gains = Vec::new();
    for (condition, change) in changes {
        let Some(paired) = change.gain.paired() else { continue };
        let mut size = verdict::size(change.gain.measure(), paired.mean, language);
        if let word @ VerdictWord::NotDecided = change.gain.word() {
            size = headline::word_alone(word, language).to_lowercase();
        }
        if let VerdictWord::AboutTheSame { shared: Some(outcome) } = change.gain.word() {
            size = headline::both(outcome, language);
        }
        gains.push(say!(language, "verdict.under", condition, size));
    }
    if gains.is_empty() {
        return None;
    }
    Some(language.first_few(gains, NAMED_CONDITIONS, "list.comma"))
}

/// What regressed since the previous iteration under each condition of the round: no condition hides
/// what another one lost.
pub(crate) fn regressed_since(facts: Facts<'_>, after: &Side) -> Vec<String> {
    let mut sentences = Vec::new();
    for (condition, change) in changes(facts, after) {
        if let Some(previous) = facts.analysis.since_previous(&change.after) {
            sentences.extend(regressed(facts, condition, previous));
        }
    }
    sentences
}

/// What regressed under each condition of the round, since the previous iteration and against its
/// baseline.
pub(crate) fn regressed_at_all(facts: Facts<'_>, after: &Side) -> Vec<String> {
    let mut sentences = regressed_since(facts, after);
    for (condition, change) in changes(facts, after) {
        sentences.extend(regressed(facts, condition, change));
    }
    sentences
}

fn regressed(facts: Facts<'_>, condition: &str, change: &Change) -> Option<String> {
    let changes = Comparisons::empty(facts.workspace, facts.analysis).for_change(change);
    let text = changes::regressed(facts, &changes)?;
    Some(say!(facts.language, "verdict.lost_under", condition, text))
}

fn is_same(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::AboutTheSame(_))
}

fn is_better(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter)
}
