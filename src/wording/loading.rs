//! Whether runs loaded the skill.

use crate::analyze::SkillLoadCounts;
use crate::language::{Language, say};
use input::model::{Loading, LoadingState};

/// In how many runs the skill was loaded, given or unknown; `None` if nothing is known.
pub(crate) fn counts(loads: &SkillLoadCounts, language: &Language) -> Option<String> {
    // Only some harnesses log which skills they loaded.
    if loads.known() == 0 {
        return None;
    }
    let runs = language.count(loads.runs(), "run");
    let mut parts = vec![say!(language, "loading.loaded_in", n = loads.loaded, runs)];
    for (key, n) in [("loading.given_in", loads.given), ("loading.unknown_in", loads.unknown)] {
        if n > 0 {
            parts.push(say!(language, key, n));
        }
    }
    Some(language.list(parts))
}

/// A warning if a gain comes from few runs with the skill; else `None`.
pub(crate) fn diluted(loads: &SkillLoadCounts, language: &Language) -> Option<String> {
    if !loads.is_diluted {
        return None;
    }
    let runs = language.count(loads.known(), "run");
    Some(say!(language, "loading.diluted", n = loads.had(), runs))
}

pub(crate) fn remarks(loads: &SkillLoadCounts, language: &Language) -> Vec<String> {
    let mut sentences = Vec::new();
    for (key, number) in [
        ("loading.idle", loads.idle),
        ("loading.by_user", loads.by_user),
        ("loading.used", loads.used),
    ] {
        if number > 0 {
            sentences.push(say!(language, key, runs = language.count(number, "run")));
        }
    }
    let [wanted, unwanted] = loads.asked;
    for (key, share, all) in [
        ("loading.recall", loads.recall, wanted.runs),
        ("loading.precision", loads.precision, wanted.had + unwanted.had),
    ] {
        if let Some(share) = share {
            sentences.push(say!(
                language,
                key,
                share = language.percent(share),
                n = wanted.had,
                all
            ));
        }
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
    let file = file.rsplit('/').next().unwrap_or(file);
    let place = match loading.line {
        Some(line) => say!(language, "loading.line", file, line),
        None => file.to_owned(),
    };
    match &loading.call {
        Some(call) => say!(language, "loading.call", call, place),
        None => place,
    }
}
