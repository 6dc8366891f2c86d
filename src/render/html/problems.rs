//! What was read, what was not, and why.

use serde::Serialize;

use crate::model::Severity;
use crate::render::Task;
use crate::render::html::Site;
use crate::render::view::{Frame, ProblemRow};

#[derive(Serialize)]
struct ProblemsView {
    frame: Frame,
    groups: Vec<Group>,
    ignored: Vec<IgnoredRow>,
    files: String,
}

#[derive(Serialize)]
struct Group {
    title: String,
    rows: Vec<ProblemRow>,
}

#[derive(Serialize)]
struct IgnoredRow {
    path: String,
    /// How many files, where it is more than one.
    files: String,
    reason: &'static str,
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
    let (workspace, language) = (site.part.workspace, site.language);
    let group = |severity: Severity| {
        let found = workspace.problems.iter().filter(|problem| problem.severity() == severity);
        let rows: Vec<ProblemRow> = found.map(ProblemRow::of).collect();
        Group { title: language.problems(rows.len(), severity), rows }
    };
    let groups = [Severity::Error, Severity::Warning, Severity::Note].map(group);
    let ignored = workspace.ignored.iter().map(|ignored| {
        let files = ignored.files.filter(|files| *files > 1);
        IgnoredRow {
            path: ignored.path.clone(),
            files: files.map(|files| language.count(files, "file")).unwrap_or_default(),
            reason: ignored.reason,
        }
    });
    ProblemsView {
        frame: site.frame(
            path,
            language.text("page.problems"),
            &[(site.addresses.overview(), site.title())],
        ),
        groups: groups.into_iter().filter(|group| !group.rows.is_empty()).collect(),
        ignored: ignored.collect(),
        files: language.fill(
            "problems.files",
            &[
                ("files", &language.count(workspace.files, "file")),
                ("ignored", &workspace.ignored_files()),
            ],
        ),
    }
}
