//! The reports of a site, the newest first: where each is, of which commit, and of which day.

use serde_json::{Value, json};

use crate::language::{DASH, Language};
use crate::render::context::{Link, Rows, addresses};
use crate::render::data::summary::Summary;
use crate::render::html::catalogue::{NamedReport, PATH};
use text::cut_line;

/// Characters of a commit that are shown.
const COMMIT: usize = 12;

pub(super) fn view(reports: &[NamedReport<'_>], language: &Language) -> Value {
    let mut rows = Vec::new();
    for (index, report) in reports.iter().enumerate() {
        let older = reports.get(index + 1).map(|report| report.summary);
        let page = format!("{}/index.html", addresses::folder(report.name));
        rows.push(json!({
            "link": Link::new(addresses::link(PATH, &page), report.name),
            "commit": commit(report.summary),
            "date": day(report.summary).unwrap_or_else(|| DASH.to_owned()),
            // The order is that in which reports were added, whatever a clock says.
            "remark": if is_before(report.summary, older) { language.text("catalogue.clock") } else { "" },
            "skills": report.summary.workspaces.len(),
        }));
    }
    json!({
        "summary": language.count(reports.len(), "report"),
        "rows": Rows::all(rows.into_iter(), |row| row).to_vec(),
    })
}

fn commit(summary: &Summary) -> String {
    match &summary.commit {
        Some(commit) => cut_line(commit, COMMIT),
        None => DASH.to_owned(),
    }
}

/// The day of the commit, such as `2026-07-21`; `None` if unknown.
pub(super) fn day(summary: &Summary) -> Option<String> {
    let date: String = summary.date.as_deref()?.chars().take(10).collect();
    let is_day = date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
    if is_day { Some(date) } else { None }
}

fn is_before(newer: &Summary, older: Option<&Summary>) -> bool {
    let (Some(day), Some(earlier)) = (day(newer), older.and_then(day)) else {
        return false;
    };
    day < earlier
}
