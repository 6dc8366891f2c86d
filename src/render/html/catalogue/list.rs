//! The reports of a site, the newest first: where each is, of which commit, and of which day.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::language::{DASH, Language, say};
use crate::render::context::{Link, Rows, addresses};
use crate::render::data::builds::{Build, Builds};
use crate::render::html::catalogue::{NamedReport, PATH};
use text::cut_line;

/// Characters of a commit that are shown.
const COMMIT: usize = 12;

pub(super) fn view(reports: &[NamedReport<'_>], builds: &Builds, language: &Language) -> Value {
    let mut by_report: BTreeMap<&str, &Build> = BTreeMap::new();
    for build in builds.skills.values().flatten() {
        by_report.insert(&build.build, build);
    }
    let present: BTreeSet<&str> = reports.iter().map(|report| report.name).collect();
    let gone = by_report.keys().filter(|name| !present.contains(*name)).count();
    let mut rows = Vec::new();
    for (index, report) in reports.iter().enumerate() {
        let build = by_report.get(report.name).copied();
        let older = reports.get(index + 1).and_then(|report| by_report.get(report.name)).copied();
        let page = format!("{}/index.html", addresses::folder(report.name));
        rows.push(json!({
            "link": Link::new(addresses::link(PATH, &page), report.name),
            "commit": build.map_or(DASH.to_owned(), commit),
            "date": build.and_then(day).unwrap_or_else(|| DASH.to_owned()),
            // The order is that in which reports were added, whatever a clock says.
            "remark": if is_before(build, older) { language.text("catalogue.clock") } else { "" },
            "skills": report.workspaces.len(),
        }));
    }
    json!({
        "summary": language.count(reports.len(), "report"),
        "rows": Rows::all(rows.into_iter(), |row| row).to_vec(),
        "gone": if gone > 0 { say!(language, "catalogue.gone", builds = language.count(gone, "build")) } else { String::new() },
    })
}

fn commit(build: &Build) -> String {
    match &build.commit {
        Some(commit) => cut_line(commit, COMMIT),
        None => DASH.to_owned(),
    }
}

/// The day of the commit, such as `2026-07-21`; `None` if unknown.
pub(super) fn day(build: &Build) -> Option<String> {
    let date: String = build.date.as_deref()?.chars().take(10).collect();
    let is_day = date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
    if is_day { Some(date) } else { None }
}

fn is_before(build: Option<&Build>, older: Option<&Build>) -> bool {
    let (Some(day), Some(earlier)) = (build.and_then(day), older.and_then(day)) else {
        return false;
    };
    day < earlier
}
