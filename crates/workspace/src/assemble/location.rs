//! Where a record belongs: by its folders first, then by its own statements.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::Labels;
use input::discover::{FileLevels, IterationKey};
use input::model::{Case, UNASSIGNED, UNNAMED};
use input::names;
use text::folded_name;

/// The configuration of unnamed runs where iterations are versions of the skill: they ran that version.
const SKILL: &str = "skill";

/// The default configuration of an iteration's runs where none is named.
pub(super) fn unnamed(iteration: &IterationKey) -> &'static str {
    match iteration {
        IterationKey::Folder(path) if names::version_number(names::file_name(path)).is_some() => {
            SKILL
        }
        _ => UNNAMED,
    }
}

/// Whether a configuration's name is our default for an unnamed one.
pub(super) fn is_stand_in(configuration: &str) -> bool {
    [UNNAMED, UNASSIGNED, SKILL].contains(&configuration)
}

/// The folders of cases by each of their names; the first in order is taken.
type FoldersByName = BTreeMap<String, BTreeSet<String>>;

/// The cases of one iteration by folder, with the facts that labels are matched against.
#[derive(Debug, Default)]
pub(super) struct KnownCases {
    /// The id and the name of each, if metadata states them.
    stated: BTreeMap<String, (Option<String>, Option<String>)>,
    by_id: FoldersByName,
    by_number: FoldersByName,
    by_name: FoldersByName,
}

impl KnownCases {
    pub(super) fn add(&mut self, folder: &str) {
        if self.stated.contains_key(folder) {
            return;
        }
        self.stated.insert(folder.to_owned(), (None, None));
        add(&mut self.by_name, folded_name(folder), folder);
        if let Some((number, _)) = names::case_number(folder) {
            add(&mut self.by_number, number, folder);
        }
    }

    /// Adds a case's description from a metadata document; the first statement counts.
    pub(super) fn describe(&mut self, folder: &str, planned: &Case) {
        self.add(folder);
        let (id, name) = self.stated.entry(folder.to_owned()).or_default();
        if let (None, Some(stated)) = (&id, &planned.id) {
            *id = Some(stated.clone());
            add(&mut self.by_id, stated.clone(), folder);
        }
        if let (None, Some(stated)) = (&name, planned.stated_name()) {
            *name = Some(stated.to_owned());
            add(&mut self.by_name, folded_name(stated), folder);
        }
    }

    /// The folder of the case that `labels` name; the label itself when no case matches.
    pub(super) fn find(&self, labels: &Labels) -> Option<String> {
        let (id, name) = (labels.case_id.as_deref(), labels.case_name.as_deref());
        let by_id = id.and_then(|id| self.by_id(id));
        let known = by_id.or_else(|| self.by_name(name?)).or_else(|| self.by_name(id?));
        known.or(name).map(str::to_owned).or_else(|| id.map(names::case_of_id))
    }

    /// The folder of the case that the id in `labels` names, if it clearly differs from `folder`.
    pub(super) fn find_other(&self, folder: &str, labels: &Labels) -> Option<&str> {
        let id = labels.case_id.as_deref()?;
        let (stated_id, _) = self.stated.get(folder)?;
        let is_own = match stated_id {
            Some(stated_id) => stated_id == id,
            None => {
                names::case_number(folder).is_some_and(|(number, _)| number == names::unpadded(id))
            }
        };
        let is_own = is_own || self.by_name(id) == Some(folder);
        self.by_id(id).filter(|other| !is_own && *other != folder)
    }

    fn by_id(&self, id: &str) -> Option<&str> {
        first(&self.by_id, id).or_else(|| first(&self.by_number, names::unpadded(id)))
    }

    fn by_name(&self, name: &str) -> Option<&str> {
        first(&self.by_name, &folded_name(name))
    }
}

fn add(folders: &mut FoldersByName, name: String, folder: &str) {
    folders.entry(name).or_default().insert(folder.to_owned());
}

fn first<'f>(folders: &'f FoldersByName, name: &str) -> Option<&'f str> {
    folders.get(name)?.first().map(String::as_str)
}

/// Whether both are present and differ.
pub(super) fn differ<T: AsRef<str>>(a: &Option<T>, b: &Option<T>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.as_ref().trim() != b.as_ref().trim(),
        _ => false,
    }
}

/// The number in a numeric id: 3 in `eval-3`.
pub(super) fn number_of(id: &str) -> &str {
    let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
    let word = folded_name(&id[..id.len() - digits.len()]);
    let is_word = names::CASE_WORDS.contains(&word.trim_end_matches('_'));
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if is_word && is_number { digits } else { id }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunLocation {
    pub(super) iteration: IterationKey,
    /// The case's folder or label; empty if unknown.
    pub(super) case: String,
    /// The configuration; `None` where neither folder nor document names one.
    pub(super) configuration: Option<String>,
    pub(super) run: Option<u32>,
}

/// The iterations by the names of their folders; `None` if several share one.
pub(super) type IterationsByName = BTreeMap<String, Option<IterationKey>>;

/// The folder's iteration; else the one that the record names, for runs outside any.
pub(super) fn iteration_of(
    place: &FileLevels,
    labels: &Labels,
    rounds: &IterationsByName,
) -> IterationKey {
    let is_open = place.iteration == IterationKey::default() && !place.is_in_run();
    match (&labels.iteration, &labels.version) {
        (Some(name), _) if is_open => {
            let named = rounds.get(&folded_name(name)).cloned().flatten();
            named.unwrap_or_else(|| IterationKey::Folder(name.clone()))
        }
        (None, Some(version)) if is_open && version.bytes().all(|b| b.is_ascii_digit()) => {
            IterationKey::Folder(format!("v{version}"))
        }
        _ => place.iteration.clone(),
    }
}

/// The folder's configuration, else the document's own below the groups of its folder.
pub(super) fn configuration_of(place: &FileLevels, labels: &Labels) -> Option<String> {
    let (configuration, group, label) = (&place.configuration, &place.group, &labels.configuration);
    match (group, label) {
        (Some(group), Some(label))
            if label != group && configuration.as_ref().is_none_or(|o| o == group) =>
        {
            Some(format!("{group}/{label}"))
        }
        _ => configuration.clone().or_else(|| label.clone()),
    }
}
