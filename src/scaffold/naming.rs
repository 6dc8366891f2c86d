//! Names of folders that every file system takes and that `discover` reads as what they are.

use std::collections::BTreeSet;

use crate::discover::names;
use crate::model::Case;
use crate::text::Slugs;

const MAX_LENGTH: usize = 60;

/// Devices of Windows besides those that [`Slugs`] knows: `com1`, `lpt9`.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let numbered = |word: &str| {
        stem.strip_prefix(word)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Whether `discover` takes a folder of this name for something else than a case or configuration.
fn has_a_meaning(name: &str) -> bool {
    names::is_never_entered(name)
        || names::is_container(name)
        || names::is_output_folder(name)
        || names::is_iteration(name)
        || names::is_snapshot(name)
        || names::is_run_list(name)
        || names::is_timestamp(name)
        || names::run_number(name).is_some()
        || names::version_number(name).is_some()
}

#[derive(Default)]
pub(super) struct CaseFolders {
    slugs: Slugs,
}

impl CaseFolders {
    /// The folder of the case at `position`, from 1: its name, else its id, else its position.
    pub(super) fn give(&mut self, case: &Case, position: usize) -> String {
        let id = case.id.as_deref().map(of_id);
        let name = case
            .stated_name()
            .map(str::to_owned)
            .or(id)
            .unwrap_or_else(|| format!("eval-{position}"));
        let plain = hyphened(&name);
        let means = has_a_meaning(&plain) || names::is_configuration(&plain) || is_device(&plain);
        let wanted = match () {
            () if !name.is_ascii() => name,
            () if means => format!("eval-{plain}"),
            () => plain,
        };
        // `eval-3-with-skill` would be read as the case `eval-3` under `with-skill`.
        let ends_otherwise = names::split_configuration_suffix(&wanted).is_none();
        self.slugs.give(&if ends_otherwise { wanted } else { wanted + "-case" })
    }
}

/// A bare number says too little.
fn of_id(id: &str) -> String {
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { format!("eval-{id}") } else { id.to_owned() }
}

/// Lower case with hyphens for all that is no letter, digit or underscore.
fn hyphened(name: &str) -> String {
    let words = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").trim_start_matches('_').to_lowercase()
}

pub(super) fn refuse_configuration(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    match () {
        () if name.is_empty() => Some("a configuration has no name".to_owned()),
        () if name.len() > MAX_LENGTH => {
            Some(format!("a configuration's name has more than {MAX_LENGTH} characters"))
        }
        () if !name.chars().all(is_plain)
            || name.starts_with(['.', '-'])
            || name.ends_with('.') =>
        {
            Some(format!("`{name}` is no name for a folder everywhere{}", instead(name, is_plain)))
        }
        () if is_device(name) => Some(format!("`{name}` is a device on Windows")),
        () if has_a_meaning(name) => {
            Some(format!("a folder called `{name}` is not read as a configuration"))
        }
        () => None,
    }
}

/// What to write instead of a name, where something is left of it.
fn instead(name: &str, is_plain: impl Fn(char) -> bool) -> String {
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = plain.trim_matches(['.', '-', '_']);
    let example = if plain.is_empty() { String::new() } else { format!(": `{plain}`") };
    format!("; use letters, digits, `_`, `-` and `.`{example}")
}

/// The first of `names` that is there twice, without regard to case.
pub(super) fn twice(names: &[String]) -> Option<&str> {
    let mut seen = BTreeSet::new();
    names.iter().find(|name| !seen.insert(name.to_lowercase())).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_cases_are_safe_and_say_what_they_are() {
        let mut folders = CaseFolders::default();
        let mut give = |name: &str| {
            let case = Case { name: name.to_owned(), ..Case::default() };
            folders.give(&case, 1)
        };
        let table = [
            ("Board slides", "board-slides"),
            ("../../etc/passwd", "etc-passwd"),
            ("CON", "eval-con"),
            ("com1", "eval-com1"),
            ("runs", "eval-runs"),
            ("run-3", "eval-run-3"),
            ("iteration-2", "eval-iteration-2"),
            ("with_skill", "eval-with_skill-case"),
            ("old baseline", "eval-old-baseline-case"),
            ("run-test-audit", "run-test-audit"),
        ];
        for (name, folder) in table {
            assert_eq!(give(name), folder);
        }
        assert_ne!(give("board  slides"), "board-slides");
        for name in ["會議", "", "...", &"long ".repeat(100)] {
            let folder = give(name);
            assert!(!folder.is_empty() && folder.len() < 60 && folder.is_ascii(), "{folder}");
        }
    }

    #[test]
    fn a_case_without_a_name_is_called_by_its_id() {
        let mut folders = CaseFolders::default();
        let mut give = |id: Option<&str>| {
            let case = Case { id: id.map(str::to_owned), ..Case::default() };
            folders.give(&case, 7)
        };
        assert_eq!(give(Some("3")), "eval-3");
        assert_eq!(give(Some("case-01")), "case-01");
        assert_eq!(give(None), "eval-7");
    }

    #[test]
    fn configurations_must_be_read_as_such() {
        for name in ["with_skill", "old-skill", "model.2"] {
            assert_eq!(refuse_configuration(name), None, "{name}");
        }
        for name in ["", "../x", "a b", "CON", "nul.txt", "run-1", "outputs", ".git", "v2", "é"] {
            assert!(refuse_configuration(name).is_some(), "{name}");
        }
    }
}
