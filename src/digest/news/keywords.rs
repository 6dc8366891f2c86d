//! Verdicts of a program that looks for words: it misses what is right in other words.

use std::sync::LazyLock;

use regex::Regex;

use crate::digest::news::unreliable_runs::evidence;
use crate::digest::news::{Finding, Scene};
use crate::expression::expression;

/// With so many verdicts, and this share of them, a result is that of a search.
const FEWEST: usize = 8;
// In a real workspace 86 of 200 verdicts were such.
const SHARE: f64 = 0.33;

/// What such a grader writes, as in `expert-reviewer` and `conveyancing-skills` of real workspaces.
static SEARCHED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\bkeywords?\b[^.]{0,20}(:|found|match|check)|\b(regex|pattern|substring|fuzzy)\b ?(match|=|search|not found)|no match found|found exact (value|string)",
    )
});

pub(super) fn keyword_search(scene: &Scene<'_>) -> Option<Finding> {
    let sides = std::iter::once(scene.after).chain(scene.lead.map(|lead| &lead.before));
    let (mut checks, mut of) = (0, 0);
    for (_, run) in sides.flat_map(|side| scene.runs(side)) {
        for check in run.counted_expectations() {
            of += 1;
            checks += usize::from(evidence(check).is_some_and(|text| SEARCHED.is_match(text)));
        }
    }
    (checks >= FEWEST && checks as f64 >= of as f64 * SHARE)
        .then_some(Finding::KeywordSearch { checks, of })
}

#[cfg(test)]
mod tests {
    use super::SEARCHED;

    #[test]
    fn a_search_shows_in_what_it_writes() {
        for (text, expected) in [
            ("Keywords found: []", true),
            ("Default keyword check: ['risk']", true),
            ("No match found for the fee (fuzzy=29%)", true),
            ("The answer names the three keywords that the brief asks of it.", false),
            ("The pattern of the fabric is named.", false),
        ] {
            assert_eq!(SEARCHED.is_match(text), expected, "{text}");
        }
    }
}
