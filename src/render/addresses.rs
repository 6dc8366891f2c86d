//! Where each page lies in the report. Addresses come from names alone, never from positions.

use std::collections::BTreeMap;

use crate::model::{Iteration, Run, Workspace};
use crate::render::Part;
use crate::text::{Slugs, natural_order};

/// The addresses of every workspace of a report.
#[derive(Debug)]
pub(super) struct Addresses {
    parts: Vec<PartAddresses>,
}

/// The addresses of one workspace, relative to the report.
#[derive(Debug)]
pub(super) struct PartAddresses {
    /// Folder of the workspace; empty when it is the only one.
    folder: String,
    iterations: Vec<String>,
    cases: BTreeMap<String, String>,
}

impl Addresses {
    /// Gives every page of `parts` its address.
    pub(super) fn of(parts: &[Part<'_>]) -> Self {
        let mut slugs = Slugs::default();
        let single = parts.len() == 1;
        let parts = parts
            .iter()
            .map(|part| {
                let folder =
                    if single { String::new() } else { slugs.give(&part.workspace.name) + "/" };
                PartAddresses::of(folder, part.workspace)
            })
            .collect();
        Self { parts }
    }

    /// The addresses of one workspace.
    pub(super) fn part(&self, index: usize) -> &PartAddresses {
        &self.parts[index]
    }
}

impl PartAddresses {
    fn of(folder: String, workspace: &Workspace) -> Self {
        let mut slugs = Slugs::default();
        let iterations = workspace.iterations.iter().map(|it| slugs.give(&it.name)).collect();
        let mut slugs = Slugs::default();
        let cases = case_names(workspace).into_iter().map(|name| (name.clone(), slugs.give(&name)));
        Self { folder, iterations, cases: cases.collect() }
    }

    /// The overview.
    pub(super) fn overview(&self) -> String {
        format!("{}index.html", self.folder)
    }

    /// A file beside the overview.
    pub(super) fn beside(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    /// An iteration's page.
    pub(super) fn iteration(&self, index: usize) -> String {
        format!("{}iterations/{}/index.html", self.folder, self.iterations[index])
    }

    /// A file beside an iteration's page.
    pub(super) fn beside_iteration(&self, index: usize, name: &str) -> String {
        format!("{}iterations/{}/{name}", self.folder, self.iterations[index])
    }

    /// A case's page, over all iterations.
    pub(super) fn case(&self, name: &str) -> String {
        let slug = self.cases.get(name).map_or("unnamed", String::as_str);
        format!("{}cases/{slug}.html", self.folder)
    }

    /// A run's page.
    pub(super) fn run(&self, iteration: usize, case: &str, run: &Run) -> String {
        let case = self.cases.get(case).map_or("unnamed", String::as_str);
        let configuration = Slugs::default().give(&run.configuration);
        let iteration = &self.iterations[iteration];
        format!("{}iterations/{iteration}/{case}/{configuration}-{}.html", self.folder, run.number)
    }

    /// The page of problems.
    pub(super) fn problems(&self) -> String {
        format!("{}problems.html", self.folder)
    }

    /// The folder of output files, each under its content's hash.
    pub(super) fn file(&self, hash: &str, extension: &str) -> String {
        format!("files/{hash}.{extension}")
    }
}

/// The names of all cases in natural order.
pub(super) fn case_names(workspace: &Workspace) -> Vec<String> {
    let mut names: Vec<String> = workspace
        .iterations
        .iter()
        .flat_map(|it: &Iteration| &it.cases)
        .map(|case| case.name.clone())
        .collect();
    names.sort_by(|a, b| natural_order(a, b));
    names.dedup();
    names
}

/// The relative link from one page to another.
pub(super) fn link(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let (from_folders, to_folders) = (&from[..from.len() - 1], &to[..to.len() - 1]);
    let same = from_folders.iter().zip(to_folders).take_while(|(a, b)| a == b).count();
    let mut parts = vec![".."; from_folders.len() - same];
    parts.extend(&to[same..]);
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::link;

    #[test]
    fn links_are_relative() {
        assert_eq!(link("index.html", "cases/a.html"), "cases/a.html");
        assert_eq!(link("cases/a.html", "index.html"), "../index.html");
        assert_eq!(link("iterations/1/a/b-1.html", "iterations/1/index.html"), "../index.html");
        assert_eq!(link("cases/a.html", "cases/b.html"), "b.html");
    }
}
