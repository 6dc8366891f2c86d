//! The versions behind the letters A and B of a blind comparison, and its case. Nothing is guessed:
//! a letter that nobody unblinded stays a letter.

use std::borrow::Cow;
use std::collections::BTreeMap;

use input::model::{BlindComparison, Iteration, Run};
use text::{folded, folded_name};

/// The version or configuration behind each letter, where that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnblindedLabels {
    pub a: Option<String>,
    pub b: Option<String>,
    /// Both, without their letters, where only these are known.
    pub pair: Option<(String, String)>,
}

impl UnblindedLabels {
    /// The mapping that `found` records. Where one letter and both versions are known, the other
    /// letter is the other version; nothing else is concluded.
    pub fn new(found: &BlindComparison) -> Self {
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

/// The cases of an iteration by everything that a comparison may identify its case with. A name
/// that several share means the first of them.
#[derive(Debug, Default)]
pub struct BlindCases<'w> {
    /// By name, folder and id, in one spelling.
    names: BTreeMap<String, usize>,
    folders: BTreeMap<&'w str, usize>,
    prompts: BTreeMap<Cow<'w, str>, usize>,
    /// `None` for a check of several cases.
    checks: BTreeMap<Cow<'w, str>, Option<usize>>,
}

impl<'w> BlindCases<'w> {
    pub fn new(iteration: &'w Iteration) -> Self {
        let mut found = Self::default();
        for (at, case) in iteration.cases.iter().enumerate() {
            let id = case.id.as_deref().map(folded_name);
            let numbered = id.as_ref().map(|id| format!("eval_{id}"));
            let own = [folded_name(&case.name), folded_name(&case.folder)];
            for name in own.into_iter().chain(id).chain(numbered) {
                found.names.entry(name).or_insert(at);
            }
            found.folders.entry(&case.folder).or_insert(at);
            if let Some(prompt) = &case.prompt {
                found.prompts.entry(folded(prompt)).or_insert(at);
            }
            for check in case.runs.iter().flat_map(Run::expectations) {
                let known = found.checks.entry(folded(&check.text)).or_insert(Some(at));
                *known = known.filter(|case| *case == at);
            }
        }
        found
    }

    /// Index of the case of a comparison: by id or name, else by its folder, else by the same
    /// prompt, else by checks that one case alone has.
    pub fn find(&self, comparison: &BlindComparison) -> Option<usize> {
        let by_name =
            comparison.case.as_deref().and_then(|name| self.names.get(&folded_name(name)));
        let found = by_name
            .or_else(|| self.in_folder(&comparison.path))
            .or_else(|| self.prompts.get(&folded(comparison.prompt.as_deref()?)))
            .copied();
        found.or_else(|| self.by_checks(comparison))
    }

    fn in_folder(&self, path: &str) -> Option<&usize> {
        let folders = path.split('/').rev().skip(1).filter(|folder| !folder.is_empty());
        folders.filter_map(|folder| self.folders.get(folder)).min()
    }

    fn by_checks(&self, comparison: &BlindComparison) -> Option<usize> {
        let judged = comparison.a.details.iter().chain(&comparison.b.details);
        let mut cases =
            judged.map(|check| self.checks.get(&folded(&check.text)).copied().flatten());
        let first = cases.next()??;
        cases.all(|case| case == Some(first)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::{BlindCases, UnblindedLabels};
    use input::model::{BlindComparison, Case, Expectation, Grading, Iteration, JudgedSide, Run};

    fn behind(a: Option<&str>, versions: Option<(&str, &str)>) -> [Option<String>; 2] {
        let actual = UnblindedLabels::new(&BlindComparison {
            a: JudgedSide { version: a.map(str::to_owned), ..JudgedSide::default() },
            versions: versions.map(|(first, second)| (first.to_owned(), second.to_owned())),
            ..BlindComparison::default()
        });
        [actual.a, actual.b]
    }

    #[test]
    fn the_other_version_is_behind_the_other_letter() {
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(behind(Some("v1"), Some(("v2", "v1"))), [name("v1"), name("v2")]);
        assert_eq!(behind(Some("v1"), None), [name("v1"), None]);
        assert_eq!(behind(Some("v3"), Some(("v2", "v1"))), [name("v3"), None]);
        assert_eq!(behind(None, Some(("v2", "v1"))), [None, None]);
    }

    #[test]
    fn a_comparison_belongs_to_the_one_case_that_has_its_checks() {
        let check =
            |text: &&str| Expectation { text: (*text).to_owned(), ..Expectation::default() };
        let case = |texts: &[&str]| {
            let expectations = texts.iter().map(check).collect();
            let grading = Grading { expectations, ..Grading::default() };
            let run = Run { gradings: vec![grading], ..Run::default() };
            Case { runs: vec![run], ..Case::default() }
        };
        let cases = vec![case(&["one file", "a sum"]), case(&["one file", "a chart"])];
        let iteration = Iteration { cases, ..Iteration::default() };
        for (texts, expected) in
            [(vec!["a chart"], Some(1)), (vec!["one file"], None), (vec!["a sum", "a chart"], None)]
        {
            let details = texts.iter().map(check).collect();
            let a = JudgedSide { details, ..JudgedSide::default() };
            let comparison = BlindComparison { a, ..BlindComparison::default() };
            assert_eq!(BlindCases::new(&iteration).find(&comparison), expected, "{texts:?}");
        }
    }
}
