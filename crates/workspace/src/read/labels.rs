//! Labels: where a document says that it belongs.

use crate::read::alias::{is_spelling, labels};
use crate::read::cursor::Cursor;
use input::model::Place;
use input::names;

/// Where a document, or a part of it, says that it belongs. Narrower parts override wider ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// The iteration named by the key above it.
    pub iteration: Option<String>,
    /// The case's id as written, numbers as text; `None` if not written.
    pub case_id: Option<String>,
    /// The case's name as written; `None` if not written.
    pub case_name: Option<String>,
    /// The configuration as written, such as `with_skill`; `None` if not written.
    pub configuration: Option<String>,
    /// The run's number, also from a text such as `run-2`; `None` if not written.
    pub run: Option<u32>,
    /// The version of the skill, such as `v2`; `None` if not written.
    pub version: Option<String>,
    /// The skill's name or path as written; `None` if not written.
    pub skill: Option<String>,
    /// Place of the case's id.
    pub case_place: Option<Place>,
    /// Place of the configuration.
    pub configuration_place: Option<Place>,
    /// Place of the run's number.
    pub run_place: Option<Place>,
}

impl Labels {
    /// The labels at `cursor`; missing ones come from `above`.
    pub(super) fn read(cursor: Cursor<'_>, above: &Self) -> Self {
        let mut labels = above.clone();
        if let Some(value) = cursor.get(&labels::CASE_ID) {
            labels.case_place = Some(value.place());
        }
        labels.case_id = cursor.label(&labels::CASE_ID).or(labels.case_id);
        labels.case_name = cursor.label(&labels::CASE_NAME).or(labels.case_name);
        if let Some(value) = cursor.get_where(&labels::CONFIGURATION, |value| {
            may_be_configuration(value, cursor.is_root())
        }) {
            labels.configuration = value.as_label().or(labels.configuration);
            labels.configuration_place = Some(value.place());
        }
        if let Some((number, value)) = run_number(cursor) {
            labels.run = Some(number);
            labels.run_place = Some(value.place());
        }
        labels.version = cursor.label(&labels::VERSION).or(labels.version);
        labels.skill = cursor.label(&labels::SKILL).or(labels.skill);
        labels
    }

    /// These labels for the value of `key` in an object of many parts: the key names a
    /// configuration, a run, an iteration, or else a case.
    pub(super) fn for_key(&self, key: &str) -> Self {
        let mut labels = self.clone();
        let name = Some(key.to_owned());
        match names::run_number(key) {
            _ if names::is_configuration(key) => labels.configuration = name,
            Some(run) => labels.run = Some(run),
            None if names::is_iteration(key) => labels.iteration = name,
            None if labels.case_id.is_none() && labels.case_name.is_none() => {
                labels.case_name = name
            }
            None => {}
        }
        labels
    }
}

/// The `mode` of a whole document may be the grader's, so it counts only if its value is a
/// configuration's name; among several parts it tells them apart.
fn may_be_configuration(value: Cursor<'_>, is_in_root: bool) -> bool {
    let is_mode = is_in_root && is_spelling(&value.name(), "mode");
    let name = value.node().as_text().unwrap_or_default().trim();
    value.is_label() && (!is_mode || names::is_configuration(name) || names::is_model(name))
}

/// The number of the run, and where it is: a number, or a text such as `2` or `run-2`.
fn run_number(cursor: Cursor<'_>) -> Option<(u32, Cursor<'_>)> {
    for value in cursor.all(&labels::RUN) {
        let number = match value.node().as_text().map(str::trim) {
            Some(text) => text.parse().ok().or_else(|| names::run_number(text)),
            None => {
                value.node().as_f64().filter(|run| (0.0..1e6).contains(run)).map(|run| run as u32)
            }
        };
        if let Some(number) = number {
            return Some((number, value));
        }
    }
    None
}
