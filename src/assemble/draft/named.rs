//! The name of a case where the metadata of its configurations says it: without the configuration
//! behind it, as in `csv (with_skill)` and `csv - with_skill`, where that is no part of the name.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::{IterationKey, Section, names};
use crate::read::Record;

/// What joins a name and the configuration behind it.
const DASHES: [char; 3] = ['-', '–', '—'];

/// A name in the metadata of a case, and the configuration whose folder that lies in; none is empty.
#[derive(Clone, Copy, Debug)]
struct Said<'r> {
    path: &'r str,
    configuration: &'r str,
    name: &'r str,
    head: Option<&'r str>,
}

/// The configurations by what their metadata calls a case.
type Sayers<'r> = BTreeMap<&'r str, BTreeSet<&'r str>>;

/// The names that end in their configuration without it, by the path of the metadata.
pub(super) fn cut(section: &Section, records: &[Record]) -> BTreeMap<String, String> {
    let mut cases: BTreeMap<(&IterationKey, &str), Vec<Said<'_>>> = BTreeMap::new();
    for (document, record) in section.documents.iter().zip(records) {
        let place = &document.place;
        let name = record.case.as_ref().and_then(|case| case.name.as_deref());
        let Some((case, name)) = place.case.as_deref().zip(name) else { continue };
        let configuration = place.configuration.as_deref().unwrap_or_default();
        let head = without_configuration(name, configuration);
        let said = Said { path: &document.path, configuration, name, head };
        cases.entry((&place.iteration, case)).or_default().push(said);
    }
    let cut = |(path, head): (&str, &str)| (path.to_owned(), head.to_owned());
    cases.values().flat_map(|all| cut_of(all)).map(cut).collect()
}

/// The paths of the metadata of one case whose names are cut, and what is left of them.
fn cut_of<'r>(all: &[Said<'r>]) -> Vec<(&'r str, &'r str)> {
    let (mut names, mut heads) = (Sayers::new(), Sayers::new());
    for said in all {
        names.entry(said.name).or_default().insert(said.configuration);
        if let Some(head) = said.head {
            heads.entry(head).or_default().insert(said.configuration);
        }
    }
    let cut = |said: &Said<'r>| {
        let has_other = |sayers: &Sayers<'_>, name: &str| {
            sayers.get(name).is_some_and(|them| them.iter().any(|it| *it != said.configuration))
        };
        // What several sides say alike is the name of the case, whatever it ends in.
        let head = said.head.filter(|_| !has_other(&names, said.name))?;
        let is_said = has_other(&names, head) || has_other(&heads, head);
        (is_said || is_beyond_doubt(said.configuration)).then_some((said.path, head))
    };
    all.iter().filter_map(cut).collect()
}

/// Whether no case would end in the configuration by chance, as `port-to-rust` does in `rust`.
fn is_beyond_doubt(configuration: &str) -> bool {
    names::is_configuration(configuration) && names::fold(configuration).contains('_')
}

/// What stands before the configuration at the end of a name; `None` where that is not its end.
fn without_configuration<'n>(name: &'n str, configuration: &str) -> Option<&'n str> {
    let name = name.trim_end();
    let own = names::fold(configuration);
    let is_own = |text: &str| names::fold(text.trim()) == own;
    let bracketed = || {
        let (head, inner) = name.strip_suffix(')')?.rsplit_once('(')?;
        is_own(inner).then_some(head)
    };
    // Folding a text never leaves fewer characters, so that no longer end is looked at.
    let longest = own.chars().count();
    let dashed = || {
        let ends =
            name.rmatch_indices(DASHES).map(|(at, dash)| (at, name[at + dash.len()..].trim()));
        let mut short = ends.take_while(|(_, end)| end.chars().count() <= longest);
        short.find(|(_, end)| is_own(end)).map(|(at, _)| &name[..at])
    };
    let is_joint = |c: char| c.is_whitespace() || DASHES.contains(&c);
    let head = bracketed().or_else(dashed)?.trim_end_matches(is_joint);
    (!head.is_empty()).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::without_configuration;

    #[test]
    fn a_name_of_many_dashes_is_looked_at_from_its_end_alone() {
        let dashes = "-a".repeat(200_000);
        assert_eq!(without_configuration(&dashes, "with_skill"), None);
        let name = format!("{dashes} - With Skill");
        assert_eq!(without_configuration(&name, "with_skill"), Some(&dashes[..]));
        assert_eq!(without_configuration(&"- ".repeat(200_000), "-"), None);
    }
}
