//! Known names that an unknown one probably means.

use crate::folded_name;

/// The known name that `name` is with one or two typing errors, or without its separators; `None` if it is
/// one itself. Other
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
        let is_near = (1..=allowed).contains(&errors) || joined(&folded) == joined(&name);
        if is_near && nearest.is_none_or(|(least, _)| errors < least) {
            nearest = Some((errors, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

fn joined(folded: &str) -> String {
    folded.replace('_', "")
}

/// The known name most similar to `name`, for a suggestion to who typed it, whatever the case of letters.
/// One with the same last part, such as `gate.fail_on` for `fail_on`, comes first.
pub fn most_similar<'k>(name: &str, names: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    /// The least similarity at which a suggestion helps.
    const SIMILAR: f64 = 0.75;
    let name = name.to_lowercase();
    let mut best = None;
    let mut best_score = 0.0;
    for candidate in names {
        let folded = candidate.to_lowercase();
        let is_same = last_part(&folded) == last_part(&name);
        let score = if is_same { 1.0 } else { strsim::jaro_winkler(&name, &folded) };
        if score >= SIMILAR && score > best_score {
            (best, best_score) = (Some(candidate), score);
        }
    }
    best
}

/// What follows the last dot: `fail_on` of `gate.fail_on`.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{mistyped, most_similar};

    #[test]
    fn a_name_without_its_separators_is_mistyped_and_one_with_a_number_is_not() {
        for (name, expected) in [
            ("withskill", Some("with_skill")),
            ("with_skil", Some("with_skill")),
            ("with-skill", None),
            ("with_skill_2", None),
        ] {
            assert_eq!(mistyped(name, ["old_skill", "with_skill"].into_iter()), expected, "{name}");
        }
    }

    #[test]
    fn the_first_of_the_most_similar_names_is_suggested_in_any_case() {
        let table = [
            ("apac-breif", vec!["EMEA-Summary", "APAC-Brief"], Some("APAC-Brief")),
            ("fail_on", vec!["fail_one", "gate.fail_on"], Some("gate.fail_on")),
            ("case-c", vec!["case-a", "case-b"], Some("case-a")),
            ("case", vec!["other"], None),
        ];
        for (name, known, expected) in table {
            assert_eq!(most_similar(name, known.iter().copied()), expected, "{name}");
        }
    }
}
