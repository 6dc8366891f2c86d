//! Whether runs loaded the skill, in sentences.

use std::fmt::Display;

use crate::analyze::SkillLoadCounts;
use crate::language::Language;
use crate::model::{Loading, LoadingState};

pub(crate) fn counts(loads: &SkillLoadCounts, language: &Language) -> Option<String> {
    if loads.known() == 0 {
        return None;
    }
    let runs = language.count(loads.runs(), "run");
    let mut parts =
        vec![language.fill("loading.loaded_in", &[("n", &loads.loaded), ("runs", &runs)])];
    let others = [("loading.given_in", loads.given), ("loading.unknown_in", loads.unknown)];
    for (key, number) in others.into_iter().filter(|(_, number)| *number > 0) {
        parts.push(language.fill(key, &[("n", &number)]));
    }
    Some(language.list(parts))
}

/// A warning if a gain comes from few runs with the skill; else `None`.
pub(crate) fn diluted(loads: &SkillLoadCounts, language: &Language) -> Option<String> {
    let values: [(&str, &dyn Display); 2] =
        [("n", &loads.had()), ("runs", &language.count(loads.known(), "run"))];
    loads.is_diluted.then(|| language.fill("loading.diluted", &values))
}

pub(crate) fn remarks(loads: &SkillLoadCounts, language: &Language) -> Vec<String> {
    let mut sentences = Vec::new();
    let counted = [
        ("loading.idle", loads.idle),
        ("loading.by_user", loads.by_user),
        ("loading.used", loads.used),
    ];
    for (key, number) in counted.into_iter().filter(|(_, number)| *number > 0) {
        sentences.push(language.fill(key, &[("runs", &language.count(number, "run"))]));
    }
    let [wanted, unwanted] = loads.asked;
    for (key, share, all) in [
        ("loading.recall", loads.recall, wanted.runs),
        ("loading.precision", loads.precision, wanted.had + unwanted.had),
    ] {
        let Some(share) = share.map(|share| language.percent(share)) else { continue };
        sentences.push(language.fill(key, &[("share", &share), ("n", &wanted.had), ("all", &all)]));
    }
    sentences
}

pub(crate) fn state(loading: &Loading, language: &Language) -> String {
    let key = match loading.state {
        LoadingState::Loaded if loading.by_user => "loading.is_by_user",
        LoadingState::Loaded => "loading.is_loaded",
        LoadingState::NotLoaded => "loading.is_not_loaded",
        LoadingState::Given => "loading.is_given",
        LoadingState::Unknown => "loading.is_unknown",
    };
    language.text(key).to_owned()
}

/// The call, the file and the line; empty if unknown.
pub(crate) fn place(loading: &Loading, language: &Language) -> String {
    let Some(file) = &loading.file else { return String::new() };
    let name = file.rsplit('/').next().unwrap_or(file);
    let place = match loading.line {
        Some(line) => language.fill("loading.line", &[("file", &name), ("line", &line)]),
        None => name.to_owned(),
    };
    match &loading.call {
        Some(call) => language.fill("loading.call", &[("call", call), ("place", &place)]),
        None => place,
    }
}
