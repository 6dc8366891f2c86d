//! The files that were read, those that were not, and why.

use serde_json::{Value, json};

use crate::language::Language;
use crate::model::{Redaction, Severity};
use crate::render::context::{Link, Page, Rows};
use crate::render::data::publish;

pub(super) fn view(page: &Page<'_>) -> Value {
    let (workspace, language) = (page.part.workspace, page.language);
    let mut groups = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let problems = workspace.problems.iter().filter(|problem| problem.severity() == severity);
        let number = problems.clone().count();
        if number > 0 {
            let rows = problems.map(|problem| {
                let place = match problem.place {
                    Some(place) => format!("{}:{}:{}", problem.path, place.line, place.column),
                    None => problem.path.clone(),
                };
                json!({
                    "severity": severity.word(),
                    "code": problem.code.word(),
                    "place": place,
                    "message": problem.sentence(),
                    "help": problem.help,
                })
            });
            let rows: Rows<Value> = rows.collect();
            groups.push(json!({ "title": language.problems(number, severity), "rows": rows }));
        }
    }
    let ignored = workspace.ignored.iter().map(|ignored| {
        let files = match ignored.files {
            Some(files @ 2..) => language.count(files, "file"),
            _ => String::new(),
        };
        json!({ "path": ignored.path, "files": files, "reason": ignored.reason })
    });
    let version = workspace.evals_version.as_ref();
    let version =
        version.map(|version| language.fill("problems.evals_version", &[("version", version)]));
    let files = language.count(workspace.files, "file");
    json!({
        "frame": page.frame(language.text("page.problems"), None),
        "groups": groups,
        "redaction": redaction(&workspace.redaction, language),
        "manifest": Link::new(page.link(publish::FILE), publish::FILE),
        "ignored": ignored.collect::<Rows<_>>(),
        "evals_version": version,
        "files": language
            .fill("problems.files", &[("files", &files), ("ignored", &workspace.ignored_files())]),
    })
}

fn redaction(redaction: &Redaction, language: &Language) -> Value {
    let mut lines = Vec::new();
    match (redaction.is_on, redaction.count()) {
        (false, _) => lines.push(language.text("problems.not_redacted").to_owned()),
        (true, 0) => lines.push(language.text("problems.none_redacted").to_owned()),
        (true, count) => {
            let secrets = language.count(count, "secret");
            lines.push(language.fill("problems.secrets", &[("secrets", &secrets)]));
        }
    }
    if redaction.folders > 0 {
        let paths = language.count(redaction.folders, "machine_path");
        lines.push(language.fill("problems.folders", &[("paths", &paths)]));
    }
    let not_scanned: Vec<&String> = redaction.unscanned.iter().collect();
    let not_published = redaction.withheld.union(&redaction.unsafe_outputs).collect();
    let lists = [("problems.not_scanned", not_scanned), ("problems.not_published", not_published)];
    let lists = lists.into_iter().filter(|(_, paths)| !paths.is_empty()).map(|(key, paths)| {
        let title = language.text(key);
        json!({ "title": title, "number": paths.len(), "paths": Rows::all(paths.iter(), |path| path) })
    });
    let lists: Vec<Value> = lists.collect();
    let kinds = redaction.secrets.iter().map(|(kind, n)| format!("{n} × {kind}"));
    json!({ "lines": lines, "kinds": kinds.collect::<Vec<_>>(), "lists": lists })
}
