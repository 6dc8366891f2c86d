//! Which of two levels is the case where folders do not say it: `tea/en/with_skill` next to
//! `soup/en/with_skill`, `dune/ash/with_skill` next to `dune/birch/with_skill`.
//!
//! Discover takes one of them. What the documents hold decides: the plan names the cases, the runs
//! name their model, and checks belong to a case. Where they say that the other level is the case,
//! the two change places in every file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::read::Record;
use input::discover::{FileLevels, IterationKey, Kind, Section, list_again, names};
use text::folded_name;

/// What lies below one folder of the level that was taken for a condition.
#[derive(Default)]
struct Condition<'a> {
    /// The checks of each folder that was taken for a case.
    checks: BTreeMap<&'a str, BTreeSet<String>>,
}

/// The two levels of one iteration, or of the folders outside any.
#[derive(Default)]
struct Levels<'a> {
    conditions: BTreeMap<&'a str, Condition<'a>>,
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
        let checks =
            levels.conditions.entry(condition).or_default().checks.entry(case).or_default();
        let graded = record.gradings.iter().flat_map(|graded| &graded.grading.expectations);
        checks.extend(graded.map(|check| folded_name(&check.text)));
    }
    levels.retain(|_, levels| levels.are_swapped(&planned));
    if levels.is_empty() && suites.is_empty() {
        return section;
    }
    let swapped: BTreeSet<IterationKey> = levels.into_keys().collect();
    let mut section = section.into_owned();
    for at in suites {
        let place = &mut section.documents[at].place;
        (place.case, place.configuration) = (None, None);
    }
    let documents = section.documents.iter_mut().map(|document| &mut document.place);
    for place in documents.chain(section.outputs.iter_mut().map(|output| &mut output.place)) {
        swap(place, &swapped);
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
        _ => (key, condition),
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
        let is_of_topic = place.configuration.as_ref().or(place.case.as_ref()) == Some(&place.stem);
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

fn models(record: &Record) -> impl Iterator<Item = &str> {
    let of_gradings = record.gradings.iter().flat_map(|graded| [&graded.metrics, &graded.timing]);
    let all = record.metrics.iter().map(|(_, metrics)| metrics).chain(of_gradings);
    all.filter_map(|metrics| metrics.model.as_deref())
}

impl Levels<'_> {
    /// Whether what was taken for a condition is the case, and the other way round.
    fn are_swapped(&self, planned: &BTreeSet<String>) -> bool {
        if self.has_plain_case || self.conditions.keys().any(|name| name.contains('/')) {
            return false;
        }
        let is_planned = |name: &&str| planned.contains(&folded_name(name));
        let is_model =
            |name: &&str| self.models.iter().any(|model| names::is_same_model(name, model));
        if self.cases.iter().any(&is_planned) || self.conditions.keys().any(is_model) {
            return false;
        }
        self.conditions.keys().all(is_planned)
            || self.cases.iter().any(is_model)
            || self.checks_belong_to_conditions()
    }

    /// Checks belong to a case. So the conditions are the cases if each has the same checks in all
    /// folders below it, and no two of them have the same.
    fn checks_belong_to_conditions(&self) -> bool {
        let mut lists: BTreeSet<&BTreeSet<String>> = BTreeSet::new();
        for condition in self.conditions.values() {
            let mut own = condition.checks.values();
            let Some(list) = own.next() else { return false };
            let has_all_cases = condition.checks.len() == self.cases.len();
            if !has_all_cases || list.is_empty() || own.any(|other| other != list) {
                return false;
            }
            lists.insert(list);
        }
        self.cases.len() > 1 && lists.len() > 1 && lists.len() == self.conditions.len()
    }
}
