//! What is behind the letters A and B of a blind comparison, and which case it is about. Nothing is
//! guessed: a letter that nobody unblinded stays a letter.

use crate::model::{BlindComparison, Iteration};
use crate::text::{folded, folded_name};

/// The version or configuration behind each letter, where that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Behind A.
    pub a: Option<String>,
    /// Behind B.
    pub b: Option<String>,
    /// Both, without their letters, where only that is known.
    pub pair: Option<(String, String)>,
}

impl Behind {
    /// What `found` records. Where one letter and both versions are known, the other letter is the
    /// other version; nothing else is concluded.
    pub fn of(found: &BlindComparison) -> Self {
        let other = |known: &Option<String>| {
            let (known, (first, second)) = (known.as_ref()?, found.versions.as_ref()?);
            let is_first = known == first;
            (is_first != (known == second)).then(|| if is_first { second } else { first }.clone())
        };
        let (a, b) = (&found.a.version, &found.b.version);
        Self {
            a: a.clone().or_else(|| other(b)),
            b: b.clone().or_else(|| other(a)),
            pair: found.versions.clone(),
        }
    }
}

/// Index of the case of a comparison: by id or name, else by the folder it lies in, else by the same
/// prompt.
pub fn case_of(iteration: &Iteration, found: &BlindComparison) -> Option<usize> {
    let cases = &iteration.cases;
    let named = found.case.as_deref().map(folded_name);
    let by_name = named.and_then(|name| {
        cases.iter().position(|case| {
            let id = case.id.as_deref().map(folded_name);
            let own = [folded_name(&case.name), folded_name(&case.folder)];
            own.contains(&name) || id.is_some_and(|id| id == name || format!("eval_{id}") == name)
        })
    });
    let by_folder = || {
        let folders: Vec<&str> = found.path.split('/').rev().skip(1).collect();
        let lies_in = |folder: &str| !folder.is_empty() && folders.contains(&folder);
        cases.iter().position(|case| lies_in(&case.folder))
    };
    let by_prompt = || {
        let prompt = found.prompt.as_deref().map(folded)?;
        cases.iter().position(|case| case.prompt.as_deref().map(folded).as_ref() == Some(&prompt))
    };
    by_name.or_else(by_folder).or_else(by_prompt)
}

#[cfg(test)]
mod tests {
    use super::Behind;
    use crate::model::{BlindComparison, Side};

    fn behind(a: Option<&str>, versions: Option<(&str, &str)>) -> [Option<String>; 2] {
        let found = Behind::of(&BlindComparison {
            a: Side { version: a.map(str::to_owned), ..Side::default() },
            versions: versions.map(|(first, second)| (first.to_owned(), second.to_owned())),
            ..BlindComparison::default()
        });
        [found.a, found.b]
    }

    #[test]
    fn the_other_version_is_behind_the_other_letter() {
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(behind(Some("v1"), Some(("v2", "v1"))), [name("v1"), name("v2")]);
        assert_eq!(behind(Some("v1"), None), [name("v1"), None]);
        assert_eq!(behind(Some("v3"), Some(("v2", "v1"))), [name("v3"), None]);
        assert_eq!(behind(None, Some(("v2", "v1"))), [None, None]);
    }
}
