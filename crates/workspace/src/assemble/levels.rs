//! Which of two levels is the case where folders do not say it: `tea/en/with_skill` next to
//! `soup/en/with_skill`, `dune/ash/with_skill` next to `dune/birch/with_skill`.
//!
//! Discover takes one of them. What the documents hold decides: the plan names the cases, the runs
//! name their model, and checks belong to a case. Where they say that the other level is the case,
//! the two change places in every file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::read::Record;
use input::discover::{FileLevels, IterationKey, Kind, Section, list_again};
use input::names;
use text::folded_name;

/// The two levels of one iteration, or of the folders outside any.
#[derive(Default)]
struct Levels<'a> {
    /// The checks of each folder that was taken for a case, by that for its condition.
    conditions: BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>,
    cases: BTreeSet<&'a str>,
    models: BTreeSet<&'a str>,
    /// Whether a run lies in a case without a condition.
    has_plain_case: bool,
}

/// `section` with cases and conditions as the `records` of its documents have them.
pub(super) fn settle<'s>(section: Cow<'s, Section>, records: &[Record]) -> Cow<'s, Section> {
    let planned = planned_names(records);
    let suites = suites(&section, records, &planned);
    let mut levels: BTreeMap<IterationKey, Levels<'_>> = BTreeMap::new();
    for (document, record) in section.documents.iter().zip(records) {
        let (key, condition) = round_and_condition(&document.place);
        let Some(case) = document.place.case.as_deref() else { continue };
        let levels = levels.entry(key).or_default();
        let Some(condition) = condition else {
            levels.has_plain_case |= document.kind.marks_run();
            continue;
        };
        levels.cases.insert(case);
        levels.models.extend(models(record));
        let checks = levels.conditions.entry(condition).or_default().entry(case).or_default();
        let graded = record.gradings.iter().flat_map(|graded| &graded.grading.expectations);
        checks.extend(graded.map(|check| folded_name(&check.text)));
    }
    let mut sweeps: BTreeSet<IterationKey> = BTreeSet::new();
    let mut swapped: BTreeSet<IterationKey> = BTreeSet::new();
    for (key, levels) in levels {
        if levels.are_swapped(&planned) {
            swapped.insert(key);
        } else if levels.are_models() {
            sweeps.insert(key);
        }
    }
    if swapped.is_empty() && sweeps.is_empty() && suites.is_empty() {
        return section;
    }
    let mut section = section.into_owned();
    for at in suites {
        let place = &mut section.documents[at].place;
        (place.case, place.configuration) = (None, None);
    }
    for place in section.places_mut() {
        swap(place, &swapped);
        join(place, &sweeps);
    }
    list_again(&mut section);
    Cow::Owned(section)
}

/// The round that a file belongs to and the condition in it: a group outside all iterations was taken
/// for a round of its own.
fn round_and_condition(place: &FileLevels) -> (IterationKey, Option<&str>) {
    let key = place.iteration.clone();
    let condition = match &place.configuration {
        Some(configuration) if place.group.as_ref() == Some(configuration) => {
            Some(&**configuration)
        }
        Some(configuration) => configuration.rsplit_once('/').map(|(condition, _)| condition),
        None => place.group.as_deref(),
    };
    match &place.iteration {
        IterationKey::Group(group) if condition.is_none() && !group.is_empty() => {
            let above = IterationKey::Group(names::folder(group).to_owned());
            (above, Some(names::file_name(group)))
        }
        _ => (key, condition.or_else(|| only_group(place))),
    }
}

/// The one folder between round and case, where it tells nothing apart: `dune/ash/with_skill` beside
/// `dune/birch/with_skill`, a single case under two models.
fn only_group(place: &FileLevels) -> Option<&str> {
    let (case, side) = (place.case.as_deref()?, place.configuration.as_deref());
    let below = names::below(&place.folder, place.iteration.path())?;
    let around = below.split('/').take_while(|name| *name != case);
    let mut groups = around.filter(|name| Some(*name) != side && !names::is_container(name));
    match (groups.next(), groups.next()) {
        (Some(only), None) if below.split('/').any(|name| name == case) => Some(only),
        _ => None,
    }
}

/// Joins models that were taken for rounds: `nimbus-7/dune/with_skill` beside `quartz/dune/with_skill`.
fn join(place: &mut FileLevels, sweeps: &BTreeSet<IterationKey>) {
    let (key, condition) = round_and_condition(place);
    if let Some(model) = condition.filter(|_| key != place.iteration && sweeps.contains(&key)) {
        let side = place.configuration.as_ref().map(|side| format!("{model}/{side}"));
        place.configuration = Some(side.unwrap_or_else(|| model.to_owned()));
        place.iteration = key;
    }
}

fn swap(place: &mut FileLevels, swapped: &BTreeSet<IterationKey>) {
    let (key, condition) = round_and_condition(place);
    let Some(condition) = condition.filter(|_| swapped.contains(&key)).map(str::to_owned) else {
        return;
    };
    let Some(case) = place.case.replace(condition.clone()) else {
        return place.case = None;
    };
    let side = place.configuration.as_deref().filter(|name| **name != condition);
    let side = side.map(|name| name.strip_prefix(&format!("{condition}/")).unwrap_or(name));
    place.configuration = Some(side.map_or(case.clone(), |side| format!("{case}/{side}")));
    (place.iteration, place.group) = (key, None);
}

/// The gradings whose names begin with a topic of several cases, as `winter-grading.json`: each says of
/// which cases its verdicts are, and no two in a folder share one. So they are suites of one side, and
/// the topic is neither side nor case.
fn suites(section: &Section, records: &[Record], planned: &BTreeSet<String>) -> Vec<usize> {
    let mut by_folder: BTreeMap<&str, (BTreeSet<&str>, Vec<usize>)> = BTreeMap::new();
    let mut others: BTreeSet<&str> = BTreeSet::new();
    for (at, (document, record)) in section.documents.iter().zip(records).enumerate() {
        let (place, folder) = (&document.place, names::folder(&document.path));
        // Deeper down, the folder that they lie in was taken for their case.
        let is_of_topic = place.configuration.as_ref().is_none_or(|side| *side == place.stem);
        if document.kind != Kind::Grading
            || !is_of_topic
            || planned.contains(&folded_name(&place.stem))
        {
            continue;
        }
        let (known, suites) = by_folder.entry(folder).or_default();
        let ids = record.gradings.iter().map(|graded| graded.labels.case_id.as_deref());
        let ids: Option<BTreeSet<&str>> = ids.collect();
        match ids {
            Some(ids) if !ids.is_empty() && known.is_disjoint(&ids) => known.extend(ids),
            _ => _ = others.insert(folder),
        }
        suites.push(at);
    }
    by_folder.retain(|folder, (_, suites)| suites.len() > 1 && !others.contains(folder));
    // What lies beside them is of all their cases: a plan, and a suite without a topic.
    let documents = section.documents.iter().enumerate();
    let found = documents.filter(|(_, found)| by_folder.contains_key(names::folder(&found.path)));
    found.map(|(at, _)| at).collect()
}

/// The ids and names of the cases that lists of cases plan.
fn planned_names(records: &[Record]) -> BTreeSet<String> {
    let mut planned = BTreeSet::new();
    for case in records.iter().filter_map(|record| record.evals.as_ref()).flat_map(|e| &e.cases) {
        planned.extend(case.stated_name().map(folded_name));
        planned.extend(case.id.as_deref().map(folded_name));
    }
    planned
}

/// Whether a folder has the name of a case, by itself or by a plan.
fn is_planned(name: &str, planned: &BTreeSet<String>) -> bool {
    names::is_case(name) || planned.contains(&folded_name(name))
}

fn models(record: &Record) -> impl Iterator<Item = &str> {
    let of_gradings = record.gradings.iter().flat_map(|graded| [&graded.metrics, &graded.timing]);
    let all = record.metrics.iter().map(|(_, metrics)| metrics).chain(of_gradings);
    all.filter_map(|metrics| metrics.model.as_deref())
}

impl Levels<'_> {
    /// Whether what was taken for a condition is the case, and the other way round.
    fn are_swapped(&self, planned: &BTreeSet<String>) -> bool {
        // `multi-model/<model>/<case>/<side>` and `results/<case>/run-1/<side>` say which level is which.
        if self.has_plain_case || self.conditions.keys().any(|name| name.contains('/')) {
            return false;
        }
        if self.cases.iter().any(|name| is_planned(name, planned))
            || self.conditions.keys().any(|name| self.is_recorded(name))
        {
            return false;
        }
        self.conditions.keys().all(|name| is_planned(name, planned))
            || self.cases.iter().any(|name| self.is_recorded(name))
            || self.checks_belong_to_conditions()
    }

    /// Whether runs record the folder `name` as their model.
    fn is_recorded(&self, name: &str) -> bool {
        self.models.iter().any(|model| names::is_same_model(name, model))
    }

    /// Whether runs record some of the conditions as their models, and all have the same cases.
    fn are_models(&self) -> bool {
        self.conditions.len() > 1
            && self.conditions.keys().any(|name| self.is_recorded(name))
            && self.conditions.values().all(|checks| checks.len() == self.cases.len())
    }

    /// Checks belong to a case. So the conditions are the cases if each has the same checks in all
    /// folders below it, most have several, and no two of them have the same checks.
    fn checks_belong_to_conditions(&self) -> bool {
        let mut lists: BTreeSet<&BTreeSet<String>> = BTreeSet::new();
        let mut repeated = 0;
        for checks in self.conditions.values() {
            let mut own = checks.values();
            let Some(list) = own.next() else { return false };
            if list.is_empty() || own.any(|other| other != list) {
                return false;
            }
            repeated += usize::from(checks.len() > 1);
            lists.insert(list);
        }
        repeated * 2 > lists.len() && lists.len() > 1 && lists.len() == self.conditions.len()
    }
}
