//! Whether runs loaded the skill, in sentences.

use crate::analyze::Loads;
use crate::language::Language;
use crate::model::{Loading, LoadingState};

/// In how many runs the skill was loaded; `None` where nothing is known.
pub(crate) fn counts(loads: &Loads, language: &Language) -> Option<String> {
    if loads.known() == 0 {
        return None;
    }
    let runs = language.count(loads.runs(), "run");
    let loaded = language.fill("loading.loaded_in", &[("n", &loads.loaded), ("runs", &runs)]);
    let more = [("loading.given_in", loads.given), ("loading.unknown_in", loads.unknown)];
    let mut parts = vec![loaded];
    for (key, number) in more.into_iter().filter(|(_, number)| *number > 0) {
        parts.push(language.fill(key, &[("n", &number)]));
    }
    Some(parts.join(language.text("list.comma")))
}

/// That a gain is of few runs with the skill; `None` where it is not.
pub(crate) fn diluted(loads: &Loads, language: &Language) -> Option<String> {
    let runs = language.count(loads.known(), "run");
    loads
        .is_diluted()
        .then(|| language.fill("loading.diluted", &[("n", &loads.had()), ("runs", &runs)]))
}

/// What else there is to say of a configuration, sentence by sentence.
pub(crate) fn remarks(loads: &Loads, language: &Language) -> Vec<String> {
    let counted = [
        ("loading.idle", loads.idle),
        ("loading.by_user", loads.by_user),
        ("loading.used", loads.used),
    ];
    let counted = counted
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(key, number)| language.fill(key, &[("runs", &language.count(number, "run"))]));
    let aim = &loads.aim;
    let shares = [
        ("loading.recall", aim.recall(), aim.wanted),
        ("loading.precision", aim.precision(), aim.met + aim.missed),
    ];
    let shares = shares.into_iter().filter_map(|(key, share, all)| {
        let share = language.percent(share?);
        Some(language.fill(key, &[("share", &share), ("n", &aim.met), ("all", &all)]))
    });
    counted.chain(shares).collect()
}

/// The state in a word or two.
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

/// Where that is to be seen: the call, the file and the line; empty where nothing is known.
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
