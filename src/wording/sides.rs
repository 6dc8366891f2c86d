//! The sides of a comparison: their names, and what differs between them besides the skill.

use crate::analyze::{Against, CasePairs, Change, Choice, ConditionDifferences, Side};
use crate::language::{Language, say};
use crate::wording::Facts;
use input::model::Workspace;

/// `with_skill of iteration-3`.
pub(crate) fn full_name(facts: Facts<'_>, side: &Side) -> String {
    let iteration = &facts.workspace.iterations[side.iteration].name;
    say!(facts.language, "page.side", configuration = side.configuration, iteration)
}

/// The name of a side of `change`: only its configuration if both are in one iteration.
pub(crate) fn name_in(facts: Facts<'_>, change: &Change, side: &Side) -> String {
    if change.is_within_iteration() { side.configuration.clone() } else { full_name(facts, side) }
}

/// Names that tell both sides apart: configurations of one iteration, else iterations, else both.
pub(crate) fn short_names(facts: Facts<'_>, [before, after]: [&Side; 2]) -> [String; 2] {
    [before, after].map(|side| {
        // Names of real iterations are long, so only the part that differs is shown.
        if before.is_within_iteration(after) {
            facts.workspace.iterations[side.iteration].shown_side(&side.configuration)
        } else if before.configuration == after.configuration {
            facts.workspace.iterations[side.iteration].name.clone()
        } else {
            full_name(facts, side)
        }
    })
}

/// A side and what it is compared with: `with_skill vs old_skill`.
pub(crate) fn choice(
    workspace: &Workspace,
    language: &Language,
    pairs: &CasePairs,
    choice: &Choice,
) -> String {
    let pair = &pairs.pairs[choice.pair];
    let other = if pair.after == choice.side { &pair.before } else { &pair.after };
    let iteration = &workspace.iterations[other.iteration].name;
    let (key, other) = match choice.against {
        Against::Baseline | Against::OtherBaseline => {
            ("diff.against_baseline", &other.configuration)
        }
        Against::Previous => ("diff.against_previous", iteration),
        Against::Peer => ("diff.against_peer", &other.configuration),
        Against::Nothing => ("diff.alone", &other.configuration),
        _ => ("diff.against_pinned", iteration),
    };
    say!(language, key, configuration = choice.side.configuration, other)
}

/// Different models or graders on the two sides, which may be the reason for a change; empty if
/// none are known.
pub(crate) fn differences(facts: Facts<'_>, sides: [&Side; 2]) -> String {
    facts.language.sentences(difference_sentences(facts, sides))
}

pub(crate) fn difference_sentences(facts: Facts<'_>, sides: [&Side; 2]) -> Vec<String> {
    let language = facts.language;
    let mut sentences = Vec::new();
    let ConditionDifferences { models, graders } = facts.analysis.other_conditions(sides);
    // Another model or grader explains a change as well as an edit does.
    for (key, names) in [("verdict.models", &models), ("verdict.graders", &graders)] {
        if let Some([before, after]) = names {
            let names = [language.list(before), language.list(after)];
            sentences.push(on_both(key, names, sides, language));
        }
    }
    sentences
}

/// The key of a sentence about both sides. Within one iteration neither is earlier, so another
/// sentence names both.
pub(crate) fn key_about(key: &str, sides: [&Side; 2]) -> String {
    if sides[0].is_within_iteration(sides[1]) { format!("{key}_beside") } else { key.to_owned() }
}

/// A sentence with a value for each side.
pub(crate) fn on_both(
    key: &str,
    [before, after]: [String; 2],
    sides: [&Side; 2],
    language: &Language,
) -> String {
    let [before_side, after_side] = sides.map(|side| &side.configuration);
    say!(language, &key_about(key, sides), before, after, before_side, after_side)
}
