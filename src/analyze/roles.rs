//! Which configuration is the baseline: by its name, never by the order of folders.

use crate::text::natural_order;

/// Names of baselines, in lower case with `_` for `-`; earlier ones win where several are there.
const BASELINES: &[&str] = &[
    "without_skill",
    "no_skill",
    "without",
    "noskill",
    "baseline",
    "base",
    "control",
    "vanilla",
    "old_skill",
    "original_skill",
    "old",
    "original",
    "previous",
    "before",
    "main",
    "base_branch",
];

/// Words a baseline's name may begin with, or hold between other words.
const BASELINE_STARTS: &[&str] = &[
    "without_",
    "no_",
    "baseline_",
    "old_",
    "original_",
    "previous_",
    "control_",
    "base_",
];

/// Which part each configuration plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// What the others are compared against; `None` where no name says so.
    pub baseline: Option<String>,
    /// The others, in natural order.
    pub candidates: Vec<String>,
    /// Why, in one clause.
    pub reason: String,
}

impl Roles {
    /// Every configuration, candidates before the baseline.
    pub fn order(&self) -> impl Iterator<Item = &str> {
        self.candidates
            .iter()
            .chain(&self.baseline)
            .map(String::as_str)
    }
}

/// The roles of `configurations`.
pub(super) fn of(configurations: &[String]) -> Roles {
    let mut names: Vec<String> = configurations.to_vec();
    names.sort_by(|a, b| natural_order(a, b));
    if names.len() < 2 {
        let reason = "there is only one configuration".to_owned();
        return Roles {
            baseline: None,
            candidates: names,
            reason,
        };
    }
    match baseline(&names) {
        Some(name) => Roles {
            candidates: names
                .iter()
                .filter(|other| **other != name)
                .cloned()
                .collect(),
            reason: format!("{name} is a known name of a baseline"),
            baseline: Some(name),
        },
        None => Roles {
            baseline: None,
            candidates: names,
            reason: "no name among them says which one is the baseline".to_owned(),
        },
    }
}

fn baseline(names: &[String]) -> Option<String> {
    let folded: Vec<(String, &String)> = names.iter().map(|name| (fold(name), name)).collect();
    for known in BASELINES {
        if let Some((_, name)) = folded.iter().find(|(folded, _)| folded == known) {
            return Some((*name).clone());
        }
    }
    let mut started = folded.iter().filter(|(folded, _)| {
        BASELINE_STARTS
            .iter()
            .any(|start| folded.starts_with(start) || folded.contains(&format!("_{start}")))
    });
    match (started.next(), started.next()) {
        (Some((_, name)), None) => Some((*name).clone()),
        _ => None,
    }
}

fn fold(name: &str) -> String {
    name.to_lowercase().replace(['-', ' '], "_")
}

#[cfg(test)]
mod tests {
    use super::of;

    fn baseline(names: &[&str]) -> Option<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        of(&names).baseline
    }

    #[test]
    fn the_name_decides_not_the_order() {
        assert_eq!(
            baseline(&["old_skill", "with_skill"]).as_deref(),
            Some("old_skill")
        );
        assert_eq!(
            baseline(&["with_skill", "old_skill"]).as_deref(),
            Some("old_skill")
        );
        assert_eq!(
            baseline(&["old_skill", "with_skill", "without_skill"]).as_deref(),
            Some("without_skill")
        );
        assert_eq!(
            baseline(&["with_rule", "without_rule"]).as_deref(),
            Some("without_rule")
        );
        assert_eq!(baseline(&["config_a", "config_b"]), None);
        assert_eq!(baseline(&["with_skill"]), None);
        assert_eq!(baseline(&["gpt/with_skill", "opus/with_skill"]), None);
        assert_eq!(
            baseline(&["claude_with_skill", "claude_without_skill"]).as_deref(),
            Some("claude_without_skill")
        );
    }
}
