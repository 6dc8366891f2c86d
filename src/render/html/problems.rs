//! What was read, what was not, and why.

use serde::Serialize;

use crate::model::Severity;
use crate::render::Task;
use crate::render::html::Site;
use crate::render::view::{Frame, ProblemRow};
use crate::text::count;

#[derive(Serialize)]
struct ProblemsView {
    frame: Frame,
    groups: Vec<Group>,
    ignored: Vec<[String; 2]>,
    files: String,
}

#[derive(Serialize)]
struct Group {
    title: String,
    rows: Vec<ProblemRow>,
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.problems();
    let render = {
        let path = path.clone();
        move || site.templates.fill("problems.html", &path, &view(site, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, path: &str) -> ProblemsView {
    let workspace = site.part.workspace;
    let group = |severity: Severity| {
        let found = workspace.problems.iter().filter(|problem| problem.severity() == severity);
        let rows: Vec<ProblemRow> = found.map(ProblemRow::of).collect();
        Group { title: count(rows.len(), severity.word()), rows }
    };
    let groups = [Severity::Error, Severity::Warning, Severity::Note].map(group);
    let ignored = workspace.ignored.iter().map(|ignored| {
        let files = ignored.files.filter(|files| *files > 1);
        let files = files.map(|files| format!(" ({})", count(files, "file"))).unwrap_or_default();
        [ignored.path.clone(), format!("{}{files}", ignored.reason)]
    });
    ProblemsView {
        frame: site.frame(path, "Problems", &[(site.addresses.overview(), site.title())]),
        groups: groups.into_iter().filter(|group| !group.rows.is_empty()).collect(),
        ignored: ignored.collect(),
        files: format!(
            "{} found, {} ignored",
            count(workspace.files, "file"),
            workspace.ignored_files()
        ),
    }
}
