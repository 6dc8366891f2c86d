//! What was read, what was not, and why.

use serde::Serialize;

use crate::language::Language;
use crate::model::{Problem, Redaction, Severity};
use crate::render::context::{Frame, Link, Rows, Site, link};
use crate::render::data::publish;

#[derive(Serialize)]
pub(super) struct ProblemsView {
    frame: Frame,
    groups: Vec<Group>,
    redaction: RedactionView,
    manifest: Link,
    ignored: Rows<IgnoredRow>,
    files: String,
    /// The version of the format of `evals.json`, or empty.
    evals_version: String,
}

#[derive(Serialize)]
struct Group {
    title: String,
    rows: Rows<ProblemRow>,
}

#[derive(Serialize)]
struct IgnoredRow {
    path: String,
    /// How many files, where it is more than one.
    files: String,
    reason: &'static str,
}

pub(super) fn view(site: Site<'_>, path: &str) -> ProblemsView {
    let (workspace, language) = (site.part.workspace, site.language);
    let group = |severity: Severity| {
        let found = workspace.problems.iter().filter(|problem| problem.severity() == severity);
        let title = language.problems(found.clone().count(), severity);
        Group { title, rows: found.map(problem_row).collect() }
    };
    let groups = [Severity::Error, Severity::Warning, Severity::Note].map(group);
    let ignored = workspace.ignored.iter().map(|ignored| IgnoredRow {
        path: ignored.path.clone(),
        files: match ignored.files {
            Some(files @ 2..) => language.count(files, "file"),
            _ => String::new(),
        },
        reason: ignored.reason,
    });
    ProblemsView {
        frame: site.frame(path, language.text("page.problems"), None),
        groups: groups.into_iter().filter(|group| !group.rows.is_empty()).collect(),
        redaction: redaction(&workspace.redaction, language),
        manifest: Link::new(link(path, publish::FILE), publish::FILE),
        ignored: ignored.collect(),
        evals_version: workspace.evals_version.as_ref().map_or(String::new(), |version| {
            language.fill("problems.evals_version", &[("version", version)])
        }),
        files: language.fill(
            "problems.files",
            &[
                ("files", &language.count(workspace.files, "file")),
                ("ignored", &workspace.ignored_files()),
            ],
        ),
    }
}

#[derive(Serialize)]
struct RedactionView {
    lines: Vec<String>,
    kinds: Vec<String>,
    lists: Vec<PathList>,
}

#[derive(Serialize)]
struct PathList {
    title: String,
    number: usize,
    paths: Rows<String>,
}

fn redaction(redaction: &Redaction, language: &Language) -> RedactionView {
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
    let list = |key: &str, paths: Vec<&String>| PathList {
        title: language.text(key).to_owned(),
        number: paths.len(),
        paths: paths.into_iter().cloned().collect(),
    };
    let not_published = redaction.withheld.union(&redaction.unsafe_outputs);
    let lists = [
        list("problems.not_scanned", redaction.unscanned.iter().collect()),
        list("problems.not_published", not_published.collect()),
    ];
    RedactionView {
        lines,
        kinds: redaction.secrets.iter().map(|(kind, n)| format!("{n} × {kind}")).collect(),
        lists: lists.into_iter().filter(|list| !list.paths.is_empty()).collect(),
    }
}

#[derive(Serialize)]
struct ProblemRow {
    severity: &'static str,
    code: &'static str,
    /// `path:line:column`.
    place: String,
    message: String,
    help: String,
}

fn problem_row(problem: &Problem) -> ProblemRow {
    ProblemRow {
        severity: problem.severity().word(),
        code: problem.code.word(),
        place: match problem.place {
            Some(place) => format!("{}:{}:{}", problem.path, place.line, place.column),
            None => problem.path.clone(),
        },
        message: problem.sentence(),
        help: problem.help.clone().unwrap_or_default(),
    }
}
