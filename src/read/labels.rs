//! Labels: where a document says that it belongs.

use crate::discover::names;
use crate::model::Place;
use crate::read::alias::labels;
use crate::read::cursor::Cursor;
use crate::read::words::is_spelling;

/// Where a document, or a part of it, says that it belongs. Narrower parts override wider ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// The iteration named by the key above it.
    pub iteration: Option<String>,
    pub case_id: Option<String>,
    pub case_name: Option<String>,
    pub configuration: Option<String>,
    pub run: Option<u32>,
    pub version: Option<String>,
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
        // The `mode` of a whole document may be the grader's, so it counts only if its value is a
        // configuration's name; among several parts it tells them apart.
        let is_mode = |value: Cursor<'_>| cursor.is_root() && is_spelling(&value.name(), "mode");
        let is_named = |value: Cursor<'_>| {
            let name = value.node().as_text().unwrap_or_default().trim();
            names::is_configuration(name) || names::is_model(name)
        };
        let is_one = |value: Cursor<'_>| value.is_label() && (!is_mode(value) || is_named(value));
        let configuration = cursor.get_where(&labels::CONFIGURATION, is_one);
        let own_configuration = configuration.and_then(|value| value.as_label());
        let run = run_number(cursor);
        let label = |field, above: &Option<String>| cursor.label(field).or_else(|| above.clone());
        let case_place = cursor.get(&labels::CASE_ID).map(|value| value.place());
        let configuration_place = configuration.map(|value| value.place());
        Self {
            iteration: above.iteration.clone(),
            case_id: label(&labels::CASE_ID, &above.case_id),
            case_name: label(&labels::CASE_NAME, &above.case_name),
            configuration: own_configuration.or_else(|| above.configuration.clone()),
            run: run.map(|(number, _)| number).or(above.run),
            version: label(&labels::VERSION, &above.version),
            skill: label(&labels::SKILL, &above.skill),
            case_place: case_place.or(above.case_place),
            configuration_place: configuration_place.or(above.configuration_place),
            run_place: run.map(|(_, place)| place).or(above.run_place),
        }
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

/// The number of the run with its place: a number, or a text such as `2` or `run-2`.
fn run_number(cursor: Cursor<'_>) -> Option<(u32, Place)> {
    cursor.all(&labels::RUN).find_map(|value| {
        let plain = || value.node().as_f64().filter(|run| (0.0..1e6).contains(run));
        let number = match value.node().as_text().map(str::trim) {
            Some(text) => text.parse().ok().or_else(|| names::run_number(text)),
            None => plain().map(|run| run as u32),
        };
        Some((number?, value.place()))
    })
}
