//! The name of a case where the metadata of its configurations says it: without the configuration
//! behind it, as in `csv (with_skill)` and `csv - with_skill`, where that is no part of the name.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::{Section, names};
use crate::model::Case;
use crate::read::Record;
use crate::text::folded_name;

const DASHES: [char; 3] = ['-', '–', '—'];

/// A name in the metadata of a case, and the configuration whose folder that lies in; none is empty.
#[derive(Clone, Copy, Debug)]
struct CaseName<'r> {
    path: &'r str,
    configuration: &'r str,
    name: &'r str,
    head: Option<Head<'r>>,
}

/// What stands before the configuration at the end of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Head<'n> {
    text: &'n str,
    /// Whether the configuration stands apart, in brackets or behind a dash between spaces.
    is_apart: bool,
}

/// The configurations by what their metadata calls a case.
type Configurations<'r> = BTreeMap<&'r str, BTreeSet<&'r str>>;

/// The names that end in their configuration without it, by the path of the metadata. What one
/// iteration says of a case holds in all: a case whose name changed between them would be two.
pub(super) fn cut(section: &Section, records: &[Record]) -> BTreeMap<String, String> {
    let mut cases: BTreeMap<&str, Vec<CaseName<'_>>> = BTreeMap::new();
    for (document, record) in section.documents.iter().zip(records) {
        let place = &document.place;
        let name = record.case.as_ref().and_then(Case::stated_name);
        let Some((case, name)) = place.case.as_deref().zip(name) else { continue };
        let configuration = place.configuration.as_deref().unwrap_or_default();
        let head = without_configuration(name, configuration);
        let found = CaseName { path: &document.path, configuration, name, head };
        cases.entry(case).or_default().push(found);
    }
    let cut = |(path, head): (&str, &str)| (path.to_owned(), head.to_owned());
    cases.values().flat_map(|all| cut_names(all)).map(cut).collect()
}

/// The paths of the metadata of one case whose names are cut, and what is left of them.
fn cut_names<'r>(all: &[CaseName<'r>]) -> Vec<(&'r str, &'r str)> {
    let (mut names, mut heads) = (Configurations::new(), Configurations::new());
    for found in all {
        names.entry(found.name).or_default().insert(found.configuration);
        if let Some(head) = found.head {
            heads.entry(head.text).or_default().insert(found.configuration);
        }
    }
    let cut = |found: &CaseName<'r>| {
        let has_other = |users: &Configurations<'_>, name: &str| {
            users.get(name).is_some_and(|configurations| {
                configurations.iter().any(|configuration| *configuration != found.configuration)
            })
        };
        // What several sides say alike is the name of the case, whatever it ends in.
        let head = found.head.filter(|_| !has_other(&names, found.name))?;
        let has_other_head = has_other(&names, head.text) || has_other(&heads, head.text);
        let is_cut = head.is_apart || has_other_head || is_beyond_doubt(found.configuration);
        is_cut.then_some((found.path, head.text))
    };
    all.iter().filter_map(cut).collect()
}

/// Whether no case would end in the configuration by chance, as `port-to-rust` does in `rust`.
fn is_beyond_doubt(configuration: &str) -> bool {
    names::is_configuration(configuration) && folded_name(configuration).contains('_')
}

/// What stands before the configuration at the end of a name; `None` where that is not its end.
fn without_configuration<'n>(name: &'n str, configuration: &str) -> Option<Head<'n>> {
    let name = name.trim_end();
    let own = folded_name(configuration);
    let is_own = |text: &str| !own.is_empty() && folded_name(text.trim()) == own;
    let bracketed = || {
        let (head, inner) = name.strip_suffix(')')?.rsplit_once('(')?;
        is_own(inner).then_some((head, true))
    };
    // Folding a text never leaves fewer characters, so that no longer end is looked at.
    let longest = own.chars().count();
    let dashed = || {
        let ends = name.rmatch_indices(DASHES).map(|(at, dash)| (at, &name[at + dash.len()..]));
        let mut short = ends.take_while(|(_, end)| end.trim().chars().count() <= longest);
        let (at, end) = short.find(|(_, end)| is_own(end))?;
        let head = &name[..at];
        let is_apart = head.ends_with(char::is_whitespace) && end.starts_with(char::is_whitespace);
        Some((head, is_apart))
    };
    let is_joint = |c: char| c.is_whitespace() || DASHES.contains(&c);
    let (head, is_apart) = bracketed().or_else(dashed)?;
    let text = head.trim_end_matches(is_joint);
    (!text.is_empty()).then_some(Head { text, is_apart })
}

#[cfg(test)]
mod tests {
    use super::{Head, without_configuration};

    #[test]
    fn a_name_of_many_dashes_is_looked_at_from_its_end_alone() {
        let dashes = "-a".repeat(200_000);
        assert_eq!(without_configuration(&dashes, "with_skill"), None);
        let name = format!("{dashes} - With Skill");
        let head = Head { text: &dashes, is_apart: true };
        assert_eq!(without_configuration(&name, "with_skill"), Some(head));
        assert_eq!(without_configuration(&"- ".repeat(200_000), "-"), None);
    }
}
