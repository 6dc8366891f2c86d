//! One round under several models or harnesses, in one sentence: no single one of them speaks for the
//! round.

use crate::analyze::{Change, Side, Verdict, VerdictWord, is_harness, is_model};
use crate::language::say;
use crate::text::folded_name;
use crate::wording::{Facts, headline, verdict};

/// Conditions that are named; the rest are counted.
const NAMED_CONDITIONS: usize = 4;

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
    let same = changes.iter().filter(|(_, change)| is_same(change)).count();
    let better = changes.iter().filter(|(_, change)| is_better(change)).count();
    let worse = changes.iter().filter(|(_, change)| change.gain.verdict().is_worse()).count();
    let (key, n) = if worse == total {
        ("verdict.worse_under_all", 0)
    } else if worse > 0 && worse >= better {
        ("verdict.worse_under", worse)
    } else if better == total {
        ("verdict.better_under_all", 0)
    } else if better > 0 {
        ("verdict.better_under", better)
    } else if same == total {
        ("verdict.same_under", 0)
    } else if let Some(key) = shared_direction(&changes) {
        (key, 0)
    } else {
        ("verdict.open_under", 0)
    };
    let noun = noun(facts, &changes);
    let total = match n {
        0 => facts.language.all(total, noun),
        _ => facts.language.count(total, noun),
    };
    Some(say!(facts.language, key, n, total))
}

/// The word where no condition is sure and all moved one way.
fn shared_direction(changes: &[(&str, &Change)]) -> Option<&'static str> {
    let mut directions = Vec::new();
    for (_, Change { gain, .. }) in changes {
        directions.push(gain.measure().direction(gain.shown()?.mean));
    }
    if directions.iter().all(|direction| direction.is_gt()) {
        return Some("verdict.up_under");
    }
    if directions.iter().all(|direction| direction.is_lt()) {
        return Some("verdict.down_under");
    }
    None
}

/// What the conditions of a round are: models or harnesses where their names are known.
fn noun(facts: Facts<'_>, changes: &[(&str, &Change)]) -> &'static str {
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for (name, _) in changes {
        parts.push(name.split_once('/').unwrap_or(("", name)));
    }
    let (first_harness, first_model) = parts[0];
    let mut names: Vec<&str> = parts.iter().map(|(_, model)| *model).collect();
    if parts.iter().any(|(harness, _)| *harness != first_harness) {
        // `codex/gpt-5` and `opencode/opus` differ in both.
        if names.iter().any(|model| *model != first_model) {
            return "under_condition";
        }
        names = parts.iter().map(|(harness, _)| *harness).collect();
    }
    let harnesses = names.iter().filter(|name| is_harness(name)).count();
    let sides = changes.iter().map(|(_, change)| &change.after);
    let recorded: Vec<&String> =
        sides.filter_map(|side| facts.analysis.models_of(side)).flatten().collect();
    let mut others = names.iter().filter(|name| !is_harness(name));
    let are_models = others.all(|name| {
        is_model(name)
            || recorded.iter().any(|model| folded_name(model).contains(&folded_name(name)))
    });
    match harnesses {
        // `codex`, `claude` and `gemini` are harnesses, though two of them are models as well.
        1.. if are_models => "under_harness",
        0 if are_models => "under_model",
        _ => "under_condition",
    }
}

/// The verdict of the round, by which it has a sign and a color: that of all conditions if they agree
/// on a direction, else unclear. `None` for a round under one condition.
pub(crate) fn shared_verdict(facts: Facts<'_>, after: &Side) -> Option<Verdict> {
    let changes = changes(facts, after);
    let (_, first) = changes.first()?;
    let do_agree = changes.iter().all(|(_, change)| is_better(change))
        || changes.iter().all(|(_, change)| change.gain.verdict().is_worse());
    Some(if do_agree { first.gain.verdict() } else { Verdict::Unclear })
}

/// `gpt-a +75 points, gpt-b +75 points, gpt-c both 100 %.`
pub(crate) fn sentence(facts: Facts<'_>, after: &Side) -> Option<String> {
    let language = facts.language;
    let mut gains = Vec::new();
    for (condition, change) in changes(facts, after) {
        let Some(paired) = change.gain.paired() else { continue };
        let mut size = verdict::size(change.gain.measure(), paired.mean, language);
        if let word @ VerdictWord::NotDecided = change.gain.word() {
            size = headline::word_alone(word, language).to_lowercase();
        }
        if let VerdictWord::AboutTheSame { level: Some(level) } = change.gain.word() {
            size = headline::both(level, language);
        }
        gains.push(say!(language, "verdict.under", condition, size));
    }
    if gains.is_empty() {
        return None;
    }
    let gains = language.first_few(gains, NAMED_CONDITIONS, "list.comma");
    Some(say!(language, "verdict.by_condition", gains))
}

fn is_same(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::AboutTheSame(_))
}

fn is_better(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter)
}
