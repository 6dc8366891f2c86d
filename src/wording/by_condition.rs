//! One round under several models or harnesses, in one sentence: no single one of them speaks for the
//! round.

use crate::analyze::{Change, Side, Verdict, VerdictWord};
use crate::language::say;
use crate::text::folded_name;
use crate::wording::{Facts, headline, verdict};

/// Conditions that are named; the rest are counted.
const NAMED_CONDITIONS: usize = 4;

/// Begins of the names of harnesses, folded.
const HARNESSES: &str = "claude_code codex copilot cursor gemini_cli goose opencode aider amp cline \
     windsurf kiro qwen_code";

/// Begins of the names of models, folded.
const MODELS: &str = "model claude gpt o1 o3 o4 gemini gemma opus sonnet haiku llama qwen deepseek \
     mistral grok glm kimi";

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
    let (key, n) = if worse > 0 && worse >= better {
        ("verdict.worse_under", worse)
    } else if better > 0 {
        ("verdict.better_under", better)
    } else if same == total {
        ("verdict.same_under", 0)
    } else {
        ("verdict.open_under", 0)
    };
    let total = facts.language.count(total, noun(facts, &changes));
    Some(say!(facts.language, key, n, total))
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
        // `codex/gpt-5` beside `opencode/opus` differ in both.
        if names.iter().any(|model| *model != first_model) {
            return "under_condition";
        }
        names = parts.iter().map(|(harness, _)| *harness).collect();
    }
    let harnesses = names.iter().filter(|name| is_known(name, HARNESSES)).count();
    let sides = changes.iter().map(|(_, change)| &change.after);
    let recorded: Vec<&String> =
        sides.filter_map(|side| facts.analysis.models_of(side)).flatten().collect();
    let mut others = names.iter().filter(|name| !is_known(name, HARNESSES));
    let are_models = others.all(|name| {
        is_known(name, MODELS)
            || recorded.iter().any(|model| folded_name(model).contains(&folded_name(name)))
    });
    match harnesses {
        // `codex`, `claude` and `gemini` are harnesses, though two of them are models as well.
        1.. if are_models => "under_harness",
        0 if are_models => "under_model",
        _ => "under_condition",
    }
}

/// Whether the name of a condition has a word that begins as one of `known`.
fn is_known(name: &str, known: &str) -> bool {
    let name = folded_name(name);
    known.split(' ').any(|known| {
        name.match_indices(known).any(|(at, _)| at == 0 || name[..at].ends_with(['_', '/']))
    })
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
