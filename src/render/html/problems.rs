//! The files that were read, those that were not, and why.

use crate::language::{Language, say};
use crate::render::context::{Link, Page, Rows, View, view};
use crate::render::data::manifest;
use input::model::{Ignored, Problem, Redaction, Severity, Workspace};

pub(super) fn view(page: &Page<'_>) -> View {
    let (workspace, language) = (page.part.workspace, page.language);
    let version = workspace.evals_version.as_ref();
    let files = language.count(workspace.files, "file");
    let ignored = workspace.ignored.iter().map(|ignored| ignored_row(ignored, language));
    view!({
        "frame": page.frame(language.text("page.problems"), None),
        "groups": groups(workspace, language),
        "redaction": redaction(&workspace.redaction, language),
        "manifest": Link::new(page.link(manifest::FILE), manifest::FILE),
        "ignored": ignored.collect::<Rows<_>>(),
        "evals_version": version.map(|version| say!(language, "problems.evals_version", version)),
        "files": say!(language, "problems.files", files, ignored = workspace.ignored_files()),
    })
}

fn groups(workspace: &Workspace, language: &Language) -> Vec<View> {
    let mut groups = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let mut problems: Vec<&Problem> = workspace.problems.iter().collect();
        problems.retain(|problem| problem.severity() == severity);
        if !problems.is_empty() {
            groups.push(view!({
                "title": language.problems(problems.len(), severity),
                "rows": Rows::all(problems.into_iter(), problem_row),
            }));
        }
    }
    groups
}

fn problem_row(problem: &Problem) -> View {
    let place = match problem.place {
        Some(place) => format!("{}:{}:{}", problem.path, place.line, place.column),
        None => problem.path.clone(),
    };
    let (help, copied) = match problem.help.as_deref().map(|help| help.split_once('\n')) {
        Some(Some((help, copied))) => (Some(help), Some(copied)),
        _ => (problem.help.as_deref(), None),
    };
    view!({
        "severity": problem.severity().word(),
        "code": problem.code.word(),
        "place": place,
        "message": problem.sentence(),
        "help": help,
        "copied": copied,
    })
}

fn ignored_row(ignored: &Ignored, language: &Language) -> View {
    let files = match ignored.files {
        Some(files @ 2..) => language.count(files, "file"),
        _ => String::new(),
    };
    view!({ "path": ignored.path, "files": files, "reason": ignored.reason })
}

fn redaction(redaction: &Redaction, language: &Language) -> View {
    let mut lines = Vec::new();
    if !redaction.is_on {
        lines.push(language.text("problems.not_redacted").to_owned());
    } else if redaction.count() == 0 {
        lines.push(language.text("problems.none_redacted").to_owned());
    } else {
        let secrets = language.count(redaction.count(), "secret");
        lines.push(say!(language, "problems.secrets", secrets));
    }
    if redaction.folders > 0 {
        let paths = language.count(redaction.folders, "machine_path");
        lines.push(say!(language, "problems.folders", paths));
    }
    let not_scanned: Vec<&String> = redaction.unscanned.iter().collect();
    let not_published: Vec<&String> = redaction.withheld.union(&redaction.unsafe_outputs).collect();
    let mut lists = Vec::new();
    for (key, paths) in
        [("problems.not_scanned", not_scanned), ("problems.not_published", not_published)]
    {
        if !paths.is_empty() {
            lists.push(view!({
                "title": language.text(key),
                "number": paths.len(),
                "paths": Rows::all(paths.iter(), |path| path),
            }));
        }
    }
    let kinds = redaction.secrets.iter().map(|(kind, n)| format!("{n} × {kind}"));
    view!({ "lines": lines, "kinds": kinds.collect::<Vec<_>>(), "lists": lists })
}
