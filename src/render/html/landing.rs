//! The landing page of a report of several workspaces.

use serde::Serialize;

use crate::render::addresses::Addresses;
use crate::render::html::frame;
use crate::render::language::Language;
use crate::render::templates::Templates;
use crate::render::view::{Frame, Link, Rate};
use crate::render::{Part, Task};

#[derive(Serialize)]
struct Landing {
    frame: Frame,
    workspaces: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    link: Link,
    path: String,
    iterations: String,
    side: String,
    rate: Rate,
    problems: String,
}

/// Adds the landing page, when there is more than one workspace.
pub(in crate::render) fn landing<'a>(
    parts: &'a [Part<'a>],
    addresses: &'a Addresses,
    language: &'a Language,
    templates: &'a Templates,
    tasks: &mut Vec<Task<'a>>,
) {
    if parts.len() < 2 {
        return;
    }
    let path = "index.html".to_owned();
    let render = move || {
        let rows = parts
            .iter()
            .enumerate()
            .map(|(index, part)| row(language, part, &addresses.part(index).overview()));
        let title = language.text("landing.title");
        let view = Landing { frame: frame("index.html", title, &[]), workspaces: rows.collect() };
        templates.fill("landing.html", "index.html", &view)
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn row(language: &Language, part: &Part<'_>, overview: &str) -> Row {
    let workspace = part.workspace;
    let totals = workspace.totals();
    // Only the candidate: the baseline's failures say nothing of the skill.
    let newest = part.analysis.newest().map(|index| (index, &part.analysis.iterations[index]));
    let candidate = newest.and_then(|(index, of)| Some((index, of.candidate()?)));
    let rate = Rate::of(candidate.map(|(_, summary)| summary.tally).unwrap_or_default(), language);
    let side = candidate.map(|(index, summary)| {
        language.fill(
            "page.side",
            &[("configuration", &summary.name), ("iteration", &workspace.iterations[index].name)],
        )
    });
    let side = side.unwrap_or_else(|| language.text("landing.nothing_graded").to_owned());
    let text = part.title().to_owned();
    Row {
        link: Link { href: overview.to_owned(), text },
        path: workspace.name.clone(),
        iterations: language.count(totals.iterations, "iteration"),
        side,
        rate,
        problems: language.count(workspace.problems.len(), "problem"),
    }
}
