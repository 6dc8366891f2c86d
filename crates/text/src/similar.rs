//! Known names that an unknown one probably means.

use crate::folded_name;

/// The known name that `name` is with one or two typing errors; `None` if it is one itself. Other
/// digits are no error: `with_skill_2` is another name than `with_skill`.
pub fn mistyped<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let name = folded_name(name);
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    let mut nearest = None;
    for candidate in known {
        let folded = folded_name(candidate);
        let own: String = folded.chars().filter(|c| c.is_alphabetic()).collect();
        let allowed = if own.len() < 8 { 1 } else { 2 };
        let errors = strsim::osa_distance(&letters, &own);
        if folded == name {
            return None;
        }
        if (1..=allowed).contains(&errors) && nearest.is_none_or(|(least, _)| errors < least) {
            nearest = Some((errors, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// The known name most similar to `name`, for a suggestion to who typed it; one that only belongs to another table comes first.
pub fn most_similar<'k>(name: &str, names: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    /// The least similarity at which a suggestion helps.
    const SIMILAR: f64 = 0.75;
    let name = name.to_lowercase();
    let mut best = None;
    let mut best_score = SIMILAR;
    for candidate in names {
        // People write `fail_on` where `gate.fail_on` is meant.
        let score = if last_part(&candidate.to_lowercase()) == last_part(&name) {
            1.0
        } else {
            strsim::jaro_winkler(&name, candidate)
        };
        if score >= best_score {
            (best, best_score) = (Some(candidate), score);
        }
    }
    best
}

/// What follows the last dot: `fail_on` of `gate.fail_on`.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
