//! What is behind the letters A and B of a blind comparison.

use crate::model::{BlindComparison, Winner};
use crate::render::html::Site;

/// The version or configuration behind each letter, where that is recorded.
pub(super) struct Behind {
    /// Behind A.
    pub(super) a: Option<String>,
    /// Behind B.
    pub(super) b: Option<String>,
    /// Both, without their letters, where only that is known.
    pair: Option<(String, String)>,
}

impl Behind {
    /// What `found` records. Where one letter and both versions are known, the other letter is the
    /// other version; nothing else is concluded.
    pub(super) fn of(found: &BlindComparison) -> Self {
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

    /// What is behind one letter, or that this is not known.
    pub(super) fn name(&self, site: Site<'_>, letter: Winner) -> String {
        let name = if letter == Winner::A { &self.a } else { &self.b };
        name.clone().unwrap_or_else(|| site.language.text("comparisons.not_known").to_owned())
    }

    /// What is behind the letters, in a sentence.
    pub(super) fn in_words(&self, site: Site<'_>) -> String {
        let language = site.language;
        match (&self.a, &self.b, &self.pair) {
            (None, None, Some((first, second))) => {
                language.fill("comparisons.pair", &[("first", first), ("second", second)])
            }
            (None, None, None) => language.text("comparisons.blind").to_owned(),
            _ => {
                let [a, b] = [Winner::A, Winner::B].map(|letter| self.name(site, letter));
                language.fill("comparisons.behind", &[("a", &a), ("b", &b)])
            }
        }
    }
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
